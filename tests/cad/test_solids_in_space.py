"""Solids of bevel and hypoid gears: volumes of fine polyhedra, flanks as cut anew, read back."""

import numpy as np
import pytest
from scipy.interpolate import BSpline
from step_files import StepFile

import flank
from flank.cad.bevel import member_patches, space_solids
from flank.cad.step import solid_of_patches, spline_surface, step_bytes, volume_of
from flank.errors import SpecError
from flank.machines.bevel_pair import teeth

pytest.importorskip("OCP")

LATER = pytest.mark.nightly
PAIRS = [
    "bevel-pair",
    pytest.param("spiral-bevel-nasa", marks=LATER),
    pytest.param("hypoid-pair", marks=LATER),
    pytest.param("beveloid-pair", marks=LATER),
]


def cut_finer(name, monkeypatch):
    """The same teeth by grids of twice as many points."""
    monkeypatch.setattr(teeth, "PROFILE_POINTS", 65)
    monkeypatch.setattr(teeth, "LENGTHWISE_POINTS", 69)
    teeth.made_teeth.cache_clear()
    try:
        return flank.preset(name).bodies
    finally:
        teeth.made_teeth.cache_clear()


def facets_volume(patch):
    """Of the pyramids from the origin over two triangles a cell, signed."""
    a, b, c, d = patch[:-1, :-1], patch[1:, :-1], patch[1:, 1:], patch[:-1, 1:]
    both = np.cross(b, c) * a + np.cross(c, d) * a
    return float(both.sum()) / 6


def way_of(edge):
    """An edge by its ends, and whether it runs from the first of them."""
    ends = [tuple(np.round(1e7 * end).astype(int)) for end in (edge[0], edge[-1])]
    return tuple(sorted(ends)), ends[0] < ends[1]


def polyhedral_volume(patches):
    """Of what patches enclose, in mm³: two that share an edge run along it in opposite ways."""
    rounds, owners = [], {}
    for number, patch in enumerate(patches):
        edges = (patch[:, 0], patch[-1], patch[::-1, -1], patch[0, ::-1])
        rounds.append([way_of(edge) for edge in edges])
        for name, way in rounds[-1]:
            if name[0] == name[1]:
                continue  # where a space runs to a point
            owners.setdefault(name, []).append((number, way))
    signs, waiting = {0: 1}, [0]
    while waiting:
        number = waiting.pop()
        for name, way in rounds[number]:
            for other, its in owners.get(name, ()):
                if other not in signs:
                    signs[other] = -signs[number] if its == way else signs[number]
                    waiting.append(other)
    assert len(signs) == len(patches)
    return 1e9 * abs(sum(signs[k] * facets_volume(patch) for k, patch in enumerate(patches)))


@pytest.mark.parametrize("name", PAIRS)
def test_a_solid_has_the_volume_of_its_gear(name, monkeypatch):
    finer = cut_finer(name, monkeypatch)
    solids = space_solids(flank.preset(name), 0.3)
    for solid, body in list(zip(solids, finer, strict=True))[: 1 if name == "bevel-pair" else 2]:
        volume = volume_of(solid_of_patches(solid.patches))
        assert volume == pytest.approx(polyhedral_volume(list(member_patches(body))), rel=1e-3)


@pytest.mark.parametrize("name", PAIRS)
def test_faces_of_flanks_lie_within_a_micrometre_of_flanks_that_are_cut_finer(name, monkeypatch):
    coarse, finer = flank.preset(name).bodies, cut_finer(name, monkeypatch)
    for body, fine in zip(coarse, finer, strict=True):
        for side in ("concave", "convex"):
            exact = fine.member.side(side).flank
            poles, along, across = spline_surface(body.member.side(side).flank.points)
            rows, columns = exact.points.shape[:2]
            found = BSpline(along, poles, 3)(np.linspace(0, 1, rows))
            found = BSpline(across, np.swapaxes(found, 0, 1), 3)(np.linspace(0, 1, columns))
            off = np.einsum("jik,ijk->ij", found, exact.normals)
            off -= np.einsum("ijk,ijk->ij", exact.points, exact.normals)
            assert np.abs(off).max() < 1e-7


def test_faces_meet_along_their_edges():
    """Every edge of a patch is that of one other patch."""
    body = flank.preset("bevel-pair").bodies[0]
    edges = {}
    for patch in member_patches(body):
        for edge in (patch[0], patch[-1], patch[:, 0], patch[:, -1]):
            ends = sorted(tuple(np.round(1e7 * end).astype(int)) for end in (edge[0], edge[-1]))
            edges.setdefault(tuple(ends), []).append(edge)
    assert {len(found) for found in edges.values()} == {2}
    for one, other in edges.values():
        apart = min(np.abs(one - other).max(), np.abs(one - other[::-1]).max())
        assert apart < 1e-9


def test_step_holds_a_named_solid_a_gear():
    """Read without Open CASCADE, which writes the file and computes the other volume."""
    machine = flank.preset("bevel-pair")
    pinion = space_solids(machine, 0.0)[:1]
    solids = StepFile(step_bytes(pinion, machine.title).decode()).solids
    written = volume_of(solid_of_patches(pinion[0].patches))
    assert solids == pytest.approx({"pinion": written}, rel=1e-5)


def test_drawings_of_gears_in_space_are_refused_and_say_what_is_written(tmp_path):
    for name in ("dxf", "svg", "csv"):
        with pytest.raises(SpecError, match="write their solids with --step"):
            flank.export(flank.preset("bevel-pair"), tmp_path / f"pair.{name}")


def test_holes_in_a_body_are_told_to_be_left_out():
    holes = {"count": 6, "diameter": "8 mm", "circle_diameter": "94 mm"}
    elements = {"mesh.model": "flanks", "mesh.influence": "fe"}
    machine = flank.preset("hypoid-pair", {"wheel.body.holes": holes, **elements})
    with pytest.raises(SpecError, match=r"wheel\.body\.holes: solids of gears in space"):
        space_solids(machine, 0.0)
