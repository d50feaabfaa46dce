"""Figs. 5 to 13 of the paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from matplotlib.axes import Axes

from flank.analyses.rolling_dwell import Dwelled
from flank.arrays import Floats
from flank.plots.style import COLOURS, FAINT, MAIN, QUIET, SECOND, Picture
from flank.reproduce.pictures import drawn
from flank.reproduce.spur.computing import CASES, PAPER, Impacts, Loaded, Swept
from flank.reproduce.spur.findings import Map, MapRow
from flank.reproduce.spur.motions import Dwelling
from flank.reproduce.spur.table_1 import Table1

WIDEST = 800.0
"""Hz of a band with two states that is drawn darkest."""

SHOWN_CYCLES = 3
HIGHEST_ORDER = 8
WIDTH = 8.0
"""Hz on either side of a frequency that is marked."""


def assurance_picture(table: Table1) -> Picture:
    """Fig. 3, with modal coordinates observed at nodes and without any."""
    with drawn(PAPER, "assurance") as (picture, panels):
        for axes, model in zip(panels, (table.observed, table.guyan), strict=True):
            values: Floats = model.found.assurance
            count = len(values)
            ends = (0.5, count + 0.5, count + 0.5, 0.5)
            axes.imshow(values, cmap="Blues", vmin=0, vmax=1, extent=ends)
            axes.grid(visible=False)
            for k, value in enumerate(model.found.subspace_assurance, start=1):
                colour = "white" if values[k - 1, k - 1] > 0.5 else "black"
                axes.text(k, k, f"{value:.2f}", ha="center", va="center", size=6, color=colour)
    return picture


def stiffness_picture(loaded: Mapping[bool, Loaded]) -> Picture:
    """Figs. 5 and 6, and below them the same of the whole mesh."""
    with drawn(PAPER, "mesh-stiffness") as (picture, panels):
        kinds = ("contact_stiffness", "contact_spectrum"), ("stiffness", "spectrum")
        for (curves, spectrum), left, right in zip(kinds, panels[::2], panels[1::2], strict=True):
            for edges, colour in ((True, MAIN), (False, SECOND)):
                mesh = loaded[edges].mesh
                share = mesh.positions / (mesh.positions[0] + mesh.positions[-1])
                for k, curve in enumerate(1e-6 * getattr(mesh, curves)):
                    shade = 0.25 + 0.75 * k / len(mesh.torque)
                    left.plot(share, curve, color=colour, alpha=shade, linewidth=0.9)
            for n, torque in enumerate(CASES["spectra"]):
                for edges, colour, shift in ((True, MAIN, -0.2), (False, SECOND, 0.2)):
                    lines = getattr(loaded[edges], spectrum)[loaded[edges].at(torque)]
                    places = np.arange(1, 5) + shift + 0.1 * (n - 1)
                    text, shade = (f"{torque:g} N·m" if edges else ""), 0.4 + 0.3 * n
                    right.bar(places, 1e-6 * lines[1:], 0.09, color=colour, alpha=shade, label=text)
    return picture


def impact_picture(impacts: Mapping[tuple[str, float], Impacts]) -> Picture:
    with drawn(PAPER, "impacts") as (picture, (left, right)):
        for colour, ((name, torque), each) in zip(COLOURS, impacts.items(), strict=False):
            text = f"{torque:g} N·m, {name}"
            left.plot(each.places, each.frequency, color=colour, label=text)
            right.plot(each.places, 100 * each.damping, color=colour)
    return picture


SHOWN = (
    "as the paper has it",
    "no tip edges, damping 5 %",
    "all three",
    "bodies vibrate, no tip edges, damping 5 %",
)


def sweep_picture(sweeps: Mapping[str, Swept]) -> Picture:
    with drawn(PAPER, "sweeps") as (picture, panels):
        for axes, name in zip(panels, SHOWN, strict=True):
            axes.set_title(name.capitalize())
            for key in ("primary", "secondary"):
                hertz = PAPER.published[key]
                axes.axvspan(hertz - WIDTH, hertz + WIDTH, color=FAINT)
            _curves(axes, sweeps[name])
    return picture


def _curves(axes: Axes, swept: Swept) -> None:
    for row, colour, text in zip(swept.rms, (MAIN, SECOND), ("rising", "falling"), strict=True):
        axes.plot(swept.frequency, row, color=colour, label=text)
    axes.set_xlim(swept.frequency[0], swept.frequency[-1])


def torque_picture(by_torque: Mapping[float, Swept]) -> Picture:
    with drawn(PAPER, "by-torque") as (picture, (axes,)):
        for colour, (torque, swept) in zip(COLOURS, by_torque.items(), strict=False):
            for row, dash in zip(swept.rms, ("--", "-"), strict=True):
                text = f"{torque:g} N·m" if dash == "-" else ""
                axes.plot(
                    swept.frequency, 1e3 * row / torque, dash, color=colour, label=text or None
                )
        axes.set_xlim(swept.frequency[0], swept.frequency[-1])
    return picture


def map_picture(rows: Map) -> Picture:
    """Widths of bands with two states."""
    return _mapped(rows, "jump-map", _band_width, WIDEST, "Band with two states (Hz)")


def loss_picture(rows: Map) -> Picture:
    """Shares of the cycle without contact."""
    return _mapped(rows, "loss-map", _loss, 60.0, "Without contact (%)")


def _mapped(
    rows: Map, name: str, value: Callable[[Swept], float], most: float, title: str
) -> Picture:
    """Dampings over torques: a panel for every change of the gears, relief and restitution."""
    reliefs, restitutions, dampings, torques = (
        list(dict.fromkeys(values)) for values in zip(*rows, strict=True)
    )
    with drawn(PAPER, name) as (picture, panels):
        kinds = [(relief, back) for relief in reliefs for back in restitutions]
        for number, axes in enumerate(panels):
            (relief, back), column = kinds[number // 4], number % 4
            values = np.array(
                [
                    [value(rows[MapRow(relief, back, each, torque)][column]) for torque in torques]
                    for each in dampings
                ]
            )
            shown = axes.imshow(
                values, cmap="Blues", vmin=0, vmax=most, origin="lower", aspect="auto"
            )
            axes.grid(visible=False)
            axes.set_xticks(range(len(torques)), [f"{torque:g}" for torque in torques])
            names = [f"{100 * each:g}" if column == 0 else "" for each in dampings]
            axes.set_yticks(range(len(dampings)), names)
            for place in np.argwhere(values > 0):
                number_there = values[tuple(place)]
                colour = "white" if number_there > 0.5 * most else "black"
                axes.text(
                    place[1], place[0], f"{number_there:.0f}", ha="center", va="center", size=5.5,
                    color=colour,
                )  # fmt: skip
        picture.colorbar(shown, ax=panels, label=title, fraction=0.02, pad=0.02)
    return picture


def _band_width(swept: Swept) -> float:
    """Hz, of the widest band with two states."""
    return max((high - low for low, high, _ in swept.bands), default=0.0)


def _loss(swept: Swept) -> float:
    """%, the largest share of time without contact at any frequency."""
    return float(100 * np.nanmax(swept.apart))


def motion_picture(dwelling: Dwelling, case: str) -> Picture:
    """Error and spectrum, and below them forces of teeth, of both branches at both frequencies."""
    with drawn(PAPER, "motions") as (picture, panels):
        hertz = (PAPER.published["primary"], PAPER.published["secondary"])
        for k, frequency in enumerate(hertz):
            error, spectrum, *forces = panels[4 * k : 4 * k + 4]
            for side, colour, axes in zip(("above", "below"), (SECOND, MAIN), forces, strict=True):
                dwell = dwelling[case, frequency, side]
                steps = SHOWN_CYCLES * dwell.record.shape[1]
                cycles = np.arange(steps) / dwell.record.shape[1]
                error.plot(cycles, 1e6 * dwell.error[:steps], color=colour, label=f"from {side}")
                _spectrum(spectrum, dwell, colour, 0.15 if side == "below" else -0.15)
                _teeth(axes, cycles, dwell)
            for axes in (error, *forces):
                axes.set_xlim(0, SHOWN_CYCLES)
            spectrum.set_xlim(0, HIGHEST_ORDER + 0.5)
    return picture


def _spectrum(axes: Axes, dwell: Dwelled, colour: str, shift: float) -> None:
    cycles = len(dwell.record)
    orders = np.arange(1, HIGHEST_ORDER * cycles + 1) / cycles
    lines = 1e6 * dwell.amplitudes[: len(orders)]
    axes.vlines(orders + shift / cycles, 0, lines, color=colour, linewidth=1.2)


def _teeth(axes: Axes, cycles: Floats, dwell: Dwelled) -> None:
    for k, force in enumerate(1e-3 * dwell.forces[: len(cycles)].T):
        if force.any():
            axes.plot(cycles, force, color=COLOURS[k % len(COLOURS)], linewidth=0.9)
    axes.plot(cycles, 1e-3 * dwell.total[: len(cycles)], color=QUIET, linewidth=0.6)
