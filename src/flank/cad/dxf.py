"""Parts as DXF, in mm, every kind on a layer of its own: splines and circles, or polylines."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from flank._version import __version__
from flank.cad.placing import MILLIMETRE, Placed, layers_of
from flank.errors import SpecError

if TYPE_CHECKING:
    from ezdxf.document import Drawing
    from ezdxf.layouts import Modelspace

    from flank.machines.plates import Edge

VERSION = "R2010"

COLOURS = (7, 1, 5, 3, 6, 30, 4, 8, 140, 200)
"""Of layers, by their numbers in CAD."""


def dxf_text(parts: list[Placed], title: str, curves: str, tolerance: float) -> str:
    """The text of a file; `tolerance` in m is that of polylines."""
    try:
        import ezdxf
        from ezdxf.lldxf.const import DXFError
        from ezdxf.units import MM
    except ImportError:
        raise SpecError("DXF needs the library ezdxf; pip install 'flank[cad]'") from None
    document = ezdxf.new(VERSION, units=MM)
    document.header.custom_vars.append("Title", title)
    document.header.custom_vars.append("Generator", f"Flank {__version__}")
    for k, layer in enumerate(layers_of(parts)):
        document.layers.add(layer, color=COLOURS[k % len(COLOURS)])
    space = document.modelspace()
    for part in parts:
        for edge in part.edges:
            _add(space, edge, part.layer, curves, tolerance)
    try:
        return _text(document)
    except DXFError as error:  # pragma: no cover - a layer's name that CAD does not know
        raise SpecError(f"ezdxf cannot write this machine: {error}") from None


def _add(space: Modelspace, edge: Edge, layer: str, curves: str, tolerance: float) -> None:
    attributes = {"layer": layer}
    if edge.circle is not None:
        x, y, radius = edge.circle
        space.add_circle((x, y), radius, dxfattribs=attributes)
    elif edge.polygon is not None or curves == "polylines":
        points = edge.points(tolerance * MILLIMETRE)
        space.add_lwpolyline(points.tolist(), close=True, dxfattribs=attributes)
    else:
        for piece in edge.pieces:
            space.add_open_spline(
                [(x, y, 0.0) for x, y in piece.c.tolist()],
                degree=piece.k,
                knots=piece.t.tolist(),
                dxfattribs=attributes,
            )


def _text(document: Drawing) -> str:
    buffer = io.StringIO()
    document.write(buffer)
    return buffer.getvalue()
