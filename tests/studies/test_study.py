"""A study of real machines: the same samples from every backend, kept, gone on with, refused."""

import json
import os
import resource
import shutil
from pathlib import Path

import numpy as np
import pytest
from studies_made import PINS, closed_form, files_of

import flank
from flank.api import check_study
from flank.errors import SpecError
from flank.machines.registry import machine_from_mapping
from flank.report.html import page
from flank.report.study import study_document
from flank.report.text import study_text
from flank.studies import store as stores
from flank.studies.backends import Threads
from flank.studies.samples import COMPLETE
from flank.studies.store import Store
from flank.studies.study import study_of

KEPT = {**PINS, "keeps": ["loop_angle"], "limits": {"lost_motion": {"at_most": "2 arcmin"}}}


@pytest.fixture(scope="module")
def evaluation(tmp_path_factory):
    return flank.study(KEPT, tmp_path_factory.mktemp("study"), threads=2)


def test_every_sample_is_complete_and_kept(evaluation):
    assert evaluation.states == {"complete": 24}
    lost = evaluation.store.values("hysteresis.lost_motion")
    assert np.all(lost > 0)
    assert np.ptp(lost) > 0
    assert evaluation.store.group["hysteresis/loop_angle"].dtype == np.float32
    assert evaluation.store.group["hysteresis/lost_motion"].dtype == np.float64


@pytest.mark.parametrize("number", [0, 11, 23])
def test_a_sample_alone_equals_that_of_the_study(evaluation, number):
    """Also from its spec as a file has it: every digit."""
    (result,) = evaluation.study.sampler.results(number)
    again = flank.run(machine_from_mapping(result.spec), "hysteresis", points_per_stage=5)
    for figure in result.figures():
        stored = evaluation.store.value(f"hysteresis.{figure.name}", number)
        assert stored == figure.value == again[figure.name]
    curve = evaluation.store.values("hysteresis.loop_angle")[number]
    np.testing.assert_array_equal(curve, result.data["loop_angle"].values.astype(np.float32))


@pytest.mark.parametrize("threads", [1, 3])
def test_threads_do_not_change_a_bit(evaluation, threads, tmp_path):
    again = flank.study(KEPT, tmp_path, threads=threads)
    assert files_of(again.store.path) == files_of(evaluation.store.path)


def test_a_study_that_was_stopped_goes_on(evaluation, tmp_path):
    class Stop(Exception):
        pass

    def stop(pace):
        if pace.computed == 12:
            raise Stop

    with pytest.raises(Stop):
        flank.study(KEPT, tmp_path, threads=2, tell=stop)
    path = tmp_path / "study.zarr"
    missing = Store(path).missing()
    assert 0 < len(missing) < 5
    before = {file: file.stat().st_mtime_ns for file in (path / "status" / "c").glob("*")}
    store = Store(path, writable=True)
    study = study_of(store)
    computed = []
    study.run(study.open(path), Threads(2), computed.append)
    assert computed[-1].computed == sum(chunk.count for chunk in missing)
    assert computed[-1].known == 24
    assert all(file.stat().st_mtime_ns == at for file, at in before.items())
    assert files_of(path) == files_of(evaluation.store.path)


def test_a_store_takes_no_more_than_was_estimated(evaluation):
    """Also a small one, of which files take more room than numbers do."""
    files = [file for file in evaluation.store.path.rglob("*") if file.is_file()]
    blocks = sum(file.stat().st_blocks for file in files)
    assert 0.2 * evaluation.study.bytes < 512 * blocks <= evaluation.study.bytes


def test_a_finished_study_computes_nothing(evaluation):
    paces = []
    flank.study(KEPT, evaluation.store.path.parent, tell=paces.append)
    assert paces == []


def test_a_full_disk_leaves_what_is_whole(evaluation, tmp_path, monkeypatch):
    study = check_study(KEPT)
    store = study.open(tmp_path / "study.zarr")
    put, calls = Store._put, []

    def fails_later(self, *arguments):
        calls.append(arguments)
        if len(calls) == 25:
            raise OSError(28, "No space left on device")
        put(self, *arguments)

    monkeypatch.setattr(Store, "_put", fails_later)
    with pytest.raises(SpecError, match=r"No space left on device.*flank study resume"):
        study.run(store, Threads(1))
    monkeypatch.undo()
    assert len(store.missing()) == 4
    study.run(store, Threads(2))
    assert files_of(store.path) == files_of(evaluation.store.path)


def test_a_disk_too_small_is_refused_before_the_start(tmp_path, monkeypatch):
    usage = shutil.disk_usage(tmp_path)._replace(free=60_000_000)
    monkeypatch.setattr(stores.shutil, "disk_usage", lambda _: usage)
    study = check_study({**PINS, "samples": 1_000_000})
    with pytest.raises(SpecError, match=r"has 60 MB free, and the study may take [0-9,]+ MB"):
        study.open(tmp_path / "new" / "study.zarr")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"seed": 8}, "study.seed is 8 and was 7"),
        (
            {"changes": {"eccentricity": "1.31 mm"}},
            "machine.eccentricity is 0.00131 and was 0.0013",
        ),
        ({"asks": {"hysteresis": {}}}, "study.asks differs"),
    ],
    ids=lambda value: "",
)
def test_a_store_of_another_study_is_refused(evaluation, changes, words):
    with pytest.raises(SpecError, match=f"belongs to another study: .*{words}"):
        flank.study({**KEPT, **changes}, evaluation.store.path.parent)


@pytest.mark.parametrize("sampling", ["random", "sobol"])
def test_more_samples_may_be_asked_of_a_store(evaluation, tmp_path, sampling):
    """Those that it has stay, also in a chunk that was not full; the store is then that of a study
    that was longer from the beginning, to the last bit."""
    data = {**KEPT, "sampling": sampling, "samples": 12}
    flank.study(data, tmp_path / "longer")
    paces = []
    longer = flank.study({**data, "samples": 18}, tmp_path / "longer", tell=paces.append)
    assert len(paces) == 6
    assert longer.states == {"complete": 18}
    whole = flank.study({**data, "samples": 18}, tmp_path / "whole")
    assert files_of(longer.store.path) == files_of(whole.store.path)
    assert Store(longer.store.path).manifest["study"]["samples"] == 18
    assert study_of(Store(longer.store.path)).samples == 18


def test_a_latin_hypercube_has_no_more_samples_and_none_has_fewer(evaluation, tmp_path):
    data = {**PINS, "sampling": "latin-hypercube", "samples": 4}
    flank.study(data, tmp_path)
    words = "has 4 samples, and 5 are asked; with latin-hypercube every sample would be another"
    with pytest.raises(SpecError, match=words):
        flank.study({**data, "samples": 5}, tmp_path)
    with pytest.raises(SpecError, match="has 24 samples, and 20 are asked; what is computed stays"):
        flank.study({**KEPT, "samples": 20}, evaluation.store.path.parent)


def test_limits_may_change_when_all_is_computed(evaluation, tmp_path):
    shutil.copytree(evaluation.store.path, tmp_path / "study.zarr")
    paces = []
    limits = {"lost_motion": {"at_least": "0 arcmin"}}
    again = flank.study({**KEPT, "limits": limits}, tmp_path, tell=paces.append)
    assert paces == []
    assert again.yields()[0].within == 24
    assert Store(tmp_path / "study.zarr").manifest["study"]["limits"] == limits


def test_other_kernels_are_refused_unless_told(evaluation, tmp_path):
    path = tmp_path / "study.zarr"
    shutil.copytree(evaluation.store.path, path)
    shutil.rmtree(path / "status" / "c")
    Store(path, writable=True).group.attrs["kernel_hashes"] = ["0123456789abcdef"]
    with pytest.raises(SpecError, match=r"with kernels 0123456789abcdef.*--other-kernels"):
        flank.study(KEPT, tmp_path)
    again = flank.study(KEPT, tmp_path, other_kernels=True)
    assert len(Store(path).manifest["kernel_hashes"]) == 2
    assert np.all(again.status == COMPLETE)


def test_two_writers_at_once_are_refused(evaluation):
    store = Store(evaluation.store.path, writable=True)
    with store.writing(), pytest.raises(SpecError, match="written by another"):
        flank.study(KEPT, store.path.parent)
    assert not store.is_written()


def test_a_folder_without_a_store_is_refused(tmp_path):
    with pytest.raises(SpecError, match="not the store of a study"):
        Store(tmp_path / "study.zarr")


def test_the_manifest_tells_what_made_it(evaluation):
    manifest = json.loads((evaluation.store.path / "zarr.json").read_text())["attributes"]
    assert manifest["seed"] == 7
    assert manifest["samples"] == 24
    assert manifest["study"]["varies"]["errors.pin_radial"]["deviation"] == "2 um"
    assert manifest["machine"]["machine"] == "cycloidal-drive"
    assert manifest["versions"]["flank"] == flank.__version__
    assert len(manifest["kernel_hashes"]) == 1


def test_numbers_of_the_spec_vary_as_well(tmp_path):
    data = {
        **PINS,
        "varies": {
            "eccentricity": {"low": "1.29 mm", "high": "1.31 mm"},
            "pins.count": {"distribution": "discrete", "values": [40]},
        },
        "samples": 3,
    }
    evaluation = flank.study(data, tmp_path)
    drawn = evaluation.study.sampler.plan.values(2, 1)[0]
    machine = flank.preset("cycloidal-drive", {"eccentricity": float(drawn[0])})
    alone = flank.run(machine, "hysteresis", points_per_stage=5)
    assert evaluation.store.value("hysteresis.lost_motion", 2) == alone["lost_motion"]


def test_errors_come_on_top_of_those_of_the_spec(tmp_path):
    data = {**PINS, "changes": {"errors.pin_radial": {"all": "1 um", "3": "2 um"}}}
    sampler = check_study(data).sampler
    values = sampler.plan.values(5, 1)[0]
    machine = sampler.machine_of(5)
    expected = values + 1e-6
    expected[2] += 2e-6
    np.testing.assert_allclose(machine.errors["pin_radial"], expected, atol=1e-18)


def test_memory_stays_flat(tmp_path):
    """Three thousand samples in closed form take no more than the first thousand."""
    data = {
        "machine": "gear-pair",
        "varies": {"errors.pinion_thickness": {}},
        "samples": 3000,
        "chunk": 100,
    }
    study = closed_form(lambda errors: float(errors["pinion_thickness"]), data, tmp_path)
    sizes = []

    def tell(pace):
        if pace.computed % 1000 == 0:
            sizes.append(_resident())

    study.run(study.open(tmp_path / "study.zarr"), Threads(2), tell)
    assert sizes[-1] - sizes[0] < 4e6  # results of 2,000 samples, kept, would take 20 MB


@pytest.mark.nightly
def test_memory_stays_flat_over_a_hundred_thousand_samples(tmp_path):
    """Results of 90,000 samples, kept, would take 900 MB."""
    data = {"machine": "gear-pair", "varies": {"errors.pinion_thickness": {}}, "samples": 100_000}
    study = closed_form(lambda errors: float(errors["pinion_thickness"]), data, tmp_path)
    sizes = []

    def tell(pace):
        if pace.computed % 10_000 == 0:
            sizes.append(_resident())

    study.run(study.open(tmp_path / "study.zarr"), Threads(2), tell)
    assert sizes[-1] - sizes[0] < 10e6


def _resident():
    pages = Path("/proc/self/statm")
    if pages.exists():
        return int(pages.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def test_an_unknown_limit_is_refused_before_anything_is_computed(evaluation):
    limits = {"lost_moton": {"at_most": "1 arcmin"}}
    with pytest.raises(SpecError, match="did you mean 'lost_motion'"):
        flank.study({**KEPT, "limits": limits}, evaluation.store.path.parent)
    assert Store(evaluation.store.path).manifest["study"]["limits"] == KEPT["limits"]


def test_warnings_of_samples_are_counted_and_told(tmp_path):
    """Samples of several chunks whose warnings differ in their numbers."""
    overloaded = {
        **PINS,
        "samples": 12,
        "varies": {"rated_torque": {"low": "20 N*m", "high": "25 N*m"}},
        "asks": {"load-distribution": {"torque": "412 N*m"}},
    }
    evaluation = flank.study(overloaded, tmp_path, threads=1)
    ((sentence, count),) = evaluation.warnings().items()
    assert "times the rated torque" in sentence
    assert count == 12
    document = study_document(evaluation)
    for shown in (study_text(document), page(document)):
        assert "Warnings of samples" in shown
        assert "12 of 12 samples: " in shown
    assert evaluation.nothing_varied
    assert "No figure varies" in study_text(document)


def test_a_study_without_warnings_tells_none(evaluation):
    assert not evaluation.warnings()
    assert not evaluation.nothing_varied
    assert "warned" not in evaluation.store.group
    assert "Warnings" not in study_text(study_document(evaluation))


def test_a_study_tells_once_what_is_assumed_of_its_machine(evaluation):
    text = " ".join(study_text(study_document(evaluation)).split())
    assert text.count("Contacts only") == 1
