"""Meshes of bevel sectors: true flanks, sound cells, cut faces that fit, refusals."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from bevel_members import QUICK, mirrored_member

from flank.elasticity.finite_elements.bevel_mesh import (
    BEVEL_DENSITY,
    BevelBody,
    bevel_mesh,
    side_forces,
)
from flank.elasticity.finite_elements.elements import assembled, corner_places, shapes_at
from flank.elasticity.finite_elements.sector_mesh import GearBody, sector_mesh
from flank.elasticity.material import STEEL
from flank.geometry.bevel.helicoid import helicoid_member
from flank.geometry.bevel.published import nasa_gear, nasa_pinion
from flank.geometry.gear import Gear
from flank.geometry.spline_surface import SplineSurface

BODIES = {
    "pinion": (cache(nasa_pinion), BevelBody(10e-3, 6e-3)),
    "wheel": (cache(nasa_gear), BevelBody(25e-3, 10e-3)),
}
SPUR = Gear(24, 3e-3, math.radians(20))


@pytest.fixture(params=BODIES)
def pair(request):
    member, body = BODIES[request.param]
    return member(), body


def jacobians(mesh):
    """At all nodes and the middle of all elements."""
    places = np.vstack((corner_places(mesh.element), np.full((1, 3), 0.5))).T
    slopes = shapes_at(mesh.element, places)[1]
    return np.einsum("eni,jnq->eqij", mesh.nodes[mesh.elements], slopes)


@pytest.mark.parametrize("density", [BEVEL_DENSITY, QUICK])
def test_no_cell_is_turned_over_or_flat(pair, density):
    jacobian = jacobians(bevel_mesh(*pair, density))
    volume = np.linalg.det(jacobian)
    assert volume.min() > 0
    shape = volume / np.prod(np.linalg.norm(jacobian, axis=-2), axis=-1)
    assert shape.min() > 0.3


def test_cut_faces_are_one_pitch_apart(pair):
    mesh = bevel_mesh(*pair, QUICK)
    left, right = (mesh.nodes[nodes] for nodes in (mesh.left, mesh.right))
    turn = np.exp(2j * math.pi / mesh.teeth)
    turned = (left[:, 0] + 1j * left[:, 1]) * turn
    np.testing.assert_allclose(turned, right[:, 0] + 1j * right[:, 1], atol=1e-15)
    np.testing.assert_array_equal(left[:, 2], right[:, 2])


def test_flanks_are_the_true_ones(pair):
    """Places (u, v) of the mesh, read by its shape functions, lie on the surface."""
    member, _ = pair
    mesh = bevel_mesh(*pair, BEVEL_DENSITY)
    u, v = (x.ravel() for x in np.meshgrid(np.linspace(-1, 1, 8), np.linspace(-1, 1, 7)))
    for name in ("concave", "convex"):
        ones = np.tile([1.0, 0.0, 0.0], (len(u), 1))
        weights = side_forces(mesh, name, u, v, ones)[::3].T
        surface = SplineSurface(member.side(name).flank.points)
        off = np.linalg.norm(weights @ mesh.nodes - surface.points(u, v), axis=1)
        assert off.max() < 20e-6  # of faces of second degree, 4 mm long


def test_a_cylinder_has_the_volume_of_its_own_mesh():
    face, held = 20e-3, 12e-3
    member = helicoid_member(SPUR, face)
    meshes = (
        bevel_mesh(member, BevelBody(held, 10e-3), QUICK),
        sector_mesh(SPUR, GearBody(face, held), QUICK),
    )
    volumes = []
    for mesh in meshes:
        _, mass = assembled(mesh.nodes, mesh.elements, mesh.element, STEEL)
        volumes.append(mass.sum() / 3 / STEEL.density)
    assert volumes[0] == pytest.approx(volumes[1], rel=1e-3)


def test_constant_strain_leaves_no_forces_inside(pair):
    mesh = bevel_mesh(*pair, QUICK)
    stiffness, _ = assembled(mesh.nodes, mesh.elements, mesh.element, STEEL)
    gradient = np.random.default_rng(1).standard_normal((3, 3))
    forces = (stiffness @ (mesh.nodes @ gradient.T).ravel()).reshape(-1, 3)
    # a node inside is one whose elements close around it: all sums of areas vanish there
    corners, counts = np.unique(mesh.elements[:, corner_nodes(mesh)], return_counts=True)
    inside = corners[counts == 8]
    assert len(inside) > 10
    assert np.abs(forces[inside]).max() < 1e-11 * np.abs(forces).max()


def corner_nodes(mesh):
    places = corner_places(mesh.element)
    return np.flatnonzero(np.all(np.abs(places - 0.5) == 0.5, axis=1))


def test_the_other_hand_is_the_mirror_image(pair):
    member, body = pair
    mesh = bevel_mesh(member, body, QUICK)
    other = bevel_mesh(mirrored_member(member), body, QUICK)
    mirror = np.array([1.0, -1.0, 1.0])
    order = [np.lexsort(np.round(nodes, 9).T) for nodes in (mesh.nodes, other.nodes * mirror)]
    np.testing.assert_allclose(mesh.nodes[order[0]], (other.nodes * mirror)[order[1]], atol=1e-12)


REFUSED = {
    "reaches above the root cone, whose radius at the toe is 19.8": {"held_radius": 21e-3},
    "held at a bore of positive radius, not 0 mm": {"held_radius": 0.0},
    "too thin to carry teeth of": {"rim_thickness": 1e-3},
    "1 mm at the toe is too thin": {"toe_thickness": 1e-3},
    "rim reaches .* mm into the bore of radius 10 mm at the toe": {"rim_thickness": 11e-3},
}


@pytest.mark.parametrize("sentence", REFUSED)
def test_bodies_that_cannot_be_are_refused_in_one_sentence(sentence):
    member, body = BODIES["pinion"]
    with pytest.raises(ValueError, match=sentence) as error:
        bevel_mesh(member(), replace(body, **REFUSED[sentence]), QUICK)
    assert "\n" not in str(error.value)


def test_a_disc_without_thickness_is_refused():
    member, body = BODIES["wheel"]
    with pytest.raises(ValueError, match="make the rim thinner at the toe"):
        bevel_mesh(member(), replace(body, toe_thickness=20e-3), QUICK)


def test_cells_that_are_not_there_are_refused():
    member, body = BODIES["wheel"]
    with pytest.raises(ValueError, match="even number of cells across the tooth"):
        bevel_mesh(member(), body, replace(QUICK, tooth=3))
