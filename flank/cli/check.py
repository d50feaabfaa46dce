"""What `flank check` prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from flank.cli.machine import find_machine
from flank.io.shown import count_text, number_text
from flank.io.spec_files import parse_assignments

if TYPE_CHECKING:
    from flank.geometry.findings import Finding

_SHOWN_UNITS = {"m": ("mm", 1e3)}


def check(text: str, assignments: list[str]) -> None:
    """Build the machine and print its findings; SpecError if it cannot be built."""
    machine = find_machine(text, parse_assignments(assignments))
    findings = machine.findings()
    if not findings:
        typer.echo(f"{machine.title}: no findings.")
        return
    count = f"{len(findings)} finding{'s' if len(findings) > 1 else ''}"
    typer.echo(f"{machine.title}: {count}.")
    _print_table(findings)


def _print_table(findings: Sequence[Finding]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for heading in ("finding", "value", "limit", "what is found", "what to change"):
        justify = "right" if heading in ("value", "limit") else "left"
        whole = heading in ("finding", "value", "limit")
        table.add_column(heading, justify=justify, no_wrap=whole)  # type: ignore[arg-type]
    for finding in findings:
        value, limit = (_amount(number, finding.unit) for number in (finding.value, finding.limit))
        name = f"{finding.severity}: {finding.code}"
        table.add_row(name, value, limit, finding.message, finding.remedy)
    Console(highlight=False, markup=False).print(table)


def _amount(value: float, unit: str) -> str:
    shown_unit, scale = _SHOWN_UNITS.get(unit, (unit, 1.0))
    number = number_text(value * scale) if unit else count_text(value)
    return f"{number} {shown_unit}".rstrip()
