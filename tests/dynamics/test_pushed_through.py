"""A step that jumps into a body is not believed."""

from flank.contact import Disc, PowerLaw, Surface, circle_pair
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.functions import constant
from flank.dynamics.run import DynamicSettings, solve_dynamics
from flank.dynamics.status import Status


def soft_wall(force):
    """A ball pressed against a fixed circle by a force, softly: K = 1e4 N/m."""
    builder = ModelBuilder(0.01)
    ball = builder.body("ball", 0.1, 1e-6, (0.02 + 1e-6, 0.0, 0.0))
    builder.contact(
        circle_pair(
            Disc(0, 0.0, 0.0, 0.01), Disc(ball, 0.0, 0.0, 0.01), Surface(PowerLaw(1e4, 1.0))
        )
    )
    builder.force(ball, (-1.0, 0.0), constant(force))
    return builder


def test_ends_with_its_sentence_and_keeps_what_it_has():
    """50 N would need 5 mm of penetration on a ball of 10 mm: no contact law covers that."""
    builder = soft_wall(50.0)
    run = solve_dynamics(builder.build(), builder.pose(), 0.1, DynamicSettings(1e-4))
    assert run.status is Status.PUSHED_THROUGH
    assert "smaller time step" in run.status.sentence
    assert 0 < len(run.time) < 1001


def test_a_small_penetration_is_fine():
    builder = soft_wall(2.0)
    run = solve_dynamics(builder.build(), builder.pose(), 0.02, DynamicSettings(1e-4))
    assert run.complete
