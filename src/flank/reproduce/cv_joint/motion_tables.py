"""The tables of Figs. 13 and 14."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from flank.io.shown import Table
from flank.reproduce.cv_joint.friction_pictures import FIRST
from flank.reproduce.cv_joint.joints import Stiffness
from flank.reproduce.cv_joint.published import AXIAL_MOTION, BALL_STROKE
from flank.reproduce.cv_joint.turning import DRIVEN, Turned
from flank.reproduce.text import NOTE

ORDERS = (1, 2, 4, 8, 12, 16, 20, 24, 28)
"""Of the axial motion: those that the paper names, and some that it must not have."""

NOTHING = "-"


def ball_values(turn: Turned) -> dict[str, tuple[float, str]]:
    """Figures of the first ball in its inner track, with what the paper says of them."""
    place, velocity, spin, cardan = (
        turn.values(f"ball_{name}")[:, FIRST, DRIVEN]
        for name in ("place", "velocity", "spin", "cardan")
    )
    found = {
        "stroke along z, amplitude, mm": (500 * np.ptp(place[:, 2]), f"about {BALL_STROKE:g}"),
        "stroke along z, peak to peak, mm": (1e3 * np.ptp(place[:, 2]), NOTHING),
        "place x to the bottom, peak to peak, µm": (1e6 * np.ptp(place[:, 0]), NOTHING),
        "place y across, peak to peak, µm": (1e6 * np.ptp(place[:, 1]), NOTHING),
        "largest velocity along z, mm/s": (1e3 * np.abs(velocity[:, 2]).max(), NOTHING),
        "largest velocity across, mm/s": (1e3 * np.hypot(*velocity[:, :2].T).max(), NOTHING),
    }
    said = ("dominant", "clear", NOTHING)
    for axis, words in zip("xyz", said, strict=True):
        size = np.abs(spin[:, "xyz".index(axis)]).max()
        found[f"largest angular velocity about {axis}, rad/s"] = (size, words)
    for k, (name, words) in enumerate((("α", "positive drift"), ("β", NOTHING), ("γ", NOTHING))):
        found[f"{name} after a turn, °"] = (np.degrees(cardan[-1, k] - cardan[0, k]), words)
    found["largest sliding in a track, mm/s"] = (1e3 * turn.figure("largest_sliding"), NOTHING)
    found["largest drilling, rad/s"] = (turn.figure("largest_drilling"), "present")
    return {name: (float(value), words) for name, (value, words) in found.items()}


def ball_table(turns: Mapping[Stiffness, Turned], mark: str) -> Table:
    """Fig. 13 in figures."""
    columns = [ball_values(turn) if turn.complete else {} for turn in turns.values()]
    rows = [
        [
            name,
            words,
            *(f"{column[name][0]:.3f}" if column else NOTHING for column in columns),
            mark,
        ]
        for name, (_, words) in columns[0].items()
    ]
    headings = ["ball in its inner track", "paper", *(s.name for s in turns), NOTE]
    title = "Fig. 13: motion of a ball in the frame of its inner track, μ 0.03"
    return Table(title, headings, [True, True, *[False] * (len(headings) - 2)], rows)


def axial_values(turn: Turned) -> list[float]:
    """Peak to peak in µm, and the amplitudes of the orders."""
    orders, amplitudes = turn.amplitudes("axial_place")
    found = [1e6 * float(np.ptp(turn.values("axial_place")))]
    return found + [1e6 * float(amplitudes[np.argmin(np.abs(orders - n))]) for n in ORDERS]


def axial_table(turns: Mapping[str, Turned], mark: str) -> Table:
    """Fig. 14 in figures."""
    named = [f"{AXIAL_MOTION:.0f}"] + ["named" if n in (4, 12, 20, 28) else NOTHING for n in ORDERS]
    rows = [["paper", *named, mark]]
    for name, turn in turns.items():
        values = axial_values(turn) if turn.complete else [float("nan")] * (len(ORDERS) + 1)
        rows.append([name, f"{values[0]:.2f}", *(f"{value:.4f}" for value in values[1:]), mark])
    headings = ["inner race free to slide", "peak to peak", *(f"order {n}" for n in ORDERS), NOTE]
    title = "Fig. 14: motion of the inner race along its axis in µm, amplitudes of its orders"
    return Table(title, headings, [True, *[False] * (len(headings) - 1)], rows)
