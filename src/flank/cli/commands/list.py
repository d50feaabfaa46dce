"""`flank list`."""

from typing import Annotated

import typer


def list_command(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="A machine, a preset, an analysis, or materials."),
    ] = None,
) -> None:
    """List the presets and the analyses, or all that can be said to one of them.

    Of a machine or a preset: every key of its spec with unit, default and meaning, and its
    analyses. Of an analysis: its settings. Of materials: those that need no definition.

    \b
    Examples:
      flank list
      flank list rv-reducer
      flank list hysteresis
      flank list materials
    """
    from flank.cli.listing import listing, named_listing
    from flank.cli.terminal import refusals

    with refusals():
        typer.echo(listing() if name is None else named_listing(name))
