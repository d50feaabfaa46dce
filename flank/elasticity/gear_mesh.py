"""Mesh stiffness of a pair of external involute spur gears, from ISO 6336-1 (method B).

    c'  = 0.8 / q',   q' = C1 + C2/z1 + C3/z2,   c_γ = c' (0.75 ε_α + 0.25)   in N/(mm µm), steel

for full-disc gears of the standard basic rack without profile shift (C_R = C_B = 1).
Other materials scale with their Young's modulus against 206 GPa.
"""

import math
from dataclasses import dataclass

RACK = (0.04723, 0.15551, 0.25791)
"""C1 to C3 of ISO 6336-1."""

STEEL_MODULUS = 206e9
"""Pa, for which the norm's stiffness holds."""

CORRECTION = 0.8
"""C_M of ISO 6336-1: measured over theoretical stiffness."""


@dataclass(frozen=True)
class SpurPair:
    """External spur gears of standard addenda at their reference centre distance."""

    pinion_teeth: int
    wheel_teeth: int
    module: float
    pressure_angle: float

    @property
    def centre_distance(self) -> float:
        return 0.5 * self.module * (self.pinion_teeth + self.wheel_teeth)

    @property
    def base_radii(self) -> tuple[float, float]:
        scale = 0.5 * self.module * math.cos(self.pressure_angle)
        return scale * self.pinion_teeth, scale * self.wheel_teeth

    @property
    def contact_ratio(self) -> float:
        """Transverse contact ratio ε_α."""
        first, second = self.base_radii
        path = -self.centre_distance * math.sin(self.pressure_angle)
        for teeth, base in ((self.pinion_teeth, first), (self.wheel_teeth, second)):
            tip = self.module * (0.5 * teeth + 1)
            path += math.sqrt(tip**2 - base**2)
        return path / (math.pi * self.module * math.cos(self.pressure_angle))

    def stiffness(self, face_width: float, youngs_modulus: float = STEEL_MODULUS) -> float:
        """Mean mesh stiffness c_γ b along the line of action, in N/m."""
        single = CORRECTION / _flexibility(self.pinion_teeth, self.wheel_teeth)
        mesh = single * (0.75 * self.contact_ratio + 0.25)
        return mesh * 1e9 * face_width * youngs_modulus / STEEL_MODULUS


def _flexibility(pinion: int, wheel: int) -> float:
    """q' in mm µm/N of one pair of teeth without profile shift."""
    return RACK[0] + RACK[1] / pinion + RACK[2] / wheel
