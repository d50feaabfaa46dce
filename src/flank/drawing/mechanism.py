"""The mechanism of a document: shapes once, poses, forces, and what its frames stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flank.analyses.drawing import Drawing
from flank.analyses.registry import ANALYSES
from flank.analyses.views import views_of
from flank.arrays import Floats
from flank.drawing.packing import exact, numbers, stepped
from flank.io.drawings import different_polygons
from flank.io.shown import factor, prose, unit_text

if TYPE_CHECKING:
    from flank.analyses.drawn_forces import DrawnForces
    from flank.analyses.labelled import LabelledArray
    from flank.analyses.result import Result

MODES_CAPTION = (
    "The machine to scale, moved by a mode; grey as it stands. The farthest point moves by a "
    "twentieth of the machine's size."
)


def mechanism_of(result: Result) -> dict[str, Any] | None:
    """Outlines, poses and forces of a result; None where it keeps no drawing."""
    drawing = result.drawing
    if drawing is None:
        return None
    modes = _modes(result, drawing)
    shown = {**mechanism_alone(drawing), "frames": _frames(result, drawing), "modes": modes}
    return {**shown, "caption": MODES_CAPTION} if modes else shown


def mechanism_alone(drawing: Drawing) -> dict[str, Any]:
    """Outlines, poses and forces of a drawing, whatever it was made for."""
    return {
        **_shapes(drawing),
        "poses": exact(drawing.poses),
        "frames": _numbered(len(drawing.time)),
        "forces": forces_of(drawing.forces),
        "modes": [],
        "caption": _caption(drawing),
    }


def _numbered(count: int) -> dict[str, Any]:
    return {"count": count, "title": "Pose", "unit": "", "values": exact(np.arange(count) + 1)}


def angle_frames(angles: Floats) -> dict[str, Any]:
    """Frames that stand for angles of the input in rad."""
    values = exact(np.degrees(angles))
    return {"count": len(angles), "title": "Input angle", "unit": "°", "values": values}


def _caption(drawing: Drawing) -> str:
    text = "The machine to scale."
    if drawing.forces is None:
        return text
    on = ", ".join(drawing.forces.groups)
    text += f" Arrows are forces of contacts ({on}) on discs, gears or balls, their tips where they"
    text += " act, all on one scale"
    pressed = bool(np.isfinite(drawing.forces.pressure).any())
    return text + ("; colour is the Hertz pressure." if pressed else ".")


def _shapes(drawing: Drawing) -> dict[str, Any]:
    polygons, which = different_polygons(drawing.outlines)
    columns: dict[str, Any] = {}
    for word in ("name", "kind", "layer"):
        texts = [getattr(outline, word) for outline in drawing.outlines]
        names = list(dict.fromkeys(texts))
        columns[word] = {"names": names, "of": [names.index(text) for text in texts]}
    return {
        "spatial": drawing.spatial,
        "layers": drawing.layers,
        "views": [{"layer": view.layer, "axes": view.axes} for view in views_of(drawing)],
        "polygons": {
            "point": exact(np.concatenate(polygons)),
            "count": numbers([len(polygon) for polygon in polygons]),
        },
        "outlines": {
            "polygon": numbers(which),
            "place": exact([outline.points[0] for outline in drawing.outlines]),
            "row": numbers([outline.body for outline in drawing.outlines]),
            "closed": [int(outline.closed) for outline in drawing.outlines],
            "revolved": [int(outline.revolved) for outline in drawing.outlines],
            **columns,
        },
    }


def forces_of(forces: DrawnForces | None) -> dict[str, Any] | None:
    """Entries frame by frame, forces in N and pressures in MPa."""
    if forces is None:
        return None
    pressure = forces.pressure * 1e-6
    layers = list(dict.fromkeys(forces.layers))
    return {
        "groups": list(forces.groups),
        "layers": layers,
        "group": numbers(forces.group),
        "number": numbers(forces.number),
        "layer": numbers([layers.index(layer) for layer in forces.layers]),
        "count": numbers(forces.count),
        "contact": numbers(forces.contact),
        "point": stepped(forces.point),
        "force": stepped(forces.force),
        "pressure": stepped(pressure) if np.isfinite(pressure).any() else None,
        "largest_force": float(forces.size.max()),
        "largest_pressure": float(np.nanmax(pressure)) if np.isfinite(pressure).any() else None,
    }


def _frames(result: Result, drawing: Drawing) -> dict[str, Any]:
    """What the frames stand for: an angle, a torque or a time, where the result tells it. `along`
    is the dimension of the curves that go along, `places` where frames stand in it, nan where they
    lie outside."""
    count, data = len(drawing.time), result.data
    found = abscissa(result) if count > 1 else None
    if found is None:
        return _numbered(count)
    variable, places = found
    values, attributes = variable.values, variable.attrs
    if np.isnan(places).any():  # the run began before what the result tells
        values, attributes = drawing.time, data["time"].attrs
    else:
        values = np.interp(places, np.arange(len(values)), values)
    scale = factor(attributes["units"], attributes["shown_unit"])
    return {
        "count": count,
        "title": prose(attributes["long_name"]),
        "unit": unit_text(attributes["shown_unit"]),
        "values": exact(values * scale),
        "along": variable.dims[0],
        "places": exact(places),
    }


def abscissa(result: Result) -> tuple[LabelledArray, Floats] | None:
    """A quantity that the run went along, and where its frames stand among its values."""
    drawing, data = result.drawing, result.data
    if drawing is None:
        return None
    names = [*(name for name in _declared_axes(result) if name in data), *data.coords]
    for name in names:
        variable = data[name]
        if len(variable.dims) != 1 or variable.values.dtype.kind != "f":
            continue
        if len(variable.values) == drawing.record[-1] + 1:
            return variable, drawing.record.astype(float)
        if "time" in data and data["time"].dims == variable.dims:
            return variable, _places_in(data["time"].values, drawing.time)
    return None


def _places_in(known: Floats, times: Floats) -> Floats:
    if len(known) < 2 or not np.all(np.diff(known) > 0):
        return np.full(len(times), np.nan)
    return np.interp(times, known, np.arange(len(known)), left=np.nan, right=np.nan)


def _declared_axes(result: Result) -> list[str]:
    known = ANALYSES.get(result.analysis)
    return [pair[0] for pair in known.quantities.curves] if known else []


def _modes(result: Result, drawing: Drawing) -> list[dict[str, Any]]:
    if "mode_shape" not in result.data or result.data.sizes.get("mode", 0) == 0:
        return []
    from flank.drawing.modes import modes_of

    return modes_of(result, drawing)
