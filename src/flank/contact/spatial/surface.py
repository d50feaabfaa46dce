"""What a contact in space is made of: force law, damping, friction, and a sphere on a surface.

Points, directions and frames that are given wrongly are refused in one sentence.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from flank.arrays import Floats
from flank.contact.declare import ForceLaw
from flank.contact.spatial.table import FIELDS, DistanceField, spatial_contact_dtype
from flank.contact.surface import Damping, Surface


@dataclass(frozen=True)
class SpatialSurface(Surface):
    """How a contact in space answers: as one in the plane, and by friction about its normal.

    `drilling_length` ρ in m/N^(1/3) makes the drilling radius ρ F^(1/3): (3/8) a E(m) F^(-1/3) for
    a contact ellipse of the long semi-axis a.
    """

    drilling_length: float = 0.0

    def __post_init__(self) -> None:
        if not isinstance(self.damping, Damping):
            Damping(self.damping)  # refuses what is none
        if not self.drilling_length >= 0:
            raise ValueError(
                f"a drilling length of {self.drilling_length:g} m/N^(1/3) must not be negative; "
                "zero leaves it out"
            )

    def put(self, row: np.void) -> ForceLaw:
        law = super().put(row)
        if self.friction.coefficient > 0:
            row["drilling_length"] = self.drilling_length
        return law


@dataclass(frozen=True)
class Sphere:
    """A sphere on a body: radius in m, and its centre in the body's frame."""

    body: int
    radius: float
    centre: ArrayLike = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Place:
    """Where a surface is on its body: its origin, and its axes as rows, in the body's frame."""

    body: int
    origin: ArrayLike
    frame: ArrayLike


def spatial_row(
    field: DistanceField,
    place: Place,
    sphere: Sphere,
    surface: SpatialSurface,
    **values: ArrayLike,
) -> np.void:
    """A row of the contact table; `values` are the fields of the distance field's own."""
    if place.body == sphere.body:
        raise ValueError(f"body {place.body} cannot touch itself; name two bodies")
    if not sphere.radius > 0:
        raise ValueError(f"a sphere needs a positive radius, not {sphere.radius:g} m")
    row: np.void = np.zeros(1, dtype=spatial_contact_dtype())[0]
    row["field"], row["body_a"], row["origin"] = FIELDS.number(field), place.body, place.origin
    row["frame"] = axes("a surface", place.frame)
    row["body_b"], row["arm"], row["sphere_radius"] = sphere.body, sphere.centre, sphere.radius
    law = surface.put(row)
    if field.varies and law.by_curvature is not None:
        raise ValueError(
            f"the force law {law.name!r} knows the curvature, which changes along the surface "
            f"{field.name!r}; use a PowerLaw there"
        )
    for name, value in values.items():
        row[name] = value
    return row


def frame_about(axis: ArrayLike) -> Floats:
    """Rows x, y, z with z along the axis."""
    z = unit(axis)
    x = np.eye(3)[int(np.argmin(np.abs(z)))]
    x = np.cross(x, z)
    x /= np.linalg.norm(x)
    return np.array([x, np.cross(z, x), z])


def three_numbers(what: str, given: ArrayLike) -> Floats:
    """A vector; a single number would silently stand for all three."""
    vector = np.asarray(given, dtype=float)
    if vector.shape != (3,) or not np.isfinite(vector).all():
        raise ValueError(f"{what} must be three finite numbers, not {vector}")
    return vector


def unit(direction: ArrayLike) -> Floats:
    vector = three_numbers("a direction", direction)
    length = float(np.linalg.norm(vector))
    if not length > 0:
        raise ValueError(f"{vector} is no direction; give three numbers that are not all zero")
    return vector / length


def axes(what: str, frame: ArrayLike) -> Floats:
    """The axes of a frame, its rows."""
    rows = np.asarray(frame, dtype=float)
    if rows.shape != (3, 3) or not np.allclose(rows @ rows.T, np.eye(3), atol=1e-9):
        allowed = "three unit vectors perpendicular to each other"
        raise ValueError(f"the frame of {what} must be {allowed}")
    return rows
