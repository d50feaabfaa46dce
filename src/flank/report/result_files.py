"""A result as one file for other programs, in the format of its suffix."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from flank.errors import SpecError, suggestion
from flank.io.matlab import mat_bytes
from flank.io.ownership import is_our_drawing, is_our_workbook
from flank.io.targets import Target, check_target, write_target
from flank.texts import echo

if TYPE_CHECKING:
    from flank.analyses.result import Result


@dataclass(frozen=True)
class ResultFile:
    """A kind of file and who makes it."""

    target: Target
    meaning: str
    content: Callable[[Result], bytes]


def _workbook(result: Result) -> bytes:
    try:
        import xlsxwriter  # noqa: F401
    except ImportError:
        raise SpecError(
            "a workbook needs the library xlsxwriter; pip install 'flank[tables]'"
        ) from None
    from flank.report.document import result_document
    from flank.report.spreadsheet import workbook

    return workbook(result_document(result, {}))


RESULT_FILES = {
    "mat": ResultFile(Target("a MAT file", ".mat", is_our_drawing), "in SI", mat_bytes),
    "xlsx": ResultFile(
        Target("a workbook", ".xlsx", is_our_workbook), "in the units of the summary", _workbook
    ),
}
"""By suffix."""


def result_format_of(path: str | Path) -> str:
    """The format that a file's name asks for."""
    suffix = Path(path).suffix.lower().lstrip(".")
    if suffix not in RESULT_FILES:
        raise SpecError(
            f"'{echo(str(path))}' has no suffix of a result's file"
            f"{suggestion(suffix, RESULT_FILES)} Give "
            + " or ".join(f".{name}" for name in RESULT_FILES)
        )
    return suffix


def write_result_file(result: Result, path: str | Path, name: str) -> Path:
    """Write it; SpecError if the file cannot be, or is not Flank's to replace."""
    kind = RESULT_FILES[name]
    target = check_target(path, kind.target)
    write_target(target, kind.content(result))
    return target
