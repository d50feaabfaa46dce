"""The tables of the study, column by column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from flank.io.tables import MISSING, Column
from flank.machines.cv_joint.figures import cage_force, track_force
from flank.reproduce.cv_joint.computing import (
    BY_HERTZ,
    DRIVEN,
    DRIVING,
    PAPER,
    PAPERS,
    STIFFNESSES,
    TORQUE,
    TORQUES,
    Stiffness,
    Turned,
    joint,
)
from flank.reproduce.cv_joint.findings import (
    CLEARANCES,
    ORDERS,
    CagePaths,
    Evidence,
    ForcePaths,
    Regression,
    TurnsOverFriction,
    axial_values,
    bounds,
    flank_course,
    other_side,
    regressions,
    sliding_loss,
)

Columns = list[Column]


def tables(evidence: Evidence) -> dict[str, Columns]:
    """All of them by name."""
    stiff = evidence.turns[PAPERS]
    pairs = {stiffness: evidence.at_friction[stiffness] for stiffness in (PAPERS, BY_HERTZ)}
    return {
        "cage-angle": cage_angles(evidence.cages, evidence.at_friction),
        "contact-forces": contact_forces(evidence.forces),
        "secondary-torque": secondary_torques(evidence.turns),
        "parabolas": parabolas(regressions(stiff)),
        "track-forces": track_forces(stiff, track_force(joint(PAPERS).spec, TORQUE)),
        "ball-motion": ball_motion(pairs),
        "axial-motion": axial_motion(evidence.free),
        "left-open": left_open(evidence.changed),
    }


def cage_angles(paths: CagePaths, turns: Mapping[Stiffness, Turned]) -> Columns:
    """Fig. 7 at the load case's deflection."""
    still = np.array([path.at_load_case() for path in paths.values()])
    turning = np.array([turns[s].cage_ratio() if t == TORQUE else np.nan for s, t in paths])
    return [
        Column("stiffness, N/m^1.5", [stiffness.name for stiffness, _ in paths]),
        Column("torque, N·m", [torque for _, torque in paths], ".0f"),
        Column("at rest, no friction", still, ".4f"),
        Column("off, %", 100 * (still - 1), "+.2f"),
        Column("turning, μ 0.03", turning, ".4f"),
        Column("off, %", 100 * (turning - 1), "+.2f"),
        PAPER.cited("hertz" if stiffness == BY_HERTZ else "assumed" for stiffness, _ in paths),
    ]


def contact_forces(paths: ForcePaths) -> Columns:
    """Fig. 8: track forces over Eq. 23, cage forces beside Eq. 24."""
    spec = joint(PAPERS).spec
    torques = [(sense, torque) for sense in (1, -1) for torque in TORQUES]
    tight, open_window = CLEARANCES

    def share(stiffness: Stiffness, clearance: float) -> list[float]:
        return [
            paths[stiffness, clearance, sense].at("loaded", torque) / track_force(spec, torque)
            for sense, torque in torques
        ]

    def cage(clearance: float) -> list[float]:
        return [paths[PAPERS, clearance, sense].at("cage", torque) for sense, torque in torques]

    return [
        Column("torque, N·m", [sense * torque for sense, torque in torques], ".0f"),
        *(Column(f"F/F_0, {each.name}", share(each, tight), ".4f") for each in STIFFNESSES),
        Column("F/F_0, 6e12, 5 µm", share(PAPERS, open_window), ".4f"),
        Column("Eq. 24, N", [cage_force(spec, s * t) for s, t in torques], ".1f"),
        Column("cage, 6e12, N", cage(tight), ".1f"),
        Column("cage, 6e12, 5 µm, N", cage(open_window), ".1f"),
        PAPER.cited(["forces"] * len(torques)),
    ]


def secondary_torques(turns: Mapping[Stiffness, TurnsOverFriction]) -> Columns:
    """Fig. 11, point by point."""
    frictions = list(turns[PAPERS])
    low, high = np.array([bounds(friction) for friction in frictions]).T
    columns = [
        Column("μ", frictions, "g"),
        Column("bound below", low, ".1f"),
        Column("bound above", high, ".1f"),
    ]
    for stiffness in (PAPERS, BY_HERTZ):
        row = [turns[stiffness][friction] for friction in frictions]
        driven = np.array([turn.secondary(DRIVEN) for turn in row])
        name = stiffness.name
        columns += [
            Column(f"driven, {name}", driven, ".2f"),
            Column(f"% of T, {name}", 100 * driven / TORQUE, ".2f"),
            Column(f"driving, {name}", [turn.secondary(DRIVING) for turn in row], ".2f"),
            Column(f"loss, W, {name}", [turn.figure("loss") for turn in row], ".1f"),
        ]
    return [
        *columns,
        Column("loss if sliding, W", map(sliding_loss, frictions), ".1f"),
        PAPER.cited("friction" if friction else "smooth" for friction in frictions),
    ]


def parabolas(fits: Mapping[str, Regression]) -> Columns:
    """The parabolas of the paper, of the driven race."""
    square, linear, constant = zip(*fits.values(), strict=True)
    return [
        Column("μ of the points", fits),
        Column("μ², N·m", square, ".0f"),
        Column("μ, N·m", linear, ".1f"),
        Column("constant, N·m", constant, ".2f"),
        Column("at μ = 0.1, N·m", [fit.at(0.1) for fit in fits.values()], ".1f"),
        PAPER.cited(["parabola"] * len(fits)),
    ]


def track_forces(turns: TurnsOverFriction, force: float) -> Columns:
    """Fig. 12 in figures."""
    smooth = turns[0.0]
    shown = {mu: turn for mu, turn in turns.items() if turn.complete and smooth.complete}
    courses = [flank_course(turn, force) for turn in shown.values()]
    headings = ("largest", "at, °", "least", "at, °", "largest opposite")
    forms = (".3f", ".0f", ".3f", ".0f", ".3f")
    cage = {"mean cage, N": "mean_window_force", "largest cage, N": "peak_window_force"}
    return [
        Column("μ", shown, "g"),
        *(
            Column(heading, [course[k] for course in courses], forms[k])
            for k, heading in enumerate(headings)
        ),
        *(
            Column(heading, [turn.figure(name) for turn in shown.values()], ".0f")
            for heading, name in cage.items()
        ),
        Column(
            "other side, % of time", [other_side(turn, smooth) for turn in shown.values()], ".1f"
        ),
        PAPER.cited(["tracks"] * len(shown)),
    ]


BALL_ROWS = {
    "stroke along z, amplitude, mm": "about {ball_stroke:g}",
    "stroke along z, peak to peak, mm": MISSING,
    "place x to the bottom, peak to peak, µm": MISSING,
    "place y across, peak to peak, µm": MISSING,
    "largest velocity along z, mm/s": MISSING,
    "largest velocity across, mm/s": MISSING,
    "largest angular velocity about x, rad/s": "dominant",
    "largest angular velocity about y, rad/s": "clear",
    "largest angular velocity about z, rad/s": MISSING,
    "α after a turn, °": "positive drift",
    "β after a turn, °": MISSING,
    "γ after a turn, °": MISSING,
    "largest sliding in a track, mm/s": MISSING,
    "largest drilling, rad/s": "present",
}
"""What is told of a ball, and what the paper says of it."""


def ball_values(turn: Turned) -> Sequence[float]:
    """The rows of the first ball in its inner track; nothing if the run failed."""
    if not turn.complete:
        return [np.nan] * len(BALL_ROWS)
    place, velocity, spin, cardan = (
        turn.of_ball(f"ball_{name}") for name in ("place", "velocity", "spin", "cardan")
    )
    x, y, z = np.ptp(place, axis=0)
    across = np.hypot(velocity[:, 0], velocity[:, 1])
    return [
        *(500 * z, 1e3 * z, 1e6 * x, 1e6 * y),
        *(1e3 * np.abs(velocity[:, 2]).max(), 1e3 * across.max()),
        *np.abs(spin).max(axis=0),
        *np.degrees(cardan[-1] - cardan[0]),
        *(1e3 * turn.figure("largest_sliding"), turn.figure("largest_drilling")),
    ]


def ball_motion(turns: Mapping[Stiffness, Turned]) -> Columns:
    """Fig. 13 in figures."""
    told = [words.format_map(PAPER.published) for words in BALL_ROWS.values()]
    return [
        Column("ball in its inner track", BALL_ROWS),
        Column("paper", told),
        *(Column(stiffness.name, ball_values(turn), ".3f") for stiffness, turn in turns.items()),
        PAPER.cited(["ball"] * len(BALL_ROWS)),
    ]


def axial_motion(turns: Mapping[str, Turned]) -> Columns:
    """Fig. 14 in figures, the paper's first."""
    nothing = [np.nan] * (len(ORDERS) + 1)
    values = np.array([axial_values(t) if t.complete else nothing for t in turns.values()])
    named = PAPER.published["axial_orders"]
    return [
        Column("inner race free to slide", ["paper", *turns]),
        Column("peak to peak", [f"{PAPER.published['axial_motion']:.0f}", *values[:, 0]], ".2f"),
        *(
            Column(f"order {n}", ["named" if n in named else MISSING, *values[:, k + 1]], ".4f")
            for k, n in enumerate(ORDERS)
        ),
        PAPER.cited(["axial"] * (len(turns) + 1)),
    ]


def left_open(turns: Mapping[str, Turned]) -> Columns:
    """What the parameters do that the paper does not give."""
    force = track_force(joint(PAPERS).spec, TORQUE)
    rows = turns.values()

    def over(name: str, unit: float) -> list[float]:
        return [turn.figure(name) / unit for turn in rows]

    return [
        Column("changed", turns),
        Column("T₂ driven, %", [100 * turn.secondary(DRIVEN) / TORQUE for turn in rows], ".2f"),
        Column("T₂ driving, %", [100 * turn.secondary(DRIVING) / TORQUE for turn in rows], ".2f"),
        Column("largest F/F_0", over("peak_track_force", force), ".3f"),
        Column("opposite F/F_0", over("peak_counter_force", force), ".3f"),
        Column("largest cage, N", over("peak_window_force", 1.0), ".0f"),
        Column("cage ratio", [turn.cage_ratio() for turn in rows], ".4f"),
        Column("loss, W", over("loss", 1.0), ".1f"),
        Column("change, %", [100 * turn.change for turn in rows], ".3f"),
        PAPER.cited(["open"] * len(turns)),
    ]
