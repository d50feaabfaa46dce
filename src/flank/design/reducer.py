"""Figures that every reducer with a `ReleaseSpec` has: torques, play and stiffness from the static
solves of loads.py, losses, heat, vibration, motor and duty."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, Any

from flank.design.figure import figure
from flank.design.loads import Held, LoadLine
from flank.design.rated import RatedFigures
from flank.machines.processes import PROCESSES, Process
from flank.machines.release_spec import DutySpec, LubricationSpec, MotorSpec

if TYPE_CHECKING:
    from flank.machines.materials import MaterialSpec
    from flank.machines.rated_turn import RatedTurn

FRICTION = 0.05
"""Of flanks that slide, where the spec says 0: steel on steel with grease, in mixed friction."""

STILL_AIR = 15.0
"""W/(m² K): free convection and radiation of a housing near 70 °C."""

SURFACE_FACTOR = 1.5
"""Of the plain cylinder around the machine: flanges, feet and what it is bolted to."""


class ReducerFigures(RatedFigures):
    """Of a machine between one input and one output, whose spec is a `ReleaseSpec`."""

    @property
    def solved(self) -> Any:
        """The machine whose equilibria are sought: a check waits for no finite elements."""
        return getattr(self.machine, "by_formulas", self.machine)

    @cached_property
    def line(self) -> LoadLine:
        """Angle of the output over the torque, the input locked."""
        return LoadLine(self.solved)

    @property
    def peak_place(self) -> float:
        """Angle of the input where the peak torque is looked at."""
        return 0.0

    @cached_property
    def peak(self) -> Held:
        """Under the rated torque and the peak torque where the rated one presses most."""
        torques = (self.machine.rated_torque, self.spec.largest_torque)
        return Held(self.solved, torques, self.peak_place)

    @property
    def guides(self) -> Process:
        """Of the process that the spec names; of ground parts where it names none."""
        making = getattr(self.spec, "making", None)
        return PROCESSES["ground"] if making is None else making.guides

    @property
    def motor(self) -> MotorSpec | None:
        motor: MotorSpec | None = getattr(self.spec, "motor", None)
        return motor

    @property
    def duty(self) -> DutySpec | None:
        duty: DutySpec | None = getattr(self.spec, "duty", None)
        return duty

    @property
    def oil(self) -> LubricationSpec:
        oil: LubricationSpec | None = getattr(self.spec, "lubrication", None)
        return oil or LubricationSpec()

    def softer(self, read: str, *materials: str) -> float | None:
        """The least strength of some materials by its key; None where one of them has none."""
        found = [getattr(self.material(name), read) for name in materials]
        return None if any(value is None for value in found) else min(found)

    def material(self, name: str) -> MaterialSpec:
        material: MaterialSpec = self.spec.material(name)
        return material

    @property
    def worth_solving(self) -> bool:
        """Whether equilibria are sought at all."""
        return True

    @property
    def turn(self) -> RatedTurn:
        """Equilibria over a turn at the rated torque."""
        raise NotImplementedError

    @property
    def known(self) -> bool:
        """Whether there are equilibria at the rated torque."""
        return self.worth_solving and self.turn.known

    @figure("equilibrium at rated torque, 1 if there is one", group="")
    def equilibrium(self) -> float:
        return float(self.known)

    @figure("backlash", "rad", "arcmin", "Play and stiffness")
    def backlash(self) -> float:
        """Between ±0.1 % of the rated torque, the input locked at zero."""
        return self.line.backlash if self.worth_solving else math.nan

    @figure("lost motion at ±3 % of the rated torque", "rad", "arcmin", "Play and stiffness")
    def lost_motion(self) -> float:
        return self.line.lost_motion if self.worth_solving else math.nan

    @figure("torsional stiffness", "N*m/rad", "N*m/arcmin", "Play and stiffness")
    def stiffness(self) -> float:
        """Secant from 50 to 100 % of the rated torque."""
        return self.line.stiffness if self.worth_solving else math.nan

    @figure("wind-up at rated torque", "rad", "arcmin", "Play and stiffness")
    def wind_up(self) -> float:
        """What elasticity alone gives way by at the rated torque: T/K."""
        return self.machine.rated_torque / self.stiffness

    @figure("mass of the moving parts", "kg", "kg", "Masses")
    def mass(self) -> float | None:
        return None

    @figure("inertia at the output", "kg*m^2", "kg*m^2", "Masses")
    def inertia(self) -> float:
        """That the output drags along when the input is locked; no load is known."""
        return float(self.machine.output_inertia)  # type: ignore[attr-defined]

    def loss_share(self) -> float | None:
        """Power lost over power delivered at the rated torque; None where nothing is known."""
        return None

    @property
    def friction_given(self) -> bool:
        """Whether the spec says how flanks rub."""
        return False

    @figure("efficiency at rated torque, estimated", "", "percent", "Losses")
    def efficiency(self) -> float | None:
        """Friction's power in the frictionless equilibria; seals and oil are left out."""
        lost = self.loss_share()
        return None if lost is None else 1 / (1 + lost)

    @figure("power lost at the operating point", "W", "W", "Losses")
    def power_lost(self) -> float | None:
        lost = self.loss_share()
        if lost is None:
            return None
        speed = abs(self.spec.operation.input_speed / self.machine.ratio)
        return float(lost * abs(self.spec.operation.torque) * speed)

    @property
    def cooled_cylinder(self) -> tuple[float, float] | None:
        """Diameter and length of what air cools."""
        return None

    @figure("rise of the housing in still air", "K", "K", "Losses")
    def heating(self) -> float | None:
        """P/(h A) at the operating point without a break; the cylinder around the machine, half as
        much again for what it is bolted to."""
        if self.cooled_cylinder is None or self.value("power_lost") is None:
            return None
        diameter, length = self.cooled_cylinder
        area = SURFACE_FACTOR * math.pi * diameter * (length + 0.5 * diameter)
        return self.power_lost / (STILL_AIR * area)

    @figure("rise of the housing in still air, friction given", "K", "K", "")
    def known_heating(self) -> float | None:
        return self.value("heating") if self.friction_given else None

    @figure("first torsional frequency, input locked, no load", "1/s", "Hz", "Vibration")
    def frequency(self) -> float:
        return math.sqrt(self.stiffness / self.inertia) / (2 * math.pi)

    @cached_property
    def _nearest_order(self) -> tuple[str, float]:
        """Name of the order that is nearest to the frequency at the working speed, and the share by
        which it is off."""
        turns = abs(self.spec.operation.input_speed) / (2 * math.pi)
        orders: dict[str, float] = self.machine.orders  # type: ignore[attr-defined]
        off = {
            name: abs(order * turns / self.frequency - 1)
            for name, order in orders.items()
            if order * turns > 0
        }
        if not off:
            return "", math.inf
        name = min(off, key=lambda each: off[each])
        return name, off[name]

    @figure("distance of the nearest order from it", "", "percent", "Vibration")
    def resonance(self) -> float | None:
        off = self._nearest_order[1]
        return off if math.isfinite(off) else None

    @figure("motor's continuous torque over what is needed", group="Losses")
    def motor_torque(self) -> float | None:
        """At the operating point, or as a duty cycle heats it."""
        motor, duty = self.motor, self.duty
        if motor is None:
            return None
        load = duty.effective_torque if duty else abs(self.spec.operation.torque)
        return float(motor.torque / self._at_input(load))

    @figure("motor's peak torque over what is needed", group="Losses")
    def motor_peak(self) -> float | None:
        """At the largest torque of the duty cycle, else at the peak torque."""
        motor, duty = self.motor, self.duty
        if motor is None:
            return None
        load = max(duty.torques) if duty else self.spec.largest_torque
        return float(motor.peak_torque / self._at_input(load))

    @figure("motor's speed over what is needed", group="Losses")
    def motor_speed(self) -> float | None:
        motor, duty = self.motor, self.duty
        if motor is None:
            return None
        ratio = abs(self.machine.ratio)
        needed = max(duty.speeds) * ratio if duty else abs(self.spec.operation.input_speed)
        return float(motor.speed / needed)

    def _at_input(self, load: float) -> float:
        """Torque of the input under a load, losses as at the rated torque."""
        return load * (1 + (self.loss_share() or 0.0)) / abs(self.machine.ratio)

    @figure("mean torque of the duty cycle", "N*m", "N*m", "Losses")
    def duty_mean(self) -> float | None:
        """That wears bearings as the cycle does, by the power 10/3 (ISO 281)."""
        return None if self.duty is None else self.duty.mean_torque

    @figure("largest torque of the duty cycle", "N*m", "N*m", "Losses")
    def duty_peak(self) -> float | None:
        return None if self.duty is None else max(self.duty.torques)
