"""Places in a page that a script writes, between two comments that name the command."""

import re
from pathlib import Path


def marked(page: Path, name: str) -> str:
    """What stands at a place of a page."""
    found = _place(name).search(page.read_text(encoding="utf-8"))
    if found is None:
        raise ValueError(f"{page.name} has no place named '{name}'")
    return found["text"].strip()


def write_marked(page: Path, name: str, text: str) -> None:
    """Write a place of a page anew; the rest stays."""
    marked(page, name)
    written = _place(name).sub(
        lambda place: f"{place['begin']}\n{text}\n{place['end']}", page.read_text(encoding="utf-8")
    )
    page.write_text(written, encoding="utf-8")


def _place(name: str) -> re.Pattern[str]:
    begin, end = rf"<!-- {name}: written by `make \w+` -->\n", f"\n<!-- end of {name} -->"
    return re.compile(rf"(?P<begin>{begin})(?P<text>.*?)(?P<end>{end})", re.DOTALL)
