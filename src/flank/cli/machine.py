"""From what was typed to a machine: a preset's name or a spec file's path, with changes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flank.errors import SpecError, suggestion
from flank.presets import preset_names
from flank.texts import echo, echo_path

if TYPE_CHECKING:
    from flank.machines.base import Machine


SUFFIXES = (".yaml", ".yml", ".json", ".txt", ".rexs")


def check_name(text: str) -> None:
    """Refuse what is neither a preset nor a file, before anything slow is imported."""
    known = preset_names()
    if text in known or _exists(text):
        return
    hint = suggestion(text, known)
    if os.path.basename(text) != text or text.endswith(SUFFIXES):
        raise SpecError(_no_file(text, suggestion(Path(text).stem, known)))
    raise SpecError(
        f"'{echo(text)}' is not a preset, and no such file exists{hint} Presets: {', '.join(known)}"
    )


def _no_file(text: str, hint: str) -> str:
    """What looks like the path of a file is one that is not there."""
    folder = os.path.abspath(os.path.dirname(text)) if "\0" not in text else "any folder"
    missing = f"there is no file '{echo(os.path.basename(text))}' in {echo_path(folder)}"
    if not os.path.isdir(folder):
        missing = f"there is no folder '{echo_path(folder)}'"
    if hint != ".":
        return f"{missing}{hint.replace('mean', 'mean the preset')}"
    return f"{missing}; give the path of a spec file, or a preset of `flank list`"


def find_machine(text: str, changes: dict[str, Any]) -> Machine:
    """The machine by preset name, else by path."""
    from flank import api

    check_name(text)
    return api.preset(text, changes) if text in preset_names() else api.load(text, changes)


def short_name(text: str) -> str:
    """A name for a folder: the preset's, or the file's without its suffix."""
    return text if text in preset_names() else Path(text).stem


def _exists(path: str) -> bool:
    """Whether a file is there; a name that the system does not take is none."""
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False
