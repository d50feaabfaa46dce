"""Energy of planetary gears without damping: kept, and by which power of the step."""

import math
from collections.abc import Iterator

import numpy as np
from cases import Case

import flank
from flank.io.shown import Table

UNDAMPED = {"sun_mesh.damping": 0, "ring_mesh.damping": 0}
SWING = {"torques": {"carrier": [[0, -4], [2, -4], [2, 0]]}, "initial_speed": 0}
"""The load of Jørgensen et al.: two seconds of torque, then free."""


def lost(preset: str, step: float, duration: float, **settings) -> dict[str, float]:
    """Largest energy gone astray, the largest whole energy and the largest stored one, in J."""
    result = flank.run(
        flank.preset(preset, UNDAMPED),
        "time-response",
        step=step,
        duration=duration,
        points=10_000,
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
    """Generalized-alpha with spectral radius 1 damps nothing."""
    springs = {h: lost("planetary-paper", h, 5.0, **SWING) for h in (8e-3, 2e-3)}
    tables = lost("planetary-500kw", 5e-5, 5.0)
    for name, source, found in (
        ("springs, 5 s, h = 2 ms", "no damping; the swing of Jørgensen et al.", springs[2e-3]),
        ("tables, 5 s, h = 50 µs", "no damping; 500 kW stage, rated torque and speed", tables),
    ):
        off = found["gone"] / found["whole"]
        yield Case(f"{name}: energy lost over the largest energy", source, 0.0, off, "", 1e-6)
    short = {h: lost("planetary-500kw", h, 0.1) for h in (2.5e-6, 1.25e-6)}
    off = short[1.25e-6]["gone"] / short[1.25e-6]["stored"]
    name = "tables, 0.1 s, h = 1.25 µs: energy lost over the largest elastic energy"
    yield Case(name, "no damping", 0.0, off, "", 1e-6)
    for name, errors in (("springs, 8 and 2 ms", springs), ("tables, 2.5 and 1.25 µs", short)):
        (coarse, more), (fine, less) = ((h, found["gone"]) for h, found in errors.items())
        yield Case(
            f"{name}: order of the energy's error in the step",
            "generalized-alpha",
            2.0,
            math.log(more / less, coarse / fine),
            "",
            0.05,
        )


def share_of_elastic() -> float:
    """What the run of 5 s with tables loses over its largest elastic energy."""
    found = lost("planetary-500kw", 5e-5, 5.0)
    return found["gone"] / found["stored"]


def fall_table() -> Table:
    """The error of tables over their largest elastic energy, step by step."""
    rows: list[list[str]] = []
    before = 0.0
    for step in (100e-6, 50e-6, 25e-6, 12.5e-6):
        found = lost("planetary-500kw", step, 0.5)
        off = found["gone"] / found["stored"]
        rows.append([f"{step * 1e6:.4g}", f"{off:.2e}", f"{before / off:.2f}" if before else ""])
        before = off
    headings = ["step, µs", "energy lost over the largest elastic energy", "smaller by"]
    return Table("Energy", headings, [False, False, False], rows)
