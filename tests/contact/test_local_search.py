"""The local search finds a foot point nearby by itself; the samples are for the others."""

import math

import numpy as np
import pytest

from flank.contact.gaps import local_search
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


@pytest.mark.parametrize("name", ["A", "B", "D", "H"])
@pytest.mark.parametrize("off", [0.0, 0.02, 0.1, 0.2])
def test_pins_on_the_flank_need_no_search_of_the_samples(profiles, name, off):
    """Started a part of a lobe off, as a step of a run leaves it."""
    profile = profiles[name]
    rng = np.random.default_rng(4)
    t = rng.uniform(0, 2 * math.pi, COUNT)
    x, y, tx, ty = evaluate(profile, t)[:, :4].T
    points = np.column_stack((x + profile.pin_radius * ty, y - profile.pin_radius * tx))
    starts = t + off * 2 * math.pi / profile.lobes * rng.choice([-1.0, 1.0], COUNT)
    farthest = profile.pin_radius + reach(profile, profile.pin_radius)
    table = pack_curves([profile])
    assert _count_settled(*table, points, farthest, starts) == COUNT
