"""What `flank studio` does: check what was given, open the page, serve it until Ctrl-C."""

from __future__ import annotations

import webbrowser
from pathlib import Path

from flank.cli.terminal import say
from flank.errors import SpecError

DEFAULT = "cycloidal-drive"
"""The preset that is shown if nothing is named."""

LARGEST_PORT = 65_535


def studio(text: str | None, port: int, browser: bool) -> None:
    """Serve the page of a machine; SpecError where there is none, or no server."""
    from flank.cli.machine import find_machine

    if not 0 <= port <= LARGEST_PORT:
        raise SpecError(f"--port is {port}; give 1 to {LARGEST_PORT}, or 0 for any that is free")
    given = DEFAULT if text is None else text
    find_machine(given, {})
    try:
        from flank.studio.server import Studio
    except ModuleNotFoundError as error:
        raise SpecError(
            f"flank studio needs {error.name}; install it with: pip install 'flank[studio]'"
        ) from None
    start = Path.cwd()
    made = Studio(given, start, port)

    def ready() -> None:
        say(f"The studio is at {made.address}\nIt saves into {start}. Ctrl-C ends it.")
        if browser:
            webbrowser.open(made.address)

    made.serve(ready)
    say("\nThe studio is closed.")
