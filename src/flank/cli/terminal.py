"""How a command speaks: lines made printable, refusals, Ctrl-C, progress, the browser.

A refused input ends a command with sentences and status 2, never with a traceback; Ctrl-C with a
sentence that says what was kept, and status 130. A run never waits for the browser.
"""

from __future__ import annotations

import sys
import time
import webbrowser
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from flank.errors import SpecError
from flank.texts import printable

if TYPE_CHECKING:
    from rich.progress import Progress

    from flank.studies.study import Pace


def say(text: str) -> None:
    """Print lines on stdout."""
    typer.echo(printable(text, kept="\n"))


def complain(sentence: str) -> None:
    """Print one line on stderr."""
    print(printable(sentence), file=sys.stderr)


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


INTERRUPTED = 130


@contextmanager
def interrupts(kept: Callable[[], str] = lambda: "nothing was written") -> Iterator[None]:
    """Turns Ctrl-C inside into a sentence; `kept` says what is there then."""
    started = time.monotonic()
    try:
        yield
    except KeyboardInterrupt:
        seconds = time.monotonic() - started
        if sys.stderr.isatty():
            print(file=sys.stderr)  # after the ^C that a terminal shows
        print(f"Stopped after {seconds:.1f} s; {kept()}.", file=sys.stderr)
        raise typer.Exit(INTERRUPTED) from None


def kept_in(folder: Path, page: str) -> Callable[[], str]:
    """What to say of a folder, by what has become of its page since now."""
    path = folder / page
    before = _mark(path)

    def kept() -> str:
        now = _mark(path)
        if now != before:
            return f"its files are in {folder}"
        if now is not None:
            return f"nothing was written, the files of an earlier run in {folder} are untouched"
        return "nothing was written"

    return kept


def _mark(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns


FIRST_RUN = "First run: compiling the kernels takes 20 to 40 s; later runs start at once."


@contextmanager
def shown_progress(title: str) -> Iterator[Callable[[float], None] | None]:
    """A function to be told the share done; None when stderr is not a terminal."""
    with _shown_bar(title.replace("-", " ")) as tell:
        yield None if tell is None else lambda share: tell(share, "")


@contextmanager
def shown_words(title: str) -> Iterator[Callable[[float, str], None] | None]:
    """The same with words of what is being done."""
    with _shown_bar(title) as tell:
        yield tell


@contextmanager
def shown_pace(title: str) -> Iterator[Callable[[Pace], None] | None]:
    """The same of a study, with its rate and the time that is left."""
    from flank.cli.study import duration_words

    def words(pace: Pace) -> str:
        left = duration_words(pace.remaining)
        return f"{pace.known} of {pace.samples}, {pace.rate:.3g}/s, {left} left"

    with _shown_bar(title) as tell:
        yield None if tell is None else lambda pace: tell(pace.known / pace.samples, words(pace))


@contextmanager
def _shown_bar(title: str) -> Iterator[Callable[[float, str], None] | None]:
    """A function to be told the share done, and words to stand behind the bar."""
    if not any(_compiled()):
        print(FIRST_RUN, file=sys.stderr)
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

    ahead, behind = TextColumn("{task.description}"), TextColumn("{task.fields[words]}")
    columns = (ahead, BarColumn(), TaskProgressColumn(), behind)
    progress = Progress(*columns, console=Console(stderr=True), transient=True)
    with progress as bar, _compiling_told(bar), _elements_told(bar):
        task = bar.add_task(title, total=1.0, words="")
        yield lambda share, words: bar.update(task, completed=share, words=words)


@contextmanager
def _compiling_told(bar: Progress) -> Iterator[None]:
    """A second bar while functions are compiled; how many there will be is not known before."""
    from flank.native.cache import listeners

    task = bar.add_task("compiling kernels", total=None, visible=False, words="")
    count = 0

    def tell() -> None:
        nonlocal count
        count += 1
        bar.update(task, description=f"compiling kernels, {count} by now", visible=True)

    listeners.append(tell)
    try:
        yield
    finally:
        listeners.remove(tell)


ELEMENTS = {
    "influence": "finite elements: how a gear's flanks give way",
    "modes": "finite elements: modes of a gear",
    "shapes": "finite elements: modes of a gear",
}
"""What is said of each kind of result that is computed once and kept."""


@contextmanager
def _elements_told(bar: Progress) -> Iterator[None]:
    """A bar of its own while finite elements are computed, which only the first run does."""
    from flank.elasticity.finite_elements.store import listeners

    task = bar.add_task("finite elements", total=1.0, visible=False, words="")

    def tell(kind: str, share: float) -> None:
        words = ELEMENTS.get(kind, "finite elements")
        bar.update(
            task, description=words, completed=share, visible=share < 1.0, refresh=share == 0.0
        )

    listeners.append(tell)
    try:
        yield
    finally:
        listeners.remove(tell)


def _compiled() -> Iterator[bool]:
    from flank.native.library import library

    if library():
        return iter([True])
    from flank.native.compiling import cache_directory

    directory = cache_directory()
    if directory is None:  # which has been told, with what it means
        return iter([True])
    return (True for _ in directory.glob("*.nbc"))


def show(written: Iterable[Path]) -> None:
    """Open the page among the files of a run in the browser, or say how else it can be seen."""
    report = next(path for path in written if path.suffix == ".html")
    address = report.resolve().as_uri()
    if not _opened(address):
        typer.echo(
            f"No browser could be opened here; open {report} yourself, or {address}.", err=True
        )


def _opened(address: str) -> bool:
    try:
        browser = webbrowser.get()
        return not _takes_the_terminal(browser) and browser.open(address)
    except (webbrowser.Error, OSError):
        return False


def _takes_the_terminal(browser: webbrowser.BaseBrowser) -> bool:
    """Whether it runs in the terminal, as lynx does, and returns when it is closed."""
    if isinstance(browser, webbrowser.UnixBrowser):
        return not browser.background
    generic = isinstance(browser, webbrowser.GenericBrowser)
    return generic and not isinstance(browser, webbrowser.BackgroundBrowser)
