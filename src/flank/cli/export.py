"""What `flank export` does."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from flank.cli.terminal import say
from flank.errors import SpecError
from flank.io.shown import prose
from flank.texts import counted, echo_path

if TYPE_CHECKING:
    from flank.fmi.unit import Kind

WIDTH = 80


class Unit(NamedTuple):
    """What a unit is asked to be."""

    version: int = 2
    contents: str = "block"


FORMATS = ("fmu", "dxf", "step", "svg", "csv", "rexs", "ross", "opentorsion", "mat", "xlsx")

MODELS = ("rexs", "ross", "opentorsion")

OF_RESULTS = ("mat", "xlsx")


def export(
    source: str, asked: Mapping[str, str], unit: Unit, options: list[str], assignments: list[str]
) -> None:
    """Write one file, and say what is in it."""
    if len(asked) != 1:
        given = " and ".join(f"--{name}" for name in asked) or "none"
        names = ", ".join(f"--{name}" for name in FORMATS)
        verb = "are" if len(asked) > 1 else "is"
        raise SpecError(f"one file is written a call, as one of {names}; {given} {verb} given")
    ((name, path),) = asked.items()
    if name != "fmu" and unit != Unit():
        raise SpecError(
            "--version and --contents are of units alone; leave them out, or give --fmu"
        )
    if name in OF_RESULTS:
        _export_result(source, path, name, [*options, *assignments])
    elif Path(source).suffix == ".nc":
        raise SpecError(
            f"{echo_path(source)} is a result, and --{name} is of machines; give its spec.yaml"
        )
    elif name == "fmu":
        _export_unit(source, path, unit, options, assignments)
    elif name in MODELS:
        _export_model(source, path, name, options, assignments)
    else:
        _export_drawing(source, path, name, options, assignments)


def _export_model(
    text: str, path: str, name: str, options: list[str], assignments: list[str]
) -> None:
    from flank.cli.machine import find_machine
    from flank.exchange.export import TARGETS, export_model
    from flank.io.spec_files import parse_assignments
    from flank.io.targets import check_target

    check_target(path, TARGETS[name])
    settings = parse_assignments(options)
    machine = find_machine(text, parse_assignments(assignments))
    target, told = export_model(machine, path, name, settings)
    say(prose(machine.title))
    for line in told:
        say(textwrap.fill(f"  {line}", WIDTH, subsequent_indent=" " * 15))
    say(f"\nWritten to {target}, {target.stat().st_size / 1024:.0f} kB")


def _export_result(source: str, path: str, name: str, given: list[str]) -> None:
    from flank.api import read
    from flank.io.targets import check_target
    from flank.report.result_files import RESULT_FILES, write_result_file

    kind = RESULT_FILES[name]
    target = check_target(path, kind.target)
    if given:
        raise SpecError(f"a result is written as it is; leave out {given[0]}")
    if Path(source).suffix != ".nc" and not Path(source).is_dir():
        raise SpecError(
            f"--{name} is of results; give the path of a result.nc, as `flank run` writes it"
        )
    result = read(source)
    write_result_file(result, target, name)
    say(f"{prose(result.title)}: {len(result.data.variables)} quantities {kind.meaning}")
    say(f"\nWritten to {target}")


def _export_drawing(
    text: str, path: str, name: str, options: list[str], assignments: list[str]
) -> None:
    from flank.cad.export import FORMATS, export_drawing
    from flank.cad.placing import layers_of
    from flank.cli.machine import find_machine
    from flank.io.spec_files import parse_assignments
    from flank.io.targets import check_target

    check_target(path, FORMATS[name].target)
    settings = parse_assignments(options)
    machine = find_machine(text, parse_assignments(assignments))
    target, parts = export_drawing(machine, path, name, settings)
    say(f"{prose(machine.title)}: {counted(len(parts), 'part')} {FORMATS[name].meaning}")
    line = f"  layers      {'; '.join(layers_of(parts))}"
    say(textwrap.fill(line, WIDTH, subsequent_indent=" " * 14, break_on_hyphens=False))
    say(f"\nWritten to {target}, {target.stat().st_size / 1024:.0f} kB")


def _export_unit(
    text: str, path: str, asked: Unit, options: list[str], assignments: list[str]
) -> None:
    from flank.cli.machine import find_machine
    from flank.fmi.export import UNIT, export_unit, find_binary
    from flank.io.spec_files import parse_assignments
    from flank.io.targets import check_target

    check_target(path, UNIT)
    find_binary(asked.version)
    settings = parse_assignments(options)
    machine = find_machine(text, parse_assignments(assignments))
    written = export_unit(machine, path, asked.version, asked.contents, settings)
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
    say(f"\nWritten to {written.path}, FMI {asked.version}, {written.size / 1024:.0f} kB")
