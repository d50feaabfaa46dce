"""Parts as solids in a STEP file (AP 214), in mm, by their names.

All that Flank asks of Open CASCADE is here; names of its classes change between versions.
A face is bounded by the pieces of its edges, so a flank is split at every root and tip: one spline
for all lobes would close, and its volume be wrong.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from flank._version import __version__
from flank.cad.placing import Placed
from flank.errors import SpecError
from flank.io.ownership import GENERATOR

if TYPE_CHECKING:
    from flank.arrays import Floats
    from flank.cad.bevel import SpaceSolid
    from flank.machines.plates import Edge

TURN_OF_SECTION = math.radians(5.0)
"""How far sections of helical teeth are turned against each other at most."""

FEWEST_SECTIONS = 5

SEAM = 1e-4
"""mm: edges that lie nearer than this are one."""

DEGREE = 3


def step_bytes(parts: Sequence[Placed | SpaceSolid], title: str) -> bytes:
    """A file of all parts; SpecError where Open CASCADE is not there or cannot."""
    solids = [
        (part.plate.name, solid_of(part))
        if isinstance(part, Placed)
        else (part.name, solid_of_patches(part.patches))
        for part in parts
    ]
    try:
        return _written(solids, title)
    except RuntimeError as error:
        raise SpecError(f"Open CASCADE cannot write this machine: {error}") from None


def require() -> None:
    """SpecError if the library is not there."""
    try:
        import OCP.STEPCAFControl  # noqa: F401
    except ImportError:
        raise SpecError(
            "STEP needs the library cadquery-ocp-novtk; pip install 'flank[cad]'"
        ) from None


def solid_of(part: Placed) -> Any:
    """A plate as a solid: its face, swept along the axis."""
    require()
    swept = part.plate.twist or part.plate.section is not None
    return _twisted(part) if swept else _prism(part)


def volume_of(solid: Any) -> float:
    """In mm³, as Open CASCADE has it."""
    from OCP.BRepGProp import BRepGProp
    from OCP.GProp import GProp_GProps

    properties = GProp_GProps()
    BRepGProp.VolumeProperties_s(solid, properties)
    return float(properties.Mass())


def solid_of_patches(patches: Iterable[Floats]) -> Any:
    """What patches of points enclose: a bicubic spline through each, sewn where they meet."""
    require()
    from OCP.BRepBuilderAPI import (
        BRepBuilderAPI_MakeFace,
        BRepBuilderAPI_MakeSolid,
        BRepBuilderAPI_Sewing,
    )
    from OCP.BRepLib import BRepLib
    from OCP.TopAbs import TopAbs_SHELL
    from OCP.TopExp import TopExp_Explorer
    from OCP.TopoDS import TopoDS

    sewing = BRepBuilderAPI_Sewing(SEAM)
    for patch in patches:
        sewing.Add(BRepBuilderAPI_MakeFace(_surface(patch), 1e-9).Face())
    sewing.Perform()
    found = TopExp_Explorer(sewing.SewedShape(), TopAbs_SHELL)
    if sewing.NbFreeEdges() or not found.More():
        raise SpecError(
            "the faces of a gear do not close; its spaces may be too narrow for a solid"
        )
    solid = BRepBuilderAPI_MakeSolid(TopoDS.Shell(found.Current())).Solid()
    BRepLib.OrientClosedSolid_s(solid)
    return solid


def _surface(patch: Floats) -> Any:
    """Through a grid (rows, columns, 3), evenly in either parameter."""
    from OCP.collections import Array1_double, Array1_int, Array2_gp_Pnt
    from OCP.Geom import Geom_BSplineSurface
    from OCP.gp import gp_Pnt

    poles, along, across = spline_surface(patch)
    points = Array2_gp_Pnt(1, poles.shape[0], 1, poles.shape[1])
    for i, row in enumerate(poles, start=1):
        for k, (x, y, z) in enumerate(row, start=1):
            points.SetValue(i, k, gp_Pnt(float(x), float(y), float(z)))
    knots = []
    for each in (along, across):
        places, counts = np.unique(each, return_counts=True)
        values, many = Array1_double(1, len(places)), Array1_int(1, len(places))
        for k, (place, count) in enumerate(zip(places, counts, strict=True), start=1):
            values.SetValue(k, float(place))
            many.SetValue(k, int(count))
        knots.append((values, many))
    (u, many_u), (v, many_v) = knots
    degrees = (min(DEGREE, size - 1) for size in patch.shape[:2])
    return Geom_BSplineSurface(points, u, v, many_u, many_v, *degrees)


def spline_surface(patch: Floats) -> tuple[Floats, Floats, Floats]:
    """Poles (rows, columns, 3) and both knot sequences of a spline through a grid of points. An
    edge of it depends on the points of that edge alone."""
    from scipy.interpolate import make_interp_spline

    rows, columns = patch.shape[:2]
    along = make_interp_spline(np.linspace(0, 1, rows), patch, k=min(DEGREE, rows - 1))
    other = np.swapaxes(along.c, 0, 1)
    across = make_interp_spline(np.linspace(0, 1, columns), other, k=min(DEGREE, columns - 1))
    return np.swapaxes(across.c, 0, 1), along.t, across.t


def _prism(part: Placed) -> Any:
    from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeFace
    from OCP.BRepPrimAPI import BRepPrimAPI_MakePrism
    from OCP.gp import gp_Dir, gp_Pln, gp_Pnt, gp_Vec

    plate = part.plate
    plane = gp_Pln(gp_Pnt(0.0, 0.0, plate.bottom), gp_Dir(0.0, 0.0, 1.0))
    face = BRepBuilderAPI_MakeFace(plane, _wire(plate.outside, plate.bottom), True)
    for hole in plate.holes:
        wire = _wire(hole, plate.bottom)
        wire.Reverse()
        face.Add(wire)
    sweep = gp_Vec(0.0, 0.0, plate.top - plate.bottom)
    return BRepPrimAPI_MakePrism(face.Face(), sweep).Shape()


def _twisted(part: Placed) -> Any:
    """Between sections of a helical or crowned gear; its bore, or the rim of a ring, is cut or
    filled by a cylinder."""
    from OCP.BRepAlgoAPI import BRepAlgoAPI_Cut

    plate = part.plate
    toothed = plate.holes[0] if plate.kind == "ring" else plate.outside
    teeth = _through_sections(part, toothed)
    if plate.kind == "ring":
        return BRepAlgoAPI_Cut(_cylinder(plate.outside, plate.bottom, plate.top), teeth).Shape()
    for hole in plate.holes:
        teeth = BRepAlgoAPI_Cut(teeth, _cylinder(hole, plate.bottom, plate.top)).Shape()
    return teeth


def _through_sections(part: Placed, edge: Edge) -> Any:
    from OCP.BRepOffsetAPI import BRepOffsetAPI_ThruSections

    plate = part.plate
    count = max(FEWEST_SECTIONS, math.ceil(abs(plate.twist) / TURN_OF_SECTION) + 1)
    loft = BRepOffsetAPI_ThruSections(True, False, 1e-6)
    loft.CheckCompatibility(False)
    for share in np.linspace(0.0, 1.0, count):
        height = plate.bottom + share * (plate.top - plate.bottom)
        toothed = edge if plate.section is None else plate.section(float(share))
        loft.AddWire(_wire(toothed, height, share * plate.twist, part.centre))
    loft.Build()
    return loft.Shape()


def _cylinder(edge: Edge, bottom: float, top: float) -> Any:
    from OCP.BRepPrimAPI import BRepPrimAPI_MakeCylinder
    from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt

    assert edge.circle is not None
    x, y, radius = edge.circle
    axis = gp_Ax2(gp_Pnt(x, y, bottom), gp_Dir(0.0, 0.0, 1.0))
    return BRepPrimAPI_MakeCylinder(axis, radius, top - bottom).Shape()


def _wire(
    edge: Edge, height: float, turn: float = 0.0, centre: tuple[float, float] = (0.0, 0.0)
) -> Any:
    from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeWire

    wire = BRepBuilderAPI_MakeWire()
    for piece in _curves(edge, height, turn, centre):
        wire.Add(piece)
    return wire.Wire()


def _curves(edge: Edge, height: float, turn: float, centre: tuple[float, float]) -> list[Any]:
    """Edges of Open CASCADE, ends of neighbours at the same point."""
    from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeEdge
    from OCP.gp import gp_Ax2, gp_Circ, gp_Dir, gp_Pnt

    if edge.circle is not None:
        x, y, radius = edge.circle
        circle = gp_Circ(gp_Ax2(gp_Pnt(x, y, height), gp_Dir(0.0, 0.0, 1.0)), radius)
        return [BRepBuilderAPI_MakeEdge(circle).Edge()]
    if edge.polygon is not None:
        corners = [gp_Pnt(float(x), float(y), height) for x, y in edge.polygon]
        pairs = zip(corners, [*corners[1:], corners[0]], strict=True)
        return [BRepBuilderAPI_MakeEdge(*pair).Edge() for pair in pairs]
    poles = [_turned(piece.c, turn, centre) for piece in edge.pieces]
    for k, each in enumerate(poles):
        each[0] = poles[k - 1][-1]
    pairs = zip(edge.pieces, poles, strict=True)
    return [BRepBuilderAPI_MakeEdge(_curve(each, piece.t, height)).Edge() for piece, each in pairs]


def _turned(poles: Floats, turn: float, centre: tuple[float, float]) -> Floats:
    cosine, sine = math.cos(turn), math.sin(turn)
    turned = np.array([[cosine, sine], [-sine, cosine]])
    return np.asarray((poles - centre) @ turned + centre)


def _curve(poles: Floats, knots: Floats, height: float) -> Any:
    from OCP.collections import Array1_double, Array1_gp_Pnt, Array1_int
    from OCP.Geom import Geom_BSplineCurve
    from OCP.gp import gp_Pnt

    places, counts = np.unique(knots, return_counts=True)
    points = Array1_gp_Pnt(1, len(poles))
    for k, (x, y) in enumerate(poles, start=1):
        points.SetValue(k, gp_Pnt(float(x), float(y), height))
    values, many = Array1_double(1, len(places)), Array1_int(1, len(places))
    for k, (place, count) in enumerate(zip(places, counts, strict=True), start=1):
        values.SetValue(k, float(place))
        many.SetValue(k, int(count))
    return Geom_BSplineCurve(points, values, many, 3)


def _written(solids: list[tuple[str, Any]], title: str) -> bytes:
    """A document of named shapes; Open CASCADE writes to files alone."""
    from OCP.IFSelect import IFSelect_RetDone
    from OCP.Interface import Interface_Static
    from OCP.Message import Message, Message_Gravity
    from OCP.STEPCAFControl import STEPCAFControl_Writer
    from OCP.STEPControl import STEPControl_AsIs
    from OCP.TCollection import TCollection_ExtendedString
    from OCP.TDataStd import TDataStd_Name
    from OCP.TDocStd import TDocStd_Document
    from OCP.XCAFDoc import XCAFDoc_DocumentTool

    document = TDocStd_Document(TCollection_ExtendedString("MDTV-XCAF"))
    shapes = XCAFDoc_DocumentTool.ShapeTool_s(document.Main())
    for name, solid in solids:
        label = shapes.AddShape(solid, False)
        TDataStd_Name.Set_s(label, TCollection_ExtendedString(name))
    for printer in Message.DefaultMessenger_s().Printers():
        printer.SetTraceLevel(Message_Gravity.Message_Fail)
    Interface_Static.SetCVal_s("write.step.product.name", title)
    Interface_Static.SetCVal_s("write.step.unit", "MM")
    writer = STEPCAFControl_Writer()
    writer.SetNameMode(True)
    if not writer.Transfer(document, STEPControl_AsIs):
        raise RuntimeError("its shapes cannot be transferred")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "machine.step"
        if writer.Write(str(path)) != IFSelect_RetDone:
            raise RuntimeError("its file cannot be written")
        content = path.read_bytes()
    written = f"{GENERATOR} {__version__}: {title}".encode("ascii", "replace").replace(b"'", b"")
    return content.replace(b"Open CASCADE Shape Model", written, 1)
