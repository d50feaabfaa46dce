"""The docs site is whole in itself: all files are there and nothing comes from elsewhere."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

from flank.presets import preset_names

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
ASSETS = DOCS / "assets"
COMPUTED = (
    *(f"presets/{name}.md" for name in (*preset_names(), "gallery")),
    *(f"notebooks/{path.stem}.md" for path in (DOCS / "notebooks").glob("*.ipynb")),
    *(f"tutorials/{path.name}" for path in (ROOT / "pages" / "tutorials").glob("*.md")),
)
"""Written when the site is built, and known to nobody before."""

PAGES = sorted(
    page for page in DOCS.rglob("*.md") if page.relative_to(DOCS).as_posix() not in COMPUTED
)
SITE = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))


def pages_of(entry):
    """All pages named by a part of the navigation."""
    if isinstance(entry, str):
        return [entry]
    parts = entry.values() if isinstance(entry, dict) else entry
    return [page for part in parts for page in pages_of(part)]


def test_navigation_names_every_page_once():
    named = pages_of(SITE["nav"])
    assert sorted(named) == sorted([*COMPUTED, *(str(page.relative_to(DOCS)) for page in PAGES)])


@pytest.mark.parametrize("name", SITE["extra_css"] + SITE["extra_javascript"])
def test_what_pages_load_is_in_the_docs(name):
    assert (DOCS / name).stat().st_size > 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_pictures_of_a_page_are_there(page):
    """Which the strict build does not ask; machines that move are drawn when it is built."""
    for target in re.findall(r"!\[[^]]*\]\(([^)]+)\)", page.read_text(encoding="utf-8")):
        if (page.parent / target).parent.resolve() == DOCS / "moving":
            assert Path(target).stem in preset_names(), target
        else:
            assert (page.parent / target).exists(), target


def test_git_knows_no_page_that_is_computed():
    ignored = [*COMPUTED, "moving/drawing.js", "notebooks/read_a_loop-2-0.png"]
    asked = ["git", "check-ignore", *(f"docs/{name}" for name in ignored)]
    ended = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True)
    if ended.returncode == 128:
        pytest.skip("this is no clone")
    assert ended.stdout.split() == [f"docs/{name}" for name in ignored]


def test_what_is_computed_is_written_before_the_site_is_built():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(r"^docs: computed$", makefile, re.MULTILINE)
    (recipe,) = re.findall(r"^computed:.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    assert re.findall(r"computed-(\w+)", recipe) == ["tutorials", "presets", "notebooks"]
    assert "\ncomputed-%:\n\t$(BIN)/python pages/$*.py\n" in makefile


def test_the_site_needs_no_plugin_and_is_built_by_what_is_installed():
    assert "plugins" not in SITE
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (built,) = re.findall(r"^docs:.*\n\t\$\(BIN\)/(\w+) build .*--strict", makefile, re.MULTILINE)
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = [re.split(r"\W", each)[0] for each in extras["optional-dependencies"]["docs"]]
    assert built in needed
    pinned = (ROOT / "constraints.txt").read_text("utf-8")
    for name in needed:
        assert re.search(rf"^{name}==", pinned, re.MULTILINE), name


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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_rows_of_tables_have_the_cells_of_their_heading(page):
    """A bar in a cell would begin another one."""
    wanted = None
    for line in without_fences(page.read_text(encoding="utf-8")):
        if not line.startswith("|"):
            wanted = None
            continue
        bars = re.sub(r"`[^`]*`|\\\|", "", line).count("|")
        wanted = wanted or bars
        assert bars == wanted, line


def without_fences(text):
    """Lines outside of blocks of code."""
    return re.sub(r"^ *```.*?^ *```", "", text, flags=re.DOTALL | re.MULTILINE).splitlines()
