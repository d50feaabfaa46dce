"""Reduced bodies: exact where they must be, never below the full ones, refused in a sentence."""

import numpy as np
import pytest
from scipy import linalg, sparse
from skfem import Basis, BilinearForm, ElementHex1, ElementVector, MeshHex
from skfem.helpers import dot
from skfem.models.elasticity import lame_parameters, linear_elasticity

from flank.elasticity.finite_elements.reduction import (
    Modes,
    assurance,
    auxiliary_nodes,
    check_matrices,
    clusters,
    compare,
    natural_modes,
    reduce_body,
)
from flank.errors import SpecError


def block(size, cells):
    """Places of nodes, mass and stiffness of a block of steel with three displacements a node."""
    axes = (np.linspace(0, length, count + 1) for length, count in zip(size, cells, strict=True))
    mesh = MeshHex.init_tensor(*axes)
    basis = Basis(mesh, ElementVector(ElementHex1()))
    stiffness = linear_elasticity(*lame_parameters(207e9, 0.3)).assemble(basis)
    mass = BilinearForm(lambda u, v, _: 7600.0 * dot(u, v)).assemble(basis)
    return mesh.p.T, mass, stiffness


@pytest.fixture(scope="module")
def bar():
    """Of square section, so its bending modes come in pairs."""
    return block((0.1, 0.02, 0.02), (16, 4, 4))


def coordinates(nodes):
    return (3 * np.asarray(nodes)[:, None] + np.arange(3)).ravel()


def corners(places):
    """Nodes of one end of the bar, at its corners."""
    y, z = places[:, 1], places[:, 2]
    edge = np.isin(np.round(y, 6), (0, 0.02)) & np.isin(np.round(z, 6), (0, 0.02))
    return np.flatnonzero(edge & (places[:, 0] < 1e-9))


def rigid_motions(places):
    x, y, z = places.T
    none = np.zeros_like(x)
    rows = [np.eye(3)[k] + np.zeros_like(places) for k in range(3)]
    rows += [np.stack(row, axis=1) for row in ((none, -z, y), (z, none, -x), (-y, x, none))]
    return np.stack([row.ravel() for row in rows], axis=1)


@pytest.fixture(scope="module")
def reduced(bar):
    places, mass, stiffness = bar
    return reduce_body(mass, stiffness, coordinates(corners(places)), 20)


def test_rigid_motions_are_exact(bar, reduced):
    places, mass, _ = bar
    motions = rigid_motions(places)
    seen = np.zeros((reduced.size, 6))
    seen[: len(reduced.masters)] = motions[reduced.masters]
    np.testing.assert_allclose(reduced.basis @ seen, motions, atol=1e-9)
    np.testing.assert_allclose(
        seen.T @ reduced.mass @ seen, motions.T @ (mass @ motions), rtol=1e-9, atol=1e-12
    )
    scale = reduced.stiffness.diagonal()[: len(reduced.masters)].max()
    assert abs(reduced.stiffness @ seen).max() < 1e-9 * scale


def test_ritz_frequencies_lie_above_and_fall_with_more_modes(bar):
    places, mass, stiffness = bar
    full = natural_modes(mass, stiffness, 16)
    assert full.frequencies[:6].max() < 1e-3 * full.frequencies[6]
    masters = coordinates(corners(places))
    before = np.full(10, np.inf)
    for modes in (4, 10, 25, 60):
        agreement = compare(
            mass, full, reduce_body(mass, stiffness, masters, modes).modes(16), close=0.01
        )
        deviations = agreement.deviations[6:]
        assert deviations.min() > -1e-9
        assert np.all(deviations <= before + 1e-9)
        before = deviations
    assert before.max() < 5e-4
    assert agreement.subspace_assurance[6:14].min() > 0.999


def test_all_modes_give_the_full_body():
    places, mass, stiffness = block((0.1, 0.02, 0.02), (6, 2, 2))
    masters = coordinates(corners(places))
    modes = mass.shape[0] - len(masters)
    reduced = reduce_body(mass, stiffness, masters, modes)
    squares = linalg.eigvalsh(stiffness.toarray(), mass.toarray())
    found = linalg.eigvalsh(reduced.stiffness, reduced.mass)
    np.testing.assert_allclose(found, squares, rtol=1e-7, atol=1e-9 * squares.max())


def test_static_answers_at_the_masters_are_those_of_the_full_body(bar):
    places, mass, stiffness = bar
    held = coordinates(np.flatnonzero(places[:, 0] < 1e-9))
    free = np.setdiff1d(np.arange(mass.shape[0]), held)
    loaded = [int(np.flatnonzero(free == 3 * np.argmax(places.sum(axis=1)) + k)[0]) for k in (1, 2)]
    mass, stiffness = mass[free][:, free], stiffness[free][:, free]
    force = np.zeros(len(free))
    force[loaded] = 1e3, -500.0
    answer = sparse.linalg.spsolve(stiffness.tocsc(), force)
    reduced = reduce_body(mass, stiffness, loaded, 3)
    small = linalg.solve(reduced.stiffness, reduced.basis.T @ force)
    np.testing.assert_allclose(reduced.basis @ small, answer, atol=1e-9 * abs(answer).max())


def test_observed_displacements_stand_for_modal_coordinates(bar):
    """The same motions: Eq. 4 of the paper can list nodes only and still contain modes."""
    places, mass, stiffness = bar
    masters = corners(places)
    modes = reduce_body(mass, stiffness, coordinates(masters), 24)
    shapes = modes.basis[:, len(modes.masters) :].reshape(len(places), 3, 24)
    nodes = auxiliary_nodes(places, shapes, 8, masters)
    observed = modes.observed_at(coordinates(nodes))
    first, second = modes.modes(16), observed.modes(16)
    np.testing.assert_allclose(second.frequencies[6:], first.frequencies[6:], rtol=1e-7)
    motion = np.cos(np.arange(observed.size))
    moved = observed.basis @ motion
    kept = np.concatenate((observed.masters, observed.observed))
    np.testing.assert_allclose(moved[kept], motion, atol=1e-9)
    condition = np.linalg.cond(modes.basis[coordinates(nodes)][:, len(modes.masters) :])
    beside = np.argsort(np.linalg.norm(places - places[nodes[0]], axis=1))[:8]
    assert condition < 1e3
    assert condition < 0.1 * np.linalg.cond(
        modes.basis[coordinates(beside)][:, len(modes.masters) :]
    )


def test_auxiliary_nodes_do_not_depend_on_how_equal_modes_are_combined(bar):
    places, mass, stiffness = bar
    shapes = natural_modes(mass, stiffness, 24).shapes
    turned = shapes @ linalg.qr(np.random.default_rng(1).standard_normal((24, 24)))[0]
    first, second = (
        auxiliary_nodes(places, each.reshape(len(places), 3, 24), 8) for each in (shapes, turned)
    )
    np.testing.assert_array_equal(first, second)
    assert len(set(first)) == 8


def test_more_auxiliary_nodes_than_modes_are_spread():
    places, mass, stiffness = block((0.1, 0.02, 0.02), (8, 2, 2))
    shapes = natural_modes(mass, stiffness, 9).shapes.reshape(len(places), 3, 9)
    nodes = auxiliary_nodes(places, shapes, 12)
    assert len(set(nodes)) == 12
    assert np.ptp(places[nodes, 0]) == pytest.approx(0.1)


def test_modes_of_one_frequency_are_compared_as_a_space(bar):
    _, mass, stiffness = bar
    full = natural_modes(mass, stiffness, 10)
    np.testing.assert_array_equal(clusters(full.frequencies[6:10]), (0, 0, 1, 2))
    pair = full.shapes[:, 6:8] @ np.array([[0.8, -0.6], [0.6, 0.8]])
    turned = Modes(full.frequencies[6:8], pair)
    agreement = compare(mass, Modes(full.frequencies[6:8], full.shapes[:, 6:8]), turned)
    np.testing.assert_allclose(agreement.assurance, [[0.64, 0.36], [0.36, 0.64]], atol=1e-6)
    np.testing.assert_allclose(agreement.subspace_assurance, 1.0, atol=1e-6)


def test_assurance_without_weight_is_that_of_allemang():
    first, second = np.array([[1.0], [0.0], [2.0]]), np.array([[1.0], [1.0], [1.0]])
    np.testing.assert_allclose(assurance(first, second), 9 / (5 * 3))


def test_matrices_that_cannot_be_those_of_a_body_are_refused(bar):
    _, mass, stiffness = bar
    size = mass.shape[0]
    lower = sparse.tril(stiffness)
    cases = {
        "mass matrix is 1275 x 1274; it must be square": (mass[:, :-1], stiffness),
        "both must belong to the same coordinates": (mass[:-1, :-1], stiffness),
        "stiffness matrix is not symmetric": (mass, lower),
        "stiffness matrix is not positive semidefinite": (mass, -stiffness),
        "stiffness matrix has entries that are no finite numbers": (mass, stiffness * np.nan),
        "mass matrix has zeros only": (0 * mass, stiffness),
        "is not a table of real numbers": ("mass.mtx", stiffness),
    }
    assert size == 1275
    for words, matrices in cases.items():
        with pytest.raises(SpecError, match=words):
            check_matrices(*matrices)


def test_hidden_indefinite_stiffness_is_refused():
    """All minors of one and two rows are positive, an eigenvalue is not."""
    stiffness = 0.6 * np.array([[0, -1, -1, 0], [-1, 0, -1, 0], [-1, -1, 0, 0], [0, 0, 0, 0]])
    stiffness += np.eye(4)
    assert np.linalg.eigvalsh(stiffness)[0] < -0.1
    check_matrices(np.eye(4), stiffness)
    for masters in ([3], [0, 1, 2]):
        with pytest.raises(SpecError, match="not positive semidefinite"):
            reduce_body(np.eye(4), stiffness, masters)


def test_masters_and_modes_that_cannot_be_are_refused(bar):
    places, mass, stiffness = bar
    size = mass.shape[0]
    held = coordinates(corners(places))
    cases = {
        f"Master {size} is no coordinate of the body; they count from 0 to {size - 1}": [0, size],
        "Master -1 is no coordinate": [-1, 3],
        "Master 4 is given twice": [4, 5, 4],
        "at least one coordinate number": [],
        "Every coordinate is a master": range(size),
        "can still move without strain": [0, 1, 2],
    }
    for words, masters in cases.items():
        with pytest.raises(SpecError, match=words):
            reduce_body(mass, stiffness, masters)
    for modes in (size, -1):
        with pytest.raises(SpecError, match=f"with its masters held the body has {size - 12}"):
            reduce_body(mass, stiffness, held, modes)
    with pytest.raises(SpecError, match=f"the body has {size}"):
        natural_modes(mass, stiffness, size + 1)


def test_what_has_no_mass_has_no_mode_and_cannot_be_all_that_is_kept():
    stiffness = np.diag([2.0, 2.0, 1.0]) - np.diag([1.0, 1.0], 1) - np.diag([1.0, 1.0], -1)
    mass = np.diag([0.0, 0.0, 3.0])
    with pytest.raises(SpecError, match="with its masters held the body has 1,"):
        reduce_body(mass, stiffness, [0, 1], 2)
    with pytest.raises(SpecError, match="mass matrix is singular on what is kept"):
        reduce_body(mass, stiffness, [0, 1])
    kept = reduce_body(mass, stiffness, [2])
    assert kept.mass == pytest.approx(3.0)
    assert kept.stiffness == pytest.approx(1 / 3)


def test_observed_coordinates_that_tell_nothing_are_refused(bar, reduced):
    count = len(reduced.fixed_frequencies)
    with pytest.raises(SpecError, match=f"{count} modal coordinates are replaced by as many"):
        reduced.observed_at([100, 101])
    with pytest.raises(SpecError, match="none of them a master"):
        reduced.observed_at([int(reduced.masters[0]), *range(100, 99 + count)])
    with pytest.raises(SpecError, match="40 modes are asked for; the reduced body has 32"):
        reduced.modes(40)
    with pytest.raises(SpecError, match="as many modes of both"):
        compare(bar[1], reduced.modes(10), reduced.modes(8))
    with pytest.raises(SpecError, match="500 auxiliary nodes"):
        auxiliary_nodes(bar[0], reduced.basis[:, :3].reshape(-1, 3, 3), 500)
