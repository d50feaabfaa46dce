"""Formulas of the paper that cannot stand as printed, with what they would do here."""

from __future__ import annotations

import math

import numpy as np

from flank.machines.cv_joint.figures import cage_force, track_force
from flank.reproduce.cv_joint.joints import BY_HERTZ, PAPERS, SOFTER, Stiffness, joint
from flank.reproduce.cv_joint.published import TORQUE


def rigid_track_force(torque: float) -> float:
    """Force in N of one loaded flank of rigid tracks, to all orders of the inclinations:
    T = m PCD/2 F (sin α_ca cos α ± cos α_ca sin α sin β)."""
    spec = joint(PAPERS).spec
    angle, race = spec.tracks.contact_angle, spec.geometry.outer
    arm = math.sin(angle) * math.cos(race.skew)
    arm += (
        math.copysign(1.0, torque)
        * math.cos(angle)
        * math.sin(race.skew)
        * math.sin(race.inclination)
    )
    return abs(torque) / (spec.balls.count * spec.pitch_radius * arm)


def longest_fixed_point_step(stiffness: Stiffness) -> float:
    """s below which the fixed-point iteration of the trapezoidal rule contracts, 2/ω of a ball
    between its two loaded contacts."""
    machine = joint(stiffness)
    constant = machine.contacts.stiffness(machine.contacts.outer_track)
    slope = 1.5 * constant ** (2 / 3) * track_force(machine.spec, TORQUE) ** (1 / 3)
    return 2 / math.sqrt(2 * slope / machine.masses.ball.mass)


def largest_friction() -> float:
    """The peak of μ_3 with the preset's coefficients."""
    law = joint(PAPERS).contacts.friction
    assert law is not None
    w = np.geomspace(1e-5, 1.0, 20_001)
    fading = (law.static - law.sliding) * np.exp(-w / law.static_velocity)
    return float(np.max((law.sliding + fading) * np.tanh(w / law.stick_velocity)))


def mistakes() -> list[str]:
    """One sentence or two for each."""
    spec = joint(PAPERS).spec
    ideal = track_force(spec, TORQUE)
    ahead, reversed_ = (rigid_track_force(sign * TORQUE) / ideal for sign in (1, -1))
    steps = [1e6 * longest_fixed_point_step(each) for each in (PAPERS, SOFTER, BY_HERTZ)]
    thrice = cage_force(spec, -TORQUE) / cage_force(spec, TORQUE)
    texts = (
        f"Eq. 7 is a fixed-point iteration. It contracts only for steps below {steps[0]:.1f} µs "
        f"with 6e12, {steps[1]:.1f} µs with 3e11 and {steps[2]:.1f} µs with Hertz's stiffness at "
        "2000 N·m, and friction that sticks asks for far less; Newton's method has no such limit.",
        "Eq. 8 is called a transformation from the inertial to the track frame. It is a rotation "
        "of vectors, and acts on those of the race; the track axis is (sin β, -sin α cos β, "
        "cos α cos β) or its transpose, by the sense of the angles.",
        "Eqs. 12 and 13 take the length of a vector for the penetration, which is never negative: "
        "open contacts would push. Signed, it is the distance of the centres plus R_ball - R_tr.",
        "Eq. 15 leaves out the point of the plane: it measures the distance to a parallel plane "
        "through the origin. (16) is right with n·(C_2 - r_cw).",
        "Eq. 17 is not Hunt's and Crossley's: D δ' jumps at first touch and pulls at release, as "
        "the paper says itself. Theirs is K δ^n (1 + d δ'), here without its negative part.",
        "Eqs. 18 and 22: friction must act against the sliding velocity; and with v_t/|v_t| in "
        "(18), (22) must have |v_t|, or the sign counts twice. The peak of μ_3 stays below μ_0: "
        f"{largest_friction():.4f} instead of 0.05 with the coefficients assumed.",
        f"Eq. 23 is of first order in the inclinations: rigid tracks carry {ahead:.4f} of it, and "
        f"with the torque reversed {reversed_:.4f}.",
        "Eq. 24 holds for one direction of the torque. Reversed, its terms add: "
        f"{thrice:.2f} times the force here.",
        "Eq. 25 is written for vectors, of which one is square to the other; magnitudes are meant.",
        "The orders 4, 12, 20, 28 do not follow from the symmetry of 90° that the text names, "
        "which allows 8, 16 and 24 as well. These are ruled out because the joint turned by 45° is "
        "its own mirror image, so that the axial force changes its sign.",
    )
    return [f"Mistake {number}. {text}" for number, text in enumerate(texts, start=1)]
