"""The folder of a run or a study: its files appear together and replace Flank's own only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from flank.analyses.result import Result
from flank.errors import SpecError
from flank.io.files import write_through
from flank.io.folders import filled_together
from flank.io.ownership import RESULT_FILE, SPEC_FILE, files_of_page
from flank.io.tables import SUMMARY_SHEET
from flank.plots import PICTURES, figures
from flank.report.document import RUN, Document, Outline, result_document
from flank.report.writers import WRITERS, file_names, writers_of
from flank.texts import echo_path

if TYPE_CHECKING:
    from flank.report.verdict import Judgement

KEPT = {RESULT_FILE, SPEC_FILE}
"""Files of an earlier run that do not go away if a folder is used for something else."""


def check_run_folder(folder: Path, analysis: str, formats: Iterable[str] = ()) -> None:
    """SpecError if files of a run would replace something that is not of an earlier one."""
    pictures = PICTURES[analysis].names if analysis in PICTURES else ()
    # Which sheets there will be is not known yet; another's of such a name is refused now.
    sheets = (SUMMARY_SHEET, *(path.stem for path in folder.glob("by-*.csv")))
    check_folder(folder, Outline(RUN, sheets, pictures), formats)


def check_folder(folder: Path, outline: Outline, formats: Iterable[str] = ()) -> None:
    """SpecError if files of a document would replace something that Flank did not write."""
    check_replaceable(folder, file_names(outline, writers_of(outline.kind, formats)))


def write_folder(
    result: Result,
    folder: Path,
    formats: Iterable[str] = (),
    verdict: Judgement | None = None,
) -> list[Path]:
    """Write all files of a result together; returns their paths."""
    check_run_folder(folder, result.analysis, formats)
    document = result_document(result, figures(result), verdict)
    return write_document(document, folder, formats)


def write_document(document: Document, folder: Path, formats: Iterable[str] = ()) -> list[Path]:
    """Write all files of a document together; returns their paths.

    They replace those of an earlier one; files that Flank did not write are left alone, and those
    of the same names refuse the folder.
    """
    writers = writers_of(document.kind, formats)
    names = file_names(document.outline, writers)
    document = replace(document, files=tuple(names))

    def obsolete() -> Iterable[str]:
        """A picture of an earlier run must not stand beside this run's report."""
        check_replaceable(folder, names)
        earlier = files_of_page(folder)
        if earlier is None:
            earlier = {f"{name}.png" for drawn in PICTURES.values() for name in drawn.names}
        return {name for name in earlier - {*names} - KEPT if is_replaceable(folder / name)}

    with filled_together(folder, obsolete) as stage:
        for writer in writers:
            for name in writer.names(document.outline):
                write_through(stage / name, writer.content(document, name))
    return [folder / name for name in names]


def check_replaceable(folder: Path, names: Iterable[str]) -> None:
    """SpecError if a file of these names is there that Flank did not write, or that was changed."""
    foreign = sorted(name for name in names if not is_replaceable(folder / name))
    if foreign:
        were = "was" if len(foreign) == 1 else "were"
        raise SpecError(
            f"{echo_path(folder)} is left alone: {', '.join(foreign)} there {were} not written by "
            "Flank, or changed since; give another folder"
        )


def is_replaceable(path: Path) -> bool:
    """Whether nothing is there, or a file of an earlier run or study."""
    if not path.exists() and not path.is_symlink():
        return True
    writer = next((w for w in WRITERS.values() if w.suffix == path.suffix), None)
    try:
        is_file = path.is_file() and path.stat().st_size > 0
        return is_file and writer is not None and writer.is_ours(path)
    except OSError:
        return False
