"""`flank run`."""

from typing import Annotated

import typer

from flank.cli.commands.options import FormatOption, MachineArgument, OpenOption, SetOption


def run_command(
    machine: MachineArgument,
    analysis: Annotated[
        str | None,
        typer.Option(
            "--analysis",
            metavar="NAME",
            help="One of `flank list`; transmission-error of a reducer, joint-turns of a joint if "
            "not given.",
        ),
    ] = None,
    options: Annotated[
        list[str],
        typer.Option(
            "--option",
            metavar="KEY=VALUE",
            help="A setting of the analysis; may be given repeatedly.",
        ),
    ] = [],  # noqa: B006
    changes: SetOption = [],  # noqa: B006
    out: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="Where the files go; flank-out/<machine>-<analysis> if not given.",
        ),
    ] = None,
    formats: FormatOption = [],  # noqa: B006
    measured: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="A measured loop or transmission error, laid over the computed one.",
        ),
    ] = None,
    open_report: OpenOption = False,
) -> None:
    """Run one analysis of a machine.

    Prints its numbers and writes result, spec, pictures and report into a folder, where they
    replace those of an earlier run, and nothing else: a folder where they would is refused. Exits
    with 0 if the run completed, with 1 if it failed (what was found is written), with 2 if the
    input is refused and with 130 if it is stopped by Ctrl-C.

    \b
    Examples:
      flank run cycloidal-drive --open
      flank run my.yaml --analysis hysteresis --option torque='200 N*m' --out loop
      flank run cycloidal-drive --format csv --format markdown
      flank run monocrank --set pins.radius='3.4 mm' --set discs.equidistant='40 um'
      flank run my.yaml --analysis hysteresis --measured loop.csv
    """
    from flank.cli.terminal import interrupts, refusals

    with refusals(), interrupts():
        from flank.cli.run import run

        complete = run(machine, analysis, options, changes, out, open_report, formats, measured)
    if not complete:
        raise typer.Exit(1)
