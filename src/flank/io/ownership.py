"""Which files are Flank's own: it replaces those, and nothing else."""

from __future__ import annotations

import hashlib
import mmap
from collections.abc import Iterable
from pathlib import Path

from flank._version import __version__
from flank.errors import SpecError
from flank.texts import echo_path

RESULT_FILE = "result.nc"
PAGE_FILE = "report.html"
GENERATOR = "Flank"
"""Marks pages (the meta tag `generator`) and pictures (the text `Software`)."""

_SPEC_HEADING = "# The spec of this run with all defaults filled in, written by Flank "
_UNCHANGED = "# Flank replaces this file as long as nobody changed it; checksum "
_PAGE_OF_EARLIER_VERSIONS = b"<p class='version'>Computed by Flank "
_HEAD = 4096


def spec_file_text(body: str) -> str:
    """A spec below the heading by which `is_ours` knows it."""
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
    try:
        return path.is_file() and path.stat().st_size > 0 and is_ours(path)
    except OSError:
        return False


def is_ours(path: Path) -> bool:
    """Whether Flank wrote a file; tables bear no mark and go with the page beside them."""
    if path.suffix == ".nc":
        return _holds(path, b"flank_version")
    if path.suffix == ".yaml":
        return _is_our_spec(path)
    if path.suffix == ".html":
        return _marked(path) or _holds(path, _PAGE_OF_EARLIER_VERSIONS)
    if path.suffix == ".png":
        return _marked(path) or _beside_an_earlier_version(path.parent)
    return _page_is_ours(path.parent)


def _is_our_spec(path: Path) -> bool:
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return False
    if not text.startswith(_SPEC_HEADING):
        return False
    mark = text.splitlines()[1] if text.count("\n") else ""
    # Those of earlier versions have no checksum.
    return not mark.startswith(_UNCHANGED) or mark == _UNCHANGED + _checksum(spec_body(text))


def _marked(path: Path) -> bool:
    with open(path, "rb") as file:
        head = file.read(_HEAD)
    marks = (f"<meta name='generator' content='{GENERATOR} ", f"Software\0{GENERATOR} ")
    return any(mark.encode() in head for mark in marks)


def _page_is_ours(folder: Path) -> bool:
    page = folder / PAGE_FILE
    return page.is_file() and is_ours(page)


def _beside_an_earlier_version(folder: Path) -> bool:
    """Whether a folder was written before pictures bore a mark."""
    result, page = folder / RESULT_FILE, folder / PAGE_FILE
    if result.is_file() and is_ours(result):
        return not _holds(result, b"format_version")
    return page.is_file() and is_ours(page) and not _marked(page)


def _holds(path: Path, mark: bytes) -> bool:
    """Whether a file has these bytes; it may be large, or too damaged to be opened otherwise."""
    if path.stat().st_size == 0:  # which cannot be mapped
        return False
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return content.find(mark) >= 0
