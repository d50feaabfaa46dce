"""How a joint is taken through its turns: equilibria at every angle, or a run in time.

A run in time begins in the equilibrium of the frictionless joint with all bodies moving as in the
rigid joint. It goes on turn by turn until a turn repeats the one before it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from flank.dynamics.functions import Function, constant, linear
from flank.dynamics.run import Progress
from flank.dynamics.spatial.run import (
    SpatialDynamicSettings,
    SpatialPose,
    SpatialTrajectory,
    solve_dynamics,
    solve_statics,
)
from flank.dynamics.status import Status
from flank.dynamics.tables import CONSTANT, LINEAR, RISE, RUN_UP, TABLE
from flank.machines.base import Joint
from flank.machines.cv_joint.assembly import JointAssembly

TURN = 2 * math.pi


@dataclass(frozen=True)
class Turns:
    """The turns that are looked at, closed: the last record is the first of the next turn.

    `change` is the largest difference of a track force to the turn before, over the largest force;
    of equilibria, between the two ends of the turn. `turns_run` counts those before as well.
    """

    assembly: JointAssembly
    trajectory: SpatialTrajectory
    angles: NDArray
    turns: int
    turns_run: int
    change: float


@dataclass(frozen=True)
class RunSettings:
    """How many turns are kept, at most run and recorded, and how they are integrated."""

    turns: int
    most_turns: int
    repeat_tolerance: float
    points: int  # to a turn
    dynamics: SpatialDynamicSettings


def static_turn(machine: Joint, points: int, progress: Progress | None = None) -> Turns:
    """Equilibria over one turn of the frictionless joint; time stands for the angle."""
    drive = machine.drive
    held = replace(
        drive,
        rotation=linear(1.0),
        deflection=final(drive.deflection),
        plunge=constant(0.0) if drive.plunge is None else at_start(drive.plunge),
    )
    assembly = machine.assemble(held)
    angles = np.linspace(0.0, TURN, points + 1)
    trajectory = solve_statics(assembly.model, assembly.start, angles, progress=progress)
    change = math.nan
    if trajectory.complete:
        change = change_between(assembly, trajectory.touches[:1], trajectory.touches[-1:])
    return Turns(assembly, trajectory, angles[: len(trajectory.time)], 1, 1, change)


def turns_at_speed(machine: Joint, asked: RunSettings, progress: Progress | None = None) -> Turns:
    """Turns in time, the last of them kept; the first piece holds a ramp of the deflection."""
    period = TURN / abs(machine.speed)
    rest, assembly = at_rest(machine)
    if not rest.complete:
        return Turns(assembly, rest, np.zeros(len(rest.time)), 1, 0, math.nan)
    lead = max(math.ceil(settled_after(machine.drive.deflection) / period - 1e-9), 1)
    pose = replace(rest.last, velocity=machine.assemble(machine.drive).start.velocity)
    kept: list[SpatialTrajectory] = []
    change, run = math.nan, 0
    while run < asked.most_turns + lead - 1:
        count = 1 if run else lead

        def report(share: float, run: int = run, count: int = count) -> None:
            if progress is not None:
                progress(min((run + share * count) / (asked.most_turns + lead - 1), 1.0))

        piece, assembly = _piece(machine, asked, (run, count), pose, report)
        kept.append(piece)
        run += count
        if not piece.complete:
            break
        pose = piece.last
        if len(kept) > 1:
            change = change_between(assembly, kept[-2].touches[-asked.points :], piece.touches[1:])
        if change <= asked.repeat_tolerance and len(kept) > asked.turns:
            break
    last = kept[-asked.turns :] if piece.complete else kept[-1:]
    return Turns(assembly, *_joined(last, asked.points), len(last), run, change)


def at_rest(machine: Joint) -> tuple[SpatialTrajectory, JointAssembly]:
    """The equilibrium at time zero, without friction; a free inner race is held at its place."""
    drive = machine.drive
    held = replace(
        drive,
        rotation=at_start(drive.rotation),
        torque=at_start(drive.torque),
        deflection=at_start(drive.deflection),
        plunge=constant(0.0) if drive.plunge is None else at_start(drive.plunge),
    )
    assembly = machine.assemble(held)
    return solve_statics(assembly.model, assembly.start, np.zeros(1)), assembly


def _piece(
    machine: Joint,
    asked: RunSettings,
    turns: tuple[int, int],
    pose: SpatialPose,
    progress: Progress,
) -> tuple[SpatialTrajectory, JointAssembly]:
    """Some turns, from the number that were run on; time counted from there."""
    run, count = turns
    period = TURN / abs(machine.speed)
    assembly = machine.assemble(delayed(machine.drive, run * period))
    piece = solve_dynamics(
        assembly.model,
        pose,
        count * period,
        asked.dynamics,
        records=count * asked.points,
        progress=progress,
    )
    return piece, assembly
