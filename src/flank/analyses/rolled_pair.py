"""What analyses of rolling gears share: which gears are rolled, how finely, and what is refused."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, TypeVar

import numpy as np

from flank.analyses.orders import tooth_order
from flank.arrays import Floats
from flank.errors import SpecError
from flank.machines.base import Reducer, Rolling
from flank.machines.quantities import Fraction, WholeNumber
from flank.machines.spec import Spec, key, optional

if TYPE_CHECKING:
    from flank.dynamics.rolling_mesh import RollingPair

Load = TypeVar("Load", float, Floats)

STEPS_PER_SWING = 2
"""Of the fastest mode, at the lowest speed; between steps modes move exactly."""


class RolledSettings(Spec):
    """Settings of gears that roll."""

    steps_per_period: Annotated[int, WholeNumber(minimum=16, maximum=10_000)] = key(
        "time steps in a mesh period, of equal angle", default=120
    )
    points: Annotated[int, WholeNumber(minimum=1, maximum=25)] | None = optional(
        "points across the face; as many as the mesh model has if absent", 5
    )
    modes: Annotated[int, WholeNumber(minimum=0, maximum=200)] = key(
        "modes of each gear's body that vibrate; if zero those of flexible bodies, and others give "
        "way without mass",
        24,
        default=0,
    )
    body_damping: Fraction = key("of these modes, as a share of the critical one", default=0.01)
    rotating_frame: bool = key(
        "whether these modes feel Coriolis and centrifugal forces of their turning gears",
        default=False,
    )

    def cross_checks(self) -> list[str]:
        if self.rotating_frame and not self.modes:
            return ["rotating_frame does nothing without modes; ask for some, as 'modes: 24'"]
        return []


def pair_of(machine: Reducer, settings: RolledSettings, lowest: float) -> RollingPair:
    """The machine's gears; SpecError where steps do not resolve what they do at a lowest speed."""
    assert isinstance(machine, Rolling)
    pair = machine.rolling_pair(
        settings.steps_per_period,
        settings.points,
        settings.modes,
        settings.body_damping,
        settings.rotating_frame,
    )
    _refuse_modes_that_creep(pair)
    _refuse_too_few_steps(machine, pair, settings, lowest)
    return pair


def mesh_period(machine: Reducer, speed: Floats | float) -> Floats:
    """In s, at speeds of the input."""
    return np.asarray(2 * math.pi / (tooth_order(machine) * speed))


def line_load(machine: Reducer, torque: Load, acceleration: Load) -> Load:
    """N along the line of action: what the output's torque asks for, and what the inertia behind
    the mesh takes while the input becomes faster."""
    assert isinstance(machine, Rolling)
    inertia = machine.driven_inertia * acceleration / abs(machine.ratio)
    return (torque + inertia) / machine.output_base_radius


def _refuse_modes_that_creep(pair: RollingPair) -> None:
    """SpecError where a mode is damped beyond the critical value: steps are those of swings."""
    frequency, decay = pair.modes.frequency, pair.modes.decay
    ratios = np.divide(decay, frequency, out=np.zeros_like(decay), where=frequency > 0)
    worst = int(np.argmax(ratios))
    if ratios[worst] >= 1:
        raise SpecError(
            f"the mode of {frequency[worst] / (2 * math.pi):.4g} Hz has {ratios[worst]:.3g} times "
            "its critical damping, and only modes that swing are rolled; use less body_damping, or "
            "shafts with less damping"
        )


def _refuse_too_few_steps(
    machine: Reducer, pair: RollingPair, settings: RolledSettings, lowest: float
) -> None:
    """SpecError where forces that change from step to step cannot follow the fastest mode."""
    highest = float(pair.modes.frequency.max()) / (2 * math.pi)
    swings = highest * float(mesh_period(machine, lowest))
    if settings.steps_per_period < STEPS_PER_SWING * swings:
        least = math.ceil(STEPS_PER_SWING * swings)
        raise SpecError(
            f"steps_per_period is {settings.steps_per_period}; at the lowest speed a mesh period "
            f"holds {swings:.3g} swings of the fastest mode, {highest:.4g} Hz, which need at least "
            f"{least} steps; use as many, or fewer modes"
        )
