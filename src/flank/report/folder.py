"""The folder of a run: result.nc, spec.yaml, pictures and report.html."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from flank.analyses.result import Result
from flank.io.files import write_file
from flank.io.folders import filled_together
from flank.io.ownership import (
    PAGE_FILE,
    RESULT_FILE,
    check_replaceable,
    is_replaceable,
    spec_file_text,
)
from flank.io.results import write_result
from flank.io.spec_files import write_yaml
from flank.plots import PICTURES, figures
from flank.report.html import write_report

SPEC_FILE = "spec.yaml"


def check_run_folder(folder: Path, analysis: str) -> None:
    """SpecError if files of a run would replace something that is not of an earlier one."""
    pictures = PICTURES[analysis].names if analysis in PICTURES else ()
    check_replaceable(folder, [RESULT_FILE, SPEC_FILE, PAGE_FILE, *map(_picture_file, pictures)])


def write_folder(result: Result, folder: Path) -> list[Path]:
    """Write all files of a result together; returns their paths.

    They replace those of an earlier run; files that Flank did not write are left alone, and those
    of the same names refuse the folder.
    """
    check_run_folder(folder, result.analysis)
    pictures = figures(result)
    names = [RESULT_FILE, SPEC_FILE, *map(_picture_file, pictures), PAGE_FILE]

    def obsolete() -> Iterable[str]:
        """A picture of an earlier run must not stand beside this run's report."""
        check_replaceable(folder, names)
        known = {_picture_file(name) for drawn in PICTURES.values() for name in drawn.names}
        return {name for name in known - set(names) if is_replaceable(folder / name)}

    with filled_together(folder, obsolete) as stage:
        write_result(result, stage / RESULT_FILE)
        write_file(stage / SPEC_FILE, spec_file_text(write_yaml(result.spec)))
        for name, picture in pictures.items():
            write_file(stage / _picture_file(name), picture.png())
        write_report(result, pictures, stage / PAGE_FILE)
    return [folder / name for name in names]


def _picture_file(name: str) -> str:
    return f"{name}.png"
