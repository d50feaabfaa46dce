"""A cluster: the same store, whoever of it is lost on the way."""

import os
import signal
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
from distributed import Client, LocalCluster
from distributed.scheduler import KilledWorker
from studies_made import PINS, files_of

import flank
from flank.api import check_study
from flank.errors import SpecError
from flank.studies import cluster as clusters
from flank.studies.backends import Chunk, Threads
from flank.studies.cluster import compute_chunk
from flank.studies.store import Store


@contextmanager
def workers(count=2, processes=False):
    """In this process if it is not asked otherwise; others take seconds to start."""
    with LocalCluster(
        n_workers=count, threads_per_worker=1, processes=processes, dashboard_address=":0"
    ) as made:
        yield made


@pytest.fixture(scope="module")
def address():
    with workers() as made:
        yield made.scheduler_address


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("study")
    return files_of(flank.study(PINS, folder, threads=2).store.path)


def test_a_cluster_does_not_change_a_bit(undisturbed, address, tmp_path):
    paces = []
    again = flank.study(PINS, tmp_path, cluster=address, tell=paces.append)
    assert paces[-1].known == 24
    assert files_of(again.store.path) == undisturbed


def test_a_worker_that_is_killed_loses_nothing(undisturbed, tmp_path):
    """The only one there is, at once, so that its chunks have nowhere else to be; a new one takes
    its place."""
    with workers(1, processes=True) as made, Client(made) as client:
        (victim,) = client.run(os.getpid).values()

        def kill(pace):
            nonlocal victim
            if victim:
                os.kill(victim, signal.SIGKILL)
                victim = 0

        again = flank.study(PINS, tmp_path, cluster=made.scheduler_address, tell=kill)
        assert victim == 0
        assert client.run(os.getpid)
    assert again.states == {"complete": 24}
    assert files_of(again.store.path) == undisturbed


def test_a_lost_scheduler_is_told_and_the_study_goes_on_later(undisturbed, tmp_path, monkeypatch):
    monkeypatch.setattr(clusters, "SECONDS_TO_CONNECT", 1)
    with workers(1) as made:

        def close(pace):
            if pace.computed == 5:
                made.close()

        words = (
            r"the scheduler at '.*' does not answer any more.*; what was computed is kept, go on"
        )
        with pytest.raises(SpecError, match=words) as told:
            flank.study(PINS, tmp_path, cluster=made.scheduler_address, tell=close)
    assert len(told.value.problems) == 1
    assert Store(tmp_path / "study.zarr").known() >= 5
    assert files_of(flank.study(PINS, tmp_path, threads=2).store.path) == undisturbed


def test_a_scheduler_without_workers_is_told_before_a_store_is_made(tmp_path, monkeypatch):
    monkeypatch.setattr(clusters, "SECONDS_TO_CONNECT", 0.5)
    with (
        workers(0) as made,
        pytest.raises(SpecError, match=r"has no worker; start some with `dask worker inproc://"),
    ):
        flank.study(PINS, tmp_path, cluster=made.scheduler_address)
    assert list(tmp_path.iterdir()) == []


def test_workers_that_all_go_are_told(tmp_path, monkeypatch):
    monkeypatch.setattr(clusters, "SECONDS_BETWEEN_LOOKS", 0.2)
    monkeypatch.setattr(clusters, "SECONDS_WITHOUT_WORKERS", 0.5)
    with workers(1) as made:

        def close(pace):
            if pace.computed == 5:
                made.scale(0)

        with pytest.raises(SpecError, match=r"has had no worker for 0.5 s; what was computed is"):
            flank.study(PINS, tmp_path, cluster=made.scheduler_address, tell=close)
    assert Store(tmp_path / "study.zarr").known() >= 5


def test_a_chunk_that_ends_its_workers_holds_up_no_other(address, monkeypatch, tmp_path):
    def deadly(sampler, chunk, *others):
        if chunk.number == 2:
            raise KilledWorker("task", SimpleNamespace(address="tcp://host:1"), 3)
        return compute_chunk(sampler, chunk, *others)

    monkeypatch.setattr(clusters, "compute_chunk", deadly)
    with pytest.raises(SpecError, match=r"chunks 2 ended every worker .* and are missing"):
        flank.study(PINS, tmp_path, cluster=address)
    assert [chunk.number for chunk in Store(tmp_path / "study.zarr").missing()] == [2]


def test_what_a_worker_cannot_do_is_told_in_one_sentence(address, monkeypatch, tmp_path):
    def stranger(*_):
        raise ModuleNotFoundError("No module named 'flank'")

    monkeypatch.setattr(clusters, "compute_chunk", stranger)
    with pytest.raises(SpecError, match=r"cannot compute: ModuleNotFoundError.*install the same"):
        flank.study(PINS, tmp_path, cluster=address)


def test_more_workers_than_five_are_all_counted(monkeypatch):
    """`scheduler_info` of some versions tells of five only."""
    with workers(8) as made, Client(made) as client:
        work = clusters._Work(client, "", check_study(PINS).sampler, iter([]))
        work._look()
        assert work.workers == work.together == 8


def test_this_machine_has_a_process_for_every_two_cores(monkeypatch, undisturbed, tmp_path):
    """And they share its cores."""
    asked = []
    made = LocalCluster

    def in_process(**settings):
        asked.append(settings["n_workers"])
        return made(**settings, processes=False)

    monkeypatch.setattr(clusters, "usable_cores", lambda: 6)
    monkeypatch.setattr("distributed.LocalCluster", in_process)
    threads = []
    monkeypatch.setattr(clusters, "Threads", lambda count: threads.append(count) or Threads(count))
    again = flank.study(PINS, tmp_path, cluster="local")
    assert asked == [3]
    assert set(threads) == {2}
    assert files_of(again.store.path) == undisturbed


def test_workers_with_other_kernels_are_refused(monkeypatch):
    monkeypatch.setattr(clusters, "BYTES_HASH", "0123456789abcdef")
    with pytest.raises(SpecError, match="install the same Flank on all workers"):
        compute_chunk(check_study(PINS).sampler, Chunk(0, 0, 1), "fedcba9876543210")


def test_no_scheduler_at_the_address(tmp_path, monkeypatch):
    monkeypatch.setattr(clusters, "SECONDS_TO_CONNECT", 0.2)
    with pytest.raises(SpecError, match=r"no scheduler answers at 'tcp://127.0.0.1:9'"):
        flank.study(PINS, tmp_path, cluster="tcp://127.0.0.1:9")
    assert list(tmp_path.iterdir()) == []


def test_a_task_carries_no_table_of_a_hypercube():
    sampler = check_study({**PINS, "sampling": "latin-hypercube"}).sampler
    sampler.plan.values(0, 1)
    assert "_hypercube" in vars(sampler.plan)
    assert "_hypercube" not in vars(sampler.fresh().plan)
