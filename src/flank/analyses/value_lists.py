"""Lists of values as a setting: one, several, or evenly spaced from one to another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from pydantic import BeforeValidator

from flank import units
from flank.machines.quantities import WholeNumber

MOST_VALUES = 1000
_KEYS = ("from", "to", "points")


@dataclass(frozen=True)
class _Spread:
    """Turns what was given into a list of values measured in `unit`."""

    unit: str

    def __call__(self, given: Any) -> Any:
        if given == []:  # an empty tuple is what a setting that was left out has
            raise ValueError("nothing is given; give one value or more, or leave it out")
        if not isinstance(given, Mapping):
            return given if isinstance(given, Sequence) and not isinstance(given, str) else [given]
        if set(given) != set(_KEYS):
            raise ValueError(
                f"a range with the keys {', '.join(map(str, given))} is given; it has from, to and "
                "points, as in {from: 0, to: 1, points: 5}"
            )
        first, last = (units.parse(given[key], self.unit) for key in ("from", "to"))
        points = WholeNumber(minimum=2, maximum=MOST_VALUES).parse(given["points"])
        return np.linspace(first, last, points).tolist()


def value_list(unit: str) -> BeforeValidator:
    """Lets a tuple of quantities be written as a value, a list, or {from: , to: , points: }."""
    return BeforeValidator(_Spread(unit))
