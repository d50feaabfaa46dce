"""The gear pair: one mass on the mesh, its shafts, bodies, bearings, errors and refusals."""

import math

import numpy as np
import pytest

import flank
from flank.analyses.runs import ideal_velocity
from flank.elasticity.tooth_beam import held_radius
from flank.errors import SpecError
from flank.machines.base import Drive, Reducer
from flank.machines.round_parts import hollow

RIGID = {"input_shaft": None, "output_shaft": None}
ON_AXES = RIGID | {"pinion.support": None, "wheel.support": None}
INTERNAL = {
    "wheel.internal": True,
    "wheel.teeth": 120,
    "wheel.body": {"rim_thickness": "12 mm"},
    "wheel.profile_shift": None,
    "pinion.profile_shift": None,
    "pinion.teeth": 40,
    "centre_distance": None,
}


def spur(**changes):
    return flank.preset("spur-bruzzone", changes)


def free_frequency(machine, angle=0.0):
    """Highest of the free pair."""
    result = flank.run(machine, "natural-frequencies", input="free", crank_angle=angle)
    return float(result["frequency"].values[-1])


def test_it_is_a_reducer_with_one_mesh():
    machine = flank.preset("gear-pair")
    assert isinstance(machine, Reducer)
    assert machine.ratio == -77 / 25
    assert machine.orders == {"output": 25 / 77, "input": 1.0, "mesh": 25.0}
    assert [mesh.name for mesh in machine.assemble(Drive()).meshes] == ["pinion/wheel"]


def test_a_pair_of_the_paper_as_printed():
    machine = spur()
    pair = machine.spec.pair
    assert pair.first.base_radius == pytest.approx(70.476947e-3, rel=1e-7)
    assert pair.contact_ratio == pytest.approx(1.75467, abs=1e-5)
    assert pair.normal_backlash == pytest.approx(0.125e-3, abs=1e-9)
    stiffness = machine.meshed.mean_stiffness
    frequency = math.sqrt(stiffness / machine.mesh_mass) / (2 * math.pi)
    assert frequency == pytest.approx(2700, rel=2e-3)


@pytest.mark.parametrize("ratio", [1, 2])
def test_a_spring_between_two_inertias_has_one_frequency(ratio):
    """f = √(k/m_e)/2π, m_e = 1/(r_b1²/J_1 + r_b2²/J_2), which is J/(2 r_b²) for equal gears."""
    changes = {"mesh": {"model": "spring", "stiffness": "3e8 N/m"}, "wheel.teeth": 50 * ratio}
    sizes = {"wheel.tip_radius": None, "centre_distance": None} if ratio > 1 else {}
    machine = spur(**RIGID, **changes, **sizes)
    radii = [machine.spec.pinion_gear.base_radius, machine.spec.wheel_gear.base_radius]
    inertias = [mass[1] for mass in machine.masses]
    mass = 1 / sum(r**2 / j for r, j in zip(radii, inertias, strict=True))
    if ratio == 1:
        assert mass == pytest.approx(inertias[0] / (2 * radii[0] ** 2), rel=1e-12)
    assert free_frequency(machine) == pytest.approx(math.sqrt(3e8 / mass) / (2 * math.pi), rel=1e-6)


@pytest.mark.parametrize("angle", [0.0, 0.04, 0.09])
def test_a_table_swings_on_the_stiffness_of_the_pairs_in_contact(angle):
    """Its slope along the teeth adds less than 0.5 percent where a pair comes in."""
    machine = spur(**RIGID)
    result = flank.run(machine, "load-distribution", crank_angle=angle)
    carried = result["torsional_stiffness"] / machine.spec.wheel_gear.base_radius**2
    expected = math.sqrt(carried / machine.mesh_mass) / (2 * math.pi)
    assert free_frequency(machine, angle) == pytest.approx(expected, rel=5e-3)
    assert 2200 < expected < 2900


def test_the_soft_shaft_leaves_the_pair_as_free_as_its_preset_says():
    twist = 150 / 2e4  # by which the pinion stays behind the shaft's outer end
    free = free_frequency(spur(**RIGID))
    assert free_frequency(spur(), twist) == pytest.approx(free, rel=2e-3)


def test_a_damping_ratio_becomes_a_damping_of_the_mesh():
    machine = spur()
    critical = 2 * math.sqrt(machine.meshed.mean_stiffness * machine.mesh_mass)
    assert machine.damped.damping == pytest.approx(0.08 * critical, rel=1e-12)
    assert spur(damping_ratio=None).damped.damping == 0


def test_inertias_are_those_of_disc_shaft_and_all_that_is_added():
    machine = spur()
    disc = hollow(75e-3, 30.6e-3, 20e-3, 7600.0)
    assert disc[1] == pytest.approx(7.33e-3, rel=3e-3)  # of the reference, r_bore 30.6
    assert machine.masses[0] == pytest.approx((disc[0], disc[1] + 4.728e-3))
    rigid = spur(input_shaft={"inertia": "0.05 kg*m^2"})
    assert rigid.masses[0][1] - machine.masses[0][1] == pytest.approx(0.05)


def test_a_web_weighs_less_than_a_disc():
    body = {"bore_diameter": "40 mm", "rim_thickness": "10 mm", "web_thickness": "6 mm"}
    machine = spur(**{"pinion.body": body | {"hub_diameter": "60 mm"}, "pinion.added_inertia": 0})
    density, root = 7600.0, 71.25e-3
    parts = (
        hollow(75e-3, root - 10e-3, 20e-3, density),
        hollow(root - 10e-3, 30e-3, 6e-3, density),
        hollow(30e-3, 20e-3, 20e-3, density),
    )
    assert machine.masses[0] == pytest.approx(np.sum(parts, axis=0))
    assert [finding.code for finding in machine.findings()] == ["web-taken-as-solid"]
    assert "web-taken-as-solid" not in str(spur(mesh={"model": "spring"}).findings())


def test_deviations_of_single_teeth_are_told_to_count_in_some_analyses_only():
    machine = spur(**{"pinion.pitch_deviations": 25 * ["2 um", "-1 um"]})
    finding = next(one for one in machine.findings() if one.code == "teeth-taken-as-alike")
    assert "of the pinion count in mesh-stiffness" in finding.message
    assert finding.value == pytest.approx(2e-6)
    first, second = (
        flank.run(machine, "mesh-stiffness", points=16, loads=[1.0], first_tooth=tooth)
        for tooth in (1, 2)
    )
    assert np.abs(first["error"].values - second["error"].values).max() > 0.5e-6


@pytest.mark.parametrize("model", ["table", "contact", "fe"])
def test_gears_out_of_line_are_softer_on_every_rung_with_slices(model):
    """A lead slope is a misalignment, and the ends of teeth carry more."""
    straight, turned, sloped = (
        flank.run(
            spur(mesh={"model": model}, input_shaft=None, **more), "hysteresis", points_per_stage=6
        )
        for more in (
            {},
            {"errors": {"misalignment": 15e-6 / 20e-3}},
            {"errors": {"pinion_lead_slope": "20 um", "wheel_lead_slope": "-5 um"}},
        )
    )
    stiffness = [one["torsional_stiffness"] for one in (straight, turned, sloped)]
    assert stiffness[1] < 0.99 * stiffness[0]
    assert stiffness[2] == pytest.approx(stiffness[1], rel=1e-6)


def test_the_bore_is_where_the_teeth_s_body_is_held():
    thin, thick = (spur(**{"pinion.body.bore_diameter": f"{d} mm"}) for d in (120, 40))
    assert held_radius(thin.spec.pinion_gear) == 60e-3
    assert thin.meshed.mean_stiffness > 1.05 * thick.meshed.mean_stiffness


@pytest.mark.parametrize("model", ["rigid", "spring", "table", "contact"])
@pytest.mark.parametrize("changes", [ON_AXES, ON_AXES | INTERNAL], ids=["external", "internal"])
def test_torque_and_turning_follow_the_ratio_on_every_rung(model, changes):
    machine = flank.preset("gear-pair", changes | {"mesh": {"model": model}})
    result = flank.run(machine, "load-distribution", crank_angle=0.02)
    force = float(result["mesh_load"].values[0])
    assert abs(force) == pytest.approx(700 / machine.spec.wheel_gear.base_radius, rel=2e-3)
    velocity = ideal_velocity(machine, 0.3)[:, 2]
    assert velocity[1] / velocity[2] == pytest.approx(machine.ratio)
    assert (machine.ratio > 0) == machine.spec.wheel.internal


def test_table_and_contact_give_way_alike():
    mean = {}
    for model in ("table", "contact"):
        machine = flank.preset("gear-pair", ON_AXES | {"mesh": {"model": model}})
        result = flank.run(machine, "transmission-error", points_per_turn=200)
        backlash = machine.spec.pair.normal_backlash / machine.spec.wheel_gear.base_radius
        mean[model] = result["mean_error"] - 0.5 * backlash
    assert mean["contact"] == pytest.approx(mean["table"], rel=0.05)


def test_run_out_shows_as_an_order_of_its_gear():
    """An eccentricity e moves the pinion's teeth along the line of action by e."""
    machine = spur(**RIGID, **{"errors.pinion_eccentricity": "10 um"})
    result = flank.run(machine, "transmission-error", points_per_turn=400)
    amplitude = float(result["amplitude"].values[1])
    assert amplitude == pytest.approx(10e-6 / machine.spec.wheel_gear.base_radius, rel=1e-3)


def test_a_larger_centre_distance_opens_the_backlash():
    """dj = 2 R d(inv α) = 2 sin α da of two external gears, along the line of action."""
    lost = [
        flank.run(spur(**RIGID, **{"errors.centre_distance": e}), "hysteresis")["backlash"]
        for e in ("0 um", "20 um")
    ]
    wider = 2 * math.sin(math.radians(20)) * 20e-6 / spur().spec.wheel_gear.base_radius
    assert lost[1] - lost[0] == pytest.approx(wider, rel=5e-3)


def test_errors_that_leave_no_backlash_are_found():
    tight = {"wheel.thickness_deviation": "-10 um", "pinion.thickness_deviation": "-10 um"}
    machine = spur(**tight, **{"errors.centre_distance": "-30 um"})
    assert "negative-backlash" in [finding.code for finding in machine.findings()]


def test_finite_elements_of_a_ring_need_its_rim():
    bare = INTERNAL | {"wheel.body": None}
    sentence = r"wheel.body.rim_thickness is missing: finite elements of a ring need its rim"
    with pytest.raises(SpecError, match=sentence):
        flank.preset("gear-pair", bare | {"mesh.model": "fe"})
    with pytest.raises(SpecError, match=sentence):
        flank.run(flank.preset("gear-pair", bare | ON_AXES), "rolling-sweep")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"pinion.body.bore_diameter": "150 mm"}, "pinion.body.bore_diameter is 150 mm; it must be "
         "less than the root diameter, 142.5 mm"),
        ({"wheel.body": {"web_thickness": "30 mm", "rim_thickness": "9 mm"}},
         "wheel.body.web_thickness is 30 mm; it must not exceed the face width of 20 mm"),
        ({"wheel.body": {"web_thickness": "8 mm"}}, "rim_thickness is missing: a web needs it"),
        ({"wheel.body": {"rim_thickness": "8 mm"}}, "rim_thickness does nothing without a web"),
        ({"wheel.body": {"rim_thickness": "80 mm", "web_thickness": "8 mm"}},
         "rim_thickness is 80 mm; it must be less than the root radius of 71.25 mm"),
        ({"wheel.body.hub_diameter": "70 mm"}, "hub_diameter does nothing without a web"),
        ({"wheel.internal": True}, "an internal wheel needs more teeth than the pinion inside"),
        ({"wheel.internal": True, "wheel.teeth": 90},
         "wheel.body.bore_diameter does nothing on an internal gear; give its rim_thickness"),
        ({"pinion.support.kind": "floating"}, "a gear of a pair cannot float"),
        ({"mesh.damping": "10 N*s/m"}, "damping_ratio and mesh.damping are both given"),
        ({"input_shaft.inertia": None}, "inertia is missing: what turns at the outer end"),
        ({"output_shaft.damping": 3}, "damping does nothing in a rigid shaft"),
        ({"ratio": 3}, "wheel.teeth / pinion.teeth"),
        ({"mesh.slices": 1, "pinion.crowning": "5 um"}, "mesh.slices: 1 slice knows nothing of"),
        ({"mesh.slices": 1, "errors.misalignment": "1 arcsec"}, "slices: 1 slice knows nothing of"),
        ({"wheel.pitch_deviations": ["1 um", "2 um"]},
         "wheel.pitch_deviations has 2 values, and the gear 50 teeth"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_in_a_sentence(changes, sentence):
    with pytest.raises(SpecError, match=sentence.replace(".", r"\.")):
        spur(**changes)
