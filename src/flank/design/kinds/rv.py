"""RV reducers for given requirements.

Whole numbers: cranks, an even number of pins and the ratio z2/z1 of the first stage as a fraction
of small numbers. Free are the radius R of the pin circle, the shortening coefficient, the pins'
radius over the largest possible one, and the disc width over R within the published sets
(machines/crank_reducer/proportions.py). The cranks stand as far out as the discs' walls let them,
the first stage fills their circle with teeth of a preferred module, and everything else is left to
the sizing rule (machines/crank_reducer/rules.py), which makes bearings last. No size is taken from
a published set: what limits R are the pressure at the pins, the life of the cranks' bearings, and
whether parts find room.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from flank.design.candidate import Candidate, Envelope, Fallen, Variable
from flank.design.kinds.cycloid_loads import largest_pressure, largest_radius
from flank.design.kinds.rounding import in_rpm, rounded, source
from flank.design.kinds.tolerances import tolerances
from flank.design.measure import Asked, play_and_stiffness, pressures
from flank.design.overview import Size
from flank.elasticity.material import contact_modulus
from flank.errors import SpecError
from flank.machines.crank_reducer.crank_loads import support_load, turning_arm_load
from flank.machines.crank_reducer.proportions import PROPORTIONS
from flank.machines.materials import BUILT_IN_MATERIALS
from flank.texts import mm

if TYPE_CHECKING:
    from flank.design.falls import Falls
    from flank.design.requirements import RvRequirements
    from flank.machines.rv.spec import RvReducerSpec

CRANKS = (2, 3)
PINS = range(24, 66, 2)
"""Even, so that both discs meet pins alike."""

SHORTENINGS, PIN_SHARES = (0.7, 0.8), (0.6, 0.85)

LARGEST_DENOMINATOR = 10
STAGE_RATIOS = (1.0, 5.0)
"""Of z2/z1, between which planets and sun are neither too small."""

SUN_TEETH = range(17, 41)
"""From 17 on a rack of 20 degrees does not undercut."""

MODULES = tuple(
    1e-3 * module
    for module in (0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.125, 1.25, 1.375, 1.5, 1.75, 2, 2.25, 2.5, 2.75, 3)
)
"""m, of DIN 780."""

NEARLY_FULL = 0.98
"""Of the largest crank circle: of stages that fill as much, the largest module is taken."""

FORM_FACTOR, ROOT_STRESS = 4.5, 350e6
"""Y_F Y_S of the teeth of the first stage, and Pa that their roots bear (ISO 6336-5, case-hardened,
with a safety of 1.3)."""

ARM, GROWN = PROPORTIONS["cranks.pin_radius"].rule, 1.1
"""Eccentric over the crank circle by the rule; by how much rollers may have to be larger."""

WALL, HOUSING_WALL = 0.05, 0.06
"""Over R: of a disc outside of its crank holes, and of the housing outside of the pins."""

SPACING, UNDERCUT_SHARE = 1.12, 0.84
STEP, LARGEST_CIRCLE = 1.03, 1.0
LOCAL = 0.12
"""By which share the circle may change in the local search."""

RADIAL_SHARE, EQUIDISTANT_SHARE = 1e-4, -0.42
"""Radial modification over R, and the equidistant one over it: the usual relief at tips and roots
with a third of it left on the working flanks (docs/theory/rv_reducer.md)."""

RELIEF = 2.4
"""Radial modification over what parts deviate, where that asks for more."""

OPERATING_SHARE = 0.5
"""Of the rated torque, under which it runs on, as all presets of RV reducers have it: what `check`
says of heat and losses is about that."""

ASSUMPTIONS = (
    "Half the rated torque at the operating point; pressures and lives are those at all of it.",
    "Bearings, journals, pillars, flanges, main bearings and disc bore by the sizing rule.",
    "Friction 0.05 at the pins; rolling resistance 0.0025 (needles) and 0.0018 (tapered rollers), "
    "figures of bearing catalogues.",
    "First stage without backlash and profile shift.",
    "Contact damping 10 s/m, as of an oiled contact; not measured.",
)


class Stage(NamedTuple):
    """Sun, planets and module in m."""

    sun: int
    planet: int
    module: float

    @property
    def distance(self) -> float:
        return 0.5 * self.module * (self.sun + self.planet)


@dataclass(frozen=True)
class RvDesigner:
    """See above."""

    wanted: RvRequirements

    machine: ClassVar[str] = "rv-reducer"
    title: ClassVar[str] = "RV reducers"
    heads: ClassVar[int] = 4
    evaluations: ClassVar[int] = 24
    verified_by: ClassVar[tuple[str, ...]] = ("hysteresis", "transmission-error")

    @property
    def variables(self) -> Mapping[str, Variable]:
        width = PROPORTIONS["discs.width"]
        return {
            "circle": Variable("radius of the pin circle", 10e-3, self._envelope_radius, LOCAL),
            "shortening": Variable("shortening coefficient", 0.5, 0.85),
            "pin_share": Variable("pin radius over the largest possible", 0.4, 1.0),
            "width_share": Variable(width.title, width.least, width.most),
        }

    @property
    def _envelope_radius(self) -> float:
        outer = self.wanted.outer_diameter
        return LARGEST_CIRCLE if outer is None else 0.5 * outer

    def begin_larger(self, values: Sequence[float], factor: float) -> tuple[float, ...]:
        return (values[0] * factor, *values[1:])

    @cached_property
    def trains(self) -> tuple[tuple[int, int, int], ...]:
        """Pins, z2 and z1 as a fraction in lowest terms, that give the ratio: for every number of
        pins the nearest one."""
        ratio, allowed = self.wanted.wanted_ratio, max(self.wanted.ratio_tolerance, 1e-9)
        found = []
        for pins in PINS:
            off, denominator, numerator = self._nearest_fraction(pins)
            if off <= allowed * ratio:
                found.append((pins, numerator, denominator))
        return tuple(found)

    def _nearest_fraction(self, pins: int) -> tuple[float, int, int]:
        """How far the ratio is off, z1 and z2."""
        wanted = (self.wanted.wanted_ratio - 1) / pins
        fractions = []
        for denominator in range(1, LARGEST_DENOMINATOR + 1):
            numerator = max(round(wanted * denominator), 1)
            u = numerator / denominator
            if STAGE_RATIOS[0] <= u <= STAGE_RATIOS[1]:
                off = abs(1 + pins * u - self.wanted.wanted_ratio)
                fractions.append((round(off, 9), denominator, numerator))
        return min(fractions, default=(math.inf, 1, 1))

    def ratio_problems(self) -> Iterator[str]:
        if self.trains:
            return
        ratio = self.wanted.wanted_ratio
        ends = 1 + PINS[0] * STAGE_RATIOS[0], 1 + PINS[-1] * STAGE_RATIOS[1]
        nearest = min((*self._nearest_fraction(pins), pins) for pins in PINS)
        off, denominator, numerator, pins = nearest
        if ends[0] <= ratio <= ends[1] and off < math.inf:
            best = 1 + pins * numerator / denominator
            yield (
                f"ratio is {ratio:.6g}; the nearest that an RV reducer has is {best:.6g}, with "
                f"{pins} pins and z2/z1 = {numerator}/{denominator}; give it, or a ratio_tolerance "
                f"of {off / ratio:.2g}"
            )
        else:
            yield (
                f"ratio is {ratio:.6g}; RV reducers have 1 + pins z2/z1, from {ends[0]:g} to "
                f"{ends[1]:g} with {PINS[0]} to {PINS[-1]} pins; for others try cycloidal"
            )

    def candidates(self, falls: Falls) -> Sequence[Candidate]:
        found = []
        for cranks in CRANKS:
            for pins, numerator, denominator in self.trains:
                numbers = (
                    ("cranks", cranks),
                    ("pins", pins),
                    ("planet_part", numerator),
                    ("sun_part", denominator),
                )
                for shortening in SHORTENINGS:
                    for share in PIN_SHARES:
                        values = (0.0, shortening, share, PROPORTIONS["discs.width"].rule)
                        try:
                            found.append(self._sized(Candidate(numbers, values, 0.0)))
                        except Fallen as fallen:
                            fallen.tell(falls)
        return found

    def _sized(self, blank: Candidate) -> Candidate:
        """On the smallest circle where pins, bearings and teeth last; Fallen with what asked for
        more where the envelope is reached before."""
        circle, last = self._least_circle(blank), "pin-pressure"
        while self._outer_radius(circle, blank) <= self._envelope_radius:
            values = (circle, *blank.values[1:])
            try:
                spec = self._lasting(replace(blank, values=values), values)
            except Fallen as fallen:
                last = fallen.code
                circle *= STEP
                continue
            if self.wanted.length is not None and _length(spec) > self.wanted.length:
                words = f"{mm(_length(spec), 4)} long"
                raise Fallen("envelope-length", _length(spec) / self.wanted.length, words)
            return replace(blank, values=values, score=self._envelope(spec).volume)
        needed = 2 * self._outer_radius(circle, blank)
        words = f"{mm(needed, 4)} across needed because of {last.replace('-', ' ')}"
        raise Fallen("envelope-diameter", 0.5 * needed / self._envelope_radius, words)

    def _lasting(self, candidate: Candidate, values: Sequence[float]) -> RvReducerSpec:
        """A spec by closed forms whose bearings last; Fallen else."""
        from flank.machines.rv.spec import RvReducerSpec

        try:
            spec = RvReducerSpec.from_mapping(self.spec(candidate, values))
        except SpecError as error:
            raise Fallen("no-room", math.inf, error.problems[0]) from None
        size, toothing = spec.dimensions, spec.toothing
        turns = spec.rated_life * (spec.crank_ratio + 1) * spec.rated_speed / (2 * math.pi)
        lengths = (size.journal_length, size.eccentric_length, size.web_length, size.face_width)
        for name, bearing, load in (
            ("turning-arm", size.turning_arm, turning_arm_load(spec, toothing)),
            ("support", size.support, support_load(spec, toothing, lengths)),
        ):
            life = bearing.rating.life(load)
            if life < turns:
                raise Fallen(f"{name}-life", turns / life, f"{name}s last too short")
        return spec

    def _least_circle(self, blank: Candidate) -> float:
        """Where ideal flanks have the allowed pressure: p² ~ T/R³."""
        circle, pins, (_, shortening, share, width) = 0.1, blank.number("pins"), blank.values
        pin = share * largest_radius(pins, circle, shortening, SPACING, UNDERCUT_SHARE)
        torque = 0.5 * self.wanted.torque
        sizes = (pins, circle, shortening, pin, width * circle)
        pressure = largest_pressure(*sizes, torque, self._modulus)
        return circle * math.pow(pressure / self.wanted.allowed_pressure, 2 / 3)

    @cached_property
    def _modulus(self) -> float:
        disc = BUILT_IN_MATERIALS[self.wanted.made_of].elastic
        return contact_modulus(disc, BUILT_IN_MATERIALS["steel"].elastic)

    def _outer_radius(self, circle: float, blank: Candidate) -> float:
        _, shortening, share, _ = blank.values
        pins = blank.number("pins")
        pin = share * largest_radius(pins, circle, shortening, SPACING, UNDERCUT_SHARE)
        return circle * (1 + HOUSING_WALL) + pin

    def spec(self, candidate: Candidate, values: Sequence[float]) -> dict[str, Any]:
        """See Designer.spec."""
        wanted, pins = self.wanted, candidate.number("pins")
        circle = rounded(values[0], 0.5e-3, up=True)
        eccentricity = rounded(values[1] * circle / pins, 0.05e-3)
        shortening = eccentricity * pins / circle
        if not 0 < shortening < 1:
            raise Fallen("eccentricity", math.inf, "pins too close for drawn eccentricities")
        largest = largest_radius(pins, circle, shortening, SPACING, UNDERCUT_SHARE)
        pin = max(rounded(values[2] * largest, 0.25e-3, down=True), 0.5e-3)
        width = rounded(values[3] * circle, 0.1e-3)
        root = circle - pin - eccentricity
        cranks = candidate.number("cranks")
        stage = self._stage(candidate, root - WALL * circle, width)
        spec: dict[str, Any] = {
            "machine": self.machine,
            "title": f"RV reducer, ratio {1 + pins * stage.planet / stage.sun:.6g}, "
            f"{wanted.torque:g} N·m: {cranks} cranks, {pins} pins on {mm(circle, 4)}",
            "source": source(wanted),
            "assumptions": ASSUMPTIONS,
            "rated_torque": wanted.torque,
            "rated_speed": in_rpm(wanted.speed / wanted.wanted_ratio),
            "rated_life": wanted.life,
            "eccentricity": eccentricity,
            "pins": {"count": pins, "circle_radius": circle, "radius": pin},
            "discs": {"count": 2, "width": width, "material": wanted.made_of}
            | self._modified(circle),
            "cranks": {"count": cranks, "circle_radius": stage.distance},
            "first_stage": {
                "sun_teeth": stage.sun,
                "planet_teeth": stage.planet,
                "module": stage.module,
            },
            "contact": {"law": "hertz", "damping": 10.0},
            "friction": {"pins": 0.05, "turning_arm": 0.0025, "supports": 0.0018},
            "operation": {
                "input_speed": in_rpm(wanted.speed),
                "torque": OPERATING_SHARE * wanted.torque,
            },
        }
        if wanted.bore is not None:
            spec["discs"] |= {"bore_radius": 0.5 * wanted.bore}
        if wanted.peak_torque is not None:
            spec["peak_torque"] = wanted.peak_torque
        return self._with_tolerances(spec)

    def _modified(self, circle: float) -> dict[str, float]:
        deviation = self.wanted.deviation
        deviates = deviation if isinstance(deviation, float) else 0.0
        radial = rounded(max(RADIAL_SHARE * circle, RELIEF * deviates), 0.5e-6)
        return {"radial": radial, "equidistant": rounded(EQUIDISTANT_SHARE * radial, 0.5e-6)}

    def _with_tolerances(self, spec: dict[str, Any]) -> dict[str, Any]:
        """Those that were asked for; of ground parts the usual ones if nothing was."""
        if self.wanted.tolerance is None and self.wanted.process == "ground":
            return spec
        from flank.machines.rv.spec import RvReducerSpec

        try:
            made = RvReducerSpec.from_mapping(spec)
        except SpecError as error:
            raise Fallen("no-room", math.inf, error.problems[0]) from None
        radius = made.pins.circle_radius
        return spec | {"tolerances": tolerances(made, self.wanted.deviation, radius)}

    def _stage(self, candidate: Candidate, reach: float, width: float) -> Stage:
        """The stage whose crank circle leaves the discs their walls and whose planets are keyed
        alike to all cranks; of those that nearly fill it the largest module."""
        largest = reach / (1 + ARM * (1 + 2 * PROPORTIONS["turning_arm.radius"].rule * GROWN))
        sun_part, planet_part = candidate.number("sun_part"), candidate.number("planet_part")
        cranks = candidate.number("cranks")
        found = [
            stage
            for sun in SUN_TEETH
            if sun % sun_part == 0 and (sun + sun // sun_part * planet_part) % cranks == 0
            for module in MODULES
            if (stage := Stage(sun, sun // sun_part * planet_part, module)).distance <= largest
        ]
        if not found:
            raise Fallen("first-stage", math.inf, "no teeth of a preferred module fit the cranks")
        widest = max(stage.distance for stage in found)
        fitting = [stage for stage in found if stage.distance >= NEARLY_FULL * widest]
        stage = max(fitting, key=lambda each: (each.module, each.distance))
        self._bend(stage, cranks, width)
        return stage

    def _bend(self, stage: Stage, cranks: int, width: float) -> None:
        """σ = Y F_t/(b m) at the root of a sun's tooth."""
        face = PROPORTIONS["first_stage.face_width"].rule * width
        force = self.wanted.torque / self.wanted.wanted_ratio / cranks
        force /= 0.5 * stage.module * stage.sun
        stress = FORM_FACTOR * force / (face * stage.module)
        if stress > ROOT_STRESS:
            words = f"{stress / 1e6:.0f} MPa at the roots of the first stage"
            raise Fallen("tooth-root", stress / ROOT_STRESS, words)

    def envelope(self, machine: Any) -> Envelope:
        return self._envelope(machine.spec)

    def _envelope(self, spec: RvReducerSpec) -> Envelope:
        pins = spec.pins
        outer = pins.circle_radius * (1 + HOUSING_WALL) + pins.radius
        return Envelope(2 * outer, _length(spec))

    def asked(self, machine: Any, figures: Any) -> Iterator[Asked]:
        yield from pressures(machine, {"pin": self.wanted.allowed_pressure})
        if machine.rated_turn.known:
            for block, duty in machine.bearing_lives.duties.items():
                title = f"life of {block.replace('_', ' ')} bearings"
                yield Asked(
                    f"{block}-life", title, duty.basic_life, self.wanted.life, "s", "h", True
                )
        yield from play_and_stiffness(self.wanted, figures)

    def sizes(self, machine: Any) -> Sequence[Size]:
        spec, size = machine.spec, machine.spec.dimensions
        return (
            Size("ratio", machine.ratio, "", ""),
            Size("sun teeth", spec.first_stage.sun_teeth, "", ""),
            Size("planet teeth", spec.first_stage.planet_teeth, "", ""),
            Size("module", spec.first_stage.module),
            Size("radius of the pin circle", spec.pins.circle_radius),
            Size("pin radius", spec.pins.radius),
            Size("eccentricity", spec.eccentricity),
            Size("disc width", size.disc_width),
            Size("radius of the crank circle", spec.cranks.circle_radius),
        )


def _length(spec: RvReducerSpec) -> float:
    """From the outer face of one flange to that of the other, and the planets beyond."""
    size, discs = spec.dimensions, spec.discs.count
    between = discs * size.eccentric_length + (discs - 1) * size.web_length
    return 2 * size.flange_width + between + size.face_width
