"""A planetary gearbox in space: in its plane it is the planar one, helical teeth push along the
axes, and planets tilt as closed forms say."""

import math
from dataclasses import replace

import numpy as np
import pytest

import flank
from flank.analyses.drawing import make_drawing
from flank.analyses.run_forces import acting_forces
from flank.analyses.runs import loaded_equilibrium, solve_along_crank
from flank.dynamics.functions import constant, linear
from flank.dynamics.spatial.quaternions import matrix_of, product
from flank.errors import SpecError
from flank.machines.base import Drive
from flank.machines.mesh_forces import net_forces
from flank.machines.spec import Spec
from flank.reproduce.planetary.computing import planets

RIGID = {"model": "rigid"}
SOFT = {"model": "spring", "stiffness": 500.0, "separation": False}
TABLE_1C = {
    1: {"rigid": -100.9173, "spring": -100.2604},
    2: {"rigid": -58.7310, "spring": -58.4076},
    3: {"rigid": -41.1663, "spring": -40.9607},
    4: {"rigid": -31.6890, "spring": -31.5388},
}
"""Degrees: final carrier angles by planets, by the closed form and by a torsional model."""


def both(preset, changes):
    return [flank.preset(preset, changes | {"motion": how}) for how in ("planar", "spatial")]


@pytest.mark.parametrize("mesh", [RIGID, SOFT])
@pytest.mark.parametrize("count", TABLE_1C)
def test_table_1c_is_that_of_the_plane(mesh, count):
    angles, forces = [], []
    for machine in both("planetary-paper", planets(count) | {"sun_mesh": mesh, "ring_mesh": mesh}):
        result = flank.run(
            machine,
            "time-response",
            duration=5.0,
            step=2e-3,  # both engines keep it; longer ones they shorten by rules of their own
            points=50,
            initial_speed=0.0,
            spectral_radius=0.9,
            torques={"carrier": [[0.0, -4.0], [2.0, -4.0], [2.0, 0.0]]},
        )
        assert result.complete
        angles.append(math.degrees(float(result["final_input_angle"])))
        forces.append(result["mesh_force"].values)
    assert angles[1] == pytest.approx(angles[0], rel=1e-6)
    assert angles[1] == pytest.approx(TABLE_1C[count][mesh["model"]], abs=5e-4)
    # multipliers of joints hold what Newton's iteration leaves, forces of springs do not
    share = 1e-5 if mesh is RIGID else 1e-6
    assert np.abs(forces[1] - forces[0]).max() < share * np.abs(forces[0]).max()


@pytest.mark.parametrize("model", ["rigid", "spring", "table"])
def test_the_500_kw_stage_is_that_of_the_plane(model):
    forces, means = [], []
    for machine in both("planetary-500kw", {f"{name}_mesh.model": model for name in ("sun", "ring")}
                        | {f"{name}_mesh.damping": 0.0 for name in ("sun", "ring")}):  # fmt: skip
        assembly = machine.assemble(Drive.of_ends(linear(1.0), constant(machine.load_torque)))
        path = solve_along_crank(machine, assembly, np.linspace(0.0, 0.1, 5))
        assert path.complete
        forces.append(net_forces(assembly, path))
        run = flank.run(machine, "time-response", duration=5e-3, step=5e-5, drive="speed")
        means.append(run["mean_tangential_force"].values)
    assert np.abs(forces[1] - forces[0]).max() < 1e-6 * np.abs(forces[0]).max()
    assert np.abs(means[1] - means[0]).max() < 1e-6 * np.abs(means[0]).max()


STIFFNESS, SPAN, TORQUE = 2e8, 0.15, 100.0


def helical(mesh, **more):
    support = {"kind": "bearing", "stiffness": STIFFNESS, "bearing_span": SPAN}
    changes = {
        "motion": "spatial",
        "rack.helix_angle": "15 deg",
        "operation.torque": TORQUE,
        "planets.support": support,
        "sun_mesh": mesh,
        "ring_mesh": mesh,
    }
    machine = flank.preset("planetary-paper", changes | more)
    path, assembly = loaded_equilibrium(machine, 0.1, machine.load_torque)
    assert path.complete
    return machine, path, assembly


@pytest.mark.parametrize("mesh", [RIGID, {"model": "spring", "stiffness": 1e8}])
def test_axial_forces_of_helical_gears_balance(mesh):
    machine, path, assembly = helical(mesh)
    read = acting_forces(assembly, path)
    reaction = dict(zip(read["bearing"].tolist(), read["bearing_reaction"].values[0], strict=True))
    tangent = math.tan(machine.layout.gears.sun_planet.first.base_helix_angle)
    pushed = abs(net_forces(assembly, path)[0, :3].sum()) * tangent
    axial = {name: force[2] for name, force in reaction.items()}
    assert pushed == pytest.approx(258.82, rel=1e-3)
    assert abs(axial["sun"]) == pytest.approx(pushed, rel=1e-4)
    assert abs(axial["sun"] + axial["ring"] + axial["carrier"]) < 1e-9 * pushed
    assert axial["sun"] == pytest.approx(-axial["ring"], rel=1e-4)
    on_sun = -read["force_components"].values[0, :3].sum(axis=0)
    assert on_sun[2] == pytest.approx(-axial["sun"], rel=1e-4)


@pytest.mark.parametrize("mesh", [RIGID, {"model": "spring", "stiffness": 1e8}])
def test_planets_tilt_as_rigid_gears_on_two_bearings(mesh):
    """The axial forces of both meshes are a couple about the tangent: it leans the planet by the
    couple over k span²/4."""
    machine, path, assembly = helical(mesh)
    gears, forces = machine.layout.gears, np.abs(net_forces(assembly, path)[0])
    tangent = math.tan(gears.sun_planet.first.base_helix_angle)
    arms = gears.sun_planet.working_radii[1], gears.planet_ring.working_radii[0]
    for planet in range(3):
        couple = tangent * (forces[planet] * arms[0] + forces[3 + planet] * arms[1])
        axis = matrix_of(path.rotation[-1, 4 + planet])[:, 2]
        outward = path.position[-1, 4 + planet] / np.linalg.norm(path.position[-1, 4 + planet])
        tilt = np.cross((0.0, 0.0, 1.0), axis)
        along = np.cross((0.0, 0.0, 1.0), outward)
        assert abs(tilt @ along) == pytest.approx(couple / (STIFFNESS * SPAN**2 / 4), rel=1e-3)
        assert abs(tilt @ outward) < 1e-3 * abs(tilt @ along)


def test_teeth_in_slices_resist_the_tilt():
    tilts = []
    for mesh in (RIGID, {"model": "table"}):
        _, path, _ = helical(mesh)
        tilts.append(np.linalg.norm(matrix_of(path.rotation[-1, 4])[:2, 2]))
    assert 0.5 < tilts[1] / tilts[0] < 0.95


def test_rigid_meshes_are_the_limit_of_stiff_springs():
    angles = []
    for mesh in (RIGID, *({"model": "spring", "stiffness": k} for k in (1e7, 1e9))):
        _, path, assembly = helical(mesh)
        angles.append(path.angle(assembly.output_shaft)[-1])
    soft, stiff = angles[1] - angles[0], angles[2] - angles[0]
    assert soft / stiff == pytest.approx(100.0, rel=0.05)


def test_axial_bearings_let_members_shift():
    """The sun goes as far as its axial force over its axial stiffness."""
    sun = {"kind": "bearing", "stiffness": 1e9, "axial_stiffness": 1e6}
    machine, path, assembly = helical(RIGID, **{"sun.support": sun})
    tangent = math.tan(machine.spec.sun_gear.base_helix_angle)
    pushed = abs(net_forces(assembly, path)[0, :3].sum()) * tangent
    assert abs(path.position[-1, 1, 2]) == pytest.approx(pushed / 1e6, rel=1e-3)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"sun.tilt_inertia": 1.0}, "sun.tilt_inertia does nothing in the plane"),
        (
            {"planets.support": {"kind": "bearing", "stiffness": 1e8, "bearing_span": 0.1}},
            "planets.support.bearing_span does nothing in the plane",
        ),
        ({"planets.support": {"bearing_span": 0.1}}, "bearing_span does nothing with a rigid"),
        ({"motion": "spatial", "sun_mesh.model": "contact"}, "explicit contacts of teeth are"),
        (
            {"motion": "spatial", "sun.tilt_inertia": 145.0},
            "sun.tilt_inertia is 145 .*less than half of sun.inertia",
        ),
    ],
)
def test_what_space_and_plane_do_not_use_is_refused(changes, sentence):
    with pytest.raises(SpecError, match=sentence):
        flank.preset("planetary-500kw", changes)


def test_analyses_ask_it_as_they_ask_the_plane():
    asked = [
        [
            flank.run(machine, "transmission-error", points_per_turn=8)["peak_to_peak"],
            flank.run(machine, "load-sharing", points=8, error_points=0)["mesh_load_factor"],
        ]
        for machine in both("planetary-500kw", {})
    ]
    assert asked[1] == pytest.approx(asked[0], rel=1e-6)


def test_it_is_drawn_as_seen_along_its_axes():
    drawings = [make_drawing(machine, Spec()) for machine in both("planetary-500kw", {})]
    assert not drawings[1].spatial
    assert np.abs(drawings[1].poses - drawings[0].poses).max() < 1e-12


def test_analyses_tell_tilt_shift_and_axial_forces():
    """The couple of both axial forces leans each planet about its tangent."""
    machine, path, assembly = helical({"model": "spring", "stiffness": 1e8})
    gears, forces = machine.layout.gears, net_forces(assembly, path)[0]
    tangent = math.tan(gears.sun_planet.first.base_helix_angle)
    arms = gears.sun_planet.working_radii[1], gears.planet_ring.working_radii[0]
    couple = tangent * (abs(forces[0]) * arms[0] + abs(forces[3]) * arms[1])
    told = flank.run(machine, "load-distribution", crank_angle=0.1)
    radial, tangential, shift = (
        abs(told[name].sel(member="planet 1").values)
        for name in ("tilt_about_radius", "tilt_about_tangent", "axial_shift")
    )
    leaning = couple / (STIFFNESS * SPAN**2 / 4)
    assert tangential == pytest.approx(leaning, rel=1e-3)
    assert radial < 1e-3 * leaning
    assert shift < 1e-12  # held rigidly along its pin
    assert np.abs(told["axial_mesh_force"].values) == pytest.approx(
        tangent * np.abs(forces), rel=1e-3
    )
    assert "Tilt about the tangent" in flank.summary(told)
    shared = flank.run(machine, "load-sharing", points=2, error_points=0)
    assert shared["largest_tilt"].values == pytest.approx([leaning] * 3, rel=1e-3)
    moved = flank.run(machine, "time-response", duration=1e-3, step=1e-4, points=10)
    assert moved["tilt_about_tangent"].dims == ("time", "member")
    first = abs(moved["tilt_about_tangent"].sel(member="planet 1").values[0])
    assert first == pytest.approx(leaning, rel=1e-3)
    axial = moved["force_components"].values[:, :3, 2]  # the sun does not lean
    assert moved["axial_mesh_force"].values[:, :3] == pytest.approx(axial, rel=1e-6)


def test_a_tilt_is_the_turning_that_was_put_in():
    """About any axis across: the parts along radius and tangent of a planet's pin."""
    machine = flank.preset("planetary-paper", {"motion": "spatial"})
    _, assembly = loaded_equilibrium(machine, 0.0, machine.load_torque)
    path, _ = loaded_equilibrium(machine, 0.7, machine.load_torque)
    leaning, turned = np.array([3e-5, -5e-5, 0.0]), path.rotation.copy()
    quaternion = np.array([1.0, *(0.5 * leaning)])
    turned[0, 5] = product(quaternion, turned[0, 5])
    turned[0, 5] /= np.linalg.norm(turned[0, 5])
    told = machine.tilts(assembly, replace(path, rotation=turned))
    outward = path.position[0, 5] / np.linalg.norm(path.position[0, 5])
    along = np.cross((0.0, 0.0, 1.0), outward)
    place = told.bodies.index("planet 2")
    assert told.about_radius[0, place] == pytest.approx(leaning @ outward, rel=1e-6)
    assert told.about_tangent[0, place] == pytest.approx(leaning @ along, rel=1e-6)


def test_the_plane_tells_no_tilt():
    told = flank.run(flank.preset("planetary-500kw"), "load-distribution")
    assert "axial_shift" not in told.data
    assert "axial_mesh_force" not in told.data


def test_modes_in_space_are_named_for_what_they_are():
    """Spur planets tilt on k span²/4 and shift axially on their own stiffness, apart from all."""
    axial = 3e7
    support = {"kind": "bearing", "stiffness": STIFFNESS, "bearing_span": SPAN}
    machine = flank.preset(
        "planetary-paper",
        {
            "motion": "spatial",
            "planets.support": support | {"axial_stiffness": axial},
            "sun_mesh": {"model": "spring", "stiffness": 1e8},
            "ring_mesh": {"model": "spring", "stiffness": 1e8},
        },
    )
    told = flank.run(machine, "natural-frequencies", count=100)
    found = {}
    for motion, frequency in zip(told["motion"].values, told["frequency"].values, strict=True):
        words = {part.split("(")[0].split(" ", 2)[-1].strip() for part in str(motion).split(", ")}
        found.setdefault("/".join(sorted(words)), []).append(float(frequency))
    mass, inertia = machine.masses.planet
    across = 0.5 * inertia + mass * machine.spec.planets.face_width**2 / 12
    tilting = math.sqrt(STIFFNESS * SPAN**2 / 4 / across) / (2 * math.pi)
    assert found["tilts"] == pytest.approx([tilting] * 6, rel=1e-3)
    shifting = math.sqrt(axial / mass) / (2 * math.pi)
    assert found["shifts axially"] == pytest.approx([shifting] * 3, rel=1e-6)
    assert "turns" in found
