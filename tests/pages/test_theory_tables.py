"""Tables of theory pages that a script prints are what it prints now."""

from pathlib import Path

import bracing
import hole_walls
import pytest

THEORY = Path(__file__).parents[2] / "docs" / "theory"


@pytest.fixture(scope="module")
def reducer():
    return (THEORY / "rv_reducer.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "seed", [None, 1, *(pytest.param(seed, marks=pytest.mark.nightly) for seed in range(2, 7))]
)
def test_loops_of_braced_reducers(reducer, seed):
    assert bracing.row(seed) in reducer


@pytest.mark.nightly
def test_stiffness_by_the_form_of_the_disc(reducer):
    for line in hole_walls.wall_table():
        assert line in reducer
