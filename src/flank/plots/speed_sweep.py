"""Pictures of a speed sweep: vibration, forces and contact loss over the speed, and its orders."""

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from flank.analyses.labelled import LabelledArray
from flank.analyses.result import Result
from flank.arrays import Floats
from flank.plots.style import (
    ACCENT,
    FAINT,
    MAIN,
    SECOND,
    WIDE,
    Picture,
    add_colour_bar,
    label,
    shown,
    white_to_dark,
    widen,
)
from flank.plots.style import (
    COLOURS as OF_CURVES,
)

COLOURS = {"up": MAIN, "down": SECOND}
MARKS = {"up": "^", "down": "v"}

LEGEND_ROOM = 1.25
"""Height of the first panel over that of its curves."""

LEAST_LOSS = 1.0
"""Percent of the time that the axis of the contact loss spans at least."""


MOST_MARKS = 60
"""Speeds in one direction from which on curves have no marks."""

ORDERS = (0.5, 1, 2, 3, 4)
"""Of the mesh frequency, drawn over the speed."""

FEWEST_SPECTRA = 8
"""Speeds that make a waterfall."""

HIGHEST_RAY = 4
"""Times the highest mesh frequency, up to where a waterfall reaches."""

MOST_MODES = 12
"""Natural frequencies that are drawn; more of them would hide what they explain."""

DECADES = 3
"""Of amplitudes that a waterfall tells apart."""


def draw(result: Result) -> dict[str, Picture]:
    """Courses over the speed; orders and a waterfall of what has spectra."""
    if "error_rms" not in result.data:
        return {}
    pictures = {"speed-sweep": _picture(result)}
    if "order_amplitude" in result.data:
        pictures["mesh-vibration"] = _vibration(result)
        pictures["sweep-orders"] = _orders(result)
        if result.data.sizes["spectrum_speed"] >= FEWEST_SPECTRA:
            pictures["waterfall"] = _waterfall(result)
    return pictures


def _vibration(result: Result) -> Picture:
    """Of the worst mesh over the mesh frequency, with its bands and jumps."""
    bands = "band" in result.data
    picture = Picture(
        WIDE,
        3.6,
        "Oscillating part of the dynamic transmission error along the line of action, or of a disc "
        "at its largest lever (rms, worst mesh), over the mesh frequency."
        + (
            " Grey: frequencies with two states; dashed: where the rising and the falling sweep "
            "jump."
            if bands
            else ""
        ),
    )
    axes = picture.panel()
    vibration = result.data["mesh_error_rms"]
    frequency = shown(result.data["mesh_frequency"])
    _lines(axes, frequency, vibration, shown(vibration).max(axis=2))
    if bands:
        for low, high, up, down in zip(
            shown(result.data["band_lowest_frequency"]),
            shown(result.data["band_highest_frequency"]),
            shown(result.data["jump_up"]),
            shown(result.data["jump_down"]),
            strict=True,
        ):
            axes.axvspan(low, high, color=FAINT, alpha=0.6, linewidth=0)
            axes.axvline(up, color=COLOURS["up"], linestyle="--", linewidth=0.8)
            axes.axvline(down, color=COLOURS["down"], linestyle="--", linewidth=0.8)
    axes.set_xlim(frequency[0], frequency[-1])
    axes.set_ylim(0.0, LEGEND_ROOM * axes.get_ylim()[1])
    axes.set_xlabel(label(result.data["mesh_frequency"]))
    axes.set_ylabel(label(vibration, "Error of the mesh, rms"))
    axes.legend(loc="upper right", ncols=2)
    return picture


def _orders(result: Result) -> Picture:
    """Amplitudes at whole orders, and the half, a panel for each direction."""
    amplitude = result.data["order_amplitude"]
    picture = Picture(
        WIDE,
        0.9 + 2.3 * amplitude.sizes["direction"],
        f"Amplitudes of the transmission error of the mesh {result.data['mesh'].values[0]} at "
        "orders of the mesh frequency. An order of one half is a motion that repeats every second "
        "period.",
    )
    rows = picture.panels(amplitude.sizes["direction"], 1, sharex=True, sharey=True)[:, 0]
    speed, values, order = (
        shown(result.data["spectrum_speed"]),
        shown(amplitude),
        amplitude["order"],
    )
    for axes, name, curves in zip(rows, amplitude["direction"].values, values, strict=True):
        for colour, wanted in zip(OF_CURVES, ORDERS, strict=False):
            line = np.flatnonzero(np.isclose(order.values, wanted))
            if len(line):
                axes.plot(speed, curves[:, line[0]], color=colour, label=f"order {wanted:g}")
        axes.set_title(f"{name}wards")
        axes.set_ylabel(label(amplitude, "Amplitude"))
        axes.set_xlim(speed[0], speed[-1])
    rows[0].legend(loc="upper right", ncols=len(ORDERS))
    rows[-1].set_xlabel(label(result.data["speed"]))
    rows[0].set_ylim(0.0, LEGEND_ROOM * rows[0].get_ylim()[1])
    return picture


def _waterfall(result: Result) -> Picture:
    """Amplitudes over speed and frequency, in decades below the largest."""
    amplitude = result.data["order_amplitude"]
    picture = Picture(
        WIDE,
        4.2,
        f"Spectra of the transmission error of the mesh {result.data['mesh'].values[0]} over the "
        "speed. Rays are orders of the mesh frequency; what lies across them are natural "
        "frequencies" + (", dotted as computed." if "natural_frequency" in result.data else "."),
    )
    panels = picture.panels(1, amplitude.sizes["direction"], sharey=True)[0]
    speed, order = shown(result.data["spectrum_speed"]), amplitude["order"].values
    hertz = float(result.data["mesh_frequency"].values[-1] / shown(result.data["speed"])[-1])
    values = np.maximum(shown(amplitude), 1e-300)
    top = np.log10(np.nanmax(values))
    for axes, name, spectra in zip(panels, amplitude["direction"].values, values, strict=True):
        frequency = hertz * speed[:, None] * order * 1e-3
        across = np.broadcast_to(speed[:, None], frequency.shape)
        image = axes.pcolormesh(
            across, frequency, np.log10(spectra), cmap=white_to_dark(), vmin=top - DECADES,
            vmax=top, shading="nearest", rasterized=True,
        )  # fmt: skip
        axes.set_title(f"{name}wards")
        axes.set_xlabel(label(result.data["speed"]))
        axes.set_ylim(0.0, HIGHEST_RAY * hertz * speed[-1] * 1e-3)
        axes.grid(visible=False)
        for natural in _natural(result, HIGHEST_RAY * hertz * speed[-1]):
            axes.axhline(natural * 1e-3, color=ACCENT, linestyle=":", linewidth=0.8)
    panels[0].set_ylabel("Frequency (kHz)")
    add_colour_bar(picture, image, "log10 of the amplitude in µm", panels)
    return picture


def _natural(result: Result, highest: float) -> Floats:
    """Natural frequencies in Hz up to one; none where they are many."""
    if "natural_frequency" not in result.data:
        return np.zeros(0)
    found = shown(result.data["natural_frequency"])
    found = found[found <= highest]
    return found if len(found) <= MOST_MODES else np.zeros(0)


def _picture(result: Result) -> Picture:
    picture = Picture(
        WIDE,
        6.0,
        "Dynamic transmission error, the largest mesh force over the mean, and the share of time "
        "in which the teeth of a mesh, or all pins of a disc, do not touch (worst mesh), over the "
        "input speed." + _lines_words(result),
    )
    rows = picture.panels(3, 1)[:, 0]
    speed = shown(result.data["speed"])
    largest, mean = result.data["force_largest"], result.data["force_mean"]
    factor = np.fmax.reduce(largest.values / mean.values, axis=largest.dims.index("mesh"))
    loss = 100 * result.data["contact_loss"].max("mesh").values
    _lines(rows[0], speed, result.data["error_rms"], shown(result.data["error_rms"]))
    _lines(rows[1], speed, result.data["error_rms"], factor)
    _lines(rows[2], speed, result.data["error_rms"], loss)
    rows[0].set_ylabel(label(result.data["error_rms"], "Error, rms"))
    rows[1].set_ylabel("Largest / mean force")
    rows[2].set_ylabel("Without contact (%)")
    rows[2].set_xlabel(label(result.data["speed"]))
    rows[0].set_ylim(0.0, LEGEND_ROOM * rows[0].get_ylim()[1])
    rows[0].legend(loc="upper right", ncols=2)
    widen(rows[1], 0.02)
    rows[2].set_ylim(0.0, max(rows[2].get_ylim()[1], LEAST_LOSS))
    for axes in rows:
        axes.set_xlim(speed[0], speed[-1])
        for critical in _critical(result):
            axes.axvline(critical, color=ACCENT, linestyle=":", linewidth=0.8)
    _frequencies(rows[0], result)
    return picture


def _critical(result: Result) -> list[float]:
    """Speeds of the picture at which one of the first orders of the mesh meets a natural
    frequency."""
    speed = shown(result.data["speed"])
    if "critical_speed" not in result.data:
        return []
    at = [
        critical / order
        for critical in shown(result.data["critical_speed"])
        for order in range(1, HIGHEST_RAY + 1)
    ]
    within = [each for each in at if speed[0] <= each <= speed[-1]]
    return within if len(within) <= MOST_MODES else []


def _lines_words(result: Result) -> str:
    if not _critical(result):
        return ""
    return (
        f" Dotted: speeds at which orders 1 to {HIGHEST_RAY} of the mesh meet a natural frequency."
    )


def _lines(axes: Axes, speed: Floats, like: LabelledArray, values: Floats) -> None:
    marks: dict[str, str] = MARKS if len(speed) <= MOST_MARKS else {}
    for name, row in zip(like["direction"].values, values, strict=True):
        axes.plot(
            speed, row, color=COLOURS[str(name)], marker=marks.get(str(name)), markersize=3.0,
            linewidth=0.9, label=str(name),
        )  # fmt: skip


def _frequencies(axes: Axes, result: Result) -> None:
    """The mesh frequency above the speeds."""
    ratio = float(result.data["mesh_frequency"].values[-1] / shown(result.data["speed"])[-1])

    def frequency(speed: ArrayLike) -> Floats:
        return np.asarray(speed, dtype=float) * ratio

    def rotation(hertz: ArrayLike) -> Floats:
        return np.asarray(hertz, dtype=float) / ratio

    above = axes.secondary_xaxis("top", functions=(frequency, rotation))
    above.set_xlabel(label(result.data["mesh_frequency"]))
