"""Pictures of the validation pages: drawn from what their tables say."""

import re
from pathlib import Path

import pytest
from case_pictures import BEGIN, as_svg, cases_picture, rates_picture, rows_of, with_pictures
from cases import Case, as_table

ROOT = Path(__file__).parents[2]
VALIDATION = ROOT / "docs" / "validation"
PAGES = [page for page in sorted(VALIDATION.glob("*.md")) if rows_of(page.read_text("utf-8"))]

HELD = Case("held", "theory", 2.0, 2.001, "mm", 1e-2)
NOUGHT = Case("nought", "theory", 0.0, 1e-12, "mm", 1e-9)
WRONG = Case("wrong", "theory", -3.0, -3.1, "mm", 1e-3)


def page_of(*cases):
    return f"# Title\n\nWords.\n\n## Chapter\n\n{as_table(list(cases))}\n"


def test_rows_are_read_as_they_were_written():
    rows = rows_of(page_of(HELD, NOUGHT, WRONG))
    assert [row.name for row in rows] == ["held", "nought", "wrong"]
    assert {row.section for row in rows} == {"Chapter"}
    assert [row.holds for row in rows] == [True, True, False]
    assert rows[2].known == -3.0
    assert rows[0].error == pytest.approx(HELD.error, rel=0.1)


def test_a_case_that_does_not_hold_is_told_and_stands_beyond_the_line():
    picture = cases_picture(rows_of(page_of(HELD, WRONG)))
    assert "2 cases, 1 do not hold" in picture.caption
    _, used = picture.axes
    shares = [x for line in used.lines for x in line.get_xdata() if len(line.get_xdata()) == 1]
    assert sum(x > 1 for x in shares) == 1


def test_the_same_cases_give_the_same_file():
    rows = rows_of(page_of(HELD, NOUGHT))
    assert as_svg(cases_picture(rows)) == as_svg(cases_picture(rows))


def test_points_of_a_rate_fall_on_the_line_of_its_order():
    axes = rates_picture({"second": (2.0, ((0.1, 0.04), (0.05, 0.01)))}).axes[0]
    line, points = axes.lines
    assert line.get_ydata() == pytest.approx(points.get_ydata())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_says_of_its_picture_what_its_tables_say(page):
    text = page.read_text("utf-8")
    rows = rows_of(text)
    assert text.count(BEGIN) == 1
    (told,) = re.findall(r"tables below, (\d+) cases, all hold", text)
    assert int(told) == len(rows)
    assert all(row.holds for row in rows)


def test_the_readme_counts_the_cases_of_these_pages():
    counted = re.findall(
        r"\[(\d+) [^]]+\]\(docs/validation/(\w+)\.md\)", (ROOT / "README.md").read_text("utf-8")
    )
    cases = {page.stem: len(rows_of(page.read_text("utf-8"))) for page in PAGES}
    assert len(counted) > 8
    assert {name: int(count) for count, name in counted} == {
        name: cases[name] for _, name in counted
    }


def test_pictures_stand_once_however_often_they_are_drawn(tmp_path, monkeypatch):
    monkeypatch.setattr("case_pictures.FOLDER", tmp_path)
    once = with_pictures(tmp_path / "page.md", page_of(HELD))
    assert with_pictures(tmp_path / "page.md", once) == once
    assert (tmp_path / "page.svg").read_text("utf-8").startswith("<?xml")
