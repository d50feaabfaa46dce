"""The lowest modes of a gear and its front: against all harmonics, all teeth, and symmetry."""

import math

import numpy as np
import pytest
from element_gears import ANGLE, COARSE, SMALL, SMALL_BODY
from scipy.linalg import eigh

from flank.elasticity.finite_elements.cyclic import (
    Centre,
    cyclic_gear,
    harmonic_modes,
    whole_matrices,
)
from flank.elasticity.finite_elements.flank_modes import flank_modes
from flank.elasticity.finite_elements.influence import FlankGrid
from flank.elasticity.finite_elements.mode_shapes import DENSITY, mode_shapes
from flank.elasticity.finite_elements.sector_mesh import GearBody, MeshDensity, sector_mesh
from flank.elasticity.material import STEEL
from flank.geometry.gear import Gear
from flank.geometry.tooth_outline import enclosed_area

WEB = GearBody(6e-3, 3e-3, rim_thickness=1.2e-3, web_thickness=2e-3)
MANY = Gear(30, 2e-3, ANGLE)
HELICAL = Gear(9, 2e-3, ANGLE, 0.5, helix_angle=0.3)
TURNING = Centre(rotation=True)


def shapes(gear=SMALL, body=SMALL_BODY, count=6, density=COARSE, **more):
    return mode_shapes(gear, body, STEEL, count, density=density, **more)


@pytest.mark.parametrize(("held", "count"), [(6e-3, 12), (26e-3, 8)])
def test_the_lowest_of_a_search_that_ends_are_those_of_all_harmonics(held, count):
    """Of a disc, whose waves grow stiff soon, and of a narrow rim, whose do late."""
    body = GearBody(8e-3, min(held, 0.93 * MANY.root_radius))
    sector = cyclic_gear(sector_mesh(MANY, body, COARSE), STEEL)
    every = [harmonic_modes(sector, n, count) for n in range(16)]
    frequencies = np.concatenate([modes.frequencies for modes in every])
    harmonics = np.repeat(np.arange(16), count)
    order = np.argsort(frequencies)[:count]
    lowest = shapes(MANY, body, count)
    np.testing.assert_allclose(lowest.frequency, frequencies[order], rtol=1e-8)
    np.testing.assert_array_equal(lowest.harmonic, harmonics[order])


def test_all_teeth_at_once_have_every_frequency_so_often():
    lowest = shapes(count=7)
    sector = cyclic_gear(sector_mesh(SMALL, SMALL_BODY, COARSE), STEEL)
    stiffness, mass, _ = whole_matrices(sector)
    expected = np.repeat(lowest.frequency, lowest.times)
    squares = eigh(
        stiffness.toarray(),
        mass.toarray(),
        eigvals_only=True,
        subset_by_index=[0, len(expected) - 1],
    )
    np.testing.assert_allclose(np.sqrt(squares) / (2 * math.pi), expected, rtol=1e-7)
    assert set(lowest.times[lowest.harmonic == 0]) == {1}
    assert set(lowest.times[lowest.harmonic > 0]) == {2}


def test_every_other_tooth_moves_alone():
    """Waves of half as many as teeth cannot be shifted: they come once."""
    gear, body = Gear(8, 2e-3, ANGLE, 0.5), GearBody(6e-3, 5.4e-3)
    lowest = shapes(gear, body, 20)
    assert lowest.times[lowest.harmonic == 4].tolist().count(1) >= 1
    assert np.all(lowest.times[lowest.harmonic == 4] == 1)
    assert np.all(np.abs(lowest.displacement[lowest.harmonic == 4].imag) < 1e-9)


def test_a_spur_gear_vibrates_in_its_plane_or_out_of_it():
    """Mirrored at mid-face it is the same gear: bent, it does not move its flanks in the mean; in
    the plane both sides of the face move alike."""
    lowest = shapes(count=8)
    bent = lowest.energy[:, 2] > 0.5
    assert bent.any()
    assert not bent.all()
    assert np.all(lowest.flank_amplitude[bent] < 1e-8)
    assert np.all(lowest.flank_amplitude[~bent] > 0.3)
    helical = shapes(HELICAL, count=8)
    assert np.all(helical.flank_amplitude[helical.energy[:, 2] > 0.5] > 0.05)


def test_torsion_moves_around_and_nothing_else():
    lowest = shapes(count=8)
    twist = (lowest.harmonic == 0) & (lowest.energy[:, 1] > 0.5)
    assert twist.sum() == 1
    assert lowest.energy[twist, 1].item() > 0.98


def test_a_bore_that_turns_has_no_torsion_below_that_of_a_locked_one():
    """The frequencies of a gear with one more freedom lie between those without; its rigid turn is
    no mode, and all other waves know nothing of it."""
    locked, turning = shapes(count=8), shapes(count=8, centre=TURNING)

    def torsion(modes):
        return modes.frequency[(modes.harmonic == 0) & (modes.energy[:, 1] > 0.5)]

    assert np.all(turning.frequency > 0.5 * locked.frequency[0])
    assert np.all(torsion(turning) > torsion(locked)[0])
    common = min(np.sum(locked.harmonic > 0), np.sum(turning.harmonic > 0))
    waves = [modes.frequency[modes.harmonic > 0][:common] for modes in (locked, turning)]
    np.testing.assert_allclose(*waves, rtol=1e-8)


def test_amplitudes_are_those_of_flank_modes():
    """The effective value of all flanks, of unit modal mass, times the root of the gear's mass."""
    grid = FlankGrid(5, 1, 0)
    direct = flank_modes(SMALL, SMALL_BODY, STEEL, 4, 8, grid=grid, density=COARSE)
    order = np.argsort(direct.frequency)[:8]
    lowest = shapes(count=8)
    square = np.mean(np.abs(direct.amplitude[order]) ** 2, axis=1) / lowest.times
    expected = np.sqrt(direct.mass * square)
    np.testing.assert_allclose(lowest.flank_amplitude, expected, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("body", [SMALL_BODY, WEB])
@pytest.mark.parametrize("gear", [SMALL, HELICAL])
def test_the_front_of_all_teeth_covers_the_gear(gear, body):
    """What one sees along the axis, rim and web together, is the area of the outline."""
    density = MeshDensity(tooth=4, flank=4, fillet=2, space=2, layers=3)
    front = shapes(gear, body, 1, density)
    places = front.points[:, 0] + 1j * front.points[:, 1]
    corners = places[front.cells]
    areas = 0.5 * np.sum((corners.conj() * np.roll(corners, -1, axis=1)).imag, axis=1)
    assert np.all(areas > 0)
    outline = enclosed_area(gear) - math.pi * body.held_radius**2
    assert gear.teeth * areas.sum() == pytest.approx(outline, rel=0.01)
    heights = {3e-3} if body.web_thickness is None else {1e-3, 3e-3}
    assert set(front.points[:, 2].round(9)) == heights


@pytest.mark.parametrize("gear", [SMALL, HELICAL])
def test_neighbours_fit_together_where_they_meet(gear):
    """A point of a cut and the one a pitch further move alike, a tooth's phase later."""
    front = shapes(gear)
    places, pitch = front.points[:, 0] + 1j * front.points[:, 1], 2 * math.pi / gear.teeth
    left, right = np.nonzero(np.abs(places[:, None] * np.exp(1j * pitch) - places) < 1e-9)
    assert len(left) >= 2
    cosine, sine = math.cos(pitch), math.sin(pitch)
    turn = np.array([[cosine, -sine, 0], [sine, cosine, 0], [0, 0, 1]])
    onward = front.displacement[:, left] @ turn.T
    onward *= np.exp(1j * pitch * front.harmonic)[:, None, None]
    np.testing.assert_allclose(front.displacement[:, right], onward, atol=1e-9)


def test_the_largest_displacement_is_one():
    lowest = shapes(count=8)
    sizes = np.sqrt(np.sum(np.abs(lowest.displacement) ** 2, axis=2)).max(axis=1)
    assert np.all(sizes <= 1 + 1e-12)
    assert sizes.max() > 0.9


def test_the_usual_mesh_is_within_one_percent_of_a_finer_one():
    finer = MeshDensity(tooth=6, flank=4, layers=4)
    usual, fine = shapes(density=DENSITY, count=4), shapes(density=finer, count=4)
    np.testing.assert_array_equal(usual.harmonic, fine.harmonic)
    np.testing.assert_allclose(usual.frequency, fine.frequency, rtol=0.01)
    assert np.all(usual.frequency > fine.frequency)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"count": 0}, "at least one mode is needed, not 0"),
        ({"count": 5000}, "5000 modes asked of a sector with"),
        ({"body": GearBody(6e-3, 20e-3)}, "reaches above the root circle"),
        ({"density": MeshDensity(flank=1)}, "the mesh is too coarse"),
    ],
)
def test_what_cannot_be_is_refused(change, sentence):
    with pytest.raises(ValueError, match=sentence):
        shapes(**change)
