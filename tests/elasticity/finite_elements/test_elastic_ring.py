"""Rings pressed on inside, held outside or at bolts, against closed forms and other solutions."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse.linalg import spsolve

from flank.arrays import Floats
from flank.contact.plate_modes import plate_modes
from flank.elasticity.finite_elements.elastic_plate import (
    PlateBody,
    PlateElements,
    spread_share,
    wave_count,
    wave_values,
)
from flank.elasticity.finite_elements.elastic_ring import RingBody, ring_loads
from flank.elasticity.finite_elements.plate_mesh import Circle
from flank.elasticity.material import STEEL
from flank.machines.crank_reducer.housing import ring_stiffness

INSIDE, OUTSIDE, WIDTH, SPREAD = 0.1245, 0.14175, 0.03, 0.014
SEATED = RingBody(INSIDE, OUTSIDE, WIDTH, STEEL, SPREAD)


def bolts(count: int, circle: float, radius: float) -> tuple[Circle, ...]:
    angles = 2 * math.pi * np.arange(count) / count
    return tuple(
        Circle(float(circle * np.cos(a)), float(circle * np.sin(a)), radius) for a in angles
    )


BOLTED = replace(SEATED, outside=0.15, spread=0.03, bolts=bolts(8, 0.138, 0.005))


@pytest.mark.parametrize("body", [SEATED, BOLTED], ids=["seated", "bolted"])
def test_unit_loads_agree_with_a_direct_solution(body: RingBody) -> None:
    """One load after the other, nodes of what is held found by their place."""
    side = 0.005
    plate = PlateBody(body.outside, body.width, body.holes, (), STEEL, body.spread)
    elements = PlateElements(plate, side)
    x, y = elements.basis.doflocs
    if body.bolts:
        away = [np.hypot(x - b.x, y - b.y) - b.radius for b in body.bolts]
    else:
        away = [np.hypot(x, y) - body.outside]
    free = np.flatnonzero(np.min(np.abs(away), axis=0) > 1e-6)
    n = 7
    share = spread_share(n * body.spread / body.inside)
    load = elements.around(Circle(0.0, 0.0, body.inside), [1.0] * n + [share], 0.5 * math.pi)[:, -1]
    moved = np.zeros(len(load))
    moved[free] = spsolve(elements.stiffness[free][:, free].tocsc(), load[free])
    found = ring_loads(body, side)
    column = wave_count(body.rim_waves) + 2 * n
    assert load @ moved == pytest.approx(found.compliance[column, column], rel=1e-8)
    assert moved @ (elements.mass @ moved) == pytest.approx(found.mass[column, column], rel=1e-8)
    pressed = elements.around(Circle(0.0, 0.0, body.inside), [1.0], 0.0)[:, 0]
    scale = np.abs(found.compliance).max()
    assert pressed @ moved == pytest.approx(found.compliance[0, column], abs=1e-8 * scale)


def test_loads_and_displacements_are_reciprocal_and_loads_do_work() -> None:
    found = ring_loads(BOLTED)
    assert np.array_equal(found.compliance, found.compliance.T)
    for matrix in found:
        values = np.linalg.eigvalsh(matrix)
        assert values[0] > -1e-9 * values[-1]


def test_a_seated_ring_grows_and_shifts_as_closed_forms_have_it() -> None:
    """Lamé's under even pressure; Michell's under that of a bearing, p cos φ."""
    found = ring_loads(SEATED).compliance
    nu, modulus = STEEL.poisson_ratio, STEEL.youngs_modulus
    ratio = (OUTSIDE / INSIDE) ** 2
    # u = A (r - b²/r), σ_r(a) = -p
    grown = INSIDE * (ratio - 1) / (modulus * (1 / (1 - nu) + ratio / (1 + nu)))
    pressure = 1 / (math.sqrt(2 * math.pi) * INSIDE * WIDTH)
    assert found[0, 0] == pytest.approx(math.sqrt(2 * math.pi) * pressure * grown, rel=1e-3)
    shift = 1 / ring_stiffness(INSIDE, OUTSIDE - INSIDE, WIDTH, STEEL)
    assert found[1, 1] == pytest.approx(math.pi * shift, rel=1e-3)


@pytest.mark.parametrize("n", [2, 5, 11])
def test_waves_on_a_seated_ring_are_michells(n: int) -> None:
    """Pressure and shear, each as seen by both."""
    waves = wave_count(SEATED.rim_waves)
    share = spread_share(n * SPREAD / INSIDE)
    columns = [2 * n - 1, waves + 2 * n]  # pressure cos nθ, shear sin nθ
    found = ring_loads(SEATED).compliance[np.ix_(columns, columns)] / share**2
    assert found == pytest.approx(_michell(n), rel=2e-3, abs=2e-3 * np.abs(found).max())


def _michell(n: int) -> Floats:
    """m/N of waves e_r cos nθ and e_t sin nθ, a unit force's share over π, inside of a ring that
    is held outside: stress function Σ c r^k cos nθ, k = n, n + 2, -n, 2 - n."""
    nu = STEEL.poisson_ratio
    kappa, shear = (3 - nu) / (1 + nu), STEEL.shear_modulus
    rows = np.zeros((4, 4))
    moved = np.zeros((2, 4))
    for j, k in enumerate((n, n + 2, -n, 2 - n)):
        biharmonic = k in (n + 2, 2 - n)
        sign = 1 if k in (n, n + 2) else -1

        def stress(r: float, k: int = k) -> tuple[float, float]:
            return (k - n**2) * r ** (k - 2), n * (k - 1) * r ** (k - 2)

        def displaced(r: float, k: int = k, two: bool = biharmonic, s: int = sign) -> Floats:
            # 2μ u of r^k cos nθ (Barber, Elasticity, table 9.1)
            u, v = -k, n
            if two:
                u += kappa + 1
                v += s * (kappa + 1)
            return np.array([u, v]) * r ** (k - 1)

        rows[:2, j] = stress(1.0)
        rows[2:, j] = displaced(OUTSIDE / INSIDE)
        moved[:, j] = displaced(1.0)
    # inside, outward load q per area is a traction σ_r = -q, τ = -q
    loads = np.vstack((-np.eye(2), np.zeros((2, 2))))
    # waves of a force: (1/√π)² over a B
    return moved @ np.linalg.solve(rows, loads) / (2 * shear * WIDTH)


def test_a_ring_under_two_opposite_forces_between_two_bolts_is_two_arches() -> None:
    """Clamped half circles under a force at the crown, by bending, stretch and shear (Castigliano);
    bolts shorten the arches by their radius."""
    inside, outside, bolt = 0.097, 0.103, 0.001
    body = RingBody(inside, outside, 0.01, STEEL, 0.003, bolts(2, 0.1, bolt))
    waves = wave_count(body.rim_waves)
    loads = np.zeros(2 * waves)
    for angle in (0.5, 1.5):
        loads[:waves] += wave_values(body.rim_waves, np.array(angle * math.pi))
    opened = float(loads @ ring_loads(body, 0.0012).compliance @ loads)
    assert opened == pytest.approx(2 * _arch(0.1, outside - inside, 0.01, bolt / 0.1), rel=0.03)


def _arch(radius: float, height: float, width: float, end: float) -> float:
    """m/N at the crown of an arch from the angle `end` to π - `end`, clamped; half of it, with
    half of the force, a thrust and a moment at the crown."""
    angle, step = np.linspace(0, 0.5 * math.pi - end, 4001, retstep=True)
    second, area = width * height**3 / 12, width * height
    modulus, shear = STEEL.youngs_modulus, STEEL.shear_modulus
    # moment, normal and shear force by: half force outward, thrust along the crown, moment
    moment = np.array([0.5 * radius * np.sin(angle), radius * (1 - np.cos(angle)), 1 + 0 * angle])
    normal = np.array([0.5 * np.sin(angle), -np.cos(angle), 0 * angle])
    across = np.array([0.5 * np.cos(angle), np.sin(angle), 0 * angle])
    parts = [(moment, modulus * second), (normal, modulus * area), (across, shear * area / 1.2)]
    energy = sum(
        np.trapezoid(f[:, None] * f, dx=step, axis=2) * radius / stiff for f, stiff in parts
    )
    inner = np.linalg.solve(energy[1:, 1:], -energy[1:, 0])
    return 2 * float(energy[0, 0] + energy[0, 1:] @ inner)


def test_half_as_long_sides_move_the_compliance_by_less_than_a_percent() -> None:
    thick = replace(BOLTED, outside=0.17, bolts=bolts(8, 0.148, 0.005), spread=0.05)
    coarse, fine = (ring_loads(thick, side).compliance for side in (None, 0.5 * thick.side))
    assert np.trace(coarse) == pytest.approx(np.trace(fine), rel=0.01)


def test_a_wall_that_is_held_close_behind_is_rigid() -> None:
    whole = np.trace(ring_loads(replace(SEATED, spread=0.05)).compliance)
    walls = [
        np.trace(ring_loads(replace(SEATED, outside=INSIDE + wall, spread=0.05), 2e-3).compliance)
        for wall in (2e-3, 1e-3)
    ]
    assert walls[0] < 0.2 * whole
    assert walls[1] == pytest.approx(0.5 * walls[0], rel=0.05)


@pytest.mark.parametrize("body", [SEATED, BOLTED], ids=["seated", "bolted"])
def test_modes_give_way_as_the_ring_does_under_forces_that_go_round(body: RingBody) -> None:
    """40 pins that half a sine presses, at 45° to the radius: work within 3 %, and the mean of how
    far they go."""
    angle = 2 * math.pi * np.arange(40) / 40
    force = np.maximum(np.sin(angle), 0) / math.sqrt(2)
    waves = wave_values(body.rim_waves, angle) @ force
    load = np.concatenate((waves, waves))
    whole = load @ ring_loads(body).compliance @ load
    modes = plate_modes(body)
    assert len(modes) == body.modes == 24
    knots = 2 * math.pi * np.arange(len(modes.rim)) / len(modes.rim)
    along = [
        sum(np.interp(angle, knots, way, period=2 * math.pi) @ force for way in mode)
        for mode in np.moveaxis(modes.rim, -1, 0).swapaxes(1, 2)
    ]
    known = np.square(along) @ (1 / modes.stiffness)
    assert 0.97 * whole < known < 1.002 * whole


@pytest.mark.parametrize(
    "wrong",
    [{"outside": INSIDE}, {"bolts": bolts(8, 0.125, 0.005)}, {"width": 0.0}, {"spread": 0.0}],
)
def test_a_ring_of_nothing_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="there is no ring from"):
        replace(BOLTED, **wrong)
