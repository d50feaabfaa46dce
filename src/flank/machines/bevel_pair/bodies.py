"""Members of a pair in space as bodies: mass and inertia, and how they look.

A body is one of revolution, whose meridian goes from the bore along the front to the roots at the
toe, along the middle of the teeth to the heel, down to the roots and back: teeth count as solid up
to half their height. With the density ρ and integrals over the meridian's area A

    m = 2π ρ ∫ r dA,    J = 2π ρ ∫ r³ dA,    J_t = J/2 + 2π ρ ∫ (z - z_s)² r dA.

Three round holes and more, at equal angles, take their own integrals off all of them.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from flank.arrays import Floats
from flank.errors import SpecError
from flank.geometry.bevel.section import AxialSection, RoundHoles
from flank.geometry.bevel.tooth import BevelMember
from flank.machines.bevel_pair.involute_spec import GearInSpaceSpec
from flank.machines.bevel_pair.spec import MemberSpec
from flank.machines.outlines import Kind, Outline, circle
from flank.texts import mm

SIDE, FRONT = "side", "front"

AXLE = 0.35
"""Of a shaft as it is drawn beyond the body, in radii of the body."""


@dataclass(frozen=True, eq=False)
class MemberBody:
    """One member: what its spec tells of it, its teeth and where they lie in the axial plane."""

    name: Literal["pinion", "wheel"]
    spec: MemberSpec | GearInSpaceSpec
    member: BevelMember
    section: AxialSection
    density: float

    @property
    def bore(self) -> float:
        return 0.5 * (self.spec.body.bore_diameter or 0.0)

    @property
    def holes(self) -> RoundHoles | None:
        given = self.spec.body.holes
        return None if given is None else given.round_holes

    @cached_property
    def meridian(self) -> Floats:
        """(n, 2): z and radius."""
        section = self.section
        (toe, heel), (toe_bottom, heel_bottom) = section.corners.mean(axis=0), section.bottom
        height = float(np.linalg.norm(section.corners[1, 1] - heel_bottom))
        behind = self.spec.body.back
        back = float(heel_bottom[0]) + (height if behind is None else behind)
        return np.array(
            [
                [toe_bottom[0], self.bore],
                toe_bottom,
                toe,
                heel,
                heel_bottom,
                [back, heel_bottom[1]],
                [back, self.bore],
            ]
        )

    def check(self) -> None:
        """SpecError where bore or holes leave nothing under the teeth."""
        thinnest = float(self.section.bottom[:, 1].min())
        if self.bore >= thinnest:
            raise SpecError(
                f"{self.name}.body.bore_diameter is {mm(2 * self.bore)}; it must be less than the "
                f"root diameter at the toe, {mm(2 * thinnest)}"
            )
        if self.holes is not None:
            self._check_holes(self.holes)

    def _check_holes(self, holes: RoundHoles) -> None:
        outside = float(self.section.bottom[1, 1])
        ends = holes.radius - holes.size, holes.radius + holes.size
        if ends[0] <= self.bore or ends[1] >= outside:
            raise SpecError(
                f"{self.name}.body.holes reach from the radius {mm(ends[0])} to {mm(ends[1])}; "
                f"they must lie between the bore, {mm(self.bore)}, and the roots at the heel, "
                f"{mm(outside)}"
            )
        if holes.radius * math.sin(math.pi / holes.count) <= holes.size:
            raise SpecError(
                f"{self.name}.body.holes: {holes.count} holes of {mm(2 * holes.size)} run into "
                f"each other on a circle of {mm(2 * holes.radius)}; give fewer or smaller ones"
            )

    def _moment(self, radius_power: int, z_power: int) -> float:
        """∫ r^p z^q dA by Green's theorem, exactly by four points of Gauss an edge."""
        nodes, weights = np.polynomial.legendre.leggauss(4)
        start, end = self.meridian, np.roll(self.meridian, -1, axis=0)
        share = 0.5 * (nodes[:, None, None] + 1)
        z, radius = np.moveaxis(start + share * (end - start), -1, 0)
        values = radius ** (radius_power + 1) * z**z_power / (radius_power + 1)
        whole = float(np.sum(0.5 * weights[:, None] * values * (end - start)[:, 0]))
        return whole - self._of_holes(radius_power, z_power)

    def _of_holes(self, radius_power: int, z_power: int) -> float:
        """The same of all holes, 1/2π ∫∫ r^(p - 1) z^q dz over their circles."""
        if self.holes is None:
            return 0.0
        count, radius, size = self.holes.count, self.holes.radius, self.holes.size
        nodes, weights = np.polynomial.legendre.leggauss(12)
        away, angle = 0.5 * size * (nodes[:, None] + 1), 0.5 * math.pi * (nodes + 1)
        area = 0.5 * size * weights[:, None] * away * math.pi * weights  # both halves
        place = np.sqrt(radius**2 + away**2 + 2 * radius * away * np.cos(angle))
        back, front = self.meridian[-1, 0], self._front(place)
        along = (back ** (z_power + 1) - front ** (z_power + 1)) / (z_power + 1)
        return float(count / (2 * math.pi) * np.sum(area * place ** (radius_power - 1) * along))

    def _front(self, radius: Floats) -> Floats:
        """z of the front of the body below the teeth."""
        toe, heel = self.section.bottom
        slope = (heel[0] - toe[0]) / (heel[1] - toe[1])
        return np.asarray(toe[0] + np.maximum(radius - toe[1], 0.0) * slope)

    @cached_property
    def _drawn(self) -> tuple[float, float, float, float]:
        """Mass, axial and transverse moment of inertia, and z of the centre of mass."""
        factor = 2 * math.pi * self.density
        volume, first = self._moment(1, 0), self._moment(1, 1)
        centre, axial = first / volume, factor * self._moment(3, 0)
        transverse = 0.5 * axial + factor * (self._moment(1, 2) - volume * centre**2)
        return factor * volume, axial, transverse, centre

    @property
    def centre(self) -> float:
        """z of the centre of mass."""
        return self._drawn[3]

    def mass_and_inertia(self, more: float) -> tuple[float, float, float]:
        """Mass, axial and transverse moment, with a moment of inertia that turns along."""
        drawn_mass, drawn_axial, drawn_transverse, _ = self._drawn
        mass, axial = self.spec.given((drawn_mass, drawn_axial))
        more += self.spec.added_inertia
        transverse = max(drawn_transverse * mass / drawn_mass, 0.5 * axial)
        # a shaft is long: across its axis it has at least what it has along
        return mass, axial + more, transverse + more

    def outlines(self, body: int, seen_along: bool) -> list[Outline]:
        """Cut in the plane of the wheel's axis, and seen along that: along its own, or across."""
        corners, bottom = self.section.corners, self.section.bottom
        tooth = np.array([bottom[0], corners[1, 0], corners[1, 1], bottom[1]])
        return [
            self._revolved(body, self.meridian, "body", SIDE),
            self._revolved(body, tooth, "race", SIDE),
            *(self._disc(body) if seen_along else self._cone(body)),
            Outline(f"{self.name} axis", body, self._axle, "axle", closed=False),
        ]

    def _revolved(self, body: int, places: Floats, kind: Kind, layer: str) -> Outline:
        """A meridian, (z, radius)."""
        points = np.column_stack((places[:, 1], np.zeros(len(places)), places[:, 0] - self.centre))
        return Outline(self.name, body, points, kind, layer=layer, revolved=True)

    def _cone(self, body: int) -> list[Outline]:
        """What one sees across its axis: up to the tips, from pole to pole."""
        outside = self.meridian.copy()
        outside[[0, -1], 1] = 0.0
        outside[2:4] = self.section.corners[1]
        return [self._revolved(body, outside, "eccentric", FRONT)]

    def _disc(self, body: int) -> list[Outline]:
        """What one sees along its axis: a disc with its bore, and the tops of the teeth."""
        outside = circle(float(self.section.corners[..., 1].max()))
        circles: list[tuple[Floats, Kind]] = [(outside, "body")]
        if self.bore:
            circles.append((circle(self.bore), "hole"))
        if (holes := self.holes) is not None:
            for angle in 2 * math.pi / holes.count * np.arange(holes.count):
                middle = holes.radius * np.array([math.cos(angle), math.sin(angle)])
                circles.append((circle(holes.size) + middle, "hole"))
        flat = [
            Outline(
                self.name, body, np.column_stack((points, np.zeros(len(points)))), kind, True, FRONT
            )
            for points, kind in circles
        ]
        lands = map(self._land, range(self.member.teeth))
        name = f"{self.name} tooth"
        return flat + [Outline(name, body, land, "ring", layer=FRONT) for land in lands]

    def _land(self, tooth: int) -> Floats:
        """The top of a tooth between both its tip lines."""
        concave, convex = self.member.concave.tip_line, self.member.convex.tip_line
        points = np.vstack((concave[::3], convex[::-3]))
        angle = self.member.tooth_angle(tooth)
        cosine, sine = math.cos(angle), math.sin(angle)
        turn = np.array([[cosine, sine, 0.0], [-sine, cosine, 0.0], [0.0, 0.0, 1.0]])
        return np.asarray(points @ turn - np.array([0.0, 0.0, self.centre]))

    @property
    def _axle(self) -> Floats:
        reach = AXLE * float(self.meridian[:, 1].max())
        ends = self.meridian[:, 0].min() - reach, self.meridian[:, 0].max() + reach
        return np.array([[0.0, 0.0, end - self.centre] for end in ends])
