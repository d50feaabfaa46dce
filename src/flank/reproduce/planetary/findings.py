"""Sentences with the figures that were computed; the paper's mistakes stand in mistakes.py."""

import math

import numpy as np

from flank.reproduce.planetary.published import (
    DAMPED_TOLERANCE,
    FLEXIBLE_TOLERANCE,
    RIGID_TOLERANCE,
    STAGE_DAMPING,
    STAGE_FORCES,
    STAGE_TOLERANCE,
    TABLE_1C,
    TABLE_10A,
)
from flank.reproduce.planetary.stage import StageRun
from flank.reproduce.planetary.stage_tables import differences
from flank.reproduce.planetary.tables import Swings

AGREE = 1.0
"""How far the rungs may be apart in their mean forces, in %."""


Rungs = dict[tuple[str, float], StageRun]
"""By the name of the rung and its damping."""


def findings(
    rigid: Swings, flexible: Swings, damped: Swings, rungs: Rungs, resting: float
) -> list[str]:
    """What came out, the agreement first; `resting` is the deviation without dynamics (N)."""
    return [
        _angles(rigid, flexible, damped),
        _stage(rungs),
        _ladder(rungs),
        _sharing(rungs),
        _damping(rungs, resting),
    ]


def _angles(rigid: Swings, flexible: Swings, damped: Swings) -> str:
    stiff = _largest([rigid[count].angle - paper.rigid for count, paper in TABLE_1C.items()])
    soft = _largest([flexible[count].angle - paper.flexible for count, paper in TABLE_1C.items()])
    slow = _largest([damped[damping].angle - paper for damping, paper in TABLE_10A.items()])
    asked = (RIGID_TOLERANCE, FLEXIBLE_TOLERANCE, DAMPED_TOLERANCE)
    met = all(off <= limit for off, limit in zip((stiff, soft, slow), asked, strict=True))
    return (
        f"Tables 1c and 10a are {'met' if met else 'not met'}: the largest differences are "
        f"{stiff:.4f}° rigid ({asked[0]}° asked), {soft:.4f}° flexible ({asked[1]}°) and "
        f"{slow:.4f}° over damping ({asked[2]}°)."
    )


def _stage(rungs: Rungs) -> str:
    sun, ring = STAGE_FORCES["flexible"]
    off = [value for run in rungs.values() for value in differences("sun", run, sun)]
    off += [value for run in rungs.values() for value in differences("ring", run, ring)]
    largest = _largest(off) if all(run.complete for run in rungs.values()) else math.nan
    return (
        f"Fig. 14 is {'met' if largest <= STAGE_TOLERANCE else 'not met'}: no planet's mean force "
        f"on any rung is more than {largest:.2f} % from {abs(sun):.0f} and {abs(ring):.0f} kN "
        f"({STAGE_TOLERANCE:g} % asked). The torque was taken from the paper's rigid forces, "
        "so that the sum over planets is met by construction; the ratio of sun to ring and the "
        "share of each planet are not."
    )


def _ladder(rungs: Rungs) -> str:
    """Means of all meshes on every rung against the rigid ones."""
    level = rungs["rigid", 0.0].mean
    apart = _largest(
        [
            100 * (run.mean.get(mesh, math.nan) / force - 1)
            for run in rungs.values()
            for mesh, force in level.items()
        ]
    )
    return (
        "The ladder: spring, table and contact give the rigid model's mean forces within "
        f"{apart:.3f} % ({AGREE:g} % asked), planet by planet."
    )


def _sharing(rungs: Rungs) -> str:
    run = rungs["rigid", 0.0]
    sun, ring = (run.mean.get(name, math.nan) / 1e3 for name in ("sun/planet 1", "planet 1/ring"))
    return (
        "That only one planet can mesh with both sun and ring in a rigid model, which the paper "
        "calls its major drawback, is not so: sun meshes that share one multiplier carry equal "
        f"forces, {abs(sun):.1f} and {abs(ring):.1f} kN, without any stiffness."
    )


def _damping(rungs: Rungs, resting: float) -> str:
    low, high = (rungs["table", damping] for damping in STAGE_DAMPING)
    mesh = "sun/planet 1"
    swings = [run.deviation.get(mesh, math.nan) / 1e3 for run in (low, high)]
    torques = [run.inertia_torque / 1e3 for run in (low, high)]
    return (
        "More damping lowers the swing of the forces, as Figs. 14 and 15 say, but little: from 2e4 "
        f"to 4e4 N·s/m the standard deviation of {mesh} goes from {swings[0]:.1f} to "
        f"{swings[1]:.1f} kN and that of the sun's inertia torque from {torques[0]:.2f} to "
        f"{torques[1]:.2f} kN·m. Most of it, {resting / 1e3:.1f} kN, is there at rest: planets "
        "with two pairs of teeth in mesh carry more than those with one."
    )


def _largest(off: list[float]) -> float:
    """Size of the largest; not known where one is not."""
    return float(np.max(np.abs(off))) if off else math.nan
