"""Natural frequencies from the engine's tangent and mass against closed forms.

Declared rate in the element length: 4, from above, for bending, for stretching (three points in an
element; the cubic alone would give 6) and for the ovalling of a ring.
"""

import math

import numpy as np
import pytest
from scipy.linalg import eigh

from flank.dynamics.assembly import assemble
from flank.dynamics.beams import mass_matrices
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.flexible import add_ring, add_shaft
from flank.dynamics.model import initial_state, workspace
from flank.elasticity.section import Section

SECTION, LENGTH, RADIUS = Section(1e5, 2.0, 0.7), 1.5, 0.8
RATE = 4.0


def frequencies(b, keep):
    """Angular frequencies of the unstressed model in the coordinates kept."""
    model = b.build()
    state, work = initial_state(model, b.pose()), workspace(model)
    assemble(model, state, state.position, state.velocity, 0.0, work, 0.0, 1.0, 1.0)
    mass = np.zeros_like(work.core)
    for i, matrix in enumerate(mass_matrices(model.mass, model.beams)):
        mass[i::3, i::3] = matrix[1:, 1:]
    pick = np.ix_(keep, keep)
    return np.sqrt(np.maximum(eigh(work.core[pick], mass[pick], eigvals_only=True), 0.0))


def straight(elements, coordinate, held=()):
    """Motion of a free beam along x in one coordinate, some positions held."""
    b = ModelBuilder(LENGTH)
    nodes = add_shaft(b, "beam", (0, 0, 0), (LENGTH, 0, 0), elements, SECTION)
    fixed = [nodes[k].position for k in held]
    return frequencies(
        b, [3 * (row - 1) + coordinate for node in nodes for row in node if row not in fixed]
    )


def rates_of(errors):
    errors = np.array(errors)
    assert np.all(errors > 0)  # no stiffness is missing
    return np.log2(errors[:-1] / errors[1:])


@pytest.mark.parametrize("coordinate", [1, 2])
def test_simply_supported(coordinate):
    """ω_k = (kπ/L)² √(EI/ρA)."""
    speed = math.sqrt(SECTION.bending_stiffness / SECTION.mass_per_length)
    exact = speed * (np.array([1, 2]) * math.pi / LENGTH) ** 2
    errors = [straight(n, coordinate, (0, -1))[:2] / exact - 1 for n in (4, 8, 16)]
    assert rates_of(errors) == pytest.approx(RATE, abs=0.1)
    assert np.all(errors[-1] < 2e-5)


def test_free_free():
    """ω_k = (β_k/L)² √(EI/ρA), cos β cosh β = 1, after two rigid motions."""
    speed = math.sqrt(SECTION.bending_stiffness / SECTION.mass_per_length)
    exact = speed * (np.array([4.730040744862704, 7.853204624095838]) / LENGTH) ** 2
    found = [straight(n, 1) for n in (8, 16, 32)]
    assert all(np.all(values[:2] < 1e-3 * exact[0]) for values in found)
    errors = [values[2:4] / exact - 1 for values in found]
    assert rates_of(errors) == pytest.approx(RATE, abs=0.2)


def test_stretching():
    """ω_k = kπ/L √(EA/ρA) of a free bar."""
    speed = math.sqrt(SECTION.axial_stiffness / SECTION.mass_per_length)
    exact = speed * np.array([1, 2]) * math.pi / LENGTH
    errors = [straight(n, 0)[1:3] / exact - 1 for n in (4, 8, 16)]
    assert rates_of(errors) == pytest.approx(RATE, abs=0.1)


def test_ovalling_of_a_ring():
    """ω_n² = EI n²(n² - 1)²/(ρA R⁴ (n² + 1)), each twice (Love 1927, art. 293)."""
    thin = Section(1e6 * SECTION.bending_stiffness / RADIUS**2, SECTION.bending_stiffness, 0.7)
    n = np.array([2, 2, 3, 3])
    share = n**2 * (n**2 - 1) ** 2 / (n**2 + 1)
    exact = np.sqrt(thin.bending_stiffness * share / thin.mass_per_length) / RADIUS**2
    errors = []
    for elements in (8, 16, 32):
        b = ModelBuilder(RADIUS)
        nodes = add_ring(b, "ring", (0.3, 0.1), RADIUS, elements, thin)
        values = frequencies(b, [k for k in range(6 * len(nodes)) if k % 3 < 2])
        assert np.all(values[:3] < 1e-2 * exact[0])
        errors.append(values[3:7] / exact - 1)
    assert rates_of(errors) == pytest.approx(RATE, abs=0.4)
    assert np.all(errors[-1] < 2e-4)
