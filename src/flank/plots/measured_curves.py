"""What a test rig measured, drawn over what was computed, and what lies between them."""

import numpy as np
from matplotlib.axes import Axes

from flank.analyses.measured_curves import BRANCHES
from flank.analyses.result import Result
from flank.plots.style import (
    ACCENT,
    COLOURS,
    MAIN,
    QUIET,
    SECOND,
    WIDE,
    Picture,
    figure_text,
    label,
    legend_above,
    shown,
)

FALLING, RISING = (1, 2), (3, 4)


def draw_measured_loop(axes: Axes, result: Result, legend: bool = False) -> None:
    """The measured loop over a computed one, where there is one."""
    if "measured_torque" not in result.data:
        return
    torque, angle = (shown(result.data[f"measured_{name}"]) for name in ("torque", "angle"))
    stage = result.data["measured_stage"].values
    for number, stages in enumerate((FALLING, RISING)):
        rows = np.isin(stage, stages)
        title = "" if number else "measured"
        axes.plot(torque[rows], angle[rows], color=ACCENT, linewidth=0.8, label=title, zorder=3)
    if legend:
        axes.plot([], [], color=MAIN, label="computed")
        legend_above(axes)


def loop_residual(result: Result) -> dict[str, Picture]:
    """The residual of every branch over the torque, and the figures of both loops."""
    if "measured_torque" not in result.data:
        return {}
    picture = Picture(
        WIDE,
        3.2,
        "What the measured loop lies above the computed one, branch by branch, after it was "
        f"shifted by {figure_text(result, 'measured_offset')}; nothing else was fitted. "
        f"Rms {figure_text(result, 'residual_rms')}.",
    )
    axes = picture.panel()
    axes.axhline(0.0, color=QUIET, linewidth=0.8)
    torque, residual = shown(result.data["measured_torque"]), shown(result.data["residual"])
    stage = result.data["measured_stage"].values
    for (number, title), colour in zip(BRANCHES.items(), COLOURS, strict=False):
        rows = stage == number
        axes.plot(torque[rows], residual[rows], color=colour, linewidth=1.0, label=title)
    axes.set_xlabel(label(result.data["measured_torque"], "Torque"))
    axes.set_ylabel(label(result.data["residual"]))
    legend_above(axes, 4)
    return {"residual": picture}


def draw_measured_error(axes: Axes, result: Result, removed: float) -> None:
    """The measured transmission error over a computed one whose mean is removed."""
    if "measured_error" not in result.data:
        return
    axes.plot(
        _shaft_angles(result),
        shown(result.data["measured_error"]) - removed,
        color=ACCENT,
        linewidth=0.9,
        label="measured",
    )
    axes.plot([], [], color=MAIN, label="computed")
    legend_above(axes)


def error_residual(result: Result) -> dict[str, Picture]:
    """The residual of a transmission error over the shaft's angle."""
    if "measured_error" not in result.data:
        return {}
    picture = Picture(
        WIDE,
        2.6,
        "What the measured transmission error lies above the computed one after it was shifted by "
        f"{figure_text(result, 'measured_offset')}; nothing else was fitted. "
        f"Rms {figure_text(result, 'residual_rms')}.",
    )
    axes = picture.panel()
    axes.axhline(0.0, color=QUIET, linewidth=0.8)
    axes.plot(_shaft_angles(result), shown(result.data["residual"]), color=SECOND, linewidth=1.0)
    axes.set_xlabel(label(result.data["shaft_angle"]))
    axes.set_ylabel(label(result.data["residual"]))
    return {"residual": picture}


def _shaft_angles(result: Result) -> np.ndarray:
    """Measured angles of the input as those of the shaft that the picture is drawn over."""
    given = result.data["measured_input_angle"].values
    over, shaft = result.data["crank_angle"].values, shown(result.data["shaft_angle"])
    return np.asarray(np.interp(given, over, shaft))
