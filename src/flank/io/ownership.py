"""How the files that Flank wrote are known: by marks inside, or by the page beside them."""

from __future__ import annotations

import hashlib
import mmap
import re
import zipfile
from html import unescape
from pathlib import Path

from flank._version import __version__

RESULT_FILE = "result.nc"
SPEC_FILE = "spec.yaml"
PAGE_FILE = "report.html"
GENERATOR = "Flank"
"""Marks pages (the meta tag `generator`) and pictures (the text `Software`)."""

FILES = "flank-files"
"""The meta tag by which a page names the files that were written with it."""

_SPEC_HEADING = "# The spec of this run with all defaults filled in, written by Flank "
_UNCHANGED = "# Flank replaces this file as long as nobody changed it; checksum "
_PAGE_OF_EARLIER_VERSIONS = b"<p class='version'>Computed by Flank "
_UNIT = "Written by Flank, which replaces it as long as nobody changed it; checksum "
_HEAD = 4096


def spec_file_text(body: str) -> str:
    """A spec below the heading by which `is_our_spec` knows it."""
    return f"{_SPEC_HEADING}{__version__}.\n{_UNCHANGED}{_checksum(body)}\n{body}"


def spec_body(text: str) -> str:
    """A spec without the heading that Flank gave it."""
    lines = text.replace("\r\n", "\n").splitlines(keepends=True)
    headings = [
        line.startswith(words)
        for line, words in zip(lines, (_SPEC_HEADING, _UNCHANGED), strict=False)
    ]
    return "".join(lines[2 if headings == [True, True] else int(headings[:1] == [True]) :])


def _checksum(body: str) -> str:
    return hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def is_our_result(path: Path) -> bool:
    return _holds(path, b"flank_version")


def is_our_spec(path: Path) -> bool:
    """Whether Flank wrote a spec, and nobody changed it since."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return False
    if not text.startswith(_SPEC_HEADING):
        return False
    mark = text.splitlines()[1] if text.count("\n") else ""
    # Those of earlier versions have no checksum.
    return not mark.startswith(_UNCHANGED) or mark == _UNCHANGED + _checksum(spec_body(text))


def is_our_unit(path: Path) -> bool:
    """Whether Flank wrote an FMU, and nobody changed it since."""
    try:
        with zipfile.ZipFile(path) as unit:
            return unit.comment == unit_mark(unit)
    except zipfile.BadZipFile:
        return False


def unit_mark(unit: zipfile.ZipFile) -> bytes:
    """The comment of an archive by which `is_our_unit` knows it."""
    entries = sorted((entry.filename, entry.CRC) for entry in unit.infolist())
    return f"{_UNIT}{_checksum(repr(entries))}".encode()


def is_our_workbook(path: Path) -> bool:
    """Whether the properties of a workbook name Flank."""
    try:
        with zipfile.ZipFile(path) as book:
            return f"Written by {GENERATOR} ".encode() in book.read("docProps/core.xml")
    except (zipfile.BadZipFile, KeyError):
        return False


_DRAWING_HEAD = 1 << 16


def is_our_drawing(path: Path) -> bool:
    """Whether a drawing or a solid names Flank in its head."""
    with open(path, "rb") as file:
        return f"{GENERATOR} ".encode() in file.read(_DRAWING_HEAD)


def with_checksum(body: str) -> str:
    """A text of rows below the comment by which `is_our_checked_file` knows it."""
    return f"{_UNCHANGED}{_checksum(body)}\n{body}"


def is_our_checked_file(path: Path) -> bool:
    """Whether Flank wrote a text of rows, and nobody changed it since."""
    try:
        mark, _, body = path.read_text(encoding="utf-8").partition("\n")
    except UnicodeDecodeError:
        return False
    return mark == _UNCHANGED + _checksum(body)


_CLOSING = "<!-- Flank replaces this file as long as nobody changed it; checksum "


def with_closing_checksum(body: str) -> str:
    """XML above the comment by which `is_our_closed_file` knows it."""
    return f"{body}{_CLOSING}{_checksum(body)} -->\n"


def is_our_closed_file(path: Path) -> bool:
    """Whether Flank wrote XML, and nobody changed it since."""
    try:
        body, mark, end = path.read_text(encoding="utf-8").rpartition(_CLOSING)
    except UnicodeDecodeError:
        return False
    return bool(mark) and end == f"{_checksum(body)} -->\n"


def is_our_page(path: Path) -> bool:
    return _marked(path) or _holds(path, _PAGE_OF_EARLIER_VERSIONS)


def is_our_picture(path: Path) -> bool:
    return _marked(path) or _beside_an_earlier_version(path.parent)


def goes_with_page(path: Path) -> bool:
    """Whether the page beside a file without a mark names it, or is too old to name any."""
    page = path.parent / PAGE_FILE
    if not (page.is_file() and is_our_page(page)):
        return False
    named = files_of_page(path.parent)
    return named is None or path.name in named


def files_of_page(folder: Path) -> set[str] | None:
    """Names of the files that were written with the page in a folder; None if it does not say."""
    page = folder / PAGE_FILE
    if not (page.is_file() and is_our_page(page)):
        return None
    with open(page, encoding="utf-8", errors="replace") as file:
        head = file.read(_HEAD)
    match = re.search(rf"<meta name='{FILES}' content='([^']*)'>", head)
    return set(unescape(match[1]).split()) if match else None


def _marked(path: Path) -> bool:
    with open(path, "rb") as file:
        head = file.read(_HEAD)
    marks = (f"<meta name='generator' content='{GENERATOR} ", f"Software\0{GENERATOR} ")
    return any(mark.encode() in head for mark in marks)


def _beside_an_earlier_version(folder: Path) -> bool:
    """Whether a folder was written before pictures bore a mark."""
    result, page = folder / RESULT_FILE, folder / PAGE_FILE
    if result.is_file() and is_our_result(result):
        return not _holds(result, b"format_version")
    return page.is_file() and is_our_page(page) and not _marked(page)


def _holds(path: Path, mark: bytes) -> bool:
    """Whether a file has these bytes; it may be large, or too damaged to be opened otherwise."""
    if path.stat().st_size == 0:  # which cannot be mapped
        return False
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return content.find(mark) >= 0
