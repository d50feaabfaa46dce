"""The tables of Figs. 11 and 12."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from flank.io.shown import Table
from flank.reproduce.cv_joint.friction import Regression, bounds, sliding_loss
from flank.reproduce.cv_joint.friction_pictures import FIRST, TurnsOverFriction, centred
from flank.reproduce.cv_joint.joints import BY_HERTZ, PAPERS, Stiffness
from flank.reproduce.cv_joint.published import TORQUE
from flank.reproduce.cv_joint.turning import DRIVEN, DRIVING, Turned
from flank.reproduce.text import NOTE


def secondary_table(turns: Mapping[Stiffness, TurnsOverFriction], marks: tuple[str, str]) -> Table:
    """Fig. 11, point by point."""
    rows = []
    for friction in turns[PAPERS]:
        row = [f"{friction:g}", *(f"{bound:.1f}" for bound in bounds(friction))]
        for stiffness in (PAPERS, BY_HERTZ):
            turn = turns[stiffness][friction]
            driven, driving = turn.secondary(DRIVEN), turn.secondary(DRIVING)
            row += [f"{driven:.2f}", f"{100 * driven / TORQUE:.2f}", f"{driving:.2f}"]
            row.append(f"{turn.figure('loss'):.1f}")
        row += [f"{sliding_loss(friction):.1f}", marks[0] if friction else marks[1]]
        rows.append(row)
    headings = ["μ", "bound below", "bound above"]
    for name in ("6e12", "Hertz"):
        headings += [f"driven, {name}", f"% of T, {name}", f"driving, {name}", f"loss, W, {name}"]
    headings += ["loss if sliding, W", NOTE]
    title = "Fig. 11: secondary torque in N·m at 2000 N·m and 2°, mean over a turn"
    return Table(title, headings, [False] * len(headings), rows)


def regression_table(fits: Mapping[str, Regression], mark: str) -> Table:
    """The parabolas of the paper, of the driven race."""
    rows = [
        [name, f"{fit.square:.0f}", f"{fit.linear:.1f}", f"{fit.constant:.2f}",
         f"{fit.at(0.1):.1f}", mark]
        for name, fit in fits.items()
    ]  # fmt: skip
    headings = ["μ of the points", "μ², N·m", "μ, N·m", "constant, N·m", "at μ = 0.1, N·m", NOTE]
    title = "Fig. 11: T₂ of the driven race as a parabola, 6e12"
    return Table(title, headings, [True, *[False] * 5], rows)


class FlankCourse(NamedTuple):
    """Extremes of one ball's force on its inner track, over Eq. 23, and degrees where they are."""

    largest: float
    largest_at: float
    least: float
    least_at: float
    opposite: float


def flank_course(turn: Turned, force: float) -> FlankCourse:
    angle, forces = centred(turn, turn.values("track_force")[:, FIRST, DRIVEN])
    loaded, other = forces[:, turn.loaded] / force, forces[:, 1 - turn.loaded] / force
    high, low = int(loaded.argmax()), int(loaded.argmin())
    return FlankCourse(
        float(loaded[high]), float(angle[high]), float(loaded[low]), float(angle[low]),
        float(other.max()),
    )  # fmt: skip


def other_side(turn: Turned, smooth: Turned) -> float:
    """Share of the time that balls press against the side of their window that they leave alone
    without friction."""
    preferred = smooth.values("window_force")[:-1].mean(axis=0).argmax(axis=-1)
    force = turn.values("window_force")[:-1]
    against = np.take_along_axis(force, (1 - preferred)[None, :, None], axis=-1)
    return float((against > 0).mean())


def track_table(turns: TurnsOverFriction, force: float, mark: str) -> Table:
    """Fig. 12 in figures."""
    smooth = turns[0.0]
    rows = []
    for friction, turn in turns.items():
        if not (turn.complete and smooth.complete):
            continue
        course = flank_course(turn, force)
        row = [f"{friction:g}", f"{course.largest:.3f}", f"{course.largest_at:.0f}"]
        row += [f"{course.least:.3f}", f"{course.least_at:.0f}", f"{course.opposite:.3f}"]
        row += [f"{turn.figure(name):.0f}" for name in ("mean_window_force", "peak_window_force")]
        rows.append([*row, f"{100 * other_side(turn, smooth):.1f}", mark])
    headings = ["μ", "largest", "at, °", "least", "at, °", "largest opposite"]
    headings += ["mean cage, N", "largest cage, N", "other side, % of time", NOTE]
    title = "Fig. 12: a ball on its inner track over the turn, over Eq. 23, and cage forces, 6e12"
    return Table(title, headings, [False] * len(headings), rows)
