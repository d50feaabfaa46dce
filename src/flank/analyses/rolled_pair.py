"""What analyses of rolling gears share: which gears are rolled, how finely, what is refused, and
what is read of some mesh periods."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, TypeVar

import numpy as np

from flank.analyses.orders import tooth_order
from flank.analyses.sweep_reading import Reading, amplitudes, losses
from flank.analyses.warnings import overload_warnings, tooth_warnings
from flank.arrays import Floats
from flank.dynamics.rolling import READ
from flank.errors import SpecError
from flank.machines.base import Reducer, Rolling
from flank.machines.quantities import Fraction, WholeNumber
from flank.machines.spec import Spec, key, optional

if TYPE_CHECKING:
    from flank.dynamics.rolling import Modes
    from flank.dynamics.rolling_mesh import RollingPair

Load = TypeVar("Load", float, Floats)

STEPS = 120
"""In a mesh period, where nobody says and no mode needs more."""

STEPS_PER_SWING = 2
"""Of the fastest mode, at the lowest speed; between steps modes move exactly."""

STALLED = "Stopped where the points in mesh found no balance."


class RolledSettings(Spec):
    """Settings of gears that roll."""

    steps_per_period: Annotated[int, WholeNumber(minimum=16, maximum=10_000)] | None = optional(
        f"time steps in a mesh period, of equal angle; {STEPS} if absent, or as many as the "
        "fastest mode needs at the lowest speed",
        STEPS,
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
    body_damping: Fraction | None = optional(
        "of these modes, as a share of the critical one; that of the machine's modal_damping if "
        "absent, or 1 percent",
        0.01,
    )
    rotating_frame: bool = key(
        "whether these modes feel Coriolis and centrifugal forces of their turning gears",
        default=False,
    )

    @property
    def fewest_steps(self) -> int:
        """In a mesh period, before modes are known."""
        return self.steps_per_period or STEPS


def pair_of(machine: Reducer, settings: RolledSettings, lowest: float) -> RollingPair:
    """The machine's gears; SpecError where steps do not resolve what they do at a lowest speed."""
    assert isinstance(machine, Rolling)
    _refuse_what_modes_would_do(machine, settings)

    def places(modes: Modes) -> int:
        _refuse_modes_that_creep(modes)
        return _steps(machine, modes, settings, lowest)

    return machine.rolling_pair(
        places, settings.points, settings.modes, settings.body_damping, settings.rotating_frame
    )


def mesh_period(machine: Reducer, speed: Floats | float) -> Floats:
    """In s, at speeds of the input."""
    return np.asarray(2 * math.pi / (tooth_order(machine) * speed))


def line_load(machine: Reducer, torque: Load, acceleration: Load) -> Load:
    """N along the line of action: what the output's torque asks for, and what the inertia behind
    the mesh takes while the input becomes faster. A ring turns with its pinion, so what holds it
    back is negative, and that of an external wheel positive."""
    assert isinstance(machine, Rolling)
    inertia = machine.driven_inertia * acceleration / abs(machine.ratio)
    held_back = torque if machine.ratio < 0 else -torque
    return (held_back + inertia) / machine.output_base_radius


def read_record(pair: RollingPair, record: Floats) -> Reading:
    """Of whole mesh periods (period, place, column)."""
    periods, places, _ = record.shape
    rows = record.reshape(periods * places, -1)
    error, output, net = rows[:, 0], rows[:, 2], pair.net_force(rows)
    force = net * np.sign(net.mean())
    change, size = (output[-places:] - output[:places]).std(), output.std()
    apart = (rows[:, READ:].sum(axis=1) == 0.0)[:, None]
    return Reading(
        error_rms=float(size),
        error_span=float(np.ptp(output)),
        mesh_error_rms=np.array([error.std()]),
        force_mean=np.array([force.mean()]),
        force_rms=np.array([force.std()]),
        force_largest=np.array([force.max()]),
        contact_loss=apart.mean(axis=0),
        loss_count=losses(apart) / periods,
        amplitudes=amplitudes(error, periods),
        change=float(change / size) if size else 0.0,
        deepest=pressed(pair, error),
    )


def pressed(pair: RollingPair, error: Floats) -> float:
    """How far teeth are pressed into each other at most, on either flank, in m."""
    return max(float(error.max()), float(2 * pair.mesh.half_back - error.min()), 0.0)


def rolled_warnings(machine: Reducer, torque: float, force: float, deepest: float) -> list[str]:
    """That a torque, or the largest mesh force and depth under it, is more than teeth bear."""
    assert isinstance(machine, Rolling)
    ((name, meshed),) = machine.tooth_pairs().items()
    return [
        *overload_warnings(machine, torque),
        *tooth_warnings({name: meshed.limits}, [force], [deepest]),
    ]


def _refuse_what_modes_would_do(machine: Rolling, settings: RolledSettings) -> None:
    """SpecError for settings of modes where there are none."""
    if settings.modes or machine.has_flexible_bodies:
        return
    for name in ("rotating_frame", "body_damping"):
        if getattr(settings, name) not in (None, False):
            raise SpecError(
                f"{name} does nothing without modes; ask for some, as 'modes: 24', or make a gear "
                "flexible"
            )


def _refuse_modes_that_creep(modes: Modes) -> None:
    """SpecError where a mode is damped beyond the critical value: steps are those of swings."""
    frequency, decay = modes.frequency, modes.decay
    ratios = np.divide(decay, frequency, out=np.zeros_like(decay), where=frequency > 0)
    worst = int(np.argmax(ratios))
    if ratios[worst] >= 1:
        raise SpecError(
            f"the mode of {frequency[worst] / (2 * math.pi):.4g} Hz has {ratios[worst]:.3g} times "
            "its critical damping, and only modes that swing are rolled; use less body_damping, or "
            "shafts and bearings with less damping"
        )


def _steps(machine: Reducer, modes: Modes, settings: RolledSettings, lowest: float) -> int:
    """In a mesh period; SpecError where forces that change from step to step cannot follow the
    fastest mode."""
    highest = float(modes.frequency.max()) / (2 * math.pi)
    swings = highest * float(mesh_period(machine, lowest))
    least = math.ceil(STEPS_PER_SWING * swings)
    if settings.steps_per_period is None:
        return max(STEPS, least)
    if settings.steps_per_period < STEPS_PER_SWING * swings:
        raise SpecError(
            f"steps_per_period is {settings.steps_per_period}; at the lowest speed a mesh period "
            f"holds {swings:.3g} swings of the fastest mode, {highest:.4g} Hz, which need at least "
            f"{least} steps; use as many, or fewer modes"
        )
    return settings.steps_per_period
