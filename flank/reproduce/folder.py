"""The folder of a study: every table as CSV, all of it as Markdown and as a page, pictures."""

from __future__ import annotations

from pathlib import Path

from flank.reproduce.study import Study
from flank.reproduce.text import study_markdown, study_page, table_csv

MARKDOWN_FILE = "tables.md"
PAGE_FILE = "report.html"


def write_study(study: Study, folder: Path) -> list[Path]:
    """Write all files of a study; returns their paths. Files of other names are left alone."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {f"{name}.csv": table_csv(table, study.notes) for name, table in study.tables.items()}
    texts |= {MARKDOWN_FILE: study_markdown(study), PAGE_FILE: study_page(study)}
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    for name, picture in study.pictures.items():
        (folder / f"{name}.png").write_bytes(picture.png())
    return [folder / name for name in (*texts, *(f"{name}.png" for name in study.pictures))]
