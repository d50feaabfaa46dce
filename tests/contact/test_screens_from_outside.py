"""A pre-screen of one's own, registered without touching the package; in processes of their own."""

import os
import subprocess
import sys
from pathlib import Path

HELPERS = Path(__file__).parents[1] / "helpers"

RING = """
import sys
import numpy as np
sys.path.insert(0, {helpers!r})
from flank.engine import *
from flank.dynamics.assembly import assemble
from flank.dynamics.model import initial_state, workspace


def ring(row_of, screened=True):
    \"\"\"A disc of 20 mm radius among six pins of 3 mm on a circle of 23.1 mm.\"\"\"
    builder = ModelBuilder(0.02)
    disc = builder.body("disc", 1.0, 1e-3)
    for k in range(6):
        x, y = 0.0231 * np.cos(k * np.pi / 3), 0.0231 * np.sin(k * np.pi / 3)
        pin = Disc(GROUND, x, y, 3e-3)
        row = circle_pair(Disc(disc, 0.0, 0.0, 0.02), pin, Surface(PowerLaw(1e9)))
        builder.contact(row_of(row))
    return builder.build(screened)


def forces(model):
    \"\"\"Along a walk round the clearance, and what the contacts report.\"\"\"
    state, work, found = initial_state(model, np.zeros((2, 3))), workspace(model), []
    for angle in np.linspace(0.0, 12.0, 60):
        pose = np.array([[0.0] * 3, [2e-4 * np.cos(angle), 2e-4 * np.sin(angle), 0.3 * angle]])
        assemble(model, state, pose, 0 * pose, 0.0, work, 0.0, 1.0, 1.0)
        found.append([work.force.copy(), state.contact_results.copy()])
    return found
"""

SAME = """
from outside_screens import BOX
plain = forces(ring(lambda row: row, False))
boxed = forces(ring(lambda row: screened_by(BOX, row, half_box=0.02)))
passed = 0
for (force, seen), (other, reported) in zip(plain, boxed):
    np.testing.assert_allclose(other, force, rtol=1e-12, atol=1e-9)
    np.testing.assert_array_equal(reported["normal_force"], seen["normal_force"])
    assert np.all(reported["gap"] <= seen["gap"] + 1e-15)  # a bound, from below
    passed += np.sum(reported["gap"] < seen["gap"] - 1e-6)
assert passed > 0
print("same")
"""

LYING = """
from outside_screens import LYING
told = forces(ring(lambda row: screened_by(LYING, row)))
truth = forces(ring(lambda row: row, False))
asked_not = forces(ring(lambda row: screened_by(LYING, row), False))
lost = max(np.abs(a[0] - b[0]).max() for a, b in zip(told, truth))
assert lost > 100.0
assert all(np.array_equal(a[0], b[0]) for a, b in zip(asked_not, truth))
print("seen")
"""

LATE = """
row = circle_pair(Disc(GROUND, 0, 0, 0.02), Disc(1, 0.1, 0, 3e-3), Surface(PowerLaw(1e9)))
from outside_screens import BOX
for given, screen in ((row, BOX), (row, Screen(name="never added"))):
    try:
        screened_by(screen, given)
    except ValueError as error:
        print(error, end=" | ")
"""


def run(cache, *parts):
    """Run a script of parts with a cache of its own; its last printed line."""
    script = "".join((RING, *parts)).replace("{helpers!r}", repr(str(HELPERS)))
    environment = os.environ | {"FLANK_CACHE_DIR": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip().splitlines()[-1]


def test_contacts_that_are_surely_open_are_passed_over(tmp_path):
    assert run(tmp_path, SAME) == "same"


def test_a_screen_that_lies_loses_contacts_and_an_unscreened_model_shows_it(tmp_path):
    assert run(tmp_path, LYING) == "seen"


def test_registered_late_or_not_at_all(tmp_path):
    told = run(tmp_path, LATE)
    assert "was made before the pre-screen 'box' was registered" in told
    assert "the pre-screen 'never added' is not registered" in told
