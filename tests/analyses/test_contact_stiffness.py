"""The analysis mesh-stiffness: stiffness of the contacts alone, over position and load."""

import math

import numpy as np
import pytest

import flank

LOADS = (0.2, 1.0, 2.0)


@pytest.fixture(scope="module")
def result():
    mesh = {"mesh.model": "fe", "mesh.slices": 1, "mesh.tip_edge_contact": False}
    return flank.run(flank.preset("spur-bruzzone", mesh), "mesh-stiffness", loads=LOADS, points=64)


def test_one_pair_gives_way_by_the_law_of_line_contact(result):
    """The contact of two equal cylinders has w = q c (ln(4 h1 h2/a²) - ν/(1 - ν)), c = 2 (1 - ν²)/
    (π E) and a² in proportion to q; so 1/k_c falls by c/b ln q, whatever depths and radii are."""
    stiffness = result["contact_stiffness"].values[0]
    share = result["tooth_share"].values[0].max(axis=2)
    alone = np.all(share > 0.999, axis=0)
    assert 10 < alone.sum() < 20
    expected = 2 * (1 - 0.3**2) / (math.pi * 207e9 * 20e-3) * math.log(2.0 / 0.2)
    found = 1 / stiffness[0] - 1 / stiffness[2]
    np.testing.assert_allclose(found[alone], expected, rtol=1e-9)


def test_two_pairs_of_contacts_are_about_twice_as_stiff(result):
    stiffness = result["contact_stiffness"].values[0, 1]
    assert stiffness.max() / stiffness.min() == pytest.approx(1.84, abs=0.05)
    whole = result["stiffness"].values[0, 1]
    assert np.all(stiffness > 3 * whole)


def test_harmonics_are_those_of_the_map(result):
    stiffness = result["contact_stiffness"].values[0]
    lines = result["harmonic_contact_stiffness"].values[0]
    np.testing.assert_allclose(lines[:, 0], stiffness.mean(axis=1))
    first = 2 * np.abs(np.exp(-2j * np.pi * np.arange(64) / 64) @ stiffness.T) / 64
    np.testing.assert_allclose(lines[:, 1], first)
    assert result["mean_contact_stiffness"].values[0] == pytest.approx(lines[1, 0])
