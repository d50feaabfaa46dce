"""Conjugacy: with the disc's centre at e·e^{ia} and its angle -a/z_c, every pin touches the flank.

Seen from the disc, pin k is at q = (R e^{2πik/z_p} - e e^{ia}) e^{ia/z_c}, which is the pin-centre
curve at t = 2πk/z_p + a/z_c; so the foot point is known in closed form.
"""

import math

import numpy as np

from flank.geometry.curve import evaluate

CRANK_ANGLES = np.linspace(0.0, 2 * math.pi, 181)


def pins_from_the_disc(profile, crank):
    pins = np.arange(profile.pins)
    ring = profile.pin_circle_radius * np.exp(2j * math.pi * pins / profile.pins)
    centre = profile.eccentricity * np.exp(1j * crank)
    seen = (ring - centre) * np.exp(1j * crank / profile.lobes)
    return seen, 2 * math.pi * pins / profile.pins + crank / profile.lobes


def test_gap_of_every_pin_is_zero_at_every_crank_angle(profile):
    """Gap 1.1e-16 m at most (set D), a unit of the last place of R; and the pin's centre lies on
    the normal of the closed-form foot point to 2.4e-16 m."""
    worst_gap = worst_along = 0.0
    for crank in CRANK_ANGLES:
        seen, t = pins_from_the_disc(profile, crank)
        x, y, tx, ty = evaluate(profile, t)[:, :4].T
        dx, dy = seen.real - x, seen.imag - y
        worst_gap = max(worst_gap, np.abs(dx * ty - dy * tx - profile.pin_radius).max())
        worst_along = max(worst_along, np.abs(dx * tx + dy * ty).max())
    assert worst_gap < 5e-16
    assert worst_along < 1e-15


def test_no_other_point_of_the_flank_is_nearer(profile):
    """The whole sampled profile stays outside every pin: |q - P| >= r."""
    profile_points = evaluate(profile, np.linspace(0.0, 2 * math.pi, 120 * profile.lobes + 1))
    curve = profile_points[:, 0] + 1j * profile_points[:, 1]
    for crank in CRANK_ANGLES[::12]:
        seen, _ = pins_from_the_disc(profile, crank)
        distance = np.abs(seen[:, None] - curve[None, :]).min(axis=1)
        assert distance.min() > profile.pin_radius - 2e-15


def test_turned_the_other_way_the_disc_cuts_the_pins(profile):
    """The sign of the disc's angle matters: with +a/z_c pins are cut by a tenth of e and more."""
    crank = 1.0
    ring = profile.pin_circle_radius * np.exp(2j * math.pi * np.arange(profile.pins) / profile.pins)
    seen = (ring - profile.eccentricity * np.exp(1j * crank)) * np.exp(-1j * crank / profile.lobes)
    points = evaluate(profile, np.linspace(0.0, 2 * math.pi, 120 * profile.lobes + 1))
    curve = points[:, 0] + 1j * points[:, 1]
    distance = np.abs(seen[:, None] - curve[None, :]).min(axis=1)
    assert distance.min() < profile.pin_radius - 0.1 * profile.eccentricity
