"""Proportions of the sizing rule that more than one published set gives, and how far these differ.

    set                     B/R     a/R_c   r/a     L/B     b/B
    scripts, 320 class      0.126   0.357   0.189
    scripts, 52 pins        0.105   (0.186) 0.192   0.960
    Miao 2020               0.170   0.349   0.241   0.857   0.714
    Miao 2020, optimised    0.150   0.274   0.194   1.000   0.683

with B the width of a disc, R the radius of the pin circle, a the eccentric's, R_c of the circle of
the cranks, r of a turning-arm roller and L its length, b the face width of the first stage. The
eccentric in brackets is none to choose from: its rollers last 450 h at the rated torque, where
catalogues rate 6,000 h. What one set alone gives, or none, has no spread here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Proportion:
    """A dimension over what it is measured by: by the rule, and the ends of the published sets."""

    title: str
    rule: float
    least: float
    most: float


PROPORTIONS: Mapping[str, Proportion] = {
    "discs.width": Proportion("disc width over R", 0.13, 0.105, 0.170),
    "cranks.pin_radius": Proportion("eccentric's radius over R_c", 0.35, 0.27, 0.357),
    "turning_arm.radius": Proportion("radius of rollers over the eccentric's", 0.19, 0.19, 0.24),
    "turning_arm.length": Proportion("length of rollers over the disc's width", 0.9, 0.86, 1.0),
    "first_stage.face_width": Proportion("face width over the disc's width", 0.7, 0.68, 0.71),
}
"""By the key of the spec."""

BY_THE_RULE: Mapping[str, float] = {key: one.rule for key, one in PROPORTIONS.items()}
"""What `rules.dimensions` takes, others in its place."""
