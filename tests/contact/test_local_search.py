"""The local search finds a foot point nearby by itself; the samples are for the others."""

import math

import numpy as np
import pytest

from flank.contact.kinds.smooth_curve import local_search
from flank.geometry.curve import evaluate, pack_curves, reach
from flank.kernel import kernel

COUNT = 2000


@kernel
def _count_settled(rows, data, points, farthest, starts):
    settled = 0
    for i in range(points.shape[0]):
        _found, nearest = local_search(
            rows[0], data, points[i, 0], points[i, 1], farthest, starts[i]
        )
        if nearest:
            settled += 1
    return settled


def settled(profile, lobes_off):
    """How many of COUNT pins that touch the flank are found from starts so many lobes off."""
    rng = np.random.default_rng(4)
    t = rng.uniform(0, 2 * math.pi, COUNT)
    x, y, tx, ty = evaluate(profile, t)[:, :4].T
    points = np.column_stack((x + profile.pin_radius * ty, y - profile.pin_radius * tx))
    starts = t + lobes_off * 2 * math.pi / profile.lobes * rng.choice([-1.0, 1.0], COUNT)
    farthest = profile.pin_radius + reach(profile, profile.pin_radius)
    return _count_settled(*pack_curves([profile]), points, farthest, starts)


@pytest.mark.parametrize("name", ["B", "D", "H"])
@pytest.mark.parametrize("lobes_off", [0.0, 0.1, 1.0, 2.0])
def test_pins_on_the_flank_need_no_search_of_the_samples(profiles, name, lobes_off):
    """Short steps walk downhill over two lobes; long ones land on a lobe that is not the pin's."""
    assert settled(profiles[name], lobes_off) == COUNT


def test_a_start_far_away_is_given_up(profiles):
    """Sixty steps of four samples are five lobes: beyond, looking at all samples is quicker."""
    assert settled(profiles["B"], 4.5) == COUNT
    assert settled(profiles["B"], 7.0) == 0
