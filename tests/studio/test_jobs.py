"""What takes long in the studio: designs, studies, dossiers and parts, asked as the page asks."""

import pytest

import flank
from flank.design.designable import DESIGNABLE
from flank.studies.store import STORE_FOLDER, Store


def ended(tab, *kinds):
    return tab.until(*kinds, "run-refused", "cancelled", "failed")


# --- designs


def test_there_is_a_form_for_every_kind_that_can_be_designed(tab):
    tab.ask("design-forms")
    kinds = tab.until("design-forms")["kinds"]
    assert list(kinds) == list(DESIGNABLE)
    for form in kinds.values():
        fields = {each["path"]: each for each in form["fields"]}
        assert fields["torque"]["required"]
        assert fields["torque"]["unit"] == "N·m"
        assert all(each["meaning"] for each in fields.values())


def test_requirements_are_refused_in_the_words_of_the_command(tab):
    tab.ask("design", kind="cycloidal", wanted={"torque": "-50 N*m", "bore": "", "ratio": "29"})
    (problem,) = ended(tab, "designs")["problems"]
    assert problem.startswith("torque")
    tab.ask("design", kind="cycloidall", wanted={"torque": "50 N*m"})
    assert "cannot be designed" in ended(tab, "designs")["problems"][0]
    tab.ask("design", kind="cycloidal", wanted={"torque": 5})
    assert "give a key and a text" in ended(tab, "designs")["problems"][0]


WANTED = {"ratio": "3.08", "torque": "700 N*m", "input_speed": "1480 rpm", "designs": "1"}


def test_a_shortlist_is_told_saved_and_opened_as_a_spec(tab):
    tab.ask("design", kind="gear-pair", wanted=WANTED)
    told = ended(tab, "designs")
    assert told["tell"] == "designs"
    assert told["columns"] == ["design 1"]
    assert "module" in [title for title, _, _ in told["rows"]]
    shares = [float(text.split(": ")[1].split(" ")[0]) for text in told["margins"][0]]
    assert shares == sorted(shares)
    assert shares[0] >= 0
    assert told["pictures"][0]["mechanism"]["polygons"]["count"]
    tab.ask("save-designs", name="pair")
    assert tab.until("saved", "unsaved")["tell"] == "saved"
    saved = flank.load(tab.start / "pair" / "design-1.yaml")
    form = tab.open("design", 0)
    assert form["name"] == "design-1"
    assert form["title"] == told["titles"][0]
    tab.change()
    assert tab.until("load")["number"]
    assert saved.spec.machine == form["machine"]
    assert "no design of the shortlist" in tab.open("design", 1)["problems"][0]


def test_a_design_is_cancelled_while_it_looks(tab):
    number = tab.ask("design", kind="cycloidal", wanted={"torque": "50 N*m", "ratio": "29"})
    while tab.until("progress")["words"] != "refining":
        pass
    tab.ask("cancel")
    assert tab.until("cancelled", "designs") == {"tell": "cancelled", "number": number}


# --- studies


def study_of(**fields):
    return {
        "varies": {"errors.pin_radius": {"distribution": "uniform", "low": "", "high": "4 um"}},
        "asks": "load-distribution",
        "limits": {"load-distribution.torsional_stiffness": {"at_least": "1 N*m/arcmin"}},
        "fields": {"samples": "30", "seed": "3", **fields},
    }


def test_a_study_may_vary_what_the_spec_has_and_ask_what_fits(tab):
    tab.ask("study-form", changes={})
    form = tab.until("study-form")
    paths = [each["path"] for each in form["variables"]]
    assert "errors.pin_radius" in paths
    assert "eccentricity" in paths
    assert not any(path.startswith("tolerances") for path in paths)
    assert form["uses"]["truncated-normal"] == ["mean", "deviation", "low", "high"]
    figures = {each["name"] for one in form["analyses"] for each in one["figures"]}
    assert "load-distribution.torsional_stiffness" in figures


def test_a_study_runs_into_a_folder_and_tells_what_is_known(tab):
    tab.ask("study", name="pins", study=study_of(), changes={"pins.radius": "2.5 mm"})
    first = tab.until("progress")
    while "known" not in first:
        first = tab.until("progress")
    assert first["known"]["samples"] == 30
    told = ended(tab, "study")
    assert told["tell"] == "study"
    assert told["curves"][0]["name"] == "load-distribution.torsional_stiffness"
    assert told["states"] == {"complete": 30}
    ((title, within, share, *_),) = told["yields"]
    assert title == "Torsional stiffness at this load"
    assert (within, share) == ("30 of 30", "100.0")
    store = Store(tab.start / "pins" / STORE_FOLDER)
    assert store.known() == 30
    assert store.manifest["machine"]["pins"]["radius"] == pytest.approx(2.5e-3)
    assert (tab.start / "pins" / "report.html").exists()
    tab.ask("study", name="pins", study=study_of(), changes={})
    assert "exists" in ended(tab, "study")["problems"][0]


def test_a_study_that_was_stopped_goes_on_from_its_folder(tab):
    wanted = {**study_of(samples="2000"), "limits": {}}
    tab.ask("study", name="long", study=wanted, changes={})
    while "known" not in tab.until("progress", "study"):
        pass
    tab.ask("cancel")
    assert ended(tab, "study")["tell"] == "cancelled"
    path = tab.start / "long" / STORE_FOLDER
    known = Store(path).known()
    assert known < 2000
    tab.ask("study-form", changes={})
    assert tab.until("study-form")["studies"] == ["long"]
    tab.ask("study", name="long", study=None)
    words = ""
    while "samples" not in words:
        words = tab.until("progress", "study").get("words", "")
    assert int(words.split()[0]) >= known
    tab.ask("cancel")
    assert ended(tab, "study")["tell"] == "cancelled"


@pytest.mark.parametrize(
    ("study", "sentence"),
    [
        ({"varies": {}, "asks": "hysteresis"}, "varies is empty"),
        ({"varies": {"errors.pin_radiuss": {}}, "asks": "hysteresis"}, "pin_radius"),
        ({"varies": {"eccentricity": {"high": 5}}}, "give a key and a text"),
        ({"varies": {"eccentricity": "no"}}, "texts by keys"),
        ({"machine": "rv-320"}, "what varies"),
        (
            {
                "varies": {
                    "errors.pin_radius": {
                        "distribution": "measured",
                        "file": "/etc/passwd",
                        "column": "x",
                    }
                },
                "asks": "hysteresis",
            },
            "outside",
        ),
    ],
)
def test_a_study_that_cannot_be_is_refused_and_nothing_is_made(tab, study, sentence):
    study = {"fields": {"samples": "20"}, **study}
    tab.ask("study", name="bad", study=study, changes={})
    told = ended(tab, "study")
    assert sentence in " ".join(told["problems"])
    assert list(tab.start.iterdir()) == []


@pytest.mark.parametrize("name", ["../x", "", "a/b", "link", "absent"])
def test_only_studies_straight_below_the_start_folder_are_gone_on_with(tab, name):
    (tab.start / "link").symlink_to(tab.start.parent)
    tab.ask("study", name=name, study=None)
    problem = ended(tab, "study")["problems"][0]
    assert "is no name" in problem or "no folder" in problem


# --- dossiers and parts


def test_a_dossier_is_written_and_one_that_is_there_is_left(tab, monkeypatch):
    from flank.report import dossier

    few = [each for each in dossier.ASKED if each.analysis == "load-distribution"]
    monkeypatch.setattr(dossier, "ASKED", tuple(few))
    tab.ask("dossier", name="papers", revision="B", author="me", changes={})
    told = ended(tab, "kept")
    assert told["name"] == "papers"
    assert told["parts"][0][0] == "Who carries the load"
    page = (tab.start / "papers" / "report.html").read_text(encoding="utf-8")
    assert "Revision" in page
    tab.ask("dossier", name="papers", revision="", author="", changes={})
    assert "exists" in ended(tab, "kept")["problems"][0]


@pytest.mark.parametrize("kind", ["svg", "dxf", "csv"])
def test_parts_are_those_that_the_command_exports(tab, kind, tmp_path):
    tab.ask("parts", name="mine", kind=kind, changes={})
    told = ended(tab, "kept")
    assert told["name"] == f"mine.{kind}"
    flank.export(flank.preset("monocrank"), tmp_path / f"ours.{kind}")
    assert (tab.start / f"mine.{kind}").stat().st_size == pytest.approx(
        (tmp_path / f"ours.{kind}").stat().st_size, rel=0.01
    )
    tab.ask("parts", name="mine", kind=kind, changes={})
    assert "exists" in ended(tab, "kept")["problems"][0]


@pytest.mark.parametrize(("name", "kind"), [("../x", "svg"), ("x", "../svg"), ("x", "exe")])
def test_parts_go_nowhere_else(tab, name, kind):
    tab.ask("parts", name=name, kind=kind, changes={})
    assert ended(tab, "kept")["tell"] == "run-refused"
    assert list(tab.start.iterdir()) == []


def test_one_job_takes_the_place_of_another_which_is_told(tab):
    first = tab.ask("run", analysis="sensitivity", changes={})
    second = tab.ask("run", analysis="load-distribution", changes={})
    told = [tab.until("cancelled", "result") for _ in range(2)]
    assert {(each["tell"], each["number"]) for each in told} == {
        ("cancelled", first),
        ("result", second),
    }
