"""What a contact in space is made of: force law, damping, friction, and a sphere on a surface."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from flank.contact.declare import ForceLaw
from flank.contact.spatial.directions import axes, unit
from flank.contact.spatial.table import FIELDS, DistanceField, spatial_contact_dtype
from flank.contact.surface import Surface

CENTRE = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class SpatialSurface(Surface):
    """How a contact in space answers: as one in the plane, and by friction about its normal.

    `drilling_length` ρ in m/N^(1/3) makes the drilling radius ρ F^(1/3): (3/8) a E(m) F^(-1/3) for
    a contact ellipse of the long semi-axis a.
    """

    drilling_length: float = 0.0

    def __post_init__(self) -> None:
        if not (self.damping >= 0 and self.drilling_length >= 0):
            raise ValueError(
                f"damping of {self.damping:g} s/m and a drilling length of "
                f"{self.drilling_length:g} m/N^(1/3) must not be negative; zero leaves them out"
            )

    def put(self, row: np.void) -> ForceLaw:
        law = super().put(row)
        if self.friction.coefficient > 0:
            row["drilling_length"] = self.drilling_length
        return law


def spatial_row(
    field: DistanceField,
    bodies: tuple[int, int],
    origin: ArrayLike,
    frame: ArrayLike,
    sphere_radius: float,
    surface: SpatialSurface,
    arm: ArrayLike,
    **values: ArrayLike,
) -> np.void:
    """A row of the contact table; `values` are the fields of the distance field's own."""
    if bodies[0] == bodies[1]:
        raise ValueError(f"body {bodies[0]} cannot touch itself; name two bodies")
    if not sphere_radius > 0:
        raise ValueError(f"a sphere needs a positive radius, not {sphere_radius:g} m")
    row: np.void = np.zeros(1, dtype=spatial_contact_dtype())[0]
    row["field"], row["body_a"], row["body_b"] = FIELDS.number(field), *bodies
    row["origin"], row["frame"], row["arm"] = origin, axes("a surface", frame), arm
    row["sphere_radius"] = sphere_radius
    law = surface.put(row)
    if field.varies and law.by_curvature is not None:
        raise ValueError(
            f"the force law {law.name!r} knows the curvature, which changes along the surface "
            f"{field.name!r}; use a PowerLaw there"
        )
    for name, value in values.items():
        row[name] = value
    return row


def frame_about(axis: ArrayLike) -> NDArray[np.float64]:
    """Rows x, y, z with z along the axis."""
    z = unit(axis)
    x = np.eye(3)[int(np.argmin(np.abs(z)))]
    x = np.cross(x, z)
    x /= np.linalg.norm(x)
    return np.array([x, np.cross(z, x), z])
