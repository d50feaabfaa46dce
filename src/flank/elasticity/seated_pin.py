"""A pin that fills a half-round groove and is pressed into it: what both give way by.

The groove presses on half of the pin with p = 2F'/(π r) cos φ, as where there is no play: an arc of
contact that does not grow with the load, so that the compliance is a number. Of the wall it is the
mean displacement under this pressure, which over the pin's width is half an ellipse, against a
depth d of a half plane, with c = (1 - ν²)/(π E) and ν' = ν/(1 - ν):

    w/F' = c [2 ln(2 d/r) - 1/2 - ν']

Of the pin it is that of its seated half against its middle, F' coming from the other side. With
pressures a_n of the groove, P_n of groove and force together (n = 1 is in balance), κ = 3 - 4ν and
the shear modulus μ,

    u_n = -P_n r/(4 μ) [1/(n - 1) + κ/(n + 1)],     u_0 = -P_0 r/(4 μ) (κ - 1)

    δ/F' = π r²/(4 μ) {2 a_0 P_0 (κ - 1) + Σ a_n P_n [1/(n - 1) + κ/(n + 1)]},     n = 2, 4, ..
    a_0 = 2/(π² r),     a_n = -4 cos(n π/2)/(π² r (n² - 1)),
    P_n - a_n = 1/(π r),     P_0 - a_0 = 1/(2 π r)

Plane strain, as in all laws of line contact here.
"""

import math

from flank.elasticity.material import Material

HARMONICS = 2000
"""That are added up; they fall by n⁻³."""


def seated_half(pin: Material) -> float:
    """δ/F' in 1/Pa."""
    kappa = 3 - 4 * pin.poisson_ratio
    seated = 2 / math.pi**2
    total = 2 * seated * (seated + 0.5 / math.pi) * (kappa - 1)
    for n in range(2, HARMONICS, 2):
        seated = -4 * (-1) ** (n // 2) / (math.pi**2 * (n**2 - 1))
        total += seated * (seated + 1 / math.pi) * (1 / (n - 1) + kappa / (n + 1))
    return math.pi / (4 * pin.shear_modulus) * total


def groove_wall(wall: Material, depth_over_radius: float) -> float:
    """w/F' in 1/Pa."""
    nu = wall.poisson_ratio
    deep = 2 * math.log(2 * depth_over_radius) - 0.5 - nu / (1 - nu)
    return wall.line_compliance * deep
