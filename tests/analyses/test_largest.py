"""The first of equals is named, whatever their last digits."""

import numpy as np
import pytest

from flank.arrays import first_largest


@pytest.mark.parametrize("off", [(0, 0, 0), (1, 0, -1), (-1, 0, 1), (-1, 1, 0)])
def test_equals_are_told_by_their_order(off):
    assert first_largest([3.0, *(5.0 * (1 + 1e-15 * np.array(off))), 4.9]) == 1


def test_along_an_axis():
    sizes = np.array([[1.0, 2.0], [3.0, 2.0 * (1 + 1e-15)]])
    assert first_largest(sizes, axis=0).tolist() == [1, 0]
