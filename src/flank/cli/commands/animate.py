"""`flank animate`."""

from pathlib import Path
from typing import Annotated

import typer

from flank.cli.commands.options import SetOption


def animate_command(
    source: Annotated[
        str,
        typer.Argument(
            metavar="PRESET|FILE|RESULT", help="A preset, a spec file, or a result.nc of a run."
        ),
    ],
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="The file to write, .gif or .mp4 (with ffmpeg).")
    ],
    changes: SetOption = [],  # noqa: B006
    mode: Annotated[
        int | None, typer.Option("--mode", metavar="K", help="Swing in this mode instead.")
    ] = None,
    frames: Annotated[int, typer.Option("--frames", help="Pictures, at most.")] = 60,
    turns: Annotated[
        int,
        typer.Option("--turns", help="Turns of the shaft in which whole teeth or pins pass."),
    ] = 1,
    rate: Annotated[float, typer.Option("--rate", help="Pictures a second.")] = 20.0,
    width: Annotated[
        int | None,
        typer.Option(
            "--width", metavar="PIXELS", help="How wide the picture is; 560 to 900 if not given."
        ),
    ] = None,
) -> None:
    """Write a picture that moves: the machine turning with its loads, or swinging in a mode.

    Arrows are contact forces, all on one scale; colours are pressures. A run over whole turns is
    computed first, or a result is shown as it is. A file that Flank did not write is left alone.

    \b
    Examples:
      flank animate cycloidal-drive --out drive.gif
      flank animate planetary-lin-parker --mode 4 --out mode.gif
      flank animate flank-out/cv-joint-joint-turns/result.nc --out joint.mp4
    """
    from flank.cli.terminal import interrupts, refusals

    with refusals(), interrupts():
        from flank.cli.animate import Asked, animate

        complete = animate(Asked(source, out, changes, mode, frames, turns, rate, width))
    if not complete:
        raise typer.Exit(1)
