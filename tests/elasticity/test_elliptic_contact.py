"""Hertz's ellipse: closed forms, the elastic half space itself, printed tables, bad input."""

import math
import sys
from pathlib import Path

import numpy as np
import pytest
from contact_pieces import power
from scipy.special import ellipe, ellipk

from flank.elasticity.elliptic_contact import (
    LARGEST_RATIO,
    EllipticContact,
    ball_in_track,
    contact_approach,
    contact_force,
    contact_stiffness,
    curvature_ratio_of,
    ellipse_shape,
    elliptic_contact,
    exact_ellipticity,
    mean_pressure,
    peak_pressure,
    semi_axes,
)
from flank.elasticity.line_contact import half_width
from flank.elasticity.material import STEEL, Material, contact_modulus

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "validation"))
import elliptic_contact as validation

THEORIES = ("exact", "hamrock-brewe-1983", "brewe-hamrock-1977")
MODULUS = contact_modulus(STEEL, STEEL)
RADIUS, FORCE = 8e-3, 500.0


def plane_contact(first, second, angle=0.0):
    return elliptic_contact(first, second, MODULUS, angle)


def test_sphere_on_plane_is_the_closed_form():
    contact = plane_contact((1 / RADIUS, 1 / RADIUS), (0.0, 0.0))
    radius = (0.75 * FORCE * RADIUS / MODULUS) ** (1 / 3)
    stiffness = 4 / 3 * MODULUS * math.sqrt(RADIUS)
    for theory in ("exact", "hamrock-brewe-1983"):
        assert contact_stiffness(contact, theory) == pytest.approx(stiffness, rel=1e-14)
        assert semi_axes(contact, FORCE, theory) == pytest.approx((radius, radius), rel=1e-14)
        peak = 1.5 * FORCE / (math.pi * radius**2)
        assert peak_pressure(contact, FORCE, theory) == pytest.approx(peak, rel=1e-14)
        approach = radius**2 / RADIUS
        assert contact_approach(contact, FORCE, theory) == pytest.approx(approach, rel=1e-14)


def test_two_spheres_one_hollow_and_unlike_materials():
    modulus = contact_modulus(STEEL, Material(70e9, 0.33, 2700.0))
    contact = elliptic_contact((1 / RADIUS,) * 2, (-1 / 20e-3,) * 2, modulus)
    relative = 1 / (1 / RADIUS - 1 / 20e-3)
    assert contact_stiffness(contact) == pytest.approx(4 / 3 * modulus * math.sqrt(relative))


def test_crossed_equal_cylinders_are_a_sphere_on_a_plane():
    cylinder = (1 / RADIUS, 0.0)
    crossed = plane_contact(cylinder, cylinder, 0.5 * math.pi)
    assert contact_stiffness(crossed) == pytest.approx(
        4 / 3 * MODULUS * math.sqrt(RADIUS), rel=1e-14
    )
    long, short = semi_axes(crossed, FORCE)
    assert long == pytest.approx(short, rel=1e-14)


@pytest.mark.parametrize("angle", [0.2, 0.7, 1.3])
def test_cylinders_crossed_at_an_angle(angle):
    """A, B = (1 ∓ cos ω)/R for equal radii; the long axis halves the angle between the axes."""
    contact = plane_contact((1 / RADIUS, 0.0), (1 / RADIUS, 0.0), angle)
    assert contact.smaller_curvature * RADIUS == pytest.approx(1 - math.cos(angle), rel=1e-13)
    assert contact.larger_curvature * RADIUS == pytest.approx(1 + math.cos(angle), rel=1e-13)
    axes = 0.5 * math.pi, 0.5 * math.pi + angle
    assert (contact.direction - sum(axes) / 2) % math.pi == pytest.approx(0, abs=1e-13)


def test_relative_curvatures_are_those_of_the_sum_of_both_surfaces():
    """Eigenvalues and long axis of the curvature tensor of the gap, for any four curvatures."""
    rng = np.random.default_rng(3)
    for _ in range(50):
        first, second = rng.uniform(5, 300, 2), rng.uniform(-4, 300, 2)
        angle = rng.uniform(-4, 4)
        contact = plane_contact(tuple(first), tuple(second), angle)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        gap = np.diag(first) + turn @ np.diag(second) @ turn.T
        values, vectors = np.linalg.eigh(gap)
        found = contact.smaller_curvature, contact.larger_curvature
        assert found == pytest.approx(tuple(values), rel=1e-11)
        long = np.array([math.cos(contact.direction), math.sin(contact.direction)])
        assert abs(long @ vectors[:, 0]) == pytest.approx(1, abs=1e-12)
        assert -0.5 * math.pi < contact.direction <= 0.5 * math.pi


def test_it_does_not_matter_which_body_is_the_first():
    first, second, angle = (120.0, 40.0), (-30.0, 15.0), 0.4
    one, other = plane_contact(first, second, angle), plane_contact(second, first, -angle)
    for theory in THEORIES:
        assert contact_stiffness(one, theory) == pytest.approx(
            contact_stiffness(other, theory), rel=1e-14
        )
    assert (one.direction - angle - other.direction) % math.pi == pytest.approx(0, abs=1e-12)


def displacement(contact, force, x, y):
    """π E* u = ∬ p/r over the ellipse, at a point inside it.

    Along every chord through the point the pressure is the root of a quadratic c0 - 2 c1 s - c2 s²,
    whose integral is π/2 (c0 + c1²/c2)/√c2; the mean over the directions is a periodic sum.
    """
    long, short = semi_axes(contact, force)
    across = np.pi * (np.arange(4096) + 0.5) / 4096
    c, s = np.cos(across), np.sin(across)
    c0 = 1 - (x / long) ** 2 - (y / short) ** 2
    c1, c2 = x * c / long**2 + y * s / short**2, (c / long) ** 2 + (s / short) ** 2
    mean = np.mean((c0 + c1**2 / c2) / np.sqrt(c2))
    return peak_pressure(contact, force) / (2 * contact.modulus) * np.pi * mean


@pytest.mark.parametrize("ratio", [1.0, 1.3, 4.0, 51.0, 700.0])
def test_the_half_space_fits_the_gap_everywhere_in_the_ellipse(ratio):
    """u = δ - (A x² + B y²)/2: neither elliptic integrals nor Eq. 4 enter this side."""
    contact = EllipticContact(20.0, 20.0 * ratio, MODULUS)
    long, short = semi_axes(contact, FORCE)
    approach = contact_approach(contact, FORCE)
    for place in ((0, 0), (1, 0), (0, 1), (0.5, 0.3), (-0.6, 0.7)):
        x, y = place[0] * long, place[1] * short
        gap = 0.5 * (contact.smaller_curvature * x**2 + contact.larger_curvature * y**2)
        assert displacement(contact, FORCE, x, y) == pytest.approx(
            approach - gap, abs=1e-10 * approach
        )


def test_pressure_carries_the_load():
    contact = EllipticContact(20.0, 300.0, MODULUS)
    long, short = semi_axes(contact, FORCE)
    volume = 2 / 3 * math.pi * long * short * peak_pressure(contact, FORCE)
    assert volume == pytest.approx(FORCE, rel=1e-13)
    assert mean_pressure(contact, FORCE) * math.pi * long * short == pytest.approx(FORCE)


@pytest.mark.parametrize("theory", THEORIES)
def test_load_deflection_has_the_three_halves_power_and_its_inverse(theory):
    contact = ball_in_track(8.731e-3, 8.9e-3, MODULUS)
    stiffness = contact_stiffness(contact, theory)
    for approach in (1e-9, 1e-6, 5e-5):
        force = contact_force(contact, approach, theory)
        assert force == pytest.approx(stiffness * approach**1.5, rel=1e-14)
        assert contact_approach(contact, force, theory) == pytest.approx(approach, rel=1e-14)
        assert power(approach, stiffness, 1.5)[0] == pytest.approx(force, rel=1e-13)
    eightfold = peak_pressure(contact, 8 * FORCE, theory)
    assert eightfold == pytest.approx(2 * peak_pressure(contact, FORCE, theory), rel=1e-13)


def test_an_open_contact_carries_nothing():
    contact = ball_in_track(8.731e-3, 8.9e-3, MODULUS)
    assert contact_force(contact, -1e-6) == 0
    assert contact_approach(contact, 0.0) == 0
    assert semi_axes(contact, 0.0) == (0, 0)
    assert peak_pressure(contact, -1.0) == 0


def test_towards_a_line_contact():
    """The middle of a long ellipse is the line contact of its local load: error ~ ln(k)/k²."""
    for ratio in (1e3, 1e6, 1e9):
        contact = EllipticContact(100.0 / ratio, 100.0, MODULUS)
        k = contact.shape().ellipticity
        _, short = semi_axes(contact, FORCE)
        per_length = 0.5 * math.pi * short * peak_pressure(contact, FORCE)
        line = half_width(per_length, 1.0, 0.01, MODULUS)
        assert abs(short / line - 1) < math.log(4 * k) / k**2
    assert k > 1e5


def test_ellipticity_solves_its_equation_from_round_to_line():
    for ratio in (1.0, 1 + 1e-13, 1 + 1e-9, 1.001, 2.0, 30.0, 1e4, LARGEST_RATIO):
        assert curvature_ratio_of(exact_ellipticity(ratio)) == pytest.approx(ratio, rel=1e-14)
    for k in (1.2, 3.0, 40.0):
        m = 1 - k**-2
        textbook = (k**2 * ellipe(m) - ellipk(m)) / (ellipk(m) - ellipe(m))
        assert curvature_ratio_of(k) == pytest.approx(textbook, rel=1e-12)


def test_nearly_round_is_two_thirds_power():
    """k = λ^(2/3) (Greenwood 1985), from where the solver begins to where it has left it."""
    for small in (1e-11, 0.9999e-10, 1.0001e-10, 1e-6):
        assert math.log(exact_ellipticity(1 + small)) == pytest.approx(
            2 / 3 * math.log1p(small), rel=1e-5
        )


def test_harris_table_of_ellipticities():
    """63 printed numbers; one is not a rounding: δ* at F(ρ) = 0.4795, where k = 2.

    There K(3/4) = 2.156516 and E(3/4) = 1.211056 (Abramowitz and Stegun, table 17.1) decide.
    """
    misses = list(validation.harris_misses())
    assert [miss[:3] for miss in misses] == [("0.4795", "δ*", "0.9429")]
    by_hand = 2 * 2.156516 / math.pi * (math.pi / (8 * 1.211056)) ** (1 / 3)
    assert misses[0][3] == pytest.approx(by_hand, rel=2e-5)


REFERENCE = {
    1.01: (6.55, 6.94, 6.98, 6.6, 0.36, 2.40),
    1.02: (5.06, 5.21, 5.22, 5.0, 0.41, 2.75),
    1.05: (3.66, 3.68, 3.65, 3.5, 0.49, 3.31),
    1.10: (2.93, 2.91, 2.86, 2.7, 0.56, 3.83),
}
"""K exact, 1977, 1983 in 1e10 N/m^1.5; a, b in mm and p0 in GPa at 12 kN, E = 210 GPa."""


@pytest.mark.parametrize("conformity", REFERENCE)
def test_ball_of_17_mm_in_its_track(conformity):
    """The reference joint, to the digits printed; 5.21 stands there as 5.22 (it is 5.2146)."""
    contact = validation.track(conformity)
    old, new = "brewe-hamrock-1977", "hamrock-brewe-1983"
    found = [1e-10 * contact_stiffness(contact, theory) for theory in ("exact", old, new)]
    long, short = semi_axes(contact, 12e3)
    found += [1e3 * long, 1e3 * short, 1e-9 * peak_pressure(contact, 12e3)]
    digits = (2, 2, 2, 1, 2, 2)
    rounded = tuple(round(x, n) for x, n in zip(found, digits, strict=True))
    assert rounded == REFERENCE[conformity]


def test_stiffness_of_the_paper_needs_a_track_without_play():
    """3e11 N/m^1.5 wants a conformity of 1.00023, and an ellipse three times as long as the ball
    is thick at 12 kN."""
    assert validation.needed_excess(3e11, "exact") == pytest.approx(2.3e-4, rel=0.02)
    long, _ = semi_axes(validation.track(1.00023), 12e3)
    assert long > 3 * validation.BALL_RADIUS


def test_how_far_the_approximations_may_be_trusted():
    """Worst error of K for λ up to 30: 3.9 % (1983) and 8.7 % (1977, all of it near λ = 1)."""
    worst = dict.fromkeys(THEORIES[1:], 0.0)
    for ratio in np.geomspace(1, 30, 100):
        contact = EllipticContact(1.0, float(ratio), 1.0)
        for theory in worst:
            off = contact_stiffness(contact, theory) / contact_stiffness(contact) - 1
            worst[theory] = max(worst[theory], abs(off))
    assert worst["hamrock-brewe-1983"] == pytest.approx(0.039, abs=5e-4)
    assert worst["brewe-hamrock-1977"] == pytest.approx(0.087, abs=5e-4)


def test_the_page_holds_the_tables_the_script_prints():
    page = (ROOT / "docs/theory/elliptic_contact.md").read_text(encoding="utf-8")
    missing = [line for table in validation.tables() for line in table if line not in page]
    assert not missing


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: plane_contact((100.0, 100.0), (-110.0, 0.0)), "must be positive"),
        (lambda: plane_contact((100.0, -50.0), (0.0, 0.0)), "must be positive"),
        (lambda: plane_contact((-10.0, -10.0), (0.0, 0.0)), "must be positive"),
        (lambda: plane_contact((100.0, 0.0), (50.0, 0.0)), "line contact"),
        (lambda: plane_contact((math.nan, 1.0), (0.0, 0.0)), "must be positive"),
        (lambda: EllipticContact(2.0, 1.0, MODULUS), "in this order"),
        (lambda: EllipticContact(1.0, 1.0, 0.0), "contact modulus"),
        (lambda: ball_in_track(8e-3, 8e-3, MODULUS), "wider than the ball"),
        (lambda: ball_in_track(-8e-3, 9e-3, MODULUS), "wider than the ball"),
        (lambda: ellipse_shape(0.5), "larger over the smaller"),
        (lambda: ellipse_shape(2.0, "hamrock-brewe"), "did you mean 'hamrock-brewe-1983'"),
    ],
)
def test_what_is_no_point_contact_is_refused_in_one_sentence(make, words):
    with pytest.raises(ValueError, match=words) as refusal:
        make()
    assert "\n" not in str(refusal.value)


def test_a_ball_on_a_plane_is_a_track_of_infinite_radius():
    assert contact_stiffness(ball_in_track(RADIUS, math.inf, MODULUS)) == pytest.approx(
        4 / 3 * MODULUS * math.sqrt(RADIUS), rel=1e-14
    )
