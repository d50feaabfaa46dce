"""The command `flank`. Each command imports what it needs when it runs, so that help is quick."""

import gc
from pathlib import Path
from typing import Annotated

import typer

from flank._version import __version__

app = typer.Typer(
    help=(
        "How gears, reducers and joints transmit motion, computed from explicit contact "
        "geometry.\n\n"
        "\b\nExample:\n  flank run cycloidal-drive --analysis hysteresis"
    ),
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

MachineArgument = Annotated[
    str, typer.Argument(metavar="PRESET|FILE", help="A preset's name or the path of a spec file.")
]
SetOption = Annotated[
    list[str],
    typer.Option(
        "--set", metavar="KEY=VALUE", help="Change one key of the spec; may be given repeatedly."
    ),
]


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"flank {__version__}")
        raise typer.Exit()


@app.callback()
def _flank(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    pass


@app.command("list")
def list_command(
    analysis: Annotated[
        str | None, typer.Argument(metavar="[ANALYSIS]", help="List this one's settings.")
    ] = None,
) -> None:
    """List the presets and the analyses, or the settings of one analysis.

    \b
    Examples:
      flank list
      flank list hysteresis
    """
    from flank.cli.listing import listing, settings_listing
    from flank.cli.refusals import refusals

    with refusals():
        typer.echo(settings_listing(analysis) if analysis else listing())


@app.command("new")
def new_command(
    preset: Annotated[str, typer.Argument(metavar="PRESET", help="One of `flank list`.")],
) -> None:
    """Print a preset's commented spec, to be saved and edited.

    \b
    Example:
      flank new cycloidal-drive > my.yaml
    """
    from flank.cli.refusals import refusals
    from flank.presets import preset_text

    with refusals():
        typer.echo(preset_text(preset), nl=False)


@app.command("check")
def check_command(machine: MachineArgument, changes: SetOption = []) -> None:  # noqa: B006
    """Check a machine without running it.

    Prints what is doubtful about it and what to change. Exits with 0 if the machine can be built,
    doubtful or not, and with 2 if it cannot.

    \b
    Example:
      flank check my.yaml --set eccentricity='1.5 mm'
    """
    from flank.cli.check import check
    from flank.cli.refusals import refusals

    with refusals():
        check(machine, changes)


@app.command("run")
def run_command(
    machine: MachineArgument,
    analysis: Annotated[
        str, typer.Option("--analysis", metavar="NAME", help="One of `flank list`.")
    ] = "transmission-error",
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
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Where the files go; flank-out/<machine>-<analysis> if not given.",
        ),
    ] = None,
) -> None:
    """Run one analysis of a machine.

    Prints its numbers and writes result, spec, pictures and report into a folder, where they
    replace those of an earlier run. Exits with 0 if the run completed, with 1 if it failed (what
    was found is written) and with 2 if the input is refused.

    \b
    Examples:
      flank run cycloidal-drive
      flank run my.yaml --analysis hysteresis --option torque='200 N*m' --out loop
      flank run monocrank --set pins.radius='3.4 mm' --set discs.equidistant='40 um'
    """
    from flank.cli.refusals import refusals
    from flank.cli.run import run

    with refusals():
        complete = run(machine, analysis, options, changes, out)
    if not complete:
        raise typer.Exit(1)


@app.command("reproduce")
def reproduce_command(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="The study; without it all are listed.")
    ] = None,
    coarse: Annotated[
        bool, typer.Option("--coarse", help="Fewer points and shorter ramps, in a few seconds.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Where the files go; flank-out/reproduce-<name> if not given."
        ),
    ] = None,
) -> None:
    """Redo a published study and set its figures beside ours, with the reasons for differences.

    Prints the tables and writes them (CSV, Markdown), pictures and a page into a folder. Exits with
    0 if every computation completed, with 1 if one failed and with 2 if the input is refused.

    \b
    Examples:
      flank reproduce
      flank reproduce reducers --out study
    """
    from flank.cli.refusals import refusals
    from flank.reproduce.registry import listing

    if name is None:
        typer.echo(listing())
        return
    with refusals():
        from flank.cli.reproduce import reproduce

        complete = reproduce(name, coarse, out)
    if not complete:
        raise typer.Exit(1)


def main() -> None:
    """Entry point of the command."""
    # Most of a short run is imports, and a tenth of their time is the collector.
    gc.disable()
    app()


if __name__ == "__main__":
    main()
