"""A kind and a law of one's own, registered without touching the package.

In processes of their own: what is registered stays for the life of one.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HELPERS = Path(__file__).parents[1] / "helpers"

MODEL = """
import sys
import numpy as np
sys.path.insert(0, {helpers!r})
from flank.contact import Disc, PowerLaw, Surface, circle_in_hole
from flank.dynamics.assembly import assemble
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.functions import constant
from flank.dynamics.model import initial_state, workspace
from flank.dynamics.run import solve_statics


def resting(row, mass=2.0):
    \"\"\"A disc of 10 mm pressed down by 300 N, held from rolling by a spring.\"\"\"
    builder = ModelBuilder(0.05)
    disc = builder.body("disc", mass, 1e-3, (0.0, 0.0101, 0.0))
    builder.torsion_spring(0, disc, 10.0)
    builder.bushing(0, disc, 1e-3)
    builder.force(disc, (0.0, -1.0), constant(300.0))
    builder.contact(row)
    return builder.build(), builder.pose()


def ordinary():
    return circle_in_hole(
        Disc(0, 0.0, 0.0, 0.02), Disc(1, 0.0, 0.0, 0.01), Surface(PowerLaw(1e8, 1.5))
    )


def hits():
    return sum(assemble.dispatcher.stats.cache_hits.values())
"""

EQUILIBRIUM = """
from outside_kinds import CubicLaw, circle_on_edge
surface = Surface(CubicLaw(1e6, 1e14))
model, pose = resting(circle_on_edge(0, 0.0, 0.0, 0.0, Disc(1, 0.0, 0.0, 0.01), surface))
run = solve_statics(model, pose, np.array([0.0]))
assert run.complete
depth = 0.01 - run.position[0, 1, 1]
roots = np.roots([1e14, 0.0, 1e6 + 1e-3, -300.0 - 1e-3 * 0.01])
expected = roots[np.abs(roots.imag) < 1e-12].real[0]
assert abs(depth - expected) < 1e-9 * expected, (depth, expected)
assert abs(run.contact_results[0]["normal_force"][0] - 300.0) < 1e-3
print("found", assemble.dispatcher.stats.cache_hits and 1 or 0)
"""

INVARIANTS = """
import outside_kinds
from outside_kinds import CubicLaw, circle_on_edge
builder = ModelBuilder(0.05)
for name in "ab":
    builder.body(name, 1.0, 1e-3)
builder.contact(circle_on_edge(
    1, 2e-3, -1e-3, 0.6, Disc(2, 4e-3, -2.5e-3, 3.5e-3), Surface(CubicLaw(1e9, 1e19))
))
model = builder.build()


def solve(position):
    state, work = initial_state(model, position), workspace(model)
    energy, _ = assemble(model, state, state.position, state.velocity, 0.0, work, 0.0, 1.0, 1.0)
    return energy, work.force[1:].ravel().copy(), work.core.copy(), state.contact_results[0].copy()


WEIGHT = np.array([1, 1, 20.0, 1, 1, 20.0])
pose = np.array([[0.0, 0, 0], [0.01, -0.02, 0.4], [0.0, 0.0, -0.9]])
direction = np.exp(1j * (0.6 + 0.4))
centre = 0.01 - 0.02j + np.exp(0.4j) * (2e-3 - 1e-3j) + direction * (3e-3 + 1j * (3.5e-3 - 5e-5))
body = centre - np.exp(-0.9j) * (4e-3 - 2.5e-3j)
pose[2, :2] = body.real, body.imag
energy, force, tangent, touch = solve(pose)
assert abs(touch["gap"] + 5e-5) < 1e-15
gradient, differences = np.zeros(6), np.zeros((6, 6))
for k in range(6):
    for s, w in ((-2, 1 / 12), (-1, -8 / 12), (1, 8 / 12), (2, -1 / 12)):
        moved = pose.copy()
        moved[1 + k // 3, k % 3] += s * 2e-7 * WEIGHT[k]
        there = solve(moved)
        gradient[k] += w * there[0] / (2e-7 * WEIGHT[k])
        differences[:, k] -= w * there[1] / (2e-7 * WEIGHT[k])
weigh = np.outer(WEIGHT, WEIGHT)
assert np.abs((force + gradient) * WEIGHT).max() < 1e-8 * np.abs(force * WEIGHT).max()
error = np.abs((tangent - differences) * weigh).max()
assert error < 1e-7 * np.abs(tangent * weigh).max(), error
plain = force.reshape(2, 3)
assert np.abs(plain[0, :2] + plain[1, :2]).max() < 1e-9 * np.abs(force).max()  # action, reaction
print("holds")
"""

ORDINARY = """
model, pose = resting(ordinary())
solve_statics(model, pose, np.array([0.0]))
state, work = initial_state(model, pose), workspace(model)
assemble(model, state, state.position, state.velocity, 0.0, work, 0.0, 1.0, 1.0)
print(hits())
"""

LATE = """
row = ordinary()
model, pose = resting(row)
assert solve_statics(model, pose, np.array([0.0])).complete
import outside_kinds
assert solve_statics(model, pose, np.array([0.0])).complete  # models made before go on
try:
    resting(row)
except ValueError as error:
    print(error)
"""


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


def run(cache, *parts):
    """Run a script of parts with a cache of its own; its last printed line."""
    script = "".join((MODEL, *parts)).replace("{helpers!r}", repr(str(HELPERS)))
    environment = os.environ | {"FLANK_CACHE_DIR": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip().splitlines()[-1]


def test_an_equilibrium_and_the_cache_on_disk(cache):
    """F = k1 δ + k3 δ³ on a straight edge; a second process finds its kernels, and one without the
    kind finds none of them, nor takes theirs."""
    assert run(cache, EQUILIBRIUM).startswith("found")
    names = {path.name for path in cache.rglob("*.nbc")}
    run(cache, EQUILIBRIUM)
    assert {path.name for path in cache.rglob("*.nbc")} == names  # all found, none compiled
    assert run(cache, ORDINARY) == "0"
    assert run(cache, ORDINARY) != "0"


def test_force_energy_and_tangent_as_of_any_kind(cache):
    assert run(cache, INVARIANTS) == "holds"


def test_registered_late(cache):
    assert "register first, then make contacts" in run(cache, LATE)
