"""The command `flank`. Each command imports what it needs when it runs, so that help is quick."""

import gc
from typing import Annotated

import typer

from flank._version import __version__
from flank.cli.commands.animate import animate_command
from flank.cli.commands.check import check_command
from flank.cli.commands.compare import compare_command
from flank.cli.commands.design import design_group
from flank.cli.commands.dossier import dossier_command
from flank.cli.commands.export import export_command
from flank.cli.commands.list import list_command
from flank.cli.commands.new import new_command
from flank.cli.commands.optimize import optimize_command
from flank.cli.commands.reproduce import reproduce_command
from flank.cli.commands.run import run_command
from flank.cli.commands.studio import studio_command
from flank.cli.commands.study import study_group
from flank.cli.usage import FlankGroup

app = typer.Typer(
    cls=FlankGroup,
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


app.command("list")(list_command)
app.command("new")(new_command)
app.command("check")(check_command)
app.command("run")(run_command)
app.command("dossier")(dossier_command)
app.command("animate")(animate_command)
app.command("studio")(studio_command)
app.command("compare")(compare_command)
app.command("optimize")(optimize_command)
app.command("export")(export_command)
app.command("reproduce")(reproduce_command)
app.add_typer(study_group, name="study")
app.add_typer(design_group, name="design")


def main() -> None:
    """Entry point of the command."""
    # Most of a short run is imports, and a tenth of their time is the collector.
    gc.disable()
    app(prog_name="flank")


if __name__ == "__main__":
    main()
