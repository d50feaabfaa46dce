"""One file that is asked for by its name: refused before anything is computed, written whole."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from flank.errors import SpecError
from flank.io.files import write_file
from flank.texts import echo, echo_path


class Target(NamedTuple):
    """A kind of file: its name with an article, its suffix, and how Flank knows its own."""

    what: str
    suffix: str
    is_ours: Callable[[Path], bool]


def check_target(path: str | Path, kind: Target) -> Path:
    """Refuse a file that cannot be written, or is somebody else's."""
    target, what = Path(path), kind.what
    if target.suffix.lower() != kind.suffix or "\0" in str(path):
        raise SpecError(
            f"'{echo(str(path))}' is no name of {what}; give one that ends in {kind.suffix}, for "
            f"example machine{kind.suffix}"
        )
    try:
        if not target.parent.is_dir():
            raise SpecError(_unwritable(target, f"there is no folder {echo_path(target.parent)}"))
        if target.is_dir():
            raise SpecError(_unwritable(target, "it is a folder"))
        if target.exists() and not kind.is_ours(target):
            raise SpecError(
                f"{echo_path(target)} is not {what} that Flank wrote, or was changed since; it is "
                "left as it is, give another name"
            )
    except OSError as error:
        raise SpecError(_unwritable(target, error.strerror or str(error))) from None
    return target


def write_target(target: Path, content: bytes | str) -> None:
    """SpecError where the disk does not take it."""
    try:
        write_file(target, content)
    except OSError as error:
        raise SpecError(_unwritable(target, error.strerror or str(error))) from None


def _unwritable(target: Path, reason: str) -> str:
    return f"{echo_path(target)} cannot be written: {reason}; give another name"
