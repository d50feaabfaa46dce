"""The folder of a study: every table as CSV, all of it as Markdown and as a page, pictures."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from flank.io.files import write_file
from flank.io.folders import filled_together
from flank.io.ownership import PAGE_FILE, check_replaceable
from flank.reproduce.study import Study
from flank.reproduce.text import study_markdown, study_page, table_csv

MARKDOWN_FILE = "tables.md"


def check_study_folder(folder: Path, tables: Iterable[str], pictures: Iterable[str]) -> None:
    """SpecError if files of a study would replace something that is not of an earlier one."""
    check_replaceable(folder, file_names(tables, pictures))


def file_names(tables: Iterable[str], pictures: Iterable[str]) -> list[str]:
    """All files of a study with these tables and pictures."""
    own = [MARKDOWN_FILE, PAGE_FILE]
    return [*(f"{name}.csv" for name in tables), *own, *(f"{name}.png" for name in pictures)]


def write_study(study: Study, folder: Path) -> list[Path]:
    """Write all files of a study together; returns their paths. Others are left alone."""
    texts = {f"{name}.csv": table_csv(table, study.notes) for name, table in study.tables.items()}
    texts |= {MARKDOWN_FILE: study_markdown(study), PAGE_FILE: study_page(study)}
    names = file_names(study.tables, study.pictures)

    def obsolete() -> Iterable[str]:
        check_replaceable(folder, names)
        return ()

    with filled_together(folder, obsolete) as stage:
        for name, text in texts.items():
            write_file(stage / name, text)
        for name, picture in study.pictures.items():
            write_file(stage / f"{name}.png", picture.png())
    return [folder / name for name in names]
