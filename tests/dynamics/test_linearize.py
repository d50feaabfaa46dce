"""The tangent at an equilibrium: against closed forms, finite differences and re-solved poses."""

import numpy as np
import pytest

import flank
from flank.contact import Disc, PowerLaw, Surface, circle_in_hole
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.functions import constant, linear
from flank.dynamics.linearize import (
    elastic_tangent,
    full_elastic_tangent,
    linearize,
    mass_matrix,
    null_space,
    unbalanced_forces,
    unit_turn,
)
from flank.dynamics.run import solve_statics
from flank.dynamics.tables import GROUND
from flank.machines.base import Drive

ARM, STIFFNESS, FORCE = 0.2, 3e6, 40.0


def lever(weld_angle=0.0, twice=False):
    """A lever on a hinge, held by a spring at its end and pulled across; a body welded to it."""
    builder = ModelBuilder(0.1)
    body = builder.body("lever", 1.0, 0.01)
    welded = builder.body("welded", 2.0, 0.03)
    for _ in range(2 if twice else 1):
        builder.revolute(GROUND, body)
    builder.fixed(body, welded, angle=weld_angle)
    builder.bushing(GROUND, body, STIFFNESS, at_a=(ARM, 0.0), at_b=(ARM, 0.0))
    builder.force(body, (0.0, 1.0), constant(FORCE), at=(ARM, 0.0))
    return builder


def at_rest(builder):
    model = builder.build()
    path = solve_statics(model, builder.pose(), np.array([0.0]))
    assert path.complete
    return model, path.position[0]


@pytest.mark.parametrize("twice", [False, True])
def test_a_lever_gives_way_as_its_spring_does(twice):
    """c = 1/(k s²), to the small angle F/(k s); a joint that is there twice changes nothing."""
    model, pose = lever(twice=twice).build(), at_rest(lever())[1]
    at = linearize(model, pose)
    moved = at.solve(unit_turn(model, 1))
    assert moved[2] == pytest.approx(1 / (STIFFNESS * ARM**2), rel=2e-4)
    assert moved[5] == pytest.approx(moved[2], rel=1e-12)
    assert np.abs(at.constraints @ moved).max() < 1e-20
    pull, opening = at.influence(unit_turn(model, 1))
    assert pull == pytest.approx(moved, rel=1e-9, abs=1e-18)
    assert at.constraints.T @ opening + at.stiffness.T @ pull == pytest.approx(
        unit_turn(model, 1), abs=1e-7
    )


def test_reactions_follow_from_the_balance():
    """The spring pulls back with the load, so the hinge carries nothing along y."""
    model, pose = at_rest(lever())
    multipliers = linearize(model, pose).state.multipliers
    assert np.abs(multipliers).max() < 1e-2 * FORCE
    builder = lever()
    builder.force(2, (1.0, 0.0), constant(70.0))
    model, pose = at_rest(builder)
    assert linearize(model, pose).state.multipliers[0] == pytest.approx(70.0, rel=1e-3)


def test_an_error_of_a_joint_turns_what_hangs_on_it():
    """dθ/dp = yᵀ ∂F/∂p - μᵀ ∂c/∂p is one for the angle of a weld and nothing for the lever."""
    model, pose = at_rest(lever())
    at = linearize(model, pose)
    step = 1e-9
    changed = lever(weld_angle=step).build()
    force, gaps = (a - b for a, b in zip(
        unbalanced_forces(changed, at), unbalanced_forces(model, at), strict=True
    ))  # fmt: skip
    turned = []
    for body in (1, 2):
        pull, opening = at.influence(unit_turn(model, body))
        turned.append((pull @ force - opening @ gaps) / step)
    assert turned == pytest.approx([0.0, 1.0], abs=1e-6)


def test_a_pose_out_of_balance_is_refused():
    model, pose = at_rest(lever())
    pose[1, 2] += 1e-3
    with pytest.raises(ValueError, match="no equilibrium"):
        linearize(model, pose)


def test_what_nothing_holds_is_owed_to_the_regularization():
    builder = lever()
    builder.body("loose", 1.0, 0.01)
    model, pose = at_rest(builder)
    at = linearize(model, pose)
    for body, share in ((1, 0.0), (3, 1.0)):
        load = unit_turn(model, body)
        assert at.regularization_share(at.solve(load), load) == pytest.approx(share, abs=1e-6)


def ball(leaf, force=1e-3, depth=0.0):
    """A ball pressed into a hole of a sprung carriage, as a leaf or as a core body."""
    builder = ModelBuilder(0.01)
    carriage = builder.body("carriage", 1.0, 0.01)
    builder.bushing(GROUND, carriage, 1e6)
    builder.torsion_spring(GROUND, carriage, 1e3)
    own = builder.body("ball", 0.1, 1e-4, (0.0, -0.001 - depth, 0.0), leaf=leaf)
    hole, circle = Disc(carriage, 0.0, 0.0, 0.006), Disc(own, 0.0, 0.0, 0.005)
    builder.contact(circle_in_hole(hole, circle, Surface(PowerLaw(1e7, 1.0))))
    builder.force(own, (0.0, -1.0), linear(1.0))
    return builder


def test_leaves_are_put_back_into_the_whole():
    found = []
    for leaf in (True, False):
        builder = ball(leaf)
        model = builder.build()
        path = solve_statics(model, builder.pose(), np.array([100.0]))
        at = linearize(model, path.position[0], 100.0)
        found.append((at.stiffness, at.solve(np.eye(6)[:, [0, 4]])))
    assert found[0][0] == pytest.approx(found[1][0], rel=1e-9, abs=1e-3)
    assert np.abs(found[0][0][:3, 3:]).max() > 1e6
    assert found[0][1] == pytest.approx(found[1][1], rel=1e-6, abs=1e-15)
    assert found[0][1][4, 1] == pytest.approx(1 / 1e6 + 1 / 1e7, rel=1e-6)


def test_a_contact_that_only_leans_counts_as_open():
    """Penetration of round-off carries nothing, and the ball is free."""
    builder = ball(leaf=True, depth=1e-17)
    at = linearize(builder.build(), builder.pose(), 0.0)
    assert len(at.closed) == 0
    assert np.abs(at.stiffness[3:, 3:]).max() == 0.0


def test_null_space_of_rows_that_repeat():
    rows = np.array([[1.0, 1.0, 0.0, 0.0], [2.0, 2.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]])
    basis = null_space(rows)
    assert basis.shape == (4, 2)
    assert np.abs(rows @ basis).max() < 1e-15
    assert basis.T @ basis == pytest.approx(np.eye(2))
    assert null_space(np.zeros((0, 3))) == pytest.approx(np.eye(3))


def test_masses_stand_on_the_diagonal():
    assert np.diag(mass_matrix(lever().build())) == pytest.approx([1, 1, 0.01, 2, 2, 0.03])


@pytest.mark.parametrize(
    ("preset", "agreement"), [("cycloidal-drive", 1e-5), ("single-disc", 1e-5), ("monocrank", 1e-4)]
)
def test_compliance_is_that_of_poses_solved_again(preset, agreement):
    """Soft flanks are pressed in deeply: there what the tangent leaves out would show."""
    machine = flank.preset(preset)
    assembly = machine.assemble(Drive.of_ends(constant(0.0), linear(1.0)))
    model, output = assembly.model, assembly.output_shaft.body
    torques = machine.rated_torque * np.array([1.0, 1.001])
    path = solve_statics(model, machine.ideal_pose(0.0), torques)
    turned = np.diff(path.position[:, output, 2])[0] / np.diff(torques)[0]
    load = unit_turn(model, output)
    ends = [
        linearize(model, q, t).solve(load) @ load
        for q, t in zip(path.position, torques, strict=True)
    ]
    assert np.mean(ends) == pytest.approx(turned, rel=agreement)


@pytest.mark.parametrize("preset", ["cycloidal-drive", "single-disc"])
def test_parts_add_up_to_the_whole(preset):
    machine = flank.preset(preset)
    assembly = machine.assemble(Drive.of_ends(constant(0.0), linear(1.0)))
    torque = machine.rated_torque
    path = solve_statics(assembly.model, machine.ideal_pose(0.0), np.array([torque]))
    at = linearize(assembly.model, path.position[0], torque)
    whole = full_elastic_tangent(assembly.model, at)
    parts = [elastic_tangent(assembly.model, at, p.contacts, p.springs) for p in assembly.parts]
    assert len(parts) == 2
    assert all(np.abs(part).max() > 1e6 for part in parts)
    assert sum(parts) == pytest.approx(whole, rel=1e-9, abs=1e-9 * np.abs(whole).max())
    assert 0 < np.abs(at.stiffness - whole).max() < 0.2 * np.abs(whole).max()
