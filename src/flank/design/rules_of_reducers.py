"""Rules of every reducer: torques, heat, vibration, motor and duty; those of torques are also for
gears that are no reducer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flank.design.rule import GUIDE, Move, Put, Rule

if TYPE_CHECKING:
    from flank.design.reducer import ReducerFigures

STATIC_PRESSURE = (
    "hardened 4000 MPa, ISO 76; else 1.67 times the yield strength, where line contact yields by "
    "Tresca (Johnson, Contact Mechanics)"
)
"""Source of the pressure that leaves a dent."""

SLOWER = Move("run slower", ("operation.input_speed",), up=False)


def lower_rating(power: float, most: float = 1e3, farthest_first: bool = False) -> Move:
    """And no load above it at the operating point."""
    words, load = "rate it lower, and load it no more than that", ("operation.torque",)
    return Move(words, ("rated_torque",), False, power, 0.0, most, farthest_first, load)


def lower_peak(power: float = 0.0, most: float = 1e3) -> Move:
    """And no rating, nor load, above it."""
    caps = ("rated_torque", "operation.torque")
    return Move("give a smaller peak torque", ("peak_torque",), False, power, most=most, caps=caps)


HIGHER_RATING = Move(
    "rate the reducer higher, if the other rules allow it", ("rated_torque",), True
)


def _largest(figures: ReducerFigures) -> float:
    return float(figures.spec.largest_torque)


def _rated(figures: ReducerFigures) -> float:
    return figures.machine.rated_torque


def _motor(key: str, figure: str) -> Put:
    """A motor that is larger by what lacks, and 1 % more."""

    def values(figures: ReducerFigures) -> dict[str, float]:
        share = figures.value(figure)
        block, _, name = key.partition(".")
        given = getattr(getattr(figures.spec, block), name)
        return {key: 1.01 * given / share} if share else {}

    return Put(f"use a larger motor ({key})", values)


def _duty(figures: ReducerFigures) -> dict[str, float]:
    return {"peak_torque": max(figures.spec.duty.torques)}


def _longer_rating(figures: ReducerFigures) -> dict[str, float]:
    return {"rated_torque": 1.001 * figures.spec.duty.mean_torque}


TORQUE_RULES: tuple[Rule, ...] = (
    Rule(
        "overloaded",
        "operating_share",
        "at_most",
        1.0,
        "the operating point asks for more than the rated torque",
        (Move("load it less", ("operation.torque",), up=False, power=1.0, most=1e6), HIGHER_RATING),
        "the rating that the spec gives",
    ),
    Rule(
        "peak-below-rated",
        "peak_share",
        "at_least",
        1.0,
        "the peak torque is less than the rated torque, so nothing judges starts and stops",
        (Move("give the largest torque as peak_torque", ("peak_torque",), up=True, most=1e6),),
        "what both words mean",
    ),
)
"""Of every machine that is rated for a torque, with teeth in the plane or in space."""

REDUCER_RULES: tuple[Rule, ...] = (
    Rule(
        "no-equilibrium",
        "equilibrium",
        "at_least",
        1,
        "no equilibrium is found at the rated torque, so loads, lives and stiffness are not known",
        (lower_rating(0.0, most=1e6, farthest_first=True),),
        "statics of the machine itself",
    ),
    *TORQUE_RULES,
    Rule(
        "hot",
        "known_heating",
        "at_most",
        60.0,
        "the housing becomes hot if it runs on at the operating point in still air",
        (SLOWER, Move("load it less", ("operation.torque",), up=False, power=1.0)),
        GUIDE + "from 20 °C to 80 °C, where greases age fast and catalogues of reducers end",
    ),
    Rule(
        "resonance",
        "resonance",
        "at_least",
        0.15,
        "an order lies near the first torsional frequency at the working speed",
        (SLOWER, Move("run faster", ("operation.input_speed",), up=True)),
        GUIDE + "15 % aside, where a lightly damped mode answers with less than 4 times",
    ),
    Rule(
        "weak-motor",
        "motor_torque",
        "at_least",
        1.0,
        "the motor's continuous torque does not carry the load",
        (_motor("motor.torque", "motor_torque"),),
        "torque of the output over ratio and efficiency",
    ),
    Rule(
        "weak-motor-at-peak",
        "motor_peak",
        "at_least",
        1.0,
        "the motor's peak torque does not carry starts and stops",
        (_motor("motor.peak_torque", "motor_peak"),),
        "torque of the output over ratio and efficiency",
    ),
    Rule(
        "slow-motor",
        "motor_speed",
        "at_least",
        1.0,
        "the motor does not reach the speed that is asked for",
        (_motor("motor.speed", "motor_speed"),),
        "speed of the output times the ratio",
    ),
    Rule(
        "duty-beyond-rating",
        "duty_mean",
        "at_most",
        _rated,
        "the duty cycle wears more than the rated torque does",
        (Put("rate the reducer for it, if the other rules allow it", _longer_rating),),
        "ISO 281: mean by the power 10/3, as catalogues of reducers have it",
        limit_is="the rated torque",
    ),
    Rule(
        "duty-beyond-peak",
        "duty_peak",
        "at_most",
        _largest,
        "the duty cycle has more torque than the peak that is judged",
        (Put("judge the cycle's own peak", _duty),),
        "the peak torque that the spec gives",
        limit_is="the peak torque",
    ),
)
