"""What a GPU is told of samples, what is read of their loops, and what it does not take."""

from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import flank
from flank.analyses import hysteresis
from flank.analyses.hysteresis import HysteresisSettings, five_stages
from flank.dynamics.ensemble import Varied, deviate, varied_tables
from flank.dynamics.functions import constant
from flank.errors import SpecError
from flank.machines.base import Drive
from flank.studies.cuda import Check, Cuda
from flank.studies.deviations import evaluate, find_deviations
from flank.studies.gpu import find_gpu
from flank.studies.loop_figures import LoopFigures, PathReadings
from flank.studies.samples import COMPLETE, FAILED, Outcome
from flank.studies.spec import StudySpec
from flank.studies.study import make_study

ECCENTRICS = ("errors.eccentricity", "errors.eccentric_phase", "errors.equidistant")
HOLES = ("errors.hole_radius.1/1", "errors.roller_radius.1", "errors.hole_tangential.1/1")


def made(machine, varies, asks=None):
    given = {"machine": "cycloidal-drive", "varies": {key: {} for key in varies}, "samples": 4}
    given["asks"] = asks or {"hysteresis": {"points_per_stage": 5}}
    return make_study(StudySpec.from_mapping(given), machine, Path("."))


@pytest.fixture(scope="module")
def machine():
    return flank.preset("cycloidal-drive")


@pytest.fixture(scope="module")
def drive(machine):
    return Drive.of_ends(constant(0.3), five_stages(machine.rated_torque, 1.0))


def test_polynomials_of_errors_make_the_machine_that_is_assembled(machine, drive):
    variables = made(machine, ECCENTRICS + HOLES).variables
    nominal = find_deviations(machine, variables, drive, 0.3)
    values = nominal.deviations.spans * np.random.default_rng(5).uniform(-1, 1, 9)
    places = [(place.kind, place.index) for place in variables.places]
    with_errors = replace(machine, extra=dict(zip(places, values.tolist(), strict=True)))
    model = with_errors.assemble(drive).model
    expected = varied_tables(model, with_errors.ideal_pose(0.3))
    sample = Varied(*map(np.zeros_like, nominal.varied))
    deviate(nominal.varied, nominal.deviations, values, sample)
    changes = evaluate(nominal.deviations, values[None, :])[:, 0]
    moved = 0
    for table, row, word, *_ in nominal.deviations.entries:
        aside = "reach" if table == 0 else "sample_spacing" if table == 1 else None
        fields = (model.contacts, model.curves)[table].dtype.names if table < 2 else ()
        if aside is None or fields[word] != aside:
            np.testing.assert_allclose(
                sample[table][row, word], expected[table][row, word], rtol=1e-12, atol=1e-19
            )
            moved += 1
    assert moved > 10
    assert np.abs(changes).max() > 1e-7
    for table, words in enumerate(sample):  # what no error moves is as it was, whole numbers too
        still = np.ones(words.shape, dtype=bool)
        mine = nominal.deviations.entries[nominal.deviations.entries[:, 0] == table]
        still[mine[:, 1], mine[:, 2]] = False
        np.testing.assert_array_equal(
            words.view(np.int64)[still], np.asarray(expected[table]).view(np.int64)[still]
        )


def test_figures_of_many_loops_are_those_of_each(machine):
    settings = HysteresisSettings(points_per_stage=8)
    machine = flank.preset("rv-320")
    result = flank.run(machine, "hysteresis", points_per_stage=8)
    assembly, run, _ = hysteresis._solve_loop(machine, settings, machine.rated_torque, True)
    contacts = run.contact_results
    force, curvature = contacts["normal_force"], contacts["curvature"]
    readings = PathReadings(
        run.angle(assembly.output_shaft)[:, None].repeat(2, axis=1),
        contacts["friction_work"].sum(axis=1)[:, None].repeat(2, axis=1),
        force.max(axis=0)[:, None].repeat(2, axis=1),
        (force * curvature).max(axis=0)[:, None].repeat(2, axis=1),
    )
    figures = LoopFigures(machine, assembly, settings).read(readings)
    assert set(figures) == {figure.name for figure in result.figures()}
    for figure in result.figures():
        np.testing.assert_allclose(figures[figure.name], figure.value, rtol=1e-9)


def test_a_check_finds_the_largest_difference_and_other_endings():
    check = Check()
    ours = Outcome(figures={"hysteresis.lost_motion": 1.0, "hysteresis.loop_work": 3e-9})
    theirs = Outcome(figures={"hysteresis.lost_motion": 1.0 + 1e-6, "hysteresis.loop_work": 1e-9})
    check.add(0, ours, theirs, {"lost_motion": 2.0, "loop_work": 1.0})
    assert check.largest == pytest.approx(5e-7)
    assert "1 samples" in check.sentence
    assert "lost_motion" in check.sentence
    check.add(1000, ours, Outcome(FAILED), {})
    assert check.differing == [1000]
    assert "do not rely" in check.sentence
    assert ours.status == COMPLETE


@pytest.mark.parametrize(
    ("varies", "asks", "words"),
    [
        (HOLES, {"transmission-error": {}}, "cuda computes static loops, and transmission-error"),
        (HOLES, {"hysteresis": {"mode": "dynamic"}}, "cuda computes static loops, and hysteresis"),
    ],
)
def test_what_a_gpu_does_not_take_is_refused_in_one_sentence(machine, varies, asks, words):
    study = made(machine, varies, asks)
    with pytest.raises(SpecError, match=words) as refused:
        list(Cuda().run(study.sampler, [], print))
    assert len(refused.value.problems) == 1


def test_numbers_other_than_errors_are_refused(machine, drive):
    given = {"distribution": "uniform", "low": 0.01, "high": 0.02}
    study = StudySpec.from_mapping(
        {
            "machine": "cycloidal-drive",
            "varies": {"friction.pins": given},
            "asks": {"hysteresis": {}},
            "samples": 4,
        }
    )
    variables = make_study(study, machine, Path(".")).variables
    with pytest.raises(SpecError, match=r"cuda varies errors only, and friction\.pins"):
        find_deviations(machine, variables, drive, 0.0)


def test_no_gpu_is_told_in_one_sentence():
    if find_spec("numba_cuda") is not None and import_module("numba.cuda").is_available():
        pytest.skip("this machine has a GPU")
    with pytest.raises(SpecError, match=r"cuda needs .*use threads") as refused:
        find_gpu()
    assert len(refused.value.problems) == 1
