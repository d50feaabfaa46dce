"""Four published geometry sets, and the profile written a second time in numpy."""

import numpy as np
import pytest

from flank.geometry.cycloid import Cycloid

SETS = {
    "A": Cycloid(40, 64e-3, 3e-3, 1.3e-3),
    "B": Cycloid(40, 77.5e-3, 4e-3, 1.5e-3),
    "D": Cycloid(40, 119.5e-3, 5e-3, 2.2e-3),
    "H": Cycloid(14, 34e-3, 3.5e-3, 1.5e-3),
}


@pytest.fixture(scope="session")
def sets():
    return SETS


@pytest.fixture(scope="session", params=SETS)
def profile(request):
    """Each of the sets in turn."""
    return SETS[request.param]


@pytest.fixture(scope="session")
def coordinates():
    """x(t), y(t) of a profile for real or complex t, so that a complex step differentiates them."""

    def evaluate(profile, t):
        zp, e = profile.pins, profile.eccentricity
        radius = profile.pin_circle_radius - profile.radial
        offset = profile.pin_radius + profile.equidistant
        k1 = e * zp / radius
        root = np.sqrt(1 + k1**2 - 2 * k1 * np.cos((zp - 1) * t))
        a, b = t + profile.angular, zp * t + profile.angular
        x = radius * np.cos(a) - e * np.cos(b) - offset * (np.cos(a) - k1 * np.cos(b)) / root
        y = radius * np.sin(a) - e * np.sin(b) - offset * (np.sin(a) - k1 * np.sin(b)) / root
        return x, y

    return evaluate
