"""Loops in time against equilibria: fast ramps are told whatever backlash comes out of them."""

import pytest

import flank


def loop(preset, changes=None, **settings):
    machine = flank.preset(preset, changes or {})
    return flank.run(machine, "hysteresis", mode="dynamic", **settings)


def too_fast(result):
    return [w for w in result.warnings if "too fast to be quasi-static" in w]


def test_a_loop_whose_backlash_comes_out_negative():
    result = loop("planetary-500kw", stage_duration="20 ms", step="0.2 ms")
    assert result["backlash"] < 0
    (warning,) = too_fast(result)
    assert "torsional stiffness by 98.4%" in warning


def test_a_loop_without_backlash():
    """10 ms change the stiffness by 7 %; no play says so."""
    (warning,) = too_fast(loop("planetary-lin-parker", stage_duration="10 ms"))
    assert "torsional stiffness by 6.6%" in warning


@pytest.mark.parametrize(
    ("preset", "duration"),
    [("planetary-lin-parker", "0.2 s"), ("cycloidal-drive", "0.1 s"), ("monocrank", "2 s")],
)
def test_slow_loops_are_not_warned_of(preset, duration):
    assert too_fast(loop(preset, stage_duration=duration, step="0.2 ms")) == []


def test_friction_that_widens_the_loop_is_no_rate_effect():
    """Developed friction by sliding velocity is no part of the equilibria compared with."""
    rough = {
        "friction.pins": 0.1,
        "friction.rollers": 0.1,
        "friction.regularization_velocity": "0.001 mm/s",
    }
    result = loop("cycloidal-drive", rough, stage_duration="0.2 s")
    still = flank.run(flank.preset("cycloidal-drive"), "hysteresis")
    assert result["loop_work"] > 100 * still["loop_work"]
    assert too_fast(result) == []
