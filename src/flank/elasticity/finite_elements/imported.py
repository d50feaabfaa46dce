"""Bodies out of files: mass and stiffness from Matrix Market, or meshes that our elements fill.

`meshio` reads meshes of most programs but no matrices; from a mesh and a material our elements make
them. It is an extra, `pip install flank[meshes]`.
"""

from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from scipy.io import mmread

from flank.arrays import Floats, Integers
from flank.elasticity.finite_elements.elements import assembled, corner_places
from flank.elasticity.finite_elements.reduction import Matrix, check_matrices
from flank.elasticity.material import Material
from flank.errors import SpecError
from flank.plain_files import NotReadable, read_plain_file
from flank.texts import echo_path

LARGEST = 4_000_000_000
"""Bytes of a file of matrices."""

SOLIDS = {
    "hexahedron": "hexahedron-8",
    "hexahedron20": "hexahedron-20",
    "hexahedron27": "hexahedron-27",
    "tetra10": "tetrahedron-10",
}
"""Elements by the names that meshio gives to cells."""

TOO_STIFF = "tetra"
"""Four nodes bend and shear far too stiffly."""

_CORNERS = [(0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0), (0, 0, 2), (2, 0, 2), (2, 2, 2), (0, 2, 2)]
_EDGES = [(1, 0, 0), (2, 1, 0), (1, 2, 0), (0, 1, 0), (1, 0, 2), (2, 1, 2), (1, 2, 2), (0, 1, 2)]
_UPRIGHT = [(0, 0, 1), (2, 0, 1), (2, 2, 1), (0, 2, 1)]
_FACES = [(0, 1, 1), (2, 1, 1), (1, 0, 1), (1, 2, 1), (1, 1, 0), (1, 1, 2), (1, 1, 1)]
VTK_HEXAHEDRON = 0.5 * np.array(_CORNERS + _EDGES + _UPRIGHT + _FACES)
"""Nodes in the unit cube in the order of VTK, which is meshio's; the first 8 or 20 for these."""


MIRRORED = (0, 2, 1, 3, 6, 5, 4, 7, 9, 8)
"""Nodes of a tetrahedron with two corners exchanged."""


class ImportedBody(NamedTuple):
    """`places` (nodes, 3) in m; mass and stiffness have x, y, z of every node."""

    places: Floats
    mass: Matrix
    stiffness: Matrix


def read_matrices(mass: str | Path, stiffness: str | Path) -> tuple[Matrix, Matrix]:
    """Mass and stiffness from two Matrix Market files, checked."""
    return check_matrices(_matrix(mass), _matrix(stiffness))


def _matrix(path: str | Path) -> Matrix:
    try:
        matrix = mmread(BytesIO(read_plain_file(path, LARGEST)))
    except NotReadable as reason:
        raise SpecError(f"{echo_path(path)} {reason}") from None
    except (ValueError, OverflowError, UnicodeDecodeError):
        raise SpecError(
            f"{echo_path(path)} is no file in the format of Matrix Market, whose first line is as "
            "'%%MatrixMarket matrix coordinate real symmetric'."
        ) from None
    if np.iscomplexobj(matrix):
        raise SpecError(f"{echo_path(path)} has complex numbers; matrices of a body are real.")
    return matrix


def read_body(path: str | Path, material: Material, unit: float = 1.0) -> ImportedBody:
    """Our elements in the cells of a mesh; `unit` is the length of one in the file, in m.

    Cells of surfaces and lines, which mark boundaries, and nodes without a solid are left out.
    """
    mesh = _mesh(path)
    blocks = [block for block in mesh.cells if block.dim == 3]
    _check_cells(path, [block.type for block in blocks])
    solids = [(SOLIDS[block.type], np.asarray(block.data, np.int64)) for block in blocks]
    used = np.unique(np.concatenate([cells.ravel() for _, cells in solids]))
    places = unit * np.asarray(mesh.points, float)[used]
    size = 3 * len(used)
    stiffness, mass = sparse.csr_array((size, size)), sparse.csr_array((size, size))
    for element, cells in solids:
        ordered = _ordered(element, np.searchsorted(used, cells), places)
        parts = _assembled(path, places, ordered, element, material)
        stiffness, mass = stiffness + parts[0], mass + parts[1]
    return ImportedBody(places, *check_matrices(mass, stiffness))


def _mesh(path: str | Path) -> Any:
    try:
        import meshio
    except ImportError:
        raise SpecError(
            "Reading meshes needs the package meshio; install it by pip install 'flank[meshes]'."
        ) from None
    said = StringIO()
    try:
        with redirect_stdout(said), redirect_stderr(said):  # what meshio would print of its own
            return meshio.read(path)
    except SystemExit:  # its own way out where no reader fits
        reasons = said.getvalue().strip().splitlines()
    except (meshio.ReadError, OSError, ValueError) as error:
        reasons = str(error).strip().splitlines()
    reason = f": {reasons[0].removeprefix('Error: ').rstrip('.')}" if reasons else ""
    raise SpecError(f"{echo_path(path)} cannot be read as a mesh{reason}.") from None


def _check_cells(path: str | Path, kinds: list[str]) -> None:
    if not kinds:
        raise SpecError(f"{echo_path(path)} has no solid cells; a body is made of {_known()}.")
    for kind in kinds:
        if kind not in SOLIDS:
            why = "; four nodes bend far too stiffly" if kind == TOO_STIFF else ""
            raise SpecError(
                f"{echo_path(path)} has cells of the kind '{kind}'{why}; mesh the body with "
                f"{_known()}."
            )


def _known() -> str:
    return "hexahedra of 8, 20 or 27 nodes or tetrahedra of 10 nodes"


def _ordered(element: str, cells: Integers, places: Floats) -> Integers:
    """Nodes of cells in the order of our elements."""
    if element == "tetrahedron-10":  # in the same order, but either side may come first
        edges = places[cells[:, 1:4]] - places[cells[:, :1]]
        return np.where((np.linalg.det(edges) < 0)[:, None], cells[:, MIRRORED], cells)
    theirs = VTK_HEXAHEDRON[: cells.shape[1]]
    order = [int(np.argmin(abs(theirs - place).sum(axis=1))) for place in corner_places(element)]
    return cells[:, order]


def _assembled(
    path: str | Path, places: Floats, cells: Integers, element: str, material: Material
) -> tuple[Matrix, Matrix]:
    try:
        return assembled(places, cells, element, material)
    except ValueError:
        raise SpecError(
            f"{echo_path(path)} has cells that are turned inside out or have no volume; check the "
            "mesh where it was made."
        ) from None
