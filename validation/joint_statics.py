"""Equilibria of the frictionless joint against closed forms and figures computed independently."""

import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from cases import Case
from joint_equilibrium import cage_angle_in_plane

import flank
from flank.analyses.result import Result
from flank.machines.cv_joint.assembly import OUTER
from flank.machines.cv_joint.figures import cage_force, secondary_torque, track_force
from flank.machines.cv_joint.joint import CvJoint

STIFF = "cv-joint-marter"
TORQUE = 2000.0
INDEPENDENT = "computed independently"

SOFTER = (
    # N/m^1.5, track force over Eq. 23, secondary torque in N m, cage angle in degrees
    ("6e12", 0.992, 34.911, 1.0085),
    ("3e11", 0.949, 34.932, 1.0370),
    ("5e10", 0.881, 34.972, 1.0599),
)

LIMIT = ((50, 0.0), (200, 66.0), (500, 292.0))
"""N m, and the cage force in N with 5 µm on either side of a ball."""


@cache
def _joint(changes: tuple[tuple[str, Any], ...]) -> tuple[CvJoint, Result]:
    joint = flank.preset(STIFF, dict(changes))
    return joint, flank.run(joint, mode="static", points_per_turn=16)


def equilibria(**changes: Any) -> tuple[CvJoint, Result]:
    """The stiff joint, changed, and its static turn; `a__b` stands for the key `a.b`."""
    return _joint(tuple((key.replace("__", "."), value) for key, value in changes.items()))


def straight(torque: float = TORQUE, **changes: Any) -> tuple[CvJoint, Result]:
    return equilibria(operation__deflection=0, operation__torque=torque, **changes)


def rigid_track_force(joint: CvJoint, torque: float) -> float:
    """F of a loaded flank whose normal is that of the unloaded track, exact in its inclinations:
    T = m R F n·e_t, of the even tracks, which have equal shares."""
    geometry, angle = joint.geometry, joint.spec.tracks.contact_angle
    x, y, _ = geometry.frames(OUTER)[0]
    side = -math.copysign(1.0, torque)
    across = (math.cos(angle) * x + side * math.sin(angle) * y) @ geometry.tangential[0]
    return abs(torque) / (geometry.balls * geometry.pitch_radius * abs(across))


def closed_form_cases() -> Iterator[Case]:
    """The straight joint at 6e12 N/m^1.5 in both torque directions, and the joint at 2°."""
    for torque, way in ((TORQUE, "2000 N·m"), (-TORQUE, "-2000 N·m")):
        joint, found = straight(torque)
        force, cage = float(found["mean_track_force"]), float(found["mean_window_force"])
        exact, cage_known = rigid_track_force(joint, torque), cage_force(joint.spec, torque)
        if torque > 0:  # reversed, Eq. 23, of first order in the inclinations, leaves out 2 %
            known = track_force(joint.spec, torque)
            yield Case(f"straight, {way}: track force", "Eq. 23", known, force, "N", 0.01)
        name = f"straight, {way}: track force, normals of the inclined track"
        yield Case(name, "Eq. 23, exact in the inclinations", exact, force, "N", 0.01)
        yield Case(f"straight, {way}: cage force", "Eq. 24", cage_known, cage, "N", 0.02)
        apart = np.ptp(found["window_force"].values.sum(axis=-1), axis=1).max() / cage
        yield Case(f"straight, {way}: cage force, ball to ball", "symmetry", 0.0, apart, "", 1e-6)
    joint, found = equilibria()
    secondary = secondary_torque(TORQUE, joint.deflection)
    for race in ("outer", "inner"):
        computed = float(found[f"secondary_torque_{race}"])
        name = f"2°: secondary torque on the {race} race"
        yield Case(name, "Eq. 25, T tan(β/2)", secondary, computed, "N·m", 1e-3)
    angle = math.degrees(float(found["mean_cage_angle"]))
    yield Case("2°: cage angle", "β/2", 1.0, angle, "°", 0.015)


def stiffness_cases() -> Iterator[Case]:
    """Soft contacts open the contact angle, and the cage no longer halves the angle."""
    for stiffness, ratio, secondary, angle in SOFTER:
        soft = {"contact__stiffness": f"{stiffness} N/m^1.5"}
        joint, found = straight(**soft)
        computed = float(found["mean_track_force"]) / track_force(joint.spec, TORQUE)
        title = f"{stiffness} N/m^1.5"
        name = f"{title}, straight: track force over Eq. 23"
        yield Case(name, INDEPENDENT, ratio, computed, "", 6e-4)
        leaning, found = equilibria(**soft)
        computed = float(found["secondary_torque_inner"])
        name = f"{title}, 2°: secondary torque"
        yield Case(name, INDEPENDENT, secondary, computed, "N·m", 2e-5)
        computed = math.degrees(cage_angle_in_plane(leaning))
        name = f"{title}, 2°: cage angle in the plane of the shafts"
        yield Case(name, INDEPENDENT, angle, computed, "°", 1e-4)


def limit_torque_cases() -> Iterator[Case]:
    """Within the windows' clearance the balls take up the torque without the cage."""
    for torque, force in LIMIT:
        _, found = straight(torque, cage__window_clearance="10 um")
        computed = float(found["peak_window_force"])
        name = f"straight, 5 µm beside the balls, {torque} N·m: cage force"
        allowed = 0.5 / force if force else 0.0
        yield Case(name, f"{INDEPENDENT}, whole N", force, computed, "N", allowed)


def order_cases(found: Result, title: str, known: float) -> Iterator[Case]:
    """Order 4 of the axial force, and those that symmetry forbids: after a pitch the joint is its
    own mirror image, which leaves odd multiples of half the number of balls."""
    orders = dict(zip(found["named_order"].values, found["named_order_force"].values, strict=True))
    name = f"{title}: order 4 of the axial force"
    yield Case(name, INDEPENDENT, 2.40, orders[4], "N", known)
    for order in (1, 2, 8, 16):
        share = orders[order] / orders[4]
        name = f"{title}: order {order} over order 4"
        yield Case(name, "symmetry", 0.0, share, "", 1e-4)


def static_order_cases() -> Iterator[Case]:
    found = flank.run(flank.preset(STIFF), mode="static", points_per_turn=48)
    yield from order_cases(found, "equilibria", 0.005)
