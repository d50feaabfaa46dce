"""The profile against its two published forms, its closure and its extreme radii."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flank.geometry.curve import evaluate
from flank.geometry.cycloid import Cycloid, lever_arm

MODIFIED = Cycloid(40, 64e-3, 3e-3, 1.3e-3, equidistant=20e-6, radial=-35e-6, angular=0.7e-3)

TOLERANCE = 2e-15  # m; 3e-16 is measured, a unit of the last place of R times z_p for sin(z_p t)


def complex_form(profile, t):
    """P(t) = R' e^{it} - e e^{i zp t} - (r+Δr)(e^{it} - K1 e^{i zp t})/√S."""
    zp, e = profile.pins, profile.eccentricity
    radius = profile.pin_circle_radius - profile.radial
    k1 = e * zp / radius
    root = np.sqrt(1 + k1**2 - 2 * k1 * np.cos((zp - 1) * t))
    first, second = np.exp(1j * t), np.exp(1j * zp * t)
    offset = profile.pin_radius + profile.equidistant
    return (radius * first - e * second - offset * (first - k1 * second) / root) * np.exp(
        1j * profile.angular
    )


def seed_form(profile, phase):
    """arXiv 2604.02387, Eqs. 1-2, minus signs and root restored; pins from y."""
    zp, zc, e = profile.pins, profile.pins - 1, profile.eccentricity
    radius, delta = profile.pin_circle_radius - profile.radial, profile.angular
    k1, ratio = e * zp / radius, zp / zc
    q = (profile.pin_radius + profile.equidistant) / np.sqrt(1 + k1**2 - 2 * k1 * np.cos(phase))
    first, second = (1 - ratio) * phase - delta, ratio * phase + delta
    shift = e / radius * (radius - zp * q)
    x = -(radius - q) * np.sin(first) - shift * np.sin(second)
    y = (radius - q) * np.cos(first) - shift * np.cos(second)
    return x, y


def test_equals_the_complex_form(profile):
    t = np.linspace(0.0, 2 * math.pi, 20011)
    points = evaluate(profile, t)
    difference = points[:, 0] + 1j * points[:, 1] - complex_form(profile, t)
    assert np.abs(difference).max() < TOLERANCE


def test_modified_profile_equals_the_complex_form():
    t = np.linspace(0.0, 2 * math.pi, 20011)
    points = evaluate(MODIFIED, t)
    difference = points[:, 0] + 1j * points[:, 1] - complex_form(MODIFIED, t)
    assert np.abs(difference).max() < TOLERANCE


@pytest.mark.parametrize("modified", [False, True])
def test_equals_the_corrected_seed_equations(profile, modified):
    """The seed counts its angle from the y axis: its (x, y) is our (y, x), φ = z_c t."""
    shape = MODIFIED if modified else profile
    t = np.linspace(0.0, 2 * math.pi, 20011)
    x, y = seed_form(shape, shape.lobes * t)
    points = evaluate(shape, t)
    assert np.abs(points[:, 0] - y).max() < 1e-14  # 2.7e-15 is measured: φ = z_c t rounds once more
    assert np.abs(points[:, 1] - x).max() < 1e-14


def test_closes(profile):
    """After 2π all six numbers are back; 5e-14 relative is the round-off of sin(40 · 2π)."""
    first, last = evaluate(profile, [0.0, 2 * math.pi])
    assert np.abs(first[:2] - last[:2]).max() < TOLERANCE
    np.testing.assert_allclose(last[2:], first[2:], rtol=1e-10, atol=1e-12)


def test_has_the_symmetry_of_its_lobes(profile):
    """P(t + 2π/z_c) is P(t) turned by 2π/z_c."""
    t = np.linspace(0.0, 2 * math.pi / profile.lobes, 501)
    pitch = 2 * math.pi / profile.lobes
    here, there = evaluate(profile, t), evaluate(profile, t + pitch)
    turned = (here[:, 0] + 1j * here[:, 1]) * np.exp(1j * pitch)
    assert np.abs(there[:, 0] + 1j * there[:, 1] - turned).max() < TOLERANCE


def test_tip_and_root_radius(profile):
    """Largest radius R - r + e at z_c t = π, smallest R - r - e at t = 0."""
    tip, root = evaluate(profile, [math.pi / profile.lobes, 0.0])[:, :2]
    assert np.hypot(*tip) == pytest.approx(profile.tip_radius, abs=TOLERANCE)
    assert np.hypot(*root) == pytest.approx(profile.root_radius, abs=TOLERANCE)
    assert profile.tip_radius - profile.root_radius == pytest.approx(
        2 * profile.eccentricity, abs=TOLERANCE
    )
    radii = np.hypot(*evaluate(profile, np.linspace(0, 2 * math.pi, 40001))[:, :2].T)
    assert radii.max() <= profile.tip_radius + TOLERANCE
    assert radii.min() >= profile.root_radius - TOLERANCE


@settings(max_examples=40, deadline=None)
@given(st.floats(-3e-3, 3e-3), st.integers(0, 500))
def test_angular_modification_turns_the_whole_profile(angular, index):
    """e^{iδ} P(t) point by point; tangent turned with it, speed and curvature the same."""
    plain = Cycloid(40, 64e-3, 3e-3, 1.3e-3)
    turned = Cycloid(40, 64e-3, 3e-3, 1.3e-3, angular=angular)
    t = [2 * math.pi * index / 501]
    a, b = evaluate(plain, t)[0], evaluate(turned, t)[0]
    rotation = np.exp(1j * angular)
    assert abs((a[0] + 1j * a[1]) * rotation - (b[0] + 1j * b[1])) < TOLERANCE
    assert abs((a[2] + 1j * a[3]) * rotation - (b[2] + 1j * b[3])) < 1e-12
    np.testing.assert_allclose(b[4:], a[4:], rtol=1e-10)


def test_lever_arm_of_the_normal(profile, coordinates):
    """l = e z_c sin φ/√S is P x n, computed here from the curve; largest e z_c at cos φ = K1."""
    phase = np.linspace(0.0, 2 * math.pi, 721)
    x, y, tx, ty = evaluate(profile, phase / profile.lobes)[:, :4].T
    arm = x * -tx - y * ty  # P x n with n = (t_y, -t_x)
    size = profile.eccentricity * profile.lobes
    np.testing.assert_allclose(np.abs(arm), np.abs(lever_arm(profile, phase)), atol=1e-12 * size)
    peak = lever_arm(profile, math.acos(profile.shortening))
    assert peak == pytest.approx(size, rel=1e-14)
    assert lever_arm(profile, phase).max() <= size * (1 + 1e-14)
