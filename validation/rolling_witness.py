"""What the paper's rolling formulation keeps and breaks, and what a step of it takes.

    python validation/rolling_witness.py

prints the tables of docs/theory/model_reduction.md on rolling; it takes some minutes.
"""

from collections.abc import Iterator

import numpy as np
from scipy.sparse.linalg import spsolve

from flank.arrays import Integers
from flank.blas import one_blas_thread
from flank.elasticity.finite_elements.sector_mesh import MeshDensity
from flank.reproduce.spur.finite_gear import WholeGear, contact_nodes, craig_bampton, whole_gear
from flank.reproduce.spur.impacts import Reconnection, momentum_balance
from flank.reproduce.spur.paper_pair import (
    PAIR,
    POSITIONS,
    contacts,
    rolling_body,
    teeth_in_mesh,
)
from flank.reproduce.spur.slips import meeting
from flank.reproduce.spur.witness import Damping, RollingPair, roll

COARSE = MeshDensity(tooth=2, flank=4, space=1, layers=2)
ADDED_INERTIA = 4.52e-3
"""kg·m² on each gear, by which the torsional natural frequency is near 2700 Hz."""

SPRING, TORQUE = 1.2e9, 150.0
"""N/m of a tooth pair's contact, and N·m."""

MODES = {"corners": 138, "all nodes": 20}
"""Modal coordinates by the contact nodes that are masters; 229 coordinates with the first."""


def masters(whole: WholeGear, kind: str, way: int) -> Integers:
    teeth = teeth_in_mesh(PAIR, way)
    if kind == "corners":
        return contact_nodes(whole, teeth)
    return np.concatenate([whole.flank(tooth).nodes for tooth in teeth])


def built(whole: WholeGear, kind: str, weighted: bool = True) -> tuple[RollingPair, list[str]]:
    """The pair, and how much of a flank's compliance and of a hand-over its gears have."""
    gears, lines = [], []
    for way in (1, -1):
        reduction = craig_bampton(whole, masters(whole, kind, way), MODES[kind])
        gears.append((whole, reduction, rolling_body(whole, reduction, way, weighted)))
    springs = contacts(PAIR, tuple(gears), SPRING)
    pair = RollingPair(gears[0][2], gears[1][2], springs, TORQUE, Damping(1e-6, 100.0))
    rows = whole.approach(0, np.linspace(*PAIR.path, 5), 1)
    locked = rows[:, :-1].toarray()
    full = np.sum(locked.T * spsolve(whole.stiffness[:-1, :-1].tocsc(), locked.T), axis=0)
    small = (rows @ gears[0][1].basis)[:, 1:]
    stiffness = gears[0][1].stiffness[1:, 1:]
    share = np.sum(small.T * np.linalg.solve(stiffness, small.T), axis=0) / full
    lines.append(
        f"| {kind} | {gears[0][1].size} | {100 * share.min():.1f} to {100 * share.max():.1f} % "
        f"| {_lost(pair, gears):.1e} | {_speed(pair):.1f} |"
    )
    return pair, lines


def _lost(pair: RollingPair, gears: list) -> float:
    """Share of the strain energy that a hand-over between two cycles changes, gears vibrating."""
    state = roll(pair, np.full(3 * POSITIONS - 1, 1 / (2400 * POSITIONS))).state
    before = after = 0.0
    moved, handed = state.displacement, pair.turned(state).displacement
    for (_, reduction, body), part in zip(
        gears, (slice(0, pair.pinion.size), slice(pair.pinion.size, None)), strict=True
    ):
        turned = body.rotated(-state.position / POSITIONS) @ moved[part]
        before += turned @ reduction.stiffness @ turned
        after += handed[part] @ reduction.stiffness @ handed[part]
    return abs(after / before - 1)


def _speed(pair: RollingPair) -> float:
    """Time of a step in ms."""
    return 1e3 * roll(pair, np.full(60, 1 / (2400 * POSITIONS))).step_time


def momentum(pair: RollingPair) -> Iterator[str]:
    yield "| rule | position | unbalanced | beyond any impulse | of rigid masses' exchange |"
    yield "|---|---|---|---|---|"
    for rule in (Reconnection.IMPULSE, Reconnection.RIGID, Reconnection.NODAL):
        for position in (0, POSITIONS // 4, POSITIONS // 2, 3 * POSITIONS // 4):
            found = momentum_balance(meeting(pair, position), rule)
            yield (
                f"| {rule.value} | {position / POSITIONS:.2f} | {100 * found.unbalanced:.1f} % "
                f"| {100 * found.foreign:.1f} % | {100 * found.transferred:.2g} % |"
            )


if __name__ == "__main__":
    body = whole_gear(density=COARSE, added_inertia=ADDED_INERTIA)
    print(f"{body.mass.shape[0]} coordinates")
    print("| masters | coordinates | compliance of the flank | hand-over | ms a step |")
    with one_blas_thread():
        first, told = built(body, "corners")
        print(*told, sep="\n", flush=True)
        print(*built(body, "all nodes")[1], sep="\n", flush=True)
        print(*momentum(first), sep="\n")
