"""Measured loops and transmission errors are laid over computed ones."""

import math

import numpy as np
import pytest

import flank
from flank.analyses.measured_curves import read_error, read_loop, turning_points
from flank.errors import SpecError
from flank.plots import figures

ARCMIN, ARCSEC = math.pi / 180 / 60, math.pi / 180 / 3600


@pytest.fixture(scope="module")
def drive():
    return flank.preset("cycloidal-drive", {"friction.pins": 0.05})


@pytest.fixture(scope="module")
def loop(drive):
    return flank.run(drive, "hysteresis", points_per_stage=15)


def write(path, columns, comma=False, mark=","):
    rows = zip(*columns.values(), strict=True)
    lines = [mark.join(columns), *(mark.join(f"{x!r}" for x in row) for row in rows)]
    text = "\n".join(lines)
    head, _, numbers = text.partition("\n")
    path.write_text(head + "\n" + (numbers.replace(".", ",") if comma else numbers))
    return str(path)


def columns(loop, offset=0.0, rows=slice(None)):
    return {
        "torque [N*m]": loop["loop_torque"].values[rows].tolist(),
        "angle [arcmin]": ((loop["loop_angle"].values[rows] + offset) / ARCMIN).tolist(),
    }


@pytest.mark.parametrize(("comma", "mark"), [(False, ","), (True, ";"), (True, "\t")])
def test_our_own_loop_read_back_leaves_nothing(drive, loop, tmp_path, comma, mark):
    """Whatever the zero of its angle: residual zero, figures the same, all to round-off."""
    path = write(tmp_path / "loop.csv", columns(loop, 0.3), comma, mark)
    result = flank.run(drive, "hysteresis", points_per_stage=15, measured=path)
    assert result.complete
    size = np.ptp(loop["loop_angle"].values)
    assert result["measured_offset"] == pytest.approx(0.3, abs=1e-12)
    assert np.abs(result["residual"].values).max() < 1e-12 * max(size, 1)
    for name in ("torsional_stiffness", "lost_motion", "backlash"):
        assert result[f"measured_{name}"] == pytest.approx(loop[name], rel=1e-9)
        assert result[name] == pytest.approx(loop[name], rel=1e-12)
    assert result["branch"].values[0] == "unloading from positive torque"
    assert {"hysteresis", "residual"} <= set(figures(result))
    assert result.settings["measured"] == path


def test_a_loop_that_is_shifted_sideways_shows_in_its_branches(drive, loop, tmp_path):
    """Rising branches 2 µrad higher, falling ones 2 µrad lower: no offset, each as it is."""
    given = columns(loop)
    falling = np.isin(loop["loop_stage"].values, (1, 2))
    moved = loop["loop_angle"].values + np.where(falling, -2e-6, 2e-6)
    given["angle [arcmin]"] = (moved / ARCMIN).tolist()
    path = write(tmp_path / "loop.csv", given)
    result = flank.run(drive, "hysteresis", points_per_stage=15, measured=path)
    means = dict(zip(result["branch"].values, result["branch_mean"].values, strict=True))
    spread = means["loading to positive torque"] - means["loading to negative torque"]
    assert spread == pytest.approx(4e-6, rel=0.05)
    backlash = result["measured_backlash"] - result["backlash"]
    assert backlash == pytest.approx(-4e-6, rel=1e-3)


def test_the_loop_goes_to_the_peak_that_was_measured(drive, loop, tmp_path):
    """If no torque is given; another one is told, and what lies beyond is left out."""
    path = write(tmp_path / "loop.csv", columns(loop))
    peak = loop["torque"]
    less = flank.run(
        drive, "hysteresis", points_per_stage=15, measured=path, torque=0.8 * float(peak)
    )
    assert any("measured points lie beyond the computed peak" in text for text in less.warnings)
    assert any("The measured loop reaches 412 N*m" in text for text in less.warnings)
    half = {name: np.array(values) * 0.5 for name, values in columns(loop).items()}
    path = write(tmp_path / "half.csv", {name: each.tolist() for name, each in half.items()})
    assert flank.run(drive, "hysteresis", measured=path)["torque"] == pytest.approx(0.5 * peak)


def test_a_cycle_may_begin_at_either_peak_and_is_the_last_one(loop):
    torque, angle = loop["loop_torque"].values, loop["loop_angle"].values
    stage = loop["loop_stage"].values
    closed = np.flatnonzero(stage >= 1)
    twice = np.concatenate((closed, closed))
    from flank.analyses.measured_curves import _closed_cycle
    from flank.number_tables import NumberTable

    table = NumberTable("loop.csv", (), np.zeros((0, 2)), ())
    once = _closed_cycle(table, torque, angle)
    for rows in (twice, np.roll(twice, len(closed) // 2)):
        again = _closed_cycle(table, torque[rows], angle[rows])
        for number in (1, 2, 3, 4):
            first, second = (
                np.interp(50.0 if number in (1, 4) else -50.0, *sorted_branch(each, number))
                for each in (once, again)
            )
            assert second == pytest.approx(first, abs=1e-12)


def sorted_branch(cycle, number):
    rows = cycle.stage == number
    order = np.argsort(cycle.torque[rows])
    return cycle.torque[rows][order], cycle.angle[rows][order]


def test_turning_points_are_no_noise():
    time = np.linspace(0, 2.25, 400)
    wave = np.sin(2 * np.pi * time) + np.random.default_rng(1).normal(0, 0.02, 400)
    places = turning_points(wave, 1.0)
    np.testing.assert_allclose(time[places], [0, 0.25, 0.75, 1.25, 1.75, 2.25], atol=0.05)


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ({"torque [N*m]": list(range(30)), "angle [deg]": list(range(30))}, "a loop needs both"),
        (
            {"torque [N*m]": list(range(-15, 15)), "angle [deg]": list(range(30))},
            "has no closed cycle of the torque",
        ),
        (
            {"torque [N*m]": list(range(-15, 15)), "angle [deg]": list(range(30, 0, -1))},
            "the angle falls where the torque rises",
        ),
        ({"torque [N*m]": [1.0, -1.0], "angle [deg]": [1.0, -1.0]}, "has 2 points"),
        ({"torque": [1.0] * 30, "angle [deg]": [1.0] * 30}, "'torque' has no unit"),
        ({"torque [mm]": [1.0] * 30, "angle [deg]": [1.0] * 30}, "'1 mm' is a length; a torque"),
        ({"force [N]": [1.0] * 30, "angle [deg]": [1.0] * 30}, "has no column 'torque'"),
        ({"torque [N*m]": [1.0] * 30, "x [deg]": [1.0] * 30}, "has no column 'angle'"),
    ],
)
def test_what_is_no_loop_is_refused_before_anything_is_computed(drive, tmp_path, rows, sentence):
    path = write(tmp_path / "loop.csv", rows)
    with pytest.raises(SpecError) as caught:
        flank.run(drive, "hysteresis", measured=path)
    (problem,) = caught.value.problems
    assert problem.startswith("measured: ")
    assert sentence in problem


def test_numbers_without_headings_and_files_that_are_not_there(drive, tmp_path):
    path = tmp_path / "loop.csv"
    path.write_text("1 2\n3 4\n")
    with pytest.raises(SpecError, match="has no headings"):
        read_loop(str(path))
    with pytest.raises(SpecError, match=r"none\.csv does not exist"):
        read_error(str(tmp_path / "none.csv"), 1.0)


@pytest.fixture(scope="module")
def error(drive):
    return flank.run(drive, "transmission-error", points_per_turn=60)


def error_columns(error, ratio, kind):
    angle, te = error["crank_angle"].values, error["transmission_error"].values + 2e-4
    every = {
        "input": {"input angle [deg]": np.degrees(angle), "error [arcsec]": te / ARCSEC},
        "output": {"output angle [rad]": angle / ratio + te, "TE [arcsec]": te / ARCSEC},
        "both": {"input angle [rad]": angle, "output angle [rad]": angle / ratio + te},
    }
    return {name: values.tolist() for name, values in every[kind].items()}


@pytest.mark.parametrize("kind", ["input", "output", "both"])
def test_our_own_transmission_error_read_back_leaves_nothing(drive, error, tmp_path, kind):
    """Over the angle of the input or the output, or as both angles."""
    path = write(tmp_path / "te.csv", error_columns(error, drive.ratio, kind))
    result = flank.run(drive, "transmission-error", points_per_turn=60, measured=path)
    assert result["measured_offset"] == pytest.approx(2e-4, abs=1e-12)
    assert np.abs(result["residual"].values).max() < 1e-12
    assert result["measured_peak_to_peak"] == pytest.approx(result["peak_to_peak"], rel=1e-6)
    assert {"transmission-error", "residual"} <= set(figures(result))


def test_a_shift_of_the_input_is_given_not_found(drive, error, tmp_path):
    given = error_columns(error, drive.ratio, "input")
    given["input angle [deg]"] = [angle + 720 for angle in given["input angle [deg]"]]
    path = write(tmp_path / "te.csv", given)
    with pytest.raises(SpecError, match="0 of its points lie within the input angles"):
        flank.run(drive, "transmission-error", points_per_turn=60, measured=path)
    shifted = flank.run(
        drive,
        "transmission-error",
        points_per_turn=60,
        measured=path,
        measured_shift="-720 deg",
    )
    assert np.abs(shifted["residual"].values).max() < 1e-12


def test_a_file_that_tells_no_error_is_refused(drive, tmp_path):
    path = write(tmp_path / "te.csv", {"angle [deg]": [1.0] * 30, "x": [1.0] * 30})
    with pytest.raises(SpecError, match="does not tell a transmission error over an angle"):
        flank.run(drive, "transmission-error", measured=path)
