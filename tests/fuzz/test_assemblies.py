"""Gears in space put together at random: an answer, an outcome or a sentence, and always an end."""

import os
import random

import pytest
from fuzzed import faults
from mutations import seed

SEED = seed()
CASES = 300 if os.environ.get("FLANK_HYPOTHESIS") == "searching" else 12
AT_ONCE = 6
SECONDS = 60.0
"""Processor time that a coarse run may take, kernels compiled."""

PRESETS = {
    "bevel-pair": ("driving_flank", ("concave", "convex"), "blank.normal_backlash"),
    "hypoid-pair": ("hand", ("left", "right"), "blank.transverse_backlash"),
    "spiral-bevel-nasa": (
        "driving_flank",
        ("concave", "convex"),
        "settings.transverse_backlash",
    ),
    "helical-in-space": (
        "turning",
        ("right-handed", "left-handed"),
        "wheel.thickness_deviation",
    ),
    "beveloid-pair": ("pinion.hand", ("left", "right"), "wheel.thickness_deviation"),
}
"""With a choice that mirrors or reverses, and what gives backlash."""

ASKED = (
    ("load-distribution",),
    ("natural-frequencies", "count=4"),
    ("loaded-contact", "positions=2"),
    ("contact-pattern", "positions=16", "misalignment=0"),
    ("time-response", "duration=0.2 ms", "points=4"),
)


def assembly(number: int) -> tuple[str, ...]:
    """The words after `flank run`."""
    draw = random.Random(f"assembly/{SEED}/{number}")
    name = [*PRESETS][number % len(PRESETS)]
    choice, values, backlash = PRESETS[name]
    thin = -1 if name in ("helical-in-space", "beveloid-pair") else 1
    changes = {
        choice: draw.choice(values),
        backlash: f"{thin * draw.choice((0, 5, 50, 500))} um",
        "operation.torque": f"{draw.choice((-1, 1)) * 10 ** draw.uniform(-3, 5):.4g} N*m",
        "mesh.points": draw.choice((8, 9, 16)),
        "mesh.friction": draw.choice((0, 0.05, 0.5)),
        "errors.shaft_angle": f"{draw.choice((-1, 1)) * 10 ** draw.uniform(-6, -1):.4g} rad",
    }
    for error in draw.sample(("offset", "pinion_axial", "wheel_axial"), draw.randrange(4)):
        changes[f"errors.{error}"] = f"{draw.choice((-1, 1)) * 10 ** draw.uniform(-1, 4):.4g} um"
    analysis, *options = draw.choice(ASKED)
    words = [name, "--analysis", analysis]
    for key, value in changes.items():
        words += ["--set", f"{key}={value}"]
    for option in options:
        words += ["--option", option]
    return tuple(words)


@pytest.mark.parametrize("first", range(0, CASES, AT_ONCE))
def test_gears_in_any_mounting_run_or_say_why_not(first, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    failed = []
    for number in range(first, first + AT_ONCE):
        words = assembly(number)
        fault = faults(("run", *words, "--out", f"out-{number}"), (0, 1, 2), SECONDS)
        if fault:
            failed.append(f"case {number}: flank run {' '.join(words)!r} {fault}")
    assert not failed, f"with FLANK_FUZZ_SEED={SEED}:\n" + "\n".join(failed)
