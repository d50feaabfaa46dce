"""`flank new`."""

from pathlib import Path
from typing import Annotated

import typer

from flank.cli.commands.options import SetOption


def new_command(
    preset: Annotated[
        str | None, typer.Argument(metavar="[PRESET]", help="One of `flank list`.")
    ] = None,
    source: Annotated[
        Path | None,
        typer.Option(
            "--from", metavar="FILE", help="In place of a preset: a REXS file of another program."
        ),
    ] = None,
    stage: Annotated[
        int | None,
        typer.Option(metavar="ID", help="Of a REXS file with several stages, which one to take."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A file that does not exist yet; printed if not given."),
    ] = None,
    changes: SetOption = [],  # noqa: B006
) -> None:
    """Write a spec into a file, to be edited, or print it: a preset's, with its comments, or that
    of a cylindrical or planetary stage in a REXS file.

    Of a REXS file it tells what was taken, assumed and ignored. What a spec needs and the file does
    not tell is asked for; give it with --set.

    \b
    Examples:
      flank new cycloidal-drive --out my.yaml
      flank new --from gearbox.rexs --stage 20 --set operation.torque='500 N*m' --out my.yaml
    """
    from flank.cli.places import new, new_from_rexs
    from flank.cli.terminal import refusals

    with refusals():
        if source is not None:
            new_from_rexs(source, preset, stage, changes, out)
        else:
            new(preset, stage, changes, out)
