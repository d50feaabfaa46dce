"""Torques that are computed as asked and mean little: far too large, far too small, none."""

from flank.analyses.derivatives import stations
from flank.analyses.equilibria import frictionless
from flank.dynamics.model import Model
from flank.dynamics.plane import FORCE_FLOOR
from flank.dynamics.run import solve_statics
from flank.dynamics.trajectory import Trajectory
from flank.machines.base import Assembly, Reducer

OVERLOAD = 5
"""Times the rated torque: what makers of precision reducers allow as a momentary peak."""

SEEN = 100
"""Torque over the error of an equilibrium from which it is known to a hundredth."""


def overload_warnings(machine: Reducer, torque: float) -> list[str]:
    """That a torque is far above the rated one."""
    times = abs(torque) / machine.rated_torque
    if times <= OVERLOAD:
        return []
    return [
        f"The torque of {torque:.4g} N*m is {times:.4g} times the rated torque; makers of "
        f"reducers allow some {OVERLOAD} times for a moment."
    ]


def load_warnings(
    machine: Reducer, assembly: Assembly, torque: float, run: Trajectory
) -> list[str]:
    """The same, and that a torque is none, or so small that it counts as none."""
    least = least_torque(assembly.model)
    if abs(torque) >= least:
        return overload_warnings(machine, torque)
    found = []
    if torque != 0:
        found.append(
            f"The torque of {torque:.3g} N*m is hardly told from none, as equilibria are found to "
            f"{FORCE_FLOOR:.0e} N: use at least {least:.1g} N*m."
        )
    if len(run.time) and _loose(assembly, run):
        found.append(
            "Without a torque the output is in equilibrium anywhere within the backlash: its angle "
            "here is one of many."
        )
    return found


def least_torque(model: Model) -> float:
    """In N·m, from which the residual of an equilibrium is a small part of the load."""
    return SEEN * FORCE_FLOOR * model.length_scale


def _loose(assembly: Assembly, run: Trajectory) -> bool:
    """Whether nothing but the solver and friction hold the output where the run begins."""
    bare = frictionless(assembly)
    rest = solve_statics(bare.model, run.position[0], run.time[:1])  # what friction held gives way
    return rest.complete and stations(bare, rest)[0].loose
