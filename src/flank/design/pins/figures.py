"""Figures of machines whose cycloid discs roll in a ring of pins."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from flank.design.discs import DiscFigures
from flank.design.figure import figure
from flank.design.film import LinePress, film, relative_radius
from flank.design.reducer import FRICTION
from flank.elasticity.material import contact_modulus
from flank.geometry.findings import smallest_clearance
from flank.machines.rated_turn import LEAST_SHARE

if TYPE_CHECKING:
    from flank.arrays import Floats
    from flank.geometry.cycloid import Cycloid
    from flank.machines.pins import PinReducer
    from flank.machines.rated_turn import RatedTurn


PIN_STACK = ("pin_radius", "pin_radial", "equidistant", "radial", "eccentricity")
"""Kinds of errors that bring pins and flank together; positions along the circle do so at the
sides, where the others have no part."""


LEAST_SOLVED = 0.1
"""K1 below which no equilibrium is sought."""


class PinFigures(DiscFigures):
    """Of a `PinReducer`."""

    machine: PinReducer

    @property
    def profile(self) -> Cycloid:
        """The flank as generated and modified, without errors."""
        return self.machine.profile

    @property
    def turn(self) -> RatedTurn:
        """Equilibria over a turn at the rated torque."""
        turn: RatedTurn = self.machine.rated_turn  # type: ignore[attr-defined]
        return turn

    @property
    def worth_solving(self) -> bool:
        """Lobes that are next to nothing carry nothing, and a search for it takes seconds."""
        return self.shortening >= LEAST_SOLVED

    @figure("pins", group="Ratio")
    def pins(self) -> float:
        return self.machine.spec.pins.count

    @property
    def disc_eccentricity(self) -> float:
        return self.profile.eccentricity

    @property
    def toothed_radius(self) -> float:
        """Of the pins' circle."""
        return float(self.machine.spec.pins.circle_radius)

    @figure("pin circle's radius", "m", "mm")
    def pin_circle(self) -> float:
        return self.machine.spec.pins.circle_radius

    @figure("tooth circle's outer diameter 2R + 2r", "m", "mm")
    def tooth_circle(self) -> float:
        pins = self.machine.spec.pins
        return 2 * (pins.circle_radius + pins.radius)

    @figure("disc's tip diameter", "m", "mm")
    def tip_diameter(self) -> float:
        return 2 * self.profile.tip_radius

    @figure("disc's root diameter", "m", "mm")
    def root_diameter(self) -> float:
        return 2 * self.profile.root_radius

    @figure("disc width", "m", "mm")
    def disc_width(self) -> float:
        return self.machine.disc_width

    @figure("disc width over the pin circle's radius", group="")
    def width_share(self) -> float:
        return self.machine.disc_width / self.machine.spec.pins.circle_radius

    @figure("disc width over the pin's diameter")
    def pin_slenderness(self) -> float:
        return self.machine.disc_width / (2 * self.machine.spec.pins.radius)

    @figure("shortening coefficient K1 = e z_p/R", group="Profile")
    def shortening(self) -> float:
        return self.profile.shortening

    @figure("pin pitch over pin diameter K2", group="Profile")
    def pin_spacing(self) -> float:
        """R sin(π/z_p)/r: 1 where neighbours touch."""
        pins = self.machine.spec.pins
        return pins.circle_radius * math.sin(math.pi / pins.count) / pins.radius

    @figure("gap between neighbouring pins", "m", "mm", "Walls")
    def pin_gap(self) -> float:
        pins = self.machine.spec.pins
        return 2 * (pins.circle_radius * math.sin(math.pi / pins.count) - pins.radius)

    @figure("smallest convex radius of the pin-centre curve", "m", "mm", "Profile")
    def centre_curve_radius(self) -> float:
        """A pin or cutter above it undercuts the flank."""
        return self.profile.minimum_convex_radius

    @figure("pin radius over that, undercut at 1", group="Profile")
    def undercut_share(self) -> float:
        return self.profile.offset / self.profile.minimum_convex_radius

    @figure("smallest convex radius of the flank", "m", "mm", "Profile")
    def convex_radius(self) -> float:
        return self.profile.minimum_convex_radius - self.profile.offset

    @figure("smallest concave radius of the flank", "m", "mm", "Profile")
    def concave_radius(self) -> float | None:
        """In the valleys, R (1 - K1)²/(z_p K1 - 1) + r: what cuts them must not be larger."""
        profile, k1 = self.profile, self.profile.shortening
        sharp = profile.pins * k1 - 1
        if sharp <= 0 or k1 >= 1:
            return None
        return profile.generating_radius * (1 - k1) ** 2 / sharp + profile.offset

    @figure("smallest clearance of a pin in the centred pose", "m", "um", "Play and stiffness")
    def clearance(self) -> float:
        """Of the drawing, without errors; negative is interference."""
        pins = self.machine.spec.pins
        play = (pins.groove_radius or pins.radius) - pins.radius
        return smallest_clearance(self.profile, pins.circle_radius, pins.radius, play)

    @cached_property
    def _pin_forces(self) -> Floats:
        """(time, disc, pin) at the rated torque."""
        return np.asarray(self.turn.trajectory.force(self.turn.group("pin")))

    @property
    def disc_bodies(self) -> list[int]:
        """Bodies that the pins press."""
        raise NotImplementedError

    @property
    def peak_place(self) -> float:
        """Where the rated torque presses a pin most."""
        if not self.known:
            return 0.0
        row = int(np.argmax(self._pin_forces.max(axis=(1, 2))))
        return self.turn.turn * row / len(self._pin_forces)

    @cached_property
    def _sliding(self) -> Floats:
        """Speed of a disc's flank along each pin in m per rad of the crank, (time, disc, pin).

        The disc turns by 1/z_c about the point P at e z_p along the crank, through which all
        normals pass; the flank lies R √S - r from it, S = 1 + K1² - 2 K1 cos φ."""
        profile, pins = self.profile, self.machine.spec.pins
        place = self.turn.trajectory.position[:, self.disc_bodies, :2]
        crank = np.arctan2(place[..., 1], place[..., 0])
        phase = 2 * np.pi * np.arange(pins.count) / pins.count - crank[..., None]
        k1 = profile.eccentricity * pins.count / pins.circle_radius
        root = np.sqrt(1 + k1**2 - 2 * k1 * np.cos(phase))
        return np.asarray(np.abs(pins.circle_radius * root - pins.radius) / profile.lobes)

    @property
    def crank_speed(self) -> float:
        """Of the crank against the housing at the operating point, in rad/s."""
        output = abs(self.spec.operation.input_speed / self.machine.ratio)
        return float(output * self.profile.lobes)

    def pin_loss(self) -> float:
        """Friction's work at the pins in J per rad of the crank, at the rated torque."""
        work = (self._pin_forces * self._sliding).sum(axis=(1, 2)).mean()
        return self.pin_friction * float(work)

    @property
    def pin_friction(self) -> float:
        """Of pins; of their grooves where pins are loose and roll on the disc."""
        friction = self.spec.friction
        given = friction.grooves if self.machine.spec.pins.loose else friction.pins
        return given or friction.pins or FRICTION

    @property
    def friction_given(self) -> bool:
        return bool(self.spec.friction.pins or self.spec.friction.grooves)

    @property
    def delivered(self) -> float:
        """Work of the rated torque in J per rad of the crank."""
        return self.machine.rated_torque / self.profile.lobes

    @figure("pins that carry a disc, fewest", group="At rated torque")
    def carrying_pins(self) -> float:
        if not self.known:
            return math.nan
        forces = self._pin_forces
        return float((forces > LEAST_SHARE * forces.max()).sum(axis=2).min())

    @figure("largest force of a pin", "N", "kN", "At rated torque")
    def pin_force(self) -> float:
        return float(self._pin_forces.max()) if self.known else math.nan

    @figure("it over that of equally stiff pins", group="At rated torque")
    def pin_concentration(self) -> float:
        """F/(4 T/(e z_c z_p)), T a disc's part of the torque: what clearance and curvature add."""
        return self.pin_force / self.machine.lobe_mesh().force

    @figure("largest pressure at a pin", "Pa", "MPa", "At rated torque")
    def pin_pressure(self) -> float:
        if not self.known:
            return math.nan
        return float(self.turn.trajectory.pressure(self.turn.group("pin")).max())

    @figure("largest pressure at a pin", "Pa", "MPa", "At peak torque")
    def peak_pin_pressure(self) -> float:
        return self._at_peak("pin")

    def _at_peak(self, group: str) -> float:
        """Largest pressure of a group of contacts under the peak torque."""
        if not (self.known and self.peak.known):
            return math.nan
        return float(self.peak.path.pressure(self.peak.group(group))[-1].max())

    @figure("largest sliding speed at a pin", "m/s", "m/s", "Losses")
    def pin_speed(self) -> float:
        """Of those that carry, at the operating point."""
        if not self.known:
            return math.nan
        carrying = self._pin_forces > LEAST_SHARE * self._pin_forces.max()
        return float(self._sliding[carrying].max()) * self.crank_speed

    @figure("pressure times speed at the pins", "Pa*m/s", "MPa*m/s", "Losses")
    def pin_pv(self) -> float | None:
        """Of polymers: force over the pin's projection d B, times the sliding speed."""
        if self.softer("pressure_speed", *self.pin_materials[:1]) is None:
            return None
        if not self.known:
            return math.nan
        area = 2 * self.machine.spec.pins.radius * self.machine.disc_width
        worst = float((self._pin_forces * self._sliding).max()) * self.crank_speed
        return worst / area * self.operating_share

    @property
    def pin_materials(self) -> tuple[str, str]:
        """Of discs and pins, by name."""
        return self.spec.discs.material, self.machine.spec.pins.material

    @figure("oil film over roughness λ at a pin", group="Losses")
    def film_parameter(self) -> float:
        """Where a pin is pressed most at the rated torque, at the working speed (film.py)."""
        if not self.known:
            return math.nan
        forces = self._pin_forces
        at = np.unravel_index(int(np.argmax(forces)), forces.shape)
        force, width = float(forces[at]), self.machine.disc_width
        modulus = 2 * contact_modulus(*(self.spec.elastic(name) for name in self.pin_materials))
        radius = relative_radius(force, width, modulus, self.pin_pressure)
        speed = 0.5 * float(self._sliding[at]) * self.crank_speed
        height = film(LinePress(force, width, radius, modulus), speed, self.oil)
        return height / (math.sqrt(2) * self.guides.roughness)

    @figure("oil film over roughness λ at a pin, oil given", group="")
    def known_film(self) -> float | None:
        return None if self.spec.lubrication is None else self.film_parameter

    @figure("sum of tolerances at a pin", "m", "um", "Making")
    def tolerance_stack(self) -> float:
        """Half widths of what brings a pin and the flank together, one upon the other."""
        spec = self.machine.spec
        return sum(spec.tolerance(kind) for kind in PIN_STACK if kind in spec.error_kinds)

    @figure("clearance where all tolerances meet", "m", "um", "Making")
    def tightest_clearance(self) -> float:
        return self.clearance - self.tolerance_stack

    @figure("clearance of a pin where all tolerances meet, over its radius", group="")
    def tightest_share(self) -> float:
        return self.tightest_clearance / self.machine.spec.pins.radius

    @figure("position tolerance of pins", "m", "um", "")
    def pin_place(self) -> float | None:
        """The larger of both, where the spec gives one and a process."""
        spec = self.machine.spec
        given = [
            kind
            for kind in ("pin_radial", "pin_tangential")
            if getattr(spec.tolerances, kind) is not None
        ]
        if spec.making is None or not given:
            return None
        return min(spec.tolerance(kind) for kind in given)

    @figure("clearance, where a process is given", "m", "um", "")
    def made_clearance(self) -> float | None:
        return None if self.machine.spec.making is None else self.clearance

    @figure("radius of the cutter", "m", "mm", "Making")
    def cutter(self) -> float | None:
        making = self.machine.spec.making
        return None if making is None else making.cutter_radius

    @figure("wrap of a groove around its pin", "rad", "deg", "Walls")
    def groove_wrap(self) -> float | None:
        """Of a housing whose bore just clears the discs' tips, at R - r + 2e from the axis."""
        pins = self.machine.spec.pins
        if not pins.loose:
            return None
        circle, radius = pins.circle_radius, pins.radius
        bore = circle - radius + 2 * self.profile.eccentricity
        cosine = (circle**2 + radius**2 - bore**2) / (2 * circle * radius)
        return 2 * (math.pi - math.acos(max(-1.0, min(1.0, cosine))))

    @figure("play of a pin in its groove over its radius", group="")
    def groove_play(self) -> float | None:
        pins = self.machine.spec.pins
        if not pins.loose or pins.groove_radius is None:
            return None
        return pins.groove_radius / pins.radius - 1

    @figure("wall of the disc, thinnest", "m", "mm", "Walls")
    def thinnest_wall(self) -> float:
        """Of all walls between holes, root and bore."""
        raise NotImplementedError

    @figure("thinnest wall of a disc, process given", "m", "mm", "")
    def made_wall(self) -> float | None:
        return None if self.machine.spec.making is None else self.thinnest_wall
