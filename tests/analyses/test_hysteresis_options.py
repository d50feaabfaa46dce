"""The loop's offset, both sides' stiffness, and how a loop in time is marched."""

import numpy as np
import pytest

import flank
from flank.errors import SpecError

FAST = {"mode": "dynamic", "stage_duration": "20 ms"}
FIGURES = ("torsional_stiffness", "lost_motion", "backlash")


@pytest.fixture(scope="module")
def drive():
    return flank.preset("cycloidal-drive", {"discs.equidistant": "5 um"})


@pytest.fixture(scope="module")
def uneven():
    """A drive whose discs are turned against its rollers: its loop lies off the middle."""
    return flank.preset("cycloidal-drive", {"discs.equidistant": "5 um", "discs.angular": 1e-4})


def test_a_centred_loop_crosses_zero_torque_at_equal_angles(uneven):
    plain, centred = (flank.run(uneven, "hysteresis", centred=c) for c in (False, True))
    offset = float(plain["offset"])
    assert abs(offset) == pytest.approx(1e-4, rel=0.02)
    assert float(centred["offset"]) == offset
    moved = plain["loop_angle"].values - centred["loop_angle"].values
    assert moved == pytest.approx(np.full(moved.shape, offset), abs=1e-18)
    for name in (*FIGURES, "loop_work"):
        assert float(plain[name]) == float(centred[name])


def test_both_sides_are_told_and_their_mean_is_the_stiffness():
    result = flank.run(flank.preset("cycloidal-drive", {"errors.seed": 3}), "hysteresis")
    sides = [float(result[f"{sign}_stiffness"]) for sign in ("positive", "negative")]
    assert np.mean(sides) == pytest.approx(float(result["torsional_stiffness"]), rel=1e-14)
    assert abs(sides[0] / sides[1] - 1) > 0.05


def test_what_is_marched_by_default_is_what_was(drive):
    """Its options written out change no bit; they are not written where nobody gave them."""
    plain = flank.run(drive, "hysteresis", **FAST)
    said = flank.run(drive, "hysteresis", **FAST, spectral_radius=0.8, step_threshold=0.1)
    assert np.array_equal(plain["loop_angle"].values, said["loop_angle"].values)
    assert {"step_threshold", "damping"}.isdisjoint(plain.settings)
    damping = drive.spec.contact.damping
    same = flank.run(drive, "hysteresis", **FAST, damping=damping)
    assert np.array_equal(plain["loop_angle"].values, same["loop_angle"].values)


def test_every_option_of_the_march_does_something(drive):
    plain = flank.run(drive, "hysteresis", **FAST)
    finer = flank.run(drive, "hysteresis", **FAST, step_threshold=1e-3)
    assert finer.counters["steps"] > 1.2 * plain.counters["steps"]
    for options in ({"spectral_radius": 0.3}, {"damping": "1 s/m"}):
        changed = flank.run(drive, "hysteresis", **FAST, **options)
        assert not np.array_equal(plain["loop_angle"].values, changed["loop_angle"].values)
    for name in FIGURES:
        assert float(finer[name]) == pytest.approx(float(plain[name]), rel=2e-3)


def test_damping_is_that_of_the_spec_given_in_another_place(drive):
    """Contacts without damping, given one by the analysis or by the spec, move alike."""
    spec = flank.preset(
        "cycloidal-drive", {"discs.equidistant": "5 um", "contact.damping": "1 s/m"}
    )
    by_spec = flank.run(spec, "hysteresis", **FAST)
    by_setting = flank.run(drive, "hysteresis", **FAST, damping="1 s/m")
    assert np.array_equal(by_spec["loop_angle"].values, by_setting["loop_angle"].values)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"mode": "dynamic", "spectral_radius": 1.2}, "spectral_radius"),
        ({"mode": "dynamic", "spectral_radius": -0.1}, "spectral_radius"),
        ({"mode": "dynamic", "step_threshold": 0}, "step_threshold"),
        ({"mode": "dynamic", "step_threshold": 2}, "step_threshold"),
        ({"mode": "dynamic", "damping": "-1 s/m"}, "damping"),
        ({"mode": "dynamic", "damping": "1 N"}, "damping"),
        ({"spectral_radius": 0.5}, "spectral_radius does nothing in static mode"),
        ({"step_threshold": 0.01}, "step_threshold does nothing in static mode"),
        ({"damping": "1 s/m"}, "damping does nothing in static mode"),
        ({"centred": "perhaps"}, "centred"),
    ],
)
def test_bad_values_are_refused_before_anything_is_computed(drive, settings, words):
    with pytest.raises(SpecError, match=words):
        flank.run(drive, "hysteresis", **settings)


def test_damping_of_contacts_is_refused_where_there_are_none():
    with pytest.raises(SpecError, match="this machine has none"):
        flank.run(flank.preset("planetary-lin-parker"), "hysteresis", **FAST, damping="1 s/m")
