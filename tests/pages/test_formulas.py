"""Formulas of the docs: found in Markdown as the site finds them, and read by its KaTeX."""

import shutil
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted(DOCS.rglob("*.md"))

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="KaTeX is run by node")


@pytest.fixture(scope="module")
def formulas(script):
    return script("formulas")


def test_inline_and_block_with_their_lines(formulas):
    found = formulas.formulas("One $a$, two\n\n$$\nb\n$$\nand $c$.", "page.md")
    assert [(one.line, one.source.strip(), one.display) for one in found] == [
        (1, "a", False),
        (3, "b", True),
        (6, "c", False),
    ]


@pytest.mark.parametrize(
    "text",
    ["`$HOME`, `$x$`", "```\n$x$\n```\n", "a price of \\$5 and \\$6", "``a ` $x$``", "$ x $"],
)
def test_code_and_plain_dollars_are_no_formulas(formulas, text):
    assert formulas.formulas(text) == []


def test_a_stray_dollar_is_told_by_its_line(formulas):
    assert formulas.stray_dollars("$a$\n$$\nb\n$$\nonly $ one\n`$`") == [5]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_no_stray_dollars(formulas, page):
    assert formulas.stray_dollars(page.read_text(encoding="utf-8")) == []


@needs_node
def test_katex_reads_every_formula(formulas):
    every = formulas.all_formulas()
    assert len(every) > 500
    assert formulas.problems(every) == []


@needs_node
@pytest.mark.parametrize("source", [r"s_\max", r"\frac{a}", r"\unknown", "a € b"])
def test_what_katex_cannot_draw_is_told(formulas, source):
    (said,) = formulas.problems([formulas.Formula("page.md", 7, source, False)])
    assert said.startswith("page.md:7: ")
