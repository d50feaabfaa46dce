"""`flank check`."""

from typing import Annotated

import typer

from flank.cli.commands.options import MachineArgument, SetOption


def check_command(
    machine: MachineArgument,
    changes: SetOption = [],  # noqa: B006
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 on warnings.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the verdict as JSON, values in SI.")
    ] = False,
) -> None:
    """Check whether a machine may be released, in a second.

    Prints a light, what is doubtful with value and limit and what to change by how much, the worst
    first, and derived figures: sizes, walls, and from static solves at rated and peak torque
    pressures, play and stiffness. Exits with 0 if nothing is an error, with 1 on warnings where
    --strict is given, and with 2 if the light is red or the machine cannot be built.

    \b
    Examples:
      flank check my.yaml --set eccentricity='1.5 mm'
      flank check my.yaml --set discs.points_file=null
      flank check my.yaml --strict --json
    """
    from flank.cli.check import check
    from flank.cli.terminal import refusals

    with refusals():
        status = check(machine, changes, strict, as_json)
    if status:
        raise typer.Exit(status)
