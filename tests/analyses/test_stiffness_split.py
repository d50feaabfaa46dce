"""The split of the compliance: known shares, closure on the poses, the K_T of the loop."""

import numpy as np
import pytest

import flank
from flank.analyses import hysteresis, stiffness_split
from flank.analyses.stiffness_split import StiffnessSplitSettings


def shares(result):
    return dict(zip(result["part"].values, result["part_share"].values, strict=True))


def test_springs_in_series_share_by_their_compliance(chain):
    result = stiffness_split.run(chain())
    first, second = chain.STIFFNESSES
    total = 1 / first + 1 / second
    assert result["torsional_stiffness"] == pytest.approx(1 / total, rel=1e-7)
    assert result["secant_stiffness"] == pytest.approx(1 / total, rel=1e-7)
    assert result["closure"] == pytest.approx(0.0, abs=1e-6)
    wanted = {"spring 0": 1 / first / total, "spring 1": 1 / second / total, "turning": 0.0}
    assert shares(result) == pytest.approx(wanted, abs=1e-7)
    assert result["part_stiffness"].values[:2] == pytest.approx([first, second], rel=1e-6)
    assert np.isnan(result["part_stiffness"].values[2])


def test_what_belongs_to_no_part_is_not_hidden(chain):
    found = shares(stiffness_split.run(chain(named_springs=(1,))))
    assert found["elsewhere"] == pytest.approx(0.75, rel=1e-6)
    assert sum(found.values()) == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize("preset", ["cycloidal-drive", "monocrank", "single-disc"])
def test_parts_close_on_the_poses(preset):
    machine = flank.preset(preset)
    settings = StiffnessSplitSettings(crank_angle="20 deg")
    result = stiffness_split.run(machine, settings)
    assert abs(result["closure"]) < 2e-3
    assert sum(shares(result).values()) == pytest.approx(1.0, rel=1e-12)
    assert abs(shares(result)["turning"]) < 0.03
    loop = hysteresis.run(machine, hysteresis.HysteresisSettings(crank_angle="20 deg"))
    assert result["torsional_stiffness"] == pytest.approx(loop["torsional_stiffness"], rel=2e-4)


def test_needles_take_their_share():
    needles = {"count": 24, "radius": "2.5 mm", "length": "9 mm", "clearance": "5 um"}
    changes = {"eccentric.bearing": "needles", "eccentric.needles": needles}
    result = stiffness_split.run(flank.preset("cycloidal-drive", changes))
    assert 0.3 < shares(result)["needle"] < 0.5
    assert abs(result["closure"]) < 2e-3


def test_a_loose_output_is_told(chain):
    """Inside a dead band nothing but the solver's own diagonal holds the output at no torque."""
    settings = StiffnessSplitSettings(fit_from=1e-12, points=3)
    result = stiffness_split.run(chain(dead_band=0.01), settings)
    assert any("not held by contacts alone" in w for w in result.warnings)


def test_the_table_tells_every_part():
    text = flank.summary(flank.run(flank.preset("monocrank"), "stiffness-split", points=3))
    assert "Where the compliance sits" in text
    for word in ("Pins", "Output rollers", "Turning of forces", "Share, %", "not known"):
        assert word in text


def test_a_load_that_cannot_be_carried_is_no_answer():
    result = flank.run(flank.preset("monocrank"), "stiffness-split", torque="1e12 N*m")
    assert not result.complete
    assert result.figures() == []
    assert result.tables == {}
