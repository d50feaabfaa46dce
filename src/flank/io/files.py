"""Files that appear whole or not at all: written aside, brought to the disk, then moved."""

from __future__ import annotations

import errno
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def write_file(path: str | Path, content: bytes | str) -> None:
    """Write a file, or replace one; whatever goes wrong, the earlier one stays as it was."""
    path = Path(os.path.realpath(path))  # behind a link, the file that it names
    if path.exists() and not path.is_file():  # a folder, or a device, which is not to be moved over
        raise OSError(errno.EINVAL, "not a plain file", str(path))
    with _written_aside(path, content) as aside:
        with suppress(OSError):  # an earlier file that only its owner may read stays so
            shutil.copymode(path, aside)
        os.replace(aside, path)
    sync_directory(path.parent)


def write_new_file(path: str | Path, content: bytes | str) -> None:
    """Write a file in nobody's place; FileExistsError if the name is taken."""
    path = Path(path)
    if os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    with _written_aside(path, content) as aside:
        try:
            os.link(aside, path)  # refuses a name that is taken, as a move does not
        except FileExistsError:
            raise
        except OSError:  # a file system without links
            os.rename(aside, path)
    sync_directory(path.parent)


@contextmanager
def _written_aside(path: Path, content: bytes | str) -> Iterator[Path]:
    """A file beside `path` with the content on the disk; gone afterwards if it was not moved."""
    aside = path.with_name(f".flank-{uuid.uuid4().hex}")
    try:
        write_through(aside, content)
        yield aside
    finally:
        with suppress(OSError):
            aside.unlink()


def write_through(path: Path, content: bytes | str) -> None:
    """Write a new file and bring it to the disk, where nobody looks for it yet."""
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
    repaired = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return repaired.replace("\0", "\N{REPLACEMENT CHARACTER}")
