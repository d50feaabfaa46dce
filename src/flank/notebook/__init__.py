"""How machines, results and verdicts show themselves to Python people; see `flank.showing`.

    pages.py    what a notebook shows of them
    sketch.py   a machine as a small picture of lines
    widget.py   a view that plays, with anywidget; its page in `browser/`
    still.py    what stands in its place without it

Nothing is imported before something is shown.
"""

from collections.abc import Callable
from typing import Any

from flank.showing import SHOWERS


def _later(name: str) -> Callable[..., Any]:
    def show(*given: Any, **how: Any) -> Any:
        from flank.notebook.pages import PAGES

        return PAGES[name](*given, **how)

    return show


def attach() -> None:
    """Let machines, results and verdicts show themselves."""
    for name in ("result", "machine", "verdict", "finding", "figure", "view"):
        SHOWERS.setdefault(name, _later(name))
