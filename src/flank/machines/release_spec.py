"""What a spec may tell for a check besides what is computed with: making, oil, motor, duty.

None of it changes a model; a verdict (design/) judges by it. What is left out is not judged, or by
a default that is said.
"""

import math
from collections.abc import Iterable
from typing import Annotated, Literal

from flank.machines.machine_spec import RatedSpec
from flank.machines.processes import PROCESSES, Process
from flank.machines.quantities import PositiveLength, PositiveTorque, quantity
from flank.machines.spec import Spec, key, optional

Viscosity = Annotated[float, quantity("Pa*s", "Pa*s", positive=True, maximum=100.0)]
PressureViscosity = Annotated[float, quantity("1/Pa", "1/Pa", positive=True, maximum=1e-6)]
PositiveSpeed = Annotated[float, quantity("rad/s", "rpm", positive=True)]
RatedLife = Annotated[float, quantity("s", "h", minimum=100 * 3600.0)]

RATED_LIFE = 6000 * 3600.0
"""s: for which catalogues of RV reducers rate torques."""

PositiveSpan = Annotated[float, quantity("s", "s", positive=True)]

LIFE_POWER = 10 / 3
"""Of the mean torque of a duty cycle: that of roller bearings, ISO 281."""


class MakingSpec(Spec):
    """How flanks, holes and pins are made."""

    process: Literal["ground", "eroded", "machined", "moulded", "sla", "sls", "printed"] = key(
        "the process; its guides of clearance, roughness and walls hold in a check", "ground"
    )
    cutter_radius: PositiveLength | None = optional(
        "the radius of the milling cutter or of the wheel's edge that makes the flanks", "2 mm"
    )

    @property
    def guides(self) -> Process:
        return PROCESSES[self.process]


class LubricationSpec(Spec):
    """What is between the flanks, at the temperature of running."""

    viscosity: Viscosity = key(
        "the dynamic viscosity of the oil, or of a grease's base oil", "0.05 Pa*s", default=0.05
    )
    pressure_viscosity: PressureViscosity = key(
        "the pressure-viscosity coefficient α", "2e-8 1/Pa", default=2e-8
    )


class MotorSpec(Spec):
    """What drives the input."""

    torque: PositiveTorque = key("the torque that it gives continuously", "8 N*m")
    peak_torque: PositiveTorque = key("the torque that it gives for seconds", "20 N*m")
    speed: PositiveSpeed = key("its largest speed", "3000 rpm")


class DutySpec(Spec):
    """A cycle of the output, step by step; the three lists are equally long."""

    torques: tuple[PositiveTorque, ...] = key("the torques, all positive", "[400 N*m, 200 N*m]")
    speeds: tuple[PositiveSpeed, ...] = key("the speeds of the output", "[10 rpm, 15 rpm]")
    times: tuple[PositiveSpan, ...] = key("how long each lasts", "[0.3 s, 2 s]")

    def cross_checks(self) -> Iterable[str]:
        lengths = {len(self.torques), len(self.speeds), len(self.times)}
        if len(lengths) > 1 or 0 in lengths:
            yield "torques, speeds and times are lists of the same length, one number a step"

    @property
    def turned(self) -> list[float]:
        """How far the output turns in each step, in rad."""
        return [speed * time for speed, time in zip(self.speeds, self.times, strict=True)]

    @property
    def mean_torque(self) -> float:
        """That wears bearings as the cycle does: (Σ n t T^(10/3)/Σ n t)^(3/10)."""
        worn = sum(
            turn * torque**LIFE_POWER
            for turn, torque in zip(self.turned, self.torques, strict=True)
        )
        return math.pow(worn / sum(self.turned), 1 / LIFE_POWER)

    @property
    def mean_speed(self) -> float:
        return sum(self.turned) / sum(self.times)

    @property
    def effective_torque(self) -> float:
        """Root of the mean square over time, which heats a motor."""
        square = sum(
            time * torque**2 for time, torque in zip(self.times, self.torques, strict=True)
        )
        return math.sqrt(square / sum(self.times))


class ReleaseSpec(RatedSpec):
    """The spec of a reducer with what a check may be told."""

    making: MakingSpec | None = optional("how parts are made, for a check")
    lubrication: LubricationSpec | None = optional("the oil, for a check")
    motor: MotorSpec | None = optional("the motor, for a check")
    duty: DutySpec | None = optional("the duty cycle of the output, for a check")
