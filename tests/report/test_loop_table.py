"""The table of twist over torque in the report of a loop."""

import numpy as np
import pytest
from report_page import report_text

import flank
from flank.io.tables import tables
from flank.report.loop_table import loop_tables


@pytest.fixture(scope="module")
def loop():
    return flank.run(flank.preset("cycloidal-drive"), "hysteresis", points_per_stage=20)


def test_rows_are_the_loop(loop):
    (table,) = loop_tables(loop)
    cells = np.array([[float(cell) for cell in row] for row in table.rows])
    torque, falling, rising, width = cells.T
    assert table.headings[0] == "Output torque, N·m"
    assert all("arcmin" in heading for heading in table.headings[1:])
    assert len(cells) == 13
    assert torque[0] == pytest.approx(412.0)
    assert torque[-1] == pytest.approx(-412.0)
    assert np.all(np.diff(torque) < 0)
    arcmin = np.pi / 180 / 60
    peak = loop["loop_angle"].values[loop["loop_torque"].values.argmax()]
    assert falling[0] == pytest.approx(peak / arcmin, rel=1e-3)
    assert np.allclose(width, falling - rising, atol=2e-3)
    zero = np.flatnonzero(torque == 0.0)[0]
    assert width[zero] == pytest.approx(loop["backlash"] / arcmin, rel=2e-3)
    slope = (torque[0] - torque[1]) / (falling[0] - falling[1])
    assert slope == pytest.approx(loop["torsional_stiffness"] * arcmin, rel=0.1)


def test_it_is_on_the_page_and_not_in_the_text(loop):
    page = report_text(loop, {})
    assert page.count("<h2>Twist over torque</h2>") == 1
    assert "Twist over torque" not in flank.summary(loop)
    assert tables(loop) == []


def test_equal_decimals_and_no_minus_before_zero(loop):
    (table,) = loop_tables(loop)
    for column in zip(*table.rows, strict=True):
        assert len({len(cell.partition(".")[2]) for cell in column}) == 1
        assert "-0.000" not in column


def test_other_results_have_none():
    machine = flank.preset("cycloidal-drive")
    assert loop_tables(flank.run(machine, "load-distribution")) == []
    failed = flank.run(machine, "hysteresis", torque="1e12 N*m")
    assert not failed.complete
    assert loop_tables(failed) == []
    assert "Twist over torque" not in report_text(failed, {})
