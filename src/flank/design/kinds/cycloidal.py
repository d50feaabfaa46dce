"""Cycloidal drives for given requirements.

Whole numbers are gone through: one disc or two, output rollers. Continuous values are the radius R
of the pin circle, the shortening coefficient K1, the pins' radius as a share of the largest one
possible, and the discs' width over R. All else follows, from the middle outwards:

    shaft         as thick as its bore and the input torque ask for (SHEAR), or SHAFT_LEAST
    eccentric     as thick as the shaft and the throw, or as its needles' life asks for
    needles       a fifth of the eccentric's radius, nine tenths of the pitch circle full of them;
                  ISO 281 at the rated torque, loads by the toothing (below)
    rollers       as large as the walls of a disc let the holes be; pins of 0.75 of their radius
    walls         of a disc 0.035 R, what the process makes at least
    flanges       as thick as a roller, which they hold by its pin on both sides
    housing       a wall of 0.06 R outside the pins
    clearances    the least with which no drawn drive jams (play.py)

A disc's torque M presses its bearing by M/(e z_c) across the crank and by the difference of
4 M/(π R_w), what rollers press along it, and M K_y/(e z_c), what pins do.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from flank.design.candidate import Candidate, Envelope, Fallen, Variable
from flank.design.kinds.cycloid_loads import along_share, largest_pressure, largest_radius
from flank.design.kinds.rounding import in_rpm, rounded, source
from flank.design.kinds.tolerances import tolerances
from flank.design.measure import Asked, play_and_stiffness, pressures
from flank.design.overview import Size
from flank.design.play import DrivePlay, drawn
from flank.design.processes import PROCESSES
from flank.elasticity.material import contact_modulus
from flank.elasticity.roller_bearing import RollerBearing
from flank.machines.materials import BUILT_IN_MATERIALS
from flank.texts import joined, mm

if TYPE_CHECKING:
    from flank.design.falls import Falls
    from flank.design.requirements import CycloidalRequirements

DISCS = (1, 2)
ROLLERS = (4, 5, 6, 8, 10, 12)
SHORTENINGS = (0.5, 0.6, 0.7, 0.8)
PIN_SHARES = (0.5, 0.7, 0.9)
WIDTH_SHARES = (0.1, 0.15, 0.2, 0.3)

SAME_RATIO = 1e-9

MOST_PINS, FEWEST_PINS = 120, 6
"""Beyond are pins of parts of a millimetre, or lobes that no longer overlap."""

UNDERCUT_SHARE, SPACING = 0.84, 1.12
"""Of the radius that would undercut, and the pitch over the diameter: what `check` asks for, with
a little in hand for rounding."""

ONE_DISC_SPEED = 500 * math.pi / 30
"""rad/s of the input, up to which a disc without its counterpart is not refused."""

FILLED = 0.98
"""Of an envelope, by drives that fill it: rounding and solves ask for a little more."""

GRID = 0.1e-3
"""m, to which dimensions are rounded, as on drawings."""

LOCAL = 0.15
"""By which share the circle may change in the local search."""

STEP, SMALLEST_CIRCLE, LARGEST_CIRCLE = 1.04, 5e-3, 1.0
"""The ladder of pin circles that is climbed, radii in m."""

WALL, HOUSING_WALL = 0.035, 0.06
"""Over R."""

SHEAR, SHAFT_LEAST = 40e6, 3e-3
"""Pa and m: of the input shaft."""

NEEDLE, FILLING, NEEDLE_LENGTH = 0.2, 0.9, 0.9
NEEDLE_CLEARANCE = 5e-6

PIN_UNDER_ROLLER = 0.75
ROLLER_LEAST = 1e-3
SHORTEST_ROLLER = 0.42
"""Width over diameter of a roller; `check` asks for 0.4."""

GAP = 1e-3
"""m, between discs and flanges."""

CIRCLE_GRID, MOST_STEPS_UP = 0.5e-3, 12
"""Of the pin circle's radius, and how often rounding may enlarge it."""

DRAWS, IN_HAND = 48, 1.15
"""Drawn drives that are to be free, and by which factor clearances exceed what these need."""

MOST_CLEARANCE = 12.0
"""Over what parts deviate."""

ASSUMPTIONS = (
    "Pins, rollers and needles of steel, held fast or solved inside their bearings; no friction.",
    "Output pins held at both ends, flanges as thick as a roller, a housing of 0.06 of the pin "
    "circle's radius, a shaft through flange and discs.",
    "Clearances that leave drawn drives free; deviations of parts that are bought are usual ones.",
    "Contact damping 10 s/m, as of an oiled contact; not measured.",
)


class Packed(NamedTuple):
    """What finds room in and around a disc; lengths in m."""

    shaft: float
    eccentric: float
    needle: float
    needles: int
    bore: float
    roller_circle: float
    roller: float
    hole: float


@dataclass(frozen=True)
class Shape:
    """A toothing and its width, from the values of a candidate."""

    pins: int
    circle: float
    shortening: float
    pin: float
    width: float

    @property
    def eccentricity(self) -> float:
        return self.shortening * self.circle / self.pins

    @property
    def lobes(self) -> int:
        return self.pins - 1

    @property
    def root(self) -> float:
        return self.circle - self.pin - self.eccentricity


@dataclass(frozen=True)
class CycloidalDesigner:
    """See above."""

    wanted: CycloidalRequirements

    machine: ClassVar[str] = "cycloidal-drive"
    title: ClassVar[str] = "Cycloidal drives"
    heads: ClassVar[int] = 6
    evaluations: ClassVar[int] = 28
    verified_by: ClassVar[tuple[str, ...]] = ("hysteresis", "transmission-error")

    @property
    def variables(self) -> Mapping[str, Variable]:
        return {
            "circle": Variable(
                "radius of the pin circle", SMALLEST_CIRCLE, self._largest_circle, LOCAL
            ),
            "shortening": Variable("shortening coefficient", 0.42, 0.85),
            "pin_share": Variable("pin radius over the largest possible", 0.35, 1.0),
            "width_share": Variable("disc width over the pin circle's radius", 0.07, 0.4),
        }

    def asked(self, machine: Any, figures: Any) -> Iterator[Asked]:
        allowed = self.wanted.allowed_pressure
        yield from pressures(machine, {"pin": allowed, "roller": allowed})
        yield from play_and_stiffness(self.wanted, figures)

    def begin_larger(self, values: Sequence[float], factor: float) -> tuple[float, ...]:
        return (values[0] * factor, *values[1:])

    @property
    def pins(self) -> int:
        return round(self.wanted.wanted_ratio) + 1

    def ratio_problems(self) -> Iterator[str]:
        """Ratios that no drive of one stage has, with the nearest that one has."""
        ratio, least, most = self.wanted.wanted_ratio, FEWEST_PINS - 1, MOST_PINS - 1
        nearest = {min(max(end(ratio), least), most) for end in (math.floor, math.ceil)}
        off = min(abs(each / ratio - 1) for each in nearest)
        if off > max(self.wanted.ratio_tolerance, SAME_RATIO):
            known = joined(sorted(nearest), "and")
            yield (
                f"ratio is {ratio:.6g}; a cycloidal drive has whole ones from {least} to {most}, "
                f"its pins less one: nearest {'are' if len(nearest) > 1 else 'is'} {known}; give "
                "one of them, or a ratio_tolerance"
            )

    def candidates(self, falls: Falls) -> Sequence[Candidate]:
        found = []
        for discs, rollers in self.families(falls):
            for shape in itertools.product(SHORTENINGS, PIN_SHARES, WIDTH_SHARES):
                try:
                    found.append(self._sized(discs, rollers, *shape))
                except Fallen as fallen:
                    fallen.tell(falls)
        return found

    def families(self, falls: Falls) -> Iterator[tuple[int, int]]:
        for discs in DISCS:
            for rollers in ROLLERS:
                if discs == 1 and self.wanted.speed > ONE_DISC_SPEED:
                    speed = self.wanted.speed / ONE_DISC_SPEED
                    falls.add("unbalanced", speed, "one disc alone shakes at this input speed")
                else:
                    yield discs, rollers

    def _sized(
        self, discs: int, rollers: int, shortening: float, pin_share: float, width_share: float
    ) -> Candidate:
        """The smallest circle on the ladder where parts find room and nothing is pressed too hard,
        or the largest in the envelope where play or stiffness rank; Fallen with the last reason
        where the envelope is reached before."""
        numbers = (("discs", discs), ("rollers", rollers))
        shape = (shortening, pin_share, width_share)
        blank = Candidate(numbers, (0.0, *shape), 0.0)
        least, last = self._least_circle(blank), Fallen("envelope-diameter")
        best: Candidate | None = None
        for circle in _ladder(least):
            trial = replace(blank, values=(circle, *blank.values[1:]))
            outer = self._outer_radius(self._shape(trial.values))
            if outer > self._envelope_radius or (best and outer > FILLED * self._envelope_radius):
                break
            try:
                size = self._estimated(trial)
            except Fallen as fallen:
                last = fallen
                continue
            best = replace(trial, score=self._score(trial, size))
            if not self._fills:
                break
        else:
            if best is None:
                raise last
        if best is not None:
            return best
        needed = 2 * self._outer_radius(self._shape((circle, *blank.values[1:])))
        excess = needed / (2 * self._envelope_radius)
        words = f"{mm(needed, 4)} across needed because of {last.code.replace('-', ' ')}"
        if last.code == "envelope-diameter":
            words = f"{mm(needed, 4)} across needed because of pin pressure"
        raise Fallen("envelope-diameter", excess, words)

    @property
    def _fills(self) -> bool:
        """Whether the drive is the better the more of its envelope it fills."""
        wanted = self.wanted
        return wanted.rank in ("play", "stiffness") and wanted.outer_diameter is not None

    def _score(self, trial: Candidate, size: Envelope) -> float:
        """The cost of ranking, roughly: play goes with the levers of pins and rollers, stiffness
        with width and the square of the circle."""
        shape = self._shape(trial.values)
        if self.wanted.rank == "play":
            pack = self._pack(shape, trial.number("discs"), trial.number("rollers"))
            return 1 / (shape.eccentricity * shape.lobes) + 1 / pack.roller_circle
        if self.wanted.rank == "stiffness":
            return -trial.number("discs") * shape.width * shape.circle**2
        return {"diameter": size.diameter, "length": size.length}.get(self.wanted.rank, size.volume)

    def _estimated(self, trial: Candidate) -> Envelope:
        """By closed forms alone."""
        shape = self._shape(trial.values)
        self._pack(shape, trial.number("discs"), trial.number("rollers"))
        size = self._size(shape, trial)
        wanted = self.wanted.length
        if wanted is not None and size.length > wanted:
            words = f"{mm(size.length, 4)} long"
            raise Fallen("envelope-length", size.length / wanted, words)
        return size

    def _shape(self, values: Sequence[float]) -> Shape:
        circle, shortening, pin_share, width_share = values
        pin = pin_share * largest_radius(self.pins, circle, shortening, SPACING, UNDERCUT_SHARE)
        return Shape(self.pins, circle, shortening, pin, width_share * circle)

    def _least_circle(self, blank: Candidate) -> float:
        """Where the largest pressure of ideal flanks is the allowed one: p² ~ T/R³."""
        shape = self._shape((0.05, *blank.values[1:]))
        torque = self.wanted.torque / blank.number("discs")
        pressure = largest_pressure(
            shape.pins, shape.circle, shape.shortening, shape.pin, shape.width, torque, self.modulus
        )
        return shape.circle * math.pow(pressure / self.wanted.allowed_pressure, 2 / 3)

    @cached_property
    def modulus(self) -> float:
        return contact_modulus(
            BUILT_IN_MATERIALS[self.wanted.made_of].elastic, BUILT_IN_MATERIALS["steel"].elastic
        )

    @property
    def _thinnest(self) -> float:
        """The thinnest wall of the process in m."""
        return PROCESSES[self.wanted.process].guides.least_wall

    @property
    def _envelope_radius(self) -> float:
        outer = self.wanted.outer_diameter
        return LARGEST_CIRCLE if outer is None else 0.5 * outer

    @property
    def _largest_circle(self) -> float:
        return self._envelope_radius / (1 + HOUSING_WALL)

    def _outer_radius(self, shape: Shape) -> float:
        return shape.circle + shape.pin + max(HOUSING_WALL * shape.circle, self._thinnest)

    def _size(self, shape: Shape, trial: Candidate) -> Envelope:
        discs = trial.number("discs")
        pack = self._pack(shape, discs, trial.number("rollers"))
        length = discs * shape.width + (discs + 1) * GAP + 4 * pack.roller
        return Envelope(2 * self._outer_radius(shape), length)

    def _pack(self, shape: Shape, discs: int, rollers: int) -> Packed:
        """Parts from the shaft outwards; Fallen where the disc ends before they do."""
        wall = max(WALL * shape.circle, self._thinnest)
        torque = self.wanted.torque / discs
        shaft = self._shaft()
        eccentric, needle, count = self._needles(shape, torque, shaft + shape.eccentricity + wall)
        bore = eccentric + 2 * needle + NEEDLE_CLEARANCE
        room = shape.root - bore - 2 * wall
        circle = 0.5 * (shape.root + bore)
        hole = min(0.5 * room, circle * math.sin(math.pi / rollers) - 0.5 * wall)
        roller = min(hole - shape.eccentricity, 0.5 * shape.width / SHORTEST_ROLLER)
        hole = roller + shape.eccentricity
        least = max(ROLLER_LEAST, 0.6 * shape.eccentricity)
        if roller < least:
            needed = bore + 2 * wall + 2 * (least + shape.eccentricity)
            words = "no room for output rollers between bore and flank"
            raise Fallen("output-rollers-no-room", needed / max(shape.root, 1e-9), words)
        self._press_rollers(shape, torque, rollers, circle, roller, hole)
        return Packed(shaft, eccentric, needle, count, bore, circle, roller, hole)

    def _shaft(self) -> float:
        """Radius of the input shaft: τ = 2 T r/(π (r⁴ - b⁴))."""
        bore = 0.5 * (self.wanted.bore or 0.0)
        torque = self.wanted.peak / self.wanted.wanted_ratio
        radius = max(SHAFT_LEAST, bore + max(1.5e-3, 0.1 * bore))
        while 2 * torque * radius / (math.pi * (radius**4 - bore**4)) > SHEAR:
            radius *= 1.05
        return radius

    def _needles(self, shape: Shape, torque: float, least: float) -> tuple[float, float, int]:
        """Radii of eccentric and needle and their number, that last for the wanted life."""
        turns = self.wanted.life * self.wanted.speed * (1 + 1 / shape.lobes) / (2 * math.pi)
        across = torque / (shape.eccentricity * shape.lobes)
        radius = least
        while True:
            needle = max(NEEDLE * radius, 0.5e-3)
            bore = radius + 2 * needle
            if bore >= shape.root:
                words = "the eccentric's needles that last find no room in the disc"
                raise Fallen("bearing-life", bore / shape.root, words)
            count = int(FILLING * math.pi * (radius + needle) / needle)
            rollers = 4 * torque / (math.pi * 0.5 * (shape.root + bore))
            along = abs(rollers - along_share(shape.shortening) * across)
            length = NEEDLE_LENGTH * shape.width
            rating = RollerBearing(count, 2 * needle, length, 2 * (radius + needle))
            if rating.life(math.hypot(across, along)) >= turns:
                return radius, needle, count
            radius *= 1.03

    def _press_rollers(
        self, shape: Shape, torque: float, rollers: int, circle: float, roller: float, hole: float
    ) -> None:
        """F = 4 M/(n R_w) on the roller abreast of the crank, in a hole larger by e."""
        force = 4 * torque / (rollers * circle)
        relative = 1 / roller - 1 / hole
        pressure = math.sqrt(force / shape.width * self.modulus * relative / math.pi)
        allowed = self.wanted.allowed_pressure
        if pressure > allowed:
            words = f"{pressure / 1e6:.0f} MPa at output rollers"
            raise Fallen("roller-pressure", pressure / allowed, words)

    def spec(self, candidate: Candidate, values: Sequence[float]) -> dict[str, Any]:
        """See Designer.spec; dimensions are those of drawings."""
        discs, rollers = candidate.number("discs"), candidate.number("rollers")
        shape, pack = self._drawn_and_packed(values, discs, rollers)
        needle = max(rounded(pack.needle, 0.25e-3), 0.5e-3)
        bore = rounded(pack.eccentric, GRID) + 2 * needle + NEEDLE_CLEARANCE
        circle = rounded(pack.roller_circle, GRID)
        roller = rounded(pack.roller, GRID, down=True)
        wanted = self.wanted
        made_of = wanted.made_of
        base = {
            "machine": self.machine,
            "rated_torque": wanted.torque,
            "eccentricity": shape.eccentricity,
            "pins": {"count": shape.pins, "circle_radius": shape.circle, "radius": shape.pin},
            "discs": {
                "count": discs,
                "width": shape.width,
                "bore_radius": bore,
                "material": made_of,
            },
            "eccentric": {
                "bearing": "needles",
                "needles": {
                    "count": int(FILLING * math.pi * (bore - needle) / needle),
                    "radius": needle,
                    "length": rounded(NEEDLE_LENGTH * shape.width, GRID, down=True),
                    "clearance": NEEDLE_CLEARANCE,
                },
            },
            "output": {
                "kind": "rollers",
                "rollers": {"count": rollers, "circle_radius": circle, "radius": roller},
            },
            "structure": self._structure(shape, pack, roller, circle),
            "contact": {"law": "hertz", "damping": 10.0},
            "operation": {
                "input_speed": in_rpm(wanted.speed),
                "torque": wanted.operating,
            },
            "source": source(wanted),
            "assumptions": ASSUMPTIONS,
            "title": self._name(discs, rollers, shape),
        }
        if wanted.peak_torque is not None:
            base["peak_torque"] = wanted.peak_torque
        if wanted.process != "ground" and wanted.tolerance is None:
            base["making"] = {"process": wanted.process}
        base["tolerances"] = self._tolerances(base)
        return self._with_clearance(base)

    def _name(self, discs: int, rollers: int, shape: Shape) -> str:
        return (
            f"Cycloidal drive, ratio {shape.lobes}, {self.wanted.torque:g} N·m: "
            f"{discs} {'disc' if discs == 1 else 'discs'}, {rollers} output rollers, pins on "
            f"{mm(shape.circle, 4)}"
        )

    def _drawn_and_packed(
        self, values: Sequence[float], discs: int, rollers: int
    ) -> tuple[Shape, Packed]:
        """With dimensions as drawings have them, on the first circle that leaves room then."""
        circle, *others = values
        for larger in range(MOST_STEPS_UP):
            shape = self._drawn(self._shape((circle + larger * CIRCLE_GRID, *others)))
            try:
                return shape, self._pack(shape, discs, rollers)
            except Fallen as fallen:
                last = fallen
        raise last

    def _drawn(self, shape: Shape) -> Shape:
        """Pins have diameters in half millimetres, down to 2 mm in tenths."""
        circle = rounded(shape.circle, CIRCLE_GRID, up=True)
        grid = 0.25e-3 if shape.pin > 1e-3 else 0.05e-3
        eccentricity = rounded(
            shape.eccentricity, 0.05e-3 if shape.eccentricity > 1e-3 else 0.01e-3
        )
        return Shape(
            shape.pins,
            circle,
            eccentricity * shape.pins / circle,
            max(rounded(shape.pin, grid, down=True), 0.25e-3),
            rounded(shape.width, 0.5e-3 if shape.width > 5e-3 else GRID),
        )

    def _structure(
        self, shape: Shape, pack: Packed, roller: float, circle: float
    ) -> dict[str, Any]:
        flange = rounded(2 * roller, GRID)
        return {
            "output_pins": {
                "held": "both ends",
                "radius": rounded(PIN_UNDER_ROLLER * roller, GRID, down=True) or roller,
                "gap": GAP,
            },
            "flanges": {"width": flange, "output_radius": circle},
            "shaft": {
                "length": rounded(flange + 2 * shape.width, GRID),
                "radius": rounded(pack.shaft, GRID),
                "bore_radius": 0.5 * (self.wanted.bore or 0.0),
            },
            "housing": {
                "wall": rounded(self._outer_radius(shape) - shape.circle - shape.pin, GRID),
                "length": rounded(2 * shape.width, GRID),
            },
        }

    def _tolerances(self, base: Mapping[str, Any]) -> dict[str, Any]:
        """Lengths as wanted, angles by the radius at which they are measured."""
        from flank.machines.cycloidal.spec import CycloidalDriveSpec

        spec = CycloidalDriveSpec.from_mapping(base)
        return tolerances(spec, self.wanted.deviation, spec.pins.circle_radius)

    def _with_clearance(self, base: dict[str, Any]) -> dict[str, Any]:
        """With the least modification and hole clearance that leave every draw some play."""
        from flank.machines.cycloidal.spec import CycloidalDriveSpec

        spec = CycloidalDriveSpec.from_mapping(base)
        of = DrivePlay(spec, drawn(spec, DRAWS, self.wanted.seed))
        most = MOST_CLEARANCE * max(spec.tolerance("pin_radial"), 1e-6)
        least = of.least_clearances(most)
        if least is None:
            words = f"clearances of {most * 1e6:.0f} µm do not keep drawn drives from jamming"
            raise Fallen("jams", math.inf, words)
        least = least.times(IN_HAND)
        rollers = base["output"]["rollers"]
        cleared = rollers["radius"] + base["eccentricity"] + rounded(least.hole, 0.5e-6, up=True)
        removed = {
            name: rounded(getattr(least, name), 0.1e-6) for name in ("equidistant", "radial")
        }
        output = {"kind": "rollers", "rollers": rollers | {"hole_radius": cleared}}
        return base | {"discs": base["discs"] | removed, "output": output}

    def sizes(self, machine: Any) -> Sequence[Size]:
        spec = machine.spec
        return (
            Size("pins", spec.pins.count, "", ""),
            Size("radius of the pin circle", spec.pins.circle_radius),
            Size("pin radius", spec.pins.radius),
            Size("eccentricity", spec.eccentricity),
            Size("disc width", spec.discs.width),
            Size("equidistant modification", spec.discs.equidistant, "m", "um"),
            Size("radial modification", spec.discs.radial, "m", "um"),
        )

    def envelope(self, machine: Any) -> Envelope:
        spec = machine.spec
        housing = spec.structure.housing
        outer = spec.pins.circle_radius + spec.pins.radius + housing.wall
        discs = spec.discs.count
        length = discs * spec.discs.width + (discs + 1) * spec.structure.output_pins.gap
        length += 2 * spec.structure.flanges.width
        return Envelope(2 * outer, length)


def _ladder(least: float) -> Iterable[float]:
    """Circles from the least on, in steps that do not depend on it."""
    start = math.ceil(math.log(max(least, SMALLEST_CIRCLE)) / math.log(STEP))
    end = math.floor(math.log(LARGEST_CIRCLE) / math.log(STEP))
    return (STEP**k for k in range(start, end + 1))
