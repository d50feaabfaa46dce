"""How machines and results show themselves to Python people; see `flank.showing`.

Nothing is imported before something is shown.
"""

from collections.abc import Callable
from typing import Any

from flank.showing import SHOWERS


def _later(name: str) -> Callable[..., Any]:
    def show(*given: Any) -> Any:
        from flank.notebook.pages import PAGES

        return PAGES[name](*given)

    return show


def attach() -> None:
    """Let machines and results show themselves."""
    for name in ("result", "machine", "figure"):
        SHOWERS.setdefault(name, _later(name))
