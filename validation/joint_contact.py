"""Ball and track: Hertz's ellipse against tables, and the contact's place against brute force."""

import math
from collections.abc import Callable, Iterator

import numpy as np
from cases import Case
from elliptic_contact import BALL_RADIUS, BALL_STEEL, HARRIS, MODULUS, harris_numbers, track
from joint_equilibrium import held_at, still
from joint_statics import INDEPENDENT, STIFF
from numpy.typing import NDArray

import flank
from flank.dynamics.spatial.quaternions import matrix_of
from flank.elasticity.elliptic_contact import contact_stiffness, ellipse_shape, elliptic_contact
from flank.machines.cv_joint.assembly import INNER, OUTER, JointAssembly
from flank.machines.cv_joint.joint import CvJoint
from flank.machines.cv_joint.model import FLANKS

STIFFNESSES = ((1.01, 6.55e10), (1.02, 5.06e10), (1.05, 3.66e10), (1.10, 2.93e10))
"""Conformity and K in N/m^1.5 of a ball of 17.462 mm, three digits."""

SECTIONS = ("gothic-arch", "elliptical")


def hertz_cases() -> Iterator[Case]:
    """Round contacts, printed ellipticities, and the tracks of the joint."""
    plain = BALL_STEEL.youngs_modulus / (1 - BALL_STEEL.poisson_ratio**2) / 2
    known = 4 / 3 * plain * math.sqrt(BALL_RADIUS)
    sphere = contact_stiffness(track(math.inf))
    yield Case("sphere on plane: K", "4/3 E* √R", known, sphere, "N/m^1.5", 1e-12)
    curved = (1 / BALL_RADIUS, 0.0)
    crossed = contact_stiffness(elliptic_contact(curved, curved, MODULUS, 0.5 * math.pi))
    yield Case("crossed cylinders: K", "sphere on plane", known, crossed, "N/m^1.5", 1e-12)
    for ratio, long, short, approach in (HARRIS[index] for index in (1, 7, 14, 19)):
        share = float(ratio)
        found = harris_numbers(ellipse_shape((1 + share) / (1 - share)))
        printed = zip(("a*", "b*", "δ*"), (long, short, approach), found, strict=True)
        for name, value, computed in printed:
            title = f"ellipse with F(ρ) = {ratio}: {name}"
            source = "Harris and Kotzalas 2006, table 6.1"
            yield Case(title, source, float(value), computed, "", 1e-3)
    for conformity, stiffness in STIFFNESSES:
        computed = contact_stiffness(track(conformity))
        title = f"ball in a track of conformity {conformity:g}: K"
        yield Case(title, INDEPENDENT, stiffness, computed, "N/m^1.5", 1e-3)


def geometry_cases() -> Iterator[Case]:
    """Gaps of all flanks of the loaded joint at 5°, found again in a grid over the track."""
    for section in SECTIONS:
        joint = flank.preset(STIFF, {"operation.deflection": "5 deg", "tracks.section": section})
        assembly = held_at(joint, 0.3)
        found = still(assembly)
        gaps, off = found.contact_results["gap"][0], 0.0
        for ball in range(len(assembly.balls)):
            for race in (OUTER, INNER):
                place = _in_track(assembly, found.position[0], found.rotation[0], ball, race)
                for flank_number, side in enumerate(FLANKS):
                    gap = gaps[assembly.tracks[ball, race, flank_number]]
                    brute = _nearest(_surface(joint, side), place) - joint.spec.ball_radius
                    off = max(off, abs(brute - gap))
        name = f"{section}: gaps of all flanks, pressed and open, largest difference"
        yield Case(name, "brute force", 0.0, off, "m", 1e-12)


def _in_track(
    assembly: JointAssembly, position: NDArray, rotation: NDArray, ball: int, race: int
) -> NDArray:
    """Centre of a ball in the frame of its track."""
    body = (assembly.outer, assembly.inner)[race]
    away = position[assembly.balls[ball]] - position[body]
    own = matrix_of(rotation[body]).T @ away - assembly.track_origin[ball, race]
    return np.asarray(assembly.track_frame[ball, race] @ own)


def _surface(joint: CvJoint, side: int) -> Callable[[NDArray], NDArray]:
    """Points of a flank's section over the angle from the bottom, (..., 2)."""
    section = joint.spec.section
    if joint.spec.tracks.section == "gothic-arch":
        a, b, middle = section.radius, section.radius, section.arc_centre(side)
    else:
        a, b, offset = section.ellipse
        middle = (-offset, 0.0)
    return lambda t: np.stack(
        [middle[0] + a * np.cos(t), middle[1] + side * b * np.sin(t)], axis=-1
    )


def _nearest(surface: Callable[[NDArray], NDArray], centre: NDArray) -> float:
    """Distance from a point to the track, in ever finer grids over angle and length."""
    angle, length, spread, reach = 0.25 * math.pi, 0.0, 0.25 * math.pi, 5e-3
    smallest = math.inf
    for _ in range(12):
        angles = angle + spread * np.linspace(-1, 1, 81)
        lengths = length + reach * np.linspace(-0.9, 1, 41)
        across = np.linalg.norm(surface(angles) - centre[:2], axis=-1)
        distance = np.hypot(across[:, None], (lengths - centre[2])[None])
        row, column = np.unravel_index(distance.argmin(), distance.shape)
        smallest = float(distance[row, column])
        angle, length = angles[row], lengths[column]
        spread, reach = spread / 10, reach / 10
    return smallest
