"""Pictures of a sensitivity: the errors that matter most, one by one and by kind."""

import re

import numpy as np
from matplotlib.axes import Axes

from flank.analyses.result import Result
from flank.analyses.sensitivity import MEASURES
from flank.arrays import Floats, Integers
from flank.io.shown import factor, number_text, unit_text
from flank.plots.style import FAINT, INK, MAIN, QUIET, SECOND, WIDE, Picture, shown

TOP = 15
"""Errors shown one by one; the rest are summed by kind."""

PAIRS = {
    "sensitivity-stiffness": ("torsional_stiffness", "lost_motion"),
    "sensitivity-play": ("backlash", "transmission_error"),
}
LONGEST_NAME = 38
"""Letters of an error's name that fit beside a panel."""

PART = re.compile(r"\w+ \d+")
"""A part with its number: 'disc 1'."""

SMALL = 7.5
"""Size of the errors' names in points."""

TALLEST = 5.8
"""In inches: beyond twenty kinds their bars stand closer."""

FINE = 0.1
"""Below it numbers are long, and an axis has room for few."""


def draw(result: Result) -> dict[str, Picture]:
    """Two measures a picture, and all four by kind."""
    if "torsional_stiffness_per_tolerance" not in result.data:
        return {}
    pictures = {name: _ranked(result, pair) for name, pair in PAIRS.items()}
    return pictures | {"sensitivity-by-kind": _by_kind(result)}


def _ranked(result: Result, measures: tuple[str, str]) -> Picture:
    picture = Picture(
        WIDE,
        5.4,
        "Bars: the effect of one tolerance, the largest fifteen one by one and the rest as the "
        "root of the sum of squares by kind. Dots: the effect of 1 µm (of 0.001° for angles). "
        "Blue raises, orange lowers the figure; a transmission error has no sign. To first order, "
        "as long as the same contacts carry.",
    )
    for axes, name in zip(picture.panels(1, 2)[0], measures, strict=True):
        _rank(axes, result, name)
    return picture


def _rank(axes: Axes, result: Result, name: str) -> None:
    tolerance = shown(result.data[f"{name}_per_tolerance"])
    step = np.abs(shown(result.data[f"{name}_per_step"]))
    order = _falling(tolerance)
    first, others = order[:TOP], order[TOP:]
    titles, kinds = (result.data[f"parameter_{field}"].values for field in ("title", "kind"))
    names = [short_name(str(titles[k]), str(kinds[k])) for k in first]
    values = np.abs(tolerance[first])
    colours = [MAIN if value >= 0 else SECOND for value in tolerance[first]]
    other_names, other_sums = _others(tolerance, kinds, others)
    rows = np.arange(len(first) + len(other_sums))
    axes.barh(rows, [*values, *other_sums], 0.7, color=[*colours, *[QUIET] * len(other_sums)])
    axes.plot(step[first], rows[: len(first)], "o", color=INK, markersize=3.2)
    axes.set_yticks(rows, names + other_names, fontsize=SMALL)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    _finish(axes, result, name)


def _falling(values: Floats) -> Integers:
    """Order by falling size; equals (symmetric pins) keep the machine's order."""
    size = np.abs(values) / max(float(np.abs(values).max()), 1e-300)
    return np.argsort(-size.round(3), kind="stable")


def short_name(title: str, kind: str) -> str:
    """A long title by its kind and its parts, 'hole tangential, disc 1, roller 3', which are what
    tells one error from another."""
    if len(title) <= LONGEST_NAME:
        return title
    return ", ".join([kind_words(kind), *PART.findall(title)])


def _others(values: Floats, kinds: Floats, others: Integers) -> tuple[list[str], list[float]]:
    """What is not shown one by one: names with numbers, and roots of the sums of squares."""
    names, sums = [], []
    for kind in dict.fromkeys(kinds[others]):
        members = [k for k in others if kinds[k] == kind]
        names.append(f"{len(members)} more: {kind_words(str(kind))}")
        sums.append(float(np.sqrt(np.sum(values[members] ** 2))))
    return names, sums


def kind_words(kind: str) -> str:
    """'pin_radius' as words."""
    return kind.replace("_", " ")


def _by_kind(result: Result) -> Picture:
    kinds = [kind_words(str(kind)) for kind in result.data["kind"].values]
    counts = result.data["kind_count"].values
    names = [f"{kind} ({int(n)})" for kind, n in zip(kinds, counts, strict=True)]
    picture = Picture(
        WIDE,
        min(max(1.0 + 0.24 * len(kinds), 2.6), TALLEST),
        "All errors of one kind, each at one tolerance, as the root of the sum of squares; their "
        "number in parentheses.",
    )
    rows = np.arange(len(kinds))
    panels = picture.panels(1, len(MEASURES), sharey=True)[0]
    for axes, name in zip(panels, MEASURES, strict=True):
        axes.barh(rows, shown(result.data[f"{name}_of_kind"]), 0.68, color=MAIN)
        _finish(axes, result, name, short=True)
    panels[0].set_yticks(rows, names, fontsize=SMALL)
    panels[0].set_ylim(len(kinds) - 0.4, -0.6)
    return picture


def _finish(axes: Axes, result: Result, name: str, short: bool = False) -> None:
    title, unit, shown_unit = MEASURES[name][:3]
    nominal = float(result.data[name]) * factor(unit, shown_unit)
    axes.set_xlim(left=0.0)
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")
    axes.grid(color=FAINT, axis="x")
    axes.set_title(title.removesuffix(", peak to peak") if short else title)
    fine = axes.get_xlim()[1] < FINE
    axes.locator_params(axis="x", nbins=(2 if fine else 4) if short else (3 if fine else 6))
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:.4g}")
    axes.set_xlabel(f"{unit_text(shown_unit)} (as specified: {number_text(nominal)})")
    if short:
        axes.set_xlabel(unit_text(shown_unit))
