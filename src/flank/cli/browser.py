"""Shows a report in the browser, where there is one with a window; a run never waits for it."""

import webbrowser
from collections.abc import Iterable
from pathlib import Path

import typer


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
