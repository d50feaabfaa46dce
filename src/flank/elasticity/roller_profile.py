"""Profiles of rollers: by how much one is thinner than in its middle, on either side.

With s = 2x/L from -1 to 1 along a roller of the length L and diameter D,

    crowned        P = c s²                              c the drop at the ends
    logarithmic    P = c ln[1/(1 - t²)],  t = max(|s| - s_f, 0)/(1 - s_f)

and ISO 16281 (Eqs. 42 to 44) has for the logarithmic one c = 0.00035 D, s_f = 0 up to L = 2.5 D,
and c = 0.0005 D with an even middle part, s_f = 1 - 2.5 D/L, beyond.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from flank.arrays import Floats

CROWNED, LOGARITHMIC = 1, 2
"""Numbers of the shapes; a straight roller is one that is crowned by nothing."""

SLENDER = 2.5
"""L/D beyond which the norm's profile has an even middle part."""


@dataclass(frozen=True)
class RollerProfile:
    """`shape`, c as `drop` in m, and s_f as `even`, the share of the length that is cylindrical."""

    shape: int = CROWNED
    drop: float = 0.0
    even: float = 0.0

    @classmethod
    def logarithmic(cls, diameter: float, length: float) -> Self:
        """That of ISO 16281."""
        if length <= SLENDER * diameter:
            return cls(LOGARITHMIC, 3.5e-4 * diameter)
        return cls(LOGARITHMIC, 5e-4 * diameter, 1 - SLENDER * diameter / length)

    def depth(self, places: Floats) -> Floats:
        """P in m at s."""
        places = np.asarray(places)
        if self.shape == CROWNED:
            return self.drop * places**2
        beyond = np.maximum(np.abs(places) - self.even, 0.0) / (1 - self.even)
        return -self.drop * np.log1p(-(beyond**2))


STRAIGHT = RollerProfile()
