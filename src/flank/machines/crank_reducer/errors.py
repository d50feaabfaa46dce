"""The kinds of errors of what all reducers with cranks share; a machine adds those of its mesh."""

from flank.machines.error_kinds import ARCSECOND, ErrorKind, Kinds

CRANK_KINDS: Kinds = {
    "crank_pin_radius": ErrorKind("radius of an eccentric", ("crank", "disc"), 4e-6),
    "eccentricity": ErrorKind("eccentricity", ("crank", "disc"), 3e-6),
    "eccentric_phase": ErrorKind("phase of an eccentric", ("crank", "disc"), 90 * ARCSECOND, "rad"),
    "crank_radial": ErrorKind("outward position of {}", ("crank",), 5e-6),
    "crank_tangential": ErrorKind("tangential position of {}", ("crank",), 5e-6),
    "hole_radial": ErrorKind("outward position of a disc hole", ("disc", "crank"), 5e-6),
    "hole_tangential": ErrorKind("tangential position of a disc hole", ("disc", "crank"), 5e-6),
    "hole_radius": ErrorKind("radius of a disc hole", ("disc", "crank"), 4e-6),
    "turning_arm_clearance": ErrorKind("clearance of a turning arm", ("crank", "disc"), 3e-6),
    "support_clearance": ErrorKind("clearance of a support", ("crank", "side"), 2e-6),
}
"""Drawing tolerances: eccentric radius IT4, eccentricity IT3, phase within 3 arcmin in all
(arXiv 2604.02387, Table 9); the others are assumed at the same grades."""
