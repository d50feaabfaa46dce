"""Reads files that people name: ordinary ones of a fair size, and nothing that has no end."""

import os
import stat
from pathlib import Path

_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


class NotReadable(Exception):
    """Why a file cannot be read, as the words after its name; with a remedy if there is one."""

    def __init__(self, reason: str, remedy: str = "") -> None:
        super().__init__(reason)
        self.remedy = remedy


def read_plain_file(path: str | Path, largest: int) -> bytes:
    """The bytes of an ordinary file; NotReadable for what is none, or is larger than `largest`."""
    try:
        status = os.stat(path)
        for is_kind, name in _KINDS:
            if is_kind(status.st_mode):
                raise NotReadable(f"cannot be read: it is {name}, not an ordinary file")
        with open(path, "rb") as file:
            data = file.read(largest + 1)
    except FileNotFoundError:
        raise NotReadable("does not exist") from None
    except OSError as error:
        raise NotReadable(f"cannot be read: {error.strerror or error}") from None
    except ValueError:  # a NUL in the name
        raise NotReadable("is not the name of a file") from None
    if len(data) > largest:
        raise NotReadable(f"has more than {_size(largest)}")
    return data


def _size(count: int) -> str:
    return f"{count // 1_000_000} MB" if count >= 1_000_000 else f"{count // 1000} kB"


def decoded(data: bytes) -> str:
    """Text in UTF-8, or in UTF-16 (PowerShell's), with its mark or without; else NotReadable."""
    if wide := _utf_16(data[:4]):
        try:
            return data.decode(wide)
        except UnicodeDecodeError:
            raise NotReadable("is not a text file in UTF-8 or UTF-16") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _not_utf_8(data, error.start) from None


def _utf_16(head: bytes) -> str:
    """The kind of UTF-16 that a text begins in: by its mark, or plain letters of two bytes each."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    for kind, zeros, letters in (
        ("utf-16-le", head[1::2], head[::2]),
        ("utf-16-be", head[::2], head[1::2]),
    ):
        if zeros == b"\0\0" and 0 not in letters:
            return kind
    return ""


def _not_utf_8(data: bytes, start: int) -> NotReadable:
    """A byte amid text is likely of an older encoding; amid what is no text it is of no use."""
    if any(byte < 32 and byte not in b"\t\n\r\f" for byte in data):
        return NotReadable("is not a text file in UTF-8 or UTF-16")
    line = data.count(b"\n", 0, start) + 1
    likely = bytes([data[start]]).decode("latin-1")
    shown = f" (in Latin-1 it is '{likely}')" if likely.isprintable() else ""
    return NotReadable(
        f"is not in UTF-8: line {line} has a character of another encoding{shown}",
        "save the file as UTF-8",
    )
