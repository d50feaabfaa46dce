"""A needle between its races: gap, cage kinematics, and where it presses."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flank.contact import Disc, PowerLaw, needle_between
from flank.dynamics.assembly import assemble
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.model import initial_state, workspace

INNER, OUTER = 13e-3, 18e-3
angles = st.floats(-3.0, 3.0)


@pytest.fixture(scope="module")
def solve():
    """Touch and forces of one needle at `angle` with radial clearance c, for two poses."""

    def run(angle, clearance, pose_a, pose_b):
        builder = ModelBuilder(0.02)
        builder.body("crank", 1.0, 1e-3)
        builder.body("disc", 1.0, 1e-3)
        law = PowerLaw(5e8, 10 / 9)
        inner, outer = Disc(1, 0.0, 0.0, INNER), Disc(2, 0.0, 0.0, OUTER)
        builder.contact(needle_between(inner, outer, angle, clearance, law, 0.0))
        model = builder.build()
        position = np.array([[0.0, 0.0, 0.0], pose_a, pose_b])
        state, work = initial_state(model, position), workspace(model)
        assemble(model, state, position, np.zeros((3, 3)), 0.0, work, 0.0, 1.0, 1.0)
        return state.contact_results[0], work.force

    return run


@settings(max_examples=60, deadline=None)
@given(angles, st.floats(0, 2e-5), st.floats(-1e-4, 1e-4), st.floats(-1e-4, 1e-4), angles, angles)
def test_gap_is_the_clearance_plus_the_shift_along_the_needle(
    solve, angle, clearance, dx, dy, turn_a, turn_b
):
    """gap = c + n·p; n stands at the angle plus what the cage has turned,
    (r_i θ_i + r_o θ_o)/(r_i + r_o) as in a planetary of friction wheels."""
    cage = (INNER * turn_a + OUTER * turn_b) / (INNER + OUTER)
    n = np.array([math.cos(angle + cage), math.sin(angle + cage)])
    contact_result, _ = solve(angle, clearance, (0.1, 0.2, turn_a), (0.1 + dx, 0.2 + dy, turn_b))
    assert contact_result["gap"] == pytest.approx(clearance + n @ [dx, dy], abs=1e-16)
    if contact_result["gap"] < 0:
        assert (contact_result["normal_x"], contact_result["normal_y"]) == pytest.approx(
            tuple(n), abs=1e-13
        )


def test_cage_rolls_without_slip():
    """The cage's speed is the mean of the surface speeds at the needle, over its own radius."""
    row = needle_between(
        Disc(1, 0, 0, INNER), Disc(2, 0, 0, OUTER), 0.0, 0.0, PowerLaw(1e8, 1.0), 0.0
    )
    share = row["share_a"]
    needle = (OUTER - INNER) / 2
    centre = INNER + needle
    for rate_i, rate_o in ((1.0, 0.0), (0.0, 1.0), (3.0, -2.0)):
        cage = share * rate_i + (1 - share) * rate_o
        spin = (centre * cage - INNER * rate_i) / needle  # no slip on the crank
        assert centre * cage + needle * spin == pytest.approx(OUTER * rate_o, abs=1e-16)


def test_turning_the_crank_alone_moves_the_needle_by_its_share(solve):
    turn = 0.8
    contact_result, _ = solve(0.0, 0.0, (0, 0, turn), (-1e-5, -1e-5, 0.0))
    expected = turn * INNER / (INNER + OUTER)
    assert math.atan2(contact_result["normal_y"], contact_result["normal_x"]) == pytest.approx(
        expected, rel=1e-12
    )


def test_presses_the_disc_outwards_at_the_outer_race(solve):
    """A disc shifted towards -x closes the needle at +x, which pushes it back to +x."""
    contact_result, force = solve(0.0, 2e-6, (0, 0, 0), (-7e-6, 0.0, 0.0))
    assert contact_result["gap"] == pytest.approx(-5e-6, abs=1e-17)
    assert force[2, 0] == pytest.approx(5e8 * 5e-6 ** (10 / 9), rel=1e-12)
    assert force[1, 0] == -force[2, 0]
    assert (contact_result["x"], contact_result["y"]) == pytest.approx(
        (OUTER - 7e-6, 0.0), abs=1e-15
    )


def test_a_full_bearing_of_needles_centres_the_disc(solve):
    """Needles all round: the net force opposes the shift, and nothing across it."""
    count, shift = 16, 6e-6
    total = np.zeros(3)
    for k in range(count):
        _, force = solve(2 * math.pi * k / count, 0.0, (0, 0, 0), (shift, 0.0, 0.0))
        total += force[2]
    assert total[0] < 0
    assert abs(total[1]) < 1e-10 * abs(total[0])
    assert abs(total[2]) < 1e-10 * abs(total[0]) * OUTER


def test_a_needle_beside_the_shift_turns_the_races_against_each_other(solve):
    """Rolling, the needle escapes from the narrow side: torque f (1 - σ)(t·p) on both races,
    what the energy demands (the cage turns with both)."""
    dx, dy = -6e-6, 4e-6
    contact_result, force = solve(0.0, 0.0, (0, 0, 0), (dx, dy, 0.0))
    expected = contact_result["normal_force"] * OUTER / (INNER + OUTER) * dy
    assert force[2, 2] == pytest.approx(expected, rel=1e-12)
    moment = force[1, 2] + force[2, 2] + dx * force[2, 1] - dy * force[2, 0]
    assert abs(moment) < 1e-15 * contact_result["normal_force"]
