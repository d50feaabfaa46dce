"""Figures that are known in closed form, through all of a study: draws, machines, store."""

import math

import numpy as np
import pytest
from scipy import stats
from studies_made import closed_form

from flank.studies.backends import Threads
from flank.studies.evaluation import Evaluation
from flank.studies.samples import BROKEN, COMPLETE, FAILED, REFUSED

THREE = ("pinion_thickness", "wheel_thickness", "centre_distance")


def evaluated(study, folder, threads=2):
    store = study.open(folder / "study.zarr")
    study.run(store, Threads(threads))
    return Evaluation(study, store)


def test_a_linear_figure_is_normal(tmp_path):
    """Σ w x of normal errors, some of them in a batch, has a normal distribution that is known."""
    weights = np.linspace(-1.0, 2.0, 40)
    data = {
        "machine": "cycloidal-drive",
        "varies": {
            "errors.pin_radial": {"distribution": "normal", "deviation": "2 um", "share": 0.25},
            "errors.pin_tangential.1": {"distribution": "normal", "deviation": "3 um"},
        },
        "limits": {"figure": {"at_most": "50 um"}},
        "samples": 600,
        "seed": 11,
    }
    study = closed_form(
        lambda errors: weights @ errors["pin_radial"] + 5 * errors["pin_tangential"][0],
        data,
        tmp_path,
    )
    evaluation = evaluated(study, tmp_path)
    batch = 0.25 * weights.sum() ** 2 + 0.75 * (weights**2).sum()
    deviation = math.sqrt(batch * 4e-12 + 25 * 9e-12)
    true = stats.norm(0.0, deviation)
    values = evaluation.values("closed-form.figure")
    assert len(values) == 600
    assert stats.kstest(values, true.cdf).pvalue > 0.01
    (reached,) = evaluation.yields()
    assert reached.share.low < true.cdf(50e-6) < reached.share.high
    quantile = evaluation.quantile("closed-form.figure", 0.95)
    assert quantile.low < true.ppf(0.95) < quantile.high
    radial, tangential = evaluation.drivers("closed-form.figure")
    assert radial.entry == "errors.pin_radial"
    assert radial.share.low < batch * 4e-12 / deviation**2 < radial.share.high
    assert tangential.share.low < 25 * 9e-12 / deviation**2 < tangential.share.high


def test_sobol_indices_of_ishigamis_function(tmp_path):
    """sin x1 + a sin² x2 + b x3⁴ sin x1, whose indices Ishigami and Homma give in closed form."""
    a, b = 7.0, 0.1

    def ishigami(errors):
        x, y, z = (float(errors[name]) * 1e6 for name in THREE)
        return (math.sin(x) + a * math.sin(y) ** 2 + b * z**4 * math.sin(x)) * 1e-6

    edge = {"low": f"{-math.pi} um", "high": f"{math.pi} um"}
    data = {
        "machine": "gear-pair",
        "varies": {f"errors.{name}": edge for name in THREE},
        "sampling": "sobol-indices",
        "samples": 256,
        "seed": 2,
    }
    evaluation = evaluated(closed_form(ishigami, data, tmp_path), tmp_path)
    indices = list(evaluation.indices("closed-form.figure").values())
    variance = a * a / 8 + b * math.pi**4 / 5 + b * b * math.pi**8 / 18 + 0.5
    first = [(1 + b * math.pi**4 / 5) ** 2 / 2, a * a / 8, 0.0]
    joint = b * b * math.pi**8 * (1 / 18 - 1 / 50)
    total = [first[0] + joint, first[1], joint]
    for index, one, all_of_it in zip(indices, first, total, strict=True):
        assert index.first.low <= one / variance <= index.first.high
        assert index.total.low <= all_of_it / variance <= index.total.high
        assert index.first.value == pytest.approx(one / variance, abs=0.1)
        assert index.total.value == pytest.approx(all_of_it / variance, abs=0.1)


def test_the_worst_have_in_common_what_makes_them_worst(tmp_path):
    data = {
        "machine": "cycloidal-drive",
        "varies": {"errors.pin_radial": {"distribution": "normal", "deviation": "1 um"}},
        "samples": 400,
        "limits": {"figure": {"at_least": "-100 um"}},
    }
    study = closed_form(
        lambda errors: errors["pin_radial"][6] - 0.5 * errors["pin_radial"][20], data, tmp_path
    )
    evaluation = evaluated(study, tmp_path)
    common = evaluation.common("closed-form.figure")
    assert [row.name for row in common] == ["errors.pin_radial.7", "errors.pin_radial.21"]
    assert common[0].shift < -1.0  # a limit from below makes small figures the worst
    assert common[1].shift > 0.5
    values = evaluation.values("closed-form.figure")
    assert values[evaluation.worst("closed-form.figure")[0]] == values.min()


def test_failed_samples_keep_status_and_sentence_and_count(tmp_path):
    def figure(errors):
        x = errors["pin_radial"][0]
        if x > 1.5e-6:
            raise ZeroDivisionError("nobody thought of this")
        return math.nan if x < -1.5e-6 else x

    data = {
        "machine": "cycloidal-drive",
        "varies": {
            "errors.pin_radial.1": {"low": "-2 um", "high": "2 um"},
            "eccentricity": {"low": "1.3 mm", "high": "400 mm"},
        },
        "samples": 40,
        "limits": {"figure": {"at_most": "1 um"}},
    }
    study = closed_form(figure, data, tmp_path)
    # Few eccentricities of so wide a range give a machine: most samples are refused.
    evaluation = evaluated(study, tmp_path)
    assert set(np.unique(evaluation.status)) <= {COMPLETE, FAILED, REFUSED, BROKEN}
    assert sum(evaluation.states.values()) == 40
    assert evaluation.states["refused"] > 20
    number, word, sentence = evaluation.store.failures()[0]
    assert word == "refused"
    assert "eccentricity" in sentence
    assert np.isnan(evaluation.store.values("closed-form.figure")[number])

    data["varies"].pop("eccentricity")
    evaluation = evaluated(closed_form(figure, data, tmp_path), tmp_path / "other")
    failures = {word: sentence for _, word, sentence in evaluation.store.failures(40)}
    assert failures == {
        "failed": "no number",
        "broken": "ZeroDivisionError: nobody thought of this",
    }
    (reached,) = evaluation.yields()
    assert reached.failed == evaluation.failed == 40 - evaluation.states["complete"]
    assert reached.known == evaluation.states["complete"]
