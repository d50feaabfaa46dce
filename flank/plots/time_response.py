"""Pictures of a time response: speeds, tooth forces, energies."""

from __future__ import annotations

import numpy as np
import xarray
from matplotlib.axes import Axes

from flank.analyses.result import Result
from flank.plots.style import QUIET, WIDE, Picture, label, shown, styled

COLOURS = ("#1f5a94", "#d17a1f", "#5b9a68", "#8c6bb1", "#c9a227", "#3aa6b9", "#b3261e", "#6d6d6d")


def draw(result: Result) -> dict[str, Picture]:
    """What the result has of: time-response, tooth-forces, energies."""
    if result.dataset.sizes.get("time", 0) < 2:
        return {}
    with styled():
        pictures = {"time-response": _motion(result)}
        if "mesh_force" in result.dataset:
            pictures["tooth-forces"] = _forces(result)
        pictures["energies"] = _energies(result)
        return pictures


def _motion(result: Result) -> Picture:
    picture = Picture(
        WIDE, 4.6, "Speeds of all bodies, and how far the output is from an ideal ratio."
    )
    top = picture.add_axes((0.085, 0.50, 0.72, 0.44))
    below = picture.add_axes((0.085, 0.11, 0.72, 0.28))
    time = shown(result["time"])
    speed = result["speed"]
    for k, (name, values, count) in enumerate(_alike(speed)):
        text = f"{name} and {count - 1} alike" if count > 1 else name
        top.plot(time, values, color=COLOURS[k % len(COLOURS)], label=text)
    top.set_ylabel(label(speed))
    _beside(top)
    error = result["transmission_error"]
    below.plot(time, shown(error), color=COLOURS[0])
    below.set_ylabel(label(error))
    below.set_xlabel(label(result["time"]))
    for axes in (top, below):
        axes.set_xlim(time[0], time[-1])
    top.tick_params(labelbottom=False)
    return picture


def _forces(result: Result) -> Picture:
    force = result["mesh_force"]
    picture = Picture(
        WIDE,
        3.6,
        "Normal tooth forces, positive where the first gear of a mesh pushes on in its positive "
        "sense. Meshes with the same course are drawn once.",
    )
    axes = picture.add_axes((0.085, 0.14, 0.72, 0.80))
    time = shown(result["time"])
    for k, (name, values, count) in enumerate(_alike(force)):
        text = f"{name} and {count - 1} alike" if count > 1 else name
        axes.plot(time, values, color=COLOURS[k % len(COLOURS)], label=text, linewidth=0.9)
    axes.axhline(0.0, color=QUIET, linewidth=0.7)
    axes.set_xlim(time[0], time[-1])
    axes.set_xlabel(label(result["time"]))
    axes.set_ylabel(label(force))
    _beside(axes)
    return picture


def _alike(variable: xarray.DataArray) -> list[tuple[str, np.ndarray, int]]:
    """Columns by name, those that are the same to a thousandth of all drawn once."""
    values = shown(variable)
    names = [str(name) for name in variable[variable.dims[1]].values]
    near = 1e-3 * float(np.abs(values).max()) or 1.0
    found: list[tuple[str, np.ndarray, int]] = []
    for name, column in zip(names, values.T, strict=True):
        same = [k for k, one in enumerate(found) if np.abs(one[1] - column).max() < near]
        if same:
            first = found[same[0]]
            found[same[0]] = (first[0], first[1], first[2] + 1)
        else:
            found.append((name, column, 1))
    return found


def _energies(result: Result) -> Picture:
    picture = Picture(
        WIDE, 3.2, "Energies: what moves, what is stored, what torques gave and what was lost."
    )
    axes = picture.add_axes((0.085, 0.15, 0.72, 0.79))
    time = shown(result["time"])
    names = ("kinetic_energy", "stored_energy", "work", "lost_energy_course")
    for colour, name in zip(COLOURS, names, strict=False):
        if name in result.dataset:
            variable = result[name]
            axes.plot(time, shown(variable), color=colour, label=variable.attrs["long_name"])
    axes.set_xlim(time[0], time[-1])
    axes.set_xlabel(label(result["time"]))
    axes.set_ylabel("Energy (J)")
    _beside(axes, wrap=True)
    return picture


def _beside(axes: Axes, wrap: bool = False) -> None:
    """The legend in the right margin."""
    handles, texts = axes.get_legend_handles_labels()
    if wrap:
        texts = [
            text.replace(" stored in ", "\nstored in ").replace(" of ", "\nof ") for text in texts
        ]
    axes.legend(
        handles, texts, loc="upper left", bbox_to_anchor=(1.01, 1.02), handlelength=1.2,
        borderaxespad=0.0,
    )  # fmt: skip
