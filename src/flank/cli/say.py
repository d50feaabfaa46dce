"""What goes to the terminal and may hold words of the user's: made printable here."""

import sys

import typer

from flank.texts import printable


def say(text: str) -> None:
    """Print lines on stdout."""
    typer.echo(printable(text, kept="\n"))


def complain(sentence: str) -> None:
    """Print one line on stderr."""
    print(printable(sentence), file=sys.stderr)
