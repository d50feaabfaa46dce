"""How the spec of a ball joint says what happens where bodies touch."""

from collections.abc import Iterable
from typing import Annotated

from pydantic import Field

from flank.elasticity.ellipse_shape import Theory
from flank.machines.quantities import Coefficient, ContactDamping, PositiveVelocity, quantity
from flank.machines.spec import Spec

STIFFNESS_UNIT = "N/m^1.5"
HertzStiffness = Annotated[float, quantity(STIFFNESS_UNIT, STIFFNESS_UNIT, positive=True)]

STATIC_VELOCITY = 0.1
STICK_VELOCITY = 1e-3
"""m/s, where a spec gives none."""


class JointFrictionSpec(Spec):
    """Friction of all contacts: μ(w) = (μ_r + (μ_0 - μ_r) exp(-w/v_1)) tanh(w/v_2)."""

    sliding: Coefficient = Field(
        default=0.0, description="the coefficient of sliding friction μ_r", examples=[0.03]
    )
    static: Coefficient | None = Field(
        default=None,
        description="the coefficient of static friction μ_0; that of sliding if absent",
        examples=[0.05],
    )
    static_velocity: PositiveVelocity | None = Field(
        default=None,
        description="the velocity v_1 over which static friction fades; 100 mm/s if absent",
        examples=["100 mm/s"],
    )
    stick_velocity: PositiveVelocity | None = Field(
        default=None,
        description="the velocity v_2 below which friction is viscous; 1 mm/s if absent",
        examples=["1 mm/s"],
    )
    drilling: bool = Field(
        default=True,
        description="whether a ball that spins about the normal feels friction too",
        examples=[True],
    )

    def cross_checks(self) -> Iterable[str]:
        if self.static is not None and self.static < self.sliding:
            yield f"static is {self.static:.6g}; it must be at least the sliding {self.sliding:.6g}"
        if self.static_velocity is not None and self.static is None:
            yield (
                "static_velocity does nothing without static friction; give 'static' too, or "
                "leave it out"
            )
        if self.stick_velocity is not None and not (self.sliding or self.static):
            yield (
                "stick_velocity does nothing without friction; give 'sliding' too, or leave it out"
            )


class JointContactSpec(Spec):
    """F = K δ^1.5 (1 + d δ̇) of all contacts."""

    theory: Theory = Field(
        default="exact",
        description="how the ellipse of Hertz's contact is found, which gives stiffness, pressure "
        "and drilling friction",
        examples=["exact"],
    )
    stiffness: HertzStiffness | None = Field(
        default=None,
        description="K of all contacts; from Hertz's theory if absent",
        examples=["6e12 N/m^1.5"],
    )
    damping: ContactDamping = Field(
        default=0.0,
        description="Hunt and Crossley's damping d in F (1 + d δ̇)",
        examples=["0.2 s/m"],
    )
    friction: JointFrictionSpec = Field(
        default=JointFrictionSpec(), description="the friction of all contacts"
    )
