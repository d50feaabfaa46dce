"""The pictures of the validation pages: known against computed, and how fast errors fall.

    python validation/case_pictures.py      draws those of all pages anew from their tables

Points are drawn from the tables of a page, so that a picture shows what its page says and can be
drawn again without computing. What errors of a convergence are is known to the script alone.
"""

import io
import itertools
import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes

from flank.io.files import write_file
from flank.plots.style import ACCENT, COLOURS, FAINT, QUIET, Picture, styled

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGES = DOCS / "validation"
FOLDER = DOCS / "pictures" / "validation"

BEGIN, END = "<!-- pictures: drawn by `make validation` -->\n\n", "\n<!-- end of pictures -->\n"
LEAST, MOST = 1e-8, 1e2
"""Shares of what is allowed: below and above them, points are drawn at them."""

MARKERS = "os^Dvp"
Rates = Mapping[str, tuple[float, tuple[tuple[float, float], ...]]]
"""By the case's name: the order that is expected, and pairs of a step and an error."""


@dataclass(frozen=True)
class Row:
    """A line of a table of cases, with the heading that it stands below."""

    section: str
    name: str
    known: float
    computed: float
    error: float
    allowed: float
    holds: bool


def rows_of(text: str) -> list[Row]:
    """All cases of a page."""
    found, section = [], ""
    for line in text.splitlines():
        if line.startswith("#"):
            section = line.lstrip("# ")
        cells = [cell.strip() for cell in line.split(" | ")]
        if len(cells) == 8 and cells[-1] in ("holds |", "**does not hold** |"):
            known, computed, error, allowed = (float(cells[k]) for k in (2, 3, 5, 6))
            holds = cells[-1] == "holds |"
            name = cells[0].removeprefix("| ")
            found.append(Row(section, name, known, computed, error, allowed, holds))
    return found


def with_pictures(page: Path, text: str, rates: Rates | None = None) -> str:
    """The page with its pictures above its first chapter or table, which are written beside it.

    Without `rates` the picture of them stays as it is."""
    text = re.sub(f"{re.escape(BEGIN)}.*?{re.escape(END)}\n", "", text, flags=re.DOTALL)
    rows = rows_of(text)
    cases, falls = FOLDER / f"{page.stem}.svg", FOLDER / f"{page.stem}-rates.svg"
    FOLDER.mkdir(parents=True, exist_ok=True)
    write_file(cases, as_svg(cases_picture(rows)))
    shown = [_shown(cases, cases_words(rows))]
    if rates:
        write_file(falls, as_svg(rates_picture(rates)))
    if falls.exists():
        shown.append(_shown(falls, RATES_WORDS))
    first = re.search(r"^(## |\| check )", text, flags=re.MULTILINE)
    assert first is not None
    block = BEGIN + "\n\n".join(shown) + "\n" + END + "\n"
    return text[: first.start()] + block + text[first.start() :]


def _shown(file: Path, words: str) -> str:
    title = words.partition(":")[0]
    return f"![{title}](../pictures/validation/{file.name})\n\n*{words}*"


def cases_words(rows: list[Row]) -> str:
    """What one sees, with how many cases."""
    failed = sum(not row.holds for row in rows)
    said = "all hold" if not failed else f"{failed} do not hold"
    zeros = sum(not row.known for row in rows)
    absolute = (
        f" {zeros} figures are known to be nought: hollow on the right, left out on the left."
        if zeros
        else ""
    )
    return (
        f"Known against computed: on the left both figures of every case, each in its unit; on the "
        f"right the error over what is allowed, in the order of the tables below, {len(rows)} "
        f"cases, {said}.{absolute}"
    )


RATES_WORDS = (
    "How fast errors fall: each error in its own unit over the step that it was found with; dashed "
    "the order that is expected, from the largest step."
)


def cases_picture(rows: list[Row]) -> Picture:
    """Known against computed, and how much of what is allowed is used."""
    with styled():
        sections = list(dict.fromkeys(row.section for row in rows))
        picture = Picture(9.4, min(4 + 0.02 * len(rows), 6.4), cases_words(rows))
        both, used = picture.panels(1, 2)[0]
        for number, section in enumerate(sections):
            colour = COLOURS[number % len(COLOURS)]
            own = {k: row for k, row in enumerate(rows) if row.section == section}
            sized = [row for row in own.values() if row.known and row.computed]
            known, computed = (
                [abs(getattr(row, n)) for row in sized] for n in ("known", "computed")
            )
            both.plot(known, computed, "o", color=colour, **DOT)
            _shares(used, own, colour)
        _equal(both, rows)
        _allowed(used, rows, sections)
    return picture


DOT: Any = {"markersize": 4, "alpha": 0.75, "markeredgewidth": 0.0}


def _share(row: Row) -> float:
    """Of what is allowed; an exact case that holds uses nothing of it."""
    return max(row.error / row.allowed, LEAST) if row.allowed else LEAST if row.holds else MOST


def _shares(axes: Axes, rows: Mapping[int, Row], colour: str) -> None:
    """A point a case, hollow where errors are absolute, large where they are too large."""
    for relative, holds in itertools.product((True, False), repeat=2):
        own = {k: r for k, r in rows.items() if bool(r.known) is relative and r.holds is holds}
        style = DOT if holds else DOT | {"markersize": 8}
        if not relative:
            style = style | {"markerfacecolor": "none", "markeredgewidth": 0.9}
        axes.plot(
            [min(_share(r), MOST) for r in own.values()], list(own), "o", color=colour, **style
        )


def _equal(axes: Axes, rows: list[Row]) -> None:
    """Both figures on one scale, and the line on which they are equal."""
    sizes = [abs(v) for r in rows if r.known and r.computed for v in (r.known, r.computed)]
    bounds = (min(sizes) / 3, max(sizes) * 3) if sizes else (0.1, 10.0)
    axes.plot(bounds, bounds, color=QUIET, linewidth=0.7, zorder=0)
    axes.set(xscale="log", yscale="log", xlim=bounds, ylim=bounds, box_aspect=1)
    axes.set(xlabel="known", ylabel="computed", title="each in its unit; line: equal", anchor="N")
    axes.minorticks_off()


def _allowed(axes: Axes, rows: list[Row], sections: list[str]) -> None:
    """Chapters below one another, and the line that no case may pass."""
    places = [[k for k, row in enumerate(rows) if row.section == each] for each in sections]
    for own in places[:-1]:
        axes.axhline(own[-1] + 0.5, color=FAINT, linewidth=0.8)
    axes.axvline(1.0, color=ACCENT, linewidth=1.0)
    axes.set(xscale="log", xlim=(0.5 * LEAST, 2 * MOST), ylim=(len(rows), -1))
    axes.set(xlabel="error over what is allowed", title="a point a case; red: all that is allowed")
    axes.minorticks_off()
    axes.set_xticks([LEAST, *(10.0**k for k in range(-6, 2, 2)), MOST])
    axes.set_xticklabels(["$<10^{-8}$", "$10^{-6}$", "$10^{-4}$", "$10^{-2}$", "1", ""])
    axes.set_yticks([0.5 * (own[0] + own[-1]) for own in places])
    several = len(sections) > 1
    names = [textwrap.fill(each, 26) for each in sections] if several else [f"{len(rows)} cases"]
    axes.set_yticklabels(names)
    axes.tick_params(axis="y", length=0)
    axes.grid(False, axis="y")


def rates_picture(rates: Rates) -> Picture:
    """Errors over steps, a line a case."""
    with styled():
        picture = Picture(9.4, 3.4, RATES_WORDS)
        axes, beside = picture.panels(1, 2)[0]
        beside.axis("off")
        for number, (name, (order, points)) in enumerate(rates.items()):
            steps, errors = (np.array(each) for each in zip(*sorted(points), strict=True))
            shares = steps / steps[-1]
            axes.plot(shares, errors[-1] * shares**order, "--", color=QUIET, linewidth=0.8)
            style: Any = {"marker": MARKERS[number % len(MARKERS)], "linestyle": "none"}
            axes.plot(shares, errors, color=COLOURS[number % len(COLOURS)], label=name, **style)
        axes.set(xscale="log", yscale="log", xlabel="step over the largest", ylabel="error")
        halves = [2.0**-k for k in range(4)]
        axes.minorticks_off()
        axes.set_xticks(halves, ["1", "1/2", "1/4", "1/8"])
        axes.set_xlim(
            0.9 * min(min(s for s, _ in p) / max(s for s, _ in p) for _, p in rates.values()), 1.1
        )
        beside.legend(*axes.get_legend_handles_labels(), loc="center left")
    return picture


def as_svg(picture: Picture) -> str:
    """The same text for the same picture, in hundredths of a point."""
    buffer = io.StringIO()
    with styled(), matplotlib.rc_context({"svg.hashsalt": "flank"}):
        picture.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    return "".join(
        (line if "scale(" in line else re.sub(r"(\d\.\d\d)\d+", r"\1", line)).rstrip() + "\n"
        for line in buffer.getvalue().splitlines()
    )


def main() -> None:
    for page in sorted(PAGES.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        if rows_of(text):
            write_file(page, with_pictures(page, text))


if __name__ == "__main__":
    main()
