"""Pictures of losses: efficiency and input torque over the load, and where it is lost."""

from itertools import cycle

import numpy as np

from flank.analyses.result import Result
from flank.io.shown import quantity_text
from flank.plots.style import COLOURS, MAIN, QUIET, SECOND, WIDE, Picture, figure_text, label, shown

HEAD, ROW, LEAST_HEIGHT = 1.15, 0.36, 2.6
"""Inches around the bars, of one bar, and at least."""


def draw(result: Result) -> dict[str, Picture]:
    if "efficiency" not in result.data:
        return {}
    pictures = {"efficiency": _over_load(result)}
    if len(result.data["part"].values):
        pictures["losses-by-part"] = _parts(result)
    return pictures


def _over_load(result: Result) -> Picture:
    data = result.data
    picture = Picture(
        WIDE,
        3.4,
        f"Efficiency over the load; {figure_text(result, 'rated_efficiency')} at the rated torque, "
        f"and {figure_text(result, 'backward_efficiency')} where the output drives. Without load "
        f"the input needs {figure_text(result, 'running_torque')}.",
    )
    left, right = picture.panels(1, 2)[0]
    torque = shown(data["output_torque"])
    order = np.argsort(torque)
    curves = [(data["efficiency"], "")]
    if "efficiency_at_speed" in data:
        speeds = data["speed"].values
        curves = [
            (data["efficiency_at_speed"].isel(speed=k), quantity_text(float(speed), "rad/s", "rpm"))
            for k, speed in enumerate(speeds)
        ]
    for (curve, name), colour in zip(curves, cycle(COLOURS), strict=False):
        left.plot(torque[order], shown(curve)[order], "o-", color=colour, label=name)
    if len(curves) > 1:
        left.legend(title="Input speed")
    left.set_ylabel(label(data["efficiency"]))
    right.plot(torque[order], shown(data["input_torque"])[order], "o-", color=MAIN, label="needed")
    lost = shown(data["lost_torque"])[order]
    right.plot(torque[order], lost, "o-", color=SECOND, label="of it lost")
    right.set_ylabel(label(data["input_torque"]))
    right.legend()
    for axes in (left, right):
        axes.set_xlabel(label(data["output_torque"]))
    return picture


def _parts(result: Result) -> Picture:
    data = result.data
    share = shown(data["part_share"])
    order = np.argsort(share)
    height = max(HEAD + ROW * len(order), LEAST_HEIGHT)
    picture = Picture(WIDE, height, "Where the input's torque is lost at the rated load.")
    axes = picture.panel()
    bars = axes.barh(np.arange(len(order)), share[order], 0.66, color=MAIN)
    for bar, k in zip(bars, order, strict=True):
        at = (max(bar.get_width(), 0.0), bar.get_y() + 0.5 * bar.get_height())
        torque = quantity_text(float(data["part_torque"].values[k]), "N*m", "N*m")
        axes.annotate(torque, at, (5, 0), textcoords="offset points", verticalalignment="center")
    axes.set_yticks(np.arange(len(order)), data["part"].values[order])
    axes.tick_params(axis="y", length=0)
    axes.set_xlim(0.0, 1.3 * max(share.max(), 1e-9))
    axes.axvline(0.0, color=QUIET, linewidth=0.7)
    axes.grid(visible=False, axis="y")
    axes.set_xlabel(label(data["part_share"]))
    axes.set_title("Where it is lost")
    return picture
