"""The builder refuses what the kernels cannot do, in one sentence each."""

import numpy as np
import pytest

from flank.contact import Disc, PowerLaw, Surface, circle_in_hole, circle_pair
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.functions import constant, linear
from flank.dynamics.model import MAXIMUM_NEIGHBOURS

SURFACE = Surface(PowerLaw(1e6, 1.0))


@pytest.fixture
def b():
    """One core body and two leaves: bodies 1, 2 and 3."""
    builder = ModelBuilder(0.1)
    builder.body("core", 1.0, 1.0)
    builder.body("ball", 1.0, 1.0, leaf=True)
    builder.body("roller", 1.0, 1.0, leaf=True)
    return builder


@pytest.mark.parametrize(
    ("mass", "inertia"), [(0.0, 1.0), (1.0, 0.0), (-1.0, 1.0), (1.0, -1.0), (float("nan"), 1.0)]
)
def test_mass_and_inertia_are_positive(mass, inertia):
    with pytest.raises(ValueError, match="'wheel' needs a positive mass and inertia"):
        ModelBuilder(0.1).body("wheel", mass, inertia)


@pytest.mark.parametrize("leaf_first", [True, False])
@pytest.mark.parametrize("joint", ["revolute", "fixed", "rotation", "gear"])
def test_leaf_carries_no_joint(b, joint, leaf_first):
    arguments = {"rotation": [linear(1.0)], "gear": [2.0]}.get(joint, [])
    pair = (2, 1) if leaf_first else (0, 2)
    with pytest.raises(ValueError, match="leaf body cannot carry a joint"):
        getattr(b, joint)(*pair, *arguments)


def test_leaves_do_not_touch_each_other(b):
    with pytest.raises(ValueError, match="two leaf bodies cannot touch"):
        b.contact(circle_pair(Disc(2, 0, 0, 0.1), Disc(3, 0, 0, 0.1), SURFACE))
    with pytest.raises(ValueError, match="two leaf bodies cannot touch"):
        b.bushing(2, 3, 1e3)
    with pytest.raises(ValueError, match="two leaf bodies cannot touch"):
        b.torsion_spring(3, 2, 1e3)


def test_core_bodies_come_first(b):
    with pytest.raises(ValueError, match="'late' must be added before the leaf bodies"):
        b.body("late", 1.0, 1.0)


def test_leaf_has_few_neighbours():
    builder = ModelBuilder(0.1)
    count = MAXIMUM_NEIGHBOURS + 1
    discs = [builder.body(f"disc {k}", 1.0, 1.0) for k in range(count)]
    ball = builder.body("ball", 1.0, 1.0, leaf=True)
    for k, disc in enumerate(discs):
        if k == count - 1:
            builder.build()  # as many as allowed
        builder.contact(circle_pair(Disc(disc, 0, 0, 0.1), Disc(ball, 0, 0, 0.1), SURFACE))
    with pytest.raises(ValueError, match=f"'ball' touches more than {MAXIMUM_NEIGHBOURS} core"):
        builder.build()


def test_ground_and_repeated_neighbours_do_not_count(b):
    for _ in range(5):
        b.contact(circle_in_hole(Disc(0, 0, 0, 0.2), Disc(2, 0, 0, 0.1), SURFACE))
        b.bushing(1, 2, 1e3)
    neighbours = b.build().leaf_neighbours
    assert neighbours.tolist() == [[1, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize(
    "add",
    [
        lambda b: b.revolute(0, 9),
        lambda b: b.gear(9, 1, 2.0),
        lambda b: b.bushing(1, 9, 1.0),
        lambda b: b.torsion_spring(-1, 1, 1.0),
        lambda b: b.torque(9, constant(1.0)),
        lambda b: b.force(-1, (1.0, 0.0), constant(1.0)),
        lambda b: b.contact(circle_pair(Disc(1, 0, 0, 0.1), Disc(9, 0, 0, 0.1), SURFACE)),
    ],
)
def test_unknown_bodies_are_refused(b, add):
    with pytest.raises(ValueError, match="there is no body number"):
        add(b)


def test_numbers_and_names(b):
    assert b.names == ["ground", "core", "ball", "roller"]
    model = b.build()
    assert model.core_count == 1
    assert model.mass.shape == (4, 3)
    assert np.all(model.mass[0] == 0)
    assert model.counts.tolist() == [0, 0, 0, 0, 0]
    assert b.revolute(0, 1) == 0
    assert b.fixed(1, 0) == 2
    assert b.rotation(0, 1, linear(1.0)) == 5
    assert b.gear(1, 0, 2.0) == 6
    assert b.build().constraint_count == 7
