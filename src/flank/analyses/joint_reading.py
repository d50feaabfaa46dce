"""What is read of a joint's run: how balls move in their tracks, what contacts, shafts and cage do.

A track's frame is fixed on its race: x to the track's bottom, y across, z along it. A ball has a
place, a velocity and an angular velocity in it, and turns by a rotation that is followed from
record to record, so that it may go round as often as it likes.

At a contact of a ball with its track, n points to the ball. The ball's angular velocity ω against
the race and its centre's velocity v give along the track

    sliding = v·z - rolling,    rolling = R (ω x n)·z

and besides a sliding across the track, along z x n, and a drilling ω·n.

A race's torque about the joint's centre, the point where the shafts' axes meet, has a part along
the race's own axis and one perpendicular to it, the secondary torque. In the frictionless joint it
lies in the plane of the shafts and is T tan(β/2) (Orain 1979).

Energy goes where it may:

    work of drives + work of loads = friction + damping + change of kinetic and stored energy
                                     + remainder

The remainder is what the integrator lost or made: with its damping of what the step does not
resolve it is not zero, and tells whether the step was short enough.
"""

from dataclasses import dataclass

import numpy as np

from flank.arrays import Flags, Floats
from flank.dynamics.energy import energies
from flank.dynamics.spatial.model import DAMPING, DRIVES, FRICTION, LOADS, SpatialModel
from flank.dynamics.spatial.quaternions import matrix_of
from flank.dynamics.tables import GROUND
from flank.dynamics.trajectory import SpatialTrajectory
from flank.elasticity.elliptic_contact import EllipticContact, peak_pressure
from flank.machines.cv_joint.assembly import INNER, JointAssembly

Z = np.array([0.0, 0.0, 1.0])

SIDES = np.array([1.0, -1.0])
"""Sign of y of a track's flanks, in the order of `JointAssembly.tracks`."""


@dataclass(frozen=True)
class BallMotion:
    """Balls seen from the tracks of both races, (time, ball, race, 3), axes of the track."""

    place: Floats  # of the centre, m, from where it is in the straight joint
    velocity: Floats  # of the centre over the race, m/s
    spin: Floats  # angular velocity against the race, rad/s
    turned: Floats  # sum of the rotations from record to record, rad
    cardan: Floats  # angles α, β, γ of the rotation since the first record, rad


def races(assembly: JointAssembly) -> list[int]:
    """Bodies of the races, in the order of `JointAssembly.tracks`."""
    return [assembly.outer, assembly.inner]


def track_axes(assembly: JointAssembly, rotation: Floats) -> Floats:
    """Unit vectors x, y, z of all tracks along the axes of space, (time, ball, race, axis, 3)."""
    matrices = matrix_of(rotation[:, races(assembly)])
    return np.asarray(np.einsum("trij,brkj->tbrki", matrices, assembly.track_frame))


def ball_motion(assembly: JointAssembly, trajectory: SpatialTrajectory) -> BallMotion:
    """Place, velocity and rotation of every ball in both of its tracks."""
    balls, bodies = assembly.balls, races(assembly)
    axes = track_axes(assembly, trajectory.rotation)
    offset = trajectory.position[:, balls, None] - trajectory.position[:, None, bodies]
    carried = np.cross(trajectory.velocity[:, None, bodies, 3:], offset)
    speed = trajectory.velocity[:, balls, None] - trajectory.velocity[:, None, bodies]
    nominal = np.einsum("brkj,brj->brk", assembly.track_frame, assembly.track_origin)
    turning = axes @ matrix_of(trajectory.rotation[:, balls])[:, :, None]
    return BallMotion(
        place=_components(axes, offset) - nominal,
        velocity=_components(axes, speed[..., :3] - carried),
        spin=_components(axes, speed[..., 3:]),
        turned=_turned(turning),
        cardan=cardan_angles(turning @ np.swapaxes(turning[:1], -1, -2)),
    )


def _components(axes: Floats, vectors: Floats) -> Floats:
    return np.asarray(np.einsum("...ki,...i->...k", axes, vectors))


def _turned(matrices: Floats) -> Floats:
    """Rotation vectors from each record to the next, added up."""
    steps = rotation_vectors(matrices[1:] @ np.swapaxes(matrices[:-1], -1, -2))
    return np.concatenate([np.zeros_like(steps[:1]), np.cumsum(steps, axis=0)])


def rotation_vectors(matrices: Floats) -> Floats:
    """Axis times angle of rotations by less than half a turn, (..., 3, 3) to (..., 3)."""
    from scipy.spatial.transform import Rotation

    vectors = Rotation.from_matrix(matrices.reshape(-1, 3, 3)).as_rotvec()
    return np.asarray(vectors.reshape(matrices.shape[:-1]))


def cardan_angles(matrices: Floats) -> Floats:
    """α, β, γ of R = R_x(α) R_y(β) R_z(γ) over time, the first index; α and γ without jumps."""
    alpha = np.arctan2(-matrices[..., 1, 2], matrices[..., 2, 2])
    beta = np.arcsin(np.clip(matrices[..., 0, 2], -1.0, 1.0))
    gamma = np.arctan2(-matrices[..., 0, 1], matrices[..., 0, 0])
    return np.stack([np.unwrap(alpha, axis=0), beta, np.unwrap(gamma, axis=0)], axis=-1)


@dataclass(frozen=True)
class CageAngles:
    """Angles over time: between the shafts, between the cage and the outer race, and how far the
    cage's axis is from the middle between the shafts' axes."""

    deflection: Floats
    angle: Floats
    deviation: Floats


def cage_angles(assembly: JointAssembly, trajectory: SpatialTrajectory) -> CageAngles:
    """Where the cage is against the plane that bisects the angle of the shafts."""
    bodies = [assembly.outer, assembly.housing, assembly.cage]
    outer, inner, cage = np.moveaxis(matrix_of(trajectory.rotation[:, bodies]) @ Z, 1, 0)
    middle = outer + inner
    return CageAngles(_between(outer, inner), _between(outer, cage), _between(middle, cage))


def _between(first: Floats, second: Floats) -> Floats:
    """Angles between vectors, exact for small ones."""
    cross = np.linalg.norm(np.cross(first, second), axis=-1)
    return np.asarray(np.arctan2(cross, _dot(first, second)))


@dataclass(frozen=True)
class TrackContacts:
    """All contacts of balls with tracks, (time, ball, race, flank); not a number where open."""

    angle: Floats  # of the contact from the bottom of the track, in its cross-section, rad
    rolling: Floats  # m/s, along the track
    sliding_along: Floats  # m/s, of the ball over the track
    sliding_across: Floats  # m/s, along z x n
    drilling: Floats  # rad/s, of the ball about the normal


def track_contacts(assembly: JointAssembly, trajectory: SpatialTrajectory) -> TrackContacts:
    """Where balls touch their tracks, and how they roll, slide and drill there."""
    contact_results = trajectory.contact_results[:, assembly.tracks]
    closed = contact_results["normal_force"] > 0
    axes = track_axes(assembly, trajectory.rotation)
    normal = contact_results["normal"]
    across, along = axes[..., None, 1, :], axes[..., None, 2, :]
    side = SIDES * _dot(-normal, across)
    angle = np.arctan2(side, _dot(-normal, axes[..., None, 0, :]))
    turning = trajectory.velocity[:, assembly.balls, None, 3:]
    turning = turning - trajectory.velocity[:, None, races(assembly), 3:]
    radius = assembly.model.contacts["sphere_radius"][assembly.tracks]
    rolling = radius * _dot(np.cross(turning[..., None, :], normal), along)
    sliding = contact_results["sliding"]
    return TrackContacts(
        angle=_where(closed, angle),
        rolling=_where(closed, rolling),
        sliding_along=_where(closed, _dot(sliding, along)),
        sliding_across=_where(closed, _dot(sliding, np.cross(along, normal))),
        drilling=_where(closed, contact_results["spin"]),
    )


def _dot(first: Floats, second: Floats) -> Floats:
    return np.asarray(np.einsum("...i,...i->...", *np.broadcast_arrays(first, second)))


def _where(closed: Flags, values: Floats) -> Floats:
    return np.where(closed, values, np.nan)


def hertz_pressures(force: Floats, contact: EllipticContact) -> Floats:
    """Peak pressures p0 in Pa: they grow with the cube root of the force."""
    return peak_pressure(contact, 1.0) * np.cbrt(np.maximum(force, 0.0))


@dataclass(frozen=True)
class RaceLoads:
    """Sums of what contacts do to one body over time, along the axes of space: (time, 3)."""

    force: Floats
    torque: Floats  # about the origin of space, the joint's centre


def loads_on(assembly: JointAssembly, trajectory: SpatialTrajectory, body: int) -> RaceLoads:
    """Force and torque of all contacts on one body: normal forces, friction and drilling."""
    model = assembly.spatial
    contacts = model.contacts[: model.counts[3]]
    signs = (contacts["body_b"] == body).astype(float) - (contacts["body_a"] == body)
    touching = np.flatnonzero(signs)
    contact_results = trajectory.contact_results[:, touching]
    force = (
        contact_results["normal_force"][..., None] * contact_results["normal"]
        + contact_results["friction"]
    )
    torque = np.cross(contact_results["point"], force)
    torque += contact_results["drilling"][..., None] * contact_results["normal"]
    signs = signs[touching]
    return RaceLoads(np.einsum("c,tci->ti", signs, force), np.einsum("c,tci->ti", signs, torque))


@dataclass(frozen=True)
class ShaftLoads:
    """Of all contact forces on a race, over time: torques (time, race) along its own axis and
    perpendicular to it (time, race, 2), in the plane of the shafts and normal to it; the force
    along the inner race's axis, in time the mean since the record before, and the race's place on
    it and across it (time, 2), in the plane of the shafts and normal to it."""

    torque: Floats
    secondary: Floats
    axial_force: Floats
    axial_place: Floats
    sideways_place: Floats


def shaft_loads(assembly: JointAssembly, trajectory: SpatialTrajectory) -> ShaftLoads:
    """Torques and forces along and perpendicular to the shafts, which lie in the plane y = 0."""
    loads = [loads_on(assembly, trajectory, body) for body in races(assembly)]
    shafts = matrix_of(trajectory.rotation[:, [GROUND, assembly.housing]])
    torque = np.stack([race_loads.torque for race_loads in loads], axis=1)
    along_axes = np.einsum("trij,tri->trj", shafts, torque)
    along, place = shafts[:, INNER, :, 2], trajectory.position[:, assembly.inner]
    return ShaftLoads(
        torque=along_axes[..., 2],
        secondary=along_axes[..., :2],
        axial_force=_mean_axial_force(assembly, trajectory, along)
        if np.any(trajectory.velocity)
        else np.einsum("ti,ti->t", along, loads[INNER].force),
        axial_place=np.einsum("ti,ti->t", along, place),
        sideways_place=np.einsum("tij,ti->tj", shafts[:, INNER, :, :2], place),
    )


def _mean_axial_force(
    assembly: JointAssembly, trajectory: SpatialTrajectory, along: Floats
) -> Floats:
    """Of the contacts on the inner race between records, from its momentum and what holds it.

    Balls that slip do so for microseconds: forces at the records would be a matter of luck. The
    first record has the force of the last, for turns that repeat.
    """
    mass = assembly.model.mass[assembly.inner]
    gained = mass * np.einsum("ti,ti->t", along, trajectory.velocity[:, assembly.inner, :3])
    if assembly.plunge >= 0:
        gained = gained + trajectory.impulse[:, assembly.plunge]
    force = np.diff(gained) / np.diff(trajectory.time)
    return np.concatenate([force[-1:], force])


@dataclass(frozen=True)
class EnergyBalance:
    """Energies in J from the first to the last record of a run, and the time between."""

    input: float  # work of the drives
    output: float  # work done on the loads
    friction: float
    damping: float
    kept: float  # change of kinetic and stored energy
    duration: float

    @property
    def remainder(self) -> float:
        """What the integrator lost."""
        return self.input - self.output - self.friction - self.damping - self.kept

    @property
    def transmitted(self) -> float:
        """The larger of the two works: what the joint passes on, whichever side drives."""
        return max(abs(self.input), abs(self.output))

    @property
    def efficiency(self) -> float:
        """Work that comes out over work that goes in; not a number where none comes out."""
        directions = {self.output: self.input, -self.input: -self.output}
        works = [out / given for out, given in directions.items() if out > 0 and given > 0]
        return works[0] if works else float("nan")


def energy_balance(model: SpatialModel, trajectory: SpatialTrajectory) -> EnergyBalance:
    """Energies from the first to the last record of a run."""
    spent = trajectory.ledger[-1] - trajectory.ledger[0]
    stored = np.sum(energies(model, trajectory), axis=0)
    return EnergyBalance(
        input=float(spent[DRIVES]),
        output=-float(spent[LOADS]),
        friction=float(spent[FRICTION]),
        damping=float(spent[DAMPING]),
        kept=float(stored[-1] - stored[0]),
        duration=float(trajectory.time[-1] - trajectory.time[0]),
    )
