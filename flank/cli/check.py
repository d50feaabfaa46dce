"""What `flank check` prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from flank.cli.machine import find_machine
from flank.io.shown import count_text, factor, number_text
from flank.io.spec_files import parse_assignments
from flank.machines.base import HasDerived

if TYPE_CHECKING:
    from flank.geometry.findings import Finding
    from flank.machines.base import Derived

SMALL_LENGTH = 1e-4


def check(text: str, assignments: list[str]) -> None:
    """Build the machine and print its findings; SpecError if it cannot be built."""
    machine = find_machine(text, parse_assignments(assignments))
    findings = machine.findings()
    if findings:
        count = f"{len(findings)} warning{'s' if len(findings) > 1 else ''}"
        typer.echo(f"{machine.title}: {count}.")
        _print_table(findings)
    else:
        typer.echo(f"{machine.title}: no findings.")
    if isinstance(machine, HasDerived):
        _print_derived(machine.derived())


def _print_derived(derived: Sequence[Derived]) -> None:
    """Keys that the spec leaves out, with what the machine is built with instead."""
    if not derived:
        return
    typer.echo("\nBy the sizing rule, as the spec leaves them out:")
    numbers = [_shown(one) for one in derived]
    width = max(len(one.key) for one in derived)
    digits = max(len(number) for number in numbers)
    for one, number in zip(derived, numbers, strict=True):
        typer.echo(f"  {one.key:<{width}}  {number:>{digits}} {one.shown_unit}".rstrip())


def _shown(one: Derived) -> str:
    if not one.shown_unit:
        return count_text(one.value)
    return number_text(one.value * factor(one.unit, one.shown_unit))


def _print_table(findings: Sequence[Finding]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    table.add_column("finding", no_wrap=True)
    table.add_column("value", justify="right", no_wrap=True)
    table.add_column("limit", justify="right", no_wrap=True)
    table.add_column("what to change")
    for finding in findings:
        remedy = f"{finding.message}; {finding.remedy}"
        table.add_row(finding.code, *_amounts(finding), remedy)
    Console(highlight=False, markup=False).print(table)


def _amounts(finding: Finding) -> tuple[str, str]:
    """Value and limit, lengths in mm or, where both are small, in um."""
    unit, scale = finding.unit, 1.0
    if unit == "m":
        small = max(abs(finding.value), abs(finding.limit)) < SMALL_LENGTH
        unit, scale = ("um", 1e6) if small else ("mm", 1e3)
    value, limit = (f"{number_text(x * scale)} {unit}" for x in (finding.value, finding.limit))
    return value.rstrip(), limit.rstrip()
