"""Energy of planetary gears without damping: kept, and by which power of the step."""

import math
from collections.abc import Iterator

import numpy as np
from cases import Case

import flank
from flank.analyses.result import Result
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.energy import kinetic_energy, stored_energy
from flank.dynamics.run import DynamicSettings, solve_dynamics
from flank.dynamics.tables import GROUND
from flank.io.tables import Table

UNDAMPED = {"sun_mesh.damping": 0, "ring_mesh.damping": 0}
SWING = {"torques": {"carrier": [[0, -4], [2, -4], [2, 0]]}, "initial_speed": 0}
"""The load of Jørgensen et al.: two seconds of torque, then free."""


def _course(preset: str, step: float, duration: float, **settings) -> Result:
    result = flank.run(
        flank.preset(preset, UNDAMPED),
        "time-response",
        step=step,
        duration=duration,
        spectral_radius=1,
        **{"points": 20_000, **settings},
    )
    assert result.complete
    return result


def lost(preset: str, step: float, duration: float, **settings) -> dict[str, float]:
    """Largest energy gone astray, the largest whole energy and the largest stored one, in J."""
    result = _course(preset, step, duration, points=10_000, **settings)
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
    short = lost("planetary-500kw", 2.5e-6, 0.1)
    name = "tables, 0.1 s, h = 2.5 µs: energy lost over the largest elastic energy"
    yield Case(name, "no damping", 0.0, short["gone"] / short["stored"], "", 1e-6)
    (coarse, more), (fine, less) = ((h, found["gone"]) for h, found in springs.items())
    yield Case(
        "springs, 8 and 2 ms: order of the energy's error in the step",
        "generalized-alpha",
        2.0,
        math.log(more / less, coarse / fine),
        "",
        0.05,
        ((coarse, more), (fine, less)),
    )
    yield from touch_cases()


def touch_cases() -> Iterator[Case]:
    """What teeth that begin to touch inside a step take from the energy; parting, they return it.

    With spectral radius 1 the work of a step is the trapezoid of forces at its ends, times the way
    between them. A spring that begins after the part s of a step's way v h takes the trapezoid
    k (1 - s) (v h)²/2, but stores k (1 - s)² (v h)²/2.
    """
    scale = TOUCH_STIFFNESS * (TOUCH_SPEED * TOUCH_STEP) ** 2 / 8
    for part in (0.1, 0.25, 0.5, 0.8):
        yield Case(
            f"teeth that touch after {part} of a step: energy lost over k (v h)²/8",
            "4 s (1 - s): trapezoid against integral",
            4 * part * (1 - part),
            lost_by_touch(TOUCH_STEP, part) / scale,
            "",
            1e-4,
        )
    rate = tuple((step, lost_by_touch(step, 0.3)) for step in (TOUCH_STEP, TOUCH_STEP / 2))
    (_, coarse), (_, fine) = rate
    name = "teeth that touch at one place of a step: order of the energy lost in the step"
    yield Case(name, "the same", 2.0, math.log2(coarse / fine), "", 1e-4, rate)


TOUCH_STIFFNESS, TOUCH_SPEED, TOUCH_STEP = 1e8, 0.1, 1e-6
"""N/m, m/s along the line of action, s: the spring slows the gear by 1e-5 in a step, no more."""


def lost_by_touch(step: float, part: float) -> float:
    """J: a gear runs through half the backlash; its flank touches at `part` of the fourth step."""
    radii, working_angle, mass = (0.01, 0.03), math.radians(20), 10.0
    distance = sum(radii) / math.cos(working_angle)
    b = ModelBuilder(radii[0])
    moving = b.body("moving", 1.0, mass * radii[0] ** 2)
    held = b.body("held", 1.0, 1e-3, (distance, 0.0, 0.0))
    b.revolute(moving, GROUND)
    b.fixed(held, GROUND, at_b=(distance, 0.0))
    backlash = 2 * TOUCH_SPEED * step * (3 + part)
    b.mesh(moving, held, TOUCH_STIFFNESS, radii, distance, backlash=backlash)
    model, velocity = b.build(), np.zeros((3, 3))
    velocity[moving, 2] = TOUCH_SPEED / radii[0]
    settings = DynamicSettings(step, spectral_radius=1)
    run = solve_dynamics(model, b.pose(), 4 * step, settings, velocity=velocity)
    energy = kinetic_energy(model, run.velocity) + stored_energy(model, run)
    return float(energy[0] - energy[-1])


def share_of_elastic() -> float:
    """What the run of 5 s with tables loses over its largest elastic energy."""
    found = lost("planetary-500kw", 5e-5, 5.0)
    return found["gone"] / found["stored"]


def step_table() -> Table:
    """Changes of the energy in one step of 0.02 s of the 500 kW stage with tables."""
    rows: list[list[str]] = []
    for step in (10e-6, 5e-6, 2.5e-6, 1.25e-6):
        changes = np.abs(np.diff(_course("planetary-500kw", step, 0.02)["lost_energy_course"]))
        rows.append([f"{step * 1e6:.4g}", f"{changes.max():.0e}", f"{np.median(changes):.0e}"])
    headings = ["step, µs", "largest change in a step, J", "median change in a step, J"]
    return Table("Steps", headings, [False, False, False], rows)


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
