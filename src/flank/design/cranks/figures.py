"""Figures of reducers whose discs sit on cranks."""

from __future__ import annotations

import math
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from flank.design.discs import DiscFigures
from flank.design.figure import figure
from flank.design.reducer import FRICTION
from flank.geometry.pair_checks import tip_clearances
from flank.geometry.tooth_sliding import sliding_share
from flank.machines.crank_reducer.carrier import pillar_length
from flank.machines.crank_reducer.first_stage import stage_pair
from flank.machines.crank_reducer.rules import RULED, nearest_pillar

if TYPE_CHECKING:
    from flank.geometry.gear_pair import GearPair
    from flank.machines.crank_reducer.bearing_life import Duty
    from flank.machines.crank_reducer.reducer import CrankReducer
    from flank.machines.crank_reducer.rules import BearingDimensions, Dimensions
    from flank.machines.rated_turn import RatedTurn

ROLLING = {"turning_arm": 0.0025, "supports": 0.0018}
"""Rolling resistance of needles and of tapered rollers over their load, at the inner race, where
the spec says 0; bearing catalogues."""


class CrankFigures(DiscFigures):
    """Of a `CrankReducer`."""

    machine: CrankReducer

    @property
    def size(self) -> Dimensions:
        return self.machine.size

    @property
    def turn(self) -> RatedTurn:
        """Equilibria over a turn of a crank at the rated torque."""
        return self.machine.rated_turn

    def present(self, key: str) -> Any:
        """The sizing rule's value where the spec gives none."""
        given = super().present(key)
        if given is None and key in RULED:
            return attrgetter(RULED[key])(self.size)
        return given

    def borne(self, block: str) -> Duty | None:
        """What bearings bear, None where no equilibrium is found."""
        return self.machine.bearing_lives.duties[block] if self.known else None

    @property
    def cooled_cylinder(self) -> tuple[float, float]:
        size, discs = self.size, self.machine.spec.discs.count
        length = discs * size.disc_width + 2 * size.flange_width
        return 2.5 * size.ring_radius, length

    @figure("cranks", group="Ratio")
    def cranks(self) -> float:
        return self.machine.spec.cranks.count

    @figure("mass of the moving parts", "kg", "kg", "Masses")
    def mass(self) -> float:
        """Discs, carrier, cranks, planets and sun, without rolling elements."""
        masses, spec = self.machine.layout.masses, self.machine.spec
        crank = 2 * masses.journal[0] + spec.discs.count * masses.eccentric[0]
        crank += masses.planet[0] if masses.planet else 0.0
        discs = spec.discs.count * (masses.web[0] + masses.rim[0])
        return discs + spec.cranks.count * crank + 2 * masses.flange[0] + masses.input[0]

    @figure("mass of a disc", "kg", "kg", "Masses")
    def disc_mass(self) -> float:
        masses = self.machine.layout.masses
        return masses.web[0] + masses.rim[0]

    @figure("wall between crank hole and root", "m", "mm", "Walls")
    def crank_wall_to_root(self) -> float:
        size, circle = self.size, self.machine.spec.cranks.circle_radius
        return size.root_radius - circle - size.turning_arm.bore_radius

    @figure("wall between crank hole and bore", "m", "mm", "Walls")
    def crank_wall_to_bore(self) -> float:
        size, circle = self.size, self.machine.spec.cranks.circle_radius
        return circle - size.turning_arm.bore_radius - size.disc_bore_radius

    @figure("wall between crank hole and pillar hole", "m", "mm", "Walls")
    def crank_wall_to_pillar(self) -> float:
        size = self.size
        apart = nearest_pillar(self.machine.spec, size.pillar_circle_radius)
        return apart - size.turning_arm.bore_radius - size.pillar_hole_radius

    @figure("wall between pillar hole and root", "m", "mm", "Walls")
    def pillar_wall_to_root(self) -> float:
        size = self.size
        return size.root_radius - size.pillar_circle_radius - size.pillar_hole_radius

    @figure("wall of a flange around its supports", "m", "mm", "Walls")
    def flange_wall(self) -> float:
        """To the rim inside the main bearing's balls."""
        size, circle = self.size, self.machine.spec.cranks.circle_radius
        return size.main_circle_radius - size.ball_radius - circle - size.support.bore_radius

    @figure("thinnest wall of a disc", "m", "mm", "")
    def thinnest_wall(self) -> float:
        return min(
            self.crank_wall_to_root,
            self.crank_wall_to_bore,
            self.crank_wall_to_pillar,
            self.pillar_wall_to_root,
        )

    @figure("disc width over the ring's radius", group="")
    def width_share(self) -> float:
        return self.size.disc_width / self.size.ring_radius

    def _life(self, block: str) -> float:
        duty = self.borne(block)
        return math.nan if duty is None else duty.basic_life

    @figure("turning arms' life L10h at rated torque (ISO 281)", "s", "h", "Bearings")
    def arm_life(self) -> float:
        return self._life("turning_arm")

    @figure("supports' life L10h at rated torque (ISO 281)", "s", "h", "Bearings")
    def support_life(self) -> float:
        return self._life("supports")

    def _safety(self, block: str) -> float:
        """At the peak torque, as loads grow with it."""
        duty = self.borne(block)
        return math.nan if duty is None else duty.static_safety / self.peak_share

    @figure("turning arms' static safety S0 at peak torque", group="Bearings")
    def arm_safety(self) -> float:
        return self._safety("turning_arm")

    @figure("supports' static safety S0 at peak torque", group="Bearings")
    def support_safety(self) -> float:
        return self._safety("supports")

    @figure("largest tilt of a crank in its bearings", "rad", "arcmin", "Bearings")
    def tilt(self) -> float:
        """Against turning arms and supports, at the rated torque."""
        duties = [self.borne(block) for block in ROLLING]
        return max((duty.tilt for duty in duties if duty), default=math.nan)

    @figure("largest pressure at a turning-arm roller", "Pa", "MPa", "At peak torque")
    def peak_arm_pressure(self) -> float:
        return self._peak_bearing("turning_arm")

    @figure("largest pressure at a support roller", "Pa", "MPa", "At peak torque")
    def peak_support_pressure(self) -> float:
        return self._peak_bearing("support")

    def _peak_bearing(self, group: str) -> float:
        if not (self.known and self.peak.known):
            return math.nan
        return float(self.peak.path.pressure(self.peak.group(group))[-1].max())

    @staticmethod
    def _filling(bearing: BearingDimensions) -> float:
        return bearing.count * bearing.roller_radius / (math.pi * bearing.pitch_radius)

    @figure("filling of the turning arms' pitch circle", group="Bearings")
    def arm_filling(self) -> float:
        return self._filling(self.size.turning_arm)

    @figure("filling of the supports' pitch circle", group="Bearings")
    def support_filling(self) -> float:
        return self._filling(self.size.support)

    @figure("length of a turning-arm roller over its diameter", group="Bearings")
    def arm_slenderness(self) -> float:
        return self.size.turning_arm.length / (2 * self.size.turning_arm.roller_radius)

    @figure("length of a support roller over its diameter", group="Bearings")
    def support_slenderness(self) -> float:
        return self.size.support.length / (2 * self.size.support.roller_radius)

    @figure("clearance of a turning arm over its roller's radius", group="")
    def arm_play(self) -> float:
        return self.size.turning_arm.clearance / self.size.turning_arm.roller_radius

    @figure("preload of a support over its roller's radius", group="")
    def support_preload(self) -> float:
        return -self.size.support.clearance / self.size.support.roller_radius

    @figure("bending of a journal", "Pa", "MPa", "At rated torque")
    def journal_bending(self) -> float:
        """F_A l/2 at the shoulder over π r³/4, F_A what a support bears and l the journal."""
        duty = self.borne("supports")
        if duty is None:
            return math.nan
        moment = 0.5 * duty.largest_force * self.size.journal_length
        return 4 * moment / (math.pi * self.size.journal_radius**3)

    @figure("bending of a journal", "Pa", "MPa", "At peak torque")
    def peak_journal_bending(self) -> float:
        return self.journal_bending * self.peak_share

    @figure("bending of a pillar", "Pa", "MPa", "At peak torque")
    def pillar_bending(self) -> float:
        """Half of the torque goes through n pillars, clamped at both ends: M = F l/2."""
        size = self.size
        force = 0.5 * self.peak_torque / (size.pillar_count * size.pillar_circle_radius)
        moment = 0.5 * force * pillar_length(self.machine.spec, size)
        return 4 * moment / (math.pi * size.pillar_radius**3)

    @property
    def stage(self) -> GearPair | None:
        """Sun and planet as spur gears, without errors."""
        stage = self.machine.spec.first_stage
        if stage is None:
            return None
        return stage_pair(stage, self.size.face_width, self.machine.spec.cranks.circle_radius)

    @figure("contact ratio of sun and planet", group="Profile")
    def stage_contact_ratio(self) -> float | None:
        return None if self.stage is None else self.stage.contact_ratio

    @figure("least tip clearance of sun and planet over the module", group="Profile")
    def stage_tip_clearance(self) -> float | None:
        if self.stage is None:
            return None
        return min(tip_clearances(self.stage)) / self.stage.first.normal_module

    @figure("common factor of the teeth of sun and planet", group="Profile")
    def stage_factor(self) -> float | None:
        stage = self.machine.spec.first_stage
        return None if stage is None else math.gcd(stage.sun_teeth, stage.planet_teeth)

    @figure("face width of the first stage over the sun's diameter", group="")
    def stage_width(self) -> float | None:
        pair = self.stage
        return None if pair is None else self.size.face_width / (2 * pair.first.reference_radius)

    @figure("gap between neighbouring planets", "m", "mm", "Walls")
    def planet_gap(self) -> float | None:
        pair, cranks = self.stage, self.machine.spec.cranks
        if pair is None or cranks.count == 1:
            return None
        apart = 2 * cranks.circle_radius * math.sin(math.pi / cranks.count)
        return apart - 2 * pair.second.tip_radius

    def mesh_loss(self) -> float:
        """Work of friction in the mesh of discs and ring, in J per rad of the crank."""
        raise NotImplementedError

    def loss_share(self) -> float:
        """Mesh, bearings of the cranks with their rolling resistance at the inner race, and sun and
        planets with 0.05 of sliding friction."""
        if not self.known:
            return math.nan
        lost = self.mesh_loss() + self._bearing_loss()
        shared = lost / self.delivered
        if self.stage is not None:
            shared += FRICTION * sliding_share(self.stage)
        return shared

    @property
    def delivered(self) -> float:
        """Work of the rated torque in J per rad of the crank."""
        return self.machine.rated_torque / abs(self.machine.spec.crank_ratio)

    def _bearing_loss(self) -> float:
        """μ F r over all bearings, per rad of a crank."""
        spec, lost = self.machine.spec, 0.0
        relative = 1 + 1 / abs(spec.crank_ratio)
        for group, block, size in (
            ("turning_arm", "turning_arm", self.size.turning_arm),
            ("support", "supports", self.size.support),
        ):
            friction = getattr(spec.friction, block) or ROLLING[block]
            force = self.turn.trajectory.force(self.turn.group(group))
            rolling = float(force.reshape(len(force), -1).sum(axis=1).mean())
            if getattr(spec, block).elements == "bodies":
                friction, rolling = ROLLING[block], 0.5 * rolling  # both races are in the group
            lost += friction * rolling * size.race_radius * relative
        return lost

    @property
    def crank_speed(self) -> float:
        """Of a crank at the operating point, in rad/s."""
        output = abs(self.spec.operation.input_speed / self.machine.ratio)
        return float(output * abs(self.machine.spec.crank_ratio))

    @figure("output speed over the rated one", group="")
    def speed_share(self) -> float:
        output = abs(self.spec.operation.input_speed / self.machine.ratio)
        return float(output / self.machine.spec.rated_speed)

    @property
    def unbalanced_mass(self) -> float:
        return self.disc_mass
