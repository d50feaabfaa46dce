"""Free plates pressed on at rim and holes, against closed forms and other solutions."""

import math
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest
from scipy.sparse import bmat
from scipy.sparse.linalg import eigsh, spsolve

from flank.arrays import Floats
from flank.contact.plate_modes import plate_modes
from flank.elasticity.finite_elements.elastic_plate import (
    HOLE_WAVES,
    LOG_DISTANCE,
    PlateBody,
    PlateElements,
    PlateLoads,
    plate_loads,
    spread_share,
    wave_count,
    wave_values,
)
from flank.elasticity.finite_elements.plate_mesh import Circle
from flank.elasticity.material import STEEL
from flank.elasticity.plate import Holes, Plate, plate_compliance

RADIUS, WIDTH = 0.1123, 0.015
CRANKS = tuple(
    Circle(0.063 * math.cos(a), 0.063 * math.sin(a), 0.031) for a in (0.0, 2.0944, 4.1888)
)
PILLARS = tuple(
    Circle(0.063 * math.cos(a), 0.063 * math.sin(a), 0.0242) for a in (1.0472, 3.1416, 5.236)
)
BORE = Circle(0.0, 0.0, 0.0242)
DISC = PlateBody(RADIUS, WIDTH, (*CRANKS, *PILLARS, BORE), (0, 1, 2), STEEL, 0.024)


@lru_cache
def _ring(inside: float) -> tuple[PlateBody, PlateLoads]:
    body = PlateBody(0.05, 0.01, (Circle(0.0, 0.0, inside),), (0,), STEEL, 0.002)
    return body, plate_loads(body, 0.0015)


def _force_on_rim(body: PlateBody, angle: float) -> Floats:
    """An inward force of one newton."""
    loads = np.zeros(2 * wave_count(body.rim_waves) + wave_count(HOLE_WAVES))
    loads[: wave_count(body.rim_waves)] = -wave_values(body.rim_waves, np.array(angle))
    return loads


def test_a_ring_under_two_opposite_forces_closes_as_a_curved_beam() -> None:
    inside, outside = 0.046, 0.05
    body, found = _ring(inside)
    loads = _force_on_rim(body, 0.0) + _force_on_rim(body, math.pi)
    closed = float(loads @ found.compliance @ loads)
    radius, height = 0.5 * (inside + outside), outside - inside
    second = body.width * height**3 / 12
    # Timoshenko, Strength of Materials II: bending, stretch of the axis and shear of a ring
    area, modulus, shear = body.width * height, STEEL.youngs_modulus, STEEL.shear_modulus
    beam = radius**3 / (modulus * second) * (math.pi / 4 - 2 / math.pi)
    beam += radius / (modulus * area) * (math.pi / 4 + 2 / math.pi - 4 / math.pi)
    beam += math.pi / 4 * 1.2 * radius / (shear * area)
    assert closed == pytest.approx(beam, rel=0.02)


def test_a_ring_under_even_pressure_inside_grows_as_lame_has_it() -> None:
    inside, outside = 0.03, 0.05
    body, found = _ring(inside)
    hole = 2 * wave_count(body.rim_waves)
    # the wave is e_r/√(2π) a radian: of the pressure 1/(√(2π) a B), as seen by itself
    pressure = 1 / (math.sqrt(2 * math.pi) * inside * body.width)
    nu, modulus = STEEL.poisson_ratio, STEEL.youngs_modulus
    ratio = outside**2 / inside**2
    grown = pressure * inside / modulus * ((ratio + 1) / (ratio - 1) + nu)
    seen = found.compliance[hole, hole]
    assert seen == pytest.approx(math.sqrt(2 * math.pi) * grown, rel=1e-4)
    rim = found.compliance[0, hole]
    outer = 2 * pressure * outside / (modulus * (ratio - 1))
    assert rim == pytest.approx(math.sqrt(2 * math.pi) * outer, rel=1e-4)


def test_loads_and_displacements_are_reciprocal_and_loads_do_work() -> None:
    found = plate_loads(DISC)
    assert np.array_equal(found.compliance, found.compliance.T)
    values = np.linalg.eigvalsh(found.compliance)
    assert values[0] > -1e-9 * values[-1]


def test_unit_loads_agree_with_a_direct_solution_held_elsewhere() -> None:
    """Loads in balance bend a free plate the same, wherever it is held."""
    elements = PlateElements(DISC, 0.006)
    loads = elements.loads()
    pushed = loads[:, 3] + loads[:, -4] + loads[:, 12]
    pushed = pushed - elements.mass @ elements.rigid @ (elements.rigid.T @ pushed)
    first = int(np.argmax(elements.basis.doflocs[0]))
    along, across = elements.basis.nodal_dofs[:, [10, 200]].T
    held = np.array([along[0], along[1], across[1]])
    assert first >= 0
    free = np.setdiff1d(np.arange(len(pushed)), held)
    moved = np.zeros(len(pushed))
    moved[free] = spsolve(elements.stiffness[free][:, free].tocsc(), pushed[free])
    moved -= elements.rigid @ (elements.rigid.T @ (elements.mass @ moved))
    found = plate_loads(DISC, 0.006).compliance
    expected = found[:, 3] + found[:, -4] + found[:, 12]
    assert loads.T @ moved == pytest.approx(expected, rel=1e-8, abs=1e-8 * np.abs(expected).max())


def test_rigid_motions_cost_nothing() -> None:
    elements = PlateElements(DISC, 0.006)
    forces = elements.stiffness @ elements.rigid
    assert (
        np.abs(forces).max() < 1e-9 * abs(elements.stiffness).max() * np.abs(elements.rigid).max()
    )


def test_half_as_long_sides_move_the_compliance_by_less_than_a_percent() -> None:
    coarse, fine = (plate_loads(DISC, side).compliance for side in (DISC.side, 0.5 * DISC.side))
    assert np.trace(coarse) == pytest.approx(np.trace(fine), rel=0.01)
    largest = np.linalg.eigvalsh(fine)[-20:]
    assert np.linalg.eigvalsh(coarse)[-20:] == pytest.approx(largest, rel=0.01)


def test_with_its_rim_held_it_is_the_plate_of_the_other_form() -> None:
    """Half of the wall of every hole pressed by cos φ, as in elasticity/plate.py."""
    shift, turn = _held()
    openings = (Holes(3, 0.063, 0.0242, 1.0472),)
    plate = Plate(RADIUS, WIDTH, 0.0242, STEEL, Holes(3, 0.063, 0.031), openings)
    other = plate_compliance(plate, 240)
    assert shift == pytest.approx(other.shift, rel=0.03)
    assert turn == pytest.approx(other.turn, rel=0.03)


def _held() -> tuple[float, float]:
    """Shift and turn of the holes against a rim whose waves all stand still."""
    elements, compliance = PlateElements(DISC, DISC.side), plate_loads(DISC).compliance
    moved, rim = elements.loads().T @ elements.rigid, 2 * wave_count(DISC.rim_waves)
    scale = np.abs(compliance).max()  # of compliances beside rigid motions
    system = np.block(
        [[compliance[:rim, :rim] / scale, moved[:rim]], [moved[:rim].T, np.zeros((3, 3))]]
    )
    right = np.vstack((compliance[:rim, rim:] / scale, moved[rim:].T))
    solved = np.linalg.lstsq(system, right, rcond=1e-12)[0]
    beside = np.hstack((compliance[rim:, :rim] / scale, moved[rim:]))
    held = compliance[rim:, rim:] - scale * beside @ solved

    def given(directions: list[float]) -> float:
        loads = np.concatenate([_half_cosine(direction) for direction in directions])
        return float(loads @ held @ loads) / len(directions)

    shift = np.mean([given([angle] * 3) for angle in np.arange(4) * math.pi / 2])
    return float(shift), given([math.pi / 2, math.pi / 2 + 2.0944, math.pi / 2 + 4.1888])


def _half_cosine(direction: float) -> Floats:
    """One newton as the waves of the pressure 2/π cos φ on half of a wall."""
    even = math.sqrt(2 * math.pi) * 2 / math.pi**2
    first = np.array([math.cos(direction), math.sin(direction)]) / math.sqrt(math.pi)
    second = np.array([math.cos(2 * direction), math.sin(2 * direction)]) * math.sqrt(math.pi)
    return np.concatenate(([even], first, 4 / (3 * math.pi**2) * second))


def test_the_mean_distance_of_two_points_of_a_spread_force() -> None:
    x, step = np.linspace(-1, 1, 2000, retstep=True)
    x = x + 0.5 * step
    density = 0.5 * (1 + np.cos(math.pi * x)) * step
    away = np.abs(x[:, None] - x)
    np.fill_diagonal(away, step * math.exp(-1.5))  # mean over one cell
    assert density @ np.log(away) @ density == pytest.approx(LOG_DISTANCE, abs=2e-3)


@pytest.mark.parametrize("x", [0.3, 2.0, 5.0])
def test_the_share_of_a_wave_in_a_spread_force(x: float) -> None:
    at = np.linspace(-1, 1, 4001)
    share = np.trapezoid(0.5 * (1 + np.cos(math.pi * at)) * np.cos(x * at), at)
    assert spread_share(x) == pytest.approx(share, abs=1e-6)


def test_modes_vibrate_as_the_free_plate_does() -> None:
    """Displacements that are kept are some of those of the elements, so each mode is above the
    plate's own, and the lowest are next to it."""
    elements = PlateElements(DISC, 0.006)
    modes = plate_modes(DISC, 0.006)
    shift = 1e6
    values = eigsh(
        elements.stiffness, 11, elements.mass, sigma=-shift, which="LM", return_eigenvectors=False
    )
    own = np.sqrt(np.sort(values)[3:])
    found = np.sqrt(modes.stiffness / modes.mass)[: len(own)]
    assert np.all(found > own * (1 - 1e-6))
    assert found[:4] == pytest.approx(own[:4], rel=0.01)


@pytest.mark.parametrize(
    "wrong",
    [
        {"holes": (*CRANKS, Circle(0.05, 0.0, 0.02))},
        {"holes": (Circle(0.1, 0.0, 0.02),), "loaded": (0,)},
        {"width": 0.0},
        {"spread": 0.0},
    ],
)
def test_a_plate_of_nothing_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="there is no plate of radius"):
        replace(DISC, **wrong)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_plate_held_in_a_hole_agrees_with_a_direct_solution(seat: int) -> None:
    """The wall of the seat stands still by all its waves, only inertia resists its turn. Elements
    have the net force of a wave around a circle to 1e-5."""
    body = PlateBody(RADIUS, WIDTH, (BORE, *CRANKS), (0, 1, 2, 3), STEEL, 0.024, seat)
    side = 0.008
    elements = PlateElements(body, side)
    loads, turn = elements.loads(), (elements.mass @ elements.rigid)[:, 2:]
    first = 2 * wave_count(body.rim_waves) + wave_count(HOLE_WAVES) * seat
    held = np.hstack((loads[:, first : first + wave_count(HOLE_WAVES)], turn))
    scale = abs(elements.stiffness).max()
    system = bmat([[elements.stiffness / scale, held], [held.T, None]], format="csc")
    count = len(loads) + held.shape[1]
    for load in (4, first + 7 if seat == 0 else 2 * wave_count(body.rim_waves) + 1):
        right = np.zeros(count)
        right[: len(loads)] = loads[:, load] / scale
        moved = spsolve(system, right)[: len(loads)]
        found = plate_loads(body, side).compliance[:, load]
        expected = loads.T @ moved
        assert found == pytest.approx(expected, rel=1e-4, abs=1e-5 * np.abs(expected).max())
