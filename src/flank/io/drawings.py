"""Drawings on disk: the group of a result's NetCDF file that holds outlines and poses.

    polygon_x, polygon_count   points of all different polygons one after the other, single
                               precision, each from its first point on
    outline_*                  of every outline: its polygon, where that stands in the body's
                               frame, its row of poses, name, kind, layer
    pose                       (frame, row, coordinate), single precision: 10 nm of 0.1 m
    frame_time, frame_record   of every frame; body: of every row its number in the assembly

Pins, rollers and discs of one shape share a polygon, which keeps the file small.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flank.analyses.drawing import Drawing
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
    polygons, numbers = _different(drawing.outlines)
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
    return labelled_arrays(columns, {}, {})


def _units(drawing: Drawing) -> dict[str, str]:
    return {"units": "m, m, m, then a unit quaternion" if drawing.spatial else "m, m, rad"}


def _different(outlines: tuple[Outline, ...]) -> tuple[list[Floats], Integers]:
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
    )
