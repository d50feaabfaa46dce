"""Specs, reports and drawings into the start folder; nothing that is there is written over."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flank.errors import SpecError
from flank.io.files import write_new_file
from flank.texts import counted, echo, echo_path, joined

if TYPE_CHECKING:
    from flank.analyses.result import Result
    from flank.machines.base import Machine
    from flank.report.document import Document

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,79}")

RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
"""Names that are devices on Windows."""


def save_spec(machine: Any, name: Any, start: Path) -> str:
    """The name of the file that was written."""
    from flank.io.spec_files import write_yaml

    checked = _checked(name)
    path = start / (checked if checked.endswith((".yaml", ".yml")) else f"{checked}.yaml")
    with written(path):
        write_new_file(path, write_yaml(machine.spec.to_mapping()))
    return path.name


def save_report(result: Result, machine: Machine, name: Any, start: Path) -> str:
    """The name of the folder that was filled: report, result, spec and pictures."""
    from flank.design.verdict import judge
    from flank.report.folder import write_folder
    from flank.report.verdict import judgement_of

    folder = check_folder(name, start)
    with written(folder):
        write_folder(result, folder, verdict=judgement_of(judge(machine)))
    return folder.name


def save_document(document: Document, name: Any, start: Path) -> str:
    """The name of the folder that was filled with the files of a document."""
    from flank.report.folder import write_document

    folder = check_folder(name, start)
    with written(folder):
        write_document(document, folder)
    return folder.name


def save_parts(
    machine: Any, name: Any, kind: Any, start: Path, tell: Callable[[float], None]
) -> tuple[str, str]:
    """The name of the file that the machine's parts were written into, and how they stand there;
    `tell` may stop it before it is written."""
    from flank.cad.export import FORMATS, drawing_content

    if kind not in FORMATS:
        raise SpecError(f"parts are written as {joined(FORMATS, 'or')}")
    checked = _checked(name)
    suffix = f".{kind}"
    path = start / (checked if checked.endswith(suffix) else f"{checked}{suffix}")
    if path.exists() or path.is_symlink():
        raise SpecError(_taken(path.name, start))
    content, parts = drawing_content(machine, kind, {})
    tell(1.0)
    with written(path):
        write_new_file(path, content)
    return path.name, f"{counted(len(parts), 'part')} {FORMATS[kind].meaning}"


def check_folder(name: Any, start: Path) -> Path:
    """Of a name that is free in the start folder."""
    folder = start / _checked(name)
    if folder.exists() or folder.is_symlink():
        raise SpecError(_taken(folder.name, start))
    return folder


def known_folder(name: Any, start: Path) -> Path:
    """Of a name that is a folder there."""
    folder = start / _checked(name)
    if folder.is_symlink() or not folder.is_dir():
        raise SpecError(f"there is no folder {echo(folder.name)} in {echo_path(start)}")
    return folder


@contextmanager
def written(path: Path) -> Iterator[None]:
    """What the disk refuses, as a sentence."""
    try:
        yield
    except FileExistsError:
        raise SpecError(_taken(path.name, path.parent)) from None
    except OSError as error:
        raise SpecError(_unwritable(path, error)) from None


def _checked(name: Any) -> str:
    """A name in the start folder itself; SpecError for paths and whatever else."""
    if not isinstance(name, str) or not NAME.fullmatch(name) or RESERVED.fullmatch(name):
        given = echo(name) if isinstance(name, str) else "this"
        raise SpecError(
            f"'{given}' is no name; use letters, digits, blanks, '.', '-' and '_', as in my-drive"
        )
    if name.endswith((".", " ")):
        raise SpecError(f"'{echo(name)}' ends in what no system keeps; leave its last sign out")
    return name


def _taken(name: str, start: Path) -> str:
    return f"{echo(name)} exists in {echo_path(start)} and is left as it is; give another name"


def _unwritable(path: Path, error: OSError) -> str:
    return f"{echo_path(path)} cannot be written: {error.strerror or error}; give another name"
