"""`flank compare`."""

from typing import Annotated

import typer

from flank.cli.commands.options import FormatOption, OpenOption


def compare_command(
    sides: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PRESET|FILE|RESULT...",
            help="Two or more: presets, spec files, result files or folders with one.",
        ),
    ] = None,
    analyses: Annotated[
        list[str],
        typer.Option(
            "--analysis",
            metavar="NAME",
            help="What all are asked; may be given repeatedly. Those that fit all and take seconds "
            "if not given.",
        ),
    ] = [],  # noqa: B006
    options: Annotated[
        list[str],
        typer.Option(
            "--option",
            metavar="ANALYSIS.KEY=VALUE",
            help="A setting of an analysis; may be given repeatedly.",
        ),
    ] = [],  # noqa: B006
    out: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER", help="Where the files go; flank-out/compare-<names> if not given."
        ),
    ] = None,
    formats: FormatOption = [],  # noqa: B006
    open_report: OpenOption = False,
) -> None:
    """Set machines or results beside one another.

    Prints which keys of their specs differ, and figures of the analyses that fit all side by side,
    the better one marked; writes tables, curves over one another and a report. Where one of them is
    a result, the others are asked the same. Exits with 0, with 1 if a run failed, with 2 if the
    input is refused and with 130 if it is stopped by Ctrl-C.

    \b
    Examples:
      flank compare rv-40 rv-80
      flank compare my.yaml flank-out/my-optimize/optimum.yaml --analysis transmission-error
    """
    from flank.cli.terminal import interrupts, refusals

    with refusals(), interrupts():
        from flank.cli.compare import compare

        complete = compare(sides or [], analyses, options, out, formats, open_report)
    if not complete:
        raise typer.Exit(1)
