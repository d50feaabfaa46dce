"""Whether the forces of a planar model follow from its energy, and its tangent from its forces."""

import numpy as np
import pytest

from flank.arrays import Flags, Floats
from flank.dynamics.assembly import assemble
from flank.dynamics.model import initial_state, workspace
from flank.machines.base import Assembly

STEP = 1e-9


def check_derivatives(assembly: Assembly, near: Floats, seed: int, slack: float = 1e-4) -> None:
    """About a pose a micron or so from `near`, by differences of fourth order; `slack` is what the
    tangent leaves out, over its largest force."""
    rows = len(near) - 1
    random = np.random.default_rng(seed)
    switches = True
    while switches:  # contacts that touch in between have no smooth energy
        position = near.copy()
        position[1:] += 1e-6 * random.normal(size=(rows, 3))
        direction = random.normal(size=(rows, 3))
        shift = STEP * np.vstack((np.zeros(3), direction))
        moved = [assembled(assembly, position + k * shift) for k in (-2, -1, 1, 2)]
        switches = any(np.any(carries != moved[0][3]) for _, _, _, carries in moved)
    weights = np.array([1, -8, 8, -1]) / (12 * STEP)
    _, force, tangent, _ = assembled(assembly, position)
    slope = float(weights @ [energy for energy, *_ in moved])
    along = force * direction.ravel()
    assert slope == pytest.approx(-along.sum(), abs=1e-6 * np.abs(along).sum())
    change = weights @ np.array([forces for _, forces, *_ in moved])
    expected = -tangent @ direction.ravel()
    assert np.abs(change - expected).max() < slack * np.abs(expected).max()


def assembled(assembly: Assembly, position: Floats) -> tuple[float, Floats, Floats, Flags]:
    """Energy, forces and tangent of a pose in which nothing moves, and which contacts carry."""
    model = assembly.planar._replace(screened=False)
    state, work = initial_state(model, position), workspace(model)
    still = np.zeros_like(position)
    energy, _ = assemble(model, state, position, still, 0.0, work, 0.0, 1.0, 1.0)
    unknowns = 3 * model.core_count
    carries = state.contact_results["normal_force"] > 0
    return energy, work.force[1:].ravel().copy(), work.core[:unknowns, :unknowns].copy(), carries
