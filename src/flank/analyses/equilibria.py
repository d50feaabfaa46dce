"""Static paths: with the input locked time stands for the torque, else for the crank angle."""

from flank.arrays import Floats
from flank.dynamics.functions import constant, linear
from flank.dynamics.run import Progress, solve_statics
from flank.dynamics.trajectory import AnyTrajectory, Pose
from flank.errors import SpecError
from flank.machines.base import Assembly, Drive, Reducer, Transmission


def locked(machine: Transmission, crank_angle: float) -> Assembly:
    """The frictionless machine, its input held at an angle, an output torque of `time` N·m."""
    return machine.assemble(Drive.of_ends(constant(crank_angle), linear(1.0))).frictionless()


def turning(machine: Transmission, torque: float) -> Assembly:
    """The frictionless machine under one torque; time stands for the crank angle."""
    return machine.assemble(Drive.of_ends(linear(1.0), constant(torque))).frictionless()


def peak_torque(machine: Reducer, torque: float | None) -> float:
    """The size of the torque asked for, the rated one if none is; SpecError if it is zero."""
    peak = machine.rated_torque if torque is None else abs(torque)
    if peak == 0:
        raise SpecError("torque is zero; a stiffness needs a load, for example the rated torque")
    return peak


def both_directions(
    model_of: Assembly, start: Pose, torques: Floats, progress: Progress | None
) -> list[AnyTrajectory]:
    """Equilibria at +torques and at -torques, each from the unloaded pose `start`."""
    found = []
    for half, sign in enumerate((1.0, -1.0)):

        def report(share: float, half: int = half) -> None:
            if progress is not None:
                progress(0.5 * (half + share))

        found.append(solve_statics(model_of.model, start, sign * torques, progress=report))
    return found


def along_crank(
    machine: Transmission, assembly: Assembly, angles: Floats, progress: Progress | None = None
) -> AnyTrajectory:
    """Equilibria at crank angles; time stands for the crank angle."""
    guesses = [machine.ideal_pose(angle) for angle in angles]
    return solve_statics(assembly.model, guesses[0], angles, guesses, progress=progress)
