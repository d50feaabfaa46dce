"""Reducers with few teeth of difference for given requirements.

Whole numbers: cranks, teeth of difference Δ, teeth of the discs, none or a first stage with z2/z1 a
fraction of small numbers, module. The ratio is z/Δ where the input turns the cranks itself, and
1 + (z + Δ)/Δ · z2/z1 behind a first stage. Height of the teeth and shift of the ring follow from
z and Δ alone: of those with which tips pass each other and teeth follow each other, the pair that
pushes least out of the ring. Free are the discs' width over the ring's reference radius and the
relief of the tips over the module. The cranks stand as far out as walls of the discs let them;
everything else is left to the sizing rule (machines/crank_reducer/rules.py).

Teeth are thinner by what keeps 99 of 100 drawn drives free: with deviations even within ±t_i, the
sum of many is off by 2.33/√3 √Σ t_i².
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from flank.design.candidate import Candidate, Envelope, Fallen, Variable
from flank.design.kinds.crank_parts import (
    CRANKS,
    FRICTION_OF_BEARINGS,
    fitting_stage,
    largest_crank_circle,
    length_of,
    lives_asked,
    made_spec,
    nearest_train,
    operating_point,
    refuse_short_lives,
    refuse_too_long,
    with_tolerances,
)
from flank.design.kinds.gear_teeth import MODULES
from flank.design.kinds.rounding import in_rpm, rounded, source
from flank.design.kinds.tolerances import ALMOST_ALL
from flank.design.measure import Asked, play_and_stiffness
from flank.design.overview import Size
from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair
from flank.geometry.pair_checks import flank_reserves, tip_clearances, tip_margin
from flank.machines.few_teeth.spec import FewTeethReducerSpec, clear_tip_radius
from flank.machines.gear_spec import EDGE_RADIUS
from flank.machines.materials import BUILT_IN_MATERIALS
from flank.texts import mm

if TYPE_CHECKING:
    from flank.design.falls import Falls
    from flank.design.requirements import FewTeethRequirements

DIFFERENCES = (1, 2, 3, 4)

DIRECT_TEETH, STAGED_TEETH = (24, 140), range(30, 94, 4)
"""Of discs: least and most where they make the ratio alone, and those tried behind a stage."""

ADDENDA = tuple(0.45 + 0.05 * k for k in range(9))
SHIFTS = tuple(-0.05 * k for k in range(25))
"""Modules; the ring's, outwards (ISO 21771)."""

BOTTOM, FILLET, ANGLE = 0.25, 0.38, math.radians(20)
"""Of the usual rack: clearance and fillet in modules, pressure angle."""

PASSING, FOLLOWING, CLEAR, TIP, STEEPEST = 0.03, 1.1, 0.1, 0.3, math.radians(54)
"""In modules, what tips pass each other by and clear roots by and their thickness, and the contact
ratio, at least; the working angle at most. `check` asks for 0.02, 1, 0.1 and 55 degrees."""

WIDTHS, SMALLEST_WIDTH = (0.06, 0.25), 4e-3
"""Of a disc over the ring's reference radius, and in m."""

RELIEFS, RELIEVED = (0.0, 15e-3), 0.3
"""Modules, off the tips, and the roll length in modules over which it reaches down."""

BENT = 0.67
"""Of what teeth give way by, that tips are relieved by to begin with."""

WALL, RIM = 0.05, 2.5
"""Of a disc outside its crank holes over R; modules of the ring behind its roots."""

ROOT_IN_HAND = 1.03

NEARBY = 0.2
"""Of a ratio: farther off a tolerance is no help."""

ASSUMPTIONS = (
    "Bearings, journals, pillars, flanges, main bearings and disc bore by the sizing rule.",
    "Friction 0.05 between the flanks; rolling resistance 0.0025 (needles) and 0.0018 (tapered "
    "rollers), figures of bearing catalogues.",
    "Teeth of discs thinner by what keeps 99 of 100 drawn drives from jamming; without a first "
    "stage the input turns all cranks rigidly, a first stage has no backlash.",
    "Damping 10 s/m at rollers and teeth, as of an oiled contact; not measured.",
)


class Teeth(NamedTuple):
    """Of unit module: height over the reference circle, shift of the ring, both gears in mesh."""

    addendum: float
    shift: float
    pair: GearPair


def _gear(teeth: int, addendum: float, shift: float, internal: bool) -> Gear:
    return Gear(
        teeth,
        1.0,
        ANGLE,
        shift,
        internal,
        addendum=addendum,
        dedendum=addendum + BOTTOM,
        fillet_radius=FILLET,
        edge_radius=EDGE_RADIUS,
    )


@lru_cache(maxsize=4096)
def best_teeth(disc_teeth: int, difference: int) -> Teeth | None:
    """The teeth with the least working angle among those that can be; None where none can."""
    found = []
    for addendum in ADDENDA:
        disc = _gear(disc_teeth, addendum, 0.0, False)
        for shift in SHIFTS:
            pair = _meshed(disc, _gear(disc_teeth + difference, addendum, shift, True))
            if pair is not None and _can_be(pair):
                found.append((pair.working_angle, addendum, Teeth(addendum, shift, pair)))
    return min(found, key=lambda each: each[:2])[2] if found else None


def _meshed(disc: Gear, ring: Gear) -> GearPair | None:
    """Without backlash, the ring's tips clear of the disc's roots."""
    try:
        distance = GearPair(disc, ring).centre_distance
        return GearPair(disc, ring.with_tip_radius(clear_tip_radius(disc, distance)), distance)
    except ValueError:
        return None


def _can_be(pair: GearPair) -> bool:
    disc, ring = pair.first, pair.second
    return (
        pair.working_angle <= STEEPEST
        and tip_margin(pair) >= PASSING
        and pair.contact_ratio >= FOLLOWING
        and min(tip_clearances(pair)) >= CLEAR
        and min(gear.thickness(gear.tip_radius) for gear in (disc, ring)) >= TIP
        and min(flank_reserves(pair)) >= 0.0
    )


@dataclass(frozen=True)
class FewTeethDesigner:
    """See above."""

    wanted: FewTeethRequirements

    machine: ClassVar[str] = "few-teeth-reducer"
    title: ClassVar[str] = "Reducers with few teeth of difference"
    heads: ClassVar[int] = 5
    evaluations: ClassVar[int] = 18
    verified_by: ClassVar[tuple[str, ...]] = ("hysteresis", "transmission-error")

    @property
    def variables(self) -> Mapping[str, Variable]:
        return {
            "width": Variable("disc width over the ring's reference radius", *WIDTHS),
            "relief": Variable("relief of the tips over the module", *RELIEFS),
        }

    def begin_larger(self, values: Sequence[float], factor: float) -> tuple[float, ...]:
        return (values[0] * factor, *values[1:])

    @cached_property
    def trains(self) -> tuple[tuple[int, int, int, int], ...]:
        """Teeth of discs, of difference, and z1 and z2 of the first stage in lowest terms, none
        where both are 0, that give the ratio."""
        allowed = max(self.wanted.ratio_tolerance, 1e-9) * self.wanted.wanted_ratio
        return tuple(train for off, train in self._trains if off <= allowed)

    @cached_property
    def _trains(self) -> list[tuple[float, tuple[int, int, int, int]]]:
        """By how much each is off."""
        ratio, found = self.wanted.wanted_ratio, []
        for difference in DIFFERENCES:
            low, high = DIRECT_TEETH
            direct = min(max(round(ratio * difference), low), high)
            found.append((abs(direct / difference - ratio), (direct, difference, 0, 0)))
            for teeth in STAGED_TEETH:
                train = nearest_train(ratio, (teeth + difference) / difference)
                parts = train.sun_part, train.planet_part
                found.append((train.off, (teeth, difference, *parts)))
        return sorted(found)

    def ratio_problems(self) -> Iterator[str]:
        if self.trains:
            return
        ratio = self.wanted.wanted_ratio
        off, (teeth, difference, sun, planet) = self._trains[0]
        best = _ratio(teeth, difference, sun, planet)
        stage = f" behind a first stage of {planet}/{sun}" if sun else ""
        near = off < NEARBY * ratio
        other = f", or a ratio_tolerance of {math.ceil(1e4 * off / ratio) / 1e4:.2g}"
        yield (
            f"ratio is {ratio:.6g}; the nearest that a reducer with few teeth of difference has is "
            f"{best:.6g}, with {teeth} teeth in {teeth + difference}{stage}; give it"
            f"{other if near else ''}"
        )

    def candidates(self, falls: Falls) -> Sequence[Candidate]:
        found: list[Candidate] = []
        for teeth, difference, sun_part, planet_part in self.trains:
            for cranks in CRANKS:
                numbers = (
                    ("cranks", cranks),
                    ("disc_teeth", teeth),
                    ("difference", difference),
                    ("sun_part", sun_part),
                    ("planet_part", planet_part),
                )
                try:
                    found += self._sized(numbers)
                except Fallen as fallen:
                    fallen.tell(falls)
        return found

    def _sized(self, numbers: tuple[tuple[str, int], ...]) -> Iterator[Candidate]:
        """With the smallest module that lasts, and with the next one, which may be narrower."""
        last = Fallen("tips-collide", math.inf, "no teeth so few apart pass each other")
        blank = Candidate(numbers, (0.0, 0.0), 0.0)
        if best_teeth(blank.number("disc_teeth"), blank.number("difference")) is None:
            raise last
        modules = [round(1e3 * each) for each in MODULES]
        low, high = 0, len(modules)
        while low < high:  # a larger module lasts where a smaller one does
            middle = (low + high) // 2
            try:
                self._lasting(numbers, modules[middle])
                high = middle
            except Fallen as fallen:
                last, low = fallen, middle + 1
        if low == len(modules):
            raise last
        found = []
        for module in modules[low : low + 2]:
            try:
                found.append(self._within(self._lasting(numbers, module)))
            except Fallen as fallen:
                last = fallen
        if not found:
            raise last
        yield from found

    def _lasting(self, numbers: tuple[tuple[str, int], ...], module: int) -> Candidate:
        """As wide as the roots of its teeth ask for, by closed forms; Fallen where teeth, bearings
        or first stage do not last."""
        blank = Candidate((*numbers, ("module_um", module)), (0.0, 0.0), 0.0)
        pair, size = self._teeth(blank).pair, 1e-6 * module
        radius = pair.second.reference_radius * size
        force = 0.5 * self.wanted.torque / (pair.first.base_radius * size)
        width = ROOT_IN_HAND * force * _root_share(pair) / (size * self._strength)
        share = max(width, SMALLEST_WIDTH) / radius
        if share > WIDTHS[1]:
            words = f"discs of {mm(width, 3)} asked for by the roots of their teeth"
            raise Fallen("tooth-root", share / WIDTHS[1], words)
        values = max(share, WIDTHS[0]), self._first_relief(share * radius, force, size)
        candidate = replace(blank, values=values)
        refuse_short_lives(made_spec(FewTeethReducerSpec, self.spec(candidate, values)))
        return candidate

    def _within(self, candidate: Candidate) -> Candidate:
        """With its volume; Fallen where it is larger than is wanted."""
        spec = FewTeethReducerSpec.from_mapping(self.spec(candidate, candidate.values))
        size, outer = self._envelope(spec), self.wanted.outer_diameter
        if outer is not None and size.diameter > outer:
            words = f"{mm(size.diameter, 4)} across needed by teeth and bearings that last"
            raise Fallen("envelope-diameter", size.diameter / outer, words)
        refuse_too_long(self.wanted, spec)
        return replace(candidate, score=size.volume)

    def _teeth(self, candidate: Candidate) -> Teeth:
        found = best_teeth(candidate.number("disc_teeth"), candidate.number("difference"))
        assert found is not None
        return found

    @property
    def _strength(self) -> float:
        """Pa that the root of a tooth bears in reversed bending."""
        fatigue = BUILT_IN_MATERIALS[self.wanted.made_of].fatigue_strength
        return math.inf if fatigue is None else fatigue

    def _first_relief(self, width: float, force: float, module: float) -> float:
        """Of the deflection of a pair of teeth under all of a disc's force, by the 14 N/(mm µm) of
        ISO 6336-1, over the module."""
        return min(BENT * force / (width * 14e9) / module, RELIEFS[1])

    def spec(self, candidate: Candidate, values: Sequence[float]) -> dict[str, Any]:
        """See Designer.spec."""
        wanted, teeth = self.wanted, self._teeth(candidate)
        module = 1e-6 * candidate.number("module_um")
        disc, ring = teeth.pair.first, teeth.pair.second
        radius = ring.reference_radius * module
        width = rounded(max(values[0] * radius, SMALLEST_WIDTH), 0.1e-3, up=True)
        cranks, sun_part = candidate.number("cranks"), candidate.number("sun_part")
        reach = disc.root_radius * module - WALL * radius
        relief = rounded(values[1] * module, 0.5e-6)
        relieved = {"amount": relief, "length": rounded(RELIEVED * module, 10e-6)}
        tips = {"tip_relief": relieved} if relief else {}
        force = 0.5 * wanted.torque / (disc.base_radius * module)
        spec: dict[str, Any] = {
            "machine": self.machine,
            "title": f"Few-teeth reducer {disc.teeth}/{ring.teeth}, module {1e3 * module:g} mm, "
            f"{wanted.torque:g} N·m",
            "source": source(wanted),
            "assumptions": (operating_point(wanted), *ASSUMPTIONS),
            "rated_torque": wanted.torque,
            "rated_speed": in_rpm(wanted.speed / wanted.wanted_ratio),
            "rated_life": wanted.life,
            "rack": {
                "normal_module": module,
                "addendum": rounded(teeth.addendum, 0.01),
                "dedendum": rounded(teeth.addendum + BOTTOM, 0.01),
            },
            "discs": {
                "count": 2,
                "teeth": disc.teeth,
                "width": width,
                "material": wanted.made_of,
                **tips,
            },
            "ring": {
                "teeth": ring.teeth,
                "profile_shift": rounded(teeth.shift, 0.01),
                "outer_radius": rounded((ring.root_radius + RIM) * module, 0.5e-3, up=True),
                "material": wanted.made_of,
                **tips,
            },
            "mesh": {"model": "contact", "damping": rounded(10.0 * force, 10.0)},
            "contact": {"law": "hertz", "damping": 10.0},
            "friction": {"teeth": 0.05, **FRICTION_OF_BEARINGS},
            "operation": {
                "input_speed": in_rpm(wanted.speed),
                "torque": wanted.operating,
            },
        }
        if sun_part:
            train = sun_part, candidate.number("planet_part")
            stage = fitting_stage(wanted, train, cranks, reach, width)
            spec["cranks"] = {"count": cranks, "circle_radius": stage.distance}
            spec["first_stage"] = {
                "sun_teeth": stage.sun,
                "planet_teeth": stage.planet,
                "module": stage.module,
            }
        else:
            circle = rounded(largest_crank_circle(reach), 0.1e-3, down=True)
            spec["cranks"] = {"count": cranks, "circle_radius": circle}
        if wanted.bore is not None:
            spec["discs"] |= {"bore_radius": 0.5 * wanted.bore}
        if wanted.peak_torque is not None:
            spec["peak_torque"] = wanted.peak_torque
        return self._thinned(with_tolerances(wanted, FewTeethReducerSpec, spec, radius))

    def _thinned(self, spec: dict[str, Any]) -> dict[str, Any]:
        """Teeth of discs, by what deviates between them and the ring."""
        made = made_spec(FewTeethReducerSpec, spec)
        pressed = 2 * math.tan(made.pair.working_angle)
        stack = {"tooth_thickness": 1.0, "ring_thickness": 1.0} | dict.fromkeys(
            ("toothing_x", "ring_x", "eccentricity"), pressed
        )
        amount = math.hypot(*(share * made.tolerance(kind) for kind, share in stack.items()))
        thinner = -rounded(ALMOST_ALL * amount, 1e-6, up=True)
        eccentricity = rounded(made.pair.centre_distance, 1e-7)
        discs = spec["discs"] | {"thickness_deviation": thinner}
        return spec | {"discs": discs, "eccentricity": eccentricity}

    def envelope(self, machine: Any) -> Envelope:
        return self._envelope(machine.spec)

    def _envelope(self, spec: FewTeethReducerSpec) -> Envelope:
        return Envelope(2 * (spec.ring.outer_radius or 0.0), length_of(spec))

    def asked(self, machine: Any, figures: Any) -> Iterator[Asked]:
        if self.wanted.pressure is not None:
            value = figures.value("flank_pressure")
            title = "pressure of the flanks"
            yield Asked("flank-pressure", title, value, self.wanted.pressure, "Pa", "MPa")
        yield from lives_asked(self.wanted, machine)
        yield from play_and_stiffness(self.wanted, figures)

    def sizes(self, machine: Any) -> Sequence[Size]:
        spec, size = machine.spec, machine.spec.dimensions
        stage, relief = spec.first_stage, spec.discs.tip_relief
        return (
            Size("ratio", abs(machine.ratio), "", ""),
            Size("sun teeth", math.nan if stage is None else stage.sun_teeth, "", ""),
            Size("planet teeth", math.nan if stage is None else stage.planet_teeth, "", ""),
            Size("module", spec.rack.normal_module),
            Size("eccentricity", size.eccentricity),
            Size("disc width", size.disc_width),
            Size("relief of the tips", 0.0 if relief is None else relief.amount, "m", "um"),
            Size("teeth of discs thinner by", -spec.discs.thickness_deviation, "m", "um"),
            Size("radius of the crank circle", spec.cranks.circle_radius),
        )


def _ratio(teeth: int, difference: int, sun: int, planet: int) -> float:
    return 1 + (teeth + difference) / difference * planet / sun if sun else teeth / difference


def _root_share(pair: GearPair) -> float:
    """σ B m/F of a tooth as a beam with all of a disc's force at its tip, of unit module."""
    gear = pair.first
    height = gear.tip_radius - gear.root_radius
    return 6 * math.cos(pair.working_angle) * height / gear.thickness(gear.reference_radius) ** 2
