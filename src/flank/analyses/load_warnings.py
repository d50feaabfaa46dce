"""Torques that are computed as asked and mean little: far too large, far too small, none."""

from flank.analyses.derivatives import output_is_loose
from flank.dynamics.model import Model
from flank.dynamics.solve import solve_statics
from flank.dynamics.spatial.model import SpatialModel
from flank.dynamics.statics import FORCE_FLOOR
from flank.dynamics.trajectory import AnyTrajectory
from flank.machines.base import Assembly, Reducer, Transmission

OVERLOAD = 5
"""Times the rated torque: what makers of precision reducers allow as a momentary peak."""

SEEN = 100
"""Torque over the error of an equilibrium from which it is known to a hundredth."""


def overload_warnings(machine: Transmission, torque: float) -> list[str]:
    """That a torque is far above the rated one, where there is one."""
    if not isinstance(machine, Reducer):
        return []
    times = abs(torque) / machine.rated_torque
    if times <= OVERLOAD:
        return []
    return [
        f"The torque of {torque:.4g} N*m is {times:.4g} times the rated torque; makers of "
        f"reducers allow some {OVERLOAD} times for a moment."
    ]


def load_warnings(
    machine: Transmission, assembly: Assembly, torque: float, run: AnyTrajectory
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


def least_torque(model: Model | SpatialModel) -> float:
    """In N·m, from which the residual of an equilibrium is a small part of the load."""
    return SEEN * FORCE_FLOOR * model.length_scale


def _loose(assembly: Assembly, run: AnyTrajectory) -> bool:
    """Whether nothing but the solver and friction hold the output where the run begins."""
    bare = assembly.frictionless()
    rest = solve_statics(bare.model, run.pose(0), run.time[:1])  # what friction held gives way
    return rest.complete and output_is_loose(bare, rest)
