"""Runs of the joint in time: friction within its bounds, repetition, energy, orders, rotations."""

import math
from collections.abc import Iterator

import numpy as np
from cases import Case
from joint_statics import STIFF, TORQUE, order_cases

import flank
from flank.analyses.joint_turns import JointTurnsSettings, compute_turns
from flank.dynamics.spatial.quaternions import matrix_of
from flank.machines.cv_joint.figures import secondary_torque
from flank.machines.cv_joint.joint import CvJoint

PRESETS = (STIFF, "cv-joint")
TURNS = 10


def sliding_torque(joint: CvJoint) -> float:
    """2 μ T/(π sin α_ca) in N·m: what friction adds at most if all balls slide."""
    sine = math.sin(joint.spec.tracks.contact_angle)
    return 2 * joint.friction * joint.torque / (math.pi * sine)


def friction_cases() -> Iterator[Case]:
    """One turn at 2000 N·m, 2°, 300 rpm with μ = 0.03."""
    for name in PRESETS:
        joint = flank.preset(name)
        found = flank.run(joint, points_per_turn=90)
        half = secondary_torque(TORQUE, joint.deflection)
        allowed = sliding_torque(joint) / half
        in_plane = -found["secondary_torque"].values[:-1, :, 0]  # positive without friction
        for race, title in enumerate(("outer", "inner")):
            course = in_plane[:, race]
            farthest = float(course[np.abs(course - half).argmax()])
            case = f"{name}: secondary torque on the {title} race, farthest in a turn"
            source = "T tan(β/2) ± 2 μ T/(π sin α)"
            yield Case(case, source, half, farthest, "N·m", allowed)
        power = 2 * sliding_torque(joint) * joint.speed * math.tan(0.5 * joint.deflection)
        share = float(found["loss"]) / power
        source = "0 to 1, all balls sliding"
        yield Case(f"{name}: loss over its bound", source, 0.5, share, "", 1.0)
        change = float(found["repeat_change"])
        case = f"{name}: largest change of a track force to the next turn, over the largest"
        yield Case(case, "periodic", 0.0, change, "", 0.01)
        lost = abs(float(found["energy_remainder"]))
        case = f"{name}: work in less work out, losses and stored energy, over a turn"
        yield Case(case, "balance of energy", 0.0, lost, "", 0.005)
        amounts = dict(zip(found["energy"].values, found["energy_amount"].values, strict=True))
        work = amounts["work on the load"]
        yield Case(f"{name}: work on the load", "2π T", 2 * math.pi * TORQUE, work, "J", 1e-3)


def running_order_cases() -> Iterator[Case]:
    """The frictionless joint in time; its axial force is that of the equilibria."""
    smooth = flank.preset(STIFF, {"contact.friction": None})
    found = flank.run(smooth, points_per_turn=48)
    yield from order_cases(found, "300 rpm without friction", 0.005)


def rotation_cases() -> Iterator[Case]:
    """R Rᵀ = 1 of all bodies after ten turns, with friction."""
    asked = JointTurnsSettings(turns=TURNS, most_turns=TURNS + 1, points_per_turn=16)
    seen = compute_turns(flank.preset("cv-joint"), asked)
    matrices = matrix_of(seen.trajectory.rotation)
    square = matrices @ np.swapaxes(matrices, -1, -2)
    off = float(np.abs(square - np.eye(3)).max())
    name = f"rotations of all bodies over {seen.turns} turns: largest entry of R Rᵀ - 1"
    yield Case(name, "rotation", 0.0, off, "", 1e-12)
    yield Case("the same: turns that were run", "asked for", TURNS, seen.turns, "", 0.0)
