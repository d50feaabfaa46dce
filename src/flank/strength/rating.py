"""A pair of involute gears rated by ISO 6336: stresses, strengths, safety factors, and every factor
between.

Factors that are known better can be given: a dynamic factor of a simulation, a face factor of a
contact solved for across the face, the load share of the most loaded planet. What is given replaces
the norm's method B.
"""

import math
from dataclasses import dataclass
from functools import cached_property

from flank.elasticity.iso_6336 import mean_stiffness, single_stiffness
from flank.elasticity.material import Material
from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair
from flank.strength import flank_pressure, load_factors, tooth_root
from flank.strength.flank_pressure import transverse_contact_ratio
from flank.strength.load_factors import Deviations
from flank.strength.materials import GearStrength
from flank.strength.tooth_root import RootLoad

REVERSED = 0.7
"""Root strength under full reversal over that of test gears, which pulsate: idlers and planets (ISO
6336-5)."""


@dataclass(frozen=True)
class Duty:
    """What a mesh carries: `force` F_t in N at the reference circles, `speed` of the first gear
    against what holds its axis in rad/s, `cycles` of a tooth of either gear; factors K_A and K_γ
    beyond that."""

    force: float
    speed: float
    cycles: tuple[float, float]
    application: float = 1.0
    sharing: float = 1.0


@dataclass(frozen=True)
class Making:
    """How gears are made and run: grade of ISO 1328-1, Rz of flanks and fillets in m, ν_40 of the
    oil in m²/s, `misalignment` F_βx across the face width in m before running-in."""

    grade: int = 6
    flank_roughness: float = 4e-6
    root_roughness: float = 10e-6
    viscosity: float = 220e-6
    misalignment: float = 0.0


@dataclass(frozen=True)
class Known:
    """Factors known better than by method B; None for those that are not."""

    dynamic: float | None = None
    face: float | None = None
    transverse: float | None = None


@dataclass(frozen=True)
class Rating:
    """A pair under a duty. `rims` are the thicknesses behind the roots in m, None of solid gears;
    `reversed_load` tells whose teeth bend both ways; `reduced_mass` in kg is that of both gears
    along the line of action."""

    pair: GearPair
    materials: tuple[Material, Material]
    strengths: tuple[GearStrength, GearStrength]
    duty: Duty
    making: Making
    reduced_mass: float
    rims: tuple[float | None, float | None] = (None, None)
    reversed_load: tuple[bool, bool] = (False, False)
    known: Known = Known()

    @property
    def gears(self) -> tuple[Gear, Gear]:
        return self.pair.first, self.pair.second

    @property
    def speed(self) -> float:
        """Of the pitch line, in m/s."""
        return abs(self.duty.speed) * self.pair.first.reference_radius

    @property
    def line_load(self) -> float:
        """w = F_t K_A K_γ/b in N/m."""
        return self.duty.force * self.duty.application * self.duty.sharing / self.pair.face_width

    @cached_property
    def single_stiffness(self) -> float:
        """c' in N/m², softer under light load."""
        return load_factors.softened(single_stiffness(self.pair, self.materials), self.line_load)

    @cached_property
    def mean_stiffness(self) -> float:
        """c_γα in N/m²."""
        return load_factors.softened(mean_stiffness(self.pair, self.materials), self.line_load)

    @cached_property
    def deviations(self) -> Deviations:
        return load_factors.effective_deviations(self.pair, self.strengths, self.making.grade)

    @cached_property
    def resonance(self) -> float:
        """N."""
        pair = self.pair
        stiffness, width = self.mean_stiffness, pair.face_width
        rolling = pair.first.teeth, self.duty.speed
        return load_factors.resonance_ratio(*rolling, stiffness, width, self.reduced_mass)

    @cached_property
    def dynamic_factor(self) -> float:
        """K_V."""
        if self.known.dynamic is not None:
            return self.known.dynamic
        total = transverse_contact_ratio(self.pair) + self.pair.overlap_ratio
        loads = self.line_load, self.single_stiffness
        return load_factors.dynamic_factor(self.resonance, *loads, total, self.deviations)

    @cached_property
    def face_factor(self) -> float:
        """K_Hβ."""
        if self.known.face is not None:
            return self.known.face
        given = self.making.misalignment
        taken = sum(load_factors.running_in_across(one, given) for one in self.strengths)
        stiffness = load_factors.ACROSS * self.mean_stiffness
        line_load = self.line_load * self.dynamic_factor
        return load_factors.face_factor(given - 0.5 * taken, line_load, stiffness)

    @cached_property
    def root_face_factor(self) -> float:
        """K_Fβ."""
        return load_factors.root_face_factor(self.pair, self.face_factor)

    @cached_property
    def transverse_factors(self) -> tuple[float, float]:
        """K_Hα and K_Fα."""
        if self.known.transverse is not None:
            return self.known.transverse, self.known.transverse
        line_load = self.line_load * self.dynamic_factor * self.face_factor
        given = self.mean_stiffness, self.deviations.pitch, line_load
        return load_factors.transverse_factors(self.pair, *given)

    @property
    def nominal_pressure(self) -> float:
        """σ_H0 in Pa."""
        return flank_pressure.nominal_pressure(self.pair, self.materials, self.duty.force)

    @cached_property
    def single_contact_factors(self) -> tuple[float, float]:
        """Z_B and Z_D."""
        return flank_pressure.single_contact_factors(self.pair)

    @cached_property
    def flank_pressures(self) -> tuple[float, float]:
        """σ_H of both gears in Pa."""
        load = self.duty.application * self.duty.sharing * self.dynamic_factor
        load *= self.face_factor * self.transverse_factors[0]
        at_pitch = self.nominal_pressure * math.sqrt(load)
        return at_pitch * self.single_contact_factors[0], at_pitch * self.single_contact_factors[1]

    @cached_property
    def root_loads(self) -> tuple[RootLoad, RootLoad]:
        """Y_F and Y_S of both gears."""
        first, second = (tooth_root.load_of_one_pair(gear, self.pair) for gear in self.gears)
        return first, second

    @cached_property
    def root_stresses(self) -> tuple[float, float]:
        """σ_F of both gears in Pa."""
        load = self.duty.application * self.duty.sharing * self.dynamic_factor
        load *= self.root_face_factor * self.transverse_factors[1]
        first, second = (
            load
            * tooth_root.nominal_root_stress(
                gear, self.pair, self.duty.force, self.making.grade, rim
            )
            for gear, rim in zip(self.gears, self.rims, strict=True)
        )
        return first, second

    def flank_strength(self, gear: int, cycles: float | None = None) -> float:
        """σ_HG in Pa of the first or second gear, after so many cycles; those of its duty if none
        are given."""
        own, mate, making = self.strengths[gear], self.strengths[1 - gear], self.making
        relative = flank_pressure.relative_radius(self.pair)
        hardening = flank_pressure.work_hardening_factor(
            own, mate, making.flank_roughness, relative
        )
        softer = min(one.flank for one in self.strengths)
        film = flank_pressure.lubricant_factor(softer, making.viscosity)
        film *= flank_pressure.speed_factor(softer, self.speed)
        film *= flank_pressure.roughness_factor(self.pair, softer, making.flank_roughness)
        count = self.duty.cycles[gear] if cycles is None else cycles
        return own.flank * hardening * own.flank_life.factor(count, film, 1.0)

    def root_strength(self, gear: int, cycles: float | None = None) -> float:
        """σ_FG in Pa of the first or second gear."""
        own, load, making = self.strengths[gear], self.root_loads[gear], self.making
        endurance = tooth_root.notch_sensitivity(own, load.notch)
        endurance *= tooth_root.root_roughness_factor(own, making.root_roughness)
        endurance *= tooth_root.size_factor(own, self.gears[gear].normal_module)
        static = tooth_root.static_notch_sensitivity(own, load.correction)
        count = self.duty.cycles[gear] if cycles is None else cycles
        factor = own.root_life.factor(count, endurance, static)
        bends = REVERSED if self.reversed_load[gear] else 1.0
        return own.root * tooth_root.STRESS_CORRECTION * factor * bends

    @cached_property
    def flank_safeties(self) -> tuple[float, float]:
        """S_H of both gears."""
        first, second = (self.flank_strength(k) / self.flank_pressures[k] for k in (0, 1))
        return first, second

    @cached_property
    def root_safeties(self) -> tuple[float, float]:
        """S_F of both gears."""
        first, second = (self.root_strength(k) / self.root_stresses[k] for k in (0, 1))
        return first, second
