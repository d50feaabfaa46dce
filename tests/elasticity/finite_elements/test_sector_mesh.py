"""Sectors: cut faces that match, true outlines, the volume of the gear, every kind of body."""

import math

import numpy as np
import pytest
from element_gears import ANGLE

from flank.elasticity.finite_elements.elements import assembled
from flank.elasticity.finite_elements.sector_mesh import GearBody, MeshDensity, sector_mesh
from flank.elasticity.material import Material
from flank.geometry.gear import Gear
from flank.geometry.tooth_outline import enclosed_area, half_outline

DENSITY = MeshDensity(tooth=4, flank=6, fillet=2, space=2, layers=2)
WEB = GearBody(20e-3, 15e-3, 8e-3, 6e-3, 25e-3, 30e-3)
GEARS = {
    "spur": (Gear(50, 3e-3, ANGLE), GearBody(20e-3, 30.6e-3)),
    "web and hub": (Gear(50, 3e-3, ANGLE), WEB),
    "web without a hub": (Gear(50, 3e-3, ANGLE), GearBody(20e-3, 15e-3, 8e-3, 6e-3)),
    "helical": (Gear(31, 4e-3, ANGLE, 0.2, helix_angle=0.4), GearBody(40e-3, 30e-3)),
    "undercut": (Gear(9, 5e-3, ANGLE), GearBody(20e-3, 8e-3)),
    "few teeth": (Gear(10, 10e-3, ANGLE, 0.45), GearBody(50e-3, 20e-3)),
    "thin rim": (Gear(80, 2e-3, ANGLE), GearBody(20e-3, 75e-3)),
    "rounded edges": (Gear(20, 10e-3, ANGLE, 0.5, edge_radius=1e-3), GearBody(50e-3, 50e-3)),
    "full round roots": (Gear(30, 3e-3, ANGLE, fillet_radius=0.6), GearBody(20e-3, 20e-3)),
    "ring": (Gear(91, 10e-3, ANGLE, -0.84, True, edge_radius=0.2e-3), GearBody(0.1, 0.52)),
    "helical ring": (Gear(60, 3e-3, ANGLE, -0.5, True, helix_angle=0.3), GearBody(0.03, 0.11)),
}


def volume(body, gear):
    outline = enclosed_area(gear)
    if gear.internal:
        return body.face_width * (math.pi * body.held_radius**2 - outline)
    inside, solid = body.held_radius, outline * body.face_width
    if body.web_thickness is None:
        return solid - math.pi * inside**2 * body.face_width
    rim, hub = gear.root_radius - body.rim_thickness, body.hub_radius or inside
    web = math.pi * (rim**2 - hub**2) * body.web_thickness
    hubs = math.pi * (hub**2 - inside**2) * (body.hub_width or 0.0)
    return solid - math.pi * rim**2 * body.face_width + web + hubs


@pytest.mark.parametrize("name", GEARS)
def test_volume_is_that_of_the_outline_and_its_body(name):
    gear, body = GEARS[name]
    mesh = sector_mesh(gear, body, DENSITY)
    _, mass = assembled(mesh.nodes, mesh.elements, mesh.element, Material(2e11, 0.3, 1.0))
    push = np.tile([0.0, 0.0, 1.0], len(mesh.nodes))
    assert gear.teeth * (push @ mass @ push) == pytest.approx(volume(body, gear), rel=2e-4)


@pytest.mark.parametrize("name", GEARS)
def test_right_face_is_the_left_one_turned_by_a_pitch(name):
    gear, body = GEARS[name]
    mesh = sector_mesh(gear, body, DENSITY)
    left, right = mesh.nodes[mesh.left], mesh.nodes[mesh.right]
    turned = (left[:, 0] + 1j * left[:, 1]) * np.exp(1j * gear.pitch_angle)
    np.testing.assert_allclose(turned, right[:, 0] + 1j * right[:, 1], atol=1e-12)
    np.testing.assert_array_equal(left[:, 2], right[:, 2])
    assert len(left) == len(right) > 0


@pytest.mark.parametrize("name", GEARS)
def test_nodes_of_flank_held_surface_and_middle_lie_where_they_should(name):
    gear, body = GEARS[name]
    mesh = sector_mesh(gear, body, DENSITY)
    straight = (mesh.nodes[:, 0] + 1j * mesh.nodes[:, 1]) * np.exp(
        -1j * mesh.twist * mesh.nodes[:, 2]
    )
    held = np.abs(straight[mesh.held])
    np.testing.assert_allclose(held, body.held_radius, rtol=1e-12)
    np.testing.assert_allclose(straight[mesh.centre].imag, 0, atol=1e-15)
    ends = sorted((half_outline(gear).form_roll, gear.edge_roll_length))
    np.testing.assert_allclose(mesh.roll_knots[[0, -1]], ends, rtol=1e-12)
    np.testing.assert_allclose(
        mesh.layer_knots[[0, -1]], [-body.face_width / 2, body.face_width / 2]
    )
    for row, knots in enumerate(zip(mesh.roll_knots[:-1], mesh.roll_knots[1:], strict=True)):
        nodes = mesh.elements[mesh.flank[row, 0]]
        away = np.abs(straight[nodes][:, None] - half_outline(gear).flank.point(np.array(knots)))
        assert np.all(np.min(away, axis=0) < 1e-12)


def test_hexahedra_of_eight_nodes_fill_the_same_lattice():
    gear, body = GEARS["web and hub"]
    eight, twenty = (
        sector_mesh(gear, body, MeshDensity(4, 6, 2, 2, 2, element=f"hexahedron-{n}"))
        for n in (8, 20)
    )
    assert len(eight.elements) == len(twenty.elements)
    assert eight.elements.shape[1] == 8
    assert len(eight.nodes) < 0.4 * len(twenty.nodes)
