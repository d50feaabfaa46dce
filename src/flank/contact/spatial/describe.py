"""Contacts of spatial bodies in words, turned into rows of the contact table."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from flank.contact.spatial.directions import axes, unit
from flank.contact.spatial.table import (
    ARC,
    ELLIPSE,
    INSIDE_SPHERE,
    OUTSIDE_SPHERE,
    PLANE,
    SPATIAL_CONTACT,
)

CENTRE = (0.0, 0.0, 0.0)
SIDES = (-1.0, 0.0, 1.0)


@dataclass(frozen=True)
class StickFriction:
    """μ_r, μ_0, v_g1 (over which static friction fades) and v_g2 (below which friction is viscous),
    velocities in m/s."""

    sliding: float
    static: float
    static_velocity: float
    stick_velocity: float

    def __post_init__(self) -> None:
        if not 0 <= self.sliding <= self.static:
            raise ValueError(
                f"friction of {self.sliding:g} sliding and {self.static:g} static: neither may be "
                "negative, nor static friction the smaller one; give equal numbers if in doubt"
            )
        if not (self.static_velocity > 0 and self.stick_velocity > 0):
            raise ValueError(
                f"friction velocities of {self.static_velocity:g} and {self.stick_velocity:g} m/s "
                "must be positive; try 0.1 and 0.001"
            )


@dataclass(frozen=True)
class SpatialLaw:
    """F = `stiffness` δ^`exponent`, Hunt-Crossley `damping` in s/m, and friction.

    `drilling_length` ρ in m/N^(1/3) makes the drilling radius ρ F^(1/3): (3/8) a E(m) F^(-1/3) for
    a contact ellipse of the long semi-axis a.
    """

    stiffness: float
    exponent: float = 1.5
    damping: float = 0.0
    friction: StickFriction | None = None
    drilling_length: float = 0.0

    def __post_init__(self) -> None:
        if not 0 < self.stiffness < np.inf:
            raise ValueError(f"a contact stiffness of {self.stiffness:g} must be positive")
        if not self.exponent >= 1:
            raise ValueError(
                f"a contact exponent of {self.exponent:g} makes the first touch infinitely stiff; "
                "give 1 or more, 1.5 for Hertz"
            )
        if not (self.damping >= 0 and self.drilling_length >= 0):
            raise ValueError(
                f"damping of {self.damping:g} s/m and a drilling length of "
                f"{self.drilling_length:g} m/N^(1/3) must not be negative; zero leaves them out"
            )


def sphere_on_plane(
    body_a: int,
    body_b: int,
    origin: ArrayLike,
    normal: ArrayLike,
    sphere_radius: float,
    law: SpatialLaw,
    arm: ArrayLike = CENTRE,
) -> np.void:
    """A sphere on the side of a plane to which the normal points."""
    frame = np.roll(_frame_about(normal), 1, axis=0)
    return _row(PLANE, (body_a, body_b), origin, frame, sphere_radius, law, arm)


def ball_in_arc(
    body_a: int,
    body_b: int,
    origin: ArrayLike,
    frame: ArrayLike,
    centre: ArrayLike,
    radius: float,
    side: float,
    sphere_radius: float,
    law: SpatialLaw,
    arm: ArrayLike = CENTRE,
) -> np.void:
    """A ball in a straight track whose section is an arc about `centre` (x, y): the flank where y
    has the sign of `side`, or all of it (zero)."""
    _refuse_side(side)
    middle = np.asarray(centre, dtype=float)
    if not radius > sphere_radius:
        raise ValueError(
            f"a ball of radius {sphere_radius:g} m does not fit in a track of {radius:g} m"
        )
    if side != 0 and not abs(middle[1]) < radius:
        raise ValueError(
            f"an arc of radius {radius:g} m about y = {middle[1]:g} m does not reach the bottom of "
            "its track at y = 0; make the radius larger"
        )
    row = _row(ARC, (body_a, body_b), origin, frame, sphere_radius, law, arm)
    row["centre"], row["radius"], row["side"] = middle, radius, side
    return row


def ball_in_ellipse(
    body_a: int,
    body_b: int,
    origin: ArrayLike,
    frame: ArrayLike,
    semi_axes: ArrayLike,
    side: float,
    sphere_radius: float,
    law: SpatialLaw,
    arm: ArrayLike = CENTRE,
) -> np.void:
    """A ball in a straight track whose section is an ellipse about the origin, its semi-axes along
    x and y: the flank where y has the sign of `side`, or all of it (zero)."""
    _refuse_side(side)
    given = np.asarray(semi_axes, dtype=float)
    if not (given.shape == (2,) and sphere_radius < min(given)):
        raise ValueError(
            f"a ball of radius {sphere_radius:g} m does not fit in an elliptic track with the "
            f"semi-axes {given} m"
        )
    row = _row(ELLIPSE, (body_a, body_b), origin, frame, sphere_radius, law, arm)
    row["semi_axes"], row["side"] = given, side
    return row


def sphere_in_cylinder(
    body_a: int,
    body_b: int,
    origin: ArrayLike,
    axis: ArrayLike,
    radius: float,
    sphere_radius: float,
    law: SpatialLaw,
    arm: ArrayLike = CENTRE,
) -> np.void:
    """A sphere in a round bore along `axis`."""
    frame = _frame_about(axis)
    return ball_in_arc(
        body_a, body_b, origin, frame, (0.0, 0.0), radius, 0.0, sphere_radius, law, arm
    )


def sphere_in_sphere(
    body_a: int,
    body_b: int,
    origin: ArrayLike,
    radius: float,
    sphere_radius: float,
    law: SpatialLaw,
    arm: ArrayLike = CENTRE,
) -> np.void:
    """A sphere inside a hollow one."""
    if not radius > sphere_radius:
        raise ValueError(
            f"a sphere of radius {sphere_radius:g} m does not fit in one of {radius:g} m"
        )
    row = _row(INSIDE_SPHERE, (body_a, body_b), origin, np.eye(3), sphere_radius, law, arm)
    row["radius"] = radius
    return row


def sphere_on_sphere(
    body_a: int,
    body_b: int,
    origin: ArrayLike,
    radius: float,
    sphere_radius: float,
    law: SpatialLaw,
    arm: ArrayLike = CENTRE,
) -> np.void:
    """Two spheres outside each other."""
    if not radius > 0:
        raise ValueError(f"a sphere needs a positive radius, not {radius:g} m")
    row = _row(OUTSIDE_SPHERE, (body_a, body_b), origin, np.eye(3), sphere_radius, law, arm)
    row["radius"] = radius
    return row


def _row(
    field: int,
    bodies: tuple[int, int],
    origin: ArrayLike,
    frame: ArrayLike,
    sphere_radius: float,
    law: SpatialLaw,
    arm: ArrayLike,
) -> np.void:
    if bodies[0] == bodies[1]:
        raise ValueError(f"body {bodies[0]} cannot touch itself; name two bodies")
    if not sphere_radius > 0:
        raise ValueError(f"a sphere needs a positive radius, not {sphere_radius:g} m")
    row = np.zeros(1, dtype=SPATIAL_CONTACT)[0]
    row["field"], row["body_a"], row["body_b"] = field, *bodies
    row["origin"], row["frame"], row["arm"] = origin, axes("a surface", frame), arm
    row["sphere_radius"] = sphere_radius
    row["stiffness"], row["exponent"], row["damping"] = law.stiffness, law.exponent, law.damping
    row["static_velocity"] = row["stick_velocity"] = 1.0
    friction = law.friction
    if friction is not None:
        row["sliding_friction"], row["static_friction"] = friction.sliding, friction.static
        row["static_velocity"] = friction.static_velocity
        row["stick_velocity"] = friction.stick_velocity
        row["drilling_length"] = law.drilling_length
    return row


def _frame_about(axis: ArrayLike) -> NDArray:
    """Rows x, y, z with z along the axis."""
    z = unit(axis)
    x = np.eye(3)[int(np.argmin(np.abs(z)))]
    x = np.cross(x, z)
    x /= np.linalg.norm(x)
    return np.array([x, np.cross(z, x), z])


def _refuse_side(side: float) -> None:
    if side not in SIDES:
        raise ValueError(f"a flank's side is 1 (y > 0), -1 (y < 0) or 0 (both), not {side!r}")
