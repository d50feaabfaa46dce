"""The same joint elsewhere in space, with its races exchanged, in a mirror, and held still.

A model says where its parts are in the axes of its bodies. What it says in the axes of ground, the
joints to it, is turned with the poses.
"""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from cases import Case
from joint_equilibrium import complete, held_at, normal_forces, still
from joint_statics import STIFF
from numpy.typing import NDArray

import flank
from flank.dynamics.functions import constant, rise
from flank.dynamics.run import DynamicSettings, solve_dynamics
from flank.dynamics.spatial.model import SpatialModel
from flank.dynamics.spatial.quaternions import matrix_of, quaternion_of, rotation_about
from flank.dynamics.tables import GROUND
from flank.dynamics.trajectory import SpatialPose, SpatialTrajectory
from flank.geometry.rotations import about_y
from flank.machines.cv_joint.assembly import JointAssembly
from flank.machines.cv_joint.joint import CvJoint

TURN = rotation_about((0.3, -0.8, 0.5), 2.1)
SHIFT = np.array([0.4, -0.2, 0.7])
ROTATION = 0.3
"""rad, of the outer race where one equilibrium is looked at."""

LEANING = {"operation.deflection": "5 deg"}


def elsewhere(model: SpatialModel) -> SpatialModel:
    """The model with everything that it says along the axes of ground turned and shifted."""
    if np.any(model.loads["reference"] == GROUND) or np.any(model.conditions["body_b"] == GROUND):
        raise ValueError("only joints that begin on ground can be turned")
    conditions = model.conditions.copy()
    held = conditions["body_a"] == GROUND
    for name in ("direction_a", "turned_a"):
        conditions[name][held] = conditions[name][held] @ TURN.T
    conditions["at_a"][held] = conditions["at_a"][held] @ TURN.T + SHIFT
    return model._replace(conditions=conditions)


def moved(pose: SpatialPose) -> SpatialPose:
    """All bodies but ground, with their motion."""
    position, rotation, velocity = (np.array(part) for part in vars(pose).values())
    position[1:] = position[1:] @ TURN.T + SHIFT
    rotation[1:] = [quaternion_of(TURN @ matrix) for matrix in matrix_of(rotation[1:])]
    velocity[1:] = np.concatenate([part @ TURN.T for part in np.split(velocity[1:], 2, 1)], axis=1)
    return SpatialPose(position, rotation, velocity)


def space_cases() -> Iterator[Case]:
    """A general rotation and a shift: an equilibrium, and a run in time with friction."""
    joint = flank.preset(STIFF, LEANING)
    here = held_at(joint, ROTATION)
    there = replace(here, model=elsewhere(here.model), pose=moved(here.start))
    name = "turned and shifted in space, equilibrium: largest change of a force, over the largest"
    yield _same(name, normal_forces(still(here)), normal_forces(still(there)), 1e-8)
    joint = flank.preset("cv-joint")
    here = joint.assemble(joint.drive())
    pose = replace(still(held_at(joint, 0.0)).last, velocity=here.start.velocity)
    settings = DynamicSettings(1e-5, spectral_radius=0.2, force_tolerance=1e-10)
    runs = [
        complete(solve_dynamics(model, start, 5e-3, settings, records=50))
        for model, start in ((here.model, pose), (elsewhere(here.model), moved(pose)))
    ]
    name = "the same, 5 ms at 300 rpm with friction"
    yield _same(f"{name}: normal forces", *map(normal_forces, runs), 1e-6)
    friction = [run.contact_results["friction"] for run in runs]
    yield _same(f"{name}: friction forces", friction[0] @ TURN.T, friction[1], 1e-6)


def exchanged(joint: CvJoint, rotation: float, torque: float) -> JointAssembly:
    """The inner race on the fixed shaft, turned by `rotation`, the outer race on the leaning one,
    where it is driven by `torque`."""
    drive = replace(
        joint.drive(), angles={"outer": constant(rotation)}, torques={"inner": constant(torque)}
    )
    assembly = joint.assemble(drive)
    other = np.arange(len(assembly.model.mass))
    other[[assembly.outer, assembly.inner]] = assembly.inner, assembly.outer
    conditions, loads = assembly.model.conditions.copy(), assembly.model.loads.copy()
    for rows, names in ((conditions, ("body_a", "body_b")), (loads, ("body", "reference"))):
        for name in names:
            rows[name] = other[rows[name]]
    start = SpatialPose(*(part[other] for part in vars(assembly.start).values()))
    model = assembly.model._replace(conditions=conditions, loads=loads)
    return replace(assembly, model=model, pose=start)


def exchange_cases() -> Iterator[Case]:
    """Races that change shafts make the mirror image in the plane that halves the angle, a pitch
    on: ball k + 1 is the image of ball k, windows are loaded on the other side."""
    joint = flank.preset(STIFF, LEANING)
    assembly = held_at(joint, ROTATION)
    found = still(assembly)
    # How far the inner race has turned on its shaft, by the wind-up more than the outer one.
    inner = about_y(-joint.deflection) @ matrix_of(found.rotation[0, assembly.inner])
    turned = math.atan2(inner[1, 0], inner[0, 0]) - 2 * math.pi / joint.geometry.balls
    # Elastic, the joint turns with constant velocity but for 3e-7, and so do its torques differ.
    other = exchanged(joint, turned, float(found.torque(assembly.input_shaft)[0]))
    image = still(other)
    yield from _image_cases(
        "races exchanged between the shafts",
        (assembly, found),
        (other, image),
        about_y(joint.deflection) @ np.diag([1.0, 1.0, -1.0]),
        (np.arange(joint.geometry.balls) + 1) % joint.geometry.balls,
        (1, -1),
    )


def mirror_cases() -> Iterator[Case]:
    """In the plane of both shafts skew, torque and rotation change sign: ball -k, other flank."""
    joint = flank.preset(STIFF, LEANING)
    reverse = {"operation.torque": -joint.torque, "outer.skew": -joint.spec.outer.skew}
    assembly = held_at(joint, ROTATION)
    other = held_at(flank.preset(STIFF, LEANING | reverse), -ROTATION)
    yield from _image_cases(
        "torque, rotation and skew reversed",
        (assembly, still(assembly)),
        (other, still(other)),
        np.diag([1.0, -1.0, 1.0]),
        -np.arange(joint.geometry.balls) % joint.geometry.balls,
        (-1, 1),
    )


def _image_cases(
    title: str,
    seen: tuple[JointAssembly, SpatialTrajectory],
    image: tuple[JointAssembly, SpatialTrajectory],
    mirror: NDArray,
    ball: NDArray,
    order: tuple[int, int],
) -> Iterator[Case]:
    """Forces and places of an equilibrium against those of its image; `ball` is the image of each,
    `order` how flanks and sides of windows are counted in it."""
    (one, found), (two, other) = seen, image
    for part, step in zip(("tracks", "windows"), order, strict=True):
        forces = normal_forces(found)[0][getattr(one, part)]
        images = normal_forces(other)[0][getattr(two, part)][ball][..., ::step]
        yield _same(f"{title}: forces in the {part}", forces, images, 1e-9)
    places = found.position[0, one.balls] @ mirror.T
    off = float(np.abs(other.position[0, two.balls][ball] - places).max())
    yield Case(f"{title}: places of the balls", "mirror image", 0.0, off, "m", 1e-12)


def limit_cases() -> Iterator[Case]:
    """Loaded within 5 ms and then held, the joint comes to rest where statics have it."""
    joint = flank.preset(STIFF, LEANING | {"contact.friction": None})
    target = still(held_at(joint, ROTATION))
    drive = replace(joint.drive(), angles={"outer": constant(ROTATION)})
    assembly = joint.assemble(replace(drive, torques={"inner": rise(-joint.torque, 5e-3)}))
    settings = DynamicSettings(1e-5, spectral_radius=0.2)
    pose = replace(assembly.start, velocity=np.zeros_like(assembly.start.velocity))
    rested = complete(solve_dynamics(assembly.model, pose, 20e-3, settings, records=20))
    name = "loaded in 5 ms and held: forces 15 ms later, largest change over the largest"
    yield _same(
        name, normal_forces(target)[0], normal_forces(rested)[-1], 1e-5, "the static solver"
    )
    balls = assembly.balls
    off = float(np.abs(rested.position[-1, balls] - target.position[0, balls]).max())
    yield Case("the same: places of the balls", "the static solver", 0.0, off, "m", 1e-9)


def _same(
    name: str, known: NDArray, computed: NDArray, allowed: float, source: str = "symmetry"
) -> Case:
    change = float(np.abs(computed - known).max() / np.abs(known).max())
    return Case(name, source, 0.0, change, "", allowed)
