"""Pictures of a dwell at one speed: the motion in time, its spectrum and phases, single teeth."""

import numpy as np

from flank.analyses.result import Result
from flank.arrays import Floats
from flank.plots.speed_sweep import COLOURS as OF_BRANCHES
from flank.plots.style import COLOURS, FAINT, INK, WIDE, Picture, figure_text, label, shown

SHOWN_PERIODS = 4
"""Mesh periods of a time history: more would only be the same again."""

PORTRAIT_PERIODS = 6
"""Of a phase portrait: a motion that does not repeat would fill it."""

HIGHEST_ORDER = 6
"""Drawn of a spectrum."""

ROOM = 1.08
"""Height of an axis over what it shows."""


def draw(result: Result) -> dict[str, Picture]:
    """Motion, phase portrait and, where single teeth are known, what they carry."""
    if "mesh_error" not in result.dataset:
        return {}
    pictures = {"motion-at-speed": _motion(result), "phase-portrait": _phases(result)}
    if "tooth_force" in result.dataset:
        pictures["teeth-at-speed"] = _teeth(result)
    return pictures


def _titles(result: Result) -> list[str]:
    return [f"Speed reached {name}wards" for name in result["branch"].values]


def _periods(result: Result, time: Floats) -> Floats:
    """Time counted in mesh periods."""
    return np.asarray((time - time[0]) * result["mesh_frequency"])


def _motion(result: Result) -> Picture:
    """Of the first mesh; a row for each branch."""
    titles, error = _titles(result), result["mesh_error"]
    picture = Picture(
        WIDE,
        0.8 + 2.2 * len(titles),
        f"Oscillating transmission error of the mesh {result['mesh'].values[0]} over the last mesh "
        f"periods, and its amplitudes at orders of the mesh frequency of "
        f"{figure_text(result, 'mesh_frequency')}.",
    )
    panels = picture.panels(len(titles), 2, sharey="col", width_ratios=(0.62, 0.38))
    periods = _periods(result, result["time"].values)
    last = periods >= periods[-1] - SHOWN_PERIODS - 1e-9
    order, amplitude = result["order"].values, shown(result["amplitude"])
    low = order <= HIGHEST_ORDER
    rows = zip(panels, titles, result["branch"].values, shown(error), amplitude, strict=True)
    for (left, right), title, branch, motion, lines in rows:
        colour = OF_BRANCHES[str(branch)]
        left.plot(periods[last], motion[last, 0], color=colour)
        right.vlines(order[low], 0.0, lines[low], color=colour, linewidth=1.4)
        left.set_title(title)
        left.set_ylabel(label(error, "Error"))
        right.set_ylabel(label(result["amplitude"], "Amplitude"))
        left.set_xlim(periods[last][0], periods[-1])
        right.set_xlim(0.0, HIGHEST_ORDER)
        right.set_ylim(0.0, ROOM * amplitude.max())
    left.set_xlabel("Time (mesh periods)")
    right.set_xlabel("Order of the mesh frequency")
    return picture


def _phases(result: Result) -> Picture:
    """Error against its rate, and the points of the Poincaré section."""
    titles, error, rate = _titles(result), result["mesh_error"], result["mesh_error_rate"]
    picture = Picture(
        WIDE,
        4.4,
        f"Phase portrait of the transmission error of the mesh {result['mesh'].values[0]} over the "
        "last mesh periods. Dots: once in every recorded mesh period (Poincaré section); a motion "
        "that repeats with the mesh has one place for all of them.",
    )
    panels = picture.panels(1, len(titles))[0]
    sections = shown(result["section_error"]), shown(result["section_rate"])
    periods = _periods(result, result["time"].values)
    last = periods >= periods[-1] - PORTRAIT_PERIODS - 1e-9
    rows = zip(panels, titles, result["branch"].values, shown(error), shown(rate), strict=True)
    for k, (axes, title, branch, x, y) in enumerate(rows):
        axes.plot(x[last, 0], y[last, 0], color=OF_BRANCHES[str(branch)], linewidth=0.7)
        axes.plot(
            sections[0][k], sections[1][k], color=INK, marker="o", markersize=3.0, linestyle=""
        )
        axes.set_title(title)
        axes.set_xlabel(label(error, "Error"))
        axes.set_ylabel(label(rate, "Rate of the error"))
    return picture


def _teeth(result: Result) -> Picture:
    """A line for every tooth; grey where no tooth touches."""
    titles, force = _titles(result), result["tooth_force"]
    picture = Picture(
        WIDE,
        0.8 + 2.3 * len(titles),
        f"Normal forces on single teeth of the mesh {result['mesh'].values[0]}, each pair of teeth "
        "in a colour of its own, over the last mesh periods. Grey: no tooth touches.",
    )
    panels = picture.panels(len(titles), 1, sharex=True, sharey=True)[:, 0]
    periods = _periods(result, result["time"].values)[-force.sizes["tooth_time"] :]
    for axes, title, forces in zip(panels, titles, shown(force), strict=True):
        parted = forces.sum(axis=1) == 0
        axes.fill_between(
            periods, 0, 1, where=parted, step="mid", transform=axes.get_xaxis_transform(),
            color=FAINT, linewidth=0,
        )  # fmt: skip
        for k, one in enumerate(forces.T):
            carried = np.where(one > 0, one, np.nan)
            axes.plot(periods, carried, color=COLOURS[k % len(COLOURS)])
        axes.set_title(title)
        axes.set_ylabel(label(force, "Tooth force"))
        axes.set_xlim(periods[0], periods[-1])
        axes.set_ylim(0.0, ROOM * float(shown(force).max()))
    axes.set_xlabel("Time (mesh periods)")
    return picture
