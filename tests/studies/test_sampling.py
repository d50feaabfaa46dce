"""Samples are the same wherever they are drawn, and meet what they are drawn from."""

import hashlib
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import flank
from flank.errors import SpecError
from flank.studies.sampling import make_plan, uniform
from flank.studies.spec import StudySpec
from flank.studies.variables import find_variables


@pytest.fixture(scope="module")
def spec():
    return flank.preset("cycloidal-drive").spec


def plan_of(spec, varies, folder=Path(), **more):
    study = StudySpec.from_mapping(
        {"machine": "x", "varies": varies, "asks": {"hysteresis": {}}, **more}
    )
    return make_plan(study, find_variables(study, spec, folder))


MIXED = {
    "errors.pin_radial": {"distribution": "normal", "deviation": "2 um", "share": 0.4},
    "errors.pin_tangential.3": {"distribution": "triangular"},
    "eccentricity": {"low": "1.2 mm", "high": "1.4 mm"},
    "pins.count": {"distribution": "discrete", "values": [40, 41]},
}


@pytest.mark.parametrize("sampling", ["random", "latin-hypercube", "sobol", "sobol-indices"])
def test_a_sample_is_the_same_in_every_chunk(spec, sampling):
    plan = plan_of(spec, MIXED, sampling=sampling, samples=64)
    whole = plan.values(0, plan.samples)
    for first, count in ((0, 1), (1, 7), (13, 20), (plan.samples - 1, 1)):
        np.testing.assert_array_equal(plan.values(first, count), whole[first : first + count])


def test_a_random_sample_hangs_on_seed_name_and_number_alone(spec):
    few = plan_of(spec, {"eccentricity": MIXED["eccentricity"]}, samples=3, seed=5)
    many = plan_of(spec, MIXED, samples=1000, seed=5)
    column = [place.name for place in many.variables.places].index("eccentricity")
    np.testing.assert_array_equal(few.values(0, 3)[:, 0], many.values(0, 3)[:, column])
    other = plan_of(spec, MIXED, samples=1000, seed=6)
    assert not np.any(other.values(0, 3)[:, column] == many.values(0, 3)[:, column])


def philox(counter, key):
    """The first word of Philox4x64-10, after Salmon and others (2011)."""
    words, keys, mask = [counter, 0, 0, 0], list(key), 2**64 - 1
    for _ in range(10):
        a, b = 0xD2E7470EE14C6C93 * words[0], 0xCA5A826395121157 * words[2]
        words = [(b >> 64) ^ words[1] ^ keys[0], b & mask, (a >> 64) ^ words[3] ^ keys[1], a & mask]
        keys = [(keys[0] + 0x9E3779B97F4A7C15) & mask, (keys[1] + 0xBB67AE8584CAA73B) & mask]
    return words[0]


def test_numbers_are_those_of_the_published_generator():
    """So they never change, on no machine and in no version: keyed by seed and name, the number of
    a sample as its counter, which begins at one."""
    digest = hashlib.sha256(b"1:errors.pin_radius.1").digest()
    key = [int.from_bytes(digest[k : k + 8], "little") for k in (0, 8)]
    expected = [((philox(number + 1, key) >> 12) + 0.5) / 2**52 for number in (4711, 4712)]
    assert list(uniform(1, "errors.pin_radius.1", 4711, 2)) == expected


@pytest.mark.parametrize(
    ("given", "theirs"),
    [
        ({"distribution": "normal", "deviation": "2 um"}, stats.norm(0, 2e-6)),
        (
            {
                "distribution": "truncated-normal",
                "deviation": "2 um",
                "low": "-3 um",
                "high": "1 um",
            },
            stats.truncnorm(-1.5, 0.5, 0, 2e-6),
        ),
        ({"low": "-3 um", "high": "1 um"}, stats.uniform(-3e-6, 4e-6)),
        (
            {"distribution": "triangular", "low": "-3 um", "high": "1 um", "mode": "0 um"},
            stats.triang(0.75, -3e-6, 4e-6),
        ),
    ],
    ids=["normal", "truncated", "uniform", "triangular"],
)
@pytest.mark.parametrize("share", [0.0, 0.6])
def test_draws_meet_their_distribution(spec, given, theirs, share):
    """Kolmogorov and Smirnov at a fixed seed: of every pin by itself, whatever parts share."""
    plan = plan_of(spec, {"errors.pin_radial": {**given, "share": share}}, samples=4000, seed=3)
    values = plan.values(0, 4000)
    chances = [stats.kstest(values[:, k], theirs.cdf).pvalue for k in (0, 7, 39)]
    assert min(chances) > 0.01


def test_parts_of_a_batch_correlate_by_their_share(spec):
    varies = {"errors.pin_radial": {"distribution": "normal", "share": 0.36}}
    values = plan_of(spec, varies, samples=20_000).values(0, 20_000)
    together = np.corrcoef(values[:, :6].T)[np.triu_indices(6, 1)]
    np.testing.assert_allclose(together, 0.36, atol=0.03)  # four deviations of an estimate


def test_batches_may_be_those_of_a_part():
    spec = flank.preset("rv-320").spec
    name = next(k for k, kind in spec.error_kinds.items() if len(kind.over) == 2)
    over = spec.error_kinds[name].over
    varies = {f"errors.{name}": {"distribution": "normal", "share": 1, "within": over[0]}}
    plan = plan_of(spec, varies, samples=3)
    values = plan.values(0, 3).reshape(3, *spec.error_kinds[name].shape(spec.counts))
    assert np.ptp(values, axis=2).max() == 0.0
    assert len(np.unique(values[0, :, 0])) == spec.counts[over[0]]


def test_a_latin_hypercube_has_one_sample_in_every_slice(spec):
    plan = plan_of(spec, MIXED, sampling="latin-hypercube", samples=50)
    slices = np.sort(np.floor(plan.uniform(0, 50) * 50), axis=0)
    np.testing.assert_array_equal(slices, np.tile(np.arange(50.0)[:, None], slices.shape[1]))


def test_sobol_points_are_more_even_than_random_ones(spec):
    varies = {
        k: {"low": "-1 um", "high": "1 um"} for k in ("errors.pin_radial.1", "errors.pin_radial.2")
    }
    misses = {
        sampling: stats.qmc.discrepancy(
            plan_of(spec, varies, sampling=sampling, samples=256).uniform(0, 256)
        )
        for sampling in ("random", "sobol")
    }
    assert misses["sobol"] < 0.1 * misses["random"]


def test_rows_of_sobol_indices_exchange_one_entry_each(spec):
    plan = plan_of(spec, MIXED, sampling="sobol-indices", samples=8)
    assert plan.samples == 8 * (len(MIXED) + 2)
    owner = np.array(plan.variables.owner)
    rows = plan.uniform(0, plan.samples).reshape(8, len(MIXED) + 2, -1)
    for k in range(len(MIXED)):
        mixed, mine = rows[:, 2 + k], owner == k
        np.testing.assert_array_equal(mixed[:, mine], rows[:, 1][:, mine])
        np.testing.assert_array_equal(mixed[:, ~mine], rows[:, 0][:, ~mine])


def test_corners_are_all_combinations_of_ends(spec):
    varies = {
        "errors.pin_radial": {"low": "-1 um", "high": "2 um", "share": 1},
        "eccentricity": {"low": "1.2 mm", "high": "1.4 mm"},
    }
    plan = plan_of(spec, varies, sampling="corners")
    values = plan.values(0, 4)
    assert plan.samples == 4
    assert {(row[0], row[39], row[40]) for row in values} == {
        (r, r, e) for r in (-1e-6, 2e-6) for e in (1.2e-3, 1.4e-3)
    }


def test_a_grid_has_its_points_and_discrete_values(spec):
    varies = {
        "eccentricity": {"low": "1.2 mm", "high": "1.4 mm", "points": 3},
        "pins.count": {"distribution": "discrete", "values": [40, 42]},
    }
    values = plan_of(spec, varies, sampling="grid").values(0, 6)
    np.testing.assert_allclose(values[:, 0] * 1e3, [1.2, 1.2, 1.3, 1.3, 1.4, 1.4])
    assert list(values[:, 1]) == [40, 42] * 3


def test_too_many_corners_are_refused(spec):
    with pytest.raises(SpecError, match=r"corners of 40 numbers are 1.1e\+12 samples.*share: 1"):
        plan_of(spec, {"errors.pin_radial": {}}, sampling="corners")


def test_measured_values_come_from_a_column(spec, tmp_path):
    (tmp_path / "pins.csv").write_text("pin; radius\n1; 1.5\n2; -0.5\n3;\n")
    given = {"distribution": "measured", "file": "pins.csv", "column": "radius", "unit": "um"}
    values = plan_of(spec, {"errors.pin_radial": given}, tmp_path, samples=50).values(0, 50)
    assert set(np.unique(values)) == {1.5e-6, -0.5e-6}


def test_an_errors_default_is_its_tolerance(spec):
    tolerance = spec.tolerance("pin_radial")
    plan = plan_of(spec, {"errors.pin_radial": {}}, samples=1)
    assert plan.variables.entries[0].distribution.ends == (-tolerance, tolerance)
    plan = plan_of(spec, {"errors.pin_radial": {"distribution": "normal"}}, samples=1)
    assert plan.variables.entries[0].distribution.deviation == pytest.approx(tolerance / 3)
