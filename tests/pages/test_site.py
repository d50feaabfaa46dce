"""The docs site is whole in itself: all files are there and nothing comes from elsewhere."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
ASSETS = DOCS / "assets"
PAGES = sorted(DOCS.rglob("*.md"))
SITE = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))


def pages_of(entry):
    """All pages named by a part of the navigation."""
    if isinstance(entry, str):
        return [entry]
    parts = entry.values() if isinstance(entry, dict) else entry
    return [page for part in parts for page in pages_of(part)]


def test_navigation_names_every_page_once():
    named = pages_of(SITE["nav"])
    assert sorted(named) == sorted(str(page.relative_to(DOCS)) for page in PAGES)


@pytest.mark.parametrize("name", SITE["extra_css"] + SITE["extra_javascript"])
def test_what_pages_load_is_in_the_docs(name):
    assert (DOCS / name).stat().st_size > 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_pictures_of_a_page_are_there(page):
    """Which the strict build does not ask."""
    for target in re.findall(r"!\[[^]]*\]\(([^)]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_the_site_needs_no_plugin_and_is_built_by_what_is_installed():
    assert "plugins" not in SITE
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (built,) = re.findall(r"^docs:.*\n\t\$\(BIN\)/(\w+) build .*--strict", makefile, re.MULTILINE)
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert [re.split(r"\W", each)[0] for each in extras["optional-dependencies"]["docs"]] == [built]
    assert re.search(rf"^{built}==", (ROOT / "constraints.txt").read_text("utf-8"), re.MULTILINE)


def test_the_workflow_runs_targets_that_are_there():
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "site.yml").read_text("utf-8"))
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    targets = [step["run"].removeprefix("make ") for step in steps if "run" in step]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert targets == ["docs-check"]
    assert re.search(r"^docs-check: docs$", makefile, flags=re.MULTILINE)


def test_formulas_are_drawn_by_katex_once_it_is_there():
    assert {"pymdownx.arithmatex": {"generic": True}} in SITE["markdown_extensions"]
    scripts = SITE["extra_javascript"]
    assert scripts.index("assets/katex/katex.min.js") < scripts.index("assets/formulas.js")


def test_katex_has_its_fonts_and_its_licence():
    style = (ASSETS / "katex" / "katex.min.css").read_text(encoding="utf-8")
    fonts = re.findall(r"url\((fonts/[^)]+\.woff2)\)", style)
    assert len(fonts) == 20
    for font in fonts:
        assert (ASSETS / "katex" / font).read_bytes()[:4] == b"wOF2"
    assert "MIT License" in (ASSETS / "katex" / "LICENSE").read_text(encoding="utf-8")


def test_nothing_is_loaded_from_elsewhere():
    assert SITE["theme"]["font"] is False
    for style in ASSETS.rglob("*.css"):
        assert not re.search(r"(url\(['\"]?|@import ['\"])(https?:)?//", style.read_text("utf-8"))
    for page in [*PAGES, ROOT / "README.md"]:
        text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.S | re.M)
        assert not re.search(r"!\[[^]]*\]\(https?:|<(script|img|link|iframe)\b", text), page


def test_the_site_stays_small():
    vendored = [file for file in (ASSETS / "katex").rglob("*") if file.is_file()]
    assert sum(file.stat().st_size for file in vendored) < 1e6
    for picture in (DOCS / "pictures").iterdir():
        assert picture.stat().st_size < 150e3


def test_the_words_say_how_a_loop_is_read():
    from flank.analyses.loop import LOST_MOTION_SHARE, Loop

    words = (DOCS / "glossary.md").read_text(encoding="utf-8")
    assert f"at +{LOST_MOTION_SHARE * 100:.0f} % and −{LOST_MOTION_SHARE * 100:.0f} % of" in words
    first, last = (share * 100 for share in (Loop.fit_from, Loop.fit_to))
    assert f"from {first:.0f} to {last:.0f} % of the rated torque" in words
