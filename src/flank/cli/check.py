"""What `flank check` prints."""

from __future__ import annotations

import itertools
import math
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from flank.blas import one_blas_thread
from flank.cli.machine import find_machine
from flank.cli.terminal import REFUSED, say
from flank.io.shown import count_text, factor, number_text, prose, unit_text
from flank.io.spec_files import parse_assignments
from flank.machines.base import (
    HasDerived,
    HasGearData,
    HasMeasuredParts,
    HasRatedLoads,
    MayLackStructure,
)
from flank.texts import as_in_specs

if TYPE_CHECKING:
    from flank.design.figure import Shown
    from flank.design.verdict import Judged, Verdict
    from flank.machines.base import DataRow, DataTable, Derived

WIDTH = 80
INDENT = 4
SMALL_LENGTH = 1e-4

ROUND_OFF = 1e-12
"""m, below which a length is zero."""


def check(text: str, assignments: list[str], strict: bool = False, as_json: bool = False) -> int:
    """Build the machine and print its verdict; SpecError if it cannot be built. The exit status."""
    from flank.design.verdict import judge

    with one_blas_thread():  # small matrices: a second thread costs more than it saves
        machine = find_machine(text, parse_assignments(assignments))
        verdict = judge(machine)
        if as_json:
            import json

            say(json.dumps(verdict.to_mapping(), indent=2, ensure_ascii=False))
        else:
            _print_verdict(verdict)
    if verdict.light == "red":
        return REFUSED
    return int(strict and verdict.light == "amber")


def _print_verdict(verdict: Verdict) -> None:
    from flank.report.verdict import kept, told

    machine, findings = verdict.machine, verdict.findings
    say(f"{machine.title}: {verdict.light}, {told(findings)}.")
    if words := kept(verdict):
        say(textwrap.fill(f"{words.removeprefix('; ')}.", WIDTH))
    if findings:
        _print_findings(findings)
    _print_figures(verdict)
    if isinstance(machine, MayLackStructure) and machine.contacts_only:
        say("\n" + textwrap.fill(machine.contacts_only, WIDTH))
    if isinstance(machine, HasGearData):
        for table in machine.gear_data():
            print_data(table)
    if isinstance(machine, HasMeasuredParts):
        for table in machine.measured_data():
            print_data(table)
    if isinstance(machine, HasRatedLoads):
        for table in machine.rated_loads():
            print_data(table)
    if isinstance(machine, HasDerived):
        _print_derived(machine.derived(), machine.derived_heading)
    if findings:
        _print_assumptions(getattr(machine.spec, "assumptions", ()))


def _print_figures(verdict: Verdict) -> None:
    """Group by group, a figure a line."""
    rows = [
        (each.group, each.title, _number(each), unit_text(each.shown_unit))
        for each in verdict.figures.shown()
    ]
    if not rows:
        return
    width = max(len(title) for _, title, _, _ in rows)
    digits = max(len(number) for _, _, number, _ in rows)
    for group, lines in itertools.groupby(rows, key=lambda row: row[0]):
        say(f"\n{group}")
        for _, title, number, unit in lines:
            say(f"  {title:<{width}}  {number:>{digits}} {unit}".rstrip())


def _number(each: Shown) -> str:
    if math.isnan(each.value):
        return "-"
    if not each.shown_unit:
        return count_text(each.value)
    return number_text(each.value * factor(each.unit, each.shown_unit))


def _print_assumptions(assumptions: Sequence[str]) -> None:
    """What the source does not give, or gives such that things are found: below the findings."""
    if not assumptions:
        return
    say("\nAssumptions:")
    for line in assumptions:
        say(textwrap.fill(prose(line), WIDTH, initial_indent="  ", subsequent_indent="    "))


def print_data(table: DataTable) -> None:
    """A row for each quantity, its unit at the end."""
    cells = [[_cell(row, value) for value in row.values] for row in table.rows]
    width = max(len(table.title), *(2 + len(row.title) for row in table.rows))
    widths = [
        max(len(column), *(len(line[k]) for line in cells))
        for k, column in enumerate(table.columns)
    ]
    heads = [f"{column:>{wide}}" for column, wide in zip(table.columns, widths, strict=True)]
    say("\n" + "  ".join([f"{table.title:<{width}}", *heads]))
    for row, line in zip(table.rows, cells, strict=True):
        shown = [f"{cell:>{wide}}" for cell, wide in zip(line, widths, strict=True)]
        say("  ".join([f"  {row.title:<{width - 2}}", *shown, unit_text(row.shown_unit)]).rstrip())
    for note in table.notes:
        say(textwrap.fill(prose(note), WIDTH, initial_indent="  ", subsequent_indent="    "))


def _cell(row: DataRow, value: float) -> str:
    if math.isnan(value):
        return "-"
    if row.unit == "m" and abs(value) < ROUND_OFF:
        return "0"
    if not row.shown_unit:
        return count_text(value)
    return number_text(value * factor(row.unit, row.shown_unit), row.digits)


def _print_derived(derived: Sequence[Derived], heading: str) -> None:
    """What the machine is built with where the spec leaves it out, or what follows from it."""
    if not derived:
        return
    say(f"\n{heading}")
    numbers = [_shown(quantity) for quantity in derived]
    width = max(len(quantity.key) for quantity in derived)
    digits = max(len(number) for number in numbers)
    for quantity, number in zip(derived, numbers, strict=True):
        line = f"  {quantity.key:<{width}}  {number:>{digits}} {quantity.shown_unit}"
        say(f"{line}{_published(quantity)}".rstrip())


def _published(quantity: Derived) -> str:
    """Between which values it would lie by published sets."""
    if quantity.published is None:
        return ""
    low, high = (_shown(replace(quantity, value=end)) for end in quantity.published)
    return f"   published sets: {low} to {high}"


def _shown(quantity: Derived) -> str:
    if not quantity.shown_unit:
        return count_text(quantity.value)
    return number_text(quantity.value * factor(quantity.unit, quantity.shown_unit))


RELATIONS = {"at_least": "at least", "at_most": "at most", None: "limit"}


def _print_findings(findings: Sequence[Judged]) -> None:
    """Each with its value and limit on one line; below it what is wrong, what to do about it, and
    where the limit comes from."""
    width = max(len(finding.code) for finding in findings)
    for finding in findings:
        value, limit = _amounts(finding)
        told = f"{value}, {RELATIONS[finding.relation]} {limit}"
        say(f"\n{finding.severity:<7}  {finding.code:<{width}}  {told}")
        _say_indented(f"{finding.message}; {finding.remedy}" + (":" if finding.changes else ""))
        for key, to in finding.changes.items():
            say(f"{'':{2 * INDENT}}--set {key}={_quoted(to)}")
        if finding.relation:  # that of geometry needs no words
            _say_indented(f"[{finding.source}]")


def _say_indented(text: str) -> None:
    indent = " " * INDENT
    say(textwrap.fill(prose(text), WIDTH, initial_indent=indent, subsequent_indent=indent))


def _quoted(value: object) -> str:
    """As a shell takes it."""
    text = as_in_specs(value) if isinstance(value, (Mapping, list, tuple)) else str(value)
    return f"'{text}'" if " " in text else text


def _amounts(finding: Judged) -> tuple[str, str]:
    """Value and limit in the unit of the figure; where it names none lengths in mm or, where both
    are small, in um, angles in deg."""
    unit, scale = finding.unit, 1.0
    if finding.shown_unit:
        unit, scale = unit_text(finding.shown_unit), factor(finding.unit, finding.shown_unit)
    elif unit == "m":
        small = max(abs(finding.value), abs(finding.limit)) < SMALL_LENGTH
        unit, scale = ("um", 1e6) if small else ("mm", 1e3)
    elif unit == "rad":
        unit, scale = "deg", factor("rad", "deg")
    elif unit == "N/m":
        unit, scale = "N/µm", 1e-6
    value, limit = (f"{number_text(x * scale)} {unit}" for x in (finding.value, finding.limit))
    return value.rstrip(), limit.rstrip()
