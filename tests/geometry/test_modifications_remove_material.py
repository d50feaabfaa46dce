"""Positive equidistant and positive radial modifications both take material off the disc."""

import math

import numpy as np
import pytest

from flank.geometry.curve import evaluate
from flank.geometry.cycloid import Cycloid

SIZE = 10e-6


def normal_shift(profile, modified):
    """How far the modified flank lies outside the plain one, along the plain normal."""
    t = np.linspace(0.0, 2 * math.pi / profile.lobes, 2001)
    x, y, tx, ty = evaluate(profile, t)[:, :4].T
    mx, my = evaluate(modified, t)[:, :2].T
    return (mx - x) * ty - (my - y) * tx, profile.lobes * t


def with_modifications(profile, **modifications):
    return Cycloid(
        profile.pins,
        profile.pin_circle_radius,
        profile.pin_radius,
        profile.eccentricity,
        **modifications,
    )


@pytest.mark.parametrize("size", [SIZE, -SIZE])
def test_equidistant_shifts_every_point_inwards_by_itself(profile, size):
    """Exactly Δr along the normal, everywhere."""
    shift, _ = normal_shift(profile, with_modifications(profile, equidistant=size))
    np.testing.assert_allclose(shift, -size, rtol=0, atol=1e-14)


@pytest.mark.parametrize("size", [SIZE, -SIZE])
def test_radial_shifts_by_its_normal_share(profile, size):
    """-ΔR (1 - K1 cos φ)/√S to first order; the rest is of order z_p ΔR²/R."""
    shift, phase = normal_shift(profile, with_modifications(profile, radial=size))
    k1 = profile.shortening
    share = (1 - k1 * np.cos(phase)) / np.sqrt(1 + k1**2 - 2 * k1 * np.cos(phase))
    second_order = profile.pins**2 * size**2 / profile.pin_circle_radius
    np.testing.assert_allclose(shift, -size * share, rtol=0, atol=2 * second_order)
    assert np.all(np.sign(shift) == -math.copysign(1, size))


def test_both_shrink_tip_and_root(profile):
    for name in ("equidistant", "radial"):
        cut = with_modifications(profile, **{name: SIZE})
        assert cut.tip_radius == pytest.approx(profile.tip_radius - SIZE, abs=1e-16)
        assert cut.root_radius == pytest.approx(profile.root_radius - SIZE, abs=1e-16)
        radii = np.hypot(*evaluate(cut, [0.0, math.pi / cut.lobes])[:, :2].T)
        assert radii == pytest.approx([cut.root_radius, cut.tip_radius], abs=1e-14)
