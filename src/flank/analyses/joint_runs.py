"""How a joint is taken through its turns: equilibria at every angle, or a run in time.

A run in time begins in the equilibrium of the frictionless joint with all bodies moving as in the
rigid joint. It goes on turn by turn until a turn repeats the one before it.
"""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from flank.dynamics.functions import Function, constant, linear
from flank.dynamics.packing import value_at
from flank.dynamics.run import Progress
from flank.dynamics.spatial.quaternions import matrix_of
from flank.dynamics.spatial.run import SpatialDynamicSettings, solve_dynamics, solve_statics
from flank.dynamics.tables import RISE
from flank.dynamics.trajectory import SpatialTrajectory, joined
from flank.machines.cv_joint.assembly import Joint, JointAssembly, JointDrive

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
class TurnSettings:
    """How many turns are kept, and at most run; points to a turn; how to integrate."""

    turns: int
    most_turns: int
    repeat_tolerance: float
    points: int
    dynamics: SpatialDynamicSettings


def static_turn(machine: Joint, points: int, progress: Progress | None = None) -> Turns:
    """Equilibria over one turn of the frictionless joint; time stands for the angle."""
    angles = np.linspace(0.0, TURN, points + 1)
    at = constant(machine.deflection)
    drive = replace(_held(machine), angles={"outer": linear(1.0)}, deflection=at)
    guesses = [machine.pose_under(drive, angle) for angle in angles]
    assembly = machine.assemble(drive)
    trajectory = solve_statics(assembly.spatial, guesses[0], angles, guesses, progress=progress)
    change = math.nan
    if trajectory.complete:
        change = change_between(assembly, trajectory.touches[:1], trajectory.touches[-1:])
    return Turns(assembly, trajectory, angles[: len(trajectory.time)], 1, 1, change)


def turns_at_speed(machine: Joint, asked: TurnSettings, progress: Progress | None = None) -> Turns:
    """Turns in time, the last of them kept; a ramp of the deflection comes before them."""
    drive, period = machine.drive(), TURN / abs(machine.speed)
    rest, held = _at_rest(machine)
    if not rest.complete:
        return Turns(held, rest, rest.time, 1, 0, math.nan)
    assembly = machine.assemble(drive)
    lead = math.ceil(_risen(drive.deflection) / period - 1e-9)
    most = lead + asked.most_turns
    pose = replace(rest.last, velocity=assembly.start.velocity)
    run, change, kept = 0, math.nan, list[SpatialTrajectory]()
    while run < most and not (len(kept) > asked.turns and change <= asked.repeat_tolerance):
        count = max(lead, 1) if run == 0 else 1

        def report(share: float, run: int = run, count: int = count) -> None:
            if progress is not None:
                progress((run + share * count) / most)

        piece = solve_dynamics(
            assembly.spatial,
            pose,
            count * period,
            asked.dynamics,
            records=count * asked.points,
            progress=report,
            begin=run * period,
        )
        if kept and piece.complete:
            change = change_between(assembly, kept[-1].touches[-asked.points :], piece.touches[1:])
        kept.append(piece)
        run += count
        if not piece.complete:
            break
        pose = piece.last
    last = kept[-asked.turns :] if kept[-1].complete else kept[-1:]
    whole = joined([last[0], *(part.since(1) for part in last[1:])], [rest, *kept])
    angles = machine.speed * (whole.time - whole.time[0])
    return Turns(assembly, whole, angles, len(last), run, change)


def change_between(assembly: JointAssembly, before: NDArray, after: NDArray) -> float:
    """The largest difference of two courses of the track forces, over the largest force."""
    first, second = (touches["normal_force"][:, assembly.tracks] for touches in (before, after))
    largest = float(second.max(initial=0.0))
    return float(np.abs(second - first).max()) / largest if largest > 0 else math.nan


def _at_rest(machine: Joint) -> tuple[SpatialTrajectory, JointAssembly]:
    """The equilibrium at time zero."""
    assembly = machine.assemble(_held(machine))
    return solve_statics(assembly.spatial, assembly.start, np.zeros(1)), assembly


def _held(machine: Joint) -> JointDrive:
    """Everything held as it is at time zero. An inner race that is free stays where it starts:
    without friction nothing else would hold it along its axis."""
    drive = machine.drive()
    assembly = machine.assemble(drive)
    axis = matrix_of(assembly.start.rotation[assembly.housing])[:, 2]
    return replace(
        drive,
        angles={name: _begun(angle) for name, angle in drive.angles.items()},
        torques={name: _begun(torque) for name, torque in drive.torques.items()},
        deflection=_begun(drive.deflection),
        plunge=constant(float(axis @ assembly.start.position[assembly.inner])),
    )


def _begun(function: Function) -> Function:
    return constant(value_at(function, 0.0)[0])


def _risen(deflection: Function) -> float:
    """The time that a ramp takes, zero without one."""
    return deflection.duration if deflection.kind == RISE else 0.0
