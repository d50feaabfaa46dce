"""What `flank export` does."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from flank.cli.terminal import say
from flank.io.shown import prose

if TYPE_CHECKING:
    from flank.fmi.unit import Kind

WIDTH = 80


def export(
    text: str,
    path: str,
    version: int,
    contents: str,
    options: list[str],
    assignments: list[str],
) -> None:
    """Write one machine as a unit, and say what is in it."""
    from flank.cli.machine import find_machine
    from flank.fmi.export import check_target, export_unit, find_binary
    from flank.io.spec_files import parse_assignments

    check_target(path)
    find_binary(version)
    settings = parse_assignments(options)
    machine = find_machine(text, parse_assignments(assignments))
    written = export_unit(machine, path, version, contents, settings)
    unit = written.unit
    say(prose(unit.description))
    for warning in unit.warnings:
        say(textwrap.fill(f"Warning: {prose(warning)}", WIDTH, subsequent_indent="  "))
    kinds: tuple[Kind, ...] = ("input", "output", "parameter")
    for kind in kinds:
        names = [variable.name for variable in unit.of_kind(kind)]
        line = f"  {kind + 's':<11} {', '.join(names) or 'none'}"
        say(textwrap.fill(line, WIDTH, subsequent_indent=" " * 14, break_on_hyphens=False))
    say(f"  {'platform':<11} {written.platform}")
    say(f"\nWritten to {written.path}, FMI {version}, {written.size / 1024:.0f} kB")
