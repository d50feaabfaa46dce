"""The gear pair: two gears in a plane, each on a shaft that may be elastic to its outer end.

The pinion has the mesh in the direction of x. With an external wheel it stands at -a/2 and the
wheel at a/2; an internal wheel stands in the origin. At angle zero a tooth of the pinion points to
the mesh, in the middle of a space of the wheel. Centres are held rigidly or by bearings.

Turning against each other, the gears are one mass on the mesh, m_e = 1/(r_b1²/J_1 + r_b2²/J_2),
whose motion x along the line of action a share ζ of critical damping brakes by c = 2 ζ √(k m_e).
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from flank.arrays import Floats
from flank.contact.flexible_gear import GearModes
from flank.contact.gear_loading import FlankDeviations
from flank.contact.tooth_pair import GearPlace
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.tables import GROUND
from flank.geometry.findings import Finding, warning
from flank.geometry.gear import Gear
from flank.geometry.pair_checks import check_backlash, check_gears
from flank.machines.base import Assembly, DataTable, Derived, Drive, MeshPlace
from flank.machines.gear_bodies import check_bodies
from flank.machines.gear_data import gear_table, mesh_table
from flank.machines.gear_pair.spec import GEARS, GearPairSpec, PairGearSpec, ShaftSpec
from flank.machines.gear_spec import MeshSpec
from flank.machines.machine import RatedMachine
from flank.machines.meshed_pair import MeshedPair, body_modes, check_mesh, thicker
from flank.machines.meshes import add_mesh
from flank.machines.orders import TEETH, Orders
from flank.machines.outlines import (
    Outline,
    circle,
    gear_outlines,
    line_of_action,
    ring_outlines,
)
from flank.machines.plates import Plate, gear_plate, ring_plate
from flank.machines.round_parts import MassInertia, Point, polar
from flank.texts import mm

if TYPE_CHECKING:
    from flank.dynamics.rolling_mesh import RollingPair
    from flank.machines.gear_pair.rolling import Places

PINION, WHEEL = 1, 2
"""Body numbers; the outer ends of elastic shafts follow."""

END_MASS = 1.0
"""kg, of a shaft's outer end, which only turns."""


@dataclass(frozen=True, repr=False)
class GearPairMachine(RatedMachine):
    """A checked spec, made into models on demand; `extra` errors come on top of the spec's."""

    spec: GearPairSpec

    @property
    def ratio(self) -> float:
        return self.spec.pair.signed_ratio

    @property
    def output_inertia(self) -> float:
        """Of the body that the load is on: with a soft mesh the input locks nothing else."""
        shaft = self.spec.output_shaft
        return self.masses[1][1] if shaft.stiffness is None else (shaft.inertia or 0.0)

    @property
    def orders(self) -> Orders:
        teeth = self.spec.pinion.teeth
        return Orders(
            {"output": abs(1 / self.ratio), "input": 1.0, "mesh": float(teeth)}, {"mesh": TEETH}
        )

    @property
    def mesh_count(self) -> int:
        return 1

    @cached_property
    def masses(self) -> tuple[MassInertia, MassInertia]:
        """(kg, kg·m²) of both gears, with all that turns rigidly with them."""
        spec = self.spec
        wheels = (spec.pinion, spec.wheel)
        gears, shafts = (spec.pinion_gear, spec.wheel_gear), (spec.input_shaft, spec.output_shaft)
        each = zip(wheels, gears, shafts, self.modes, strict=True)
        first, second = (self._mass(*parts) for parts in each)
        return first, second

    @property
    def mesh_mass(self) -> float:
        """m_e in kg: of both gears turning against each other, along the line of action."""
        radii = self.meshed.base_radii
        return 1 / sum(
            radius**2 / inertia for radius, (_, inertia) in zip(radii, self.masses, strict=True)
        )

    @property
    def flank(self) -> int:
        """The flank of the pinion that carries the load of the operating point."""
        return 1 if self.spec.operation.torque >= 0 else -1

    @cached_property
    def meshed(self) -> MeshedPair:
        """Both gears, their errors of thickness included, at the rated torque."""
        spec = self.spec
        first, second = (float(self.errors[f"{name}_thickness"]) for name in GEARS)
        materials = spec.elastic(spec.pinion.material), spec.elastic(spec.wheel.material)
        load = spec.rated_torque / spec.pair.second.base_radius
        bodies = (
            spec.pinion.body.elements(spec.pinion_gear, spec.face_width),
            spec.wheel.body.elements(spec.wheel_gear, spec.face_width),
        )
        return MeshedPair(
            thicker(spec.pair, first, second),
            materials,
            spec.mesh,
            load,
            bodies,
            misalignment=float(self.errors["misalignment"]),
            deviations=(self._deviations("pinion"), self._deviations("wheel")),
        )

    def _deviations(self, name: str) -> FlankDeviations:
        wheel: PairGearSpec = getattr(self.spec, name)
        pitch, slopes = wheel.pitch_deviations or (0.0,), wheel.profile_slopes or (0.0,)
        return FlankDeviations(
            lead_slope=float(self.errors[f"{name}_lead_slope"]),
            pitch=np.array(pitch),
            profile=np.array([(0.0, slope) for slope in slopes]),
            eccentricity=float(self.errors[f"{name}_eccentricity"]),
            direction=float(self.errors[f"{name}_eccentricity_direction"]),
        )

    @cached_property
    def modes(self) -> tuple[GearModes | None, GearModes | None]:
        """Of gears whose bodies vibrate."""
        first, second = (
            body_modes(name, getattr(self.spec, name), self.meshed, bool(number))
            for number, name in enumerate(GEARS)
        )
        return first, second

    @cached_property
    def damped(self) -> MeshSpec:
        """How the teeth are modelled, a damping ratio as a damping along the line of action."""
        spec = self.spec
        if not spec.damping_ratio:
            return spec.mesh
        stiffness = spec.mesh.stiffness or self.meshed.mean_stiffness
        damping = 2 * spec.damping_ratio * math.sqrt(stiffness * self.mesh_mass)
        return spec.mesh.model_copy(update={"damping": damping})

    def gear_data(self) -> list[DataTable]:
        spec = self.spec
        gears = {"pinion": spec.pinion_gear, "wheel": spec.wheel_gear}
        meshed = replace(self.meshed, pair=spec.pair)
        return [gear_table("Gears", gears), mesh_table("Mesh", {"pinion/wheel": meshed})]

    derived_heading: ClassVar[str] = "From the dimensions, with all that turns along:"

    def derived(self) -> list[Derived]:
        """Inertias, and the frequency at which both gears turn against each other, alone."""
        meshed, (pinion, wheel) = self.meshed, self.masses
        rows = [
            Derived("pinion.inertia, all", pinion[1], "kg*m^2", "kg*m^2"),
            Derived("wheel.inertia, all", wheel[1], "kg*m^2", "kg*m^2"),
        ]
        if self.spec.mesh.model != "rigid":
            stiffness = self.spec.mesh.stiffness or meshed.mean_stiffness
            frequency = math.sqrt(stiffness / self.mesh_mass) / (2 * math.pi)
            rows.append(Derived("torsional frequency on the mesh", frequency, "1/s", "Hz"))
            rows.append(Derived("mesh.damping", self.damped.damping, "N*s/m", "N*s/m"))
        return rows

    def keyed_findings(self) -> Iterator[tuple[str, Finding]]:
        spec = self.spec
        findings = list(
            check_gears(
                spec.pinion_gear, spec.wheel_gear, spec.centre_distance or 0.0, spec.face_width
            )
        )
        for finding in findings:
            yield "pinion, wheel", finding
        if any(finding.severity == "error" for finding in findings):
            return
        yield from self._deviating_teeth()
        for finding in check_mesh(self.meshed, GEARS):
            yield "rated_torque, pinion, wheel", finding
        bores = "pinion.body.bore_diameter", "wheel.body.bore_diameter"
        for finding in check_bodies(replace(self.meshed, pair=self.spec.pair), GEARS, bores):
            yield "pinion.body, wheel.body", finding
        yield from self._webs()
        yield from self._teeth_that_differ()

    def _deviating_teeth(self) -> Iterator[tuple[str, Finding]]:
        """Whether teeth with their errors still find room, in a mesh that knows backlash."""
        errors, form = self.errors, self.spec.mesh
        off = abs(errors["pinion_eccentricity"]) + abs(errors["wheel_eccentricity"])
        nearer = float(self.spec.pair.sign * errors["centre_distance"] - off)
        thickness = any(errors[f"{name}_thickness"] for name in GEARS)
        if form.model == "rigid" or not form.separation or not (nearer or thickness):
            return
        pair, sign = self.meshed.pair, self.spec.pair.sign
        closest = replace(pair, centre_distance=pair.centre_distance + sign * nearer)
        for finding in check_backlash(closest, GEARS):
            yield "errors", finding

    def _teeth_that_differ(self) -> Iterator[tuple[str, Finding]]:
        """That models of the mesh in the engine know teeth that are all alike."""
        for name in GEARS:
            gear: PairGearSpec = getattr(self.spec, name)
            if largest := max(map(abs, (*gear.pitch_deviations, *gear.profile_slopes)), default=0):
                yield (
                    f"{name}.pitch_deviations, {name}.profile_slopes",
                    warning(
                        "teeth-taken-as-alike",
                        (largest, 0.0, "m"),
                        f"deviations of single teeth of the {name} count in mesh-stiffness and "
                        "where gears roll; in all other analyses teeth are alike",
                        "give its run-out as an eccentricity to have that in all of them",
                    ),
                )

    def _webs(self) -> Iterator[tuple[str, Finding]]:
        """That all elastic models of the mesh but finite elements know no thin webs."""
        if self.spec.mesh.model in ("rigid", "spring", "curve", "fe"):
            return
        for name in GEARS:
            wheel: PairGearSpec = getattr(self.spec, name)
            web = wheel.body.web_thickness
            if web is not None and web < wheel.face_width:
                yield (
                    f"{name}.body.web_thickness",
                    warning(
                        "web-taken-as-solid",
                        (web, wheel.face_width, "m"),
                        f"the web of the {name} is {mm(web)} thick; its mass is that of the web, "
                        f"but the mesh model '{self.spec.mesh.model}' bends it as if it had the "
                        f"face width of {mm(wheel.face_width)}",
                        "use the mesh model 'fe', or take its teeth as a lower bound of what they "
                        "give way",
                    ),
                )

    def _mass(
        self, wheel: PairGearSpec, gear: Gear, shaft: ShaftSpec, modes: GearModes | None
    ) -> MassInertia:
        density = self.spec.material(wheel.material).density
        mass, inertia = wheel.given(wheel.body.drawn(gear, wheel.face_width, density))
        if modes is not None:
            mass, inertia = modes.mass_of(wheel.face_width / self.spec.face_width)
        rigid_end = shaft.inertia or 0.0 if shaft.stiffness is None else 0.0
        return mass, inertia + wheel.added_inertia + rigid_end

    @property
    def _centres(self) -> tuple[Point, Point]:
        """Of both axes, with the error of their distance."""
        pair = self.spec.pair
        distance = pair.centre_distance + float(self.errors["centre_distance"])
        if pair.sign > 0:
            return (-0.5 * distance, 0.0), (0.5 * distance, 0.0)
        return (distance, 0.0), (0.0, 0.0)

    @property
    def _wheel_tooth(self) -> float:
        """Direction of a tooth on the wheel's body: half a pitch from the mesh."""
        pair = self.spec.pair
        towards_mesh = math.pi if pair.sign > 0 else 0.0
        return towards_mesh + math.pi / pair.second.teeth

    def _gear_centre(self, name: str) -> Point:
        """Of a gear's teeth on its body."""
        size = self.errors[f"{name}_eccentricity"]
        return polar(float(size), float(self.errors[f"{name}_eccentricity_direction"]))

    def ideal_pose(self, input_angle: float) -> Floats:
        """Ground, both gears, rows of their modes, then outer ends of elastic shafts."""
        pinion, wheel = self._centres
        of_pinion, of_wheel = (*pinion, input_angle), (*wheel, input_angle / self.ratio)
        rows = [(0.0, 0.0, 0.0), of_pinion, of_wheel]
        for modes, row in zip(self.modes, (of_pinion, of_wheel), strict=True):
            rows += [] if modes is None else modes.at_rest(row).tolist()
        if self.spec.input_shaft.stiffness is not None:
            rows.append(of_pinion)
        if self.spec.output_shaft.stiffness is not None:
            rows.append(of_wheel)
        return np.array(rows)

    def assemble(self, drive: Drive) -> Assembly:
        builder = ModelBuilder(self.spec.pair.centre_distance)
        for name, mass, row in zip(GEARS, self.masses, self.ideal_pose(0.0)[PINION:], strict=False):
            builder.body(name, *mass, pose=tuple(row))
        modal_rows = self._add_modes(builder)
        with builder.part("mesh", "mesh", self._contact_sizes, self.meshed.pressure):
            mesh = self._add_mesh(builder, modal_rows)
        for name, body, at in zip(GEARS, (PINION, WHEEL), self._centres, strict=True):
            with builder.part(f"{name}_bearing", f"bearing of the {name}"):
                getattr(self.spec, name).support.add_to(builder, GROUND, body, at)
        bodies = {"pinion": PINION, "wheel": WHEEL}
        driver = self._add_shaft(builder, bodies, "input")
        driven = self._add_shaft(builder, bodies, "output")
        shafts = drive.turn(builder, bodies, driver, driven)
        return Assembly.of(builder, builder.pose(), shafts, driver, driven, [mesh])

    @property
    def _contact_sizes(self) -> dict[str, int]:
        """Explicit contacts by flank, slice across the face, and pair of teeth."""
        return {"flank_index": 2, "slice": len(self.meshed.slices()), "tooth_pair": -1}

    def _add_modes(self, builder: ModelBuilder) -> list[int]:
        """The first row of either gear's modes, zero of a rigid body."""
        rows = [0, 0]
        for number, (name, modes) in enumerate(zip(GEARS, self.modes, strict=True)):
            if modes is not None:
                with builder.part(f"{name}_body", f"body of the {name}"):
                    rows[number] = builder.gear_modes(name, (PINION, WHEEL)[number], modes)
        return rows

    def _add_mesh(self, builder: ModelBuilder, modal_rows: list[int]) -> MeshPlace:
        pinion = GearPlace(PINION, 0.0, self._gear_centre("pinion"), modal_rows[0])
        wheel = GearPlace(WHEEL, self._wheel_tooth, self._gear_centre("wheel"), modal_rows[1])
        meshed = replace(self.meshed, form=self.damped, modes=self.modes)
        return add_mesh(builder, "pinion/wheel", meshed, pinion, wheel, self.flank)

    def _add_shaft(self, builder: ModelBuilder, bodies: dict[str, int], end: str) -> str:
        """An elastic shaft and the body at its outer end; returns who is turned from outside."""
        shaft: ShaftSpec = getattr(self.spec, f"{end}_shaft")
        name = GEARS[end == "output"]
        if shaft.stiffness is None or shaft.inertia is None:
            return name
        gear, centre = bodies[name], self._centres[end == "output"]
        body = builder.body(end, END_MASS, shaft.inertia, pose=(*centre, 0.0))
        builder.revolute(GROUND, body, centre)
        with builder.part(f"{end}_shaft", f"{end} shaft"):
            builder.torsion_spring(gear, body, shaft.stiffness, shaft.damping)
        bodies[end] = body
        return end

    def tooth_pairs(self) -> dict[str, MeshedPair]:
        return {"pinion/wheel": self.meshed}

    @property
    def has_flexible_bodies(self) -> bool:
        return self.spec.pinion.flexible or self.spec.wheel.flexible

    @property
    def driven_inertia(self) -> float:
        shaft = self.spec.output_shaft
        return self.masses[1][1] + (shaft.inertia or 0.0 if shaft.stiffness is not None else 0.0)

    @property
    def output_base_radius(self) -> float:
        return self.spec.pair.second.base_radius

    def rolling_pair(
        self,
        places: "Places",
        strips: int | None,
        modes: int,
        damping: float | None,
        rotating_frame: bool = False,
    ) -> "RollingPair":
        from flank.machines.gear_pair.rolling import rolling_pair

        return rolling_pair(self, places, strips, modes, damping, rotating_frame)

    def outlines(self) -> list[Outline]:
        """Both gears with the circles of their bodies, and the line of action."""
        spec, pair = self.spec, self.spec.pair
        pinion = gear_outlines("pinion", PINION, pair.first, bore=spec.pinion.body.bore)
        if pair.sign > 0:
            tooth, bore = self._wheel_tooth, spec.wheel.body.bore
            wheel = gear_outlines("wheel", WHEEL, pair.second, tooth, bore)
        else:
            outer = spec.wheel.body.outer_radius(pair.second)
            wheel = ring_outlines("wheel", WHEEL, pair.second, self._wheel_tooth, outer, "body")
        circles = [
            Outline(name, body, circle(radius), "pitch circle")
            for name, body, gear in (("pinion", PINION, pair.first), ("wheel", WHEEL, pair.second))
            for radius in getattr(spec, name).body.edges(gear)
        ]
        return [*wheel, *pinion, *circles, self._line_of_action()]

    def plates(self) -> list[Plate]:
        """Both gears, their faces even at the middle of the teeth; hubs and webs are not drawn."""
        spec, pair = self.spec, self.spec.pair
        hand, width = pair.first.helix_angle, spec.pinion.face_width
        bore, bottom = spec.pinion.body.bore, -0.5 * width
        begins, mate_begins = pair.path[0], pair.second_roll(pair.path[1])
        pinion = gear_plate("pinion", PINION, pair.first, bottom, width, 0.0, bore, hand, begins)
        width, tooth = spec.wheel.face_width, self._wheel_tooth
        bottom = -0.5 * width
        if pair.sign < 0:
            outer, args = spec.wheel.body.outer_radius(pair.second), (bottom, width, tooth)
            ring = ring_plate("wheel", WHEEL, pair.second, *args, outer, hand, mate_begins)
            return [pinion, ring]
        bore = spec.wheel.body.bore
        args = (bottom, width, tooth)
        return [pinion, gear_plate("wheel", WHEEL, pair.second, *args, bore, -hand, mate_begins)]

    def _line_of_action(self) -> Outline:
        """In space: the pinion pushes the wheel along sin α x + s cos α y."""
        pair = self.spec.pair
        sine, cosine = math.sin(pair.working_angle), math.cos(pair.working_angle)
        pitch_point = np.array([self._centres[0][0] + pair.working_radii[0], 0.0])
        directions = np.array([sine, cosine]), np.array([sine, -cosine])
        return line_of_action("pinion/wheel", GROUND, pitch_point, *directions)
