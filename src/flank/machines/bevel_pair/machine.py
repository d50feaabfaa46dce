"""Pairs in space, bevel, hypoid or involute, members on shafts that may be elastic to outer ends.

The fixed frame is that of the wheel as designed (`geometry/flank_pair.py`): its axis is z, the
pinion's lies in the plane of x and z, the offset along y. Shafts turn about the axes of the members
or against them, so that with a positive speed of the input the driving flanks of the spec push;
seen from the crossing point both turn against each other. At zero all teeth stand in the middle of
their backlash.

Turning against each other, the members are one mass on the mesh, m_e = 1/(L_1²/J_1 + L_2²/J_2), L_i
the levers of the line of action about their axes, whose motion a share ζ of critical damping brakes
by c = 2 ζ √(k m_e).
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from flank.arrays import Floats
from flank.contact.spatial.flank_search import FlankMesh
from flank.contact.spatial.loaded_flanks import LoadedFlanks
from flank.dynamics.spatial.builder import SpatialBuilder
from flank.dynamics.spatial.quaternions import quaternion_of
from flank.dynamics.tables import GROUND
from flank.dynamics.trajectory import Shaft, SpatialPose
from flank.elasticity.material import Material, contact_modulus
from flank.geometry.bevel.tooth import CONCAVE
from flank.geometry.findings import Finding
from flank.geometry.flank_pair import FlankPair
from flank.geometry.mounting import Mounting
from flank.geometry.rotations import about_z
from flank.machines.base import Assembly, DataTable, Derived, Drive, MeshPlace, ToothLimits
from flank.machines.bevel_pair.bodies import MemberBody
from flank.machines.bevel_pair.findings import contact_findings
from flank.machines.bevel_pair.involute_spec import GearInSpaceSpec, SpatialGearPairSpec
from flank.machines.bevel_pair.loading import (
    Elasticity,
    Touch,
    flank_loading,
    loaded_mesh,
)
from flank.machines.bevel_pair.spec import MEMBERS, CrossedPairSpec, MemberSpec
from flank.machines.bevel_pair.tables import gear_data
from flank.machines.bevel_pair.teeth import (
    MATES,
    MeanContact,
    PairTeeth,
    made_teeth,
    mean_contact,
)
from flank.machines.machine import RatedMachine
from flank.machines.orders import TEETH, Orders
from flank.machines.outlines import Outline, line_of_action

PINION, WHEEL = 1, 2
"""Body numbers; the outer ends of elastic shafts follow."""

AXIS = np.array([0.0, 0.0, 1.0])

ISO_STIFFNESS = 20e9
"""N/m²: c_γ of ISO 10300-1 and of ISO 6336-1 for usual conditions, in the transverse plane and per
face width."""

DEEPEST = 0.5
"""Of the mean normal module: an approach that no tooth survives."""

BESIDE = 0.9
"""Cosine of the shaft angle from which on one sees the pinion along its axis, too."""

END_MASS = 1.0
"""kg, of a shaft's outer end, which only turns."""


@dataclass(frozen=True, repr=False)
class BevelPairMachine(RatedMachine):
    """A checked spec, made into models on demand; `extra` errors come on top of the spec's."""

    spec: CrossedPairSpec | SpatialGearPairSpec

    @property
    def ratio(self) -> float:
        return -self.spec.wheel.teeth / self.spec.pinion.teeth

    @property
    def output_inertia(self) -> float:
        """Of the body that the load is on."""
        shaft = self.spec.output_shaft
        return self.inertias[1] if shaft.stiffness is None else (shaft.inertia or 0.0)

    @property
    def orders(self) -> Orders:
        teeth = self.spec.pinion.teeth
        return Orders(
            {"output": abs(1 / self.ratio), "input": 1.0, "mesh": float(teeth)}, {"mesh": TEETH}
        )

    @property
    def mesh_count(self) -> int:
        return 1

    @property
    def deviates(self) -> bool:
        return super().deviates or self.teeth_differ

    @property
    def teeth_differ(self) -> bool:
        members = self.teeth.pinion, self.teeth.wheel
        return any(member.flanks_that_differ(CONCAVE) for member in members)

    @cached_property
    def teeth(self) -> PairTeeth:
        """As they are made; SpecError where they cannot be."""
        return made_teeth(self.spec.plan())

    @cached_property
    def mounting(self) -> Mounting:
        """With this machine's misalignments."""
        designed, errors = self.teeth.mounting, self.errors
        return Mounting(
            designed.shaft_angle,
            designed.offset,
            float(errors["offset"]),
            float(errors["pinion_axial"]),
            float(errors["wheel_axial"]),
            float(errors["shaft_angle"]),
        )

    @property
    def driving(self) -> str:
        return self.spec.driving_flank

    def flank_pair(self, driving: bool = True, mounting: Mounting | None = None) -> FlankPair:
        """The flanks that drive, or those that coast, in this machine's mounting or another one;
        NoContact where they touch nowhere."""
        flank = self.driving if driving else MATES[self.driving]
        return self.teeth.flanks(flank, mounting or self.mounting)

    @property
    def materials(self) -> tuple[Material, Material]:
        spec = self.spec
        return spec.elastic(spec.pinion.material), spec.elastic(spec.wheel.material)

    def loaded_flanks(
        self,
        driving: bool = True,
        points: int | None = None,
        method: str = "proportion",
        friction: float | None = None,
    ) -> LoadedFlanks:
        """Flanks under load on rigid axes in this machine's mounting, so many points of each."""
        mesh, (pinion, wheel) = self.spec.mesh, self.bodies
        rubbing = mesh.friction if friction is None else friction
        touch = Touch(points or mesh.points, self.spec.edge_radius, rubbing, mesh.friction_velocity)
        flank = self.driving if driving else MATES[self.driving]
        centres = pinion.centre, wheel.centre
        return LoadedFlanks(
            flank_loading(self.teeth, flank, self.mounting, centres, self.elasticity, touch),
            method,
        )

    @property
    def elasticity(self) -> Elasticity:
        """What gives way under a load on the flanks."""
        pinion, wheel = self.bodies
        return Elasticity(
            self.materials,
            self.spec.mesh.influence,
            (pinion.bore or None, wheel.bore or None),
            (float(pinion.meridian[-1, 0]), float(wheel.meridian[-1, 0])),
            (pinion.holes, wheel.holes),
        )

    @cached_property
    def sense(self) -> int:
        """Of the shafts about the z axes of the members."""
        return -self.flank_pair().push

    @cached_property
    def contact(self) -> MeanContact:
        return mean_contact(self.flank_pair())

    @cached_property
    def bodies(self) -> tuple[MemberBody, MemberBody]:
        spec, teeth = self.spec, self.teeth
        pinion, wheel = teeth.sections
        return (
            MemberBody("pinion", spec.pinion, teeth.pinion, pinion, self._density(spec.pinion)),
            MemberBody("wheel", spec.wheel, teeth.wheel, wheel, self._density(spec.wheel)),
        )

    def _density(self, member: MemberSpec | GearInSpaceSpec) -> float:
        return self.spec.material(member.material).density

    @cached_property
    def _masses(self) -> list[tuple[float, float, float]]:
        """Mass, axial and transverse moment of both members, with all that turns rigidly along."""
        shafts = self.spec.input_shaft, self.spec.output_shaft
        return [
            body.mass_and_inertia(shaft.inertia or 0.0 if shaft.stiffness is None else 0.0)
            for body, shaft in zip(self.bodies, shafts, strict=True)
        ]

    @property
    def inertias(self) -> tuple[float, float]:
        """About the axes, in kg·m²."""
        return self._masses[0][1], self._masses[1][1]

    @property
    def mesh_mass(self) -> float:
        """m_e in kg."""
        levers = self.contact.levers
        return 1 / sum(
            lever**2 / inertia for lever, inertia in zip(levers, self.inertias, strict=True)
        )

    @cached_property
    def mesh_stiffness(self) -> float:
        """Of the spring along the line of action, in N/m.

        By ISO 10300-1 it is k_t = c_γ b_eff in the transverse plane; along the normal in space
        k_t/cos² β_b, as forces there are greater and ways shorter by cos β_b.
        """
        given = self.spec.mesh.stiffness
        if given is not None:
            return given
        return ISO_STIFFNESS * self.teeth.bearing_width / math.cos(self._base_spiral_angle) ** 2

    @cached_property
    def _base_spiral_angle(self) -> float:
        """β_b at the mean contact: the tilt of the normal out of the plane across the pitch cone's
        element, in which a cylinder in place of the cone would have its transverse section."""
        pair, contact = self.flank_pair(), self.contact
        start = pair.start[None]
        heel, toe = (
            pair.second_at(np.array([[end, start[0, 4]]]), start[:, 5])[0, 0] for end in (1.0, -1.0)
        )
        axis = np.array([contact.point[0], contact.point[1], 0.0])
        radial = axis / np.linalg.norm(axis)
        along = heel - toe
        element = np.array([along @ radial * radial[0], along @ radial * radial[1], along[2]])
        return math.asin(abs(float(element @ contact.normal)) / float(np.linalg.norm(element)))

    @property
    def damping(self) -> float:
        """Along the line of action, in N·s/m."""
        share = self.spec.damping_ratio
        if not share:
            return self.spec.mesh.damping
        return 2 * share * math.sqrt(self.mesh_stiffness * self.mesh_mass)

    @cached_property
    def backlash(self) -> float:
        """Of the wheel's angle, in rad."""
        return self.teeth.backlash(self.mounting)

    def gear_data(self) -> list[DataTable]:
        return gear_data(self)

    derived_heading: ClassVar[str] = "From the dimensions, with all that turns along:"

    def derived(self) -> list[Derived]:
        """Inertias, and the frequency at which both members turn against each other, alone."""
        first, second = self.inertias
        frequency = math.sqrt(self.mesh_stiffness / self.mesh_mass) / (2 * math.pi)
        return [
            Derived("pinion.inertia, all", first, "kg*m^2", "kg*m^2"),
            Derived("wheel.inertia, all", second, "kg*m^2", "kg*m^2"),
            Derived("mesh.stiffness", self.mesh_stiffness, "N/m", "N/um"),
            Derived("torsional frequency on the mesh", frequency, "1/s", "Hz"),
            Derived("mesh.damping", self.damping, "N*s/m", "N*s/m"),
        ]

    def keyed_findings(self) -> Iterator[tuple[str, Finding]]:
        for body in self.bodies:
            body.check()
        yield from contact_findings(self.teeth, self.mounting, self.driving)

    @property
    def _axes(self) -> tuple[Floats, Floats]:
        """Of both shafts in space."""
        return self.sense * self.mounting.first_axes[:, 2], self.sense * AXIS

    @property
    def _frames(self) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
        """Centre of mass and rotation of both members at zero."""
        mounting, (pinion, wheel) = self.mounting, self.bodies
        axes = mounting.first_axes
        phase = about_z(np.array(self.teeth.phase(mounting)))
        return (
            (mounting.first_origin + pinion.centre * axes[:, 2], axes),
            (mounting.second_origin + wheel.centre * AXIS, phase),
        )

    def ideal_pose(self, input_angle: float) -> SpatialPose:
        """Ground, both members, then outer ends of elastic shafts; velocities of 1 rad/s."""
        turned = input_angle, input_angle / self.ratio
        rows = [
            (centre, rotation @ about_z(np.array(self.sense * angle)), speed * axis)
            for (centre, rotation), angle, speed, axis in zip(
                self._frames, turned, (1.0, 1.0 / self.ratio), self._axes, strict=True
            )
        ]
        shafts = self.spec.input_shaft, self.spec.output_shaft
        rows += [row for row, shaft in zip(tuple(rows), shafts, strict=True) if shaft.stiffness]
        position = np.array([np.zeros(3), *(centre for centre, _, _ in rows)])
        rotation = np.array([[1.0, 0, 0, 0], *(quaternion_of(turn) for _, turn, _ in rows)])
        velocity = np.zeros((len(position), 6))
        velocity[1:, 3:] = [speed for _, _, speed in rows]
        return SpatialPose(position, rotation, velocity)

    def _members(self) -> SpatialBuilder:
        """A model that has both members and nothing else."""
        builder = SpatialBuilder(float(self.teeth.sections[1].corners[..., 1].mean()))
        for name, (mass, axial, transverse), (centre, rotation) in zip(
            MEMBERS, self._masses, self._frames, strict=True
        ):
            builder.body(name, mass, (transverse, transverse, axial), centre, rotation)
        return builder

    def force_element(self) -> Assembly:
        builder, pose = self._members(), self.ideal_pose(0.0)
        with builder.part("mesh", "mesh"):
            mesh = self._add_mesh(builder)
        both = slice(0, WHEEL + 1)
        still = np.zeros((WHEEL + 1, 6))
        pose = SpatialPose(pose.position[both], pose.rotation[both], still)
        return Assembly.of(builder, pose, {}, meshes=[mesh])

    def assemble(self, drive: Drive) -> Assembly:
        builder = self._members()
        for name, body in zip(MEMBERS, (PINION, WHEEL), strict=True):
            with builder.part(f"{name}_bearing", f"bearings of the {name}"):
                self._add_support(builder, name, body)
        bodies = {"pinion": PINION, "wheel": WHEEL}
        driver = self._add_shaft(builder, bodies, "input")
        driven = self._add_shaft(builder, bodies, "output")
        with builder.part("mesh", "mesh"):
            mesh = self._add_mesh(builder)
        shafts = self._turned(builder, drive.named(bodies, driver, driven), bodies)
        pose = self.ideal_pose(0.0)
        return Assembly.of(builder, pose, shafts, driver, driven, [mesh])

    def _turned(
        self, builder: SpatialBuilder, drive: Drive, bodies: dict[str, int]
    ) -> dict[str, Shaft]:
        axes = dict(zip((*MEMBERS, "input", "output"), (*self._axes, *self._axes), strict=True))
        return {
            name: builder.shaft(
                body, axes[name], GROUND, drive.angles.get(name), drive.torques.get(name)
            )
            for name, body in bodies.items()
        }

    def _add_support(self, builder: SpatialBuilder, name: str, body: int) -> None:
        """A rigid axis, or bearings, which hold points of it."""
        member: MemberSpec | GearInSpaceSpec = getattr(self.spec, name)
        number = MEMBERS.index(name)
        centre, rotation = self._frames[number]
        axis = rotation[:, 2]
        if not member.bearings:
            builder.revolute(GROUND, body, self._axes[number], at_a=centre)
            return
        for bearing in member.bearings:
            along = self.teeth.middles[number] + bearing.at - self.bodies[number].centre
            across = bearing.radial_stiffness
            builder.bushing(
                GROUND,
                body,
                (across, across, bearing.axial_stiffness),
                damping=(bearing.damping,) * 3,
                at_a=centre + along * axis,
                at_b=along * AXIS,
                frame=rotation.T,
            )

    def _add_shaft(self, builder: SpatialBuilder, bodies: dict[str, int], end: str) -> str:
        """An elastic shaft and the body at its outer end; returns who is turned from outside."""
        shaft = self.spec.input_shaft if end == "input" else self.spec.output_shaft
        number = int(end == "output")
        name = MEMBERS[number]
        if shaft.stiffness is None or shaft.inertia is None:
            return name
        centre, rotation = self._frames[number]
        body = builder.body(end, END_MASS, (shaft.inertia,) * 3, centre, rotation)
        builder.revolute(GROUND, body, self._axes[number], at_a=centre)
        with builder.part(f"{end}_shaft", f"{end} shaft"):
            builder.bushing(
                bodies[name],
                body,
                turning_stiffness=(0.0, 0.0, shaft.stiffness),
                turning_damping=(0.0, 0.0, shaft.damping),
            )
        bodies[end] = body
        return end

    def _add_mesh(self, builder: SpatialBuilder) -> MeshPlace:
        contact, mesh = self.contact, self.spec.mesh
        lever = abs(contact.levers[1])
        line = (PINION, WHEEL, self.spec.teeth, self._axes, contact.point, contact.normal)
        radius = float(np.hypot(*contact.point[:2]))
        place = MeshPlace(
            "pinion/wheel",
            mesh.model,
            working_angle=math.acos(min(lever / radius, 1.0)),
            limits=self._limits,
            base_radii=(abs(contact.levers[0]), lever),
        )
        if mesh.model == "flanks":
            share = self.damping / self.mesh_stiffness
            rows = [
                builder.flanks(PINION, WHEEL, self.flank_mesh(way), share) for way in (True, False)
            ]
            return replace(place, flanks=tuple(rows), line=builder.line_of_action(*line))
        backlash = max(self.backlash, 0.0) * lever
        row = builder.mesh(*line, self.mesh_stiffness, self.damping, backlash)
        return replace(place, springs=(row,))

    def flank_mesh(self, driving: bool) -> FlankMesh:
        """Flanks under load as designed, in the frames of the bodies; computed once a process."""
        spec, mesh, (pinion, wheel) = self.spec, self.spec.mesh, self.bodies
        flank = self.driving if driving else MATES[self.driving]
        return loaded_mesh(
            spec.plan(),
            flank,
            (pinion.centre, wheel.centre),
            self.elasticity,
            Touch(mesh.points, spec.edge_radius, mesh.friction, mesh.friction_velocity),
        )

    @property
    def _limits(self) -> ToothLimits:
        """Nominal pressure of Hertz on one line of contact across the face."""
        length = self.teeth.bearing_width / math.cos(self._base_spiral_angle)
        factor = contact_modulus(*self.materials) / (math.pi * length * self.contact.radius)
        return ToothLimits(factor, DEEPEST * self.normal_module)

    def nominal_pressure(self, force: float) -> float:
        """Of Hertz in Pa, under a force along the line of action."""
        return math.sqrt(self._limits.pressure_factor * force)

    @property
    def normal_module(self) -> float:
        """Mean: of the wheel's normal pitch at the middle of its face."""
        return self.teeth.normals[1].gear.normal_module

    def outlines(self) -> list[Outline]:
        """Both members, cut in the plane of the wheel's axis and seen along it, and the line along
        which their teeth push at the middle of the flanks."""
        pinion, wheel = self.bodies
        beside = abs(math.cos(self.mounting.shaft_angle)) > BESIDE
        point, normal = self.contact.point, self.contact.normal
        pushed = line_of_action("pinion/wheel", GROUND, point, normal, -normal)
        return [*wheel.outlines(WHEEL, True), *pinion.outlines(PINION, beside), pushed]
