"""One mesh of involute gears, as figures read it: geometry, rating, film, play within tolerance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from flank.elasticity.material import contact_modulus
from flank.geometry.gear_checks import least_profile_shift
from flank.geometry.tooth_sliding import sliding_share
from flank.strength.flank_pressure import relative_radius
from flank.strength.load_factors import helix_slope_tolerance
from flank.strength.materials import GearStrength, strength_of
from flank.strength.rating import Duty, Known, Making, Rating

if TYPE_CHECKING:
    from flank.elasticity.material import Material
    from flank.geometry.gear import Gear
    from flank.geometry.gear_pair import GearPair
    from flank.machines.machine_spec import MachineSpec
    from flank.machines.rating_spec import GearRatingSpec

STEEL_MODULI = 190e9, 220e9
"""Pa: a material without a class of strength between them is taken for a steel."""

AS_IF = "Eh-MQ"
"""By which class a steel is rated that names none."""

OIL_TEMPERATURE = 70.0
"""°C, at which the film is judged."""

OIL_DENSITY, PRESSURE_VISCOSITY = 860.0, 2.0e-8
"""kg/m³ and 1/Pa of mineral oil there."""

RMS_SHARE = 0.19
"""R_q over R_z of ground flanks: R_a is about R_z/6, and R_q 1.1 to 1.2 R_a."""

FRICTION = 0.05
"""Of hardened flanks in oil, for the losses of a check."""


@dataclass(frozen=True)
class Mesh:
    """A pair as designed, its rating where the strength of both materials is known, how many times
    the peak torque is the rated one, and what tolerances take off the play on the line of
    action."""

    pair: GearPair
    materials: tuple[Material, Material]
    rating: Rating | None
    peak: float
    stack: float
    rims: tuple[float | None, float | None]
    making: GearRatingSpec
    speed: float

    def gear(self, number: int) -> Gear:
        return self.pair.second if number else self.pair.first

    @cached_property
    def peak_rating(self) -> Rating | None:
        """Under the peak torque, which few cycles bear: K_A and the load factors of the rated
        torque are left as they are but for K_A, since the peak is given."""
        if self.rating is None:
            return None
        duty = self.rating.duty
        once = replace(duty, force=duty.force * self.peak, application=1.0, cycles=(1.0, 1.0))
        return replace(self.rating, duty=once)

    @property
    def contact_ratio(self) -> float:
        return self.pair.contact_ratio

    @property
    def overlap(self) -> float | None:
        """Of helical gears."""
        return self.pair.overlap_ratio if self.pair.first.helix_angle else None

    @property
    def common_factor(self) -> float:
        """Of both numbers of teeth: one where every tooth meets every other."""
        return math.gcd(self.pair.first.teeth, self.pair.second.teeth)

    @property
    def slenderness(self) -> float:
        """Face width over the reference diameter of the smaller gear."""
        gears = self.pair.first, self.pair.second
        return self.pair.face_width / (2 * min(gear.reference_radius for gear in gears))

    @property
    def width_in_modules(self) -> float:
        return self.pair.face_width / self.pair.first.normal_module

    @property
    def specific_sliding(self) -> float:
        """Largest sliding over rolling of either flank, at the ends of the path of contact."""
        pair = self.pair
        start, end = pair.path
        ratio = pair.second.teeth / pair.first.teeth
        shares = []
        for roll in (start, end):
            mate = pair.second_roll(roll)
            if roll <= 0 or mate <= 0:
                return math.inf
            shares += [abs(1 - mate / (roll * ratio)), abs(1 - roll * ratio / mate)]
        return max(shares)

    @property
    def play_left(self) -> float:
        """Backlash along the line of action less what tolerances may take, in m."""
        return self.pair.normal_backlash - self.stack

    @property
    def play_in_modules(self) -> float:
        return self.pair.normal_backlash / self.pair.first.normal_module

    @property
    def pitch_velocity(self) -> float:
        return abs(self.speed) * self.pair.working_radii[0]

    @property
    def resonance_distance(self) -> float | None:
        """|N - 1|, N the mesh frequency over that of both gears on the mesh."""
        return None if self.rating is None else abs(self.rating.resonance - 1)

    @property
    def film(self) -> float | None:
        """λ at the pitch point: Dowson and Higginson's film of a line contact over both
        roughnesses,

        h = 2.65 R U^0.7 G^0.54 W^-0.13, U = η u/(E' R), G = α E', W = w/(E' R), E' = 2 E*.
        """
        if self.rating is None or not self.speed:
            return None
        radius = relative_radius(self.pair) / math.cos(self.pair.first.base_helix_angle)
        modulus = 2 * contact_modulus(*self.materials)
        rolling = self.pitch_velocity * math.sin(self.pair.working_angle)
        viscosity = OIL_DENSITY * at_temperature(self.making.viscosity, OIL_TEMPERATURE)
        load = self.rating.line_load / math.cos(self.pair.working_angle)
        parts = viscosity * rolling / (modulus * radius), load / (modulus * radius)
        height = 2.65 * radius * parts[0] ** 0.7 * (PRESSURE_VISCOSITY * modulus) ** 0.54
        height *= parts[1] ** -0.13
        roughness = math.sqrt(2) * RMS_SHARE * self.making.flank_roughness
        return float(height / roughness) if roughness else math.inf

    @property
    def efficiency(self) -> float:
        """1 - µ H_v, the load shared by all lines of contact (docs/theory/losses.md)."""
        return 1 - FRICTION * abs(sliding_share(self.pair)) / math.cos(self.pair.working_angle)

    @property
    def relief_share(self) -> float | None:
        """Largest tip relief over what a single pair of teeth gives way at the rated torque."""
        reliefs = [
            gear.relief.amount for gear in (self.pair.first, self.pair.second) if gear.relief
        ]
        if self.rating is None or not reliefs:
            return None
        return max(reliefs) * self.rating.single_stiffness / self.rating.line_load

    def undercut_margin(self, number: int) -> float | None:
        """x - x_min, of what a rack cuts."""
        gear = self.gear(number)
        return None if gear.internal else gear.profile_shift - least_profile_shift(gear)

    def tip_thickness(self, number: int) -> float:
        """Normal thickness at the tip over the module."""
        gear = self.gear(number)
        slant = math.atan(math.tan(gear.helix_angle) * gear.tip_radius / gear.reference_radius)
        return gear.thickness(gear.tip_radius) * math.cos(slant) / gear.normal_module

    def rim(self, number: int) -> float | None:
        """Of an external gear over its tooth depth, of a ring over the module."""
        thickness, gear = self.rims[number], self.gear(number)
        if thickness is None:
            return None
        if gear.internal:
            return thickness / gear.normal_module
        return thickness / (gear.tip_radius - gear.root_radius)


def at_temperature(viscosity: float, temperature: float) -> float:
    """ν in m²/s of a mineral oil by its value at 40 °C: a line in Walther's log log(ν + 0.8) over
    log T.

    ν_100 = 0.55 ν_40^0.66 in mm²/s, as oils of viscosity index 95 have it within 3 % from 32 to
    460.
    """
    cold = viscosity * 1e6
    hot = max(0.55 * cold**0.66, 1.0)

    def height(value: float) -> float:
        return math.log(math.log(value + 0.8))

    ends = math.log(313.15), math.log(373.15)
    share = (math.log(temperature + 273.15) - ends[0]) / (ends[1] - ends[0])
    level = height(cold) + share * (height(hot) - height(cold))
    return (math.exp(math.exp(level)) - 0.8) * 1e-6


def strength_in(spec: MachineSpec, name: str) -> GearStrength | None:
    """Of a material of a spec: its class, that of case-hardened steel for a steel without one, None
    of others."""
    material = spec.material(name)
    if material.strength is not None:
        return material.strength
    least, most = STEEL_MODULI
    return strength_of(AS_IF) if least <= material.youngs_modulus <= most else None


def taken_as_hardened(spec: MachineSpec, names: Sequence[str]) -> bool:
    """Whether a steel is rated by a class that it does not name."""
    unnamed = [name for name in names if spec.material(name).strength is None]
    return any(strength_in(spec, name) is not None for name in unnamed)


def misalignment_of(pair: GearPair, making: GearRatingSpec, tolerances: Sequence[float]) -> float:
    """F_βx in m: as given, else the root sum of squares of the tolerances, or of both gears' slopes
    in the grade; half of it where crowning takes off half of it or more, as ISO 6336-1 does
    (B_2)."""
    if making.misalignment is not None:
        return making.misalignment
    slopes = tolerances or [
        helix_slope_tolerance(gear, pair.face_width, making.tolerance_grade)
        for gear in (pair.first, pair.second)
    ]
    total = math.hypot(*slopes)
    crowning = pair.first.crowning + pair.second.crowning
    return 0.5 * total if crowning >= 0.5 * total else total


def known_factors(making: GearRatingSpec) -> Known:
    return Known(dynamic=making.dynamic_factor, face=making.face_load_factor)


def making_of(making: GearRatingSpec, misalignment: float) -> Making:
    return Making(
        making.tolerance_grade,
        making.flank_roughness,
        making.root_roughness,
        making.viscosity,
        misalignment,
    )


def duty_of(
    pair: GearPair,
    making: GearRatingSpec,
    force: float,
    speed: float,
    passes: tuple[int, int] = (1, 1),
    sharing: float = 1.0,
) -> Duty:
    """Of F_t in N and the first gear's speed against what holds its axis; a tooth meets `passes`
    mates in a turn."""
    turns = abs(speed) / (2 * math.pi) * making.life
    ratio = pair.first.teeth / pair.second.teeth
    cycles = max(turns * passes[0], 1.0), max(turns * ratio * passes[1], 1.0)
    return Duty(force, speed, cycles, making.application_factor or 1.0, sharing)
