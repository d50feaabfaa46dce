"""The picture of a stiffness split: which part to make stiffer first."""

import numpy as np

from flank.analyses.result import Result
from flank.analyses.stiffness_split import ELSEWHERE, TURNING
from flank.io.shown import quantity_text
from flank.plots.style import MAIN, QUIET, WIDE, Picture, figure_text, label, shown

HEAD, ROW = 1.15, 0.36
"""Height in inches of what stands around the bars, and of one bar."""

LEAST_HEIGHT = 2.6

NOTHING = 1e-9
"""A share of the compliance below which a part does not give way at all."""


def draw(result: Result) -> dict[str, Picture]:
    """Bars of the parts' shares."""
    if "part_share" not in result.data:
        return {}
    return {"stiffness-split": _bars(result)}


def _bars(result: Result) -> Picture:
    share = shown(result.data["part_share"])
    order = np.argsort(share)  # the largest stands on top
    names = result.data["part"].values[order]
    picture = Picture(
        WIDE,
        max(HEAD + ROW * len(order), LEAST_HEIGHT),
        "Each part's share of the output's twist; the whole has "
        f"{figure_text(result, 'torsional_stiffness')}. The number behind a bar "
        "is the stiffness that the drive would have if all other parts were rigid.",
    )
    axes = picture.panel()
    colours = [QUIET if name in (TURNING, ELSEWHERE) else MAIN for name in names]
    bars = axes.barh(np.arange(len(order)), share[order], 0.66, color=colours)
    for bar, k in zip(bars, order, strict=True):
        at = (max(bar.get_width(), 0.0), bar.get_y() + 0.5 * bar.get_height())
        note = _note(result, int(k))
        axes.annotate(note, at, (5, 0), textcoords="offset points", verticalalignment="center")
    axes.set_yticks(np.arange(len(order)), result.data["part_title"].values[order])
    axes.tick_params(axis="y", length=0)
    axes.axvline(0.0, color=QUIET, linewidth=0.7)
    axes.set_xlim(min(0.0, 1.1 * share.min()), 1.4 * share.max())
    axes.grid(visible=False, axis="y")
    axes.set_xlabel(label(result.data["part_share"], "Share of the compliance"))
    axes.set_title("What to make stiffer first")
    return picture


def _note(result: Result, part: int) -> str:
    """Share and stiffness behind one bar; the turning of forces has no stiffness of its own."""
    value = float(result.data["part_share"].values[part])
    if abs(value) < NOTHING:
        return "0 %"
    share = quantity_text(value, "", "percent")
    alone = result.data["part_stiffness"]
    value = float(alone.values[part])
    if np.isnan(value):
        return share
    return f"{share}   {quantity_text(value, alone.attrs['units'], alone.attrs['shown_unit'])}"
