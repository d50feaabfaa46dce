"""Bodies out of files are those that were written; what is none is refused in a sentence."""

import meshio
import numpy as np
import pytest
from scipy.io import mmwrite
from skfem import MeshHex, MeshHex2, MeshTet, MeshTet2
from skfem.io.meshio import to_meshio

from flank.elasticity.finite_elements.imported import read_body, read_matrices
from flank.elasticity.finite_elements.reduction import natural_modes, reduce_body
from flank.elasticity.material import Material
from flank.errors import SpecError

STEEL = Material(207e9, 0.3, 7600.0)
AXES = np.linspace(0, 100, 7), np.linspace(0, 20, 3), np.linspace(0, 10, 3)
"""Of a bar in mm."""


def written(path, mesh):
    to_meshio(mesh).write(path)
    return path


@pytest.fixture(scope="module")
def bar(tmp_path_factory):
    folder = tmp_path_factory.mktemp("meshes")
    box = MeshHex.init_tensor(*AXES)
    tets = MeshTet.init_tensor(*AXES)
    meshes = {"hex8": box, "hex27": MeshHex2.from_mesh(box), "tet10": MeshTet2.from_mesh(tets)}
    return {name: written(folder / f"{name}.vtu", mesh) for name, mesh in meshes.items()}


def serendipity(folder):
    """Twenty nodes in VTK's order, of which scikit-fem has no mesh."""
    box = meshio.read(written(folder / "box.vtu", MeshHex2.from_mesh(MeshHex.init_tensor(*AXES))))
    cells = [("hexahedron20", box.cells_dict["hexahedron27"][:, :20])]
    path = folder / "hex20.vtu"
    meshio.Mesh(box.points, cells).write(path)
    return path


def test_all_kinds_of_cells_give_the_same_body(bar, tmp_path):
    found = {}
    for name, path in (bar | {"hex20": serendipity(tmp_path)}).items():
        body = read_body(path, STEEL, unit=1e-3)
        motion = np.tile((1.0, 0, 0), len(body.places))
        assert motion @ (body.mass @ motion) == pytest.approx(7600 * 0.1 * 0.02 * 0.01)
        assert abs(body.stiffness @ motion).max() < 1e-6 * abs(body.stiffness).max()
        found[name] = natural_modes(body.mass, body.stiffness, 9).frequencies
        assert found[name][:6].max() < 1e-2 * found[name][6]
    for name, near in (("hex8", 0.1), ("hex20", 0.01), ("tet10", 0.02)):
        np.testing.assert_allclose(found[name][6:], found["hex27"][6:], rtol=near)


def test_matrices_survive_a_file(bar, tmp_path):
    body = read_body(bar["hex8"], STEEL, unit=1e-3)
    paths = tmp_path / "mass.mtx", tmp_path / "stiffness.mtx"
    mmwrite(paths[0], body.mass, symmetry="symmetric", precision=16)
    mmwrite(paths[1], body.stiffness, symmetry="symmetric", precision=16)
    mass, stiffness = read_matrices(*paths)
    np.testing.assert_allclose(mass.toarray(), body.mass.toarray(), rtol=1e-12, atol=1e-15)
    ends = np.argsort(body.places @ (1.0, 2.0, 3.0))[[0, 1, -1]]
    masters = 3 * ends[:, None] + np.arange(3)
    one, other = (
        reduce_body(*pair, masters.ravel(), 6).modes(10).frequencies
        for pair in ((mass, stiffness), (body.mass, body.stiffness))
    )
    np.testing.assert_allclose(one[6:], other[6:], rtol=1e-8)


def test_files_that_hold_no_matrices_are_refused(tmp_path):
    text, complex_one, uneven = (tmp_path / name for name in ("a.mtx", "b.mtx", "c.mtx"))
    text.write_text("mass of a gear\n1 2 3\n")
    mmwrite(complex_one, 1j * np.eye(3))
    mmwrite(uneven, np.ones((2, 3)))
    cases = {
        "does not exist": tmp_path / "nowhere.mtx",
        "cannot be read: it is a folder": tmp_path,
        "is no file in the format of Matrix Market": text,
        "has complex numbers": complex_one,
        "mass matrix is 2 x 3; it must be square": uneven,
    }
    good = tmp_path / "good.mtx"
    mmwrite(good, np.eye(3))
    for words, path in cases.items():
        with pytest.raises(SpecError, match=words):
            read_matrices(path, good)


def test_meshes_that_make_no_body_are_refused(tmp_path):
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
    cube = MeshHex.init_tensor(*([np.linspace(0, 1, 2)] * 3))
    good = meshio.read(written(tmp_path / "cube.vtu", cube))
    flat = good.points.copy()
    flat[:, 2] *= -1
    meshes = {
        "four nodes bend far too stiffly": meshio.Mesh(points, [("tetra", [[0, 1, 2, 3]])]),
        "has no solid cells": meshio.Mesh(points, [("triangle", [[0, 1, 2]])]),
        "turned inside out": meshio.Mesh(flat, good.cells),
    }
    for number, (words, mesh) in enumerate(meshes.items()):
        path = tmp_path / f"{number}.vtu"
        mesh.write(path)
        with pytest.raises(SpecError, match=words):
            read_body(path, STEEL)
    odd = tmp_path / "odd.vtu"
    odd.write_text("nothing")
    for path in (odd, tmp_path / "nowhere.vtu", tmp_path / "gear.unknown"):
        with pytest.raises(SpecError, match="cannot be read as a mesh"):
            read_body(path, STEEL)


def test_a_reader_that_gives_up_is_heard_and_prints_nothing(tmp_path, capfd):
    """meshio ends the program where a file has its suffix and no reader of it fits."""
    pytest.importorskip("meshio")
    broken = tmp_path / "gear.vtk"
    broken.write_text("hello\n")
    with pytest.raises(SpecError, match=r"cannot be read as a mesh: Illegal VTK header\.$"):
        read_body(broken, STEEL)
    assert capfd.readouterr() == ("", "")
