"""What a time response reports: motions, energies, and the work of the torques."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from flank.analyses.result import Quantity
from flank.analyses.torque_courses import Courses, value_after
from flank.dynamics.energy import kinetic_energy, stored_energy
from flank.dynamics.trajectory import Trajectory
from flank.machines.base import Assembly, Reducer


def motion_quantities(
    machine: Reducer, assembly: Assembly, trajectory: Trajectory
) -> dict[str, Quantity]:
    over = ("time", "body")
    angles, speeds = trajectory.position[:, 1:, 2], trajectory.velocity[:, 1:, 2]
    ends = {"input": assembly.input_body - 1, "output": assembly.output_body - 1}
    found = {}
    for end, body in ends.items():
        name = assembly.body_names[body + 1]
        label = f"{end} ({name})" if name != end else end
        found[f"final_{end}_angle"] = Quantity(
            (), angles[-1, body], "rad", "deg", f"Final angle of the {label}"
        )
        found[f"final_{end}_speed"] = Quantity(
            (), speeds[-1, body], "rad/s", "rpm", f"Final speed of the {label}"
        )
    error = angles[:, ends["output"]] - angles[:, ends["input"]] / machine.ratio
    return found | {
        "angle": Quantity(over, angles, "rad", "deg", "Angle"),
        "speed": Quantity(over, speeds, "rad/s", "rpm", "Speed"),
        "transmission_error": Quantity(("time",), error, "rad", "arcmin", "Transmission error"),
    }


def energy_quantities(
    assembly: Assembly, trajectory: Trajectory, work: NDArray | None
) -> dict[str, Quantity]:
    """Kinetic and stored energy, and what has gone, where the work of all torques is known."""
    kinetic = kinetic_energy(assembly.model, trajectory.velocity)
    stored = stored_energy(assembly.model, trajectory)
    over = ("time",)
    found = {
        "kinetic_energy": Quantity(over, kinetic, "J", "J", "Kinetic energy"),
        "stored_energy": Quantity(over, stored, "J", "J", "Energy stored in meshes and bearings"),
    }
    if work is None:
        return found
    gone = kinetic[0] + stored[0] + work - kinetic - stored
    largest = max(float(np.abs(kinetic + stored).max()), 1e-300)
    lost = Quantity((), gone[-1] / largest, "", "percent", "Energy lost over the largest energy")
    return {
        "lost_energy": lost,
        **found,
        "work": Quantity(over, work, "J", "J", "Work of the torques"),
        "lost_energy_course": Quantity(over, gone, "J", "J", "Energy lost to damping"),
    }


def work_of(courses: Courses, bodies: Mapping[str, int], trajectory: Trajectory) -> NDArray:
    """∫ T dθ of all torques up to each time; a jump takes no time and does no work."""
    time, total = trajectory.time, np.zeros(len(trajectory.time))
    for name, points in courses.items():
        turned = np.diff(trajectory.position[:, bodies[name], 2])
        middle = np.array([value_after(points, t) for t in 0.5 * (time[1:] + time[:-1])])
        total[1:] += np.cumsum(middle * turned)
    return total
