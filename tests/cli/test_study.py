"""`flank study`: run, go on, status, show, report; what they print, write and refuse."""

import json
import shutil

import pytest
from commands import run_command as run_words
from studies_made import PINS

from flank.cli import study as study_command
from flank.cli import terminal
from flank.cli.study import duration_words
from flank.plots.study import draw
from flank.studies.evaluation import Evaluation
from flank.studies.store import Store
from flank.studies.study import Pace, study_of


def run_command(*words):
    return run_words(list(words))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A finished study, and what its command printed."""
    place = tmp_path_factory.mktemp("study")
    file = place / "pins.yaml"
    data = {**PINS, "limits": {"lost_motion": {"at_most": "1.3 arcmin"}}, "title": "Pins"}
    file.write_text(json.dumps(data))
    run = run_command("study", "run", str(file), "--out", str(place / "out"), "--threads", "2")
    assert run.status == 0, run.stderr
    (place / "out" / "printed.txt").write_text(run.stdout)
    return place / "out"


def test_run_prints_yield_figures_and_drivers(folder):
    printed = (folder / "printed.txt").read_text()
    for words in (
        "24 samples of 40 varied numbers",
        "Lost motion",
        "yield, %",
        "Quantiles with their intervals",
        "What drives lost motion",
        "errors.pin_radial",
        "to first order",
        "of 24 samples: a yield of",
        "Worst of lost motion",
        "report.html",
    ):
        assert words in printed


def test_the_folder_has_page_pictures_and_tables(folder):
    page = (folder / "report.html").read_text()
    assert "Yield" in page or "yield" in page
    assert page.count("<img") == 3
    for name in ("study-histograms", "study-drivers", "study-worst"):
        assert (folder / f"{name}.png").stat().st_size > 10_000
    lines = (folder / "samples.csv").read_text().splitlines()
    assert len(lines) == 25
    assert lines[0].startswith("sample,status,")
    assert (folder / "limits.csv").exists()


def test_pictures_have_legends(folder):
    store = Store(folder / "study.zarr")
    pictures = draw(Evaluation(study_of(store), store))
    named = {
        name: {text.get_text() for legend in picture.legends for text in legend.get_texts()}
        for name, picture in pictures.items()
    }
    assert {"samples", "nothing varied", "limit", "5 % to 95 %"} <= named["study-histograms"]
    assert named["study-drivers"] == {"by the samples", "interval", "to first order"}
    assert not {"", "None"} & named["study-histograms"]


def test_a_study_of_few_samples_tells_why_it_has_no_pictures(tmp_path):
    (tmp_path / "few.yaml").write_text(json.dumps({**PINS, "samples": 8}))
    run = run_command("study", "run", str(tmp_path / "few.yaml"), "--out", str(tmp_path / "out"))
    assert run.status == 0, run.stderr
    sentence = "Pictures are drawn from 10 samples on; 8 are known."
    assert sentence in " ".join(run.stdout.split())
    page = (tmp_path / "out" / "report.html").read_text()
    assert sentence in page
    assert "<img" not in page


def test_a_report_while_a_study_runs_is_written_and_may_fail(folder, tmp_path, monkeypatch):
    """It is written anew when its time has come, and what goes wrong with it ends no study."""
    store = Store(folder / "study.zarr")
    monkeypatch.setattr(study_command, "SECONDS_BETWEEN_REPORTS", 0.0)
    reports = study_command._Reports(study_of(store), store, tmp_path)
    pace = Pace(known=12, samples=24, computed=12, seconds=60.0)
    reports.tell(pace)
    written = (tmp_path / "report.html").stat().st_mtime_ns
    reports._next = 0.0
    reports.tell(pace)
    assert (tmp_path / "report.html").stat().st_mtime_ns > written

    said, asked = [], []

    def fails(*_):
        asked.append(1)
        raise RuntimeError("no picture")

    monkeypatch.setattr(study_command, "write_report", fails)
    monkeypatch.setattr(study_command, "say", said.append)
    reports._next = 0.0
    reports.tell(pace)
    reports.tell(pace)
    assert said == ["The report of what is known by now failed (RuntimeError: no picture)."]
    assert asked == [1]


def test_status_of_a_finished_study(folder):
    run = run_command("study", "status", str(folder))
    assert run.status == 0
    assert run.stdout.splitlines() == ["Pins: 24 of 24 samples known", "  24 complete"]


def test_a_part_is_told_and_gone_on_with(folder, tmp_path):
    shutil.copytree(folder / "study.zarr", tmp_path / "study.zarr")
    chunks = tmp_path / "study.zarr" / "status" / "c"
    for number in (1, 4):
        (chunks / str(number)).unlink()
    status = run_command("study", "status", str(tmp_path)).stdout
    assert "15 of 24 samples known" in status
    assert "nobody computes it; go on with: flank study resume" in status
    report = run_command("study", "report", str(tmp_path))
    assert report.status == 0
    assert "15 of them are known by now" in " ".join(report.stdout.split())
    assert "not finished: 62.5% of its samples" in (tmp_path / "report.html").read_text()
    resumed = run_command("study", "resume", str(tmp_path))
    assert resumed.status == 0
    assert Store(tmp_path / "study.zarr").missing() == []
    assert "not finished" not in (tmp_path / "report.html").read_text()


def test_show_computes_a_sample_again(folder, tmp_path):
    run = run_command("study", "show", str(folder), "11", "--out", str(tmp_path))
    assert run.status == 0
    assert "Different" not in run.stdout
    place = tmp_path / "sample-11-hysteresis"
    assert (place / "report.html").exists()
    assert "pin_radial:" in (place / "spec.yaml").read_text()
    store = Store(folder / "study.zarr")
    again = run_command("check", str(place / "spec.yaml"))
    assert again.status == 0
    assert store.value("hysteresis.lost_motion", 11) > 0


def test_show_tells_what_differs_from_the_store(folder, tmp_path):
    shutil.copytree(folder / "study.zarr", tmp_path / "study.zarr")
    store = Store(tmp_path / "study.zarr", writable=True)
    store.group["hysteresis/lost_motion"][3] = 1.0
    run = run_command("study", "show", str(tmp_path), "3")
    assert "Different from what the study holds: Lost motion" in run.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("show", "{folder}", "24"), "there is no sample 24; the study has 24"),
        (("status", "nowhere"), "not the store of a study"),
        (("run", "nothing.yaml"), "nothing.yaml"),
        (("rn", "x"), "did you mean 'run'?"),
        (("run",), "FILE"),
    ],
    ids=lambda value: "",
)
def test_refusals_are_one_sentence_and_status_2(folder, arguments, words):
    run = run_command("study", *(each.format(folder=folder) for each in arguments))
    assert run.status == 2
    assert words in run.stderr


def test_a_failed_sample_makes_status_1(tmp_path):
    file = tmp_path / "study.yaml"
    friction = {"distribution": "normal", "mean": 0.03, "deviation": 0.05}
    data = {**PINS, "samples": 10, "varies": {"friction.pins": friction}, "allow_refused": True}
    file.write_text(json.dumps(data))
    run = run_command("study", "run", str(file), "--out", str(tmp_path / "out"))
    assert run.status == 1
    assert "of the samples would be refused" in run.stdout
    assert "Samples that failed" in run.stdout
    assert "friction.pins: " in (tmp_path / "out" / "failed.csv").read_text()
    assert " refused: " in run_command("study", "status", str(tmp_path / "out")).stdout


def test_corners_have_extremes_and_no_yield(tmp_path):
    file = tmp_path / "study.yaml"
    edge = {"low": "-5 um", "high": "5 um", "share": 1}
    data = {
        **{key: value for key, value in PINS.items() if key not in ("samples", "seed")},
        "varies": {"errors.pin_radial": edge, "errors.pin_radius": edge},
        "sampling": "corners",
        "limits": {"lost_motion": {"at_most": "1.3 arcmin"}},
    }
    file.write_text(json.dumps(data))
    run = run_command("study", "run", str(file), "--out", str(tmp_path / "out"))
    assert run.status == 0, run.stderr
    assert "4 samples" in run.stdout
    assert "yield" not in run.stdout
    assert "sample of the least" in run.stdout


class Terminal(list):
    def isatty(self):
        return True

    def write(self, text):
        self.append(text)

    def flush(self):
        pass


def test_the_bar_tells_rate_and_time_left(monkeypatch):
    out = Terminal()
    monkeypatch.setattr(terminal.sys, "stderr", out)
    monkeypatch.setattr(terminal, "_compiled", lambda: iter([True]))
    with terminal.shown_pace("Pins") as tell:
        tell(Pace(known=30, samples=120, computed=20, seconds=10.0))
    assert "30 of 120, 2/s, 45 s left" in "".join(out)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(12.4, "12 s"), (75, "1 min 15 s"), (7260, "2 h 1 min"), (float("inf"), "an unknown time")],
)
def test_times_that_are_left(seconds, words):
    assert duration_words(seconds) == words
