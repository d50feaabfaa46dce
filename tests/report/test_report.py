"""The page and the folder of a run."""

import functools
import json
import re
from html.parser import HTMLParser

import pytest
from report_page import report_text

import flank
from flank.analyses.result import Result
from flank.design.verdict import judge
from flank.plots import figures
from flank.report.document import result_document
from flank.report.folder import write_folder
from flank.report.html import page as html_page
from flank.report.verdict import judgement_of

VOID = {"meta", "img", "br"}


@functools.cache
def result_of(preset="monocrank", analysis="load-distribution"):
    return flank.run(flank.preset(preset), analysis)


class Balance(HTMLParser):
    """Collects tags, text and what is left open."""

    def __init__(self):
        super().__init__()
        self.open, self.seen, self.words = [], [], []

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


def parsed(page: str) -> Balance:
    parser = Balance()
    parser.feed(page)
    assert parser.open == []
    return parser


def test_the_page_is_self_contained():
    result = result_of()
    page = report_text(result, figures(result))
    parser = parsed(page)
    outside = page.replace("http://www.w3.org/2000/svg", "")  # a name, not an address
    assert not re.search(r"https?://|//\w+\.|@import|url\(|<script [^>]*src|<link", outside)
    images = [attributes["src"] for tag, attributes in parser.seen if tag == "img"]
    assert len(images) == len(figures(result))
    assert all(source.startswith("data:image/png;base64,") for source in images)


def test_the_page_says_what_was_asked_and_all_that_came_out():
    result = result_of("single-disc")
    text = " ".join(parsed(report_text(result, {})).words)
    assert "Asked for: force, pressure, point and stiffness" in text
    assert "The computation completed." in text
    assert "Profile and pins interfere by 6.4 µm" in text
    for figure in result.figures():
        assert figure.title in text
    for part in ("Bore radius 60 mm", "haomjc", "Crank angle", "Newton iterations"):
        assert part in text
    assert f"Flank {flank.__version__}" in text
    assert "groove_radius: 4.004 mm" in text


def test_text_is_escaped():
    spec = result_of().spec | {"source": "<script>alert(1)</script>", "assumptions": ["a < b & c"]}
    changed = result_of().dataset.assign_attrs(title="<b>&'", spec=json.dumps(spec))
    page = report_text(Result.from_xarray(changed), {})
    assert "<script>alert" not in page
    assert "<b>" not in page
    assert "a &lt; b &amp; c" in page


def test_a_failure_stands_in_a_box_and_its_story_is_there():
    drive = flank.preset("cycloidal-drive", {"operation.torque": "1e12 N*m"})
    result = flank.run(drive)
    page = report_text(result, figures(result))
    parsed(page)
    assert "did not complete" in page
    assert "class='alert failure'" in page
    assert "No equilibrium was found" in page


def test_the_folder_holds_all_and_keeps_what_is_not_ours(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    write_folder(result_of("single-disc"), tmp_path)
    earlier = (tmp_path / "drive.png").read_bytes()
    written = write_folder(result_of(), tmp_path)
    names = {"result.nc", "spec.yaml", "drive.png", "contact-loads.png", "report.html"}
    assert {path.name for path in written} == names
    assert {path.name for path in tmp_path.iterdir()} == names | {"notes.txt"}
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert (tmp_path / "drive.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "drive.png").read_bytes() != earlier


def test_pictures_of_an_earlier_run_do_not_stay_beside_a_failed_one(tmp_path):
    write_folder(result_of("monocrank", "transmission-error"), tmp_path)
    assert (tmp_path / "spectrum.png").exists()
    drive = flank.preset("monocrank", {"operation.torque": "1e12 N*m"})
    write_folder(flank.run(drive), tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"result.nc", "spec.yaml", "report.html"}


@pytest.mark.parametrize("analysis", ["transmission-error", "hysteresis"])
def test_reports_are_small_enough_to_mail(tmp_path, analysis):
    write_folder(result_of("monocrank", analysis), tmp_path)
    assert (tmp_path / "report.html").stat().st_size < 1_000_000


def test_the_verdict_stands_above_all_that_was_asked():
    result = result_of("planetary-500kw", "mesh-phasing")
    judged = judgement_of(judge(flank.preset("planetary-500kw")))
    page = html_page(result_document(result, {}, judged))
    assert "<div class='verdict amber'>" in page
    assert page.index("Asked for") < page.index("rules kept, least margin")
    assert judged.sentences[0] in " ".join(parsed(page).words)
    assert "class='verdict" not in html_page(result_document(result, {}))
