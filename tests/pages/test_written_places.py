"""What scripts write into README and docs is what they would write today."""

from pathlib import Path

import pytest

import flank
from flank import engine
from flank.analyses.registry import ANALYSES, default_analysis
from flank.errors import SpecError
from flank.machines.registry import MACHINES
from flank.presets import preset_names

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"


@pytest.fixture(scope="module")
def marked(script):
    return script("marked")


@pytest.fixture(scope="module")
def offers(script):
    return script("offers")


@pytest.fixture(scope="module")
def cells(offers):
    return offers.offers()


def test_a_place_is_written_and_the_rest_stays(marked, tmp_path):
    page = tmp_path / "page.md"
    page.write_text("a\n<!-- x: written by `make y` -->\n\nold\n\n<!-- end of x -->\nb\n", "utf-8")
    marked.write_marked(page, "x", r"new \1")
    assert marked.marked(page, "x") == r"new \1"
    text = page.read_text("utf-8")
    assert text.startswith("a\n<!-- x: ")
    assert text.endswith("<!-- end of x -->\nb\n")
    with pytest.raises(ValueError, match="no place named 'z'"):
        marked.write_marked(page, "z", "new")


def test_tables_of_machines_and_analyses_are_true(marked, offers, cells):
    """`make offers` writes them anew."""
    for page in offers.PAGES:
        assert marked.marked(page, "offers") == offers.as_table(cells)


@pytest.mark.parametrize("name", ["counts", "rules", "processes", "strengths"])
def test_rules_on_their_page_are_those_of_the_code(marked, script, name):
    """`make checks` writes them anew."""
    checks = script("checks")
    assert marked.marked(checks.PAGE, name) == checks.PLACES[name]()


@pytest.mark.parametrize("name", ["commands", "spec", "analyses", "python"])
def test_references_are_those_of_the_code(marked, script, name):
    """`make reference` writes them anew."""
    reference = script("reference")
    assert marked.marked(reference.FOLDER / f"{name}.md", name) == reference.PLACES[name]()


def test_rows_about_the_papers_are_alive_and_written(marked, script):
    """`make papers` writes them anew."""
    papers = script("papers")
    assert list(papers.problems()) == []
    assert marked.marked(papers.PAGE, "papers") == papers.as_pages()


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ({"stands": "flank.analyses.joint_run.walk"}, "there is no flank.analyses.joint_run.walk"),
        ({"stands": "flank.nowhere.at_all"}, "there is no flank.nowhere.at_all"),
        ({"checked": "tests/test_units.py::test_nothing"}, "there is no tests/test_units.py::test"),
        ({"checked": "reproduce cv-joint: Fig. 99"}, "there is no reproduce cv-joint: Fig. 99"),
    ],
)
def test_rows_that_name_what_is_gone_are_told(script, monkeypatch, row, sentence):
    papers = script("papers")
    alive = {"stands": "flank.analyses.joint_run.run", "checked": "tests/test_units.py"}
    paper = {"page": "theory/cv_joint.md", "rows": [{"part": "it", **alive, **row}]}
    monkeypatch.setattr(papers, "papers", lambda: {"joint": paper})
    (told,) = papers.problems()
    assert sentence in told


def test_every_name_of_the_engine_is_in_the_reference(script):
    chapters = script("reference").CHAPTERS
    assert sorted(name for names in chapters.values() for name in names) == sorted(engine.__all__)


def test_every_machine_and_every_analysis_is_in_the_table(marked):
    table = marked.marked(README, "offers").splitlines()
    assert [cell.strip(" `") for cell in table[0].split("|")[3:-1]] == list(MACHINES)
    assert [line.split("|")[1].strip(" `") for line in table[2:]] == list(ANALYSES)


def test_what_is_not_offered_is_refused(offers, cells):
    refused = [
        (machine, analysis)
        for analysis, row in cells.items()
        for machine, cell in row.items()
        if cell == offers.NO
    ]
    assert ("cv-joint", "hysteresis") in refused
    presets = {flank.preset(name).spec.machine: name for name in preset_names()}
    for machine, analysis in refused:
        with pytest.raises(SpecError):
            flank.run(flank.preset(presets[machine]), analysis)


def test_what_is_asked_by_default_is_offered(offers, cells):
    for name in preset_names():
        machine = flank.preset(name)
        assert cells[default_analysis(machine).name][machine.spec.machine] == offers.YES


def test_an_offer_is_cut_short_before_anything_is_computed(offers):
    with offers.stopping(), pytest.raises(offers.Begun):
        flank.run(flank.preset("cycloidal-drive"), "hysteresis")


def test_ratios_are_those_of_the_benchmarks(marked, script):
    page = script("page")
    tables = page.tables_of(page.PAGE.read_text(encoding="utf-8"))
    assert marked.marked(README, "benchmark") == page.ratios(tables)


def test_a_page_of_benchmarks_is_read_as_it_was_written(script):
    page = script("page")
    tables = [page.shown("First", ["a", "b"], [[1.23456, "x"], [2, "-"]])]
    tables.append(page.shown("Second", ["c"], [[0.5]]))
    assert page.tables_of(page.as_page(tables, "a machine")) == tables
    assert tables[0].cell(0, "a") == "1.235"


def test_words_below_pictures_are_computed(marked, script):
    """`make pictures` writes them anew."""
    pictures = script("pictures")
    for one in pictures.SHOWN:
        result = one.result()
        assert one.file.read_bytes()[:4] == b"\x89PNG"
        for page in one.pages:
            assert marked.marked(page, one.name) == one.place(page, result)
