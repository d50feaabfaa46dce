"""The same machine elsewhere in space moves the same; so it does with its balls as core bodies."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from spatial_machine import shaken_tray
from spatial_models import METHODS, run, start

from flank.dynamics.run import solve_statics
from flank.dynamics.spatial.quaternions import matrix_of

DURATION, STEP = 0.06, 1e-4
TIGHT = {"force_tolerance": 1e-10}
TURN = Rotation.random(random_state=6).as_matrix()


def shaken(method, **where):
    return run(shaken_tray(**where), DURATION, STEP, None, method, records=60, **TIGHT)


@pytest.fixture(scope="module", params=METHODS)
def straight(request):
    return request.param, shaken(request.param)


def test_everything_happens(straight):
    """What the comparisons below stand on: contacts close, open, slide and roll."""
    _, found = straight
    force = found.contact_results["normal_force"]
    assert np.all(np.max(force, axis=0)[[0, 2, 4]] > 0.1)
    assert np.all(np.max(force[:, [1, 3, 5]], axis=0).max() > 0.1)
    assert np.any(force[:, 4] == 0) or np.any(force[:, 5] == 0)
    assert np.min(found.ledger[-1, :3]) > 0
    spin = np.linalg.norm(found.velocity[:, 4:, 3:], axis=2)
    assert np.max(spin) > 0.3


@pytest.mark.parametrize(
    ("turn", "shift"), [(TURN, (0, 0, 0)), (np.eye(3), (0.3, -0.2, 0.5)), (TURN, (0.1, 0.2, -0.1))]
)
def test_elsewhere_in_space(straight, turn, shift):
    method, here = straight
    there = shaken(method, turn=turn, shift=shift)
    assert there.counters["steps"] == here.counters["steps"]
    assert there.position[:, 1:] == pytest.approx(here.position[:, 1:] @ turn.T + shift, abs=1e-8)
    turned = turn @ matrix_of(here.rotation[:, 1:])
    assert matrix_of(there.rotation[:, 1:]) == pytest.approx(turned, abs=2e-7)
    for first in (0, 3):
        motion = here.velocity[:, 1:, first : first + 3] @ turn.T
        scale = np.max(np.abs(motion))
        found = there.velocity[:, 1:, first : first + 3]
        assert found == pytest.approx(motion, abs=1e-5 * scale)
    assert there.ledger == pytest.approx(here.ledger, abs=1e-5 * np.max(here.ledger))


def test_balls_as_core_bodies(straight):
    """Eliminated one by one or all at once: the same equations, to round-off."""
    method, leaves = straight
    core = shaken(method, leaf=False)
    assert core.counters == leaves.counters
    assert core.position == pytest.approx(leaves.position, abs=1e-11)
    assert core.velocity == pytest.approx(leaves.velocity, abs=1e-8 * np.max(leaves.velocity))
    for name in ("normal_force", "friction_power"):
        scale = np.max(leaves.contact_results[name])
        assert core.contact_results[name] == pytest.approx(
            leaves.contact_results[name], abs=1e-7 * scale
        )


@pytest.mark.parametrize("where", [{"turn": TURN, "shift": (1.0, 2.0, -1.0)}, {"leaf": False}])
def test_equilibria(where):
    """The machine at rest, and turned by its drive."""
    times = np.array([0.0, 0.02, 0.04])
    here, there = shaken_tray(), shaken_tray(**where)
    found = [solve_statics(b.build(), start(b), times) for b in (here, there)]
    assert all(run.complete for run in found)
    turn, shift = where.get("turn", np.eye(3)), where.get("shift", np.zeros(3))
    moved = found[0].position[:, 1:] @ turn.T + shift
    assert found[1].position[:, 1:] == pytest.approx(moved, abs=1e-9)
    forces = [run.contact_results["normal_force"] for run in found]
    assert forces[1] == pytest.approx(forces[0], abs=1e-6)
