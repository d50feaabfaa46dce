"""Nodes of beams in the builder: their rows, their weights, and what they cannot carry."""

import numpy as np
import pytest

from flank.contact import Disc, PowerLaw, Surface, circle_in_hole, circle_pair
from flank.dynamics.builder import ModelBuilder, Node
from flank.dynamics.flexible import add_ring, add_shaft
from flank.dynamics.functions import constant
from flank.dynamics.run import solve_statics
from flank.elasticity.section import Section

SECTION = Section(1e6, 1e2, 1.0)
SURFACE = Surface(PowerLaw(1e6, 1.0))


@pytest.fixture
def beam():
    """Body 1, then two nodes with the rows 2 to 5."""
    b = ModelBuilder(0.5)
    b.body("wheel", 1.0, 1.0)
    add_shaft(b, "shaft", (0, 0, 0), (0, 0, 0.2), 1, SECTION)
    return b


def test_rows_weights_and_names(beam):
    model = beam.build()
    assert beam.names[2:] == ["shaft 0", "shaft 0 slope", "shaft 1", "shaft 1 slope"]
    assert beam.pose()[2:].tolist() == [[0, 0, 0], [0, 0, 1], [0, 0, 0.2], [0, 0, 1]]
    assert model.weights[1].tolist() == [1, 1, 0.5]
    assert model.weights[2:, 2].tolist() == [1, 0.2, 1, 0.2]
    assert np.all(model.mass[2:] == 0)
    assert model.counts[4] == 1
    assert model.beams["rows"].tolist() == [[2, 3, 4, 5]]
    assert model.force_floor == pytest.approx(1e-15 * 0.2 * 1e6 / 0.2)


def test_without_beams_nothing_is_left_of_forces():
    b = ModelBuilder(0.5)
    b.body("wheel", 1.0, 1.0)
    assert b.build().force_floor == 0.0


def test_a_ring_is_closed():
    b = ModelBuilder(1.0)
    nodes = add_ring(b, "ring", (1.0, 2.0), 0.5, 6, SECTION)
    rows = b.build().beams["rows"]
    assert rows[-1].tolist() == [*nodes[-1], *nodes[0]]
    assert b.pose()[nodes[3].position] == pytest.approx([0.5, 2.0, 0.0])
    assert b.pose()[nodes[3].slope] == pytest.approx([0.0, -1.0, 0.0])


@pytest.mark.parametrize(
    ("add", "message"),
    [
        (lambda b: b.revolute(1, 2, at_b=(0.1, 0.0)), "no arm"),
        (lambda b: b.fixed(2, 1, at_a=(0.1, 0.0)), "no arm"),
        (lambda b: b.bushing(1, 2, 1.0, at_b=(0.0, 0.1)), "no arm"),
        (lambda b: b.force(2, (1.0, 0.0), constant(1.0), at=(0.1, 0.0)), "no arm"),
        (lambda b: b.bushing(2, 1, 1.0, damping=1.0), "second in a damped bushing"),
        (lambda b: b.beam(Node(0, 1), Node(2, 3), 0.1, SECTION), "made by `point`"),
        (lambda b: b.contact(pair(2, 1)), "as a circle B"),
        (lambda b: b.contact(pair(1, 2, x=0.1)), "as a circle B"),
        (lambda b: add_shaft(b, "s", (0, 0, 0), (0, 0, 0), 2, SECTION), "no length"),
        (lambda b: add_shaft(b, "s", (0, 0, 0), (0, 0, 1), 0, SECTION), "at least one"),
        (lambda b: add_ring(b, "r", (0, 0), 1.0, 2, SECTION), "at least three"),
    ],
)
def test_what_a_node_cannot_carry(beam, add, message):
    with pytest.raises(ValueError, match=message):
        add(beam)


def pair(a, b, x=0.0):
    return circle_pair(Disc(a, 0, 0, 0.1), Disc(b, x, 0, 0.1), SURFACE)


def test_friction_acts_at_a_node_and_not_beside_it(beam):
    row = pair(1, 2)
    row["friction"] = 0.1
    beam.contact(row)
    assert row["on_node"] == 1
    other = pair(1, 0)
    beam.contact(other)
    assert other["on_node"] == 0


def test_a_node_without_a_beam_is_refused(beam):
    beam.point("loose", (0, 0, 0), (1, 0, 0))
    with pytest.raises(ValueError, match="'loose' has no mass"):
        beam.build()


def test_nodes_come_before_leaves(beam):
    beam.body("pin", 1.0, 1.0, leaf=True)
    with pytest.raises(ValueError, match="before the leaf bodies"):
        beam.point("late", (0, 0, 0), (1, 0, 0))


def test_a_node_in_a_hole_and_on_a_bushing():
    """A shaft on a soft spring at one end and in a hole at the other, loaded between."""
    b = ModelBuilder(0.1)
    nodes = add_shaft(b, "shaft", (0, 0, 0), (0, 0, 0.2), 2, Section(2e8, 1e5, 1.0))
    b.bushing(0, nodes[0].position, 1e6)
    hole, journal = Disc(0, 0, 0, 0.011), Disc(nodes[2].position, 0, 0, 0.01)
    b.contact(circle_in_hole(hole, journal, Surface(PowerLaw(2e6, 1.0))))
    b.force(nodes[1].position, (0.0, -1.0), constant(100.0))
    run = solve_statics(b.build(), b.pose(), np.zeros(1))
    assert run.complete
    low = run.position[0, [node.position for node in nodes], 1]
    assert low[0] == pytest.approx(-50.0 / 1e6, rel=1e-4)
    assert low[2] == pytest.approx(-0.001 - 50.0 / 2e6, rel=1e-4)
    sag = 100.0 * 0.2**3 / (48 * 1e5)
    assert low[1] == pytest.approx((low[0] + low[2]) / 2 - sag, rel=1e-4)
