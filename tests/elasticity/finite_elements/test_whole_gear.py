"""All teeth meshed: the same gear as one sector, and gears that have no such symmetry."""

import math
from dataclasses import replace

import numpy as np
import pytest
from element_gears import ANGLE, COARSE, SMALL_BODY

from flank.elasticity.finite_elements.cyclic import (
    Centre,
    cyclic_gear,
    harmonic_modes,
    lowest_modes,
)
from flank.elasticity.finite_elements.influence import FlankGrid, flank_forces, flank_influence
from flank.elasticity.finite_elements.sector_mesh import GearBody, sector_mesh
from flank.elasticity.finite_elements.whole_gear import (
    direct_compliance,
    gear_matrices,
    round_holes,
    tooth_forces,
    whole_gear,
)
from flank.elasticity.material import STEEL
from flank.geometry.gear import Gear

HELICAL = Gear(9, 2e-3, ANGLE, 0.5, helix_angle=0.3)
WEB = GearBody(4e-3, 2e-3, 1e-3, 1.5e-3)


def frequencies(stiffness, mass, count):
    return np.sqrt(np.maximum(lowest_modes(stiffness, mass, count)[0], 0)) / (2 * math.pi)


def by_sectors(gear, count, centre):
    found = []
    for n in range(gear.teeth // 2 + 1):
        modes = harmonic_modes(gear, n, 4, centre).frequencies
        found += [*modes, *(modes if 0 < 2 * n < gear.teeth else ())]
    return np.sort(found)[:count]


@pytest.mark.parametrize("centre", [Centre(), Centre(lateral=True, rotation=True)])
def test_without_holes_it_is_the_gear_of_one_sector(centre):
    """This one knows nothing of polar components and folded faces."""
    mesh = sector_mesh(HELICAL, SMALL_BODY, COARSE)
    stiffness, mass, _ = gear_matrices(whole_gear(mesh), STEEL, centre)
    expected = by_sectors(cyclic_gear(mesh, STEEL), 8, centre)
    np.testing.assert_allclose(frequencies(stiffness, mass, 8), expected, rtol=1e-8, atol=5.0)


def test_compliance_is_that_of_influence_numbers():
    grid = FlankGrid(2, 1, 2)
    numbers = flank_influence(HELICAL, SMALL_BODY, STEEL, grid, COARSE)
    mesh = sector_mesh(HELICAL, SMALL_BODY, COARSE)
    whole = whole_gear(mesh)
    forces = flank_forces(HELICAL, mesh, numbers.roll, 1)
    loads = np.hstack([tooth_forces(whole, mesh, forces, tooth) for tooth in (3, 4, 1)])
    found = direct_compliance(whole, STEEL, loads)
    np.testing.assert_allclose(found[2:4, :2], numbers.compliance[3], rtol=1e-6)
    np.testing.assert_allclose(found[4:, :2], numbers.compliance[0], rtol=1e-6)


def test_holes_in_every_sector_keep_pairs_of_modes_and_one_hole_splits_them():
    mesh = sector_mesh(HELICAL, WEB, replace(COARSE, growth=0.4))
    middle = 0.5 * (WEB.held_radius + HELICAL.root_radius - WEB.rim_thickness)
    nine, one = (round_holes(mesh, count, middle, 1.5e-3) for count in (9, 1))
    assert nine.any(axis=1).all()
    assert one.any(axis=1).sum() == 1
    alike, single = (
        frequencies(*gear_matrices(whole_gear(mesh, out), STEEL)[:2], 6) for out in (nine, one)
    )
    apart = np.diff(alike) / alike[1:]
    pairs = np.flatnonzero(apart < 1e-9)
    assert len(pairs) >= 2
    assert np.min(np.delete(apart, pairs)) > 1e-4
    assert np.min(np.diff(single) / single[1:]) > 1e-6


def test_a_hole_takes_the_mass_of_its_cells():
    mesh = sector_mesh(HELICAL, WEB, COARSE)
    out = round_holes(mesh, 1, 0.5 * (WEB.held_radius + HELICAL.root_radius), 2e-3)
    whole, less = whole_gear(mesh), whole_gear(mesh, out)
    free = Centre(axial=True)
    masses = []
    for gear in (whole, less):
        _, mass, basis = gear_matrices(gear, STEEL, free)
        push = np.append(np.tile([0.0, 0.0, 1.0], (basis.shape[1] - 1) // 3), 1.0)
        masses.append(push @ mass @ push)
    assert 0 < masses[0] - masses[1] < 0.1 * masses[0]
    assert len(less.elements) == len(whole.elements) - out.sum()


def test_a_load_where_nothing_is_left_is_refused():
    mesh = sector_mesh(HELICAL, WEB, COARSE)
    out = np.zeros((9, len(mesh.elements)), dtype=bool)
    out[4, mesh.flank.ravel()] = True
    whole = whole_gear(mesh, out)
    forces = flank_forces(HELICAL, mesh, mesh.roll_knots[[-1]], 1)
    tooth_forces(whole, mesh, forces, 3)
    with pytest.raises(ValueError, match="acts where cells are left out; load another"):
        tooth_forces(whole, mesh, forces, 4)
