"""The folder of a run: result.nc, spec.yaml, pictures and report.html."""

from __future__ import annotations

from pathlib import Path

from flank._version import __version__
from flank.analyses.result import Result
from flank.io.results import write_result
from flank.io.spec_files import write_yaml
from flank.plots import PICTURES, figures
from flank.report.html import write_report

RESULT_FILE = "result.nc"
SPEC_FILE = "spec.yaml"
REPORT_FILE = "report.html"


def write_folder(result: Result, folder: Path) -> list[Path]:
    """Write all files of a result; returns their paths. Files of other names are left alone."""
    folder.mkdir(parents=True, exist_ok=True)
    write_result(result, folder / RESULT_FILE)
    heading = f"# The spec of this run with all defaults filled in, written by Flank {__version__}."
    text = f"{heading}\n{write_yaml(result.spec)}"
    (folder / SPEC_FILE).write_text(text, encoding="utf-8")
    pictures = _write_pictures(result, folder)
    return [folder / RESULT_FILE, folder / SPEC_FILE, *pictures, folder / REPORT_FILE]


def _write_pictures(result: Result, folder: Path) -> list[Path]:
    """The pictures, and the report that shows them."""
    pictures = figures(result)
    _remove_old_pictures(folder, set(pictures))
    written = []
    for name, picture in pictures.items():
        path = folder / f"{name}.png"
        path.write_bytes(picture.png())
        written.append(path)
    write_report(result, pictures, folder / REPORT_FILE)
    return written


def _remove_old_pictures(folder: Path, drawn: set[str]) -> None:
    """A picture of an earlier run must not stand beside this run's report."""
    known = {name for pictures in PICTURES.values() for name in pictures.names}
    for name in known - drawn:
        (folder / f"{name}.png").unlink(missing_ok=True)
