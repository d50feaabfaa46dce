"""A plunging ball joint at rest under load, closed forms beside its elastic contacts, and turning.

python examples/cv_joint.py
"""

import math
from dataclasses import replace

import numpy as np

import flank
from flank.dynamics.functions import constant, linear
from flank.dynamics.run import solve_statics
from flank.dynamics.spatial.quaternions import matrix_of
from flank.dynamics.trajectory import SpatialTrajectory
from flank.machines.cv_joint.assembly import OUTER, JointAssembly
from flank.machines.cv_joint.figures import cage_force, track_force
from flank.machines.cv_joint.joint import CvJoint

STRAIGHT = {"operation.deflection": 0}
FEW = {"balls.count": 6}
FRICTIONS = (0, 0.03)
MANY = {"balls.count": 10, "balls.diameter": "14 mm", "cage.window_length": "16.5 mm"}


def joint(changes: dict | None = None) -> CvJoint:
    """Eight balls of 17.462 mm on a pitch circle of 60 mm, tracks at 8 and 4 deg, 2000 N·m."""
    return flank.preset("cv-joint", changes)


def at_rest(machine: CvJoint) -> tuple[JointAssembly, SpatialTrajectory]:
    """Equilibrium under the torque of the operating point, without friction."""
    drive = replace(machine.drive(), angles={"outer": constant(0.0)})
    assembly = machine.assemble(drive).frictionless()
    return assembly, solve_statics(assembly.model, assembly.start, np.zeros(1))


def straight(stiffness: str | None, torque: float = 2000.0) -> tuple[float, float]:
    """Track force over Eq. 23, and the cage force in N, of the straight joint."""
    machine = joint({"contact.stiffness": stiffness, "operation.torque": torque} | STRAIGHT)
    assembly, found = at_rest(machine)
    force = found.contact_results["normal_force"][0]
    most = force[assembly.tracks].max() / track_force(machine.spec, torque)
    return float(most), float(force[assembly.windows].max())


def deflected(stiffness: str | None) -> tuple[float, float]:
    """Secondary torque in N·m and angle of the cage in deg at a deflection of 2 deg."""
    assembly, found = at_rest(joint({"contact.stiffness": stiffness}))
    contact_results = found.contact_results[0][assembly.tracks[:, OUTER]]
    force = -contact_results["normal_force"][..., None] * contact_results["normal"]
    torque = np.cross(contact_results["point"], force).sum(axis=(0, 1))
    axis = matrix_of(found.rotation[0, assembly.cage])[:, 2]
    return math.hypot(*torque[:2]), math.degrees(math.atan2(axis[0], axis[2]))


def limit(torque: float) -> tuple[float, float]:
    """Cage force in N with 5 µm on either side of the balls, stiff contacts, and Eq. 24."""
    changes = {"contact.stiffness": "6e12 N/m^1.5", "cage.window_clearance": "10 um"}
    machine = joint(changes | {"operation.torque": torque} | STRAIGHT)
    assembly, found = at_rest(machine)
    force = found.contact_results["normal_force"][0][assembly.windows].max()
    return float(force), cage_force(machine.spec, torque)


def axial(changes: dict) -> float:
    """Largest axial force on the inner race over a turn at 2 deg, in N, without friction."""
    machine = joint(changes | {"contact.stiffness": "6e12 N/m^1.5"})
    drive = replace(machine.drive(), angles={"outer": linear(1.0)})
    assembly = machine.assemble(drive).frictionless()
    angles = np.linspace(0, 4 * math.pi / machine.spec.balls.count, 33)
    guesses = [machine.pose_under(drive, angle) for angle in angles]
    found = solve_statics(assembly.model, assembly.start, angles, guesses=guesses)
    return float(np.abs(found.multipliers[:, assembly.plunge]).max())


def turning(friction: float) -> tuple[float, float, float, float]:
    """Mean secondary torques on the outer and inner race in N·m, largest track force in N and
    power lost in W, of the joint in its periodic state at 2 deg and 300 rpm."""
    machine = joint().at(2000.0, math.radians(2), friction)
    found = flank.run(machine, "joint-turns", points_per_turn=90)
    names = ("secondary_torque_outer", "secondary_torque_inner", "peak_track_force", "loss")
    return tuple(found[name] for name in names)


STIFFNESSES = {
    "Hertz": None,
    "3e11": "3e11 N/m^1.5",
    "6e12": "6e12 N/m^1.5",
}


if __name__ == "__main__":
    for name, stiffness in STIFFNESSES.items():
        ratio, force = straight(stiffness)
        reversed_force = straight(stiffness, -2000.0)[1]
        torque, angle = deflected(stiffness)
        print(
            f"{name:5}: F/F_0 {ratio:.4f}, cage {force:.1f} N, reversed {reversed_force:.1f} N, "
            f"secondary torque {torque:.3f} N·m, cage at {angle:.4f} deg"
        )
    for torque in (50, 200, 500, 2000):
        print("{:5} N·m: cage {:.1f} N, Eq. 24 {:.1f} N".format(torque, *limit(torque)))
    for balls, changes in ((6, FEW), (8, {}), (10, MANY)):
        print(f"{balls:2} balls: axial force {axial(changes):.2f} N")
    for friction in FRICTIONS:
        outer, inner, force, loss = turning(friction)
        print(
            f"friction {friction}: secondary torque {outer:.1f} and {inner:.1f} N·m, track force "
            f"{force:.0f} N, loss {loss:.1f} W"
        )
