"""Bevel and hypoid pairs: teeth, findings, and models of springs and flanks against each other."""

from functools import partial

import numpy as np
import pytest

import flank
from flank.dynamics.functions import constant
from flank.dynamics.run import solve_statics
from flank.elasticity.finite_elements.bevel_influence import BevelGrid, bevel_influence
from flank.elasticity.finite_elements.bevel_mesh import bevel_mesh
from flank.elasticity.finite_elements.sector_mesh import MeshDensity
from flank.errors import SpecError
from flank.machines.base import Drive

PRESETS = ("bevel-pair", "hypoid-pair", "spiral-bevel-nasa")
STIFF = {
    "pinion.bearings": None,
    "wheel.bearings": None,
    "input_shaft": None,
    "output_shaft": None,
    "damping_ratio": None,
}
"""Members on rigid axes, without shafts."""

HOLED = MeshDensity(tooth=2, flank=2, fillet=1, space=1, layers=3, growth=0.3)


def test_blanks_are_those_of_the_standard_s_sample():
    """ISO 23509:2016, annex F, second sample."""
    table, pair = flank.preset("hypoid-pair").gear_data()
    rows = {row.title: row.values for row in table.rows}
    assert np.degrees(rows["face angle δ_a"]) == pytest.approx([25.232, 69.323], abs=1e-3)
    assert np.degrees(rows["root angle δ_f"]) == pytest.approx([20.303, 64.324], abs=1e-3)
    assert rows["outside diameter d_ae"] == pytest.approx([73.528e-3, 171.560e-3], abs=1e-6)
    assert rows["mean normal thickness s_mn"] == pytest.approx([4.922e-3, 3.241e-3], abs=1e-6)
    values = {row.title: row.values[0] for row in pair.rows}
    assert values["mean normal module m_mn"] == pytest.approx(2.640e-3, abs=1e-6)


@pytest.mark.parametrize("name", PRESETS)
def test_levers_are_as_the_tooth_numbers_and_the_pinion_pushes_the_right_way(name):
    machine = flank.preset(name)
    first, second = machine.contact.levers
    assert second / first == pytest.approx(machine.ratio, rel=1e-12)
    # turned as its shaft is, a point of the pinion moves along the normal that pushes the wheel
    assert machine.sense * first > 0
    assert machine.backlash > 0


def test_backlash_by_settings_is_what_is_asked_for():
    machine = flank.preset("spiral-bevel-nasa", {"settings.transverse_backlash": "0.2 mm"})
    radius = machine.teeth.wheel.mean_place[1]
    # flanks touch where they are looked for, which is known to the transmission error
    assert machine.backlash * radius == pytest.approx(0.2e-3, abs=5e-8)


def test_the_other_hand_is_the_mirror_image():
    left, right = (flank.preset("bevel-pair", {"hand": hand}) for hand in ("left", "right"))
    assert left.sense == -right.sense
    assert left.contact.levers == pytest.approx([-lever for lever in right.contact.levers])
    mirrored = right.contact.point * [1, -1, 1]
    assert left.contact.point == pytest.approx(mirrored, abs=1e-9)


def test_inertia_of_a_body_is_that_of_frustums():
    body = flank.preset("bevel-pair").bodies[0]
    (z, r), (ahead, beside) = body.meridian.T, np.roll(body.meridian, -1, axis=0).T
    square, fourth = (sum(r**k * beside ** (n - k) for k in range(n + 1)) for n in (2, 4))
    mass = body.density * np.pi / 3 * np.sum(square * (ahead - z))
    moment = body.density * np.pi / 10 * np.sum(fourth * (ahead - z))
    found = body.mass_and_inertia(0.0)
    added = body.spec.added_inertia
    assert found[:2] == pytest.approx((mass, moment + added), rel=1e-12)
    assert found[2] > 0.5 * found[1]


def test_a_spring_winds_up_by_its_stiffness():
    changes = STIFF | {"mesh": {"model": "spring", "stiffness": "5e8 N/m"}}
    machine = flank.preset("hypoid-pair", changes)
    result = flank.run(machine, "load-distribution")
    lever = machine.contact.levers[1]
    expected = machine.load_torque / (5e8 * lever**2) + 0.5 * machine.backlash
    assert abs(result["wind_up"]) == pytest.approx(abs(expected), rel=1e-6)


@pytest.mark.parametrize("name", ["hypoid-pair", "spiral-bevel-nasa"])
def test_flanks_in_a_model_are_flanks_under_the_same_torque(name):
    """On rigid axes: statics of the model against the torque found by itself."""
    machine = flank.preset(name, STIFF | {"mesh.points": 16})
    angle = 0.1
    result = flank.run(machine, "load-distribution", crank_angle=angle)
    flanks = machine.loaded_flanks()
    load = flanks.under(machine.sense * angle, machine.load_torque)
    # at zero teeth stand in the middle of the backlash, from where flanks touch near their middles
    wind_up = load.lag + 0.5 * machine.backlash
    assert abs(result["wind_up"]) == pytest.approx(wind_up, rel=1e-6)
    assert result["mesh_load"].values[0] == pytest.approx(load.force.sum(), rel=1e-6)


def test_flanks_push_and_are_pushed_alike():
    """On bearings, all forces and torques of flanks about the origin of space balance."""
    machine = flank.preset("hypoid-pair", {"mesh.points": 16})
    drive = Drive.of_ends(constant(0.2), constant(machine.load_torque))
    assembly = machine.assemble(drive)
    run = solve_statics(assembly.model, machine.ideal_pose(0.2), np.array([0.0]))
    assert run.complete
    element = assembly.model.flanks.elements[0]
    forces, scale = flank_forces(element, run), 0.0
    total, turning = np.zeros(3), np.zeros(3)
    for body, force in zip((element.body_a, element.body_b), forces, strict=True):
        total += force[:3]
        turning += force[3:] + np.cross(run.position[0, body], force[:3])
        scale = max(scale, np.abs(force[:3]).max())
    assert np.abs(total).max() < 1e-10 * scale
    assert np.abs(turning).max() < 1e-10 * scale


def flank_forces(element, run):
    from flank.contact.spatial.flank_forces import PROPORTION, evaluate_flanks, flank_work
    from flank.dynamics.spatial.quaternions import matrix_of

    force = np.zeros(12)
    pose = run.position[0].copy(), np.ascontiguousarray(matrix_of(run.rotation[0]))
    velocity, bodies = np.zeros((len(pose[0]), 6)), (element.body_a, element.body_b)
    work = flank_work(element.mesh)
    evaluate_flanks(element.mesh, PROPORTION, *pose, velocity, *bodies, work, force)
    return force[:6], force[6:]


def test_misalignments_move_members_and_contact():
    machine = flank.preset("bevel-pair", {"errors.pinion_axial": "100 um"})
    straight = flank.preset("bevel-pair")
    moved = machine.ideal_pose(0.0).position - straight.ideal_pose(0.0).position
    assert moved[1] == pytest.approx([1e-4, 0, 0], abs=1e-12)
    assert machine.flank_pair().start[3] != pytest.approx(straight.flank_pair().start[3], abs=1e-3)


@pytest.mark.parametrize(
    ("name", "changes", "sentence"),
    [
        ("bevel-pair", {"offset": "5 mm"}, "the axes of a bevel pair cross"),
        ("bevel-pair", {"blank.method": 1}, "1 is for a hypoid pair"),
        ("hypoid-pair", {"blank.method": 0}, "0 is for axes that cross"),
        ("bevel-pair", {"mesh.points": 7}, "a whole number from 8 to 200 is needed"),
        ("bevel-pair", {"blank": None}, "blank and settings tell the teeth in two ways"),
        ("bevel-pair", {"pinion.teeth": 40}, "at least as many teeth as the pinion"),
        ("bevel-pair", {"wheel.body.bore_diameter": "130 mm"}, "root diameter at the toe"),
        ("bevel-pair", {"mesh.stiffness": "1e8 N/m"}, "stiffness does nothing with the model"),
        ("spiral-bevel-nasa", {"shaft_angle": "60 deg"}, "touch nowhere near their middles"),
        (
            "spiral-bevel-nasa",
            {"settings.transverse_backlash": "5 um", "errors.pinion_axial": "-300 um"},
            "and teeth jam",
        ),
        ("bevel-pair", {"blank.depth.depth": 3}, "pointed"),
        (
            "spiral-bevel-nasa",
            {"settings.pinion.dedendum_angle": "6 deg"},
            "settings of the concave",
        ),
        (
            "spiral-bevel-nasa",
            {"settings.pinion.concave.ratio_of_roll": 0},
            "4.12 mm above the root cone; check dedendum angle, root angle",
        ),
        (
            "spiral-bevel-nasa",
            {"settings.pinion.concave.cradle_angle": "-63 deg"},
            "their cuts do not belong to one space",
        ),
        (
            "spiral-bevel-nasa",
            {"settings.pinion.concave.edge_radius": "9 mm"},
            "leaves less than half of the flank",
        ),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(name, changes, sentence):
    with pytest.raises(SpecError) as error:
        flank.preset(name, changes)
    assert sentence in str(error.value)


def test_contact_on_an_edge_is_told_with_the_way_to_move():
    changes = {"ease_off.concave.spiral_angle": "140 um", "blank.normal_backlash": "0.6 mm"}
    machine = flank.preset("bevel-pair", changes)
    finding = next(one for one in machine.findings() if one.code == "contact-on-edge")
    assert finding.severity == "warning"
    assert "of the" in finding.message
    assert finding.remedy.startswith("move the")
    assert "the crossing point" in finding.remedy


def test_bearings_that_do_not_hold_are_refused():
    bearing = {"at": "100 mm", "radial_stiffness": "1e8 N/m"}
    with pytest.raises(SpecError, match="two bearings at different places"):
        flank.preset("bevel-pair", {"pinion.bearings": [bearing, bearing]})
    other = bearing | {"at": "150 mm"}
    with pytest.raises(SpecError, match="holds the shaft along its axis"):
        flank.preset("bevel-pair", {"pinion.bearings": [bearing, other]})


def test_finite_elements_give_way_more_than_the_quick_form():
    """They know the bodies down to their bores, which the slices of a virtual spur gear do not."""
    lags = {}
    for influence in ("beam", "fe"):
        machine = flank.preset("bevel-pair", STIFF | {"mesh.influence": influence})
        flanks = machine.loaded_flanks(points=16)
        lags[influence] = flanks.under(0.0, machine.rated_torque).lag
    assert 1 < lags["fe"] / lags["beam"] < 2


HOLES = {"count": 6, "circle_diameter": "105 mm", "diameter": "16 mm"}


def test_holes_take_their_mass_and_need_finite_elements():
    changes = {"mesh.influence": "fe"}
    solid = flank.preset("spiral-bevel-nasa", changes)
    holed = flank.preset("spiral-bevel-nasa", changes | {"wheel.body.holes": HOLES})
    (_, before), (_, wheel) = solid.bodies, holed.bodies
    (mass, axial, transverse), less = before.mass_and_inertia(0.0), wheel.mass_and_inertia(0.0)
    back, (toe, _) = before.meridian[-1, 0], before.section.bottom
    # holes begin on the plane at the toe, below the roots
    volume = 6 * np.pi * 8e-3**2 * (back - toe[0])
    taken = wheel.density * volume
    assert mass - less[0] == pytest.approx(taken, rel=0.05)
    assert axial - less[1] == pytest.approx(taken * (52.5e-3**2 + 0.5 * 8e-3**2), rel=0.06)
    assert less[2] < transverse
    assert sum(outline.kind == "hole" for outline in wheel.outlines(2, True)) == 7
    with pytest.raises(SpecError, match="only finite elements know how teeth give way"):
        flank.preset("spiral-bevel-nasa", {"wheel.body.holes": HOLES})


def test_a_meshed_wheel_is_as_thick_as_its_spec_says():
    machine = flank.preset("bevel-pair")
    wheel, body = machine.bodies[1], machine.elasticity.meshed_body(machine.teeth, 1)
    mesh = bevel_mesh(wheel.member, body, HOLED)
    bore = mesh.nodes[mesh.held]
    (toe, _), back = wheel.section.bottom, wheel.meridian[-1, 0]
    assert np.hypot(*bore[:, :2].T) == pytest.approx(35e-3)
    assert bore[:, 2].max() == pytest.approx(back, abs=0.3e-3)
    assert toe[0] < bore[:, 2].min() < toe[0] + 0.3 * machine.normal_module * 2.25


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"circle_diameter": "80 mm"}, "must lie between the bore"),
        ({"count": 30}, "run into each other"),
    ],
)
def test_holes_that_leave_nothing_are_refused(changed, sentence):
    changes = {"mesh.influence": "fe", "wheel.body.holes": HOLES | changed}
    with pytest.raises(SpecError, match=sentence):
        flank.preset("spiral-bevel-nasa", changes).check()


def test_a_wheel_with_holes_errs_once_a_hole(monkeypatch):
    """Six holes below 36 teeth, one position a mesh cycle, over a revolution of the wheel."""
    elements = "flank.elasticity.finite_elements.bevel_influence.bevel_influence"
    coarse = {"grid": BevelGrid(5, 5, 2), "density": HOLED}
    monkeypatch.setattr(elements, partial(bevel_influence, **coarse))
    changes = {"mesh.influence": "fe", "wheel.body.holes": HOLES, "pinion.body": {}}
    machine = flank.preset("spiral-bevel-nasa", changes)
    result = flank.run(machine, "loaded-contact", positions=1, cycles=36, points=12)
    waves = np.abs(np.fft.rfft(result["transmission_error"].values)) / 36
    assert waves[6] > 1e-4 * waves[0]
    others = np.setdiff1d(np.arange(1, 19), [6, 12, 18])
    assert waves[others].max() < 1e-6 * waves[6]
    alike = flank.run(
        flank.preset("spiral-bevel-nasa", changes | {"wheel.body.holes": None}),
        "loaded-contact",
        positions=1,
        cycles=3,
        points=12,
    )
    assert np.ptp(alike["transmission_error"].values) < 1e-9 * alike["mean_error"]
    assert alike["mean_error"] < result["mean_error"]
