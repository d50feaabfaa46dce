"""`flank dossier`."""

from typing import Annotated

import typer

from flank.cli.commands.options import FormatOption, MachineArgument, OpenOption, SetOption


def dossier_command(
    machine: MachineArgument,
    changes: SetOption = [],  # noqa: B006
    out: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="Where the files go; flank-out/<machine>-dossier if not given.",
        ),
    ] = None,
    revision: Annotated[
        str, typer.Option(metavar="TEXT", help="Of the drawing, for the title block.")
    ] = "",
    author: Annotated[str, typer.Option(metavar="TEXT", help="For the title block.")] = "",
    formats: FormatOption = [],  # noqa: B006
    open_report: OpenOption = False,
) -> None:
    """Ask a machine all that fits it, and write one dated report.

    Title block, verdict with its margins, drawing with dimensions, loads and lives, and a part for
    every analysis that fits; a page that prints on A4, all numbers as spreadsheet and JSON. An
    analysis that fails is told in its place, and the others go on. Exits with 0 if all completed,
    with 1 if one did not, with 2 if the input is refused and with 130 if it is stopped by Ctrl-C.

    \b
    Examples:
      flank dossier my.yaml --out dossier --revision B --author 'E. Noether'
      flank dossier cycloidal-drive --open
    """
    from flank.cli.terminal import interrupts, refusals

    with refusals(), interrupts():
        from flank.cli.dossier import dossier

        complete = dossier(machine, changes, out, revision, author, formats, open_report)
    if not complete:
        raise typer.Exit(1)
