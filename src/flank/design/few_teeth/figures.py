"""Figures of a reducer with few teeth of difference."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from flank.design.cranks.figures import CrankFigures
from flank.design.figure import figure
from flank.design.reducer import FRICTION
from flank.elasticity.material import contact_modulus
from flank.geometry.gear_checks import least_profile_shift
from flank.geometry.pair_checks import tip_clearances, tip_margin
from flank.geometry.tooth_sliding import sliding_share
from flank.machines.outlines import rim_radius
from flank.machines.rated_turn import LEAST_SHARE

if TYPE_CHECKING:
    from flank.arrays import Floats
    from flank.geometry.gear_pair import GearPair
    from flank.machines.few_teeth.reducer import FewTeethReducer

TOOTH_STACK = ("tooth_thickness", "ring_thickness", "toothing_x", "ring_x")


class FewTeethFigures(CrankFigures):
    """Of a `FewTeethReducer`."""

    machine: FewTeethReducer

    @property
    def pair(self) -> GearPair:
        """Disc and ring, without errors."""
        return self.machine.spec.pair

    @property
    def friction_given(self) -> bool:
        return bool(self.machine.spec.friction.teeth)

    @figure("teeth of difference", group="Ratio")
    def difference(self) -> float:
        return self.machine.spec.teeth_of_difference

    @property
    def disc_eccentricity(self) -> float:
        return self.pair.centre_distance

    @property
    def toothed_radius(self) -> float:
        """Of the ring's reference circle."""
        return self.pair.second.reference_radius

    @figure("reference diameter of the ring", "m", "mm")
    def ring_diameter(self) -> float:
        return 2 * self.pair.second.reference_radius

    @figure("disc width", "m", "mm")
    def disc_width(self) -> float:
        return self.size.disc_width

    @figure("working pressure angle", "rad", "deg", "Profile")
    def working_angle(self) -> float:
        return self.pair.working_angle

    @figure("contact ratio of disc and ring, rigid", group="Profile")
    def contact_ratio(self) -> float:
        return self.pair.contact_ratio

    @figure("least tip clearance of disc and ring over the module", group="Profile")
    def tip_clearance(self) -> float:
        return min(tip_clearances(self.pair)) / self.pair.first.normal_module

    @figure("gap of the tips where they pass each other over the module", group="Profile")
    def tip_gap(self) -> float:
        """Of tips that cross beside the mesh: what few teeth of difference touch with first."""
        return tip_margin(self.pair) / self.pair.first.normal_module

    @figure("thickness of the disc's tips over the module", group="Profile")
    def disc_tip(self) -> float:
        gear = self.pair.first
        return gear.thickness(gear.tip_radius) / gear.normal_module

    @figure("thickness of the ring's tips over the module", group="Profile")
    def ring_tip(self) -> float:
        gear = self.pair.second
        return gear.thickness(gear.tip_radius) / gear.normal_module

    @figure("profile shift of the disc beyond undercut", group="Profile")
    def disc_shift(self) -> float:
        return self.pair.first.profile_shift - least_profile_shift(self.pair.first)

    @figure("rim of the ring over the module", group="Walls")
    def ring_rim(self) -> float | None:
        """Behind its roots, where the spec tells its outside."""
        outer = self.machine.spec.ring.outer_radius
        gear = self.pair.second
        return None if outer is None else (outer - gear.root_radius) / gear.normal_module

    @property
    def cooled_cylinder(self) -> tuple[float, float]:
        _, length = super().cooled_cylinder
        return 2.2 * rim_radius(self.pair.second), length

    @figure("backlash of the teeth without errors", "m", "um", "Making")
    def tooth_backlash(self) -> float:
        return self.pair.circumferential_backlash

    @figure("backlash where all tolerances meet over the module", group="")
    def tightest_backlash(self) -> float:
        """Run-outs press teeth together by 2 tan α_w of their amount."""
        spec = self.machine.spec
        tan = 2 * math.tan(self.pair.working_angle)
        stack = sum(
            spec.tolerance(kind) * (1.0 if kind.endswith("thickness") else tan)
            for kind in TOOTH_STACK
            if kind in spec.error_kinds
        )
        return (self.tooth_backlash - stack) / self.pair.first.normal_module

    @property
    def _has_contacts(self) -> bool:
        return self.machine.spec.mesh.model == "contact"

    @property
    def _tooth_forces(self) -> Floats:
        """(time, disc, ...) at the rated torque."""
        return np.asarray(self.turn.trajectory.force(self.turn.group("tooth")))

    @property
    def peak_place(self) -> float:
        """Where the rated torque presses a tooth most."""
        if not (self._has_contacts and self.known):
            return 0.0
        forces = self._tooth_forces.reshape(len(self._tooth_forces), -1)
        return self.turn.turn * int(np.argmax(forces.max(axis=1))) / len(forces)

    @figure("teeth that carry a disc, fewest", group="At rated torque")
    def carrying_teeth(self) -> float | None:
        if not self._has_contacts:
            return None
        if not self.known:
            return math.nan
        forces = self._tooth_forces
        carrying = forces > LEAST_SHARE * forces.max()
        return float(carrying.reshape(*carrying.shape[:2], -1).sum(axis=2).min())

    @figure("force of the teeth of a disc", "N", "kN", "At rated torque")
    def tooth_force(self) -> float:
        return self.machine.rated_force

    @figure("force a width of a disc's teeth", "N/m", "N/mm", "At rated torque")
    def tooth_load(self) -> float:
        return self.machine.rated_force / self.size.disc_width

    @figure("pressure of the flanks, one tooth carrying all", "Pa", "MPa", "At rated torque")
    def flank_pressure(self) -> float:
        """p0 = √(F E*/(π B ρ)) with a disc's whole force where flanks fit each other least."""
        spec, (first, last) = self.machine.spec, self.pair.path
        disc = np.array([first, last])
        ring = np.abs(np.array([self.pair.second_roll(roll) for roll in disc]))
        fit = float(np.min(disc * ring / np.maximum(np.abs(ring - disc), 1e-12)))
        names = spec.discs.material, spec.ring.material
        modulus = contact_modulus(*(spec.elastic(name) for name in names))
        line = self.machine.rated_force / self.size.disc_width
        return math.sqrt(line * modulus / (math.pi * fit))

    @figure("pressure of the flanks, one tooth carrying all", "Pa", "MPa", "At peak torque")
    def peak_flank_pressure(self) -> float:
        return self.flank_pressure * math.sqrt(self.peak_share)

    @figure("largest pressure at a tooth, edges of tips included", "Pa", "MPa", "At rated torque")
    def tooth_pressure(self) -> float | None:
        if not self._has_contacts:
            return None
        if not self.known:
            return math.nan
        return float(self.turn.trajectory.pressure(self.turn.group("tooth")).max())

    @figure("bending at a tooth's root, one tooth carrying all", "Pa", "MPa", "Strength")
    def root_bending(self) -> float:
        """Six times force times height over width times thickness squared at the reference circle:
        a tooth as a beam, with the whole force of a disc at its tip, at the rated torque."""
        gear = self.pair.first
        height = gear.tip_radius - gear.root_radius
        thickness = gear.thickness(gear.reference_radius)
        tangential = self.machine.rated_force * math.cos(self.pair.working_angle)
        return 6 * tangential * height / (self.size.disc_width * thickness**2)

    def mesh_loss(self) -> float:
        """μ H_v of what rolls: disc in ring by a rad for each of the crank."""
        friction = self.machine.spec.friction.teeth or FRICTION
        rolled = self.machine.rated_force * self.pair.second.base_radius
        return friction * sliding_share(self.pair) * rolled * self.machine.spec.discs.count
