"""Where a spec comes from, and the machine that it makes with changes.

A page names presets, and files below the folder in which the studio was started; a spec that comes
through the page names no other files either.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from flank import units
from flank.errors import SpecError
from flank.texts import describe, echo, echo_path

if TYPE_CHECKING:
    from flank.machines.base import Machine

SUFFIXES = (".yaml", ".yml")
FILE_KEYS = ("file", "points_file")
"""Keys of specs that name a file."""

MOST_FILES = 200
"""Specs below the start folder that are offered."""

MOST_PLACES = 5000
"""Files and folders that are looked at for them."""


class Source(NamedTuple):
    """A spec that was opened: its data, and a name for files that are saved of it."""

    data: Mapping[str, Any]
    name: str
    is_preset: bool

    def machine(self, changes: Mapping[str, Any]) -> Machine:
        """The machine with dotted changes; SpecError if it cannot be."""
        from flank.machines.registry import changed_title, machine_from_mapping

        data = self.data
        if self.is_preset and changes and "title" in data and "title" not in changes:
            data = {**data, "title": changed_title(data["title"], changes)}
        return machine_from_mapping(data, changes)


def of_preset(name: Any) -> Source:
    from flank.io.spec_files import read_spec_text
    from flank.presets import preset_names, preset_text

    if name not in preset_names():
        raise SpecError(f"{describe(name)} is not a preset; choose one of the list")
    data = units.as_written(read_spec_text(preset_text(name), name))
    return Source(data, name, True)


def of_command(text: str) -> Source:
    """What was named on the command line, where any file may be."""
    from flank.api import count_from
    from flank.io.spec_files import read_spec_file
    from flank.presets import preset_names

    if text in preset_names():
        return of_preset(text)
    data = units.as_written(read_spec_file(text))
    count_from(Path(text).resolve().parent, data)
    return Source(data, Path(text).stem, False)


def of_file(name: Any, start: Path) -> Source:
    """A spec file below the start folder."""
    from flank.api import count_from
    from flank.io.spec_files import read_spec_file

    if not isinstance(name, str) or not name.endswith(SUFFIXES):
        raise SpecError(f"{describe(name)} is no spec file; give one that ends in .yaml")
    path = below(name, start)
    data = units.as_written(read_spec_file(path))
    count_from(path.parent, data)
    refuse_foreign_files(data, start)
    return Source(data, path.stem, False)


def of_text(text: Any, start: Path) -> Source:
    """A spec that was given as text, its files counted from the start folder."""
    from flank.api import count_from
    from flank.io.spec_files import LARGEST_FILE, read_spec_text

    if not isinstance(text, str):
        raise SpecError(f"{describe(text)} is given; a spec is text")
    if len(text.encode()) > LARGEST_FILE:
        raise SpecError(f"the spec has more than {LARGEST_FILE:,} bytes, the most that is read")
    data = units.as_written(read_spec_text(text))
    count_from(start, data)
    refuse_foreign_files(data, start)
    return Source(data, "spec", False)


def of_design(shortlist: Any, place: Any) -> Source:
    """A machine of a shortlist, by its place there."""
    specs = shortlist.specs
    if not isinstance(place, int) or isinstance(place, bool) or not 0 <= place < len(specs):
        raise SpecError(f"{describe(place)} is no design of the shortlist, which has {len(specs)}")
    return Source(specs[place], f"design-{place + 1}", False)


def spec_files(start: Path) -> list[str]:
    """Specs below the start folder, by names that `of_file` takes."""
    found: list[str] = []
    waiting, seen = [start], 0
    while waiting and seen < MOST_PLACES and len(found) < MOST_FILES:
        for path in inside(waiting.pop(0)):
            seen += 1
            if path.name.startswith(".") or path.is_symlink():
                continue
            if path.is_dir():
                waiting.append(path)
            elif path.suffix in SUFFIXES:
                found.append(path.relative_to(start).as_posix())
    return found[:MOST_FILES]


def inside(folder: Path) -> list[Path]:
    """What a folder holds, in order; nothing of one that cannot be read."""
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def below(name: str, start: Path) -> Path:
    """The path of a name, links followed; SpecError where it leads out of the start folder."""
    try:
        path = (start / name).resolve()
    except (OSError, ValueError, RuntimeError):
        raise SpecError(f"'{echo(name)}' is no path; name a file in {echo_path(start)}") from None
    if not path.is_relative_to(start):
        raise SpecError(
            f"'{echo(name)}' lies outside {echo_path(start)}, where the studio was started; put "
            "the file there"
        )
    return path


def checked_changes(given: Any, start: Path) -> dict[str, Any]:
    """Texts by dotted keys, as a page sends them, read as values; an empty text takes away."""
    changes = values_of_texts(given)
    for key, value in changes.items():
        last = key.rpartition(".")[2]
        refuse_foreign_files({last: value}, start)
        if last in FILE_KEYS and isinstance(value, str):
            changes[key] = str(below(value, start))
    return changes


def values_of_texts(given: Any) -> dict[str, Any]:
    """Texts by keys, as a page sends them, as values; none where a text is empty."""
    from flank.io.spec_files import parse_assignments

    if not isinstance(given, Mapping):
        raise SpecError(f"{describe(given)} is given; what is asked are texts by keys")
    for key, text in given.items():
        if not isinstance(text, str) or "=" in key:
            raise SpecError(f"{echo(key)}: {describe(text)} is given; give a key and a text")
    return parse_assignments([f"{key}={text}" for key, text in given.items()])


def given_values(given: Any) -> dict[str, Any]:
    """The same without those whose text is empty; numbers lack a unit where none was written."""
    values = values_of_texts(given)
    asked = {key: value for key, value in values.items() if given[key].strip()}
    written: dict[str, Any] = units.as_written(asked)
    return written


def refuse_foreign_files(data: Any, start: Path) -> None:
    for name in _files_of(data):
        below(name, start)


def _files_of(data: Any) -> Iterator[str]:
    waiting, seen = [data], set()
    while waiting:
        value = waiting.pop()
        if not isinstance(value, (Mapping, list, tuple)) or id(value) in seen:
            continue
        seen.add(id(value))  # an alias of YAML may put a block into itself
        if isinstance(value, Mapping):
            yield from (
                one for key in FILE_KEYS for one in _texts(value.get(key)) if one is not None
            )
            waiting += value.values()
        else:
            waiting += value


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
