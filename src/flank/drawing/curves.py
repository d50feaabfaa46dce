"""Curves of results to read off: which quantities, over what, and the picture they stand for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from flank.analyses.labelled import LabelledArray
from flank.drawing.packing import exact
from flank.io.shown import factor, prose, unit_text

if TYPE_CHECKING:
    from flank.analyses.result import Result


class Shown(NamedTuple):
    """Quantities over one axis in a plot of their own, in place of a picture of the result. Of
    kind 'lines', 'orders', or 'change': lines from their first value on."""

    picture: str
    x: str
    y: tuple[str, ...]
    kind: str = "lines"


ENERGIES = ("kinetic_energy", "stored_energy", "work", "lost_energy_course")

CURVES: dict[str, tuple[Shown, ...]] = {
    "transmission-error": (
        Shown("transmission-error", "shaft_angle", ("transmission_error", "drawn_error")),
        Shown("spectrum", "order", ("amplitude",), "orders"),
    ),
    "hysteresis": (Shown("hysteresis", "loop_torque", ("loop_angle",)),),
    "efficiency": (Shown("efficiency", "load", ("efficiency",)),),
    "time-response": (
        Shown("time-response", "time", ("speed",)),
        Shown("time-response", "time", ("transmission_error",)),
        Shown("tooth-forces", "time", ("mesh_force",)),
        Shown("energies", "time", ENERGIES, "change"),
    ),
    "joint-turns": (
        Shown("track-forces", "angle", ("track_force",)),
        Shown("secondary-torque", "angle", ("secondary_torque",)),
        Shown("axial-orders", "order", ("axial_force_amplitude",), "orders"),
    ),
    "joint-run": (Shown("joint-run", "time", ("axial_force",)),),
    "contact-pattern": (Shown("motion-curves", "angle", ("transmission_error",)),),
    "loaded-contact": (
        Shown("loaded-cycle", "angle", ("transmission_error",)),
        Shown("loaded-cycle", "angle", ("pressure_peak",)),
    ),
    "rolling-run": (Shown("rolling-run", "time", ("mesh_error",)),),
}
"""By analysis, in the order of their pictures."""

REPLACED = ("spectrum", "time-response", "tooth-forces", "energies")
"""Pictures that their curves tell whole: they are for paper, and where no script runs."""

MOST_LINES = 16
"""In one plot; of a quantity with more the largest are shown, and the page says so."""


def curves_of(result: Result) -> list[dict[str, Any]]:
    """The plots of a result, in the order of its pictures."""
    made = (_plot(result, shown) for shown in CURVES.get(result.analysis, ()))
    return [plot for plot in made if plot is not None]


def _plot(result: Result, shown: Shown) -> dict[str, Any] | None:
    data = result.data
    known = [data[name] for name in shown.y if name in data]
    if shown.x not in data or not known or len(data[shown.x].values) < 2:
        return None
    x = data[shown.x]
    known = [y for y in known if x.dims[0] in y.dims and _axis(y) == _axis(known[0])]
    lines = [line for y in known for line in _lines(y, x.dims[0], len(known) > 1)]
    title = prose(known[0].attrs["long_name"]) if len(known) == 1 else shown.picture
    if shown.kind == "change":
        lines = [(name, values - values[0], size) for name, values, size in lines]
    left_out = max(len(lines) - MOST_LINES, 0)
    lines = sorted(lines, key=lambda line: -line[2])[:MOST_LINES] if left_out else lines
    scale = factor(x.attrs["units"], x.attrs["shown_unit"])
    return {
        "name": f"{shown.y[0]}-{shown.x}",
        "picture": shown.picture,
        "kind": shown.kind,
        "title": title.replace("-", " ").capitalize() if len(known) > 1 else title,
        "x": {"title": prose(x.attrs["long_name"]), "unit": _unit(x), "along": x.dims[0]},
        "y": {"unit": _unit(known[0])},
        "abscissa": exact(x.values * scale),
        "lines": [{"name": name, "values": exact(values)} for name, values, _ in lines],
        "left_out": left_out,
        "marks": _named_orders(result) if shown.kind == "orders" else [],
    }


def _axis(variable: LabelledArray) -> tuple[str, str]:
    return variable.attrs["units"], variable.attrs["shown_unit"]


def _unit(variable: LabelledArray) -> str:
    return unit_text(variable.attrs["shown_unit"])


def _lines(y: LabelledArray, along: str, several: bool) -> Iterator[tuple[str, Any, float]]:
    """Name, values in the unit shown, and size of every line of a quantity."""
    values = np.moveaxis(y.values, y.dims.index(along), -1)
    values = values * factor(y.attrs["units"], y.attrs["shown_unit"])
    others = [name for name in y.dims if name != along]
    for place in np.ndindex(values.shape[:-1]):
        words = [_word(y, name, k) for name, k in zip(others, place, strict=True)]
        title = prose(str(y.attrs["long_name"]))
        name = ", ".join([title, *words] if several or not words else words)
        line = values[place]
        yield name, line, float(np.nanmax(np.abs(line), initial=0.0))


def _word(y: LabelledArray, dimension: str, place: int) -> str:
    label = y[dimension].values[place]
    if isinstance(label, str):
        return label
    shown = dimension.replace("_", " ")
    return f"{shown} {label + 1 if dimension != 'draw' else label}"


def _named_orders(result: Result) -> list[dict[str, Any]]:
    data = result.data
    if "named_order_line" not in data:
        return []
    names = data["named_order"].values.tolist()
    return [
        {"name": str(name), "at": float(at)}
        for name, at in zip(names, data["named_order_line"].values.tolist(), strict=True)
    ]
