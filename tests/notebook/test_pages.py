"""What notebooks show of machines and results, and figures of results."""

import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest

import flank
from flank.errors import SpecError
from flank.geometry.findings import warning
from flank.notebook.pages import findings_table

MACHINES = ("cycloidal-drive", "rv-320", "planetary-lin-parker", "cv-joint", "bevel-pair")


@pytest.fixture(scope="module")
def loop():
    return flank.run(flank.preset("cycloidal-drive"), "hysteresis", points_per_stage=5)


def test_a_result_shows_its_figures_and_what_is_assumed(loop):
    page = loop._repr_html_()
    assert "Cycloidal drive, 40 pins, 412 N·m" in page
    assert "Backlash" in page
    assert "arcmin" in page
    assert "Contacts only" in page


def test_a_result_that_did_not_complete_says_so(loop):
    failed = type(loop).from_xarray(loop.dataset.assign_attrs(complete=0, outcome="It stopped."))
    assert "<b>Incomplete:</b> It stopped." in failed._repr_html_()


@pytest.mark.parametrize("name", MACHINES)
def test_a_machine_shows_a_drawing_that_is_well_formed_and_small(name):
    page = flank.preset(name)._repr_html_()
    drawings = re.findall(r"<svg.*?</svg>", page, re.S)
    assert drawings
    for drawing in drawings:
        root = ElementTree.fromstring(drawing)
        assert root.findall("{*}path")
    assert len(page) < 150_000


def test_a_verdict_shows_its_light_its_findings_and_what_holds():
    spoilt = flank.check(flank.preset("cycloidal-drive", {"pins.radius": "1.5 mm"}))
    page = spoilt._repr_html_()
    assert f"<b>{spoilt.light.capitalize()}: " in page
    for finding in spoilt.findings:
        rows = re.search(r"<tbody>(.+)</tbody>", finding._repr_html_()).group(1)
        assert f">{finding.code}<" in rows
        assert rows in page
    good = flank.check(flank.preset("cycloidal-drive"))
    page, least = good._repr_html_(), next(each for each in good.margins if each.share > 0)
    assert "Green: no findings" in page
    assert f"{1e-6 * least.value:.0f} MPa, at most {1e-6 * least.limit:.0f} MPa" in page
    assert f">{least.share:.0%} left<" in page


def test_a_drawing_is_to_scale():
    drive = flank.preset("planetary-lin-parker")
    drawing = re.search(r"<svg.*?</svg>", drive._repr_html_(), re.S).group()
    numbers = [
        [tuple(map(float, pair.split(","))) for pair in path.split()]
        for path in re.findall(r"M([^Z]*)Z", drawing)
    ]
    xs, ys = zip(*(point for path in numbers for point in path), strict=True)
    assert max(xs) - min(xs) == pytest.approx(max(ys) - min(ys), rel=0.02)  # its ring is round


def test_texts_of_a_spec_cannot_become_elements():
    drive = flank.preset("cycloidal-drive", {"title": "<script>alert(1)</script>"})
    result = flank.run(drive, "stiffness-split")
    for page in (drive._repr_html_(), result._repr_html_()):
        assert "<script>" not in page
        assert "&lt;script&gt;" in page
    bad = findings_table([warning("code", (1.0, 0.0, ""), "<img src=x>", "change it")])
    assert "<img" not in bad


def test_plot_gives_a_figure_that_notebooks_show(loop):
    figure = loop.plot()
    assert figure._repr_png_().startswith(b"\x89PNG")
    assert loop.plot("drive") is not figure
    with pytest.raises(SpecError, match="did you mean 'drive'"):
        loop.plot("drivee")


def test_importing_flank_and_making_a_machine_loads_nothing_that_draws():
    code = (
        "import sys, flank; flank.preset('cycloidal-drive'); "
        "print(sorted({'matplotlib', 'pandas', 'xarray'} & set(sys.modules)))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
