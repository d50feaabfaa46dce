"""How a spec says what happens where bodies touch: the force law and the friction."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import ValidationInfo, field_validator

from flank.machines.quantities import (
    Coefficient,
    ContactDamping,
    PositiveVelocity,
    Quantity,
    quantity,
)
from flank.machines.spec import Spec, key, optional
from flank.texts import echo

REGULARIZATION_VELOCITY = 1e-3
"""m/s, where a spec gives none."""

DampingForm = Literal["hunt-crossley", "approach", "viscous"]
"""How a contact's damping follows its rate: flank.contact.surface.DAMPING_FORMS."""

DAMPING_FORM = (
    "how damping follows the rate δ̇ of penetration: hunt-crossley F (1 + d δ̇), which is what holds "
    "if absent; approach F + c max(0, δ̇); viscous F + c δ̇ as long as it does not pull"
)
DAMPING = "Hunt and Crossley's damping d in F (1 + d δ̇); c in N*s/m with another damping_form"
"""What the keys damping_form and damping mean, in every block of contacts."""

Exponent = Annotated[float, quantity("", "", minimum=1.0)]


@dataclass(frozen=True)
class LawChoice:
    """A force law as specs name it: who makes it, and what has to be typed for it.

    `maker` is a function in flank/contact/laws, by name: specs are read without its kernels.
    """

    maker: str
    typed: tuple[str, ...] = ()
    stiffness_unit: str = ""  # n the exponent


CHOICES = {
    "hertz": LawChoice("line.hertz"),
    "palmgren": LawChoice("power.palmgren"),
    "penalty": LawChoice("power.penalty", ("exponent", "stiffness"), "N/m^n"),
    "foundation": LawChoice("foundation.foundation_law", ("stiffness",), "N/m^2"),
}

if TYPE_CHECKING:
    LawName = str
else:
    LawName = Literal[tuple(CHOICES)]


def stiffness_unit(law: str, exponent: float | None) -> str | None:
    """The unit of the stiffness a law asks for; None for one without, or without its exponent."""
    unit = CHOICES[law].stiffness_unit
    if unit.endswith("^n"):
        if exponent is None:
            return None
        return unit[:-2] if exponent == 1.0 else f"{unit[:-1]}{exponent:.12g}"
    return unit or None


def damping_quantity(form: DampingForm | None) -> Quantity:
    """The unit of a contact's damping."""
    unit = "s/m" if form in (None, "hunt-crossley") else "N*s/m"
    return quantity(unit, unit, minimum=0.0)


def read_damping(value: Any, form: DampingForm | None) -> Any:
    """A damping as given, checked in the unit of its form; a number where that is N·s/m."""
    if form not in (None, "hunt-crossley"):
        return damping_quantity(form).parse(value)
    if isinstance(value, str) and _fits(value, "viscous") and not _fits(value, form):
        raise ValueError(
            f"{echo(value)} is a constant coefficient; add 'damping_form: approach' or "
            "'damping_form: viscous', or give Hunt and Crossley's damping in s/m"
        )
    return value


def _fits(value: str, form: DampingForm | None) -> bool:
    try:
        damping_quantity(form).parse(value)
    except ValueError:
        return False
    return True


def damping_problems(damping: float, form: DampingForm | None) -> Iterable[str]:
    """That a form is named and nothing is damped."""
    if form is not None and not damping:
        unit = damping_quantity(form).shown_unit
        yield f"damping_form does nothing without damping; add damping in {unit}, or remove it"


class ContactSpec(Spec):
    """The force law of a contact.

    hertz and palmgren follow from material and geometry. penalty is F = k δⁿ and foundation is
    F = k ∫δ ds along the flank; their stiffness k is typed by hand.
    """

    law: LawName = key("the force law", default="hertz")
    exponent: Exponent | None = optional("the exponent n of the penalty law", 1.5)
    stiffness: float | None = optional(
        "the stiffness k, in N/m^n for penalty and N/m^2 for foundation",
        "1e9 N/m^1.5",
        unit="N/m^n or N/m^2",
    )
    damping_form: DampingForm | None = optional(DAMPING_FORM, "approach")
    damping: ContactDamping = key(DAMPING, "0.2 s/m", default=0.0)

    @field_validator("stiffness", mode="before")
    @classmethod
    def _read_stiffness(cls, value: Any, info: ValidationInfo) -> float | None:
        law, exponent = info.data.get("law"), info.data.get("exponent")
        if value is None or law is None or "exponent" not in info.data:
            return None
        if "stiffness" not in CHOICES[law].typed:
            others = " or ".join(f"'{n}'" for n, c in CHOICES.items() if "stiffness" in c.typed)
            raise ValueError(
                f"this does nothing with the law '{law}'; remove it, or choose the law {others}"
            )
        unit = stiffness_unit(law, exponent)
        if unit is None:
            raise ValueError("its unit depends on the exponent; add one, as in 'exponent: 1.5'")
        return quantity(unit, unit, positive=True).parse(value)

    @field_validator("damping", mode="before")
    @classmethod
    def _read_damping(cls, value: Any, info: ValidationInfo) -> Any:
        return read_damping(value, info.data.get("damping_form"))

    def quantity_of(self, name: str) -> Quantity | None:
        if name == "damping":
            return damping_quantity(self.damping_form)
        unit = stiffness_unit(self.law, self.exponent)
        return quantity(unit, unit) if name == "stiffness" and unit else super().quantity_of(name)

    @property
    def choice(self) -> LawChoice:
        """The law that is named."""
        return CHOICES[self.law]

    def cross_checks(self) -> Iterable[str]:
        yield from damping_problems(self.damping, self.damping_form)
        needed = self.choice.typed
        if self.exponent is not None and "exponent" not in needed:
            yield f"exponent does nothing with the law '{self.law}'; remove it"
        if self.exponent is None and "exponent" in needed:
            yield (
                f"exponent is missing: the law '{self.law}' needs it, for example 'exponent: 1.5'"
            )
        elif self.stiffness is None and "stiffness" in needed:
            unit = stiffness_unit(self.law, self.exponent)
            yield (
                f"stiffness is missing: the law '{self.law}' needs it, "
                f"for example 'stiffness: 1e9 {unit}'"
            )


class FrictionForm(Spec):
    """Coulomb friction, made regular at small sliding velocity, or elastic before it slips.

    The forms smooth and linear go by velocity and have no part in statics. elastic holds by the
    material's tangential stiffness up to μ times the normal force, at any rate.
    """

    regularization_velocity: PositiveVelocity | None = optional(
        "the sliding velocity at which friction is fully there; 1 mm/s if absent", "1 mm/s"
    )
    form: Literal["smooth", "linear", "elastic"] = key(
        "what friction follows before it slips", default="smooth"
    )

    @property
    def full_velocity(self) -> float:
        """The regularization velocity, given or not."""
        return self.regularization_velocity or REGULARIZATION_VELOCITY

    def cross_checks(self) -> Iterable[str]:
        if self.form == "elastic" and self.regularization_velocity is not None:
            yield "regularization_velocity does nothing with the form 'elastic'; remove it"


class FrictionSpec(FrictionForm):
    """Friction at the contacts of a cycloidal drive."""

    pins: Coefficient = key("the coefficient between disc and pins", 0.05, default=0.0)
    grooves: Coefficient = key(
        "the coefficient between rolling pins and grooves", 0.05, default=0.0
    )
    rollers: Coefficient = key(
        "the coefficient between output rollers and holes", 0.02, default=0.0
    )
