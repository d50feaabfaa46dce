"""Shape of Hertz's contact ellipse from the ratio of the relative curvatures.

With λ = B/A ≥ 1 the larger relative curvature over the smaller (Hamrock's α_r = R_y/R_x) and
k = a/b ≥ 1 the ellipticity, docs/theory/elliptic_contact.md:

    exact                λ = [k² E(m) - K(m)] / [K(m) - E(m)],  m = 1 - 1/k²             (4)
    Hamrock-Brewe 1983   k = λ^(2/π),         E = 1 + q/λ,           F = π/2 + q ln λ    (8)
    Brewe-Hamrock 1977   k = 1.0339 λ^0.636,  E = 1.0003 + 0.5968/λ, F = 1.5277 + 0.6023 ln λ  (9)

with q = π/2 - 1. Both differences of (4) lose all digits towards k = 1. In Carlson's integrals
(DLMF 19.25.1) they have a common factor and λ = R_D(0, 1, 1/k²) / R_D(0, 1/k², 1) loses none.
"""

import math
from functools import lru_cache
from typing import Literal, NamedTuple, get_args

from scipy.special import ellipe, ellipkm1, elliprd

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
    return EllipseShape(ellipticity, float(ellipe(1 - complement)), float(ellipkm1(complement)))


def curvature_ratio_of(ellipticity: float) -> float:
    """λ of k ≥ 1, Eq. (4)."""
    complement = ellipticity**-2
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
