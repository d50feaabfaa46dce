"""A planetary gearbox in space: bodies that tilt and shift along their axes, helical gears.

Bodies, numbers and angles are those of the plane, all mid-planes at height zero. A support that is
rigid leaves a member its turning alone. A bearing leaves it radial motion in its plane; with a span
it is two bearings, half the stiffness each, at either side of the mid-plane, between which the
member tilts: against a moment it has the stiffness k span²/4. Along the axis a member is held
rigidly, or by a stiffness.

The sun is right-handed, planets and ring are left-handed. About a diameter a part has half of its
moment of inertia, and that of its mass along its width.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from flank.dynamics.functions import constant
from flank.dynamics.spatial.builder import SpatialBuilder
from flank.dynamics.spatial.quaternions import matrix_of, quaternion_of
from flank.dynamics.tables import GROUND
from flank.dynamics.trajectory import Shaft, SpatialPose, SpatialTrajectory
from flank.geometry.rotations import about_z
from flank.geometry.willis import Member
from flank.machines.base import Drive, Tilts
from flank.machines.planetary.layout import CARRIER, FIRST_PLANET
from flank.machines.planetary.spec import PinSupportSpec
from flank.machines.planetary.structure import GearboxModel
from flank.machines.round_parts import MassInertia

if TYPE_CHECKING:
    from flank.machines.planetary.layout import Layout
    from flank.machines.planetary.spec import PlanetaryGearboxSpec

AXIS = (0.0, 0.0, 1.0)


def spatial_pose(layout: "Layout", member: Member, angle: float) -> SpatialPose:
    """All bodies of the ideal gearbox, with their velocities where the member turns at 1 rad/s."""
    plane = layout.pose(member, angle)
    rates = layout.kinematics.angles(member, 1.0)
    spins = [0.0, rates.sun, rates.ring, rates.carrier, *(rates.planet for _ in layout.planets)]
    position, velocity = np.zeros((len(plane), 3)), np.zeros((len(plane), 6))
    position[:, :2], velocity[:, 5] = plane[:, :2], spins
    velocity[FIRST_PLANET:, 0] = -rates.carrier * plane[FIRST_PLANET:, 1]
    velocity[FIRST_PLANET:, 1] = rates.carrier * plane[FIRST_PLANET:, 0]
    rotation = np.array([quaternion_of(about_z(np.array(turned))) for turned in plane[:, 2]])
    return SpatialPose(position, rotation, velocity)


def read_tilts(layout: "Layout", bodies: tuple[str, ...], trajectory: SpatialTrajectory) -> Tilts:
    """Of all members and planets, whose names follow ground's.

    The axis a of a body that has turned by ω is e_z + ω × e_z, so e_z × a is ω less its turning.
    The radius is that of the planet's pin on the carrier, of central members that of the first.
    """
    matrix = matrix_of(trajectory.rotation[:, 1:])
    axis = matrix[..., 2]
    lean = np.stack((-axis[..., 1], axis[..., 0]), axis=-1)
    pins = np.array(layout.spec.planet_angles)
    on_carrier = np.concatenate((np.full(FIRST_PLANET - 1, pins[0]), pins))
    directions = np.stack((np.cos(on_carrier), np.sin(on_carrier)))
    radius = np.moveaxis(matrix[:, CARRIER - 1, :2, :2] @ directions, 1, 2)
    radius /= np.linalg.norm(radius, axis=-1, keepdims=True)
    tangent = np.stack((-radius[..., 1], radius[..., 0]), axis=-1)
    about = [np.einsum("tbi,tbi->tb", lean, along) for along in (radius, tangent)]
    return Tilts(bodies, about[0], about[1], trajectory.position[:, 1:, 2])


def tilting_inertia(spec: "PlanetaryGearboxSpec", part: str, mass: MassInertia) -> float:
    """About a diameter, as given or from the dimensions."""
    given = getattr(spec, part)
    if given.tilt_inertia is not None:
        return float(given.tilt_inertia)
    width = spec.carrier_width if part == "carrier" else given.face_width
    return 0.5 * mass[1] + mass[0] * width**2 / 12


@dataclass(frozen=True)
class SpatialGearboxModel(GearboxModel):
    """Puts a gearbox into a model in space."""

    builder: SpatialBuilder

    def add_bodies(self) -> None:
        spec, masses, pose = self.machine.spec, self.machine.masses, self.machine.ideal_pose(0.0)
        assert isinstance(pose, SpatialPose)
        parts = ["sun", "ring", "carrier"] + ["planets"] * spec.planets.count
        names = parts[:3] + [f"planet {n + 1}" for n in range(spec.planets.count)]
        for row, (part, name) in enumerate(zip(parts, names, strict=True), start=1):
            mass: MassInertia = getattr(masses, part.removesuffix("s") if row > 3 else part)
            across = tilting_inertia(spec, part, mass)
            angle = float(self.machine.layout.pose(spec.operation.input, 0.0)[row, 2])
            self.builder.body(
                name,
                mass[0],
                (across, across, mass[1]),
                pose.position[row],
                about_z(np.array(angle)),
            )

    def _hold_centre(self, member: Member, body: int, fast: bool) -> None:
        support: PinSupportSpec = getattr(self.machine.spec, member).support
        if fast and support.kind == "rigid":
            self.builder.fixed(GROUND, body)
            return
        self._hold(support, GROUND, body)
        if fast:
            self.builder.rotation(GROUND, body, constant(0.0))

    def _hold_planet(self, body: int, pin: tuple[float, float]) -> None:
        self._hold(self.machine.spec.planets.support, CARRIER, body, (*pin, 0.0))

    def _hold_turning(self, body: int, stiffness: float, damping: float) -> None:
        self.builder.bushing(
            GROUND,
            body,
            turning_stiffness=(0.0, 0.0, stiffness),
            turning_damping=(0.0, 0.0, damping),
        )

    def _hold(
        self,
        support: PinSupportSpec,
        a: int,
        b: int,
        at: tuple[float, float, float] = (0.0, 0.0, 0.0),
    ) -> None:
        """The origin of body b at a point of body a, as far as the support does."""
        builder = self.builder
        if support.kind == "rigid":
            builder.revolute(a, b, AXIS, at)
            return
        if support.axial_stiffness is None:
            builder.along(a, b, AXIS, constant(0.0), at)
        if support.bearing_span is None:
            builder.parallel(a, b, AXIS)
        half = 0.5 * (support.bearing_span or 0.0)
        heights = (-half, half) if half else (0.0,)
        across, along = (support.stiffness or 0.0), (support.axial_stiffness or 0.0)
        if not (across or along):
            return
        share = 1 / len(heights)
        for height in heights:
            builder.bushing(
                a,
                b,
                (share * across, share * across, share * along),
                damping=(share * support.damping,) * 2 + (0.0,),
                at_a=np.add(at, (0.0, 0.0, height)),
                at_b=(0.0, 0.0, height),
            )

    def shafts(self, drive: Drive, bodies: dict[str, int]) -> dict[str, Shaft]:
        operation = self.machine.spec.operation
        named = drive.named(bodies, operation.input, operation.output)
        return {
            name: self.builder.shaft(
                body, AXIS, GROUND, named.angles.get(name), named.torques.get(name)
            )
            for name, body in bodies.items()
        }
