"""What a time response reports: motions, energies, and the work of the torques."""

import numpy as np

from flank.analyses.result import Quantity
from flank.analyses.torque_courses import Courses, value_after
from flank.arrays import Floats
from flank.dynamics.energy import energies
from flank.dynamics.trajectory import AnyTrajectory, Trajectory
from flank.machines.base import Assembly, Transmission


def motion_quantities(
    machine: Transmission, assembly: Assembly, trajectory: AnyTrajectory, start_angle: float
) -> dict[str, Quantity]:
    """Angles and speeds of all bodies in the plane, of all shafts in space."""
    over = ("time", "body")
    angles, speeds = _turning(assembly, trajectory)
    found, turned = {}, []
    for end, begins in (("input", start_angle), ("output", start_angle / machine.ratio)):
        name = assembly.input if end == "input" else assembly.output
        shaft = assembly.shafts[name]
        angle, speed = trajectory.angle(shaft, near=begins), trajectory.speed(shaft)
        name = assembly.body_names[shaft.body]
        label = f"{end} ({name})" if name != end else end
        found[f"final_{end}_angle"] = Quantity(
            (), angle[-1], "rad", "deg", f"Final angle of the {label}"
        )
        found[f"final_{end}_speed"] = Quantity(
            (), speed[-1], "rad/s", "rpm", f"Final speed of the {label}"
        )
        turned.append(angle)
    error = turned[1] - turned[0] / machine.ratio
    return found | {
        "angle": Quantity(over, angles, "rad", "deg", "Angle"),
        "speed": Quantity(over, speeds, "rad/s", "rpm", "Speed"),
        "transmission_error": Quantity(("time",), error, "rad", "arcmin", "Transmission error"),
    }


def _turning(assembly: Assembly, trajectory: AnyTrajectory) -> tuple[Floats, Floats]:
    """Angles and speeds (time, body) of what `turning_names` tells."""
    if isinstance(trajectory, Trajectory):
        return trajectory.position[:, 1:, 2], trajectory.velocity[:, 1:, 2]
    shafts = assembly.shafts.values()
    return (
        np.stack([trajectory.angle(shaft) for shaft in shafts], axis=1),
        np.stack([trajectory.speed(shaft) for shaft in shafts], axis=1),
    )


def turning_names(assembly: Assembly, trajectory: AnyTrajectory) -> list[str]:
    """Who turns: in the plane every body does, in space the shafts have an axis to turn about."""
    if isinstance(trajectory, Trajectory):
        return list(assembly.body_names[1:])
    return [assembly.body_names[shaft.body] for shaft in assembly.shafts.values()]


def energy_quantities(
    assembly: Assembly, trajectory: AnyTrajectory, work: Floats | None
) -> dict[str, Quantity]:
    """Kinetic and stored energy, and what has gone, where the work of all torques is known."""
    kinetic, stored = energies(assembly.model, trajectory)
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


def work_of(courses: Courses, assembly: Assembly, trajectory: AnyTrajectory) -> Floats:
    """∫ T dθ of all torques up to each time; a jump takes no time and does no work."""
    time, total = trajectory.time, np.zeros(len(trajectory.time))
    for name, points in courses.items():
        turned = np.diff(trajectory.angle(assembly.shafts[name]))
        middle = np.array([value_after(points, t) for t in 0.5 * (time[1:] + time[:-1])])
        total[1:] += np.cumsum(middle * turned)
    return total
