"""A progress bar where someone is looking, and a word when the first run has to compile."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

FIRST_RUN = "First run: compiling the kernels takes 20 to 40 s; later runs start at once."


@contextmanager
def shown_progress(title: str) -> Iterator[Callable[[float], None] | None]:
    """A function to be told the share done; None when stderr is not a terminal."""
    if not any(_compiled()):
        print(FIRST_RUN, file=sys.stderr)
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title.replace("-", " "), total=1.0)
        yield lambda share: bar.update(task, completed=share)


def _compiled() -> Iterator[bool]:
    from flank.kernel import cache_directory

    directory = cache_directory()
    if directory is None:  # which has been told, with what it means
        return iter([True])
    return (True for _ in directory.glob("*.nbc"))
