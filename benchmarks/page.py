"""Where the figures go.

    python benchmarks/page.py      writes the README's ratios anew from docs/benchmarks.md

The page in the docs holds all tables, the README the most telling ratios.
"""

import datetime
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "pages"))
from marked import write_marked

from flank import __version__

PAGE = ROOT / "docs" / "benchmarks.md"
README = ROOT / "README.md"

INTRODUCTION = """\
# Benchmarks

Written by `make benchmark`, all from one run: {circumstances}.
Times are processor times of one thread, those of maps and of whole processes wall times; compare
the ratios, not the microseconds. Stiffness, play and errors in these tables are those of that day's
code: what machines have now stands on their validation pages and in the change log.
"""


@dataclass(frozen=True)
class Table:
    """A table in Markdown, its cells as they are shown."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def as_markdown(self) -> str:
        lines = [f"## {self.title}", "", _line(self.header), "|" + "---|" * len(self.header)]
        return "\n".join([*lines, *map(_line, self.rows)])

    def cell(self, row: int, column: str) -> str:
        return self.rows[row][self.header.index(column)]


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def shown(title: str, header: Sequence[str], rows: Sequence[Sequence]) -> Table:
    """A table of figures, four digits each."""
    cells = (
        tuple(f"{cell:.4g}" if isinstance(cell, float) else str(cell) for cell in row)
        for row in rows
    )
    return Table(title, tuple(header), tuple(cells))


def circumstances() -> str:
    today = datetime.date.today()
    return f"Flank {__version__}, {os.cpu_count()} cores, {today.day} {today:%B %Y}"


def as_page(tables: Sequence[Table], circumstances: str) -> str:
    parts = [INTRODUCTION.format(circumstances=circumstances), *(t.as_markdown() for t in tables)]
    return "\n".join(part if part.endswith("\n") else part + "\n" for part in parts)


def tables_of(page: str) -> list[Table]:
    """The tables of a page that `as_page` wrote."""
    found = []
    for title, block in re.findall(r"^## (.+)\n\n((?:\|.+\n)+)", page, flags=re.MULTILINE):
        header, _, *rows = (tuple(line[2:-2].split(" | ")) for line in block.splitlines())
        found.append(Table(title, header, tuple(rows)))
    return found


def ratios(tables: Sequence[Table]) -> str:
    """The README's table."""
    by_title = {table.title: table for table in tables}
    peer = by_title["Against EXUDYN on the same planar stage"]
    pins = by_title["Number of pins"]
    profile = by_title["Fineness of a measured profile"]
    teeth = by_title["Number of teeth"]
    cores = by_title["Map of a ball joint, 4 x 4 points, two turns each"]
    rows = [
        (
            f"a step of the same stage in {peer.cell(row, peer.header[0])} of "
            f"{_thousands(peer.cell(row, 'segments'))} segments, against Flank",
            f"{float(peer.cell(row, 'time ratio')):.0f}",
        )
        for row in range(1, len(peer.rows))
    ]
    rows += [
        (
            "one pin in a step of a drive with 160 pins, against one of 20",
            _short(pins.cell(-1, "cost per pin against 20 pins")),
        ),
        (
            "a step with a measured profile of 64,000 points, against 4,000",
            _short(profile.cell(-1, "cost against 4,000")),
        ),
        (
            "the flanks of two gears with 550 teeth, apart, against 55",
            _short(teeth.cell(3, "against the first")),
        ),
        (
            f"a map of a ball joint on {cores.cell(-1, 'cores')} cores, against one (wall time)",
            _short(cores.cell(-1, "against one core")),
        ),
    ]
    return "\n".join(["| what it costs | ratio |", "|---|---|", *map(_line, rows)])


def _short(figure: str) -> str:
    return f"{float(figure):.2f}"


def _thousands(figure: str) -> str:
    return f"{int(figure):,}"


def write_pages(tables: Sequence[Table]) -> None:
    """The page with all tables, and the README's ratios."""
    PAGE.write_text(as_page(tables, circumstances()), encoding="utf-8")
    write_marked(README, "benchmark", ratios(tables))


if __name__ == "__main__":
    write_marked(README, "benchmark", ratios(tables_of(PAGE.read_text(encoding="utf-8"))))
