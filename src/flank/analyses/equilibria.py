"""Static paths: with the input locked time stands for the torque, else for the crank angle."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from flank.contact.table import FRICTION_NONE
from flank.dynamics.functions import constant, linear
from flank.dynamics.run import Progress, solve_statics
from flank.dynamics.status import Status
from flank.dynamics.trajectory import Trajectory
from flank.errors import SpecError
from flank.machines.base import Assembly, Reducer


def frictionless(assembly: Assembly) -> Assembly:
    """The same without friction: only then has a pose one tangent, whatever came before it."""
    contacts = assembly.model.contacts.copy()
    contacts["friction_form"] = FRICTION_NONE
    return replace(assembly, model=assembly.model._replace(contacts=contacts))


def locked(machine: Reducer, crank_angle: float) -> Assembly:
    """The frictionless machine, its input held at an angle, an output torque of `time` N·m."""
    return frictionless(machine.assemble(constant(crank_angle), linear(1.0)))


def turning(machine: Reducer, torque: float) -> Assembly:
    """The frictionless machine under one torque; time stands for the crank angle."""
    return frictionless(machine.assemble(linear(1.0), constant(torque)))


def peak_torque(machine: Reducer, torque: float | None) -> float:
    """The size of the torque asked for, the rated one if none is; SpecError if it is zero."""
    peak = machine.rated_torque if torque is None else abs(torque)
    if peak == 0:
        raise SpecError("torque is zero; a stiffness needs a load, for example the rated torque")
    return peak


def both_directions(
    model_of: Assembly, start: NDArray, torques: NDArray, progress: Progress | None
) -> list[Trajectory]:
    """Equilibria at +torques and at -torques, each from the unloaded pose `start`."""
    found = []
    for half, sign in enumerate((1.0, -1.0)):

        def report(share: float, half: int = half) -> None:
            if progress is not None:
                progress(0.5 * (half + share))

        found.append(solve_statics(model_of.model, start, sign * torques, progress=report))
    return found


def along_crank(
    machine: Reducer, assembly: Assembly, angles: NDArray, progress: Progress | None = None
) -> Trajectory:
    """Equilibria at crank angles; time stands for the crank angle."""
    guesses = np.array([machine.ideal_pose(angle) for angle in angles])
    return solve_statics(assembly.model, guesses[0], angles, guesses, progress=progress)


def joined(parts: list[Trajectory]) -> Trajectory:
    """Several runs as one: it ended as the first that failed did."""
    names = dict.fromkeys(name for part in parts for name in part.counters)
    failed = (part.status for part in parts if not part.complete)
    fields = ("time", "position", "velocity", "multipliers", "touches")
    return replace(
        parts[0],
        **{name: np.concatenate([getattr(part, name) for part in parts]) for name in fields},
        status=next(failed, Status.OK),
        counters={n: sum(part.counters.get(n, 0) for part in parts) for n in names},
    )
