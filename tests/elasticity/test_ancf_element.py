"""One beam element: rigid motion is free, derivatives are exact, nothing else is free."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from flank.dynamics.beams import beam_row
from flank.elasticity.ancf import GRADIENT, HESSIAN, NODES, TABLE_ROWS, beam_energy
from flank.elasticity.section import Section
from flank.kernel import kernel

SECTION = Section(axial_stiffness=1300.0, bending_stiffness=2.0, mass_per_length=0.7)
LENGTH, RADIUS = 0.7, 0.9
number = st.floats(-3, 3)
vector = st.tuples(number, number, number)


def straight():
    return np.array([[0, 0, 0], [1, 0, 0], [LENGTH, 0, 0], [1, 0, 0.0]])


def curved():
    """An arc in the plane, slopes of unit length as `add_ring` makes them."""
    turn = LENGTH / RADIUS
    c, s = np.cos(turn), np.sin(turn)
    return np.array([[RADIUS, 0, 0], [0, 1, 0], [RADIUS * c, RADIUS * s, 0], [-s, c, 0]])


@kernel
def entry(beam, geometric_factor, table):
    """The kernel has no Python entry of its own."""
    return beam_energy(beam, geometric_factor, table)


def energy(beam, nodes, geometric_factor=1.0):
    table = np.full((TABLE_ROWS, 12), np.nan)  # nothing may be read before it is written
    table[NODES : NODES + 4, :3] = nodes
    stored = entry(beam, geometric_factor, table)
    return stored, table[GRADIENT], table[HESSIAN : HESSIAN + 12]


def element(nodes):
    return beam_row((1, 2, 3, 4), nodes, LENGTH, SECTION)


def moved(nodes, rotation, shift):
    """Slopes turn, positions turn and shift."""
    return nodes @ rotation.T + np.array([[1], [0], [1], [0]]) * np.array(shift)


@given(turn=vector, shift=vector)
def test_a_straight_element_turns_and_shifts_freely_in_space(turn, shift):
    nodes = straight()
    rotation = Rotation.from_rotvec(turn).as_matrix()
    stored, gradient, _ = energy(element(nodes), moved(nodes, rotation, shift))
    assert stored < 1e-24
    assert gradient == pytest.approx(0, abs=1e-10)


@given(angle=st.floats(-10, 10), shift=vector)
def test_a_curved_element_turns_freely_in_its_plane(angle, shift):
    nodes = curved()
    rotation = Rotation.from_rotvec([0, 0, angle]).as_matrix()
    stored, gradient, _ = energy(element(nodes), moved(nodes, rotation, shift))
    assert stored < 1e-24
    assert gradient == pytest.approx(0, abs=1e-10)


@pytest.mark.parametrize("reference", [straight, curved])
@pytest.mark.parametrize("seed", range(5))
def test_derivatives_match_differences(reference, seed):
    nodes, eps = reference(), 1e-6
    beam = element(nodes)
    nodes = nodes + 0.2 * np.random.default_rng(seed).normal(size=(4, 3))
    _, gradient, hessian = energy(beam, nodes)
    for k in range(12):
        change = np.zeros(12)
        change[k] = eps
        up, down = (energy(beam, nodes + s * change.reshape(4, 3)) for s in (1, -1))
        assert (up[0] - down[0]) / (2 * eps) == pytest.approx(gradient[k], rel=1e-6, abs=1e-5)
        slope = (up[1] - down[1]) / (2 * eps)
        assert slope == pytest.approx(hessian[k], rel=1e-6, abs=1e-7 * abs(hessian).max())


@pytest.mark.parametrize("reference", [straight, curved])
@pytest.mark.parametrize("seed", range(5))
def test_without_the_forces_at_hand_the_hessian_has_no_negative_direction(reference, seed):
    """Shortened by two fifths, with them it has one, so the flag does something."""
    nodes = reference()
    beam = element(nodes)
    nodes = 0.6 * nodes + 0.1 * np.random.default_rng(seed).normal(size=(4, 3))
    bare, whole = (np.linalg.eigvalsh(energy(beam, nodes, g)[2]) for g in (0.0, 1.0))
    assert bare.min() > -1e-12 * bare.max()
    assert whole.min() < -1e-6 * whole.max()


@pytest.mark.parametrize(
    ("reference", "free"),
    [(straight, 5), (curved, 4)],  # a curved one is held against tilting, not against shift along z
)
def test_only_rigid_motion_is_free(reference, free):
    nodes = reference()
    values = np.linalg.eigvalsh(energy(element(nodes), nodes)[2])
    assert np.sum(abs(values) < 1e-10 * values.max()) == free


def test_mass_of_rigid_motion():
    """Translation gives ρA L; turning about an end gives ρA L³/3."""
    nodes = straight()
    mass = element(nodes)["mass"]
    rod = SECTION.mass_per_length * LENGTH
    assert np.array([1, 0, 1, 0]) @ mass @ np.array([1, 0, 1, 0]) == pytest.approx(rod)
    assert nodes[:, 0] @ mass @ nodes[:, 0] == pytest.approx(rod * LENGTH**2 / 3)


def test_a_curved_element_out_of_the_plane_is_refused():
    tilted = moved(curved(), Rotation.from_rotvec([0.1, 0, 0]).as_matrix(), (0, 0, 0))
    with pytest.raises(ValueError, match="plane of constant z"):
        element(tilted)


def test_an_element_without_length_is_refused():
    with pytest.raises(ValueError, match="positive length"):
        beam_row((1, 2, 3, 4), straight(), 0.0, SECTION)
