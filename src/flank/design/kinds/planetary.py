"""Planetary sets for given requirements: the tooth numbers of geometry/planetary_design.py with a
module, widths and profile shifts.

The ring is held, the sun drives and the carrier is loaded. Whole numbers: teeth, planets that
assemble at equal distances, module of ISO 54. Free are the face width over the module and the sun's
profile shift; the others follow, so that sun and ring mesh with the planets at one centre distance.
First sizing goes by σ_H of sun and planet with rough factors; what decides is the rating by
ISO 6336 and all other rules of `flank check`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from flank.design.candidate import Candidate, Envelope, Fallen, Variable
from flank.design.kinds.gear_teeth import MODULES, WIDTHS, least_width, refuse_larger, thinner
from flank.design.kinds.rounding import in_rpm, rounded, source
from flank.design.measure import Asked, play_and_stiffness
from flank.design.overview import Size
from flank.geometry.planetary_design import Design, Search, designs, ratio_limits
from flank.texts import joined, mm

if TYPE_CHECKING:
    from flank.design.falls import Falls
    from flank.design.requirements import PlanetaryRequirements

PLANETS = (3, 4, 5)
LEAST_TEETH, MOST_SUN, MOST_RING = 17, 60, 200
GAP = 1.2
"""Modules between tips of neighbouring planets, at least."""

SETS = 40
"""Of tooth numbers, nearest the ratio first, that are gone through."""

RIM = 3.6
"""Modules of the ring outside its roots: 3.5 are asked for."""

SHORTER = 0.15
"""Modules of the ring's teeth, which else run into the fillets of small planets."""

REVERSED = 0.7
"""Of the strength of roots, where a planet's teeth bend to either side (ISO 6336-3)."""

SHARING = 1.15
"""Load of the most loaded planet over the mean, in first sizing."""

ASSUMPTIONS = (
    "Sun, ring and carrier in rigid bearings, planets on rigid pins; bodies solid.",
    "Teeth thinner by 0.02 modules and 60 um at least, those of the ring shorter by 0.15 modules.",
    "Centre distance of (sun + ring)/4 modules, profile shifts of planets and ring as it asks for.",
)


@dataclass(frozen=True)
class PlanetaryDesigner:
    """See above."""

    wanted: PlanetaryRequirements

    machine: ClassVar[str] = "planetary-gearbox"
    title: ClassVar[str] = "Planetary sets, ring held"
    heads: ClassVar[int] = 5
    evaluations: ClassVar[int] = 14
    verified_by: ClassVar[tuple[str, ...]] = ("hysteresis", "transmission-error", "mesh-phasing")

    @property
    def variables(self) -> Mapping[str, Variable]:
        return {
            "width": Variable("face width over the module", *WIDTHS),
            "shift": Variable("profile shift of the sun", 0.0, 0.5),
        }

    def begin_larger(self, values: Sequence[float], factor: float) -> tuple[float, ...]:
        return (values[0] * factor, *values[1:])

    def _search(self, tolerance: float) -> Search:
        return Search(
            ratio=self.wanted.wanted_ratio,
            planets=PLANETS,
            tolerance=tolerance,
            least_teeth=LEAST_TEETH,
            most_sun_teeth=MOST_SUN,
            most_ring_teeth=MOST_RING,
            shift=0.5,
            clearance=GAP,
        )

    @cached_property
    def sets(self) -> tuple[Design, ...]:
        return tuple(designs(self._search(max(self.wanted.ratio_tolerance, 1e-9)))[:SETS])

    def ratio_problems(self) -> Iterator[str]:
        if self.sets:
            return
        ratio, ends = self.wanted.wanted_ratio, [ratio_limits("ring", n) for n in PLANETS]
        low, high = min(a for a, _ in ends), max(b for _, b in ends)
        if not low < ratio < high:
            yield (
                f"ratio is {ratio:.6g}; a planetary set with its ring held has {low:.4g} to "
                f"{high:.4g}, for more try cycloidal or rv"
            )
            return
        near = designs(self._search(0.2))
        named = joined(dict.fromkeys(f"{float(each.ratio):.6g}" for each in near[:6]), "and")
        yield (
            f"ratio is {ratio:.6g}; the nearest with {LEAST_TEETH} teeth and more are "
            f"{named or 'none'}; give one of them, or a larger ratio_tolerance"
        )

    def candidates(self, falls: Falls) -> Sequence[Candidate]:
        found = []
        for each in self.sets:
            for module in MODULES:
                numbers = (
                    ("sun_teeth", each.teeth.sun),
                    ("planet_teeth", each.teeth.planet),
                    ("ring_teeth", each.teeth.ring),
                    ("planets", each.planets),
                    ("module_um", round(1e3 * module)),
                )
                try:
                    found.append(self._sized(Candidate(numbers, (0.0, 0.2), 0.0)))
                except Fallen as fallen:
                    fallen.tell(falls)
        return found

    def _sized(self, blank: Candidate) -> Candidate:
        """With the least width that the flanks of sun and planets ask for."""
        module, sun = 1e-6 * blank.number("module_um"), blank.number("sun_teeth")
        planet, ring = blank.number("planet_teeth"), blank.number("ring_teeth")
        outer = module * (ring + 2.5 + 2 * RIM)
        refuse_larger(self.wanted, outer)
        force = SHARING * self.wanted.torque / self.wanted.wanted_ratio / blank.number("planets")
        force /= 0.5 * module * sun
        smaller, larger = min(sun, planet), max(sun, planet)
        sizes = module * smaller, larger / smaller
        width = least_width(self.wanted, force, module, *sizes, REVERSED)
        bore = self.wanted.bore
        room = module * (sun - 2.5) - 7 * module
        if bore is not None and bore > room:
            raise Fallen("bore", bore / max(room, 1e-9), f"{mm(bore, 4)} leaves no rim to the sun")
        score = Envelope(outer, width * module).volume
        return replace(blank, values=(width, blank.values[1]), score=score)

    def spec(self, candidate: Candidate, values: Sequence[float]) -> dict[str, Any]:
        wanted, module = self.wanted, 1e-6 * candidate.number("module_um")
        sun, ring = candidate.number("sun_teeth"), candidate.number("ring_teeth")
        planet, count = candidate.number("planet_teeth"), candidate.number("planets")
        width, shift = rounded(values[0] * module, 0.5e-3, up=True), rounded(values[1], 0.01)
        thin = -thinner(module)
        gear = {"face_width": width, "thickness_deviation": thin, "material": wanted.made_of}
        planets_shift, ring_shift = _shifts(sun, planet, ring, shift)
        hole = {} if wanted.bore is None else {"bore_radius": 0.5 * wanted.bore}
        spec = {
            "machine": self.machine,
            "title": f"Planetary set {sun}/{planet}/{ring}, {count} planets, module "
            f"{1e3 * module:g} mm, {wanted.torque:g} N·m",
            "source": source(wanted),
            "assumptions": ASSUMPTIONS,
            "rated_torque": wanted.torque,
            "rack": {"normal_module": module},
            "sun": {"teeth": sun, "profile_shift": shift, **gear, **hole},
            "planets": {"count": count, "teeth": planet, "profile_shift": planets_shift, **gear},
            "ring": {
                "teeth": ring,
                "profile_shift": ring_shift,
                **gear,
                "tip_radius": module * (0.5 * ring - 1 - ring_shift + SHORTER),
                "outer_radius": rounded(0.5 * module * (ring + 2.5 + 2 * RIM), 0.5e-3, up=True),
            },
            "sun_mesh": {"model": "table"},
            "ring_mesh": {"model": "table"},
            "rating": {"life": wanted.life},
            "operation": {
                "input": "sun",
                "output": "carrier",
                "input_speed": in_rpm(wanted.speed),
                "torque": wanted.operating,
            },
        }
        if wanted.peak_torque is not None:
            spec["peak_torque"] = wanted.peak_torque
        return spec

    def envelope(self, machine: Any) -> Envelope:
        spec = machine.spec
        return Envelope(2 * spec.ring.outer_radius, spec.ring.face_width)

    def asked(self, machine: Any, figures: Any) -> Iterator[Asked]:
        yield from play_and_stiffness(self.wanted, figures)

    def sizes(self, machine: Any) -> Sequence[Size]:
        spec = machine.spec
        return (
            Size("ratio", abs(machine.ratio), "", ""),
            Size("module", spec.rack.normal_module),
            Size("face width", spec.sun.face_width),
            Size("profile shift of the sun", spec.sun.profile_shift, "", ""),
            Size("profile shift of planets", spec.planets.profile_shift, "", ""),
            Size("profile shift of the ring", spec.ring.profile_shift, "", ""),
        )


def _shifts(sun: int, planet: int, ring: int, shift: float) -> tuple[float, float]:
    """Of planets and ring, so that both mesh without backlash at one centre distance.

    Where the distances agree without shift, planets take back what the sun has and the ring
    follows them (x_r = -x_p by ISO 21771's sign). Where planets have fewer teeth, d modules are
    made up between them: planets take what opens the distance of the sun by d/2, and the ring what
    closes its own.
    """
    middle = 0.25 * (sun + ring)
    first = _shift_sum(sun + planet, 2 * middle)
    second = _shift_sum(ring - planet, 2 * middle)
    planets = rounded(first - shift, 1e-4)
    return planets, rounded(-second - planets, 1e-4)


ANGLE = math.radians(20)


def _shift_sum(teeth: int, working: float) -> float:
    """Σx with which gears of so many teeth in sum (a ring's less its planet's) mesh at a working
    sum: Σx = z (inv α_w - inv α)/(2 tan α), cos α_w = z cos α/z_w."""
    angle = math.acos(teeth * math.cos(ANGLE) / working)
    opened = math.tan(angle) - angle - (math.tan(ANGLE) - ANGLE)
    return teeth * opened / (2 * math.tan(ANGLE))
