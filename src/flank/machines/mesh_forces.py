"""What the teeth of a machine's meshes carry in a run, whatever their model."""

from typing import NamedTuple

import numpy as np

from flank.arrays import Flags, Floats
from flank.contact.spatial.flank_forces import flank_work
from flank.contact.tooth_pair import GearPlace
from flank.dynamics.model import Model
from flank.dynamics.reading import (
    ELASTIC,
    GAP,
    ROLL,
    TOTAL,
    spring_mesh_approaches,
    spring_mesh_parts,
)
from flank.dynamics.spatial.flanks import FlankElements, flank_loads
from flank.dynamics.spatial.meshes import mesh_approach
from flank.dynamics.spatial.quaternions import matrix_of
from flank.dynamics.spatial.teeth import Teeth, read_teeth
from flank.dynamics.trajectory import AnyTrajectory, SpatialTrajectory
from flank.machines.base import Assembly, MeshPlace

FLANKS = (1, -1)
"""The order of flanks: first gear pushing while it turns counter-clockwise, then the other."""


def mesh_forces(assembly: Assembly, trajectory: AnyTrajectory) -> Floats:
    """Normal forces in the transverse plane (time, mesh, flank); a pull is negative.

    Of explicit contacts it is the sum over all pairs, whose normals differ a little at tip edges.
    """
    forces = np.zeros((len(trajectory.time), len(assembly.meshes), 2))
    for k, mesh in enumerate(assembly.meshes):
        if mesh.springs and has_teeth(assembly):
            forces[:, k] = tooth_parts(assembly, mesh, trajectory)[..., TOTAL].sum(axis=1)
        elif mesh.springs and isinstance(trajectory, SpatialTrajectory):
            for row in _spatial_rows(assembly, mesh):
                pressed, rate = mesh_approach(row, trajectory)
                force = row["stiffness"] * pressed + row["damping"] * rate
                forces[:, k] += np.maximum(np.outer(force, FLANKS), 0.0)
        elif mesh.flanks and isinstance(trajectory, SpatialTrajectory):
            forces[:, k] = _flank_forces(assembly, mesh, trajectory)
        elif mesh.contacts:
            carried = trajectory.contact_results["normal_force"][:, list(mesh.contacts)]
            half = len(mesh.contacts) // 2
            forces[:, k, 0] = carried[:, :half].sum(axis=1)
            forces[:, k, 1] = carried[:, half:].sum(axis=1)
        elif mesh.multiplier >= 0:
            flank = FLANKS.index(mesh.flank)
            forces[:, k, flank] = -trajectory.multipliers[:, mesh.multiplier]
    return forces


def has_teeth(assembly: Assembly) -> bool:
    """Whether springs of a machine's meshes are involute teeth, in the plane or in space."""
    return isinstance(assembly.model, Model) or isinstance(assembly.model.teeth, Teeth)


def tooth_parts(assembly: Assembly, mesh: MeshPlace, trajectory: AnyTrajectory) -> Floats:
    """Of the springs of a mesh (time, spring, flank, part): the force, that of the spring alone,
    the gap and the roll length, in the order of `dynamics/reading.py`."""
    numbers = np.array(mesh.springs)
    if isinstance(trajectory, SpatialTrajectory):
        teeth = assembly.spatial.teeth
        assert isinstance(teeth, Teeth)
        return read_teeth(teeth, numbers, trajectory)
    return spring_mesh_parts(assembly.planar, numbers, trajectory)


def _spatial_rows(assembly: Assembly, mesh: MeshPlace) -> list[np.void]:
    rows = assembly.spatial.meshes
    return [rows[number] for number in mesh.springs] if mesh.line is None else [mesh.line]


def _flank_forces(assembly: Assembly, mesh: MeshPlace, trajectory: SpatialTrajectory) -> Floats:
    """Sums over all points (time, flank), whose normals differ a little."""
    flanks, carried = assembly.spatial.flanks, np.zeros((2, len(trajectory.time)))
    assert isinstance(flanks, FlankElements)
    matrix = np.ascontiguousarray(matrix_of(trajectory.rotation))
    position, velocity = map(np.ascontiguousarray, (trajectory.position, trajectory.velocity))
    for row, number in enumerate(mesh.flanks):
        element = flanks.elements[number]
        work = flank_work(element.mesh)
        flank_loads(element, position, matrix, velocity, work, np.zeros(12), carried[row])
    return np.asarray(carried.T)


def mesh_approaches(assembly: Assembly, trajectory: AnyTrajectory) -> Floats:
    """How far teeth that are springs are pressed into each other (time, mesh), in m; else zero."""
    approaches = np.zeros((len(trajectory.time), len(assembly.meshes)))
    for k, mesh in enumerate(assembly.meshes):
        if mesh.springs and isinstance(trajectory, SpatialTrajectory) and has_teeth(assembly):
            gaps = tooth_parts(assembly, mesh, trajectory)[:, 0, :, GAP]
            approaches[:, k] = -gaps.min(axis=1)
        elif mesh.springs and isinstance(trajectory, SpatialTrajectory):
            for row in _spatial_rows(assembly, mesh):
                pressed = np.abs(mesh_approach(row, trajectory)[0])
                approaches[:, k] = np.maximum(approaches[:, k], pressed)
        elif mesh.springs:
            springs = np.array(mesh.springs)
            read = spring_mesh_approaches(assembly.planar, springs, trajectory.position)
            approaches[:, k] = read.max(axis=1)
    return approaches


def mesh_errors(assembly: Assembly, trajectory: AnyTrajectory) -> Floats:
    """Transmission errors along the lines of action (time, mesh) in m, each up to a constant: how
    far the first gear is ahead of the second towards flank +1.

    It is φ = r_a θ_a + r_b θ_b - R β of `dynamics/mesh.py`, β the direction towards the mesh; where
    axes stand still r_a θ_a + r_b θ_b. In space it is how far teeth are pressed together.
    """
    errors = np.zeros((len(trajectory.time), len(assembly.meshes)))
    for k, mesh in enumerate(assembly.meshes):
        if isinstance(trajectory, SpatialTrajectory) and has_teeth(assembly):
            errors[:, k] = _phase_in_space(assembly, mesh, trajectory)
        elif isinstance(trajectory, SpatialTrajectory):
            errors[:, k] = mesh_approach(_spatial_rows(assembly, mesh)[0], trajectory)[0]
        else:
            errors[:, k] = _phase(*gears_of(assembly, mesh), trajectory.position)
    return errors


def _phase_in_space(assembly: Assembly, mesh: MeshPlace, trajectory: SpatialTrajectory) -> Floats:
    """φ from the gaps of the flanks, of which a spring that pulls has one; none of a joint."""
    if not mesh.springs:
        return np.zeros(len(trajectory.time))
    gaps = tooth_parts(assembly, mesh, trajectory)[:, 0, :, GAP]
    return np.asarray(0.5 * (gaps[:, 1] - gaps[:, 0]))


def gears_of(assembly: Assembly, mesh: MeshPlace) -> tuple[list[GearPlace], tuple[float, float]]:
    """Places and base radii, of a mesh that is a spring of one's own from its row."""
    if mesh.gears is not None:
        return list(mesh.gears), mesh.base_radii
    row = assembly.planar.springs[mesh.springs[0]]
    places = [
        GearPlace(int(row[f"body_{side}"]), 0.0, (float(row[f"{side}_x"]), float(row[f"{side}_y"])))
        for side in "ab"
    ]
    return places, (float(row["a_base_radius"]), float(row["b_base_radius"]))


def rolled_length(assembly: Assembly, mesh: MeshPlace, trajectory: AnyTrajectory) -> Floats:
    """How far the first gear's base circle has rolled along the line of action, gears on axes
    along z."""
    gears, radii = gears_of(assembly, mesh)
    poses = _planar_poses(trajectory)
    direction = _direction(gears, radii, poses)
    return np.asarray(radii[0] * (poses[:, gears[0].body, 2] - direction))


def _planar_poses(trajectory: AnyTrajectory) -> Floats:
    """x, y and the angle about z of all bodies; in space less than half a turn from record to
    record."""
    if not isinstance(trajectory, SpatialTrajectory):
        return trajectory.position
    turned = 2 * np.arctan2(trajectory.rotation[..., 3], trajectory.rotation[..., 0])
    angle = np.unwrap(turned, axis=0)[..., None]
    return np.concatenate((trajectory.position[..., :2], angle), axis=2)


def _phase(gears: list[GearPlace], radii: tuple[float, float], position: Floats) -> Floats:
    turned = [position[:, gear.body, 2] for gear in gears]
    direction = _direction(gears, radii, position)
    return np.asarray(radii[0] * turned[0] + radii[1] * turned[1] - sum(radii) * direction)


def _direction(gears: list[GearPlace], radii: tuple[float, float], position: Floats) -> Floats:
    """Of the line of centres."""
    centres = [_centre(gear, position) for gear in gears]
    outward = 1.0 if sum(radii) > 0 else -1.0
    along = outward * (centres[1] - centres[0])
    return np.asarray(np.unwrap(np.arctan2(along[:, 1], along[:, 0])))


def _centre(gear: GearPlace, position: Floats) -> Floats:
    """Of a gear in the plane (time, 2)."""
    angle, (x, y) = position[:, gear.body, 2], gear.centre
    cosine, sine = np.cos(angle), np.sin(angle)
    arm = np.stack((cosine * x - sine * y, sine * x + cosine * y), axis=1)
    return np.asarray(position[:, gear.body, :2] + arm)


def mesh_parts(assembly: Assembly, trajectory: AnyTrajectory) -> "MeshParts":
    """Parts of the forces of meshes that are springs of involute teeth, nan of all others."""
    shape = len(trajectory.time), len(assembly.meshes)
    spring, damper, stiffness, roll = (np.full(shape, np.nan) for _ in range(4))
    for k, mesh in enumerate(assembly.meshes):
        if not mesh.springs or not has_teeth(assembly):
            continue
        parts = tooth_parts(assembly, mesh, trajectory)
        total, elastic = (parts[..., part].sum(axis=1) for part in (TOTAL, ELASTIC))
        spring[:, k] = elastic[:, 0] - elastic[:, 1]
        damper[:, k] = total[:, 0] - total[:, 1] - spring[:, k]
        loaded = np.argmax(elastic, axis=1)
        every, middle = np.arange(len(loaded)), parts.shape[1] // 2
        depth = -parts[every, middle, loaded, GAP]
        carried = elastic[every, loaded]
        stiffness[:, k] = np.where(depth > 0, carried / np.where(depth > 0, depth, 1.0), 0.0)
        if np.any(parts[:, middle, :, ROLL]):
            roll[:, k] = _on_path(mesh, parts[every, middle, loaded, ROLL])
    return MeshParts(spring, damper, stiffness, roll)


def _on_path(mesh: MeshPlace, roll: Floats) -> Floats:
    """Roll lengths of the pair of teeth that has come into contact last."""
    if mesh.path is None:
        return roll
    start, pitch = mesh.path
    return np.asarray(start + np.mod(roll - start, pitch))


class MeshParts(NamedTuple):
    """Over time and meshes: net normal forces of springs and of dampers in N, with the sign of the
    flank; force of the spring over its approach in N/m; and where teeth touch, the roll length of
    the first gear in m."""

    spring: Floats
    damper: Floats
    stiffness: Floats
    roll: Floats


def force_components(assembly: Assembly, trajectory: AnyTrajectory) -> Floats:
    """What the first gear of every mesh exerts on the second (time, mesh, axis) along the axes of
    space, N; explicit contacts as if they all lay on the line of action."""
    forces = mesh_forces(assembly, trajectory)
    axes = 3 if isinstance(trajectory, SpatialTrajectory) else 2
    components = np.full((*forces.shape[:2], axes), np.nan)
    for k, mesh in enumerate(assembly.meshes):
        if isinstance(trajectory, SpatialTrajectory) and not has_teeth(assembly):
            continue
        normals = _normals(assembly, mesh, trajectory)
        components[:, k] = np.einsum("tf,tfi->ti", forces[:, k], normals)
    return components


def _normals(assembly: Assembly, mesh: MeshPlace, trajectory: AnyTrajectory) -> Floats:
    """(time, flank, axis) along which flanks +1 and -1 push the second gear; in space those of the
    transverse plane have unit length."""
    places, (radius, other) = gears_of(assembly, mesh)
    outward, radii = (1.0, -1.0)[radius + other < 0], abs(radius + other)
    if isinstance(trajectory, SpatialTrajectory):
        return _normals_in_space(places, outward, radii, mesh.helix, trajectory)
    first, second = (_centre(gear, trajectory.position) for gear in places)
    along = second - first
    distance = np.linalg.norm(along, axis=1)[:, None]
    c, cosine = along / distance, radii / distance
    t, sine = np.stack((-c[:, 1], c[:, 0]), axis=1), np.sqrt(1 - cosine**2)
    return np.stack([outward * (sine * c + side * cosine * t) for side in FLANKS], axis=1)


def _normals_in_space(
    places: list[GearPlace],
    outward: float,
    radii: float,
    helix: float,
    trajectory: SpatialTrajectory,
) -> Floats:
    """∂g/∂x_B of `dynamics/spatial/teeth.py` at the middle of the face, axes leaning against each
    other left out: they turn it by their angle."""
    turned = [matrix_of(trajectory.rotation[:, gear.body]) for gear in places]
    centres = [
        trajectory.position[:, gear.body] + matrix[:, :, :2] @ np.array(gear.centre)
        for gear, matrix in zip(places, turned, strict=True)
    ]
    axis = turned[0][:, :, 2]
    along = centres[1] - centres[0]
    along = along - np.einsum("ti,ti->t", along, axis)[:, None] * axis
    distance = np.linalg.norm(along, axis=1)[:, None]
    c, cosine = along / distance, radii / distance
    t, sine = np.cross(axis, c), np.sqrt(1 - cosine**2)
    return np.stack(
        [outward * (sine * c + side * cosine * t) - side * helix * axis for side in FLANKS],
        axis=1,
    )


def axial_forces(assembly: Assembly, trajectory: AnyTrajectory) -> Floats | None:
    """What the first gear of every mesh exerts on the second along its own axis (time, mesh), N;
    none of machines of the plane, nor of meshes that are no involute teeth."""
    if not (isinstance(trajectory, SpatialTrajectory) and has_teeth(assembly)):
        return None
    bodies = [gears_of(assembly, mesh)[0][0].body for mesh in assembly.meshes]
    axes = matrix_of(trajectory.rotation[:, bodies])[..., 2]
    forces = force_components(assembly, trajectory)
    return np.asarray(np.einsum("tmi,tmi->tm", forces, axes))


def net_forces(assembly: Assembly, trajectory: AnyTrajectory) -> Floats:
    """Normal forces (time, mesh): those of flank +1 less those of flank -1."""
    forces = mesh_forces(assembly, trajectory)
    return forces[..., 0] - forces[..., 1]


def radial_forces(assembly: Assembly, trajectory: AnyTrajectory) -> Floats:
    """What pushes the gears apart along their centres (time, mesh), Σ F_n sin α_wt of both
    flanks."""
    sines = np.sin([mesh.working_angle for mesh in assembly.meshes])
    return np.asarray(mesh_forces(assembly, trajectory).sum(axis=2) * sines)


def tangential_forces(assembly: Assembly, trajectory: AnyTrajectory) -> Floats:
    """Net forces along the working circles, F_n cos α_wt."""
    cosines = np.cos([mesh.working_angle for mesh in assembly.meshes])
    return np.asarray(net_forces(assembly, trajectory) * cosines)


def separated(assembly: Assembly, trajectory: AnyTrajectory) -> Flags:
    """Where (time, mesh) neither flank touches; a damper that acts always has a force there."""
    apart = (mesh_forces(assembly, trajectory) == 0.0).all(axis=2)
    for k, mesh in enumerate(assembly.meshes):
        if mesh.always_damped:
            elastic = tooth_parts(assembly, mesh, trajectory)[..., ELASTIC]
            apart[:, k] = (elastic == 0.0).all(axis=(1, 2))
    return np.asarray(apart)
