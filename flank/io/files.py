"""Files that appear whole or not at all: written aside, brought to the disk, then moved."""

from __future__ import annotations

import errno
import os
import shutil
import uuid
from contextlib import suppress
from pathlib import Path


def write_file(path: str | Path, content: bytes | str) -> None:
    """Write a file, or replace one; whatever goes wrong, the earlier one stays as it was."""
    path = Path(os.path.realpath(path))  # behind a link, the file that it names
    if path.exists() and not path.is_file():  # a folder, or a device, which is not to be moved over
        raise OSError(errno.EINVAL, "not a plain file", str(path))
    aside = path.with_name(f".flank-{uuid.uuid4().hex}")
    try:
        _write_through(aside, content)
        with suppress(OSError):  # an earlier file that only its owner may read stays so
            shutil.copymode(path, aside)
        os.replace(aside, path)
    except BaseException:
        with suppress(OSError):
            aside.unlink()
        raise
    sync_directory(path.parent)


def _write_through(path: Path, content: bytes | str) -> None:
    data = writable(content).encode() if isinstance(content, str) else content
    with open(path, "xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def sync_directory(folder: Path) -> None:
    """Bring the names in a folder to the disk, where a system can do that."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def writable(text: str) -> str:
    """A text with what no file can hold, NUL and halves of characters, marked as missing."""
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return whole.replace("\0", "\N{REPLACEMENT CHARACTER}")
