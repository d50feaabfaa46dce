"""A checksum at the end of a result's file: a damaged one is told before HDF5 sees it.

HDF5 finds much damage by itself, but on some it goes round in circles for ever. It knows where its
own data end, so what stands behind them troubles no reader.
"""

from __future__ import annotations

import hashlib
import io
import mmap
from pathlib import Path

_WORDS = b"\nflank sha256 "
_SIZE = len(_WORDS) + 65


class Unsealed(ValueError):
    """A file is not as Flank wrote it."""


def seal(content: io.BytesIO) -> None:
    """Write the checksum of a file in memory behind its content."""
    content.seek(0)
    digest = hashlib.file_digest(content, "sha256")
    content.seek(0, io.SEEK_END)
    content.write(_WORDS + digest.hexdigest().encode() + b"\n")


def check_seal(path: Path, required_by: bytes) -> None:
    """Unsealed if a file is not as it was sealed; without `required_by` in it, it needs no seal."""
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        end = bytes(content[-_SIZE:])
        if end.startswith(_WORDS):
            with memoryview(content) as view, view[:-_SIZE] as body:
                intact = end == end[:-65] + hashlib.sha256(body).hexdigest().encode() + b"\n"
        else:
            intact = content.find(required_by) < 0
    if not intact:
        raise Unsealed("it was changed, written anew by another program, or damaged")
