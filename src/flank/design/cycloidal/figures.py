"""Figures of a cycloidal drive."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from flank.design.figure import figure
from flank.design.pins.figures import PinFigures
from flank.design.reducer import FRICTION
from flank.design.rule import ROUND_OFF
from flank.elasticity.roller_bearing import RollerBearing, equivalent_load

if TYPE_CHECKING:
    from flank.arrays import Floats
    from flank.machines.cycloidal.drive import CycloidalDrive
    from flank.machines.output_rollers import RollersSpec

WALLS = ("wall_to_root", "wall_to_bore", "wall_between_holes")

HOLE_STACK = ("hole_radius", "hole_radial", "roller_radius", "roller_radial", "eccentricity")
"""Kinds of errors that bring a roller and its hole together."""

ROLLING = 0.0025
"""Rolling resistance of needles over their load, at the inner race; bearing catalogues."""


class CycloidalFigures(PinFigures):
    """Of a `CycloidalDrive`."""

    machine: CycloidalDrive

    def present(self, key: str) -> Any:
        if key == "output.rollers.hole_radius":
            return self.machine.spec.roller_hole_radius
        return super().present(key)

    @property
    def disc_bodies(self) -> list[int]:
        return list(self.machine.discs)

    @property
    def unbalanced_mass(self) -> float:
        return self.machine.masses.disc[0]

    @property
    def rollers(self) -> RollersSpec | None:
        return self.machine.spec.output.rollers

    @property
    def cooled_cylinder(self) -> tuple[float, float]:
        """The housing, a quarter larger than the pins' circle, and two widths longer than discs."""
        spec = self.machine.spec
        reach = 2 * (spec.pins.circle_radius + spec.pins.radius)
        return 1.25 * reach, (spec.discs.count + 2) * spec.discs.width

    @figure("mass of the moving parts", "kg", "kg", "Masses")
    def mass(self) -> float:
        masses, count = self.machine.masses, self.machine.spec.discs.count
        carrier = 0.0 if self.machine.output_is_disc else masses.carrier[0]
        return masses.shaft[0] + count * masses.disc[0] + carrier

    @figure("mass of a disc", "kg", "kg", "Masses")
    def disc_mass(self) -> float:
        return self.machine.masses.disc[0]

    @figure("wall between output hole and root", "m", "mm", "Walls")
    def wall_to_root(self) -> float:
        """Between the valleys of the flank and the output holes; to the bore without any."""
        spec, rollers = self.machine.spec, self.rollers
        if rollers is None:
            return self.profile.root_radius - spec.discs.bore_radius
        return self.profile.root_radius - rollers.circle_radius - spec.roller_hole_radius

    @figure("wall between output hole and bore", "m", "mm", "Walls")
    def wall_to_bore(self) -> float | None:
        spec, rollers = self.machine.spec, self.rollers
        if rollers is None:
            return None
        return rollers.circle_radius - spec.roller_hole_radius - spec.discs.bore_radius

    @figure("wall between output holes", "m", "mm", "Walls")
    def wall_between_holes(self) -> float | None:
        rollers = self.rollers
        if rollers is None:
            return None
        apart = 2 * rollers.circle_radius * math.sin(math.pi / rollers.count)
        return apart - 2 * self.machine.spec.roller_hole_radius

    @figure("thinnest wall of a disc", "m", "mm", "")
    def thinnest_wall(self) -> float:
        walls = (self.value(name) for name in WALLS)
        return min(wall for wall in walls if wall is not None)

    @figure("output rollers", group="Ratio")
    def roller_count(self) -> float | None:
        return None if self.rollers is None else self.rollers.count

    @figure("length of an output roller over its diameter")
    def roller_slenderness(self) -> float | None:
        rollers = self.rollers
        return None if rollers is None else self.machine.spec.roller_length / (2 * rollers.radius)

    @figure("clearance of a roller in its hole, beyond e", "m", "um", "Play and stiffness")
    def hole_clearance(self) -> float | None:
        rollers, hole = self.rollers, self.machine.spec.roller_hole_radius
        if rollers is None:
            return None
        clearance = hole - rollers.radius - self.throw
        return clearance if abs(clearance) > ROUND_OFF * hole else 0.0

    @property
    def throw(self) -> float:
        return self.machine.spec.eccentricity

    @figure("clearance of a roller where all tolerances meet, over its radius", group="")
    def tightest_hole(self) -> float | None:
        if self.rollers is None:
            return None
        spec = self.machine.spec
        stack = sum(spec.tolerance(kind) for kind in HOLE_STACK)
        return (self.hole_clearance - stack) / self.rollers.radius

    @figure("largest force of an output roller", "N", "kN", "At rated torque")
    def roller_force(self) -> float | None:
        return self._largest("roller", "force")

    @figure("largest pressure at an output roller", "Pa", "MPa", "At rated torque")
    def roller_pressure(self) -> float | None:
        return self._largest("roller", "pressure")

    @figure("largest pressure at an output roller", "Pa", "MPa", "At peak torque")
    def peak_roller_pressure(self) -> float | None:
        return None if self.rollers is None else self._at_peak("roller")

    def _largest(self, group: str, what: str) -> float | None:
        """Largest force or pressure of a group over the rated turn; None without such a group."""
        if group not in self.machine_groups:
            return None
        if not self.known:
            return math.nan
        return float(getattr(self.turn.trajectory, what)(self.turn.group(group)).max())

    @property
    def machine_groups(self) -> tuple[str, ...]:
        needles = ("needle",) if self.machine.spec.eccentric.needles else ()
        return (*(("roller",) if self.rollers else ()), *needles)

    def loss_share(self) -> float:
        """Pins, and output rollers whose holes slide around them at e (1 + 1/z_c) a rad; needles
        with 0.0025 of their load at the inner race."""
        if not self.known:
            return math.nan
        spec, turn = self.machine.spec, self.turn
        lost, relative = self.pin_loss(), 1 + 1 / self.profile.lobes
        if self.rollers is not None:
            friction = spec.friction.rollers or spec.friction.pins or FRICTION
            force = float(turn.trajectory.force(turn.group("roller")).sum(axis=(1, 2)).mean())
            lost += friction * force * self.throw * relative
        if spec.eccentric.needles is not None:
            load = float(self._eccentric_loads.sum(axis=1).mean())
            lost += ROLLING * load * spec.eccentric_radius * relative
        return lost / self.delivered

    @cached_property
    def _eccentric_loads(self) -> Floats:
        """On each disc from its eccentric, (time, disc): what pins and rollers leave."""
        path = self.turn.trajectory
        total = np.zeros((len(path.time), self.machine.spec.discs.count, 2))
        for name in ("pin", "roller") if self.rollers else ("pin",):
            group = self.turn.group(name)
            force = path.force(group)
            normal = [path.reading(group, f"normal_{axis}") for axis in "xy"]
            total += np.stack([(force * each).sum(axis=2) for each in normal], axis=-1)
        return np.asarray(np.hypot(total[..., 0], total[..., 1]))

    @figure("largest load of an eccentric's bearing", "N", "kN", "Bearings")
    def eccentric_load(self) -> float | None:
        if self.machine.output_is_disc:
            return None  # its support is no part of the spec
        return float(self._eccentric_loads.max()) if self.known else math.nan

    @property
    def needles(self) -> RollerBearing | None:
        """The needles of an eccentric as the norms see them."""
        spec, needles = self.machine.spec, self.machine.spec.eccentric.needles
        if needles is None:
            return None
        pitch = 2 * (spec.eccentric_radius + needles.radius)
        return RollerBearing(needles.count, 2 * needles.radius, needles.length, pitch)

    @figure("needles' life L10h at rated torque (ISO 281)", "s", "h", "Bearings")
    def needle_life(self) -> float | None:
        if self.needles is None:
            return None
        if not self.known:
            return math.nan
        loads = self._eccentric_loads
        load = max(equivalent_load(loads[:, j]) for j in range(loads.shape[1]))
        turns = self.crank_speed * (1 + 1 / self.profile.lobes) / (2 * math.pi)
        return self.needles.life(load) / turns

    @figure("needles' static safety S0 at peak torque (ISO 76)", group="Bearings")
    def needle_safety(self) -> float | None:
        """The load grows as the torque does."""
        if self.needles is None:
            return None
        if not self.known:
            return math.nan
        return self.needles.static_rating / (self.eccentric_load * self.peak_share)

    @figure("filling of the needles' pitch circle", group="Bearings")
    def needle_filling(self) -> float | None:
        bearing = self.needles
        if bearing is None:
            return None
        return bearing.count * bearing.diameter / (math.pi * bearing.pitch_diameter)

    @figure("length of a needle over its diameter", group="Bearings")
    def needle_slenderness(self) -> float | None:
        return None if self.needles is None else self.needles.length / self.needles.diameter

    @figure("shaft that the eccentric leaves over the pins' circle", group="")
    def shaft_share(self) -> float:
        """Radius of the eccentric less its throw, over R."""
        spec = self.machine.spec
        return (spec.eccentric_radius - spec.eccentricity) / spec.pins.circle_radius

    @figure("shear of the web between hole and root", "Pa", "MPa", "Strength")
    def web_shear(self) -> float | None:
        """F/(2 w B) at the peak torque, w the thinner wall beside an output hole."""
        if self.rollers is None:
            return None
        wall = min(self.wall_to_root, self.wall_between_holes)
        force = self.roller_force * self.peak_share
        return force / (2 * wall * self.machine.spec.discs.width) if wall > 0 else math.inf

    @cached_property
    def _pin_bending(self) -> float | None:
        """Largest bending stress of an output pin at rated torque; None where pins are not given.

        Held at one end M = Σ F_j z_j at the flange; held at both, clamped, the larger end moment of
        F_j a b²/l². Forces of one pin on several discs are taken with their directions."""
        structure, rollers = self.machine.spec.structure, self.rollers
        if structure is None or structure.output_pins is None or rollers is None:
            return None
        if not self.known:
            return math.nan
        pins, width = structure.output_pins, self.machine.spec.discs.width
        count = self.machine.spec.discs.count
        places = pins.gap + 0.5 * width + (width + pins.gap) * np.arange(count)
        if pins.held == "one end":
            arms = np.atleast_2d(places)
        else:
            span = places[-1] + 0.5 * width + pins.gap
            far = span - places
            arms = np.stack([places * far**2, far * places**2]) / span**2
        path, group = self.turn.trajectory, self.turn.group("roller")
        force = path.force(group)
        sides = [force * path.reading(group, f"normal_{axis}") for axis in "xy"]
        moment = max(
            float(np.hypot(*(np.einsum("tjk,j->tk", side, arm) for side in sides)).max())
            for arm in arms
        )
        radius = pins.radius or rollers.radius
        return 4 * moment / (math.pi * radius**3)

    @figure("bending of an output pin", "Pa", "MPa", "At rated torque")
    def pin_bending(self) -> float | None:
        return self._pin_bending

    @figure("bending of an output pin", "Pa", "MPa", "At peak torque")
    def peak_pin_bending(self) -> float | None:
        bending = self._pin_bending
        return None if bending is None else bending * self.peak_share

    @figure("torsion of the input shaft at peak torque", "Pa", "MPa", "Strength")
    def shaft_torsion(self) -> float | None:
        """2 T_in r/(π (r⁴ - b⁴)), losses included."""
        structure = self.machine.spec.structure
        if structure is None or structure.shaft is None:
            return None
        shaft = structure.shaft
        torque = self._at_input(self.peak_torque)
        return 2 * torque * shaft.radius / (math.pi * (shaft.radius**4 - shaft.bore_radius**4))
