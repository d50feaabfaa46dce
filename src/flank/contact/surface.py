"""What a contact is made of, in words: a disc on either body, a force law, damping and friction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from flank.contact.declare import ContactKind, ForceLaw, Screen
from flank.contact.table import (
    DAMPING_APPROACH,
    DAMPING_HUNT_CROSSLEY,
    DAMPING_VISCOUS,
    FRICTION_ELASTIC,
    FRICTION_LINEAR,
    FRICTION_NONE,
    FRICTION_SMOOTH,
    FRICTION_STICK,
    KINDS,
    LAWS,
    SCREENS,
    contact_dtype,
)
from flank.elasticity.material import STEEL, tangential_ratio

STEEL_RATIO = tangential_ratio(STEEL, STEEL)
"""Tangential over normal stiffness where nobody says otherwise."""

FRICTION_FORMS = {
    "smooth": FRICTION_SMOOTH,
    "linear": FRICTION_LINEAR,
    "elastic": FRICTION_ELASTIC,
}


DAMPING_FORMS = {
    "hunt-crossley": DAMPING_HUNT_CROSSLEY,
    "approach": DAMPING_APPROACH,
    "viscous": DAMPING_VISCOUS,
}


@dataclass(frozen=True)
class Damping:
    """How a contact takes energy: `coefficient` in s/m of the form `hunt-crossley`, in N·s/m of
    `approach`, which acts while bodies come nearer, and `viscous`, which acts in both directions
    and lets go where it would pull (laws/damping.py)."""

    coefficient: float = 0.0
    form: str = "hunt-crossley"

    def __post_init__(self) -> None:
        if self.form not in DAMPING_FORMS:
            raise ValueError(
                f"there is no damping of the form {self.form!r}; choose one of "
                f"{', '.join(DAMPING_FORMS)}"
            )
        if not self.coefficient >= 0:
            unit = "s/m" if self.form == "hunt-crossley" else "N·s/m"
            raise ValueError(
                f"damping of {self.coefficient:g} {unit} must not be negative; zero leaves it out"
            )

    def put(self, row: np.void) -> None:
        """Write it into a contact's row."""
        row["damping_form"], row["damping"] = DAMPING_FORMS[self.form], self.coefficient


@dataclass(frozen=True)
class Friction:
    """Coulomb friction with `coefficient`.

    The forms `smooth` and `linear` are regularised below the sliding `velocity` in m/s; `elastic`
    holds by `tangential_ratio` times the normal stiffness and knows no rate; in space the drilling
    beside it is linear below `velocity`.
    """

    coefficient: float = 0.0
    velocity: float = 1e-3
    form: str = "smooth"
    tangential_ratio: float = STEEL_RATIO

    def put(self, row: np.void) -> None:
        """Write it into a contact's row."""
        row["friction_form"] = FRICTION_NONE
        if self.coefficient > 0:
            row["friction_form"] = FRICTION_FORMS[self.form]
            row["friction"] = self.coefficient
            row["friction_velocity"] = self.velocity
            row["tangential_ratio"] = self.tangential_ratio


@dataclass(frozen=True)
class StickFriction:
    """μ_r, μ_0, v_g1 (over which static friction fades) and v_g2 (below which friction is viscous),
    velocities in m/s."""

    form: ClassVar[str] = "stick"

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

    @property
    def coefficient(self) -> float:
        """The largest one."""
        return self.static

    def put(self, row: np.void) -> None:
        """Write it into a contact's row."""
        row["friction_form"] = FRICTION_STICK if self.static > 0 else FRICTION_NONE
        row["friction"], row["friction_velocity"] = self.sliding, self.stick_velocity
        row["static_friction"], row["static_velocity"] = self.static, self.static_velocity


FRICTIONLESS = Friction()


@dataclass(frozen=True)
class Surface:
    """How a contact answers: force law, damping (a number is Hunt and Crossley's in s/m), friction.

    The law is given by the parameters of any law that is registered, as a PowerLaw.
    """

    law: object
    damping: float | Damping = 0.0
    friction: Friction | StickFriction = FRICTIONLESS

    def put(self, row: np.void) -> ForceLaw:
        """Write it into a contact's row; returns the law it is given by."""
        law = next((law for law in LAWS if isinstance(self.law, law.parameters)), None)
        if law is None:
            names = ", ".join(law.parameters.__name__ for law in LAWS)
            raise ValueError(
                f"no force law is given by {self.law!r}; use one of {names}, or register your own"
            )
        row["law"] = LAWS.number(law)
        damping = self.damping if isinstance(self.damping, Damping) else Damping(self.damping)
        damping.put(row)
        law.put(row, self.law)
        self.friction.put(row)
        return law


@dataclass(frozen=True)
class Disc:
    """A circle on a body: centre in the body's frame, radius."""

    body: int
    x: float
    y: float
    radius: float


def contact_row(kind: ContactKind, a: Disc, b: Disc, surface: Surface, **values: float) -> np.void:
    """A row of the contact table; `values` are the fields of the kind's own."""
    row: np.void = np.zeros(1, dtype=contact_dtype())[0]
    row["kind"], row["rolls"], row["share_a"] = KINDS.number(kind), kind.rolls, 1.0
    row["body_a"], row["a_x"], row["a_y"], row["a_radius"] = a.body, a.x, a.y, a.radius
    row["body_b"], row["b_x"], row["b_y"], row["b_radius"] = b.body, b.x, b.y, b.radius
    law = surface.put(row)
    row["follows_flank"] = kind.curvature_slope is not None and law.by_curvature is not None
    row["over_area"] = kind.overlap is not None and law.over_area is not None
    for name, value in values.items():
        row[name] = value
    return row


def screened_by(screen: Screen, row: np.void, **values: float) -> np.void:
    """A contact's row that is asked of a pre-screen first; `values` are fields of the screen's own.

    >>> builder.contact(screened_by(SECTOR, circle_on_curve(...), half_angle=0.8))  # doctest: +SKIP
    """
    number = SCREENS.number(screen)
    if row.dtype != contact_dtype():
        raise ValueError(
            f"the contact was made before the pre-screen {screen.name!r} was registered; register "
            "first, then make contacts"
        )
    row["screen"] = 1 + number
    for name, value in values.items():
        row[name] = value
    return row
