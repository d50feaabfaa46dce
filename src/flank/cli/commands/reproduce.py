"""`flank reproduce`."""

from typing import Annotated

import typer

from flank.cli.commands.options import FormatOption, OpenOption


def reproduce_command(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="The study; without it all are listed.")
    ] = None,
    coarse: Annotated[
        bool,
        typer.Option(
            "--coarse", help="Fewer points and shorter ramps; still takes a minute or two."
        ),
    ] = False,
    out: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER", help="Where the files go; flank-out/reproduce-<name> if not given."
        ),
    ] = None,
    formats: FormatOption = [],  # noqa: B006
    open_report: OpenOption = False,
) -> None:
    """Redo a published study and set its figures beside ours, with the reasons for differences.

    Prints the tables and writes them (CSV, Markdown), pictures and a page into a folder. Exits with
    0 if every computation completed, with 1 if one failed, with 2 if the input is refused and with
    130 if it is stopped by Ctrl-C.

    \b
    Examples:
      flank reproduce
      flank reproduce reducers --out study
    """
    from flank.cli.terminal import interrupts, refusals
    from flank.reproduce.registry import listing

    if name is None:
        typer.echo(listing())
        return
    with refusals(), interrupts():
        from flank.cli.run import reproduce

        complete = reproduce(name, coarse, out, open_report, formats)
    if not complete:
        raise typer.Exit(1)
