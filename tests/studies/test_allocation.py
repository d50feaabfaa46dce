"""Tolerance allocation: the cheapest grades that keep a yield, found by a map, proved exactly."""

import itertools

import numpy as np
import pytest
from scipy import stats
from studies_made import PINS

import flank
from flank.errors import SpecError
from flank.studies.allocation import Grade, GradeMap, Search, find_grades, needed_share
from flank.studies.spec import StudySpec
from flank.studies.statistics import proportion
from flank.studies.study import Limit

GRADES = {
    "errors.pin_radius": [{"tolerance": "1 um", "cost": 9}, {"tolerance": "6 um", "cost": 2}],
    "errors.equidistant": [{"tolerance": "1 um", "cost": 7}, {"tolerance": "8 um", "cost": 1}],
}
ALLOCATION = {
    **PINS,
    "varies": {"errors.pin_radius": {"distribution": "normal"}, "errors.equidistant": {}},
    "samples": 60,
    "chunk": 20,
    "limits": {"lost_motion": {"at_most": "1.3 arcmin"}},
    "allocate": {"at_least": 0.8, "pilot": 60, "grades": GRADES},
}


def test_the_search_finds_what_trying_everything_finds():
    """Of a figure that is the sum of normal numbers, whose yield is known in closed form."""
    generator = np.random.default_rng(1)
    grades = {
        name: [Grade(t, c) for t, c in zip((0.2, 0.5, 1.0), costs, strict=True)]
        for name, costs in (("a", (9, 4, 1)), ("b", (7, 3, 2)), ("c", (8, 5, 1)))
    }
    slopes = {"a": 1.0, "b": 0.5, "c": 0.7}
    draws = generator.normal(size=(3, 20_000))
    spread = {name: slopes[name] * row[None, :] for name, row in zip(grades, draws, strict=True)}
    shift = {name: np.full((1, 20_000), 0.1) for name in grades}
    nothing = np.zeros((1, 20_000))
    limit = Limit("y", -np.inf, 2.0)
    none = {name: np.zeros(1) for name in grades}
    made = GradeMap(
        [limit], ["y"], np.zeros(1), spread, shift, nothing, nothing, np.zeros(1), none, {}
    )
    known = {}
    for numbers in itertools.product(range(3), repeat=3):
        chosen = dict(zip(grades, numbers, strict=True))
        ratios = {name: grades[name][k].tolerance for name, k in chosen.items()}
        size = np.sqrt(sum((slopes[name] * ratio) ** 2 for name, ratio in ratios.items()))
        share = stats.norm.cdf((2.0 - sum(0.1 * r**2 for r in ratios.values())) / size)
        cost = sum(grades[name][k].cost for name, k in chosen.items())
        known[numbers] = cost, share
    search = Search(grades, made)
    ordered = np.sort([share for _, share in known.values()])
    gaps = np.flatnonzero(np.diff(ordered) > 0.01)
    assert len(gaps) >= 3
    for needed in 0.5 * (ordered[gaps] + ordered[gaps + 1]):  # draws tell those sides apart
        chosen, cost, share = search.cheapest(needed, 0.0, np.inf, [])
        best = min(cost for cost, share in known.values() if share >= needed)
        assert cost == best == known[tuple(chosen.values())][0]
        assert share == pytest.approx(known[tuple(chosen.values())][1], abs=0.01)
        following = search.cheapest(needed, 0.0, np.inf, [chosen])
        assert following is None or following[1] >= cost
    assert search.cheapest(0.93, 0.0, 0.0, []) is None
    assert search.cheapest(0.93, -6.0, np.inf, []) is None


@pytest.mark.parametrize(("at_least", "samples"), [(0.9, 100), (0.8, 37), (0.99, 1000)])
def test_the_share_that_proves_a_yield_is_the_least_that_does(at_least, samples):
    good = round(needed_share(at_least, samples, 0.95) * samples)
    assert proportion(good, samples, 0.95).low >= at_least
    assert proportion(good - 1, samples, 0.95).low < at_least


def test_a_grade_of_the_standard_is_a_tolerance():
    """Of pins 6 mm in diameter IT3 is 2.5 um wide, IT6 8 um, and a radius has a quarter of it."""
    graded = [{"tolerance": "IT6", "cost": 2}, {"tolerance": "IT3", "cost": 9}]
    data = {**ALLOCATION, "allocate": {"at_least": 0.8, "grades": {"errors.pin_radius": graded}}}
    machine = flank.preset("cycloidal-drive")
    found = find_grades(StudySpec.from_mapping(data), machine)
    tolerances = [each.tolerance for each in found["errors.pin_radius"]]
    assert tolerances == pytest.approx([0.625e-6, 2e-6])
    data["allocate"]["grades"] = {"errors.equidistant": graded}
    with pytest.raises(SpecError, match="no nominal size"):
        find_grades(StudySpec.from_mapping(data), machine)


def test_too_few_samples_are_refused_with_the_number_that_is_enough():
    with pytest.raises(SpecError, match=r"100 samples cannot prove a yield of 0.99.*samples: 368"):
        needed_share(0.99, 100, 0.95)
    assert needed_share(0.99, 368, 0.95) == 1.0


def test_grades_of_a_real_machine(tmp_path):
    """The cheapest that is proved; each trial is an ordinary study with the tolerances of its
    grades, and a second call computes nothing."""
    found = flank.allocate(ALLOCATION, tmp_path)
    assert found.combinations == 4
    assert found.proved is not None
    for trial in found.trials:
        study = trial.evaluation.study
        for name, number in trial.grades.items():
            entry = next(each for each in study.variables.entries if each.name == name)
            kind = name.removeprefix("errors.")
            assert study.machine.spec.tolerance(kind) == found.grades[name][number].tolerance
            assert entry.distribution.deviation < found.grades[name][number].tolerance
        assert trial.verified == trial.evaluation.yields()[-1].share
        assert trial.verified.low < 0.8 or trial.cost >= found.proved.cost
    paces = []
    again = flank.allocate(ALLOCATION, tmp_path, tell=paces.append)
    assert paces == []
    assert [trial[:4] for trial in again.trials] == [trial[:4] for trial in found.trials]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"allocate": None}, "allocate is missing"),
        ({"limits": {}}, "limits is empty; a yield needs"),
        ({"sampling": "sobol"}, "grades are found with random samples"),
        (
            {
                "allocate": {
                    "at_least": 0.8,
                    "grades": {"errors.pin_radus": GRADES["errors.pin_radius"]},
                }
            },
            "did you mean 'errors.pin_radius'",
        ),
        (
            {
                "varies": {
                    **ALLOCATION["varies"],
                    "errors.pin_radius": {"high": "2 um", "low": "0 um"},
                }
            },
            "its low and high would not follow the grade",
        ),
        (
            {
                "allocate": {
                    "at_least": 0.8,
                    "grades": {"errors.pin_radius": GRADES["errors.pin_radius"][:1]},
                }
            },
            "give at least two grades",
        ),
        (
            {
                "allocate": {
                    "at_least": 0.8,
                    "grades": {"errors.pin_radius": [{"tolerance": "2 N", "cost": 1}]},
                }
            },
            "length",
        ),
    ],
    ids=lambda value: "",
)
def test_what_is_refused(changes, words, tmp_path):
    with pytest.raises(SpecError, match=words):
        flank.allocate({**ALLOCATION, **changes}, tmp_path)
    assert list(tmp_path.iterdir()) == []
