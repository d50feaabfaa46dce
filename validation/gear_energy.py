"""Energy of planetary gears without damping: kept, and by which power of the step."""

import math
from collections.abc import Iterator

import numpy as np
from cases import Case

import flank

UNDAMPED = {"sun_mesh.damping": 0, "ring_mesh.damping": 0}
SWING = {"torques": {"carrier": [[0, -4], [2, -4], [2, 0]]}, "initial_speed": 0}
"""The load of paper 003: two seconds of torque, then free."""


def lost(preset: str, step: float, duration: float, points: int, **settings) -> dict[str, float]:
    """Largest energy gone astray, the largest whole energy and the largest stored one, in J."""
    result = flank.run(
        flank.preset(preset, UNDAMPED),
        "time-response",
        step=step,
        duration=duration,
        points=points,
        spectral_radius=1,
        **settings,
    )
    assert result.complete
    stored, kinetic = (result[f"{name}_energy"].values for name in ("stored", "kinetic"))
    return {
        "gone": float(np.abs(result["lost_energy_course"].values).max()),
        "whole": float((stored + kinetic).max()),
        "stored": float(stored.max()),
    }


def energy_cases() -> Iterator[Case]:
    """Generalized-alpha with spectral radius 1: no step of it damps."""
    found = lost("planetary-paper", 2e-3, 5.0, 2500, **SWING)
    yield Case(
        "springs, 5 s, h = 2 ms: energy lost over the largest energy",
        "no damping; paper 003's swing",
        0.0,
        found["gone"] / found["whole"],
        "",
        1e-6,
    )
    found = lost("planetary-500kw", 5e-5, 5.0, 5000)
    yield Case(
        "tables, 5 s, h = 50 µs: energy lost over the largest energy",
        "no damping; 500 kW stage at rated torque and speed",
        0.0,
        found["gone"] / found["whole"],
        "",
        1e-6,
    )
    yield from _rates()


def _rates() -> Iterator[Case]:
    coarse, fine = (lost("planetary-paper", h, 5.0, 625, **SWING)["gone"] for h in (8e-3, 4e-3))
    yield Case(
        "springs: order of the energy's error in the step, 8 and 4 ms",
        "generalized-alpha",
        2.0,
        math.log2(coarse / fine),
        "",
        0.1,
    )
    errors = [lost("planetary-500kw", h, 0.05, 2500) for h in (2.5e-6, 1.25e-6)]
    yield Case(
        "tables: order of the energy's error in the step, 2.5 and 1.25 µs",
        "generalized-alpha",
        2.0,
        math.log2(errors[0]["gone"] / errors[1]["gone"]),
        "",
        0.1,
    )
    yield Case(
        "tables, h = 1.25 µs: energy lost over the largest elastic energy",
        "no damping",
        0.0,
        errors[1]["gone"] / errors[1]["stored"],
        "",
        1e-6,
    )
