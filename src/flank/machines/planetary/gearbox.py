"""The planetary gearbox: sun, ring, carrier and N planets in a plane.

Any central member is driven, another loaded, the third held. Every mesh has the model that the spec
names; centres are guided rigidly, by bearings, or float.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from flank.arrays import Floats
from flank.contact.flexible_gear import GearModes
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.spatial.builder import SpatialBuilder
from flank.dynamics.trajectory import AnyTrajectory, Pose, SpatialPose, SpatialTrajectory
from flank.elasticity.material import Material
from flank.geometry.findings import Finding, warning
from flank.geometry.gear_pair import GearPair
from flank.geometry.pair_checks import Names, check_backlash, check_gears
from flank.geometry.planetary import PLANET_RING, SUN_PLANET, check_meshes, check_set, excited_modes
from flank.geometry.willis import MEMBERS
from flank.machines.base import Assembly, DataTable, Drive, MeshPhases, PlanetLoads, Tilts, pitches
from flank.machines.gear_bodies import check_bodies
from flank.machines.gear_data import gear_table, mesh_table
from flank.machines.gear_spec import GearSpec
from flank.machines.machine import RatedMachine
from flank.machines.mesh_forces import net_forces, tangential_forces
from flank.machines.meshed_pair import MeshedPair, body_modes, check_mesh, held_at, thicker
from flank.machines.orders import TEETH, Orders
from flank.machines.outlines import (
    Outline,
    circle,
    gear_outlines,
    line_of_action,
    ring_outlines,
)
from flank.machines.planetary.layout import (
    CARRIER,
    FIRST_PLANET,
    RING,
    SUN,
    Kinematics,
    Layout,
    family_names,
    planetary_set,
)
from flank.machines.planetary.space import SpatialGearboxModel, read_tilts, spatial_pose
from flank.machines.planetary.spec import PlanetaryGearboxSpec
from flank.machines.planetary.structure import GearboxModel, PlanetaryMasses, planetary_masses
from flank.machines.plates import Plate, gear_plate, ring_plate
from flank.strength.tooth_root import STIFF_RING
from flank.texts import mm

KEYS = {
    "not-coaxial": "centre_distance",
    "planets-collide": "planets.count",
    "no-assembly": "planets.angles",
}
"""Of the spec, by the findings about the set."""


@dataclass(frozen=True, repr=False)
class PlanetaryGearbox(RatedMachine):
    """A checked spec, made into models on demand; `extra` errors come on top of the spec's."""

    sharing_error: ClassVar[str] = "pin_tangential"

    spec: PlanetaryGearboxSpec

    @property
    def kinematics(self) -> Kinematics:
        return self.layout.kinematics

    @property
    def ratio(self) -> float:
        operation = self.spec.operation
        return self.kinematics.ratio(operation.input, operation.output)

    @property
    def output_inertia(self) -> float:
        """Of the output alone: with soft meshes the input locks nothing else."""
        return float(getattr(self.masses, self.spec.operation.output)[1])

    @property
    def orders(self) -> Orders:
        """Turns of the gears are counted against the carrier: so often their run-outs come by."""
        turns = self.kinematics.angles(self.spec.operation.input, 1.0)
        orders = {
            "output": abs(turns.of(self.spec.operation.output)),
            "input": 1.0,
            "ring": abs(turns.ring - turns.carrier),
            "planet": abs(turns.planet - turns.carrier),
            "sun": abs(turns.sun - turns.carrier),
        }
        return Orders(orders | {"mesh": self.spec.sun.teeth * orders["sun"]}, {"mesh": TEETH})

    @cached_property
    def layout(self) -> Layout:
        return Layout(self.spec)

    @cached_property
    def masses(self) -> PlanetaryMasses:
        return planetary_masses(self.spec, self.ring_modes)

    @property
    def sun_flank(self) -> int:
        """The flank of the sun that carries the load of the operating point."""
        load = self.load_torque or -math.copysign(1.0, self.ratio)
        torques = self.kinematics.torques(self.spec.operation.output, load)
        return 1 if torques["sun"] > 0 else -1

    @property
    def only_first_drives(self) -> bool:
        return self.spec.redundant and self.spec.rigid_sharing == "first"

    @property
    def tooth_load(self) -> float:
        """Normal force of one mesh at the rated torque, equally shared."""
        torque = self.kinematics.torques(self.spec.operation.output, self.rated_torque)["sun"]
        return abs(torque) / (self.spec.planets.count * self.spec.sun_gear.base_radius)

    def sun_pair(self, planet: int) -> MeshedPair:
        """Sun and one planet, their errors of thickness included."""
        sun, wheel = self.spec.sun, self.spec.planets
        sun_error, error = (self.errors[f"{part}_thickness"] for part in ("sun", "planet"))
        pair = thicker(self.layout.gears.sun_planet, float(sun_error), float(error[planet]))
        pair = self._held_sun(pair)
        materials, form, load = self._materials(sun, wheel), self.spec.sun_mesh, self.tooth_load
        return MeshedPair(pair, materials, form, load, key="sun_mesh")

    def ring_pair(self, planet: int) -> MeshedPair:
        """One planet and the ring."""
        wheel, ring = self.spec.planets, self.spec.ring
        error, ring_error = (self.errors[f"{part}_thickness"] for part in ("planet", "ring"))
        pair = thicker(self.layout.gears.planet_ring, float(error[planet]), float(ring_error))
        pair = self._held_ring(pair)
        materials, supports = self._materials(wheel, ring), (None, ring.bedding)
        form, load = self.spec.ring_mesh, self.tooth_load
        return MeshedPair(pair, materials, form, load, supports=supports, key="ring_mesh")

    def _held_sun(self, pair: GearPair) -> GearPair:
        """Sun and planet with their bodies."""
        return held_at(pair, self.spec.sun.bore_radius, self.spec.planets.bore_radius)

    def _held_ring(self, pair: GearPair) -> GearPair:
        """Planet and ring with their bodies; that of a ring is as large as given among elements."""
        elements = self.spec.ring_mesh.model == "fe"
        outside = self.spec.ring.outer_radius if elements else None
        return held_at(pair, self.spec.planets.bore_radius, outside)

    @cached_property
    def ring_modes(self) -> GearModes | None:
        """Of a ring that vibrates."""
        meshed = replace(self.ring_pair(0), pair=self._held_ring(self.layout.gears.planet_ring))
        return body_modes("ring", self.spec.ring, meshed, second=True)

    def tooth_pairs(self) -> dict[str, MeshedPair]:
        """Those of the first planet."""
        pairs = {"sun/planet 1": self.sun_pair(0)}
        return pairs | {"planet 1/ring": self.ring_pair(0)}

    def _materials(self, first: GearSpec, second: GearSpec) -> tuple[Material, Material]:
        names = first.material, second.material
        return self.spec.elastic(names[0]), self.spec.elastic(names[1])

    def gear_data(self) -> list[DataTable]:
        spec, gears = self.spec, self.layout.gears
        meshes = {
            "sun/planet": replace(self.sun_pair(0), pair=self._held_sun(gears.sun_planet)),
            "planet/ring": replace(self.ring_pair(0), pair=self._held_ring(gears.planet_ring)),
        }
        wheels = {"sun": spec.sun_gear, "planet": spec.planet_gear, "ring": spec.ring_gear}
        return [gear_table("Gears", wheels), mesh_table("Meshes", meshes)]

    def keyed_findings(self) -> Iterator[tuple[str, Finding]]:
        findings = (*self._geometry(), *self._thick_teeth(), *self._apart_on_the_rim())
        yield from findings
        if all(finding.severity != "error" for _, finding in findings):
            yield from self._overloaded()
            yield from self._bodies()

    def _geometry(self) -> Iterator[tuple[str, Finding]]:
        """Of both gear pairs, and whether sun, planets and ring go together."""
        spec, distance = self.spec, self.spec.centre_distance or 0.0
        try:
            gears = planetary_set(spec, distance)
            _ = gears.sun_planet.working_angle, gears.planet_ring.working_angle
        except ValueError:  # a pair without a line of action: its own findings say why
            for first, second, names in (
                (spec.sun_gear, spec.planet_gear, SUN_PLANET),
                (spec.planet_gear, spec.ring_gear, PLANET_RING),
            ):
                for finding in check_gears(first, second, distance, names=names):
                    yield _blocks(names), finding
            return
        for names, finding in check_meshes(gears):
            yield _blocks(names), finding
        for finding in check_set(gears):
            yield KEYS[finding.code], finding

    def _overloaded(self) -> Iterator[tuple[str, Finding]]:
        """Whether teeth can carry the rated torque at all."""
        for finding in check_mesh(self.sun_pair(0), SUN_PLANET):
            yield "rated_torque, sun, planets", finding
        for finding in check_mesh(self.ring_pair(0), PLANET_RING):
            yield "rated_torque, planets, ring", finding

    def _bodies(self) -> Iterator[tuple[str, Finding]]:
        """Bores that nobody gave."""
        sun, planet = "sun.bore_radius", "planets.bore_radius"
        for finding in check_bodies(self.sun_pair(0), SUN_PLANET, (sun, planet)):
            yield "sun, planets", finding
        for finding in check_bodies(self.ring_pair(0), PLANET_RING, (planet, "")):
            yield "planets", finding

    def _apart_on_the_rim(self) -> Iterator[tuple[str, Finding]]:
        """Whether planets should feel each other through a rim that gives way, and do not: by the
        mesh model 'fe' each mesh has the ring to itself."""
        ring, gear = self.spec.ring, self.spec.ring_gear
        if self.spec.ring_mesh.model != "fe" or ring.flexible or self.spec.planets.count < 2:
            return
        rim, stiff = self.spec.ring_outer_radius - gear.root_radius, STIFF_RING * gear.normal_module
        if ring.bedding is None and rim >= stiff:
            return
        gives = "on a bedding" if ring.bedding is not None else f"of {mm(rim)}"
        yield (
            "ring",
            warning(
                "rim-not-shared",
                (rim, stiff, "m"),
                f"planets do not feel each other through the rim {gives}: in the ring_mesh model "
                "'fe' each mesh has the ring to itself",
                "set ring.flexible to true, whose modes all meshes share",
            ),
        )

    def _thick_teeth(self) -> Iterator[tuple[str, Finding]]:
        """Whether teeth with their errors still find room, in meshes that know backlash."""
        for n in range(self.spec.planets.count):
            for mate, meshed in (("sun", self.sun_pair(n)), ("ring", self.ring_pair(n))):
                if not (self.errors["planet_thickness"][n] or self.errors[f"{mate}_thickness"]):
                    continue
                if meshed.form.model != "rigid" and meshed.form.separation:
                    for finding in check_backlash(meshed.pair, ("planet", mate)):
                        yield f"errors.planet_thickness.{n + 1}", finding

    def outlines(self) -> list[Outline]:
        """Ring, sun, planets, the circle of the planets, lines of action."""
        spec, layout, gears = self.spec, self.layout, self.layout.gears
        ring, planet = gears.planet_ring.second, gears.planet_ring.first
        bore, tooth = spec.planets.bore_radius or 0.0, layout.ring_tooth_angle
        planets = [
            part
            for n, angle in enumerate(layout.planet_tooth_angles)
            for part in gear_outlines(f"planet {n + 1}", FIRST_PLANET + n, planet, angle, bore)
        ]
        return [
            *ring_outlines("ring", RING, ring, tooth, spec.ring_outer_radius, "body"),
            *gear_outlines("sun", SUN, gears.sun_planet.first, bore=spec.sun.bore_radius or 0.0),
            *planets,
            Outline("circle of planets", CARRIER, circle(spec.carrier_radius), "pitch circle"),
            *self._lines_of_action(),
        ]

    def plates(self) -> list[Plate]:
        """All gears, their faces even at the middle of the teeth; the sun is right-handed."""
        spec, layout, gears = self.spec, self.layout, self.layout.gears
        ring, planet, sun = (
            gears.planet_ring.second,
            gears.planet_ring.first,
            gears.sun_planet.first,
        )
        hand, widths = sun.helix_angle, (spec.sun.face_width, spec.planets.face_width)
        bore = spec.sun.bore_radius or 0.0
        outer, inner = gears.sun_planet, gears.planet_ring
        begins = outer.path[0], outer.second_roll(outer.path[1]), inner.second_roll(inner.path[1])
        width = widths[0]
        plates = [gear_plate("sun", SUN, sun, -0.5 * width, width, 0.0, bore, hand, begins[0])]
        bore = spec.planets.bore_radius or 0.0
        for n, angle in enumerate(layout.planet_tooth_angles):
            place = (-0.5 * widths[1], widths[1], angle, bore, -hand, begins[1])
            plates.append(gear_plate(f"planet {n + 1}", FIRST_PLANET + n, planet, *place))
        width, radius = spec.ring.face_width, spec.ring_outer_radius
        place = (-0.5 * width, width, layout.ring_tooth_angle, radius, -hand, begins[2])
        plates.append(ring_plate("ring", RING, ring, *place))
        return plates

    def _lines_of_action(self) -> Iterator[Outline]:
        """On the carrier, where the pitch points stand still.

        With c the direction of the planet, t across it and s the flank, the sun pushes a planet
        along sin α c + s cos α t, and the ring along -sin α c - s cos α t.
        """
        gears = self.layout.gears
        for n, psi in enumerate(self.spec.planet_angles):
            outward = np.array([math.cos(psi), math.sin(psi)])
            across = np.array([-outward[1], outward[0]])
            for mesh, pair, sign in (
                (f"sun/planet {n + 1}", gears.sun_planet, 1.0),
                (f"planet {n + 1}/ring", gears.planet_ring, -1.0),
            ):
                radius = pair.working_radii[0] if sign > 0 else pair.working_radii[1]
                sine = math.sin(pair.working_angle) * outward
                cosine = math.cos(pair.working_angle) * across
                directions = sign * (sine + cosine), sign * (sine - cosine)
                yield line_of_action(mesh, CARRIER, radius * outward, *directions)

    def ideal_pose(self, input_angle: float) -> Pose:
        """Of a vibrating ring the rows of its modes follow."""
        if self.spec.motion == "spatial":
            return spatial_pose(self.layout, self.spec.operation.input, input_angle)
        pose, modes = self.layout.pose(self.spec.operation.input, input_angle), self.ring_modes
        return pose if modes is None else np.vstack((pose, modes.at_rest(pose[RING])))

    def assemble(self, drive: Drive) -> Assembly:
        operation, pose = self.spec.operation, self.ideal_pose(0.0)
        builder: ModelBuilder | SpatialBuilder = ModelBuilder(self.spec.carrier_radius)
        model: GearboxModel = GearboxModel(self, builder)
        if isinstance(pose, SpatialPose):
            builder = SpatialBuilder(self.spec.carrier_radius)
            model = SpatialGearboxModel(self, builder)
        model.add_bodies()
        model.add_supports()
        shafts = model.shafts(drive, self._shaft_bodies)
        soft = len(builder.parts)
        meshes = model.add_meshes()
        builder.parts = [*builder.parts[soft:], *builder.parts[:soft]]  # meshes are named first
        return Assembly.of(builder, pose, shafts, operation.input, operation.output, meshes)

    @property
    def _shaft_bodies(self) -> dict[str, int]:
        """The central members that are not held rigidly, and their bodies."""
        held = self.spec.operation.held if self.spec.held.stiffness is None else None
        return {name: self.layout.body_of(name) for name in MEMBERS if name != held}

    def tilts(self, assembly: Assembly, trajectory: AnyTrajectory) -> Tilts | None:
        if not isinstance(trajectory, SpatialTrajectory):
            return None
        return read_tilts(self.layout, assembly.body_names[1:], trajectory)

    def mode_families(self, weighed: Floats, pose: Floats) -> Sequence[str]:
        """Rotational, translational or planet modes; none with uneven planets, or in space."""
        if not self.spec.evenly_spaced or self.spec.planets.count < 2:
            return []
        if self.spec.motion == "spatial":
            return []
        harmonics = () if self.ring_modes is None else self.ring_modes.harmonic
        return family_names(weighed, pose, self.spec.planets.count, harmonics)

    @property
    def mesh_rows(self) -> dict[str, range]:
        """Rows of Assembly.meshes: those of the sun come first."""
        count = self.spec.planets.count
        of_sun = 1 if self.only_first_drives else count
        return {"sun": range(of_sun), "ring": range(of_sun, of_sun + count)}

    @property
    def mesh_count(self) -> int:
        return sum(map(len, self.mesh_rows.values()))

    @property
    def planet_count(self) -> int:
        return self.spec.planets.count

    @property
    def planet_mesh_order(self) -> float:
        return self.orders["mesh"]

    def planet_loads(self, assembly: Assembly, trajectory: AnyTrajectory) -> PlanetLoads:
        """Loaded flanks of sun and ring are opposite. A planet that does not mesh with the sun
        carries nothing there."""
        rows = self.mesh_rows

        def by_planet(forces: Floats) -> tuple[Floats, Floats]:
            sun, ring = forces[:, list(rows["sun"])], -forces[:, list(rows["ring"])]
            return np.pad(sun, ((0, 0), (0, len(rows["ring"]) - len(rows["sun"])))), ring

        normal = by_planet(net_forces(assembly, trajectory))
        pin = np.sum(by_planet(tangential_forces(assembly, trajectory)), axis=0)
        sign = np.sign(pin.sum()) or 1.0
        return PlanetLoads(sign * normal[0], sign * pin, sign * normal[1])

    def excited_family(self, harmonic: int) -> str:
        if not self.spec.evenly_spaced:
            return ""
        return excited_modes(self.kinematics.teeth, self.spec.planets.count, harmonic) or ""

    def mesh_phases(self) -> MeshPhases:
        """Of the loaded flanks, the input turning in its positive sense.

        Contact runs along the path as the sun turns towards its loaded flank, and against that
        where the sun is driven. Up to whole pitches, and with the sign of the sun's turning against
        the carrier, the phases are -z_s ψ_n/2π at the sun and z_r ψ_n/2π at the ring.
        """
        gears, flank = self.layout.gears, self.sun_flank
        angles = self.kinematics.angles(self.spec.operation.input, 1.0)
        sense = flank if angles.sun > angles.carrier else -flank
        positions = [gears.mesh_positions(n, 0.0, flank) for n in range(gears.planets)]
        sun, ring = sense * np.array(positions).T
        return MeshPhases(
            np.array(gears.directions),
            pitches(sun - sun[0]),
            pitches(ring - ring[0]),
            float(pitches(ring[0] - sun[0])),
        )


def _blocks(names: Names) -> str:
    """Those of the spec that two gears have, whose pair is named as in sentences."""
    return ", ".join("planets" if name == "planet" else name for name in names)
