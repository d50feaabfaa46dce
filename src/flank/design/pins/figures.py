"""Figures of machines whose cycloid discs roll in a ring of pins."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from flank.design.figure import figure
from flank.design.reducer import ReducerFigures
from flank.machines.rated_turn import LEAST_SHARE

if TYPE_CHECKING:
    from flank.arrays import Floats
    from flank.geometry.cycloid import Cycloid
    from flank.machines.pins import PinReducer
    from flank.machines.rated_turn import RatedTurn


class PinFigures(ReducerFigures):
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

    @figure("pins", group="Ratio")
    def pins(self) -> float:
        return self.machine.spec.pins.count

    @figure("eccentricity", "m", "mm")
    def eccentricity(self) -> float:
        return self.profile.eccentricity

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
        from flank.geometry.findings import smallest_clearance

        pins = self.machine.spec.pins
        play = (pins.groove_radius or pins.radius) - pins.radius
        return smallest_clearance(self.profile, pins.circle_radius, pins.radius, play)

    @cached_property
    def _pin_forces(self) -> Floats:
        """(time, disc, pin) at the rated torque."""
        return np.asarray(self.turn.trajectory.force(self.turn.group("pin")))

    @figure("pins that carry a disc, fewest", group="At rated torque")
    def carrying_pins(self) -> float:
        if not self.turn.known:
            return math.nan
        forces = self._pin_forces
        return float((forces > LEAST_SHARE * forces.max()).sum(axis=2).min())

    @figure("largest force of a pin", "N", "kN", "At rated torque")
    def pin_force(self) -> float:
        return float(self._pin_forces.max()) if self.turn.known else math.nan

    @figure("largest pressure at a pin", "Pa", "MPa", "At rated torque")
    def pin_pressure(self) -> float:
        if not self.turn.known:
            return math.nan
        return float(self.turn.trajectory.pressure(self.turn.group("pin")).max())

    @figure("largest pressure at a pin", "Pa", "MPa", "At peak torque")
    def peak_pin_pressure(self) -> float:
        if not self.line.known:
            return math.nan
        path, group = self.line.path, self.line.assembly.groups["pin"]
        return float(path.pressure(group)[-1].max())
