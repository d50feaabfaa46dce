"""Centres on bearings and impulses on rigid gears, as modes, against closed forms."""

import cmath
import math
import pickle
import subprocess
import sys

import numpy as np
import pytest
from rolling_gears import SHAPE, STIFFNESS, mesh_of, one_mass, rolled

from flank.dynamics.rolling import BLOW, BRAKE, rolling_state
from flank.dynamics.rolling_mesh import RollingPair
from flank.dynamics.rolling_structure import (
    HELD,
    Bearing,
    BodyMode,
    Shaft,
    Train,
    other_normal,
    structure,
)
from flank.elasticity.finite_elements.flank_modes import FlankModes
from flank.reproduce.spur.impacts import Impact, Reconnection

MASSES, INERTIA, RADII = (2.0, 5.0), np.array([0.012, 0.03]), np.array([0.07, -0.11])
ANGLE = math.radians(22)
BEARINGS = tuple(
    Bearing(mass, stiffness, 40.0, other_normal(1.0, ANGLE))
    for mass, stiffness in zip(MASSES, (1e8, 3e8), strict=True)
)


def train(bearings=BEARINGS):
    shafts, output = [Shaft(0, HELD, 2e5)], np.array([0.0, 1.0])
    return Train(INERTIA, shafts, RADII, RADII, output, bearings=bearings)


def body(lateral: complex, rotation: float = 0.0, gear: int = 0) -> list[BodyMode]:
    """A mode with one wave around the gear, both parts, or one without waves."""
    waves = 0 if rotation else 1
    amplitude = np.ones((1, 2), dtype=complex)
    modes = FlankModes(
        harmonic=np.array([waves]),
        frequency=np.array([3000.0]),
        amplitude=amplitude,
        other_amplitude=amplitude,
        centre=np.zeros((1, 2), dtype=complex),
        participation=np.array([[lateral, rotation]], dtype=complex),
        gyroscopic=np.array([1.7]),
        spin=np.array([-0.4]),
        roll=np.array([0.01, 0.02]),
        face=np.zeros(1),
        mass=math.nan,
        polar_inertia=math.nan,
        transverse_inertia=math.nan,
        lever=0.07,
        teeth=50,
    )
    return [BodyMode(modes, 0, gear, part, 0.02) for part in (False, True)[: 1 + waves]]


def test_centres_swing_on_their_bearings():
    modes = structure(train()).modes
    for mass, bearing in zip(MASSES, BEARINGS, strict=True):
        pairs = np.isclose(modes.frequency, math.sqrt(bearing.stiffness / mass))
        assert np.sum(pairs) == 2
        np.testing.assert_allclose(modes.decay[pairs], 0.5 * bearing.damping / mass)


def test_flanks_give_way_as_bearings_let_them():
    """A force along the line of action moves both centres along it, one on the other flank along
    that of the other flank, which it leaves at 180° - 2 α."""
    carried = structure(train())
    stiff = carried.modes.frequency > 0
    front, other = carried.rigid[:, stiff] / carried.modes.frequency[stiff]
    bearings = sum(1 / bearing.stiffness for bearing in BEARINGS)
    shaft = RADII[0] ** 2 / 2e5
    assert front @ front == pytest.approx(shaft + bearings)
    assert other @ other == pytest.approx(shaft + bearings)
    assert front @ other == pytest.approx(-shaft - math.cos(2 * ANGLE) * bearings)


def test_the_error_is_the_middle_between_both_flanks():
    carried = structure(train())
    front, other = carried.rigid
    np.testing.assert_array_equal(carried.modes.error, 0.5 * (front - other))
    np.testing.assert_array_equal(carried.modes.approaches[BRAKE], front)
    rigid = structure(train((None, None)))
    np.testing.assert_array_equal(rigid.modes.approaches, rigid.rigid[:1])


def test_a_body_with_one_wave_is_a_mass_on_a_spring_at_its_centre():
    """Frequencies of m, p and ω: (k - m λ)(ω² - λ) = |p|² λ²; both parts alike, whatever the
    phase of p."""
    bearing, p = BEARINGS[0], 0.8 * cmath.exp(0.7j)
    carried = structure(train((bearing, None)), body(p))
    omega = 2 * math.pi * 3000.0
    terms = [bearing.mass - abs(p) ** 2, -bearing.stiffness - bearing.mass * omega**2]
    squares = np.sort(np.roots([*terms, bearing.stiffness * omega**2]))
    found = np.sort(carried.modes.frequency)[-4:]
    np.testing.assert_allclose(found, np.repeat(np.sqrt(squares), 2), rtol=1e-10)
    assert carried.modes.cosine.min() == 1.0


def test_a_body_with_one_wave_keeps_its_static_compliance_in_space():
    carried = structure(train(), body(0.8 * cmath.exp(0.7j)))
    stiff = carried.modes.frequency > 0
    shares = carried.shares[:, stiff] / carried.modes.frequency[stiff]
    np.testing.assert_allclose(shares @ shares.T, np.eye(2) / (2 * math.pi * 3000) ** 2, atol=1e-18)


def test_what_moves_as_if_rigid_feels_no_coriolis_force_in_space():
    """A body whose mode is nearly a shift: s = 2 and -1 of ω² in the frame that turns."""
    part = body(0.8)[0]
    part.modes.gyroscopic[0], part.modes.spin[0] = 2.0, -1.0
    in_space = structure(train(), [part, *body(0.8)[1:]], rotating_frame=True)
    np.testing.assert_allclose(in_space.modes.coriolis, 0.0, atol=1e-12)
    np.testing.assert_allclose(in_space.modes.spin, 0.0, atol=1e-12)


def test_an_impulse_on_gears_turns_and_shifts_them_as_if_rigid():
    """Σ r²/J + Σ 1/m, on either flank, and modes of bodies take what the inertia of theirs asks."""
    bodies = [*body(0.9 + 0.2j), *body(0.0, rotation=0.05, gear=1)]
    modes = structure(train(), bodies, impulse_on_gears=True).modes
    rigid = np.sum(RADII**2 / INERTIA) + sum(1 / mass for mass in MASSES)
    for flank in (0, 1):
        assert modes.approaches[BLOW + flank] @ modes.approaches[BLOW + flank] == pytest.approx(
            rigid
        )
    point = structure(train(), impulse_on_gears=True)
    np.testing.assert_allclose(point.modes.approaches[BLOW:], point.rigid, atol=1e-12)


def test_a_state_from_a_file_goes_on_bit_for_bit_in_another_process(tmp_path):
    mesh = mesh_of(STIFFNESS * (1 + 0.3 * (np.arange(60) < 30))[:, None], SHAPE, slope=2e-10)
    pair = RollingPair(mesh, one_mass(0.05))
    periods, loads = np.geomspace(6e-4, 3e-4, 50), np.full(50, 800.0)
    whole = pair.rolled(periods, loads, pair.at_rest(800.0), 50)
    state = pair.at_rest(800.0)
    pair.rolled(periods[:20], loads[:20], state)
    file = tmp_path / "state"
    file.write_bytes(pickle.dumps((pair, state, periods[20:], loads[20:])))
    code = (
        "import pickle, sys, pathlib; file = pathlib.Path(sys.argv[1]);"
        "pair, state, periods, loads = pickle.loads(file.read_bytes());"
        "record = pair.rolled(periods, loads, state, len(periods));"
        "file.write_bytes(pickle.dumps((record, state)))"
    )
    subprocess.run([sys.executable, "-c", code, str(file)], check=True)
    record, later = pickle.loads(file.read_bytes())
    np.testing.assert_array_equal(record, whole[20:])
    pair.rolled(periods[20:], loads[20:], state)
    for name, values in state._asdict().items():
        np.testing.assert_array_equal(getattr(later, name), values)


@pytest.mark.parametrize("restitution", [0.0, 0.56, 1.0])
def test_an_impulse_on_gears_is_equation_24_of_the_paper_corrected(restitution):
    """Against the paper's formulation: what turns and how the body rings after it, of a gear with a
    mode that its rotation feels."""
    part = 0.05
    pair = Train(INERTIA, (), RADII, RADII, np.array([0.0, 1.0]))
    carried = structure(pair, body(0.0, rotation=part), impulse_on_gears=True)
    shape = carried.approaches(np.array([[0.7]]), other=False)
    mesh, modes = mesh_of(np.full((10, 1), 1e9), shape[None]), carried.modes
    state = rolling_state(modes, mesh)
    state.position[0] = -1e-9 / modes.error[0]
    state.velocity[:] = 2e-2, 1e-2
    turned, rung = float(carried.rigid[0] @ state.velocity), carried.shares[0] @ state.velocity
    state, _, _ = rolled(mesh, modes, [1e-7], 0.0, state, restitution)
    mass = np.diag([*INERTIA, 1.0])
    mass[0, 2] = mass[2, 0] = part
    expected = Impact(
        mass=mass,
        rows=np.array([[*np.abs(RADII), 0.7]]),
        velocity=np.array([turned / RADII[0], 0.0, rung]),
        pinion_size=1,
        rotations=np.eye(3)[:, :2],
        inertias=INERTIA,
        base_radii=np.abs(RADII),
        restitution=restitution,
    ).velocities_after(Reconnection.RIGID)
    assert carried.rigid[0] @ state.velocity == pytest.approx(
        np.abs(RADII) @ expected[:2], rel=1e-3
    )
    assert carried.shares[0] @ state.velocity == pytest.approx(expected[2], rel=1e-3)
