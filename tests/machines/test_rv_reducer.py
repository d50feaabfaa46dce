"""The RV reducer: kinematics, balance, symmetry, and closed forms of its play."""

import itertools
import math

import numpy as np
import pytest

import flank
from flank.analyses import hysteresis, load_distribution
from flank.analyses.hysteresis import five_stages
from flank.dynamics.assembly import assemble
from flank.dynamics.functions import constant
from flank.dynamics.model import initial_state, workspace
from flank.dynamics.run import solve_statics
from flank.machines.base import Drive
from flank.machines.mesh_forces import mesh_forces

ARCMIN = math.pi / 180 / 60
UNMODIFIED = {"discs.equidistant": 0, "discs.radial": 0}
NO_FRICTION = {
    "friction.pins": 0,
    "friction.turning_arm": 0,
    "friction.supports": 0,
    **UNMODIFIED,
}
RIGID = {"cranks.shaft": "rigid", "discs.body": "rigid", "carrier.body": "rigid"}
COARSE = hysteresis.HysteresisSettings(points_per_stage=8)
PRESETS = ("rv-320", "rv-40", "rv-80", "rv-paper", "rv-generic")


def reducer(changes=None, name="rv-320"):
    return flank.preset(name, NO_FRICTION | (changes or {}))


def loop(machine, **changes):
    return hysteresis.run(machine, COARSE.with_changes(changes) if changes else COARSE)


def static_path(machine, torques, input_angle=0.0):
    peak = max(map(abs, torques))
    assembly = machine.assemble(Drive.of_ends(constant(input_angle), five_stages(peak, 1.0)))
    # stage 1 rises to +peak, stage 3 falls to -peak
    times = [t / peak if t >= 0 else 2 - t / peak for t in torques]
    run = solve_statics(assembly.model, machine.ideal_pose(input_angle), np.array(times))
    assert run.complete
    return assembly, run


@pytest.mark.parametrize(
    ("name", "ratio"), [("rv-40", 121), ("rv-80", 153), ("rv-generic", 121), ("rv-320", 121)]
)
def test_ratio_is_exact(name, ratio):
    machine = reducer(name=name)
    assert machine.ratio == ratio
    one, two = machine.ideal_pose(0.0), machine.ideal_pose(1.0)
    output, sun = machine.layout.flange[1], machine.layout.input_body
    assert two[output, 2] - one[output, 2] == pytest.approx(1 / ratio, rel=1e-14)
    assert two[sun, 2] == pytest.approx(1.0, rel=1e-14)


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("angle", [0.0, 1.3, 40.0])
def test_ideal_machine_touches_without_force(name, angle):
    """Every pin, roller and tooth just touches in the ideal pose without clearance."""
    machine = reducer({"turning_arm.clearance": 0, "supports.clearance": 0}, name)
    assembly = machine.assemble(Drive.of_ends(constant(angle), constant(0.0)))
    state = initial_state(assembly.model, machine.ideal_pose(angle))
    work = workspace(assembly.model)
    assemble(assembly.model, state, state.position, state.velocity, 0.0, work, 0.0, 1.0, 1.0)
    gaps = state.contact_results["gap"]
    assert np.abs(gaps).max() < 1e-11
    assert np.abs(work.force).max() < 1.0  # N or N·m, of contacts pressed by round-off


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_runs(name):
    machine = reducer(name=name)
    result = loop(machine)
    assert result.complete
    stiffness = float(result["torsional_stiffness"]) * ARCMIN
    assert 0.2 < stiffness / machine.rated_torque < 2.0
    assert machine.spec.source
    assert machine.spec.assumptions


def test_forces_balance_on_every_body_at_every_load():
    machine = reducer()
    torques = [300.0, 1500.0, 3136.0, -400.0, -3136.0]
    assembly, run = static_path(machine, torques)
    for torque, time, pose in zip(torques, run.time, run.position, strict=True):
        state, work = initial_state(assembly.model, pose), workspace(assembly.model)
        assemble(assembly.model, state, state.position, state.velocity, time, work, 0.0, 1.0, 1.0)
        loose = work.force.copy()
        loose[machine.layout.input_body] = 0.0  # held by its joint
        loose[0] = 0.0
        assert np.abs(loose).max() < 1e-4 * max(abs(torque), 1.0)
        # what the housing takes: pins and main bearings carry the output torque and the sun's
        assert work.force[0, 2] == pytest.approx(torque * (1 - 1 / machine.ratio), rel=2e-3)


def test_crank_torque_follows_from_the_resultant():
    """Across the crank the pins push on a disc with T/(e z_c), however spread (item 7)."""
    machine = reducer({"discs.equidistant": "3 um"})
    assembly, run = static_path(machine, [3136.0])
    group = next(iter(assembly.groups.values()))
    contact_results = run.contact_results[0][group.contacts]
    pose = run.position[0]
    for j, rim in enumerate(machine.layout.rim):
        force = contact_results["normal_force"][j]
        fx, fy = force @ contact_results["normal_x"][j], force @ contact_results["normal_y"][j]
        x, y = contact_results["x"][j] - pose[rim, 0], contact_results["y"][j] - pose[rim, 1]
        torque = abs(
            np.sum(
                force * (x * contact_results["normal_y"][j] - y * contact_results["normal_x"][j])
            )
        )
        crank = np.array([math.cos(machine.layout.phases[j]), math.sin(machine.layout.phases[j])])
        across = abs(crank[0] * fy - crank[1] * fx)
        assert across == pytest.approx(torque / (2.2e-3 * 39), rel=5e-3)


def test_symmetric_machine_has_a_symmetric_loop():
    """At crank angle 0 a mirror turns the machine into itself and the torque around."""
    result = loop(reducer())
    torque, angle = result["loop_torque"].values, result["loop_angle"].values
    stage = result["loop_stage"].values
    rising = np.interp(3136 * np.linspace(0.05, 1, 9), torque[stage == 4], angle[stage == 4])
    falling = np.interp(3136 * np.linspace(0.05, 1, 9), -torque[stage == 2], -angle[stage == 2])
    np.testing.assert_allclose(rising, falling, rtol=2e-3)


def test_turned_by_one_crank_pitch_it_is_the_same_machine():
    """The carrier turned by 120° with 42 pins: other pins and cranks, the same picture in space.

    The rollers alone stand elsewhere, for a cage does not turn by whole pitches: 7e-5.
    """
    machine = reducer({"pins.count": 42, "eccentricity": "2.1 mm"})
    one = static_path(machine, [2000.0])
    two = static_path(machine, [2000.0], 2 * math.pi / 3 * machine.ratio)
    output = machine.layout.flange[1]
    turn = [
        path[1].position[0, output, 2] - machine.ideal_pose(angle)[output, 2]
        for path, angle in ((one, 0.0), (two, 2 * math.pi / 3 * machine.ratio))
    ]
    assert turn[1] == pytest.approx(turn[0], rel=2e-4)


def test_elastic_parts_add_no_play():
    stiff = loop(reducer(RIGID))["backlash"]
    assert float(loop(reducer())["backlash"]) == pytest.approx(float(stiff), rel=1e-5)


def test_backlash_from_profile_modification():
    """Item 4: 2 (Δr + ΔR √(1 - K1²))/(e z_c) between pins and disc, all else without play."""
    base = {"turning_arm.clearance": 0, "supports.clearance": 0}
    shortening = 2.2 * 40 / 119.5
    for changes, closed in (
        ({"discs.equidistant": "10 um"}, 2 * 10e-6 / (2.2e-3 * 39)),
        ({"discs.radial": "10 um"}, 2 * 10e-6 * math.sqrt(1 - shortening**2) / (2.2e-3 * 39)),
    ):
        found = float(loop(reducer(base | changes), torque=1.0)["backlash"])
        # as the output turns by θ the cranks roll on the sun by (1 + z1/z2) θ, which helps
        helped = 1 + (1 + 18 / 54) / 39
        assert found == pytest.approx(closed / helped, rel=5e-3)


def test_first_stage_backlash_reaches_the_output():
    """A normal backlash j is an angle j/r_b1 of the sun, and that over the ratio at the output."""
    tight = {"turning_arm.clearance": "-2 um", "supports.clearance": "-2 um"}
    machine = reducer(tight | {"first_stage.backlash": "40 um"})
    sun = 0.5 * 18 * 1.75e-3 * math.cos(math.radians(20))
    found = float(loop(machine, torque=5.0)["backlash"])
    assert found == pytest.approx(40e-6 / sun / machine.ratio, rel=0.05)


@pytest.mark.parametrize("model", ["rigid", "spring", "table", "contact"])
def test_the_first_stage_on_every_rung(model):
    """Its teeth just touch in the ideal pose, carry the sun's torque, and hardly give way."""
    machine = reducer({"first_stage.mesh.model": model})
    sun = 0.5 * 18 * 1.75e-3 * math.cos(math.radians(20))
    for angle in (0.0, 0.9):
        assembly, run = static_path(machine, [1500.0], angle)
        assert len(assembly.meshes) == 3
        force = abs(mesh_forces(assembly, run)[0].sum())  # a rigid mesh also pulls
        assert force == pytest.approx(1500.0 / machine.ratio / sun, rel=5e-3)
    stiff = float(loop(machine)["torsional_stiffness"])
    assert stiff == pytest.approx(float(loop(reducer())["torsional_stiffness"]), rel=5e-3)


@pytest.mark.parametrize("model", ["rigid", "spring", "table", "contact", "fe"])
def test_first_stage_at_a_working_centre_distance_on_every_rung(model):
    """Teeth of 66 mm without profile shift on cranks of 65 mm: base circles carry the same torque
    by the same force, and the stage hardly gives way."""
    changes = {
        "cranks.circle_radius": "65 mm",
        "first_stage.module": "2 mm",
        "first_stage.sun_teeth": 22,
        "first_stage.planet_teeth": 44,
        "first_stage.profile_shift": -0.3,
    }
    machine = reducer(changes | {"first_stage.mesh.model": model})
    assert {finding.code for finding in machine.findings()} <= {"body-assumed"}
    assembly, run = static_path(machine, [1500.0], 0.0)
    force = abs(mesh_forces(assembly, run)[0].sum())
    sun = 0.5 * 22 * 2e-3 * math.cos(math.radians(20))
    assert force == pytest.approx(1500.0 / machine.ratio / sun, rel=5e-3)
    plain = static_path(reducer(changes), [1500.0], 0.0)
    stiff, known = (
        float(each.angle(parts.output_shaft)[-1]) for parts, each in ((assembly, run), plain)
    )
    assert stiff == pytest.approx(known, rel=5e-3)


@pytest.mark.parametrize("model", ["spring", "table", "contact"])
def test_first_stage_backlash_on_every_rung(model):
    tight = {"turning_arm.clearance": "-2 um", "supports.clearance": "-2 um"}
    stage = {"first_stage.mesh.model": model, "first_stage.backlash": "40 um"}
    sun = 0.5 * 18 * 1.75e-3 * math.cos(math.radians(20))
    found = float(loop(reducer(tight | stage), torque=5.0)["backlash"])
    assert found == pytest.approx(40e-6 / sun / 121, rel=0.05)


def test_lost_motion_identity():
    """Item 11: without friction LM = BL + 0.06 T_r/K near zero, so LM > BL."""
    result = loop(reducer())
    assert float(result["lost_motion"]) > float(result["backlash"])


def test_finer_loads_change_nothing():
    coarse, fine = (
        hysteresis.run(reducer(), hysteresis.HysteresisSettings(points_per_stage=n))
        for n in (41, 81)
    )
    for name in ("lost_motion", "backlash", "torsional_stiffness"):
        assert float(fine[name]) == pytest.approx(float(coarse[name]), rel=2e-3)


@pytest.mark.parametrize(
    "changes",
    [
        {"discs.count": 1},
        {"discs.count": 3},
        {
            "cranks.count": 4,
            "cranks.pin_radius": "17 mm",
            "turning_arm.count": 14,
            "first_stage.sun_teeth": 36,
            "first_stage.planet_teeth": 36,
        },
        {"pins.mounting": "floating", "pins.groove_radius": "5.005 mm"},
        {"supports.contact_angle": 0},
        {"contact.law": "palmgren"},
    ],
)
def test_variants_run(changes):
    result = loop(reducer(changes))
    assert result.complete
    assert 200 < float(result["torsional_stiffness"]) * ARCMIN < 3000


def test_stiffness_grows_with_what_is_made_rigid():
    base = float(loop(reducer())["torsional_stiffness"])
    for key, value in itertools.chain(RIGID.items(), [("supports.contact_angle", 0)]):
        assert float(loop(reducer({key: value}))["torsional_stiffness"]) > 1.005 * base


def test_floating_pins_run_with_the_presets_friction():
    floating = {"pins.mounting": "floating", "pins.groove_radius": "5.01 mm"}
    machine = flank.preset("rv-320", floating | {"friction.grooves": 0.05})
    assert load_distribution.run(machine).complete
    result = loop(machine)
    assert result.complete
    assert float(result["backlash"]) > 1.5 * float(loop(reducer())["backlash"])


def test_friction_follows_the_materials():
    """Mindlin's ratio of a material without cross contraction is one."""
    cork = {"materials.cork": {"youngs_modulus": 206e9, "poisson_ratio": 0.0, "density": 7850.0}}
    named = {f"{block}.material": "cork" for block in ("discs", "pins", "cranks", "turning_arm")}
    contacts = (
        flank.preset("rv-320", cork | named)
        .assemble(Drive.of_ends(constant(0.0), constant(0.0)))
        .model
    )
    assert contacts.contacts["tangential_ratio"][:188] == pytest.approx(1.0)


def test_rollers_have_a_pressure():
    result = load_distribution.run(reducer())
    force = float(result["turning_arm_force"].max())
    load, curvature = force / 13.5e-3, 1 / 22.5e-3 + 1 / 4.25e-3
    modulus = 206e9 / (2 * (1 - 0.3**2))
    expected = math.sqrt(load * modulus * curvature / math.pi)
    assert float(result["turning_arm_pressure"].max()) == pytest.approx(expected, rel=1e-9)
