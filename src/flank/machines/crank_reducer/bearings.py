"""Roller bearings of eccentrics and cranks, roller by roller.

A roller is solved inside its bearing (one contact between the races, its two line contacts in
series) or is a body of its own (a contact with each race) held in its place by a cage. Where the
wall of a disc's hole is a ring of beams, rollers keep their places on the wall.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from flank.arrays import Floats
from flank.contact import (
    FRICTIONLESS,
    Disc,
    Friction,
    LaminaLaw,
    Surface,
    circle_pair,
    needle_between,
)
from flank.dynamics.builder import ORIGIN, ElasticCircle, ModelBuilder
from flank.elasticity.line_contact import Cylinder, LineLaw
from flank.elasticity.material import Material, contact_modulus, tangential_ratio
from flank.machines.base import LinePressure
from flank.machines.contact_laws import (
    damping_law,
    friction_law,
    loose_friction,
    needle_law,
    pair_law,
)
from flank.machines.contact_spec import ContactSpec
from flank.machines.crank_reducer.disc_plates import DiscPlate
from flank.machines.crank_reducer.geometry import hole_error
from flank.machines.crank_reducer.layout import BearingPlaces
from flank.machines.crank_reducer.parts import RollersBearingSpec
from flank.machines.crank_reducer.rules import BearingDimensions
from flank.machines.holes import add_in_hole
from flank.machines.round_parts import Point, even_angles, off_circle, polar

if TYPE_CHECKING:
    from flank.machines.crank_reducer.reducer import CrankReducer

RACES = 2
"""Contacts of a roller that is a body: with the inner and with the outer race."""


def sliced(law: object, size: BearingDimensions, races: int) -> object:
    """The law of a roller of some profile, which both of `races` press flat; straight ones keep
    their law."""
    if not size.profile.drop:
        return law
    assert isinstance(law, LineLaw)  # specs ask for it
    return LaminaLaw.of_roller(law, size.profile, races, size.contact_angle)


@dataclass(frozen=True)
class Bearing:
    """One bearing in its place: races on their bodies, and what races and rollers are made of."""

    inner: Disc
    outer: Disc
    clearance: float
    size: BearingDimensions
    materials: tuple[Material, Material, Material]  # of inner race, rollers, outer race
    larger: Sequence[float] = ()  # by which the radius of each roller is off

    @property
    def cylinders(self) -> tuple[Cylinder, Cylinder, Cylinder]:
        """Inner race, roller and outer race."""
        radii = (self.inner.radius, self.size.roller_radius, self.outer.radius)
        inner, roller, outer = map(Cylinder, radii, self.materials)
        return inner, roller, outer

    def law(self, contact: ContactSpec) -> object:
        """Of a roller between the races."""
        angle, law = self.size.contact_angle, needle_law(contact, *self.cylinders, self.size.length)
        return sliced(law.slanted(angle) if angle else law, self.size, RACES)

    def add_to(
        self,
        builder: ModelBuilder,
        contact: ContactSpec,
        friction: Friction = FRICTIONLESS,
        wall: ElasticCircle | None = None,
    ) -> None:
        """Each roller one contact between the races, the outer one maybe an elastic `wall`."""
        law, races = self.law(contact), (self.inner, self.outer)
        damping = damping_law(contact)
        row = needle_between(*races, 0.0, self.clearance, law, damping, friction)
        for angle, larger in zip(even_angles(self.size.count), self.deviations, strict=True):
            row["needle_angle"] = angle  # all else is the same for all, or as good as that
            row["needle_clearance"] = self.clearance - 2 * larger
            builder.contact(row.copy(), wall)

    @property
    def deviations(self) -> Sequence[float]:
        """How much larger the radius of each roller is."""
        return self.larger or (0.0,) * self.size.count


@dataclass(frozen=True)
class CrankBearings:
    """Puts bearings of a reducer's cranks into a model: a part with the springs of their cages, a
    group of contacts roller by roller."""

    machine: CrankReducer
    builder: ModelBuilder
    plates: Sequence[DiscPlate] = ()  # of discs that bend

    def add_turning_arms(self) -> None:
        """Rollers between the eccentrics and the holes of the discs."""
        spec, places = self.machine.spec, self.machine.layout.turning_arm
        bearings = {at: self._turning_arm(*at) for at in np.ndindex(places.inner.shape)}
        with self._part("turning_arm", "turning-arm rollers", "disc", places, bearings[0, 0]):
            for at, bearing in bearings.items():
                if self.machine.layout.ring_nodes:
                    self._add_on_wall(at, bearing)
                else:
                    self._add(spec.turning_arm, spec.friction.turning_arm, places, at, bearing)

    def add_supports(self) -> None:
        """Rollers between the journals and the flanges of the carrier."""
        spec, places = self.machine.spec, self.machine.layout.supports
        bearings = {at: self._support(*at) for at in np.ndindex(places.inner.shape)}
        with self._part("support", "support rollers", "side", places, bearings[0, 0]):
            for at, bearing in bearings.items():
                self._add(spec.supports, spec.friction.supports, places, at, bearing)

    def _part(
        self, name: str, title: str, holder: str, places: BearingPlaces, bearing: Bearing
    ) -> AbstractContextManager[None]:
        size, (inner, roller, _) = places.size, bearing.materials
        curvature = 1 / size.race_radius + 1 / size.roller_radius
        pressure = LinePressure(
            size.length, contact_modulus(inner, roller), curvature, size.profile
        )
        sizes = dict(zip(("crank", holder), places.inner.shape, strict=True))
        races = {"race": RACES} if places.bodies else {}
        return self.builder.part(
            name, title, sizes | races | {f"{name}_roller": size.count}, pressure
        )

    def _turning_arm(self, k: int, j: int) -> Bearing:
        machine, errors = self.machine, self.machine.errors
        size, places = machine.size.turning_arm, machine.layout.turning_arm
        pin_error, bore_error = errors["crank_pin_radius"][k, j], errors["hole_radius"][j, k]
        clearance = size.clearance + errors["turning_arm_clearance"][k, j] + bore_error - pin_error
        off = hole_error(errors, places.holes[k][j], k, j)
        eccentric = machine.eccentric_place(k, j)
        seat = eccentric if places.inner is machine.layout.eccentric else ORIGIN
        inner = Disc(int(places.inner[k, j]), *seat, size.race_radius + pin_error)
        materials = machine.spec.turning_arm.material, machine.spec.discs.material
        larger = errors["arm_roller_radius"][k, j]
        return self._bearing(places, (k, j), inner, off, clearance, larger, *materials)

    def _support(self, k: int, side: int) -> Bearing:
        machine, errors = self.machine, self.machine.errors
        size, places = machine.size.support, machine.layout.supports
        clearance = size.clearance + errors["support_clearance"][k, side]
        radial, tangential = errors["crank_radial"][k], errors["crank_tangential"][k]
        off = off_circle(places.holes[k][side], radial, tangential)
        inner = Disc(int(places.inner[k, side]), 0.0, 0.0, size.race_radius)
        materials = machine.spec.supports.material, machine.spec.carrier.material
        larger = errors["support_roller_radius"][k, side]
        return self._bearing(places, (k, side), inner, off, clearance, larger, *materials)

    def _bearing(
        self,
        places: BearingPlaces,
        at: tuple[int, int],
        inner: Disc,
        off: Point,
        clearance: float,
        larger: Floats,
        roller: str,
        holder: str,
    ) -> Bearing:
        """With its outer race `off` its place in a seat, or in what has no seats; of rollers and
        the outer race it takes the names of the materials."""
        spec, (x, y), hole = self.machine.spec, off, places.holes[at[0]][at[1]]
        if not places.elastic:
            x, y = x + hole[0], y + hole[1]
        radius = inner.radius + 2 * places.size.roller_radius + clearance
        outer = Disc(int(places.seat[at]), x, y, radius)
        shaft = spec.elastic(spec.cranks.material)
        materials = (shaft, spec.elastic(roller), spec.elastic(holder))
        sizes = tuple(larger.tolist()) if np.any(larger) else ()
        return Bearing(inner, outer, clearance, places.size, materials, sizes)

    def _add(
        self,
        block: RollersBearingSpec,
        coefficient: float,
        places: BearingPlaces,
        at: tuple[int, ...],
        bearing: Bearing,
    ) -> None:
        spec = self.machine.spec
        in_disc = places is self.machine.layout.turning_arm
        wall = self.plates[at[1]].cranks[at[0]] if in_disc and self.plates else None
        if places.bodies:
            friction = loose_friction(spec.friction, coefficient)
            bodies = places.roller[at].tolist()
            segments = spec.discs.wall_segments if in_disc else None
            cage = int(places.cage[at])
            self._add_bodies(bearing, cage, bodies, block.pocket, friction, segments, wall)
        else:
            ratio = tangential_ratio(*bearing.materials[:2])
            friction = friction_law(spec.friction, coefficient, ratio)
            bearing.add_to(self.builder, spec.contact, friction, wall)

    def _add_bodies(
        self,
        bearing: Bearing,
        cage: int,
        rollers: list[int],
        pocket: tuple[float, float],
        friction: Friction,
        segments: int | None,
        wall: ElasticCircle | None,
    ) -> None:
        """Each roller a body between the races, in its place in the cage; an outer race of
        `segments` is a polyline."""
        builder, contact, size = self.builder, self.machine.spec.contact, bearing.size
        inner, roller, outer = bearing.cylinders
        on_inner, on_outer = (
            Surface(
                sliced(pair_law(contact, *pair, size.length), size, 1),
                damping_law(contact),
                friction,
            )
            for pair in ((inner, roller), (roller, outer))
        )
        circles = [
            Disc(body, 0.0, 0.0, size.roller_radius + larger)
            for body, larger in zip(rollers, bearing.deviations, strict=True)
        ]
        for circle in circles:
            builder.contact(circle_pair(bearing.inner, circle, on_inner))
        add_in_hole(builder, bearing.outer, circles, on_outer, segments, wall)
        self._tie_cage(bearing, cage, size.count * pocket[0])
        at_race = (bearing.inner.x, bearing.inner.y)
        builder.bushing(bearing.inner.body, cage, *pocket, at_a=at_race)
        pitch = size.race_radius + size.roller_radius + 0.5 * size.clearance
        for body, angle in zip(rollers, even_angles(size.count), strict=True):
            tangential = angle + 0.5 * math.pi  # a pocket leaves a roller free to move in and out
            builder.guide(cage, body, *pocket, polar(pitch, angle), tangential)

    def _tie_cage(self, bearing: Bearing, cage: int, stiffness: float) -> None:
        """Hold a cage where rolling without slip has it; without friction nothing else does.

        A spring in φ = θ_c - a θ_i - b θ_o, a + b = 1 the races' shares, as three springs between
        two bodies each: φ² = a (θ_c - θ_i)² + b (θ_c - θ_o)² - a b (θ_i - θ_o)². `stiffness` is
        that of all pockets along the pitch circle.
        """
        turn = stiffness * bearing.size.pitch_radius**2
        races = bearing.inner.radius + bearing.outer.radius
        inner, outer = bearing.inner.radius / races, bearing.outer.radius / races
        for first, second, share in (
            (bearing.inner.body, cage, inner),
            (bearing.outer.body, cage, outer),
            (bearing.inner.body, bearing.outer.body, -inner * outer),
        ):
            places = self.machine.layout.places
            angles = [places[body - 1].pose(0.0)[2] for body in (first, second)]
            damping = self.machine.spec.structural_damping * share * turn
            self.builder.torsion_spring(first, second, share * turn, damping, angles[1] - angles[0])

    def _wall_friction(self, bearing: Bearing, radius: float) -> Friction:
        """Rolling resistance at a radius in place of the inner race's."""
        spec = self.machine.spec.friction
        coefficient = spec.turning_arm * bearing.inner.radius / radius
        return friction_law(spec, coefficient, tangential_ratio(*bearing.materials[:2]))

    def _add_on_wall(self, at: tuple[int, ...], bearing: Bearing) -> None:
        """Each roller one contact between the eccentric and the wall's node before it.

        The eccentric with its rollers is a circle, the wall about its node another of half its
        thickness; the law of the roller's two contacts is written for the curvature these have.
        Friction acts at the node and resists with the torque that it has at the inner race.
        """
        contact, size, layout = self.machine.spec.contact, bearing.size, self.machine.layout
        inner, roller, outer = bearing.cylinders
        wall = Cylinder(size.bore_radius, outer.material)
        law = needle_law(contact, inner, roller, wall, size.length)
        half, reach = 0.5 * layout.wall_thickness, size.bore_radius - bearing.clearance
        friction = self._wall_friction(bearing, reach + half)
        if isinstance(law, LineLaw):
            radius = 1 / (1 / reach + 1 / half)
            law = LineLaw(law.constant + law.slope * math.log(radius), law.slope, law.length)
        race = bearing.inner
        surface = Surface(sliced(law, size, RACES), damping_law(contact), friction)
        for row, larger in zip(layout.ring_nodes[at[0], at[1]], bearing.deviations, strict=True):
            envelope = Disc(race.body, race.x, race.y, reach + 2 * larger)
            self.builder.contact(circle_pair(envelope, Disc(row, 0.0, 0.0, half), surface))
