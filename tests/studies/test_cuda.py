"""What a GPU is told of samples, what is read of their loops, and what it does not take."""

import math
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from distributed import LocalCluster
from pretended_gpu import PretendedGpu, equilibria_of_library, read_in_python
from studies_made import files_of

import flank
from flank.analyses import hysteresis
from flank.analyses.hysteresis import (
    HysteresisSettings,
    dynamic_times,
    five_stages,
    record_stride,
)
from flank.api import check_study
from flank.cli.study import _differing
from flank.dynamics.ensemble import Varied, deviate, varied_tables
from flank.dynamics.functions import constant
from flank.errors import SpecError
from flank.machines.base import Drive
from flank.report.study import study_document
from flank.report.text import study_text
from flank.studies.backends import Chunk, Threads
from flank.studies.comparison import (
    BY_GPU,
    BY_GPU_COMPARED,
    BY_GPU_OTHERWISE,
    BY_PROCESSOR,
    FOR_GPU,
    Comparison,
    difference,
)
from flank.studies.cuda import Cuda, compared
from flank.studies.deviations import evaluate, find_deviations
from flank.studies.evaluation import Evaluation
from flank.studies.gpu import GpuPaths, find_gpu
from flank.studies.loop_figures import LoopFigures, PathReadings, figure_sizes
from flank.studies.samples import FAILED, Outcome
from flank.studies.spec import StudySpec
from flank.studies.store import Store
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


def test_a_pin_follows_its_own_place_and_that_of_its_circle(machine, drive):
    """Six errors at once, which none of them makes a polynomial beyond the second degree."""
    circle = [f"errors.pin_circle_{name}" for name in ("x", "y", "oval", "oval_diagonal")]
    varies = ("errors.pin_radial.2", "errors.pin_tangential.2", *circle)
    nominal = find_deviations(machine, made(machine, varies).variables, drive, 0.3)
    assert len(nominal.deviations.entries) > machine.spec.pins.count


def test_few_kinds_of_errors_are_known_as_well_as_all(machine, drive):
    """Of short polynomials few machines would be enough to tell the terms, but not to reach the
    ends of tolerances; a straight line has hardly a term more."""
    kinds = ("errors.pin_radial", "errors.hole_radius", "errors.eccentricity")
    find_deviations(machine, made(machine, kinds).variables, drive, 0.3)
    deviations = find_deviations(machine, made(machine, kinds[2:]).variables, drive, 0.3).deviations
    assert len(deviations.coefficients) < 2 * len(deviations.entries)


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


def test_figures_of_fewer_points_are_those_of_276():
    """To 0.1 %; the area between two branches that lie close together needs 30 points a stage."""
    machine = flank.preset("rv-320")
    exact = flank.run(machine, "hysteresis")
    assert len(exact.data["loop_angle"].values) == 276
    sizes = figure_sizes(float(np.ptp(exact.data["loop_angle"].values)), machine.rated_torque)
    for points, most in ((20, 0.002), (30, 0.001)):
        result = flank.run(machine, "hysteresis", points_per_stage=points)
        for figure in result.figures():
            allowed = most if figure.name == "loop_work" else 0.001
            size = sizes["offset"] if figure.name == "offset" else abs(exact[figure.name])
            assert abs(figure.value - exact[figure.name]) <= allowed * size, figure.name


def test_a_difference_is_the_largest_of_all_figures_over_their_sizes():
    ours = Outcome(figures={"hysteresis.lost_motion": 1.0, "hysteresis.loop_work": 3e-9})
    theirs = Outcome(figures={"hysteresis.lost_motion": 1.0 + 1e-6, "hysteresis.loop_work": 1e-9})
    marked = compared(ours, theirs, {"lost_motion": 2.0, "loop_work": 1.0})
    assert (marked.by, marked.figures) == (BY_GPU_COMPARED, ours.figures)
    assert marked.apart == pytest.approx(5e-7)
    assert compared(ours, Outcome(FAILED), {}).by == BY_GPU_OTHERWISE
    assert math.isnan(difference({}, ours.figures, {}))


def told(by, apart):
    return Comparison(np.array(by), np.array(apart, float), len(by))


def test_the_verdict_follows_from_the_differences():
    good = told(
        [BY_GPU, BY_GPU_COMPARED, FOR_GPU, BY_PROCESSOR], [math.nan, 9e-10, math.nan, math.nan]
    )
    assert good.agrees
    assert good.counts == {"cuda": 2, "processor": 2, "compared": 1}
    assert "2 samples are a GPU's, 1 that it did not finish" in good.sentence
    assert "at most 9.0e-10 of their range (sample 1), within the 1e-09" in good.sentence
    assert "do not rely" not in good.sentence
    for bad in (
        told([BY_GPU_COMPARED], [1.1e-6]),
        told([BY_GPU_COMPARED], [math.nan]),
        told([BY_GPU_COMPARED, BY_GPU_OTHERWISE], [0.0, math.nan]),
    ):
        assert not bad.agrees
        assert "do not rely on this study" in bad.sentence
    near = told([BY_GPU_COMPARED] * 3, [0.0, 1.1e-9, 1e-10])
    assert "at most 1.1e-09 of their range (sample 1), 1 of them NOT within" in near.sentence
    assert not near.agrees
    assert near.reliable
    assert "nothing says that they agree" in told([BY_GPU], [math.nan]).sentence
    assert told([BY_PROCESSOR], [math.nan]).sentence == ""


@pytest.fixture
def by_library(monkeypatch):
    monkeypatch.setattr("flank.studies.walks.equilibria", equilibria_of_library)
    monkeypatch.setattr("flank.studies.walks.read", read_in_python)


GIVEN = {
    "machine": "cycloidal-drive",
    "varies": {key: {} for key in ECCENTRICS + HOLES},
    "asks": {"hysteresis": {"points_per_stage": 5}},
    "samples": 14,
    "chunk": 4,
    "keeps": ["loop_angle", "loop_angle.9"],
}


@contextmanager
def cluster_here():
    """The address of two workers of this process."""
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address=":0"
    ) as made:
        yield made.scheduler_address


def same_but_for_round_off(store, exact):
    twist = float(np.ptp(exact.store.values("hysteresis.loop_angle")[0]))
    sizes = figure_sizes(twist, exact.store.value("hysteresis.torque", 0))
    for name in exact.store.quantities:
        theirs = exact.store.values(name)
        scale = sizes.get(name.partition(".")[2], np.abs(theirs).max())
        np.testing.assert_allclose(store.values(name), theirs, rtol=0, atol=1e-9 * scale)


def test_gpus_of_little_memory_share_a_study(by_library, monkeypatch, tmp_path):
    """Two that hold three samples each, and samples that go to the processor: those that were not
    finished, and one of five to be compared. All is marked, kept, and added up."""
    monkeypatch.setattr("flank.studies.cuda.CHECKED", 5)
    study = check_study(GIVEN)
    exact = flank.study(GIVEN, tmp_path / "exact")
    loops = Cuda(devices=[PretendedGpu()])._loops(study.sampler)
    room = GpuPaths(PretendedGpu(), loops.nominal, loops.walk, 99)
    assert room.samples == 99
    size = int((room.bytes_of_place + 3.5 * room.bytes_of_sample) / 0.8)
    gpus = [PretendedGpu(size), PretendedGpu(size)]
    followed = GpuPaths._run

    def unfinished(self, draws):
        batch = followed(self, draws)
        lost = draws[:, 0] == study.sampler.plan.values(7, 1)[0, 0]
        return batch._replace(status=np.where(lost, 3, batch.status))

    monkeypatch.setattr(GpuPaths, "_run", unfinished)
    store = study.open(tmp_path / "study.zarr")
    study.run(store, Cuda(devices=gpus))
    assert all(gpu.batches and max(gpu.batches) <= 3 for gpu in gpus)
    comparison = Store(store.path).comparison()
    rescued = np.flatnonzero(comparison.by == FOR_GPU).tolist()
    assert 7 in rescued
    assert len(rescued) < 4  # of the others hardly any needs continuation
    assert np.flatnonzero(comparison.by == BY_GPU_COMPARED).tolist() == [0, 5, 10]
    assert comparison.agrees
    counts = {"cuda": 14 - len(rescued), "processor": len(rescued), "compared": 3}
    assert Store(store.path).manifest["computed_by"] == counts
    same_but_for_round_off(store, exact)


def test_who_computed_is_kept_whoever_goes_on(by_library, monkeypatch, tmp_path):
    """A study that is begun on a GPU and finished by threads says so, and its samples are told
    apart when they are shown."""

    class Stop(Exception):
        pass

    def stop(pace):
        if pace.computed == 8:
            raise Stop

    study = check_study(GIVEN)
    store = study.open(tmp_path / "study.zarr")
    with pytest.raises(Stop):
        study.run(store, Cuda(devices=[PretendedGpu()], batch=4), stop)
    study.run(store, Threads(2))
    comparison = Store(store.path).comparison()
    assert comparison.counts == store.group.attrs["computed_by"]
    assert comparison.counts["cuda"] > 0
    assert comparison.counts["processor"] > 0
    assert f"{comparison.by_gpu} samples are a GPU's" in comparison.sentence
    document = study_document(Evaluation(study, store))
    assert comparison.sentence in " ".join(study_text(document).split())
    number = int(np.flatnonzero(comparison.by == BY_GPU)[0])
    (result,) = study.sampler.results(number)
    assert _differing(store, number, result) == []
    path = store.quantities["hysteresis.torsional_stiffness"].path
    store.group[path][number] *= 1.001
    assert _differing(store, number, result) == ["Torsional stiffness"]


def test_gpus_of_a_clusters_workers_give_the_store_of_this_machines(
    by_library, monkeypatch, tmp_path
):
    monkeypatch.setattr("flank.studies.cuda.CHECKED", 5)
    for module in ("cuda", "gpu"):
        monkeypatch.setattr(f"flank.studies.{module}.all_gpus", lambda: [PretendedGpu()])
    here = flank.study(GIVEN, tmp_path / "here", cuda=True)
    with cluster_here() as address:
        there = flank.study(GIVEN, tmp_path / "there", cuda=True, cluster=address)
    assert there.store.comparison().by_gpu > 7
    assert files_of(there.store.path) == files_of(here.store.path)


def test_workers_without_gpus_are_told_before_a_store_is_made(tmp_path):
    if find_spec("numba_cuda") is not None and import_module("numba.cuda").is_available():
        pytest.skip("this machine has a GPU")
    with (
        cluster_here() as address,
        pytest.raises(SpecError, match=r"the worker .* computes by no GPU: cuda needs"),
    ):
        flank.study(GIVEN, tmp_path / "study", cuda=True, cluster=address)
    assert not (tmp_path / "study").exists()
    with pytest.raises(SpecError, match="a local cluster has no GPUs but those"):
        flank.study(GIVEN, tmp_path / "study", cuda=True, cluster="local")


def test_a_gpu_without_room_for_a_sample_is_told(by_library):
    study = check_study(GIVEN)
    with pytest.raises(SpecError, match=r"a sample takes .* MB of the GPU, which has no room"):
        list(Cuda(devices=[PretendedGpu(1000)]).run(study.sampler, [Chunk(0, 0, 2)], print))


@pytest.mark.nightly
@pytest.mark.parametrize("preset", ["cycloidal-drive", "rv-320", "monocrank", "single-disc"])
def test_a_gpus_kernels_give_the_processors_figures(preset, monkeypatch):
    """To 1e-9: its text and its kernels, with all errors drawn, one thread after the other; the way
    from draws to figures but for the GPU itself."""
    monkeypatch.setattr("flank.studies.cuda.CHECKED", 1)
    spec = flank.preset(preset).spec
    kinds = [kind for kind in spec.error_kinds if kind not in spec.absent_errors]
    asks = {"hysteresis": {"points_per_stage": 10}}
    varies = {f"errors.{kind}": {} for kind in kinds}
    study = check_study(
        {"machine": preset, "varies": varies, "asks": asks, "samples": 20, "allow_refused": True}
    )
    backend = Cuda(devices=[PretendedGpu()])
    ((_, outcomes),) = backend.run(study.sampler, [Chunk(0, 0, 20)], lambda _: None)
    compared_with = [each for each in outcomes if each.by == BY_GPU_COMPARED]
    assert len(compared_with) >= 15  # some need the processor's continuation
    apart = np.sort([each.apart for each in compared_with])
    assert np.median(apart) < 1e-10
    # Hardly one of sixty ends elsewhere within the solver's tolerance, up to 6e-9 (single-disc).
    assert apart[-2] < 1e-9
    assert apart[-1] < 1e-7
    assert not any(each.by == BY_GPU_OTHERWISE for each in outcomes)


DYNAMIC = {"mode": "dynamic", "stage_duration": "0.02 s", "step": "0.1 ms"}


@pytest.mark.parametrize("settings", [{}, {"step_threshold": 0.01, "damping": "0.5 s/m"}])
def test_a_loop_in_time_is_the_processors(settings, by_library, monkeypatch):
    """A GPU's text and the kernel of runs in time, with steps that retreat: figures and curves."""
    monkeypatch.setattr("flank.studies.cuda.CHECKED", 1)
    asks = {"hysteresis": DYNAMIC | settings}
    study = check_study(GIVEN | {"asks": asks, "samples": 4, "keeps": ["loop_angle"]})
    ((_, outcomes),) = Cuda(devices=[PretendedGpu()]).run(
        study.sampler, [Chunk(0, 0, 4)], lambda _: None
    )
    assert [each.by for each in outcomes] == [BY_GPU_COMPARED] * 4
    assert max(each.apart for each in outcomes) < 1e-9
    exact = study.sampler.outcomes(0, 1)[0].curves["hysteresis.loop_angle"]
    angle = outcomes[0].curves["hysteresis.loop_angle"]
    np.testing.assert_allclose(angle, exact, rtol=0, atol=1e-6 * np.ptp(exact))


@pytest.mark.parametrize(("duration", "step", "stride"), [(0.02, 1e-4, 1), (0.1, 5e-5, 4)])
def test_a_loop_in_time_is_read_at_the_processors_times(machine, duration, step, stride):
    settings = HysteresisSettings(mode="dynamic", stage_duration=duration, step=step)
    assert record_stride(settings) == stride
    _, run, _ = hysteresis._solve_loop(machine, settings, machine.rated_torque, False)
    np.testing.assert_array_equal(dynamic_times(settings)[::stride], run.time)


@pytest.mark.parametrize(
    ("varies", "asks", "words"),
    [
        (HOLES, {"transmission-error": {}}, "cuda computes loops, and transmission-error"),
    ],
)
def test_what_a_gpu_does_not_take_is_refused_in_one_sentence(machine, varies, asks, words):
    study = made(machine, varies, asks)
    with pytest.raises(SpecError, match=words) as refused:
        Cuda(devices=[PretendedGpu()]).refuse(study.sampler)
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
