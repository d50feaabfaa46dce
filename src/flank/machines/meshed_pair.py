"""Two gears as a machine knows them: geometry, materials, the model of their mesh, what they bear.

Limits are for models that know the whole force of a mesh only. The nominal Hertz pressure is that
of ISO 6336-2: at the pitch point, on the length of contact that the factor Z_ε counts. In the
transverse plane, with the curvature 1/ρ = (1/r_b1 ± 1/r_b2)/tan α_wt,

    p0² = F Z_ε² cos β_b E* / (π b ρ).

Dynamic and face load factors are left out: forces are those of the model.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from flank.contact.flexible_gear import ROW, GearModes, gear_modes
from flank.contact.gear_loading import FlankDeviations, GearLoading, elastic_loading
from flank.elasticity.finite_elements.kept_numbers import kept_numbers
from flank.elasticity.line_contact import half_width
from flank.elasticity.material import Material, contact_modulus
from flank.elasticity.mesh_stiffness import mean_stiffness
from flank.elasticity.stiffness_curve import StiffnessCurve
from flank.elasticity.tooth_beam import held_section, load_line
from flank.elasticity.tooth_foundation import HALF_ANGLES, RADIUS_RATIOS, sainsot_root
from flank.errors import SpecError
from flank.geometry.findings import Finding, error, warning
from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair
from flank.geometry.measured_teeth import MeasuredFlanks
from flank.geometry.pair_checks import Names
from flank.geometry.pair_gap import LARGEST_DEFLECTION
from flank.machines.base import LinePressure, MeshPlace, ToothLimits
from flank.machines.gear_spec import MeshSpec
from flank.machines.wheel_spec import FlexibleSpec
from flank.strength.flank_pressure import contact_ratio_factor
from flank.texts import listed, mm, short_length
from flank.time_series import read_time_series

if TYPE_CHECKING:
    from flank.elasticity.finite_elements.sector_mesh import GearBody

SLICES = 9
"""Across the face where teeth are not the same all along it, unless a spec says otherwise."""

STRIPS = 5
"""Of finite elements across a face along which teeth are the same."""

ROLL_LENGTH = "roll length", "m"
"""The first column of a file that holds a stiffness over the path, and its SI unit."""


@dataclass(frozen=True)
class MeshedPair:
    """Two gears, what they are made of, and how their mesh is modelled.

    `load` (N, normal, transverse) is where the table is taken, whose Hertz part depends on load.
    `bodies` are those of finite elements that have a web; others are discs. `supports` are what
    elements are held by (N/m³, rigidly if none), `modes` those of gears whose bodies vibrate.
    `misalignment` (rad) is that of the axes in the plane of action; of `deviations` those that all
    teeth have alike count in every model that has slices, the others in loaded and rolling gears.
    `key` is that of the mesh in its spec.
    `measured_flanks` are those of the first gear, in the model of contacts.
    """

    pair: GearPair
    materials: tuple[Material, Material]
    form: MeshSpec
    load: float
    bodies: "tuple[GearBody | None, GearBody | None]" = (None, None)
    supports: tuple[float | None, float | None] = (None, None)
    modes: tuple[GearModes | None, GearModes | None] = (None, None)
    misalignment: float = 0.0
    deviations: tuple[FlankDeviations, FlankDeviations] = (FlankDeviations(), FlankDeviations())
    key: str = "mesh"
    measured_flanks: MeasuredFlanks | None = None

    @property
    def slope(self) -> float:
        """By which flanks part across the face, over its width."""
        slopes = sum(deviation.lead_slope for deviation in self.deviations)
        return self.misalignment + slopes / self.pair.face_width

    def loading(self, strips: int | None = None) -> GearLoading:
        """Both gears as finite elements under load."""
        edges, count = self.form.tip_edge_contact, strips or self.strips
        gears = self.pair, self.materials, count, self.bodies
        uneven = self.deviations, self.misalignment
        return elastic_loading(*gears, *uneven, edges, self.supports)

    @property
    def base_radii(self) -> tuple[float, float]:
        """With the sign that a ring has in the model."""
        pair = self.pair
        return pair.first.base_radius, pair.sign * pair.second.base_radius

    @cached_property
    def curve(self) -> StiffnessCurve | None:
        """The stiffness that the spec gives over the path; SpecError where it is none."""
        given = self.form.curve
        if given is None:
            return None
        try:
            points = tuple((point.roll_length, point.stiffness) for point in given.points)
            if given.file is not None:
                read = read_time_series(given.file, "N/m", "stiffness", *ROLL_LENGTH)
                points = tuple(zip(read.time.tolist(), read.values.tolist(), strict=True))
            return StiffnessCurve(given.of, points, self.pair.base_pitch, given.step_width)
        except ValueError as problem:
            raise SpecError(f"{self.key}.curve: {problem}") from None

    def slices(self) -> list[tuple[float, float]]:
        """Of every slice across the face: how far it is ahead in roll length, what is taken off.
        The curve of a whole mesh knows no slices."""
        if self.form.curve is not None and self.form.curve.of == "mesh":
            return [(0.0, 0.0)]
        first, second = self.pair.first, self.pair.second
        crowning = first.crowning + second.crowning
        count = self.form.slices or (1 if self._uniform and not self.slope else SLICES)
        middles = [(2 * k + 1) / count - 1 for k in range(count)]
        half = 0.5 * self.pair.face_width
        ahead, slope = half * math.tan(first.base_helix_angle), half * self.slope
        return [(ahead * x, crowning * x * x + slope * x) for x in middles]

    @property
    def strips(self) -> int:
        """Across the face of finite elements, whose ends give way more than its middle."""
        return self.form.slices or (STRIPS if self._uniform else SLICES)

    @property
    def _uniform(self) -> bool:
        """Whether teeth are the same all along the face."""
        first, second = self.pair.first, self.pair.second
        return not (first.crowning + second.crowning or first.helix_angle)

    def place(self, name: str, **rows: Any) -> MeshPlace:
        """The mesh in a model, by the rows that carry its force."""
        limits = rows.pop("limits", self.limits)
        angle = self.pair.working_angle
        return MeshPlace(
            name,
            self.form.model,
            working_angle=angle,
            limits=limits,
            base_radii=self.base_radii,
            path=(self.pair.path[0], self.pair.base_pitch),
            pair=self.pair,
            always_damped=self.form.damping_acts == "always",
            **rows,
        )

    @property
    def pressure(self) -> LinePressure:
        """Hertz's, of explicit contacts in every slice."""
        width = self.pair.face_width / len(self.slices())
        return LinePressure(width, contact_modulus(*self.materials))

    @property
    def contact_width(self) -> float:
        """Half width of contacts at the ends of the path, a quarter of the base pitch at most."""
        pair, widths = self.pair, [0.0]
        for roll in pair.path:
            mate = pair.second_roll(roll)
            if roll > 0 and mate > 0:
                widths.append(self.half_width(1 / (1 / roll + pair.sign / mate)))
        return min(max(widths), 0.25 * pair.base_pitch)

    def half_width(self, radius: float) -> float:
        """Of the contact of one pair of teeth that carries the load where they have this radius."""
        return half_width(self.load, self.pair.face_width, radius, contact_modulus(*self.materials))

    @property
    def mean_stiffness(self) -> float:
        """N/m over the whole face: the secant of the teeth's own elasticity, or the curve's."""
        if self.curve is not None:
            return self.curve.mean
        slices, load = len(self.slices()), self.load / self.pair.face_width
        asked = (self.pair, self.materials, load, slices, self.form.tooth_foundation)
        return kept_numbers("mesh-stiffness", asked, lambda: (mean_stiffness(*asked),))[0]

    @property
    def limits(self) -> ToothLimits:
        """Nominal Hertz pressure over the force, and how far teeth may give way."""
        pair = self.pair
        curvature = 1 / pair.first.base_radius + pair.sign / pair.second.base_radius
        curvature *= math.cos(pair.first.base_helix_angle) / math.tan(pair.working_angle)
        load = contact_ratio_factor(pair.contact_ratio, pair.overlap_ratio) / pair.face_width
        factor = load * contact_modulus(*self.materials) * curvature / math.pi
        return ToothLimits(factor, LARGEST_DEFLECTION * pair.first.normal_module)


def body_modes(
    name: str, flexible: FlexibleSpec, meshed: MeshedPair, second: bool
) -> GearModes | None:
    """Modes of the first or second gear, named as in its spec, if its body vibrates; SpecError
    where it has fewer than the spec wants."""
    if not flexible.flexible:
        return None
    gear = meshed.pair.second if second else meshed.pair.first
    elements = gear, meshed.materials[second], meshed.bodies[second], meshed.pair.face_width
    wanted, damping = flexible.mode_count, flexible.mode_damping
    modes = gear_modes(*elements, meshed.strips, wanted, damping, meshed.supports[second])
    count = len(modes.number)
    if count < wanted or count % ROW:
        raise SpecError(
            f"{name}.modes is {wanted}; the lowest of every number of waves around the gear hold "
            f"{count} that move its teeth, so ask for at most {ROW * (count // ROW)}"
        )
    return modes


def thicker(pair: GearPair, first: float, second: float) -> GearPair:
    """The pair with teeth that are thicker by these deviations."""
    gears = [
        replace(gear, thickness_deviation=gear.thickness_deviation + deviation)
        for gear, deviation in ((pair.first, first), (pair.second, second))
    ]
    return replace(pair, first=gears[0], second=gears[1])


def held_at(pair: GearPair, first: float | None, second: float | None) -> GearPair:
    """The pair with bodies held at these radii, where they are given."""
    gears = replace(pair.first, held_radius=first), replace(pair.second, held_radius=second)
    return replace(pair, first=gears[0], second=gears[1])


def check_mesh(meshed: MeshedPair, names: Names) -> Iterator[Finding]:
    """What the model of a mesh cannot do as it is given."""
    yield from _check_curve(meshed, names)
    yield from _check_foundation(meshed, names)
    yield from _check_load(meshed, names)


def _check_foundation(meshed: MeshedPair, names: Names) -> Iterator[Finding]:
    """Bodies that Sainsot's polynomials are not made for."""
    if meshed.form.foundation == "sainsot":
        for name, gear in zip(names, (meshed.pair.first, meshed.pair.second), strict=True):
            yield from _check_sainsot(name, held_section(gear))


def _check_sainsot(name: str, gear: Gear) -> Iterator[Finding]:
    if gear.internal:
        yield error(
            "foundation-of-ring",
            (1.0, 0.0, ""),
            f"the foundation 'sainsot' is a disc around a bore, and the {name} is none",
            "use the foundation 'cornell', or leave it out",
        )
        return
    ratio, half_angle, _ = sainsot_root(gear)
    (least, most), (narrowest, widest) = RADIUS_RATIOS, HALF_ANGLES
    if not least <= ratio <= most:
        yield error(
            "foundation-bore",
            (ratio, least if ratio < least else most, ""),
            f"the root of the {name} is {ratio:.3g} times as large as what holds it, and the "
            f"foundation 'sainsot' is fitted for {least:g} to {most:g} times",
            "give the bore that the gear has, or leave the foundation out",
        )
    elif not narrowest <= half_angle <= widest:
        yield warning(
            "foundation-root",
            (half_angle, widest, "rad"),
            f"the root of a tooth of the {name} covers ±{half_angle:.3g} rad, and the foundation "
            f"'sainsot' is fitted for {narrowest:g} to {widest:g} rad",
            "take its stiffness as a rough one, or leave the foundation out",
        )


def _check_curve(meshed: MeshedPair, names: Names) -> Iterator[Finding]:
    """Steps of a curve that are spread."""
    if meshed.curve is None or not meshed.curve.steps:
        return
    width = meshed.curve.step_width or 0.0
    count, places = len(meshed.curve.steps), [mm(step.at, 4) for step in meshed.curve.steps]
    yield warning(
        "step-spread",
        (width, 0.0, "m"),
        f"the stiffness of the {names[0]} and the {names[1]} steps {count} times, at the roll "
        f"lengths {listed(places)}; each step is spread over {mm(width)} of the path",
        "give points that rise, or a shorter step_width to come nearer to the steps",
    )


def _check_load(meshed: MeshedPair, names: Names) -> Iterator[Finding]:
    """A flat as wide as the teeth are thick, which no law of contact knows: a slip of a unit.

    At the middle of the path, the whole load on one pair.
    """
    pair = meshed.pair
    middle = 0.5 * sum(pair.path)
    rolls = middle, pair.second_roll(middle)
    radius = 1 / (1 / rolls[0] + pair.sign / rolls[1])
    flat = meshed.half_width(radius)
    gears = (pair.first, pair.second)
    depth = min(load_line(gear, roll)[1] for gear, roll in zip(gears, rolls, strict=True))
    if flat >= depth:
        yield Finding(
            "contact-wider-than-teeth",
            "error",
            f"at the rated torque the contact of the {names[0]} and the {names[1]} would be "
            f"{short_length(2 * flat)} wide, on teeth {short_length(2 * depth)} thick",
            2 * flat,
            2 * depth,
            "m",
            f"use a wider face than {short_length(pair.face_width)} or less torque, and check "
            "their units",
        )
