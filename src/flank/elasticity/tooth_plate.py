"""A tooth as slices that hang together lengthwise: quick influence numbers of a flank.

Across its length each slice is the beam of `tooth_compliance`: that of the virtual spur gear, whose
teeth look like a bevel or helical gear's in the normal section (Tredgold). Its compliance q(v) per
unit of width has no length in it, so that a tooth which tapers towards its toe has the same q all
along. Slices pull each other along as those of a plate do. With s along the tooth, 0 <= s <= L, and
a coupling length λ the deflection of a tooth with q all along solves

    w - λ² w'' = q p(s),   w' = 0 at both ends,

so that a uniform load bends each slice by itself, and a force at t is felt at s by q K(s, t),

    K = cosh(min/λ) cosh((L - max)/λ) / (λ sinh(L/λ)),     min, max those of s and t.

An endless cantilever plate of height c under a force at its edge gives way by 0.168 F c²/D
(Jaramillo 1950); q of its slices is 4 c³/12D, so that q/2λ is the same for λ = 0.99 c: the coupling
length is the height of the load above the root, here that of mid-flank. Between points of different
height

    B_ij = √(q_i q_j) K(s_i, s_j) + q_c K(s_i, s_j),

the first on the same tooth only, q_c what the body gives way under any tooth nearby. K is a Green's
function of a positive operator, so B has no negative directions. The quick form knows no curvature
of the tooth's trace, no obtuse or acute end and no web; finite elements do.
"""

import math
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from flank.arrays import Floats
from flank.elasticity.material import Material
from flank.elasticity.tooth import tooth_compliance
from flank.elasticity.tooth_beam import load_line
from flank.geometry.gear import Gear
from flank.geometry.tooth_outline import half_outline


class FlankCompliance(Protocol):
    """Influence numbers of one gear's flank, whoever computes them."""

    @property
    def depth(self) -> float:
        """m below the middle of the flank, down to which the contact itself gives way."""

    def depth_at(self, u: Floats, v: Floats) -> Floats:
        """The same below any places of it."""

    @property
    def period(self) -> int:
        """Teeth after which numbers repeat, one where all teeth are alike."""

    def influence(self, u: Floats, v: Floats, offset: int, tooth: int = 0) -> Floats:
        """(m, m) in m/N: displacement along the inward normal at points (u, v) of a tooth under
        unit normal forces at the same points of the tooth `offset` before it, which is `tooth`."""


@dataclass(frozen=True)
class ToothPlate:
    """The quick form: a virtual spur gear, its material, and the length of a tooth in m."""

    virtual: Gear
    material: Material
    length: float
    period: int = field(default=1, init=False)

    @property
    def depth(self) -> float:
        """To the middle of the tooth, at mid-flank."""
        return float(self.depth_at(np.zeros(1), np.zeros(1))[0])

    def depth_at(self, u: Floats, v: Floats) -> Floats:
        """To the middle of the tooth, which is the same all along it."""
        rolls = self.rolls(np.clip(v, -1.0, 1.0))
        return np.array([load_line(self.virtual, float(roll))[1] for roll in rolls])

    @property
    def coupling_length(self) -> float:
        """Height of mid-flank above the root."""
        middle = math.hypot(self.virtual.base_radius, float(self.rolls(np.zeros(1))[0]))
        return middle - self.virtual.root_radius

    def rolls(self, v: Floats) -> Floats:
        """Roll lengths of the virtual gear at places from its root, -1, to its tip, 1."""
        start, end = half_outline(self.virtual).form_roll, self.virtual.edge_roll_length
        return start + 0.5 * (end - start) * (v + 1.0)

    def slices(self, v: Floats) -> Floats:
        """q of single slices, of the tooth itself, in m²/N."""
        table = tooth_compliance(self.virtual, self.material)
        return table.at(self.rolls(np.clip(v, -1.0, 1.0))) - table.common

    @property
    def common(self) -> float:
        """q of the body under teeth nearby."""
        return tooth_compliance(self.virtual, self.material).common

    def influence(self, u: Floats, v: Floats, offset: int, tooth: int = 0) -> Floats:
        s = 0.5 * self.length * (np.clip(u, -1.0, 1.0) + 1.0)
        coupled = self.common * self._coupling(s)
        if offset == 0:
            root = np.sqrt(self.slices(v))
            coupled = coupled + root[:, None] * root * self._coupling(s)
        return coupled

    def _coupling(self, s: Floats) -> Floats:
        """K between places along the tooth."""
        low, high = np.minimum(s[:, None], s), np.maximum(s[:, None], s)
        reach, end = self.coupling_length, self.length
        waves = np.exp((low - high) / reach) + np.exp((low + high - 2 * end) / reach)
        waves = waves + np.exp(-(low + high) / reach) + np.exp((high - low - 2 * end) / reach)
        coupling: Floats = waves / (2 * reach * -math.expm1(-2 * end / reach))
        return coupling
