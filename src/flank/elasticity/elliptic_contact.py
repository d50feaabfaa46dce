"""Hertz contact of two curved bodies that touch at a point: an ellipse, and F = K δ^(3/2).

Near the point the bodies part by (A x² + B y²)/2, A ≤ B the relative principal curvatures, and
press on each other over an ellipse of semi-axes a ≥ b, a along x (Hertz 1882; Johnson 1985, ch. 4;
notation of Hamrock and Brewe 1983; numbers are those of docs/theory/elliptic_contact.md). With
R = 1/(A + B), E* the contact modulus and k, E, F the shape of the ellipse (`ellipse_shape`):

    a = (3 k² E W R / (π E*))^(1/3),   b = a/k                             (5)
    p0 = 3 W / (2 π a b),              mean pressure 2 p0 / 3              (6)
    W = K δ^(3/2),                     K = 2 π k E* √(R E / (4.5 F³))      (7)

Bodies are elastic half spaces of the true curvature: a and b must be small against their radii.

The shape of the ellipse follows from λ = B/A ≥ 1, the larger relative curvature over the smaller
(Hamrock's α_r = R_y/R_x); with k = a/b ≥ 1 the ellipticity

    exact                λ = [k² E(m) - K(m)] / [K(m) - E(m)],  m = 1 - 1/k²             (4)
    Hamrock-Brewe 1983   k = λ^(2/π),         E = 1 + q/λ,           F = π/2 + q ln λ    (8)
    Brewe-Hamrock 1977   k = 1.0339 λ^0.636,  E = 1.0003 + 0.5968/λ, F = 1.5277 + 0.6023 ln λ  (9)

with q = π/2 - 1. Both differences of (4) lose all digits towards k = 1. In Carlson's integrals
(DLMF 19.25.1) they have a common factor and λ = R_D(0, 1, 1/k²) / R_D(0, 1/k², 1) loses none.
"""

import cmath
import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple, get_args

from flank.errors import suggestion
from flank.geometry.roots import zero_between

Theory = Literal["exact", "hamrock-brewe-1983", "brewe-hamrock-1977"]

NEARLY_ROUND = 1e-10
"""ln λ below which k = λ^(2/3), its first order, is exact to round-off."""

LARGEST_RATIO = 1e12
"""λ beyond which two curvatures cancel to within their rounding: a line contact."""


class EllipseShape(NamedTuple):
    """`ellipticity` k = a/b, `second_integral` E and `first_integral` F (K of the books)."""

    ellipticity: float
    second_integral: float
    first_integral: float


@dataclass(frozen=True)
class EllipticContact:
    """Relative curvatures A ≤ B in 1/m (R_y = 1/A, R_x = 1/B) and `modulus` E* in Pa.

    `direction` is the angle of the long axis a, from the first principal direction of the first
    body, in (-π/2, π/2]; of a round contact it means nothing.
    """

    smaller_curvature: float
    larger_curvature: float
    modulus: float
    direction: float = 0.0

    def __post_init__(self) -> None:
        small, large = self.smaller_curvature, self.larger_curvature
        if not 0 < self.modulus < math.inf:
            raise ValueError(
                f"the contact modulus E* is {self.modulus:.4g} Pa; it must be positive and finite, "
                "about 1.15e11 Pa for steel on steel"
            )
        if not (0 < small <= large <= small * LARGEST_RATIO < math.inf):
            raise ValueError(
                f"the relative curvatures of the bodies are {small:.4g} and {large:.4g} 1/m; both "
                "must be positive, in this order, for a contact at a point: widen the concave body "
                "(a groove must be wider than its ball), and take a line contact where one vanishes"
            )

    @property
    def relative_radius(self) -> float:
        """R in m, 1/R = A + B, the sum of all four curvatures."""
        return 1 / (self.smaller_curvature + self.larger_curvature)

    @property
    def curvature_ratio(self) -> float:
        """λ = B/A = R_y/R_x."""
        return self.larger_curvature / self.smaller_curvature

    def shape(self, theory: Theory = "exact") -> EllipseShape:
        """k, E and F."""
        return ellipse_shape(self.curvature_ratio, theory)


def elliptic_contact(
    first: tuple[float, float], second: tuple[float, float], modulus: float, angle: float = 0.0
) -> EllipticContact:
    """Contact of bodies with two principal curvatures each in 1/m, convex positive, Eqs. (1, 2).

    `angle` ω in rad turns the second body's first principal direction from that of the first. The
    differences of the curvatures add like vectors at the double angle.
    """
    mean = 0.5 * (sum(first) + sum(second))
    deviator = 0.5 * (first[0] - first[1]) + 0.5 * (second[0] - second[1]) * cmath.exp(2j * angle)
    # The long axis lies across the direction of the larger curvature.
    across = 0.5 * cmath.phase(deviator)
    direction = across + 0.5 * math.pi if across <= 0 else across - 0.5 * math.pi
    return EllipticContact(mean - abs(deviator), mean + abs(deviator), modulus, direction)


def ball_in_track(ball_radius: float, track_radius: float, modulus: float) -> EllipticContact:
    """Ball in a straight track of the cross-section radius `track_radius` at the contact, in m.

    A = 1/R_ball - 1/R_track across the track, where a lies, and B = 1/R_ball along it. An infinite
    radius is a plane.
    """
    if not 0 < ball_radius < track_radius:
        raise ValueError(
            f"a ball of radius {1e3 * ball_radius:.6g} mm does not touch a track of radius "
            f"{1e3 * track_radius:.6g} mm at a point; give a track wider than the ball, such as "
            "1.02 to 1.10 times its radius"
        )
    # (track - ball)/(ball·track) without the difference of two nearly equal curvatures.
    across = (1 - ball_radius / track_radius) / ball_radius
    return EllipticContact(across, 1 / ball_radius, modulus)


def contact_stiffness(contact: EllipticContact, theory: Theory = "exact") -> float:
    """K of W = K δ^(3/2), in N/m^1.5, Eq. (7)."""
    k, second, first = contact.shape(theory)
    root = math.sqrt(contact.relative_radius * second / (4.5 * first**3))
    return 2 * math.pi * k * contact.modulus * root


def contact_force(contact: EllipticContact, approach: float, theory: Theory = "exact") -> float:
    """W in N at the approach δ in m; none where the bodies are apart."""
    return contact_stiffness(contact, theory) * math.pow(max(approach, 0.0), 1.5)


def contact_approach(contact: EllipticContact, force: float, theory: Theory = "exact") -> float:
    """δ in m under W = `force` in N: how far points deep in the bodies come together."""
    return math.pow(max(force, 0.0) / contact_stiffness(contact, theory), 2 / 3)


def semi_axes(
    contact: EllipticContact, force: float, theory: Theory = "exact"
) -> tuple[float, float]:
    """a and b in m under `force` in N, Eq. (5)."""
    k, second, _ = contact.shape(theory)
    load = 3 * max(force, 0.0) * contact.relative_radius / (math.pi * contact.modulus)
    long = math.pow(k**2 * second * load, 1 / 3)
    return long, long / k


def peak_pressure(contact: EllipticContact, force: float, theory: Theory = "exact") -> float:
    """p0 in Pa, at the centre of the ellipse, Eq. (6)."""
    return 1.5 * mean_pressure(contact, force, theory)


def mean_pressure(contact: EllipticContact, force: float, theory: Theory = "exact") -> float:
    """W/(π a b) in Pa; it grows with the cube root of the force."""
    long, short = semi_axes(contact, 1.0, theory)
    return math.pow(max(force, 0.0), 1 / 3) / (math.pi * long * short)


@lru_cache(maxsize=1024)
def ellipse_shape(curvature_ratio: float, theory: Theory = "exact") -> EllipseShape:
    """k, E and F of λ = `curvature_ratio`."""
    if not 1 <= curvature_ratio <= LARGEST_RATIO:
        raise ValueError(
            f"the ratio of the relative curvatures is {curvature_ratio:.6g}; it is the larger over "
            f"the smaller, 1 to {LARGEST_RATIO:.0e}, and beyond that the contact is a line"
        )
    if theory == "exact":
        return exact_shape(exact_ellipticity(curvature_ratio))
    logarithm, q = math.log(curvature_ratio), 0.5 * math.pi - 1
    if theory == "hamrock-brewe-1983":
        return EllipseShape(
            curvature_ratio ** (2 / math.pi), 1 + q / curvature_ratio, 0.5 * math.pi + q * logarithm
        )
    if theory == "brewe-hamrock-1977":
        return EllipseShape(
            1.0339 * curvature_ratio**0.636,
            1.0003 + 0.5968 / curvature_ratio,
            1.5277 + 0.6023 * logarithm,
        )
    known = get_args(Theory)
    raise ValueError(
        f"unknown theory '{theory}' of the contact ellipse, use one of {', '.join(known)}"
        + suggestion(theory, known)
    )


def exact_shape(ellipticity: float) -> EllipseShape:
    """The complete elliptic integrals of k."""
    complement = ellipticity**-2
    from scipy.special import ellipe, ellipkm1

    return EllipseShape(ellipticity, float(ellipe(1 - complement)), float(ellipkm1(complement)))


def curvature_ratio_of(ellipticity: float) -> float:
    """λ of k ≥ 1, Eq. (4)."""
    complement = ellipticity**-2
    from scipy.special import elliprd

    return float(elliprd(0, 1, complement) / elliprd(0, complement, 1))


def exact_ellipticity(curvature_ratio: float) -> float:
    """k of λ: the root of (4) in ln k, which lies between ln λ / 2 and 2 ln λ / 3."""
    goal = math.log(curvature_ratio)
    if goal < NEARLY_ROUND:
        return math.exp(2 * goal / 3)
    root = zero_between(
        lambda log_k: math.log(curvature_ratio_of(math.exp(log_k))) - goal, 0.5 * goal, 0.7 * goal
    )
    return math.exp(root)
