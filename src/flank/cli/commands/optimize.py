"""`flank optimize`."""

from typing import Annotated

import typer

from flank.cli.commands.options import FormatOption, MachineArgument, OpenOption, SetOption


def optimize_command(
    machine: MachineArgument,
    vary: Annotated[
        list[str],
        typer.Option(
            "--vary",
            metavar="KEY=LOW..HIGH",
            help="A key of the spec and its bounds; may be given repeatedly.",
        ),
    ] = [],  # noqa: B006
    better: Annotated[
        list[str],
        typer.Option(
            "--for",
            metavar="FIGURE",
            help="A figure to be improved, as transmission-error.peak_to_peak; two give a front.",
        ),
    ] = [],  # noqa: B006
    smallest: Annotated[
        list[str],
        typer.Option("--minimize", metavar="FIGURE", help="The same, to be as small as can be."),
    ] = [],  # noqa: B006
    largest: Annotated[
        list[str],
        typer.Option("--maximize", metavar="FIGURE", help="The same, to be as large as can be."),
    ] = [],  # noqa: B006
    subject_to: Annotated[
        list[str],
        typer.Option(
            "--subject-to",
            metavar="LIMIT",
            help="What a figure may be, as 'backlash < 1 arcmin'; may be given repeatedly.",
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
    changes: SetOption = [],  # noqa: B006
    evaluations: Annotated[
        int | None,
        typer.Option(metavar="N", help="Specs tried at most; 80 a key if not given, 160 of two."),
    ] = None,
    minutes: Annotated[float | None, typer.Option(help="Time at most.")] = None,
    seed: Annotated[
        int, typer.Option(min=0, help="By which points are spread; another finds other paths.")
    ] = 0,
    points: Annotated[int, typer.Option(min=2, max=100, help="Of a front, that are wanted.")] = 9,
    allow_findings: Annotated[
        bool,
        typer.Option(
            "--allow-findings",
            help="Also specs about which `flank check` finds what it does not find now.",
        ),
    ] = False,
    out: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER", help="Where the files go; flank-out/<machine>-optimize if not given."
        ),
    ] = None,
    formats: FormatOption = [],  # noqa: B006
    open_report: OpenOption = False,
) -> None:
    """Vary keys of a spec until a figure is as good as can be within limits.

    Every spec that is tried is run. Prints the machine as it is and the optimum side by side, what
    holds the optimum, and figures around it; writes the optimal spec, all trials, pictures and a
    report. A figure is one of an analysis, or of the check as check.wall_to_root. Ctrl-C ends it
    with the best so far. Exits with 0 if a spec keeps all limits, with 1 if none does, with 2 if
    the input is refused and with 130 if it is stopped.

    \b
    Examples:
      flank optimize cycloidal-drive --vary discs.equidistant='0..20 um'
          --for transmission-error.peak_to_peak --subject-to 'backlash > 1 arcmin'
      flank optimize my.yaml --vary eccentricity='0.8..1.6 mm' --vary pins.radius='2..4 mm'
          --for hysteresis.torsional_stiffness --for hysteresis.largest_pin_pressure
    """
    from flank.cli.terminal import INTERRUPTED, interrupts, refusals

    with refusals(), interrupts():
        from flank.cli.optimize import Effort, Wanted, optimize

        found, stopped = optimize(
            machine,
            vary,
            Wanted(better, smallest, largest, subject_to),
            options,
            changes,
            Effort(evaluations, minutes, seed, points),
            allow_findings,
            out,
            formats,
            open_report,
        )
    if stopped or not found:
        raise typer.Exit(INTERRUPTED if stopped else 1)
