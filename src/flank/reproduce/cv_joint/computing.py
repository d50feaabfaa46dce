"""The computations of the study: the joint at rest along a path, and turning."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from flank import api
from flank.analyses.joint_quantities import Curves, joint_curves
from flank.analyses.joint_reading import cage_angles, shaft_loads
from flank.analyses.joint_turns import (
    SHORTEST,
    SPECTRAL_RADIUS,
    JointTurnsSettings,
    compute_turns,
    joint_figures,
    static_turn,
)
from flank.analyses.orders import spectrum
from flank.analyses.quantities import Values, number
from flank.arrays import Floats
from flank.dynamics.functions import constant, linear
from flank.dynamics.run import DynamicSettings, solve_dynamics, solve_statics
from flank.machines.cv_joint.assembly import INNER, OUTER, JointDrive
from flank.machines.cv_joint.joint import CvJoint
from flank.reproduce.study import read_paper

PAPER = read_paper(__package__)
CASES = PAPER.cases
TORQUE: float = PAPER.published["torque"]
DEFLECTION: float = PAPER.published["deflection"]
FRICTION: float = PAPER.published["friction"]

DRIVING, DRIVEN = OUTER, INNER
FIRST = 0
"""The ball shown: in the plane of the shafts, on the side to which they lean, where a turn
begins."""

PLANE = 0
"""Secondary torque in the plane of the shafts, where the frictionless one lies."""

FREE = {"operation.plunge.kind": "free"}
UNGUIDED = FREE | {"operation.guidance.kind": "free"}
TORQUES = (TORQUE, 0.5 * TORQUE, 0.25 * TORQUE)
"""N·m of the cage's angle."""

STRAIGHT = {"operation.deflection": 0}
LARGEST_DEFLECTION, LARGEST_TORQUE = 8.0, 2500.0
REVOLUTIONS_OF_A_RAMP = 2
"""One while the deflection grows, one at rest."""

RAMP_ERROR = 1e-8
"""m: of positions in a step of the ramp."""

AXIAL_OFFSET = 1e-6
"""m: how far the inner race is held out of the middle, to either side, for its stiffness."""

AXIAL_POINTS = 16
"""Of a revolution, over which that force is averaged."""


@dataclass(frozen=True)
class Stiffness:
    """A contact stiffness: its name in tables, and the preset and changes that have it."""

    name: str
    preset: str
    changes: Mapping[str, Any]

    def __hash__(self) -> int:
        return hash(self.name)


PAPERS = Stiffness("6e12", "cv-joint-marter", {})
SOFTER = Stiffness("3e11", "cv-joint-marter", {"contact.stiffness": "3e11 N/m^1.5"})
BY_HERTZ = Stiffness("Hertz", "cv-joint", {})
STIFFNESSES = (PAPERS, SOFTER, BY_HERTZ)
BY_NAME = {stiffness.name: stiffness for stiffness in STIFFNESSES}


def joint(stiffness: Stiffness, changes: Mapping[str, Any] | None = None) -> CvJoint:
    """The joint with a contact stiffness, changed."""
    machine = api.preset(stiffness.preset, {**stiffness.changes, **(changes or {})})
    assert isinstance(machine, CvJoint)
    return machine


def friction_changes(coefficient: float) -> dict[str, Any]:
    """One coefficient of friction for all contacts, at rest as in sliding."""
    if coefficient == 0:
        return {"contact.friction": None}
    law = {"static": None, "static_velocity": None, "sliding": coefficient}
    return {f"contact.friction.{key}": value for key, value in law.items()}


@dataclass(frozen=True)
class CagePath:
    """Angles in rad while the deflection grows: of the shafts, and of the cage to the outer race;
    times in s where it grows in time."""

    deflection: Floats
    cage: Floats
    complete: bool
    time: Floats

    def ratio(self) -> Floats:
        """Cage angle over half the deflection, from the second point on."""
        return 2 * self.cage[1:] / self.deflection[1:]

    def at_load_case(self) -> float:
        """Cage angle over half the deflection of the load case."""
        if not self.complete:
            return math.nan
        return float(np.interp(np.radians(DEFLECTION), self.deflection[1:], self.ratio()))

    def at_rest(self) -> float:
        """Mean of the cage angle over half the deflection in the last revolution of a ramp."""
        if not self.complete:
            return math.nan
        last = slice(-(len(self.time) - 1) // REVOLUTIONS_OF_A_RAMP, None)
        return float(np.mean(2 * self.cage[last] / self.deflection[last]))


@dataclass(frozen=True)
class ForcePath:
    """Means over balls in N while the torque grows: the loaded flanks of the outer race, the ones
    opposite, and the cage on a ball."""

    torque: Floats
    loaded: Floats
    counter: Floats
    cage: Floats
    complete: bool

    def at(self, name: str, torque: float) -> float:
        """At a torque that is among the path's; not a number where it was not reached."""
        places = np.flatnonzero(np.isclose(self.torque, torque))
        return float(getattr(self, name)[places[0]]) if len(places) else math.nan

    def limit_torque(self) -> float:
        """The largest torque of the path at which the cage carries nothing."""
        return float(self.torque[self.cage == 0].max(initial=0.0))

    def first_torque(self) -> float:
        """The least torque of the path at which the cage carries."""
        return float(self.torque[self.cage > 0].min(initial=np.inf))


@dataclass(frozen=True)
class Turned:
    """One turn in the periodic state: angles in rad, curves and figures of `joint-turns`."""

    angle: Floats
    curves: Curves
    figures: Values
    change: float
    complete: bool

    def of_ball(self, name: str) -> Floats:
        """A curve of the first ball on its inner track."""
        return self.curves[name][:, FIRST, DRIVEN]

    def __getitem__(self, name: str) -> float:
        """A figure."""
        return number(self.figures[name]) if self.complete else math.nan

    @property
    def cage_ratio(self) -> float:
        """Mean cage angle over half the deflection of the load case."""
        return self["mean_cage_angle"] / math.radians(DEFLECTION / 2)

    @property
    def secondary(self) -> Floats:
        """Mean secondary torque of each race in the plane of the shafts, N·m, positive as without
        friction."""
        if not self.complete:
            return np.full(2, math.nan)
        return -np.asarray(self.curves["secondary_torque"][:-1, :, PLANE].mean(axis=0))

    @property
    def loaded(self) -> int:
        """The flank that carries the torque."""
        return int(self.curves["track_force"][:-1].mean(axis=(0, 1, 2)).argmax())

    def amplitudes(self, name: str) -> tuple[Floats, Floats]:
        """Orders of a curve and their amplitudes."""
        return spectrum(self.curves[name][:-1], 1.0)

    def centred(self, values: Floats) -> tuple[Floats, Floats]:
        """Degrees from -180 to 180 and a periodic curve over them."""
        count = len(self.angle) - 1
        order = np.r_[count // 2 : count, 0 : count // 2 + 1]
        angle = np.degrees(self.angle[order])
        angle[: count - count // 2] -= 360.0
        return angle, values[order]


def cage_path(stiffness: Stiffness, torque: float, points: int) -> CagePath:
    """The joint does not turn; the load case's deflection is among the points."""
    machine = joint(stiffness)
    deflections = np.radians(np.linspace(0.0, LARGEST_DEFLECTION, points))
    drive = JointDrive(
        {"outer": constant(0.0)},
        {"inner": constant(-torque)},
        deflection=linear(1.0),
        plunge=constant(0.0),
    )
    poses = [machine.pose_under(drive, angle) for angle in deflections]
    assembly = machine.assemble(drive)
    path = solve_statics(assembly.spatial, poses[0], deflections, poses)
    cage = cage_angles(assembly, path)
    return CagePath(cage.deflection, cage.angle, path.complete, path.time)


def force_path(stiffness: Stiffness, clearance: float, sense: int, points: int) -> ForcePath:
    """The straight joint under torques from near zero, `sense` their sign, with `clearance` in m on
    either side of a ball in its window."""
    machine = joint(stiffness, STRAIGHT | {"cage.window_clearance": 2 * clearance})
    torques = np.union1d(np.linspace(0.0, LARGEST_TORQUE, 2 * points - 1)[1:], CASES["torques"])
    drive = JointDrive(
        {"outer": constant(0.0)},
        {"inner": linear(-float(sense))},
        deflection=constant(0.0),
        plunge=constant(0.0),
    )
    assembly = machine.assemble(drive)
    path = solve_statics(assembly.spatial, assembly.start, torques)
    force = path.contact_results["normal_force"]
    tracks = np.sort(force[:, assembly.tracks[:, 0]], axis=-1).mean(axis=1)
    cage = force[:, assembly.windows].max(axis=-1).mean(axis=1)
    return ForcePath(path.time, tracks[:, 1], tracks[:, 0], cage, path.complete)


def turned(
    stiffness: Stiffness, friction: float | None, changes: Mapping[str, Any], fineness: Fineness
) -> Turned:
    """The load case, changed, turned until a turn repeats, with one coefficient of friction; None
    is the preset's friction, static above sliding."""
    law = {} if friction is None else friction_changes(friction)
    machine = joint(stiffness, {**law, **changes})
    settings = JointTurnsSettings(
        points_per_turn=fineness.points_per_turn,
        step=2 * math.pi / machine.speed / fineness.steps_per_turn,
        most_turns=fineness.most_turns,
    )
    revolution = compute_turns(machine, settings)
    complete = revolution.trajectory.complete
    curves = joint_curves(revolution.assembly, revolution.trajectory, machine.contacts, "dynamic")
    figures = joint_figures(machine, revolution, curves, "dynamic") if complete else {}
    return Turned(revolution.angles, curves, figures, revolution.change, complete)


def ramped(stiffness: Stiffness, torque: float, friction: float, fineness: Fineness) -> CagePath:
    """From the straight joint, the deflection raised within the first revolution."""
    period = 2 * math.pi / joint(stiffness).speed
    rise = {
        "operation.ramp": {"start": 0.0, "duration": period},
        "operation.torque": torque,
    }
    machine = joint(stiffness, {**friction_changes(friction), **rise})
    step = period / fineness.steps_per_turn
    drive = machine.drive()
    still = machine.assemble(
        replace(drive, angles={"outer": constant(0.0)}, deflection=constant(0.0))
    )
    start = solve_statics(still.spatial, still.start, np.zeros(1))
    assembly = machine.assemble(drive)
    pose = replace(start.last, velocity=assembly.start.velocity)
    settings = DynamicSettings(
        step,
        spectral_radius=SPECTRAL_RADIUS,
        error_tolerance=RAMP_ERROR,
        shortest_step=SHORTEST * step,
    )
    duration = REVOLUTIONS_OF_A_RAMP * 2 * math.pi / machine.speed
    count = REVOLUTIONS_OF_A_RAMP * 4 * fineness.points_per_turn
    path = solve_dynamics(assembly.spatial, pose, duration, settings, records=count)
    cage = cage_angles(assembly, path)
    return CagePath(cage.deflection, cage.angle, path.complete, path.time)


def axial_stiffness(stiffness: Stiffness, deflection: float) -> float:
    """N/m with which a joint at `deflection` in degrees holds its inner race along the axis, mean
    over a revolution, without friction."""
    forces = []
    for offset in (-AXIAL_OFFSET, AXIAL_OFFSET):
        changes = {
            "contact.friction": None,
            "operation.deflection": f"{deflection} deg",
            "operation.plunge.at": offset,
        }
        revolution = static_turn(joint(stiffness, changes), AXIAL_POINTS)
        loads = shaft_loads(revolution.assembly, revolution.trajectory)
        forces.append(np.mean(loads.axial_force[:-1]))
    return float(forces[0] - forces[1]) / (2 * AXIAL_OFFSET)


@dataclass(frozen=True)
class Fineness:
    """How finely the study is computed; the defaults are those of the published tables."""

    frictions: tuple[float, ...] = tuple(k / 100 for k in range(11))
    points_per_turn: int = 90  # kept; figures are from eight times as many
    path_points: int = 41
    steps_per_turn: int = 2000
    most_turns: int = 8  # until one repeats


FINE = Fineness()
COARSE = Fineness((0.0, 0.03, 0.05, 0.1), 20, 9, steps_per_turn=500, most_turns=2)
