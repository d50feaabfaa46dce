"""What `flank design` prints and writes of a shortlist."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flank import units
from flank.cli.check import WIDTH, print_data
from flank.cli.places import check_writable, writing
from flank.cli.terminal import say, show, shown_words
from flank.errors import SpecError
from flank.io.shown import prose
from flank.texts import joined

if TYPE_CHECKING:
    from flank.design.designing import Shortlist

COLUMNS = 3
"""Designs that stand beside each other."""

SHOWN_FALLS = 8


def design(kind: str, given: Mapping[str, str | None], save: str | None, open_report: bool) -> None:
    """Check, search, write, print; SpecError where nothing is found."""
    wanted = {name: _read(name, text) for name, text in given.items() if text is not None}
    folder = _folder(save, open_report)
    from flank.design.designable import DESIGNABLE
    from flank.design.designing import find_designs

    designer = DESIGNABLE[kind].designer_of(wanted, kind)
    if folder is not None:
        check_writable(folder)
        from flank.report.design import outline
        from flank.report.folder import check_folder

        with writing(folder):
            check_folder(folder, outline(designer.wanted.designs))
    with _told(kind) as tell:
        shortlist = find_designs(designer, tell)
    _print(shortlist)
    if folder is not None:
        _write(shortlist, folder, open_report)


def refuse_listing_options(torque: str | None, given: list[str]) -> None:
    """Of `flank design planetary`: what only sets with a torque have, or only lists of teeth."""
    if torque is None:
        raise SpecError("sizes need a torque: give --torque, for example --torque '500 N*m'")
    if given:
        raise SpecError(
            f"{joined(given, 'and')} {'does' if len(given) == 1 else 'do'} nothing with --torque, "
            "which looks for whole sets; leave it out, or --torque"
        )


def _read(name: str, text: str) -> Any:
    """Values as YAML would have them, so that numbers lack a unit where none was written."""
    from flank.io.spec_files import parse_assignments

    (value,) = parse_assignments([f"{name}={text}"]).values()
    return units.as_written({name: value})[name]


def _folder(save: str | None, open_report: bool) -> Path | None:
    if save is None:
        if open_report:
            raise SpecError("--open shows the report, which --save writes; give --save FOLDER too")
        return None
    if not save.strip():
        raise SpecError("--save is empty; name a folder, for example --save designs")
    return Path(save)


@contextmanager
def _told(kind: str) -> Iterator[Any]:
    with shown_words(f"design {kind}") as tell:
        yield tell


def _print(shortlist: Shortlist) -> None:
    from dataclasses import replace

    from flank.design.overview import counted, side_by_side

    table = side_by_side(shortlist)
    say(f"{shortlist.title}: {len(table.columns)} found.")
    say(textwrap.fill(prose(counted(shortlist)), WIDTH))
    for first in range(0, len(table.columns), COLUMNS):
        part = slice(first, first + COLUMNS)
        rows = tuple(replace(row, values=row.values[part]) for row in table.rows)
        print_data(replace(table, columns=table.columns[part], rows=rows, notes=table.notes[part]))
    _print_falls(shortlist)


def _print_falls(shortlist: Shortlist) -> None:
    from flank.design.overview import fallen

    rows = fallen(shortlist)
    if not rows:
        return
    say("\nWhy the others fell")
    width = max(len(str(row.fallen)) for row in rows)
    for row in rows[:SHOWN_FALLS]:
        beyond = f" (the nearest by {row.nearest:.3g} %)" if row.nearest == row.nearest else ""
        text = f"{row.fallen:>{width}}  {row.reason}{beyond}: {row.words}"
        indent = " " * (width + 4)
        say(textwrap.fill(prose(text), WIDTH, initial_indent="  ", subsequent_indent=indent))
    if len(rows) > SHOWN_FALLS:
        say(f"  and {len(rows) - SHOWN_FALLS} more reasons, in the report")


def _write(shortlist: Shortlist, folder: Path, open_report: bool) -> None:
    from flank.report.design import design_document
    from flank.report.folder import write_document

    with writing(folder):
        written = write_document(design_document(shortlist), folder)
    say(f"\nWritten to {folder}{os.sep}: {', '.join(path.name for path in written)}")
    if open_report:
        show(written)
