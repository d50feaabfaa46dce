"""Assisted studies: the linear map without bias, intervals that hold, and what they spare."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats
from studies_made import PINS, closed_form, files_of

import flank
from flank.api import check_study
from flank.errors import SpecError
from flank.studies.assisted import assistance, run_study
from flank.studies.backends import Chunk, Threads
from flank.studies.evaluation import Evaluation
from flank.studies.linear_map import FOLDS, fit_map, folds_of
from flank.studies.samples import COMPLETE, FAILED, MAPPED
from flank.studies.statistics import proportion, two_phase_mean, two_phase_share
from flank.studies.store import Quantity

STUDIES, SAMPLES, EXACT = 100, 1000, 150
UM = 1e-6
FIGURE = "closed-form.figure"
NORMAL = {
    "machine": "gear-pair",
    "varies": {
        f"errors.{kind}": {"distribution": "normal", "deviation": "2 um"}
        for kind in ("pinion_thickness", "wheel_thickness", "centre_distance")
    },
    "samples": 2000,
    "chunk": 20,
    "method": "assisted",
    "exact": 200,
}


def curved(first, second, third):
    return first + 0.6 * second - 0.3 * third + 0.02 * (second**2 / UM)


def curved_figure(errors):
    kinds = ("pinion_thickness", "wheel_thickness", "centre_distance")
    return curved(*(float(errors[kind]) for kind in kinds))


class Table:
    """A store of one figure in memory."""

    def __init__(self, figures, exact, failed, chunk=10):
        self.figures, self.exact, self.failed = figures, exact, failed
        self.group = SimpleNamespace(attrs={})
        self.manifest = {"chunk": chunk}
        self.quantities = {FIGURE: Quantity(FIGURE, "Figure", "m", "um")}
        self.chosen = np.zeros(len(figures), dtype=bool)

    def status(self):
        known = self.chosen | (np.arange(len(self.figures)) < self.exact)
        return np.where(known, np.where(self.failed, FAILED, COMPLETE), MAPPED)

    def values(self, name):
        return np.where(self.status() == COMPLETE, self.figures, np.nan)


def of_draws(curved, failing):
    """A figure of three normal numbers, and which samples fail: those beyond a number."""

    def answer(values):
        figure = values @ [1.0, 0.6, -0.3] + curved * (values[:, 1] ** 2 / (2 * UM) - UM)
        return figure, values[:, 0] > failing

    return answer


def small_study(tmp_path_factory, limit):
    limits = {"figure": {"at_most": f"{limit / UM} um"}}
    data = {**NORMAL, "samples": SAMPLES, "exact": EXACT, "limits": limits}
    return closed_form(lambda errors: 0.0, data, tmp_path_factory.mktemp("none"))


def truth(answer, limit):
    """Mean, deviation, 90 % quantile and yield of a million samples that complete."""
    values = np.random.default_rng(5).normal(0.0, 2 * UM, (1_000_000, 3))
    figure, failed = answer(values)
    figure = figure[~failed]
    return figure.mean(), figure.std(), np.quantile(figure, 0.9), np.mean(figure <= limit)


def binomial_band(count, share, chance=1e-3):
    return stats.binom.ppf(chance / 2, count, share), stats.binom.ppf(1 - chance / 2, count, share)


@pytest.mark.parametrize("correlation", [0.3, 0.9, 0.99])
def test_intervals_of_a_thousand_small_studies_hold(correlation):
    """A normal figure and a prediction that correlates with it, of 1,000 samples 100 are exact. Of
    means as often as they say, within the binomial band; of shares at least as often, as those of
    Clopper and Pearson."""
    generator, studies, held = np.random.default_rng(11), 1000, np.zeros(2)
    estimates = []
    for _ in range(studies):
        known = generator.normal(size=1000)
        noise = generator.normal(size=100)
        exact = correlation * known[:100] + np.sqrt(1 - correlation**2) * noise
        mean = two_phase_mean(exact, known[:100], known.mean(), 1000, 0.95)
        within, guess = (exact < 1.0).astype(float), (known < 1.0).astype(float)
        share = two_phase_share(within, guess[:100], guess.mean(), 1000, 0.95)
        held += [mean.low <= 0.0 <= mean.high, share.low <= stats.norm.cdf(1.0) <= share.high]
        estimates.append([mean.value, share.value])
    low, high = binomial_band(studies, 0.95)
    assert low <= held[0] <= high
    assert held[1] >= low
    away = np.mean(estimates, axis=0) - [0.0, stats.norm.cdf(1.0)]
    assert np.all(np.abs(away) < 3.9 * np.std(estimates, axis=0) / np.sqrt(studies))


@pytest.mark.parametrize(
    ("curved", "failing", "limit"),
    [(0.5, np.inf, 3.5 * UM), (0.3, 3 * UM, 2.5 * UM)],
    ids=["curved", "failing where it is large"],
)
def test_the_whole_way_holds_what_it_says(tmp_path_factory, curved, failing, limit):
    """The map fitted in folds, samples near the limit exact, some of them failing: the interval of
    the mean as often as it says, those of yield and quantile at least as often, and no bias."""
    study, answer = small_study(tmp_path_factory, limit), of_draws(curved, failing)
    mean, deviation, quantile, share = truth(answer, limit)
    held, estimates = np.zeros(3), []
    for seed in range(STUDIES):
        plan = replace(study.sampler.plan, seed=seed)
        each = replace(study, sampler=replace(study.sampler, plan=plan))
        figures, failed = answer(plan.values(0, SAMPLES))
        store = Table(figures, EXACT, failed)
        store.chosen = assistance(each, store).wanted(Chunk(0, 0, SAMPLES))
        assisted = assistance(each, store)
        found, good = assisted.mean(FIGURE), assisted.share(assisted.limits)
        held[:2] += [found.low <= mean <= found.high, good.low <= share <= good.high]
        if seed % 5 == 0:
            below = assisted.quantile(FIGURE, 0.9)
            held[2] += 5 * (below.low <= quantile <= below.high)
        estimates.append([found.value, assisted.deviation(FIGURE), good.value])
    low, high = binomial_band(STUDIES, 0.95)
    assert low <= held[0] <= high
    assert held[1] >= low
    assert held[2] >= low - 5
    spread = np.std(estimates, axis=0)
    away = np.abs(np.mean(estimates, axis=0) - [mean, deviation, share]) / spread
    assert np.all(away < [0.3, 0.5, 0.3])  # of the error of one study


def test_samples_near_a_limit_are_exact(tmp_path):
    """Their predictions lie within the band; far from the limit only the first ones are."""
    data = {**NORMAL, "limits": {"figure": {"at_most": "3.5 um"}}}
    study = closed_form(curved_figure, data, tmp_path)
    store = study.open(tmp_path / "study.zarr")
    run_study(study, store, Threads(1))
    evaluation, status = Evaluation(study, store), store.status()
    assisted = evaluation.assisted
    assert assisted is not None
    assert np.all(status[: assisted.exact] == COMPLETE)
    assert np.sum(status == COMPLETE) == assisted.computed < 0.5 * study.samples
    assert np.sum(status == MAPPED) == study.samples - assisted.computed
    values = study.sampler.plan.values(0, study.samples)
    figures = np.array([curved(*row) for row in values])
    close = np.abs(figures - 3.5 * UM) < 0.2 * UM
    assert close.sum() > 20
    assert np.all(status[close] == COMPLETE)
    (row,) = evaluation.yields()
    assert row.share.low <= np.mean(figures <= 3.5 * UM) <= row.share.high
    plain = proportion(row.share.value * assisted.computed, assisted.computed, 0.95)
    assert row.share.high - row.share.low < plain.high - plain.low
    assert evaluation.mean(FIGURE).low < figures.mean() < evaluation.mean(FIGURE).high
    assert evaluation.failed == 0


def test_a_map_that_tells_nothing_does_not_pay(tmp_path):
    """Then all samples are exact, and the evaluation is the plain one."""
    data = {**NORMAL, "samples": 200, "exact": 100}
    study = closed_form(lambda errors: abs(float(errors["centre_distance"])), data, tmp_path)
    store, said = study.open(tmp_path / "study.zarr"), []
    run_study(study, store, Threads(1), say=said.append)
    evaluation = Evaluation(study, store)
    assert "does not pay" in said[-1]
    assert evaluation.assisted is None
    assert evaluation.states == {"complete": 200}
    assert evaluation.mean(FIGURE).value == store.values(FIGURE).mean()


def test_other_limits_ask_for_other_samples_and_exact_for_all(tmp_path):
    data = {**NORMAL, "samples": 1500, "exact": 400, "limits": {"figure": {"at_most": "3.5 um"}}}
    folder = tmp_path / "study.zarr"

    def computed(changes):
        study = closed_form(curved_figure, {**data, **changes}, tmp_path)
        store = study.open(folder)
        before = store.status()
        run_study(study, store, Threads(1))
        now, known = store.status(), before == COMPLETE
        assert np.all(now[known] == COMPLETE)
        return int(np.sum(now == COMPLETE)) - int(known.sum()), store

    assert computed({})[0] > 400
    assert computed({})[0] == 0
    assert 0 < computed({"limits": {"figure": {"at_most": "1 um"}}})[0] < 700
    more, store = computed({"method": "exact", "exact": None})
    assert more > 0
    again = closed_form(curved_figure, {**data, "method": "exact", "exact": None}, tmp_path)
    undisturbed = again.open(tmp_path / "undisturbed.zarr")
    run_study(again, undisturbed, Threads(1))
    assert files_of(store.path) == files_of(undisturbed.path)


def test_the_map_of_a_linear_figure_is_exact():
    """Also where derivatives are in other units by many orders, and one is of nothing."""
    generator = np.random.default_rng(3)
    values = generator.normal(size=(60, 4)) * [1e-6, 2e-6, 1e-6, 0.0]
    slopes = np.array([[1e11, -2e11, 0.0, 0.0], [1.0, 2.0, -1.0, 0.0]])
    figures = values @ slopes.T + [5e6, 1e-3]
    made = fit_map(values, figures, np.vstack([slopes, np.zeros(4)]), folds_of(np.arange(60)))
    np.testing.assert_allclose(made.predict(values)[0].T, figures, rtol=1e-9)
    assert made.slopes.shape == (FOLDS, 2, 4)


def test_more_columns_than_samples_leave_derivatives_alone():
    generator = np.random.default_rng(4)
    values = generator.normal(size=(60, 200))
    slope = generator.normal(size=200)
    figures = (values @ slope)[:, None] + 3.0 * generator.normal(size=(60, 1))
    made = fit_map(values, figures, slope[None, :], folds_of(np.arange(60)))
    new = generator.normal(size=(500, 200))
    predicted = made.predict(new)[0, 0]
    assert np.corrcoef(predicted, new @ slope)[0, 1] > 0.98


def test_loops_of_a_real_machine(tmp_path):
    """Small errors of a cycloidal drive: 50 exact samples and the map tell the mean of all, nearly
    as surely as if all were exact."""
    data = {
        **PINS,
        "varies": {"errors.pin_radius": {"distribution": "normal", "deviation": "0.1 um"}},
        "samples": 200,
        "chunk": 25,
        "method": "assisted",
        "exact": 50,
    }
    evaluation, name = flank.study(data, tmp_path / "assisted"), "hysteresis.lost_motion"
    assert evaluation.states == {"complete": 200}  # backlash is not linear, so the map does not pay
    assert evaluation.map.correlation(name) > 0.95
    assert evaluation.map.gain_of_mean(name).factor > 2.0
    estimate, all_exact = evaluation.map.mean(name), evaluation.mean(name)
    assert estimate.low < all_exact.value < estimate.high
    half = 0.5 * (all_exact.high - all_exact.low)
    assert estimate.high - estimate.value < 1.5 * half  # of 50 alone it would be twice as wide


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"exact": 100}, "exact does nothing unless the method is assisted"),
        ({"method": "assisted", "sampling": "sobol"}, "needs random sampling"),
        ({"method": "asisted"}, "did you mean 'assisted'"),
        ({"method": "assisted", "exact": 3}, "a whole number from 50 to"),
    ],
    ids=lambda value: "",
)
def test_what_is_refused(changes, words):
    with pytest.raises(SpecError, match=words):
        check_study({**PINS, **changes})
