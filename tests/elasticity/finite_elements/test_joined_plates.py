"""Plates that pillars join: symmetric, in balance, and between the limits that formulas know."""

import math
from dataclasses import replace

import numpy as np
import pytest

from flank.arrays import Floats
from flank.elasticity.finite_elements import joined_plates
from flank.elasticity.finite_elements.joined_elements import Elements, compliance_of
from flank.elasticity.finite_elements.joined_plates import (
    JoinedPlates,
    coordinates,
    plates_compliance,
    symmetric,
    symmetries,
)
from flank.elasticity.material import Material
from flank.elasticity.plate import Holes, Plate, plate_compliance
from flank.elasticity.shaft import Segment, clamped_stiffness

STEEL = Material(206e9, 0.3, 7850.0)
STIFF = Material(206e13, 0.3, 7850.0)
CIRCLE = 0.063
PLATES = JoinedPlates(
    radius=0.1,
    width=0.02,
    bore_radius=0.024,
    distance=0.04,
    pillars=Holes(3, CIRCLE, 0.014, math.pi / 3),
    seats=Holes(3, CIRCLE, 0.021),
    material=STEEL,
)
COARSE = 4
PLACES = coordinates(PLATES)


@pytest.fixture(scope="module")
def held() -> Floats:
    return compliance_of(PLATES, COARSE)


def _by_torque(compliance: Floats, sides: tuple[int, ...] = (0, 1)) -> float:
    """rad/(N·m) of a torque that seats take along their circle, all of them alike."""
    force = np.zeros(len(compliance))
    force[PLACES.seats[list(sides)][:, :, 1]] = 1 / (3 * len(sides) * CIRCLE)
    return float(force @ compliance @ force)


def test_volume_and_areas_are_those_of_round_parts() -> None:
    elements = Elements(PLATES, 6)
    solid, seats, pillars = elements.solid, PLATES.seats, PLATES.pillars
    axial = np.array([0.0, 0.0, 1.0])
    wall = solid.pressed(
        solid.wall(elements.seats[0], solid.slabs[0]), lambda at: np.tile(axial, (len(at), 1))
    )
    assert wall.sum() == pytest.approx(2 * math.pi * seats.radius * PLATES.width, rel=1e-3)
    area = math.pi * (PLATES.radius**2 - PLATES.bore_radius**2 - 3 * seats.radius**2)
    face = solid.pressed(
        solid.face(-PLATES.width, solid.slabs[0].over), lambda at: np.tile(axial, (len(at), 1))
    )
    assert face.sum() == pytest.approx(area, rel=1e-3)
    middle = solid.within(0.0, PLATES.distance, elements.pillars[0])
    assert len(middle) * 3 == len(solid.within(0.0, PLATES.distance))
    assert pillars.count == 3


def test_displacements_are_reciprocal_and_cost_work(held: Floats) -> None:
    assert np.abs(held - held.T).max() < 1e-12 * np.abs(held).max()
    assert np.linalg.eigvalsh(held).min() > 0


def test_the_mesh_lacks_little_of_the_symmetry_that_the_mean_has(held: Floats) -> None:
    mean = symmetric(PLATES, COARSE)
    for motion in symmetries(PLATES):
        assert np.abs(motion @ mean @ motion.T - mean).max() < 1e-12 * np.abs(mean).max()
    assert np.abs(mean - held).max() < 2e-3 * np.abs(held).max()


def test_slender_pillars_between_stiff_plates_are_clamped_beams() -> None:
    length, radius = 0.11, 0.012
    pillars = replace(PLATES.pillars, radius=radius)
    slender = replace(PLATES, distance=length, pillars=pillars, plate_material=STIFF)
    found = compliance_of(slender, COARSE)
    segment = Segment(length, radius)
    beams = 3 * clamped_stiffness(length, segment, STEEL)
    twist = 3 * STEEL.shear_modulus * 2 * segment.second_moment / length
    turn = PLACES.plate[2]
    assert found[turn, turn] == pytest.approx(1 / (beams * CIRCLE**2 + twist), rel=0.03)
    assert _by_torque(found, (1,)) < 1e-3 * _by_torque(found, (0,))
    assert _by_torque(found, (0,)) == pytest.approx(found[turn, turn], rel=1e-3)


def test_very_stiff_pillars_leave_what_the_plates_have(held: Floats) -> None:
    stiff = replace(PLATES, material=STIFF, plate_material=STEEL)
    found = compliance_of(stiff, COARSE)
    stiffer = compliance_of(replace(stiff, material=Material(206e14, 0.3, 7850.0)), COARSE)
    assert _by_torque(stiffer) == pytest.approx(_by_torque(found), rel=1e-3)
    assert _by_torque(found) < 0.75 * _by_torque(held)


def test_a_thin_plate_on_stiff_pillars_is_hardly_softer_than_held_by_them_in_its_plane() -> None:
    """Pillars hold it at one face only, so it bends besides."""
    thin = replace(PLATES, width=0.006, distance=0.012, material=STIFF, plate_material=STEEL)
    found = _by_torque(compliance_of(thin, COARSE), (0,))
    plate = (thin.radius, thin.width, thin.bore_radius, STEEL, thin.seats)
    plane = plate_compliance(Plate(*plate, pillars=thin.pillars)).turn / (3 * CIRCLE**2)
    assert plane < found < 1.4 * plane


def test_a_face_that_is_free_is_softer_and_needs_no_support(held: Floats) -> None:
    free = compliance_of(replace(PLATES, face="free"), COARSE)
    assert np.abs(free - free.T).max() < 1e-9 * np.abs(free).max()
    assert _by_torque(free) > 1.1 * _by_torque(held)
    motions = list(symmetries(PLATES))
    mean = sum(m @ free @ m.T for m in motions) / len(motions)
    assert np.abs(mean - free).max() < 5e-3 * np.abs(free).max()


def test_finer_triangles_soften_it_less_and_less(held: Floats) -> None:
    found = [_by_torque(held), *(_by_torque(compliance_of(PLATES, n)) for n in (5, 6))]
    assert found[0] < found[1] < found[2] < 1.04 * found[0]


def test_pillars_may_be_loaded_on_their_way() -> None:
    stations = (0.012, 0.01), (0.028, 0.01)
    loaded = replace(PLATES, stations=stations)
    found, places = compliance_of(loaded, COARSE), coordinates(loaded)
    assert np.abs(found - found.T).max() < 1e-12 * np.abs(found).max()
    first, second = (found[of[:, 1], of[:, 1]].mean() for of in places.stations)
    turn, seat = places.plate[2], places.seats[0, 0, 1]
    assert second < first < found[seat, seat] + CIRCLE**2 * found[turn, turn]


def test_it_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    other = replace(PLATES, width=0.019)
    first = plates_compliance(other, COARSE)
    plates_compliance.cache_clear()
    monkeypatch.setattr(joined_plates, "symmetric", lambda *_: pytest.fail("computed again"))
    assert np.array_equal(plates_compliance(other, COARSE), first)


def test_walls_are_measured() -> None:
    chord = CIRCLE - 0.014 - 0.021
    assert PLATES.thinnest_wall == pytest.approx(
        min(0.1 - CIRCLE - 0.021, 0.063 - 0.021 - 0.024, chord)
    )
