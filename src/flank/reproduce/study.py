"""What a reproduced study gives: tables, sentences about them, and pictures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from flank.io.shown import Table

if TYPE_CHECKING:
    from flank.plots.style import Picture


@dataclass(frozen=True)
class Study:
    """`tables` and `pictures` by the name of their file; `notes` are numbered as tables cite them.

    `lead` says what was done and `findings` what came out; `complete` is False where a computation
    failed and its figures are missing.
    """

    title: str
    lead: str
    tables: dict[str, Table]
    notes: dict[str, str]
    findings: list[str]
    pictures: dict[str, Picture]
    spec: Mapping[str, Any] = field(default_factory=dict)
    complete: bool = True
