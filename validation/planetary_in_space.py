"""A planetary stage in space: in its plane the planar one, helical gears by closed forms."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from cases import Case
from scipy.spatial.transform import Rotation

import flank
from flank.analyses.run_forces import acting_forces
from flank.analyses.runs import loaded_equilibrium, solve_along_crank
from flank.arrays import Floats
from flank.dynamics.engine import evaluate
from flank.dynamics.functions import constant, linear
from flank.dynamics.poses import state_at, workspace
from flank.dynamics.spatial.builder import SpatialBuilder
from flank.dynamics.trajectory import SpatialPose
from flank.machines.base import Drive
from flank.machines.mesh_forces import axial_forces, net_forces
from flank.machines.planetary.gearbox import PlanetaryGearbox
from flank.reproduce.planetary.computing import (
    DURATION,
    PRESET,
    PULSE,
    RIGID,
    STAGE,
    TABLE_1C,
    TEXT_STIFFNESS,
    TORQUE,
    planets,
    springs,
)

STEP = 2e-3
"""s; both engines keep it, longer ones they shorten by rules of their own."""

STIFFNESS, SPAN, AXIAL = 2e8, 0.15, 1e6
"""Of the planets' bearings in N/m, the distance of their rows in m, and along the sun's axis."""

HELIX = "15 deg"
STIFF = {"model": "spring", "stiffness": 1e8}
GRC = "planetary-grc"


def both(preset: str, changes: dict[str, Any]) -> list[PlanetaryGearbox]:
    """In the plane and in space."""
    machines = []
    for motion in ("planar", "spatial"):
        machine = flank.preset(preset, changes | {"motion": motion})
        assert isinstance(machine, PlanetaryGearbox)
        machines.append(machine)
    return machines


def final_angle(machine: PlanetaryGearbox) -> float:
    """rad of the carrier at the end of the run of Table 1."""
    result = flank.run(
        machine,
        "time-response",
        duration=DURATION,
        step=STEP,
        points=10,
        initial_speed=0.0,
        spectral_radius=0.9,
        torques={"carrier": [[0.0, TORQUE], [PULSE, TORQUE], [PULSE, 0.0]]},
    )
    return float(result["final_input_angle"])


def path_forces(machine: PlanetaryGearbox) -> Floats:
    assembly = machine.assemble(Drive.of_ends(linear(1.0), constant(machine.load_torque)))
    return net_forces(assembly, solve_along_crank(machine, assembly, np.linspace(0.0, 0.1, 5)))


def planar_cases() -> Iterator[Case]:
    for name, form in (("rigid", RIGID), ("springs", springs(TEXT_STIFFNESS))):
        worst = 0.0
        for count in TABLE_1C:
            plane, space = map(final_angle, both(PRESET, planets(count) | form))
            worst = max(worst, abs(space / plane - 1))
        label = f"Table 1c in space, {name}, 1 to 4 planets: final angles, largest difference"
        yield Case(label, "the planar model", 0.0, worst, "", 1e-6)
    for model in ("rigid", "spring", "table"):
        form = {f"{mesh}_mesh.{key}": value for mesh in ("sun", "ring")
                for key, value in (("model", model), ("damping", 0.0))}  # fmt: skip
        plane, space = map(path_forces, both(STAGE, form))
        worst = float(np.abs(space - plane).max() / np.abs(plane).max())
        label = f"{STAGE} in space, {model}: tooth forces of equilibria, largest difference"
        yield Case(label, "the planar model", 0.0, worst, "", 1e-6)


def helical(changes: dict[str, Any]) -> PlanetaryGearbox:
    support = {"kind": "bearing", "stiffness": STIFFNESS, "bearing_span": SPAN}
    more = {
        "motion": "spatial",
        "rack.helix_angle": HELIX,
        "operation.torque": 100.0,
        "planets.support": support,
        "sun_mesh": STIFF,
        "ring_mesh": STIFF,
    }
    machine = flank.preset(PRESET, more | changes)
    assert isinstance(machine, PlanetaryGearbox)
    return machine


def helical_cases() -> Iterator[Case]:
    machine = helical({})
    path, assembly = loaded_equilibrium(machine, 0.1, machine.load_torque)
    read = acting_forces(assembly, path)
    axial = dict(zip(read["bearing"], read["bearing_reaction"].values[0, :, 2], strict=True))  # type: ignore
    total = abs(axial["sun"] + axial["ring"] + axial["carrier"]) / abs(axial["sun"])
    label = f"helix {HELIX}: sum of the axial reactions over the sun's"
    yield Case(label, "equilibrium", 0.0, total, "", 1e-9)
    gears, forces = machine.layout.gears, np.abs(net_forces(assembly, path)[0])
    tangent = math.tan(gears.sun_planet.first.base_helix_angle)
    arms = gears.sun_planet.working_radii[1], gears.planet_ring.working_radii[0]
    couple = tangent * (forces[0] * arms[0] + forces[3] * arms[1])
    told = machine.tilts(assembly, path)
    assert told is not None
    tilt = abs(told.about_tangent[0, told.bodies.index("planet 1")])
    label = f"helix {HELIX}: tilt of a planet between two bearings"
    known = 1e6 * couple / (STIFFNESS * SPAN**2 / 4)
    yield Case(label, "couple of both meshes over k l²/4", known, 1e6 * tilt, "µrad", 1e-3)
    soft = {"kind": "bearing", "stiffness": 1e9, "axial_stiffness": AXIAL}
    machine = helical({"sun.support": soft})
    path, assembly = loaded_equilibrium(machine, 0.1, machine.load_torque)
    pushed = abs(net_forces(assembly, path)[0, :3].sum()) * tangent
    label = f"helix {HELIX}: axial shift of a sun on an axial bearing"
    known = 1e6 * pushed / AXIAL
    yield Case(label, "force over stiffness", known, 1e6 * abs(path.position[-1, 1, 2]), "µm", 1e-3)


def leaning_cases() -> Iterator[Case]:
    """Both gears of a mesh that leans by 1°: forces, and moments about one point."""
    radii, axis = (0.09, 0.18), np.array((1.0, -1.5, 0.0))
    lean = Rotation.from_rotvec(math.radians(1.0) * axis / np.linalg.norm(axis)).as_matrix()
    distance = sum(radii) / math.cos(0.4)
    builder = SpatialBuilder(0.1)
    first = builder.body("a", 1.0, (1, 1, 1))
    second = builder.body("b", 1.0, (1, 1, 1), (distance, 0.0, 0.01), lean)
    more = {"angle": 0.4, "helix": 0.25, "height": 0.01, "flank": 1}
    builder.teeth(first, second, 1e6, radii, distance, 1e3, **more)
    model = builder.build()
    position, rotation = builder.pose()
    state, work = (
        state_at(model, SpatialPose(position, rotation, np.zeros((3, 6)))),
        workspace(model),
    )
    evaluate(model, state, 0.0, work, 0.0, 1.0, 1.0)
    force = work.force[1:]
    moment = (force[:, 3:] + np.cross(position[1:], force[:, :3])).sum(axis=0)
    left = max(np.abs(force[:, :3].sum(axis=0)).max(), np.abs(moment).max() / distance)
    label = "a mesh that leans by 1°: force and torque on both gears, sum over the largest"
    yield Case(label, "action is reaction", 0.0, float(left / np.abs(force).max()), "", 1e-10)


def mode_cases() -> Iterator[Case]:
    """Spur planets on two bearings: tilting and axial modes are apart from all others."""
    support = {"kind": "bearing", "stiffness": STIFFNESS, "bearing_span": SPAN}
    changes = {
        "rack.helix_angle": 0.0,
        "planets.support": support | {"axial_stiffness": AXIAL},
    }
    machine = helical(changes)
    told = flank.run(machine, "natural-frequencies", count=100)
    found: dict[str, list[float]] = {"tilts": [], "shifts axially": []}
    for motion, frequency in zip(told["motion"].values, told["frequency"].values, strict=True):
        for kind, frequencies in found.items():
            if str(motion).startswith("planet") and f" {kind} " in str(motion):
                frequencies.append(float(frequency))
    mass, inertia = machine.masses.planet
    across = 0.5 * inertia + mass * machine.spec.planets.face_width**2 / 12
    known = {
        "tilts": (6, STIFFNESS * SPAN**2 / 4 / across, "√(k l²/4 / I) of a planet, twice each"),
        "shifts axially": (3, AXIAL / mass, "√(k/m) of a planet"),
    }
    for kind, (count, square, source) in known.items():
        label = f"spur planets on two bearings: modes in which a planet {kind}"
        yield Case(f"{label}, number", source, count, len(found[kind]), "", 0.0)
        frequency = math.sqrt(square) / (2 * math.pi)
        worst = max(found[kind], key=lambda each: abs(each / frequency - 1), default=math.nan)
        yield Case(f"{label}, farthest", source, frequency, worst, "Hz", 1e-3)


def preset_cases() -> Iterator[Case]:
    """What every mesh of the helical preset pushes along the axes."""
    machine = flank.preset(GRC)
    assert isinstance(machine, PlanetaryGearbox)
    path, assembly = loaded_equilibrium(machine, 0.0, machine.load_torque)
    axial = axial_forces(assembly, path)
    assert axial is not None
    radius = machine.layout.gears.sun_planet.first.reference_radius
    load = abs(machine.load_torque) / (machine.planet_count * radius)
    known = load * math.tan(machine.spec.rack.helix_angle)
    worst = max(axial[0], key=lambda force: abs(force / known - 1))
    label = f"{GRC}: axial force of a mesh, farthest of six"
    yield Case(label, "T tan β/(N r)", known / 1e3, float(worst) / 1e3, "kN", 1e-3)


def spatial_cases() -> Iterator[Case]:
    for group in (planar_cases, helical_cases, leaning_cases, mode_cases, preset_cases):
        yield from group()
