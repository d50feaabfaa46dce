"""`flank studio`."""

from typing import Annotated

import typer


def studio_command(
    machine: Annotated[
        str | None,
        typer.Argument(
            metavar="PRESET|FILE",
            help="A preset's name or the path of a spec file; cycloidal-drive if none is given.",
        ),
    ] = None,
    port: Annotated[
        int, typer.Option(metavar="NUMBER", help="Of this computer; any that is free if 0.")
    ] = 0,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the page's address and open nothing.")
    ] = False,
) -> None:
    """Open a page on this computer: a spec under sliders, its picture and answers beside it.

    The machine is drawn and its loads are computed anew while a slider moves; findings light their
    field and offer a remedy. Specs and reports are saved into the present folder. Nothing outside
    this computer reaches the page, nor does it ask for anything there. Needs the extra
    flank[studio]. Ctrl-C ends it.

    \b
    Examples:
      flank studio my.yaml
      flank studio rv-320 --port 8000 --no-browser
    """
    from flank.cli.studio import studio
    from flank.cli.terminal import refusals

    with refusals():
        studio(machine, port, not no_browser)
