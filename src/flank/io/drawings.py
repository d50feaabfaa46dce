"""Drawings on disk: the group of a result's NetCDF file that holds outlines and poses.

    polygon_x, polygon_count   points of all different polygons one after the other, single
                               precision, each from its first point on
    outline_*                  of every outline: its polygon, where that stands in the body's
                               frame, its row of poses, name, kind, layer
    pose                       (frame, row, coordinate), single precision: 10 nm of 0.1 m
    frame_time, frame_record   of every frame; body: of every row its number in the assembly
    contact_group, _number, _layer   of every contact that is drawn, with the texts behind them
    frame_entries              how many entries of the following belong to a frame
    entry_*                    contact, point, force on the loaded body, Hertz pressure

Pins, rollers and discs of one shape share a polygon, which keeps the file small.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flank.analyses.drawing import Drawing
from flank.analyses.drawn_forces import DrawnForces
from flank.analyses.labelled import LabelledArrays, Variable, labelled_arrays
from flank.arrays import Floats, Integers
from flank.machines.outlines import Outline

DRAWING = "drawing"
"""Name of the group."""

_ALIKE = 1e-9
"""m: polygons that differ by less are one."""

_WORDS = ("name", "kind", "layer")
_FLAGS = ("closed", "revolved")


def drawing_arrays(drawing: Drawing) -> LabelledArrays:
    """Outlines and poses as arrays with units."""
    starts = np.array([outline.points[0] for outline in drawing.outlines])
    polygons, numbers = different_polygons(drawing.outlines)
    over = ("outline",)
    metre = {"units": "m"}
    columns: dict[str, Variable] = {
        "polygon_point": (("point", "axis"), np.concatenate(polygons).astype(np.float32), metre),
        "polygon_count": (("polygon",), np.array([len(polygon) for polygon in polygons]), {}),
        "outline_polygon": (over, numbers, {}),
        "outline_place": ((*over, "axis"), starts, metre),
        "outline_row": (over, np.array([outline.body for outline in drawing.outlines]), {}),
        "body": (("row",), drawing.bodies, {}),
        "frame_record": (("frame",), drawing.record, {}),
        "frame_time": (("frame",), drawing.time, {"units": "s"}),
        "pose": (("frame", "row", "coordinate"), drawing.poses.astype(np.float32), _units(drawing)),
    }
    for word in _WORDS:
        texts = np.array([getattr(outline, word) for outline in drawing.outlines], dtype=str)
        names, number = np.unique(texts, return_inverse=True)
        columns[f"outline_{word}"] = (over, number, {})
        columns[f"{word}_text"] = ((word,), names, {})
    for flag in _FLAGS:
        values = np.array([getattr(outline, flag) for outline in drawing.outlines], dtype=np.int8)
        columns[f"outline_{flag}"] = (over, values, {})
    if drawing.forces is not None:
        columns |= _force_columns(drawing.forces)
    return labelled_arrays(columns, {}, {})


def _force_columns(forces: DrawnForces) -> dict[str, Variable]:
    layers, layer = np.unique(np.array(forces.layers, dtype=str), return_inverse=True)
    contact, entry, axes = ("contact",), ("entry",), ("entry", "axis")
    return {
        "group_text": (("group",), np.array(forces.groups, dtype=str), {}),
        "contact_layer_text": (("contact_layer",), layers, {}),
        "contact_group": (contact, forces.group, {}),
        "contact_number": (contact, forces.number, {}),
        "contact_layer_of": (contact, layer, {}),
        "frame_entries": (("frame",), forces.count, {}),
        "entry_contact": (entry, forces.contact, {}),
        "entry_point": (axes, forces.point.astype(np.float32), {"units": "m"}),
        "entry_force": (axes, forces.force.astype(np.float32), {"units": "N"}),
        "entry_pressure": (entry, forces.pressure.astype(np.float32), {"units": "Pa"}),
    }


def _forces_of(data: LabelledArrays) -> DrawnForces | None:
    if "entry_force" not in data:
        return None
    layers = data["contact_layer_text"].values[data["contact_layer_of"].values]
    return DrawnForces(
        tuple(str(name) for name in data["group_text"].values),
        data["contact_group"].values,
        data["contact_number"].values,
        tuple(str(layer) for layer in layers),
        data["frame_entries"].values,
        data["entry_contact"].values,
        data["entry_point"].values.astype(float),
        data["entry_force"].values.astype(float),
        data["entry_pressure"].values.astype(float),
    )


def _units(drawing: Drawing) -> dict[str, str]:
    return {"units": "m, m, m, then a unit quaternion" if drawing.spatial else "m, m, rad"}


def different_polygons(outlines: tuple[Outline, ...]) -> tuple[list[Floats], Integers]:
    """The different polygons, each from its first point on, and the number of each outline's."""
    known: dict[bytes, int] = {}
    polygons: list[Floats] = []
    numbers = np.zeros(len(outlines), dtype=np.int64)
    for k, outline in enumerate(outlines):
        points = outline.points - outline.points[0]
        key = np.round(points / _ALIKE).astype(np.int64).tobytes()
        if key not in known:
            known[key] = len(polygons)
            polygons.append(points)
        numbers[k] = known[key]
    return polygons, numbers


def drawing_of(data: LabelledArrays) -> Drawing:
    """The drawing that `drawing_arrays` made arrays of."""
    ends = np.cumsum(data["polygon_count"].values)
    polygons = np.split(data["polygon_point"].values.astype(float), ends[:-1])
    words: dict[str, Any] = {
        word: data[f"{word}_text"].values[data[f"outline_{word}"].values] for word in _WORDS
    }
    flags = {flag: data[f"outline_{flag}"].values.astype(bool) for flag in _FLAGS}
    places, rows = data["outline_place"].values, data["outline_row"].values
    outlines = [
        Outline(
            name=str(words["name"][k]),
            body=int(rows[k]),
            points=polygons[number] + places[k],
            kind=words["kind"][k],
            closed=bool(flags["closed"][k]),
            layer=str(words["layer"][k]),
            revolved=bool(flags["revolved"][k]),
        )
        for k, number in enumerate(data["outline_polygon"].values)
    ]
    return Drawing(
        tuple(outlines),
        data["body"].values,
        data["frame_record"].values,
        data["frame_time"].values,
        data["pose"].values.astype(float),
        _forces_of(data),
    )
