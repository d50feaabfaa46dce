"""`flank new`."""

from pathlib import Path
from typing import Annotated

import typer


def new_command(
    preset: Annotated[str, typer.Argument(metavar="PRESET", help="One of `flank list`.")],
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A file that does not exist yet; printed if not given."),
    ] = None,
) -> None:
    """Write a preset's commented spec into a file, to be edited, or print it.

    \b
    Example:
      flank new cycloidal-drive --out my.yaml
    """
    from flank.cli.places import new
    from flank.cli.terminal import refusals

    with refusals():
        new(preset, out)
