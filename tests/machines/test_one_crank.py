"""One crank behind a first stage: output rollers keep the discs from turning about it."""

import math

import numpy as np
import pytest

import flank
from flank.analyses import load_distribution, transmission_error
from flank.dynamics.functions import constant
from flank.dynamics.run import solve_statics
from flank.elasticity.material import STEEL
from flank.elasticity.shaft import Segment, Shaft, clamped_stiffness
from flank.errors import SpecError
from flank.machines.base import Drive
from flank.machines.mesh_forces import mesh_forces

ROLLERS = {"count": 5, "circle_radius": "85 mm", "radius": "10 mm"}
ONE = {"cranks.count": 1, "output_rollers": ROLLERS}
UNMODIFIED = {"discs.equidistant": 0, "discs.radial": 0}
NO_FRICTION = {
    "friction.pins": 0,
    "friction.turning_arm": 0,
    "friction.supports": 0,
    **UNMODIFIED,
}
RIGID = {"cranks.shaft": "rigid", "discs.body": "rigid", "carrier.body": "rigid"}
TIGHT = {"turning_arm.clearance": 0, "supports.clearance": 0}


def reducer(changes=None):
    return flank.preset("rv-320", NO_FRICTION | ONE | (changes or {}))


def loaded(machine, torque, angle=0.0):
    assembly = machine.assemble(Drive.of_ends(constant(angle), constant(torque)))
    run = solve_statics(assembly.model, machine.ideal_pose(angle), np.array([0.0]))
    assert run.complete
    return assembly, run


@pytest.mark.parametrize("changes", [{}, RIGID], ids=["elastic", "rigid"])
@pytest.mark.parametrize("angle", [0.0, 7.0, 40.0])
def test_rollers_just_touch_in_the_ideal_machine(angle, changes):
    machine = reducer(TIGHT | changes)
    assert machine.ratio == 121
    assembly, run = loaded(machine, 0.0, angle)
    group = assembly.groups["roller"]
    assert np.abs(run.reading(group, "gap")).max() < 1e-9
    assert run.force(group).max() < 1.0


@pytest.mark.parametrize("angle", [0.0, 3.1, 11.0])
def test_torque_at_the_sun_is_that_of_the_output_over_the_ratio(angle):
    """Without friction, at dead points of the crank (angle 0) and elsewhere."""
    machine, torque = reducer(), 1000.0
    assembly, run = loaded(machine, torque, angle)
    sun = 0.5 * 18 * 1.75e-3 * math.cos(math.radians(20))
    force = abs(mesh_forces(assembly, run)[0].sum())
    assert force == pytest.approx(torque / machine.ratio / sun, rel=5e-3)


def test_play_of_the_rollers_at_a_dead_point():
    """One disc, all rigid, rollers with the play c in their holes, the throw along the crank's arm.

    The disc may turn by ω against the carrier about its eccentric until a roller touches, c =
    ω max|y|; then e (dα - dθ_c) = R_c ω, dα = z_c (ω - φ) and dθ_c = (1 + z1/z2) φ.
    """
    play, loose = 50e-6, {**ROLLERS, "hole_radius": "12.25 mm"}
    one_disc = {"discs.count": 1, "discs.equidistant": None, "discs.radial": None}
    changes = TIGHT | RIGID | one_disc | {"output_rollers": loose}
    machine = reducer(changes | {"first_stage.backlash": None})
    turned = [
        loaded(machine, torque)[1].position[-1, machine.layout.flange[1], 2]
        for torque in (2.0, -2.0)
    ]
    found = turned[0] - turned[1]
    e, lobes, arm = 2.2e-3, 39, 63e-3
    stage = machine.spec.first_stage
    rolled = 1 + stage.sun_teeth / stage.planet_teeth
    highest = max(abs(y) for _, y in machine.layout.roller_places())
    closed = 2 * play / highest * (e * lobes - arm) / (e * (lobes + rolled))
    assert found == pytest.approx(closed, rel=0.01)


def test_it_runs_over_a_turn_of_its_crank():
    settings = transmission_error.TransmissionErrorSettings(points_per_turn=16, turns_of="crank")
    result = transmission_error.run(reducer(), settings)
    assert result.complete
    force = result["roller_force"].values
    assert force.shape[1:] == (2, 5)
    assert force.max() > 100


def test_rollers_help_several_cranks():
    """With two cranks opposite each other the rollers take a part of what bends them."""
    two = {"cranks.count": 2, "carrier.body": "elastic"}  # walls are too thin for elements
    with_rollers = reducer(two | {"output_rollers": {**ROLLERS, "count": 6}})
    without = reducer(two | {"output_rollers": None})
    stiff, soft = (load_distribution.run(m)["wind_up"] for m in (with_rollers, without))
    assert abs(stiff) < abs(soft)


def test_a_few_teeth_reducer_has_them_too():
    changes = {
        "cranks.count": 1,
        "friction.teeth": 0,
        "output_rollers": {"count": 5, "circle_radius": "30 mm", "radius": "2.5 mm"},
    }
    machine = flank.preset("few-teeth-38", changes)
    result = load_distribution.run(machine)
    assert result.complete
    assert result["roller_force"].values.max() > 1


def test_pins_are_beams_clamped_in_both_flanges():
    """In the middle L³/(192 E I) + L/(4 κ G A); between the ends as a pillar was."""
    length, segment = 0.2, Segment(0.2, 5e-3)
    beam = Shaft((segment,), (0.0, 0.1, 0.2), STEEL).clamped_lateral_stiffness()
    np.testing.assert_allclose(beam.sum(axis=0), 0.0, atol=1e-6 * beam.max())
    bending = STEEL.youngs_modulus * segment.second_moment
    factor = 6 * (1 + STEEL.poisson_ratio) / (7 + 6 * STEEL.poisson_ratio)
    shear = factor * STEEL.shear_modulus * segment.area
    gives = length**3 / (192 * bending) + length / (4 * shear)
    assert 1 / beam[1, 1] == pytest.approx(gives, rel=1e-9)
    ends = Shaft((segment,), (0.0, 0.2), STEEL).clamped_lateral_stiffness()
    assert ends[0, 0] == pytest.approx(clamped_stiffness(length, segment, STEEL), rel=1e-9)


def test_pins_are_drawn_in_their_holes():
    outlines = reducer().outlines()
    assert sum(each.name.startswith("pillar") for each in outlines) == 5
    assert math.isclose(reducer().size.pillar_hole_radius, 12.2e-3)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"output_rollers": None}, "output_rollers is missing: one crank leaves the discs free"),
        ({"carrier.pillar_count": 3}, "carrier.pillar_count does nothing with output_rollers"),
        ({"output_rollers.hole_radius": "11 mm"}, "output_rollers.hole_radius is 11 mm; the rol"),
        ({"output_rollers.count": 30}, "output_rollers: neighbouring holes overlap"),
        ({"output_rollers.circle_radius": "60 mm"}, "output_rollers.radius: pillar holes of"),
        ({"output_rollers.material": "cheese"}, "output_rollers.material"),
        (
            {"cranks.count": 3, "output_rollers": None, "friction.rollers": 0.01},
            "friction.rollers does nothing without output_rollers",
        ),
    ],
)
def test_what_cannot_be_is_refused(changes, sentence):
    with pytest.raises(SpecError) as error:
        reducer(changes)
    assert sentence in str(error.value)
