"""Ctrl-C ends a command with a sentence that says what was kept, and with status 130."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

INTERRUPTED = 130


@contextmanager
def interrupts(kept: Callable[[], str] = lambda: "nothing was written") -> Iterator[None]:
    """Turns Ctrl-C inside into a sentence; `kept` says what is there then."""
    started = time.monotonic()
    try:
        yield
    except KeyboardInterrupt:
        seconds = time.monotonic() - started
        if sys.stderr.isatty():
            print(file=sys.stderr)  # after the ^C that a terminal shows
        print(f"Stopped after {seconds:.1f} s; {kept()}.", file=sys.stderr)
        raise typer.Exit(INTERRUPTED) from None


def kept_in(folder: Path, page: str) -> Callable[[], str]:
    """What to say of a folder, by what has become of its page since now."""
    path = folder / page
    before = _mark(path)

    def kept() -> str:
        now = _mark(path)
        if now != before:
            return f"its files are in {folder}"
        if now is not None:
            return f"nothing was written, the files of an earlier run in {folder} are untouched"
        return "nothing was written"

    return kept


def _mark(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns
