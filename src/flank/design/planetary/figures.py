"""Figures of a planetary gearbox."""

from __future__ import annotations

import math
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from flank.design.figure import figure
from flank.design.gears.figures import torsion, with_gears, with_meshes
from flank.design.gears.mesh import Mesh, misalignment_of
from flank.design.gears.strength_figures import GearFigures
from flank.design.kept import kept
from flank.design.loads import AS_DRAWN
from flank.design.reducer import ReducerFigures
from flank.dynamics.functions import constant
from flank.dynamics.run import solve_statics
from flank.machines.base import Drive

if TYPE_CHECKING:
    from flank.geometry.gear_pair import GearPair
    from flank.machines.meshed_pair import MeshedPair
    from flank.machines.planetary.gearbox import PlanetaryGearbox

TABLED_SHARING = {1: 1.0, 2: 1.1, 3: 1.1, 4: 1.25, 5: 1.35, 6: 1.44, 7: 1.47}
"""K_γ by number of planets (IEC 61400-4 from three on), where no static solve tells it."""

HEAT_TRANSFER = 15.0
"""W/(m² K) of a housing in still air and its own draught (Niemann and Winter, Maschinenelemente
II)."""

UNREAD: dict[str, Any] = {
    "title": True,
    "rating": True,
    "peak_torque": True,
    "operation": {"input_speed", "torque"},
}
"""Of the spec, by the static solve that tells how planets share their load."""

WHEELS = ("sun", "planets", "ring")


@with_meshes({"sun_mesh": "sun/planet", "ring_mesh": "planet/ring"})
@with_gears(
    {
        "sun": (("sun_mesh", 0),),
        "planet": (("sun_mesh", 1), ("ring_mesh", 0)),
        "ring": (("ring_mesh", 1),),
    }
)
class PlanetaryFigures(GearFigures, ReducerFigures):
    """Of a `PlanetaryGearbox`."""

    machine: PlanetaryGearbox
    blocks = WHEELS

    def present(self, key: str) -> Any:
        spec = self.machine.spec
        tips = {"sun": spec.sun_gear, "planets": spec.planet_gear, "ring": spec.ring_gear}
        name, _, rest = key.partition(".")
        if name in tips and rest == "tip_radius":
            return tips[name].tip_radius
        if key == "rating.misalignment":
            return self._misalignment(self.sun_mesh.pair)
        if key == "rating.face_load_factor":
            return None if self.sun_mesh.rating is None else self.sun_mesh.rating.face_factor
        if name == "tolerances":
            return spec.tolerance(rest)
        return super().present(key)

    def _misalignment(self, pair: GearPair) -> float:
        return misalignment_of(pair, self.machine.spec.rating, ())

    @cached_property
    def _turns(self) -> Any:
        operation = self.machine.spec.operation
        return self.machine.kinematics.angles(operation.input, operation.input_speed)

    @cached_property
    def sun_mesh(self) -> Mesh:
        """Sun and planet as designed; a tooth of the sun meets every planet in a turn."""
        spec, masses = self.machine.spec, self.machine.masses
        pair = self.machine.layout.gears.sun_planet
        count = spec.planets.count
        sun = masses.sun[1] / pair.first.base_radius**2
        planet = masses.planet[1] / pair.second.base_radius**2
        reduced = sun * planet / (count * planet + sun)
        speed = self._turns.sun - self._turns.carrier
        return self._mesh(
            self.machine.sun_pair(0), pair, reduced, speed, (count, 1), (False, True), "sun"
        )

    @cached_property
    def ring_mesh(self) -> Mesh:
        """Planet and ring; the ring swings along unless it is held."""
        spec, masses = self.machine.spec, self.machine.masses
        pair, count = self.machine.layout.gears.planet_ring, spec.planets.count
        planet = masses.planet[1] / pair.first.base_radius**2
        ring = masses.ring[1] / pair.second.base_radius**2
        held = spec.operation.held == "ring" and spec.held.stiffness is None
        reduced = planet if held else planet * ring / (count * planet + ring)
        speed = self._turns.planet - self._turns.carrier
        return self._mesh(
            self.machine.ring_pair(0), pair, reduced, speed, (1, count), (True, False), "ring"
        )

    def _mesh(
        self,
        meshed: MeshedPair,
        pair: GearPair,
        reduced: float,
        speed: float,
        passes: tuple[int, int],
        reverses: tuple[bool, bool],
        mate: str,
    ) -> Mesh:
        spec = self.machine.spec
        thick = spec.tolerance(f"{mate}_thickness") + spec.tolerance("planet_thickness")
        places = (f"{mate}_eccentricity", "planet_eccentricity", "pin_radial")
        stack = math.cos(pair.working_angle) * thick
        stack += 2 * math.sin(pair.working_angle) * sum(map(spec.tolerance, places))
        names = ("planets", "ring") if mate == "ring" else ("sun", "planets")
        rims = self._rim(names[0]), self._rim(names[1])
        force = self.machine.tooth_load * pair.first.base_radius / pair.first.reference_radius
        load = force, speed, passes, self.sharing_factor
        misalignment = self._misalignment(pair)
        rating = self.rating_of(pair, meshed, names, misalignment, load, reduced, rims, reverses)
        peak = spec.largest_torque / spec.rated_torque
        return Mesh(pair, meshed.materials, rating, peak, stack, rims, spec.rating, speed)

    def _rim(self, name: str) -> float | None:
        spec = self.machine.spec
        if name == "ring":
            outer = spec.ring.outer_radius
            return None if outer is None else outer - spec.ring_gear.root_radius
        bore = getattr(spec, name).bore_radius
        gear = spec.sun_gear if name == "sun" else spec.planet_gear
        return None if bore is None else gear.root_radius - bore

    @cached_property
    def _largest_share(self) -> float:
        """Of a planet at the rated torque with the first pin displaced by its tolerance, over the
        mean; nan where the model has no answer."""
        if self.machine.extra:
            return self._solved_share()
        return kept("share", self.machine.spec, UNREAD, self._solved_share)

    def _solved_share(self) -> float:
        machine, spec = self.machine, self.machine.spec
        if spec.planets.count < 2 or spec.redundant:
            return math.nan
        shifted = machine.with_error("pin_tangential.1", spec.tolerance("pin_tangential"))
        load = -math.copysign(machine.rated_torque, machine.ratio)
        assembly = shifted.assemble(Drive.of_ends(constant(0.0), constant(load))).frictionless()
        pose: Any = shifted.ideal_pose(0.0)
        path = solve_statics(assembly.model, pose, np.zeros(1), settings=AS_DRAWN)
        if not path.complete:
            return math.nan
        forces = np.abs(shifted.planet_loads(assembly, path).sun[0])
        return float(forces.max() / forces.mean()) if forces.any() else math.nan

    @figure("load of the most loaded planet over the mean, K_γ", group="Strength")
    def sharing_factor(self) -> float:
        """As given, from a static solve with one pin displaced by its tolerance, or by number."""
        spec = self.machine.spec
        if spec.rating.sharing_factor is not None:
            return spec.rating.sharing_factor
        share = self._largest_share
        if math.isnan(share):
            return TABLED_SHARING.get(spec.planets.count, 1.5)
        return max(share, 1.0)

    @figure("planets", group="Ratio")
    def planets(self) -> float:
        return self.machine.spec.planets.count

    @figure("carrier radius", "m", "mm")
    def carrier_radius(self) -> float:
        return self.machine.spec.carrier_radius

    @figure("gap between tips of neighbouring planets", "m", "mm", "Walls")
    def planet_gap(self) -> float | None:
        spec = self.machine.spec
        if spec.planets.count < 2:
            return None
        angles = sorted(angle % (2 * math.pi) for angle in spec.planet_angles)
        steps = [after - before for before, after in pairwise(angles)]
        steps.append(angles[0] + 2 * math.pi - angles[-1])
        apart = 2 * spec.carrier_radius * math.sin(0.5 * min(min(steps), math.pi))
        return apart - 2 * spec.planet_gear.tip_radius

    @figure("gap between tips of neighbouring planets in modules", group="")
    def planet_gap_in_modules(self) -> float | None:
        gap = self.value("planet_gap")
        return None if gap is None else gap / self.machine.spec.rack.normal_module

    @figure("planets that mesh at the same instant", group="Vibration")
    def in_step(self) -> float | None:
        """The common factor of the sun's teeth and their number."""
        spec = self.machine.spec
        if not spec.evenly_spaced or spec.planets.count < 2:
            return None
        return math.gcd(spec.sun.teeth, spec.planets.count)

    @figure("share of planets that mesh at the same instant", group="")
    def in_step_share(self) -> float | None:
        step = self.value("in_step")
        return None if step is None else step / self.machine.spec.planets.count

    @figure("centre distances without backlash, apart by", "m", "um", "Profile")
    def distance_mismatch(self) -> float:
        """Of both meshes."""
        sun, ring = self.sun_mesh.pair, self.ring_mesh.pair
        return abs(sun.tight_centre_distance - ring.tight_centre_distance)

    @figure("centre distances without backlash, apart in modules", group="")
    def mismatch_in_modules(self) -> float:
        return self.distance_mismatch / self.machine.spec.rack.normal_module

    @figure("speed of planets on their pins", "rad/s", "rpm", "Ratio")
    def planet_speed(self) -> float:
        return float(abs(self._turns.planet - self._turns.carrier))

    @figure("load of a pin", "N", "kN", "At rated torque")
    def pin_load(self) -> float:
        """Tangential, of the most loaded planet."""
        machine, count = self.machine, self.machine.spec.planets.count
        output = machine.spec.operation.output
        carrier = machine.kinematics.torques(output, machine.rated_torque)["carrier"]
        return abs(carrier) * self.sharing_factor / (count * machine.spec.carrier_radius)

    @figure("centrifugal force of a planet over that load", group="At rated torque")
    def centrifugal_share(self) -> float:
        machine = self.machine
        force = machine.masses.planet[0] * machine.spec.carrier_radius * self._turns.carrier**2
        return float(force / self.pin_load)

    @figure("bending stress of a pin of 0.6 bores", "Pa", "MPa", "At peak torque")
    def pin_stress(self) -> float | None:
        """Held at both ends, loaded evenly over the face, with bearings in the rest of the bore:
        σ = F b/8 / (π d³/32)."""
        spec = self.machine.spec
        if spec.planets.bore_radius is None:
            return None
        force = self.pin_load * spec.largest_torque / spec.rated_torque
        diameter = 1.2 * spec.planets.bore_radius
        return float(force * spec.planets.face_width / 8 / (math.pi * diameter**3 / 32))

    @figure("shear stress of the sun below its teeth", "Pa", "MPa", "At peak torque")
    def sun_stress(self) -> float:
        machine, spec = self.machine, self.machine.spec
        torque = machine.kinematics.torques(spec.operation.output, spec.largest_torque)["sun"]
        return torsion(torque, spec.sun_gear.root_radius, spec.sun.bore_radius or 0.0)

    @figure("efficiency of the teeth, friction 0.05", group="Losses")
    def efficiency(self) -> float | None:
        """Both meshes lose of the power that rolls in them, that of the sun against the carrier."""
        spec = self.machine.spec
        power = self.machine.rated_torque * abs(spec.operation.input_speed / self.machine.ratio)
        return 1 - self.loss / power if power else None

    @figure("loss of the teeth", "W", "W", "Losses")
    def loss(self) -> float:
        machine = self.machine
        torque = machine.kinematics.torques(machine.spec.operation.output, machine.rated_torque)
        rolling = abs(torque["sun"] * (self._turns.sun - self._turns.carrier))
        return float(rolling * (2 - self.sun_mesh.efficiency - self.ring_mesh.efficiency))

    @figure("temperature rise of the ring's outside in still air", "K", "K", "Losses")
    def temperature_rise(self) -> float:
        """The teeth's loss over a drum as large as the ring, half as long again as its face."""
        spec = self.machine.spec
        radius, length = spec.ring_outer_radius, 1.5 * spec.ring.face_width
        return self.loss / (HEAT_TRANSFER * 2 * math.pi * radius * (radius + length))

    @figure("members that give way sideways", group="")
    def centring(self) -> float | None:
        """Of sun, ring, carrier and planets, where there are three planets or more."""
        spec = self.machine.spec
        if spec.planets.count < 3:
            return None
        members = (spec.sun, spec.ring, spec.carrier, spec.planets)
        return sum(member.support.kind != "rigid" for member in members)

    @figure("mass", "kg", "kg", "Masses")
    def mass(self) -> float:
        masses = self.machine.masses
        others = masses.sun[0] + masses.ring[0] + masses.carrier[0]
        return others + self.machine.spec.planets.count * masses.planet[0]
