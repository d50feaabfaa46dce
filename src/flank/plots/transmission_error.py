"""Pictures of a transmission error: the curve, its spectrum, and who carries the load."""

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from flank.analyses.labelled import LabelledArray
from flank.analyses.result import Result
from flank.arrays import Floats
from flank.plots.contact_loads import draw_over_angle, turn_picture
from flank.plots.measured_curves import draw_measured_error, error_residual
from flank.plots.style import (
    ACCENT,
    FAINT,
    MAIN,
    QUIET,
    SECOND,
    WIDE,
    Picture,
    add_colour_bar,
    angle_ticks,
    figure_text,
    label,
    shown,
)

MOST_PERIODS, PERIODS_SHOWN = 60, 8
"""Of a curve: with more the first ones have a panel of their own, and how many."""

LARGEST_ORDERS = 5
SHOWN_SHARE = 0.02
"""Orders above the last one with this share of the largest amplitude are not shown."""

MOST_NAMED = 6
"""Draws beyond which none is named."""

MOST_TIMES = 9
"""Multiples of a named order beyond this are told by their number alone."""

PLAIN = ("input", "output")
"""Orders whose multiples say nothing: every number is one."""

LETTER = 0.0078
"""Width of a letter of a name, as a share of the picture's."""

LINE = 0.08
"""Height of a name, as a share of the axis."""

TINY = 1e-3
"""Amplitude below which every tick bears its power of ten; above the axis names would meet it."""


BEARINGS = ("turning_arm", "support")
"""Kinds of contact with many bearings."""


def draw(result: Result) -> dict[str, Picture]:
    """What the result has of: transmission-error, spectrum, forces of pins, teeth and rollers."""
    pictures: dict[str, Picture] = {}
    data = result.data
    curves = data.sizes["crank_angle"] > 1
    if "transmission_error" in data and curves:
        pictures["transmission-error"] = _curve(result)
        pictures |= error_residual(result)
    if "drawn_error" in data and curves:
        pictures["within-tolerance"] = _within_tolerance(result)
    if "amplitude" in data and data["amplitude"].largest() > 0.0:
        pictures["spectrum"] = _spectrum(result)
    if "pin_force" in data and curves:
        pictures["pin-forces"] = _pin_forces(result)
    if "tooth_force" in data and "disc" in data["tooth_force"].dims and curves:
        pictures["flank-forces"] = _flank_forces(result)
    for name in BEARINGS:
        if f"{name}_force" in data and curves:
            title = f"{name.replace('_', '-')}-forces"
            pictures[title] = turn_picture(result, f"{name}_force")
    return pictures


def _curve(result: Result) -> Picture:
    error = result.data["transmission_error"]
    angle = shown(error["shaft_angle"])
    mean = float(shown(error).mean())
    values = shown(error) - mean
    end = angle[-1] + (angle[1] - angle[0])
    periods = 0.5 * np.count_nonzero(np.diff(np.signbit(values)))
    dense = bool(periods > MOST_PERIODS)
    picture = Picture(
        WIDE,
        3.0,
        f"Transmission error over the {_shaft(result)}, its mean removed"
        + (", with its first periods on the left. " if dense else ". ")
        + "The mean, which is backlash taken up and wind-up, stands in the table.",
    )
    panels = picture.panels(1, 1 + dense, sharey=True, width_ratios=(0.35, 0.65)[-1 - dense :])[0]
    for axes in panels:
        axes.plot(angle, values, color=MAIN)
        axes.set_xlabel(label(error["shaft_angle"]))
    draw_measured_error(panels[-1], result, mean)
    panels[0].set_ylabel(label(error, "Error, mean removed"))
    if dense:
        panels[0].set_xlim(angle[0], angle[0] + PERIODS_SHOWN / periods * (end - angle[0]))
    angle_ticks(panels[-1], angle[0], end)
    _mark_span(panels[-1], values.min(), values.max(), result)
    return picture


def _within_tolerance(result: Result) -> Picture:
    """The machine as it is beside drawn ones, on one scale."""
    error, drawn = result.data["transmission_error"], result.data["drawn_error"]
    seeds = result.data["draw"].values
    picture = Picture(
        WIDE,
        3.0,
        "The machine without manufacturing errors beside machines with all errors drawn within "
        f"tolerance ({len(seeds)} draws), means removed. The error to expect of a unit is that of "
        "the draws.",
    )
    axes = picture.panels(1, 1)[0][0]
    angle = shown(error["shaft_angle"])
    for seed, values, colour in zip(seeds, shown(drawn), _shades(len(seeds)), strict=True):
        axes.plot(angle, values - values.mean(), color=colour, linewidth=0.9, label=f"draw {seed}")
    values = shown(error)
    axes.plot(angle, values - values.mean(), color=MAIN, label="without errors")
    axes.set_xlabel(label(error["shaft_angle"]))
    axes.set_ylabel(label(error, "Error, mean removed"))
    angle_ticks(axes, angle[0], angle[-1] + (angle[1] - angle[0]))
    if len(seeds) <= MOST_NAMED:
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    return picture


def _shades(count: int) -> list[str]:
    return [(SECOND, ACCENT, QUIET)[k % 3] for k in range(count)]


def _mark_span(axes: Axes, low: float, high: float, result: Result) -> None:
    """Lines at the extremes and their distance, in the right margin."""
    if not high > low:
        return
    for level in (low, high):
        axes.axhline(level, color=ACCENT, linewidth=0.7, linestyle=(0, (4, 3)))
    place = axes.get_yaxis_transform()
    arrow = {"arrowstyle": "<->", "color": ACCENT, "linewidth": 0.9, "shrinkA": 0, "shrinkB": 0}
    axes.annotate(
        "",
        (1.02, low),
        (1.02, high),
        xycoords=place,
        textcoords=place,
        arrowprops=arrow,
        annotation_clip=False,
    )
    text = figure_text(result, "peak_to_peak").replace(" ", "\n", 1) + "\npeak to\npeak"
    axes.text(1.035, (low + high) / 2, text, transform=place, color=ACCENT, va="center")


def _shaft(result: Result) -> str:
    """The angle over which curves are drawn, as words: 'input angle'."""
    return str(result.data["shaft_angle"].attrs["long_name"]).lower()


def _pin_forces(result: Result) -> Picture:
    force = result.data["pin_force"].isel(disc=0)
    caption = "White pins are free; the loaded zone follows the eccentric."
    return _disc_forces(result, force, "pin", caption)


def _flank_forces(result: Result) -> Picture:
    """The flank that carries more; a slot passes from tooth to tooth as they leave the mesh."""
    force = result.data["tooth_force"].isel(disc=0)
    if "slice" in force.dims:
        force = force.sum("slice")
    strongest = int(shown(force).max(axis=(0, 2)).argmax())
    caption = (
        "White slots are free. A slot is one of the pairs of teeth near the mesh, on the flank "
        "that carries more; a pair that leaves the mesh gives its slot to the next one."
    )
    return _disc_forces(result, force.isel(flank=strongest), "slot", caption)


def _disc_forces(result: Result, force: LabelledArray, contact: str, closing: str) -> Picture:
    """Forces of the first disc on every pin or slot over the turn."""
    discs = result.data.sizes["disc"]
    picture = Picture(
        WIDE,
        3.6,
        ("Force of the first disc" if discs > 1 else "Force")
        + f" on every {contact} over the {_shaft(result)}"
        + (" (the others lag by even parts of a turn). " if discs > 1 else ". ")
        + closing,
    )
    axes = picture.panel()
    values = shown(force).T
    top = float(values.max()) or 1.0
    image = draw_over_angle(axes, shown(force["shaft_angle"]), values, top)
    axes.set_xlabel(label(force["shaft_angle"]))
    axes.set_ylabel(f"{contact.capitalize()} number")
    add_colour_bar(picture, image, label(force, "Force"), axes)
    return picture


def _spectrum(result: Result) -> Picture:
    """Amplitudes over the order of the input turn."""
    amplitude = result.data["amplitude"]
    orders, values = amplitude["order"].values, shown(amplitude)
    named = named_lines(result)
    picture = Picture(
        WIDE,
        3.1,
        "Orders of the transmission error per turn of the input. Above: the orders of the "
        "machine's parts. At the bars: the largest orders.",
    )
    axes = picture.panel()
    highest = 2.2 * max(named.values(), default=0.0)
    last = max(orders[values >= SHOWN_SHARE * values.max()].max() * 1.08, highest, 8.0)
    last = min(last, orders[-1])
    inside = (orders <= last) & (orders > 0)
    axes.vlines(orders[inside], 0.0, values[inside], color=MAIN, linewidth=1.8)
    axes.axhline(0.0, color=QUIET, linewidth=0.7)
    if orders[1] < 0.5 * min(1.0, last):
        axes.set_xscale("log")
        axes.set_xlim(0.7 * orders[1], last * 1.1)
        axes.xaxis.set_major_formatter("{x:g}")
    else:
        axes.set_xlim(0.0, last)
    axes.set_ylim(0.0, values.max() * 1.18)
    if values.max() < TINY:
        axes.yaxis.set_major_formatter("{x:.3g}")
    _mark_named(axes, named)
    _name_largest(axes, orders[inside], values[inside], named)
    axes.grid(visible=False, axis="x")
    axes.set_xlabel(label(amplitude["order"]))
    axes.set_ylabel(label(amplitude, "Amplitude"))
    return picture


def named_lines(result: Result) -> dict[str, float]:
    """The machine's own orders by name, each at its line of the spectrum."""
    names = result.data["named_order"].values
    return dict(zip(names.tolist(), result.data["named_order_line"].values.tolist(), strict=True))


def order_name(order: float, named: dict[str, float]) -> str:
    """The order's number, and what it is a multiple of, the highest if several."""
    text = f"{order:.4g}"
    for part, part_order in sorted(named.items(), key=lambda item: -item[1]):
        times = round(order / part_order)
        if times < 1 or abs(order / part_order - times) > 1e-6:
            continue
        if times == 1:
            return f"{text} ({part})"
        if times <= MOST_TIMES and part not in PLAIN:
            return f"{text} ({times} × {part})"
    return text


def _mark_named(axes: Axes, named: dict[str, float]) -> None:
    """A faint line and a name above the picture for each named order."""
    for order in named.values():
        axes.axvline(order, color=FAINT, linewidth=1.0, zorder=0.5)
    for text, place in _names(axes, named):
        axes.annotate(
            text,
            (place, 1.0),
            (0, 3),
            xycoords="axes fraction",
            textcoords="offset points",
            ha="center",
            color=QUIET,
            fontsize=8.5,
        )


def _names(axes: Axes, named: dict[str, float]) -> list[tuple[str, float]]:
    """Names and the places of their middles; where they would run into each other they join."""
    names: list[tuple[str, float]] = []
    for name, middle in zip(named, _places(axes, list(named.values())), strict=True):
        text, place = name, max(float(middle), 0.5 * LETTER * len(name))
        if names and place - names[-1][1] < 0.5 * LETTER * (len(text) + len(names[-1][0]) + 2):
            before, start = names.pop()
            text = f"{before}, {name}"
            place = max(start, 0.5 * LETTER * len(text))
        names.append((text, place))
    return names


def _places(axes: Axes, orders: ArrayLike) -> Floats:
    """Where orders stand between the ends of their axis, 0 to 1."""
    points = np.column_stack((np.asarray(orders), np.zeros(np.size(orders))))
    to_share = axes.transData - axes.transAxes
    return np.asarray(to_share.transform(points)[:, 0])


def _name_largest(axes: Axes, orders: Floats, values: Floats, named: dict[str, float]) -> None:
    """Names at the largest peaks; one that would run into a larger one's, or across a higher line,
    is left out."""
    padded = np.concatenate(([0.0], values, [0.0]))
    peaks = np.flatnonzero((values > padded[:-2]) & (values >= padded[2:]))
    peaks = peaks[values[peaks] > 2 * SHOWN_SHARE * values.max()]
    places = _places(axes, orders)
    placed: list[tuple[float, float, int]] = []
    for k in peaks[np.argsort(values[peaks])[::-1][:LARGEST_ORDERS]]:
        text = order_name(orders[k], named)
        half, height = 0.5 * LETTER * len(text), float(values[k] / axes.get_ylim()[1])
        place = max(float(places[k]), half)
        higher = values > values[k] + 0.5 * LINE * axes.get_ylim()[1]
        if np.any(higher & (np.abs(places - place) < half)) or any(
            abs(place - x) < half + 0.5 * LETTER * letters and abs(height - y) < LINE
            for x, y, letters in placed
        ):
            continue
        placed.append((place, height, len(text)))
        axes.annotate(
            text,
            (place, height),
            (0, 4),
            xycoords="axes fraction",
            textcoords="offset points",
            ha="center",
        )
