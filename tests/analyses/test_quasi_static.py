"""Loops in time against equilibria: fast ramps are told whatever backlash comes out of them."""

import re

import numpy as np
import pytest

import flank
from flank.analyses.loop import Loop, inertial_share


def loop(preset, changes=None, **settings):
    machine = flank.preset(preset, changes or {})
    return flank.run(machine, "hysteresis", mode="dynamic", **settings)


def too_fast(result):
    return [w for w in result.warnings if "too fast to be quasi-static" in w]


def change_of_stiffness(warning):
    return float(re.search(r"torsional stiffness by ([\d.]+)%", warning).group(1))


def test_a_loop_whose_backlash_comes_out_negative():
    result = loop("planetary-500kw", stage_duration="20 ms", step="0.2 ms")
    assert result["backlash"] < 0
    (warning,) = too_fast(result)
    assert change_of_stiffness(warning) == pytest.approx(101.6, abs=0.5)


def test_a_loop_without_backlash():
    """10 ms change the stiffness by 4 %; no play says so."""
    (warning,) = too_fast(loop("planetary-lin-parker", stage_duration="10 ms"))
    assert change_of_stiffness(warning) == pytest.approx(3.8, abs=0.2)


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


def test_a_fast_loop_with_friction_by_velocity():
    rough = {"friction.pins": 0.1, "friction.rollers": 0.1}
    assert too_fast(loop("cycloidal-drive", rough, stage_duration="2 ms", step="0.02 ms"))


def test_inertia_of_a_known_motion():
    """θ = A sin ωt: J θ̈ is J A ω²/√2 (rms) where all of it is looked at."""
    time = np.linspace(0.0, 5.0, 5001)
    angle = 1e-3 * np.sin(40 * time)
    seen = Loop(np.full(5001, 10.0), angle, np.zeros(5001, dtype=int), 10.0)
    share = inertial_share(seen, 2.0, 1.0)
    assert share == pytest.approx(2.0 * 1e-3 * 40**2 / np.sqrt(2) / 10.0, rel=1e-2)
