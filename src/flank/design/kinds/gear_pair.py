"""Gear pairs for given requirements.

Whole numbers: teeth of pinion and wheel (every tooth meets every tooth), module of ISO 54, helix
angle 0 or 15 degrees. Free are the face width over the module and the pinion's profile shift. First
sizing goes by σ_H with rough factors; what decides is the rating by ISO 6336 and all other rules of
`flank check`. The rated torque is that of the wheel.
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

if TYPE_CHECKING:
    from flank.design.falls import Falls
    from flank.design.requirements import GearPairRequirements

PINIONS = range(17, 41)
HELICES = (0, 15)
"""Degrees."""

LARGEST_RATIO = 8.0
WALL = 3.5
"""Modules of the body under the teeth of a gear that is bored out."""

ASSUMPTIONS = (
    "Radially rigid bearings and rigid shafts; bodies bored to half their root radius.",
    "Teeth thinner by 0.02 modules and 60 um at least, no relief.",
    "4 percent of critical damping in the mesh.",
)


@dataclass(frozen=True)
class GearPairDesigner:
    """See above."""

    wanted: GearPairRequirements

    machine: ClassVar[str] = "gear-pair"
    title: ClassVar[str] = "Gear pairs"
    heads: ClassVar[int] = 6
    evaluations: ClassVar[int] = 16
    verified_by: ClassVar[tuple[str, ...]] = ("hysteresis", "transmission-error")

    @property
    def variables(self) -> Mapping[str, Variable]:
        return {
            "width": Variable("face width over the module", *WIDTHS),
            "shift": Variable("profile shift of the pinion", 0.0, 0.6),
        }

    def begin_larger(self, values: Sequence[float], factor: float) -> tuple[float, ...]:
        return (values[0] * factor, *values[1:])

    @cached_property
    def teeth(self) -> tuple[tuple[int, int], ...]:
        """Of pinion and wheel, that give the ratio and have no common factor."""
        ratio, allowed = self.wanted.wanted_ratio, max(self.wanted.ratio_tolerance, 1e-9)
        pairs = ((pinion, round(pinion * ratio)) for pinion in PINIONS)
        return tuple(
            (pinion, wheel)
            for pinion, wheel in pairs
            if abs(wheel / pinion / ratio - 1) <= allowed
            and math.gcd(pinion, wheel) == 1
            and wheel >= PINIONS[0]
        )

    def ratio_problems(self) -> Iterator[str]:
        ratio = self.wanted.wanted_ratio
        if ratio > LARGEST_RATIO or ratio < 1 / LARGEST_RATIO:
            yield (
                f"ratio is {ratio:.6g}; one pair of gears has {1 / LARGEST_RATIO:g} to "
                f"{LARGEST_RATIO:g}, for more try planetary, cycloidal or rv"
            )
        elif not self.teeth:
            off = sorted(
                (abs(wheel / z / ratio - 1), z, wheel)
                for z in PINIONS
                for wheel in (
                    math.floor(z * ratio),
                    math.floor(z * ratio) + 1,
                    round(z * ratio) - 1,
                )
                if math.gcd(z, wheel) == 1 and wheel >= PINIONS[0]
            )
            named = " and ".join(f"{w / z:.6g} ({z}/{w})" for _, z, w in off[:2])
            yield (
                f"ratio is {ratio:.6g}; the nearest of teeth without a common factor are {named}; "
                f"give one of them or a ratio_tolerance of {off[0][0]:.2g}"
            )

    def candidates(self, falls: Falls) -> Sequence[Candidate]:
        found = []
        for pinion, wheel in self.teeth:
            for helix in HELICES:
                for module in range(len(MODULES)):
                    numbers = (
                        ("pinion_teeth", pinion),
                        ("wheel_teeth", wheel),
                        ("helix_angle", helix),
                        ("module_um", round(1e3 * MODULES[module])),
                    )
                    try:
                        found.append(self._sized(Candidate(numbers, (0.0, 0.3), 0.0)))
                    except Fallen as fallen:
                        fallen.tell(falls)
        return found

    def _sized(self, blank: Candidate) -> Candidate:
        """With the least width that its flanks ask for."""
        module = 1e-6 * blank.number("module_um") / self._cosine(blank)
        pinion, wheel = blank.number("pinion_teeth"), blank.number("wheel_teeth")
        outer = module * max(pinion + 2, wheel + 2)
        refuse_larger(self.wanted, outer)
        force = self.wanted.torque / (0.5 * module * wheel)
        width = least_width(self.wanted, force, module, module * pinion, wheel / pinion)
        score = Envelope(outer, width * module).volume
        return replace(blank, values=(width, blank.values[1]), score=score)

    def _cosine(self, candidate: Candidate) -> float:
        return math.cos(math.radians(candidate.number("helix_angle")))

    def spec(self, candidate: Candidate, values: Sequence[float]) -> dict[str, Any]:
        wanted, module = self.wanted, 1e-6 * candidate.number("module_um")
        pinion, wheel = candidate.number("pinion_teeth"), candidate.number("wheel_teeth")
        width, shift = rounded(values[0] * module, 0.5e-3, up=True), rounded(values[1], 0.01)
        helix = candidate.number("helix_angle")
        gears = {}
        for name, teeth, own in (("pinion", pinion, shift), ("wheel", wheel, -shift)):
            root = 0.5 * module * (teeth / self._cosine(candidate) - 2.5 + 2 * own)
            gears[name] = {
                "teeth": teeth,
                "profile_shift": own,
                "face_width": width,
                "thickness_deviation": -thinner(module),
                "material": wanted.made_of,
                "body": {"bore_diameter": self._bore(root, module)},
            }
        spec = {
            "machine": self.machine,
            "title": f"Gear pair {pinion}/{wheel}, module {1e3 * module:g} mm, "
            f"{wanted.torque:g} N·m",
            "source": source(wanted),
            "assumptions": ASSUMPTIONS,
            "rated_torque": wanted.torque,
            "damping_ratio": 0.04,
            "rack": {"normal_module": module, "helix_angle": math.radians(helix)},
            **gears,
            "mesh": {"model": "table"},
            "rating": {"life": wanted.life},
            "operation": {"input_speed": in_rpm(wanted.speed), "torque": wanted.operating},
        }
        if wanted.peak_torque is not None:
            spec["peak_torque"] = wanted.peak_torque
        return spec

    def _bore(self, root: float, module: float) -> float:
        """Half the root radius, or what is asked for; Fallen where no rim is left."""
        radius = max(rounded(0.5 * root, 0.5e-3, down=True), 0.5 * (self.wanted.bore or 0.0))
        if root - radius < WALL * module and radius > 0.5 * root:
            raise Fallen("bore", radius / root, "the bore leaves no rim under the teeth")
        return 2 * radius

    def envelope(self, machine: Any) -> Envelope:
        spec = machine.spec
        outer = 2 * max(spec.pinion_gear.tip_radius, spec.wheel_gear.tip_radius)
        return Envelope(outer, max(spec.pinion.face_width, spec.wheel.face_width))

    def asked(self, machine: Any, figures: Any) -> Iterator[Asked]:
        if self.wanted.pressure is not None:
            title = "flank pressure"
            value = figures.value("pressure")
            yield Asked("flank-pressure", title, value, self.wanted.pressure, "Pa", "MPa")
        yield from play_and_stiffness(self.wanted, figures)

    def sizes(self, machine: Any) -> Sequence[Size]:
        spec = machine.spec
        return (
            Size("ratio", abs(machine.ratio), "", ""),
            Size("module", spec.rack.normal_module),
            Size("centre distance", spec.pair.centre_distance),
            Size("face width", spec.face_width),
            Size("profile shift of the pinion", spec.pinion.profile_shift, "", ""),
        )
