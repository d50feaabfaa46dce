"""From what was typed to a machine: a preset's name or a spec file's path, with changes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from flank.cli.places import exists
from flank.errors import SpecError, suggestion
from flank.presets import preset_names

if TYPE_CHECKING:
    from flank.machines.base import Machine


def check_name(text: str) -> None:
    """Refuse what is neither a preset nor a file, before anything slow is imported."""
    known = preset_names()
    if text not in known and not exists(text):
        hint = suggestion(text, known)
        raise SpecError(
            f"'{text}' is not a preset, and no such file exists{hint} Presets: {', '.join(known)}"
        )


def find_machine(text: str, changes: dict[str, Any]) -> Machine:
    """The machine by preset name, else by path."""
    from flank import api

    check_name(text)
    return api.preset(text, changes) if text in preset_names() else api.load(text, changes)


def short_name(text: str) -> str:
    """A name for a folder: the preset's, or the file's without its suffix."""
    return text if text in preset_names() else Path(text).stem
