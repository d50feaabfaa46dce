"""Options that several commands have."""

from typing import Annotated

import typer

MachineArgument = Annotated[
    str, typer.Argument(metavar="PRESET|FILE", help="A preset's name or the path of a spec file.")
]
SetOption = Annotated[
    list[str],
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Change one key of the spec; KEY= or KEY=null takes it away, so that its default "
        "holds. May be given repeatedly.",
    ),
]
FormatOption = Annotated[
    list[str],
    typer.Option(
        "--format",
        metavar="NAME",
        help="A further format of the files, as csv or markdown; may be given repeatedly.",
    ),
]
OpenOption = Annotated[bool, typer.Option("--open", help="Show the report in the browser.")]
