"""Orders of a transmission error: shafts to count turns of, the spectrum, the machine's own orders.

An order is a number of periods in one turn of the input, whichever shaft's turns are counted.
"""

import math

import numpy as np

from flank.analyses.quantities import Declarations, Declared, Values
from flank.arrays import Floats
from flank.errors import SpecError
from flank.machines.base import Transmission
from flank.machines.orders import CAGE, PINS, STAGE, TEETH, Orders

SHAFTS = ("input", "crank", "output")
"""Parts whose turns can be counted, where a machine has them among its named orders."""

FEWEST_POINTS, POINTS_PER_TOOTH, DEFAULT_LIMIT = 720, 32, 6000
"""On a turn, where the settings name none."""

POINTS_PER_PERIOD = 4
"""Points that the highest named order should have in one period."""

MOST_TURNS = 60
"""Of the input, that a warning would advise to look at."""

LARGEST_TAIL = 0.2
"""Amplitude in the last quarter of a spectrum, over the largest, above which it has not faded."""

NOISE = 1e-9
"""rad: amplitudes below it are those of no error."""

NAMED_ORDERS: Declarations = {
    "named_order_number": Declared("Order", over="named_order"),
    "named_order_line": Declared("Line of the spectrum", over="named_order"),
    "named_order_amplitude": Declared(
        "Amplitude of the transmission error", "rad", "arcsec", "named_order"
    ),
}
"""Along the coordinate `named_order`, the names."""

LINE_TOLERANCE = 0.05
"""Widths of a line within which a named order is read off it; further off, leakage is read."""


def shaft_order(machine: Transmission, shaft: str) -> float:
    """Turns of a shaft in one turn of the input; SpecError if the machine has no such shaft."""
    if shaft not in machine.orders:
        known = ", ".join(name for name in SHAFTS if name in machine.orders)
        raise SpecError(f"turns_of: this machine has no shaft '{shaft}'; it has {known}")
    return machine.orders[shaft]


def natural_shaft(machine: Transmission) -> str:
    """The first shaft in one turn of which a whole number of pins or teeth passes.

    Over any other range the strongest order of a machine without errors leaks into all lines.
    """
    passing = Orders.of(machine.orders).of_kind(TEETH, PINS).values()
    shafts = [name for name in SHAFTS if name in machine.orders]
    fitting = (
        name
        for name in shafts
        if all(_off_line(order, machine.orders[name]) <= LINE_TOLERANCE for order in passing)
    )
    return next(fitting, shafts[0])


def default_points(machine: Transmission, order: float) -> int:
    """Points a turn of a shaft with that order where nobody says: teeth have harmonics."""
    teeth = max(Orders.of(machine.orders).of_kind(TEETH).values(), default=0.0) / order
    return min(max(FEWEST_POINTS, math.ceil(POINTS_PER_TOOTH * teeth - 1e-9)), DEFAULT_LIMIT)


def has_teeth(machine: Transmission) -> bool:
    """Whether teeth pass, of the main mesh or of a first stage."""
    return bool(Orders.of(machine.orders).of_kind(TEETH, STAGE))


def tooth_order(machine: Transmission) -> float:
    """Teeth that pass in a turn of the input; pins where a first stage is a spring."""
    return next(iter(Orders.of(machine.orders).of_kind(TEETH, STAGE, PINS).values()))


def spectrum(error: Floats, input_turns: float) -> tuple[Floats, Floats]:
    """Orders of the input turn and one-sided amplitudes, the mean left out."""
    amplitudes = np.abs(np.fft.rfft(error - error.mean())) * 2 / len(error)
    if len(error) % 2 == 0:
        amplitudes[-1] *= 0.5
    return np.arange(len(amplitudes)) / input_turns, amplitudes


def evenly_over_angle(angles: Floats, error: Floats) -> tuple[Floats, float]:
    """A curve over rising angles at even ones, and the turns that they span; none if an input
    has stopped or turned back."""
    count = len(angles)
    if np.any(np.diff(angles) <= 0):
        return error, 0.0
    even = np.linspace(angles[0], angles[-1], count)
    span = (angles[-1] - angles[0]) * count / (count - 1)
    return np.interp(even, angles, error), span / (2 * math.pi)


def named_order_values(named: dict[str, float], orders: Floats, amplitudes: Floats) -> Values:
    """Amplitudes at the machine's own orders, each at the line next to it."""
    lines = lines_of_named_orders(named, orders)
    numbers = list(lines.values())
    return {
        "named_order": np.array(list(lines), dtype=str),
        "named_order_number": [named[name] for name in lines],
        "named_order_line": orders[numbers],
        "named_order_amplitude": amplitudes[numbers],
    }


def lines_of_named_orders(named: dict[str, float], orders: Floats) -> dict[str, int]:
    """The line of each named order, where the range holds whole periods of it.

    A range too short to tell two orders apart has one line for both, which belongs to the nearer;
    the line of order zero is the mean and belongs to none.
    """
    width = orders[1] - orders[0]
    taken: dict[int, str] = {}
    for name, order in sorted(named.items(), key=lambda item: _off_line(item[1], width)):
        line = round(order / width)
        if 0 < line < len(orders) and _off_line(order, width) <= LINE_TOLERANCE:
            taken.setdefault(line, name)
    return {name: line for line, name in sorted(taken.items())}


def _off_line(order: float, width: float) -> float:
    """Distance to the next line, in widths of a line, without the noise of rounding."""
    return round(abs(order / width - round(order / width)), 9)


def leakage_warnings(machine: Transmission, orders: Floats) -> list[str]:
    """That the range holds no whole periods of orders that the machine has something of.

    Pins and teeth pass in every machine; what turns shows by its errors alone. The output's turn is
    left out, as most ranges are a small part of one, and rollers are, whose cages turn by no whole
    numbers: no range holds their periods, and their amplitude is not read.
    """
    width, named = orders[1] - orders[0], Orders.of(machine.orders)
    passing, left_out = named.of_kind(TEETH, PINS, STAGE), ("output", *named.of_kind(CAGE))
    off = [
        name
        for name, order in named.items()
        if name in passing or (machine.deviates and name not in left_out)
        if order < orders[-1] and _off_line(order, width) > LINE_TOLERANCE
    ]
    if not off:
        return []
    return [
        f"The range holds no whole number of periods of {', '.join(off)}: their amplitudes are not "
        f"read, and neighbouring lines hold some of them. Use {_whole_range(machine, off)}."
    ]


def _whole_range(machine: Transmission, names: list[str]) -> str:
    """Settings whose range holds whole periods of all that a leakage warning names."""
    for turns in range(1, MOST_TURNS + 1):
        if all(_off_line(machine.orders[name] * turns, 1.0) <= LINE_TOLERANCE for name in names):
            return "turns_of: input" if turns == 1 else f"turns_of: input, turns: {turns}"
    return "turns_of: output"


def folding_warnings(orders: Floats, amplitudes: Floats) -> list[str]:
    """That the spectrum does not fade towards its end: what lies beyond is folded into it."""
    end = amplitudes[len(amplitudes) * 3 // 4 :]
    if len(end) < 2 or end.max() <= max(LARGEST_TAIL * amplitudes.max(), NOISE):
        return []
    return [
        f"The spectrum has not faded at its highest order, {orders[-1]:.4g}: lines beyond it are "
        "folded back into it and the peak to peak may be missed. Use more points_per_turn."
    ]


def sampling_warnings(machine: Transmission, shaft: str, points_per_turn: int) -> list[str]:
    """That the points are too few for the highest of the machine's own orders."""
    name, order = max(machine.orders.items(), key=lambda item: item[1])
    wanted = math.ceil(POINTS_PER_PERIOD * order / machine.orders[shaft] - 1e-9)
    if points_per_turn >= wanted:
        return []
    return [
        f"{points_per_turn} points a turn of the {shaft} do not resolve the {name} order "
        f"{order:.4g}; use at least {wanted}."
    ]
