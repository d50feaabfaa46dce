"""Stresses in a slice across a tooth: those of the wedge that its two flanks make there.

A tooth tapers, and so strongly that the stresses of a prism are poor: with the same moment the
inclined flanks carry part of the shear force. Each slice is taken from the wedge with the slopes
s = tan α of its flanks, whose stresses under a force P across, N along and a moment at the apex are
exact (Michell, Carothers, Inglis):

    P   σ_r = 2 P sin θ/(r (2α - sin 2α))
    M   σ_r = 2 M sin 2θ/(r² (sin 2α - 2α cos 2α)),   τ = M (cos 2θ - cos 2α)/(r² (...))
    N   σ_r = 2 N cos θ/(r (2α + sin 2α)),            σ_θ = 0 always.

The moment at the apex is that of the section less P h/s, h half its thickness, so at the place
y = η h of a section with the moment M, with w = 1 + s²η²,

    σ_b = 3η/(2h²) [M/(d_2 w²) + P h s (g + d_2 η²)/(d d_2 w²)]
    τ   = 3/4 (M s - P h) (1 - η²)/(h² (1 + s²) w² d_2)
    σ_n = N/(2 h w c),

where d, d_2, c and g = (d_2 - d)/s² are even functions of s, 1, 1, 1 and -1/5 at s = 0, where the
stresses are those of a prism. Slices that narrow towards the root have s < 0.
"""

import numpy as np

from flank.arrays import Floats

POINTS, WEIGHTS = np.polynomial.legendre.leggauss(8)
"""Across half a slice; four give the same six digits."""

SMALL, TERMS = 0.3, 14
"""Slopes below which functions of the wedge are taken from their series, and its terms."""


def slice_factors(half: Floats, slope: Floats, inner: Floats, outer: Floats) -> Floats:
    """Of each slice, a column, where `inner` < |y| < `outer`: the factors of M², MP and P² in
    ∫σ_b² dy, those in ∫τ² dy, and of N² in ∫σ_n² dy.

    `half` is half the thickness, which grows towards the root by `slope`.
    """
    h, s = half[:, None], slope[:, None]
    middle, reach = 0.5 * (outer + inner) / half, 0.5 * (outer - inner) / half
    y = middle[:, None] + reach[:, None] * POINTS
    weights = 2 * (reach * half)[:, None] * WEIGHTS  # of both halves
    bent, turned, gap, pressed = (f[:, None] for f in wedge_functions(slope))
    w = 1 + (s * y) ** 2
    by_moment = 1.5 * y / (h * w) ** 2 / turned
    by_force = by_moment * h * s * (gap + turned * y**2) / bent
    shear = 0.75 * (1 - y**2) / (h**2 * (1 + s**2) * w**2 * turned)
    axial = 1 / (2 * h * w * pressed)
    pairs = (
        *(by_moment**2, 2 * by_moment * by_force, by_force**2),
        *((shear * s) ** 2, -2 * shear**2 * s * h, (shear * h) ** 2),
        axial**2,
    )
    return np.array([np.sum(weights * pair, axis=1) for pair in pairs])


def wedge_functions(slope: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """d = 3 (2α - sin 2α)/(4 s³), d_2 = 3 (sin 2α - 2α cos 2α)/(8 s³), g, and
    c = (2α + sin 2α)/(4 s)."""
    s = np.asarray(slope, dtype=float)
    square, k = s**2, np.arange(1, TERMS + 1)
    powers = (-np.minimum(square, SMALL**2)[..., None]) ** (k - 1)
    bent = powers @ (3 * k / (2 * k + 1))
    turned = powers @ (3 * k / (4 * k**2 - 1)) / (1 + square)
    gap = -(powers[..., :-1] @ (3 * k[:-1] / (4 * (k[:-1] + 1) ** 2 - 1))) / (1 + square)
    pressed = 0.5 * (powers @ (1 / (2 * k - 1)) + 1 / (1 + square))
    large = np.abs(s) > SMALL
    if np.any(large):
        t = s[large]
        twice = 2 * np.arctan(t)
        bent[large] = 0.75 * (twice - np.sin(twice)) / t**3
        turned[large] = 0.375 * (np.sin(twice) - twice * np.cos(twice)) / t**3
        gap[large] = (turned[large] - bent[large]) / t**2
        pressed[large] = 0.25 * (twice + np.sin(twice)) / t
    return bent, turned, gap, pressed
