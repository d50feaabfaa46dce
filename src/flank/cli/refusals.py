"""A refused input ends a command with sentences and status 2, never with a traceback."""

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from flank.cli.say import complain
from flank.errors import SpecError

REFUSED = 2


@contextmanager
def refusals() -> Iterator[None]:
    """Turns a SpecError inside into its sentences on stderr."""
    try:
        yield
    except SpecError as error:
        for sentence in error.problems:
            complain(sentence)
        raise typer.Exit(REFUSED) from None
