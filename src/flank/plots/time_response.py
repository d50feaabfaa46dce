"""Pictures of a time response: speeds, tooth forces, tilts in space, energies."""

import re

import numpy as np

from flank.analyses.labelled import LabelledArray
from flank.analyses.result import Result
from flank.analyses.tilting import TITLES
from flank.arrays import Floats
from flank.plots import contact_states
from flank.plots.style import COLOURS, WIDE, Picture, label, legend_beside, shown

ENERGIES = {
    "kinetic_energy": "kinetic",
    "stored_energy": "stored",
    "work": "work of torques",
    "lost_energy_course": "lost to damping",
}
"""Quantities that are energies, and what the legend calls them."""

NEARNESS = (1e-3, 1e-2, 1e-1)
"""Shares of the largest value by which curves that are drawn as one may differ."""


def draw(result: Result) -> dict[str, Picture]:
    """What the result has of: time-response, tooth-forces, tilts, energies, contact-states."""
    if result.data.sizes.get("time", 0) < 2:
        return {}
    pictures = {"time-response": _motion(result)}
    if "mesh_force" in result.data:
        pictures["tooth-forces"] = _forces(result)
    if "axial_shift" in result.data:
        pictures["tilts"] = _tilts(result)
    pictures["energies"] = _energies(result)
    return pictures | contact_states.draw(result)


def _motion(result: Result) -> Picture:
    picture = Picture(
        WIDE,
        4.6,
        "Speeds of all bodies, those with the same course drawn once, and how far the output is "
        "from an ideal ratio.",
    )
    top, below = picture.panels(2, 1, sharex=True, height_ratios=(0.6, 0.4))[:, 0]
    time = shown(result.data["time"])
    speed = result.data["speed"]
    for k, (name, values, count) in enumerate(alike(speed)):
        top.plot(time, values, color=COLOURS[k % len(COLOURS)], label=_together(name, count))
    top.set_ylabel(label(speed))
    legend_beside(top)
    error = result.data["transmission_error"]
    below.plot(time, shown(error), color=COLOURS[0])
    below.set_ylabel(label(error, "Error"))
    below.set_xlabel(label(result.data["time"]))
    below.set_xlim(time[0], time[-1])
    return picture


def _forces(result: Result) -> Picture:
    """A panel for the meshes of each kind."""
    force = result.data["mesh_force"]
    kinds: dict[str, list[int]] = {}
    for k, name in enumerate(force["mesh"].values):
        kinds.setdefault(re.sub(r"\d+", "", str(name)), []).append(k)
    picture = Picture(
        WIDE,
        0.9 + 2.4 * len(kinds),
        "Normal tooth forces, positive where the first gear of a mesh pushes on in its positive "
        "sense. Meshes with the same course are drawn once.",
    )
    time = shown(result.data["time"])
    panels = picture.panels(len(kinds), 1, sharex=True)[:, 0]
    for axes, meshes in zip(panels, kinds.values(), strict=True):
        for k, (name, values, count) in enumerate(alike(force.isel(mesh=meshes))):
            colour = COLOURS[k % len(COLOURS)]
            axes.plot(time, values, color=colour, label=_together(name, count), linewidth=0.9)
        axes.set_xlim(time[0], time[-1])
        axes.set_ylabel(label(force))
        legend_beside(axes)
    axes.set_xlabel(label(result.data["time"]))
    return picture


def _tilts(result: Result) -> Picture:
    """A panel for each way in which members leave their plane."""
    picture = Picture(
        WIDE,
        6.4,
        "How members of a machine in space tilt, about the radius and the tangent of their pins as "
        "the carrier has them, and shift along the axis. Those with the same course are drawn "
        "once.",
    )
    time = shown(result.data["time"])
    panels = picture.panels(3, 1, sharex=True)[:, 0]
    for axes, name in zip(panels, TITLES, strict=True):
        for k, (member, values, count) in enumerate(alike(result.data[name])):
            colour = COLOURS[k % len(COLOURS)]
            axes.plot(time, values, color=colour, label=_together(member, count), linewidth=0.9)
        axes.set_xlim(time[0], time[-1])
        axes.set_ylabel(label(result.data[name]))
        legend_beside(axes)
    axes.set_xlabel(label(result.data["time"]))
    return picture


def _together(name: str, count: int) -> str:
    return f"{name}\nand {count - 1} alike" if count > 1 else name


def alike(variable: LabelledArray) -> list[tuple[str, Floats, int]]:
    """Columns by name, those that are the same to a thousandth of all drawn once; to a hundredth
    or a tenth where colours would not do."""
    values = shown(variable)
    names = [str(name) for name in variable[variable.dims[1]].values]
    for share in NEARNESS:
        curves: dict[str, tuple[Floats, int]] = {}
        near = share * float(np.abs(values).max()) or 1.0
        for name, column in zip(names, values.T, strict=True):
            same = (key for key, (like, _) in curves.items() if np.abs(like - column).max() < near)
            first = next(same, name)
            like, count = curves.get(first, (column, 0))
            curves[first] = like, count + 1
        if len(curves) <= len(COLOURS):
            break
    return [(name, column, count) for name, (column, count) in curves.items()]


def _energies(result: Result) -> Picture:
    picture = Picture(
        WIDE,
        3.2,
        "Energies against those at the start: what moves, what meshes and bearings store, what "
        "torques gave and what damping took.",
    )
    axes = picture.panel()
    time = shown(result.data["time"])
    for colour, (name, text) in zip(COLOURS, ENERGIES.items(), strict=False):
        if name in result.data:
            values = shown(result.data[name])
            axes.plot(time, values - values[0], color=colour, label=text)
    axes.set_xlim(time[0], time[-1])
    axes.set_xlabel(label(result.data["time"]))
    axes.set_ylabel(label(result.data["kinetic_energy"], "Change of energy"))
    legend_beside(axes)
    return picture
