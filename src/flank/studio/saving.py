"""Specs and reports into the start folder; nothing that is there is written over."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flank.errors import SpecError
from flank.io.files import write_new_file
from flank.texts import echo, echo_path

if TYPE_CHECKING:
    from flank.analyses.result import Result
    from flank.machines.base import Machine

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,79}")

RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
"""Names that are devices on Windows."""


def save_spec(machine: Any, name: Any, start: Path) -> str:
    """The name of the file that was written."""
    from flank.io.spec_files import write_yaml

    checked = _checked(name)
    path = start / (checked if checked.endswith((".yaml", ".yml")) else f"{checked}.yaml")
    try:
        write_new_file(path, write_yaml(machine.spec.to_mapping()))
    except FileExistsError:
        raise SpecError(_taken(path.name, start)) from None
    except OSError as error:
        raise SpecError(_unwritable(path, error)) from None
    return path.name


def save_report(result: Result, machine: Machine, name: Any, start: Path) -> str:
    """The name of the folder that was filled: report, result, spec and pictures."""
    from flank.design.verdict import judge
    from flank.report.folder import write_folder
    from flank.report.verdict import judgement_of

    folder = start / _checked(name)
    if folder.exists() or folder.is_symlink():
        raise SpecError(_taken(folder.name, start))
    try:
        write_folder(result, folder, verdict=judgement_of(judge(machine)))
    except OSError as error:
        raise SpecError(_unwritable(folder, error)) from None
    return folder.name


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
