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
from typing import TYPE_CHECKING, Any, ClassVar

from flank.design.candidate import Candidate, Envelope, Fallen, Variable
from flank.design.kinds.crank_parts import (
    CRANKS,
    FRICTION_OF_BEARINGS,
    STAGE_RATIOS,
    fitting_stage,
    length_of,
    lives_asked,
    made_spec,
    nearest_train,
    operating_point,
    refuse_short_lives,
    refuse_too_long,
    with_tolerances,
)
from flank.design.kinds.cycloid_loads import largest_pressure, largest_radius
from flank.design.kinds.rounding import in_rpm, rounded, source
from flank.design.measure import Asked, play_and_stiffness, pressures
from flank.design.overview import Size
from flank.elasticity.material import contact_modulus
from flank.machines.crank_reducer.proportions import PROPORTIONS
from flank.machines.materials import BUILT_IN_MATERIALS
from flank.texts import mm

if TYPE_CHECKING:
    from flank.design.falls import Falls
    from flank.design.requirements import RvRequirements
    from flank.machines.rv.spec import RvReducerSpec

PINS = range(24, 66, 2)
"""Even, so that both discs meet pins alike."""

SHORTENINGS, PIN_SHARES = (0.7, 0.8), (0.6, 0.85)

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

ASSUMPTIONS = (
    "Bearings, journals, pillars, flanges, main bearings and disc bore by the sizing rule.",
    "Friction 0.05 at the pins; rolling resistance 0.0025 (needles) and 0.0018 (tapered rollers), "
    "figures of bearing catalogues.",
    "First stage without backlash and profile shift.",
    "Contact damping 10 s/m, as of an oiled contact; not measured.",
)


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
            train = nearest_train(ratio, pins)
            if train.off <= allowed * ratio:
                found.append((pins, train.planet_part, train.sun_part))
        return tuple(found)

    def ratio_problems(self) -> Iterator[str]:
        if self.trains:
            return
        ratio = self.wanted.wanted_ratio
        ends = 1 + PINS[0] * STAGE_RATIOS[0], 1 + PINS[-1] * STAGE_RATIOS[1]
        nearest = min((*nearest_train(ratio, pins), pins) for pins in PINS)
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
            refuse_too_long(self.wanted, spec)
            return replace(blank, values=values, score=self._envelope(spec).volume)
        needed = 2 * self._outer_radius(circle, blank)
        words = f"{mm(needed, 4)} across needed because of {last.replace('-', ' ')}"
        raise Fallen("envelope-diameter", 0.5 * needed / self._envelope_radius, words)

    def _lasting(self, candidate: Candidate, values: Sequence[float]) -> RvReducerSpec:
        """A spec by closed forms whose bearings last; Fallen else."""
        from flank.machines.rv.spec import RvReducerSpec

        spec: RvReducerSpec = made_spec(RvReducerSpec, self.spec(candidate, values))
        refuse_short_lives(spec)
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
        train = candidate.number("sun_part"), candidate.number("planet_part")
        stage = fitting_stage(wanted, train, cranks, root - WALL * circle, width)
        spec: dict[str, Any] = {
            "machine": self.machine,
            "title": f"RV reducer, ratio {1 + pins * stage.planet / stage.sun:.6g}, "
            f"{wanted.torque:g} N·m: {cranks} cranks, {pins} pins on {mm(circle, 4)}",
            "source": source(wanted),
            "assumptions": (operating_point(wanted), *ASSUMPTIONS),
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
            "friction": {"pins": 0.05, **FRICTION_OF_BEARINGS},
            "operation": {
                "input_speed": in_rpm(wanted.speed),
                "torque": wanted.operating,
            },
        }
        if wanted.bore is not None:
            spec["discs"] |= {"bore_radius": 0.5 * wanted.bore}
        if wanted.peak_torque is not None:
            spec["peak_torque"] = wanted.peak_torque
        from flank.machines.rv.spec import RvReducerSpec

        return with_tolerances(wanted, RvReducerSpec, spec, circle)

    def _modified(self, circle: float) -> dict[str, float]:
        deviation = self.wanted.deviation
        deviates = deviation if isinstance(deviation, float) else 0.0
        radial = rounded(max(RADIAL_SHARE * circle, RELIEF * deviates), 0.5e-6)
        return {"radial": radial, "equidistant": rounded(EQUIDISTANT_SHARE * radial, 0.5e-6)}

    def envelope(self, machine: Any) -> Envelope:
        return self._envelope(machine.spec)

    def _envelope(self, spec: RvReducerSpec) -> Envelope:
        pins = spec.pins
        outer = pins.circle_radius * (1 + HOUSING_WALL) + pins.radius
        return Envelope(2 * outer, length_of(spec))

    def asked(self, machine: Any, figures: Any) -> Iterator[Asked]:
        yield from pressures(machine, {"pin": self.wanted.allowed_pressure})
        yield from lives_asked(self.wanted, machine)
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
