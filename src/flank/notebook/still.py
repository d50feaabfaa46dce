"""What stands where a view cannot play: the still picture, and how to get one that moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flank.analyses.drawing import drawing_at_rest
from flank.analyses.result import Result
from flank.drawing import document_of, document_of_turning
from flank.notebook.sketch import sketch

if TYPE_CHECKING:
    from flank.analyses.drawing import Drawing

MISSING = "It stands still here: one that plays needs anywidget, pip install 'flank[notebook]'."


def view_of(shown: Any, turns: float = 1.0, playing: bool = False) -> Any:
    """A widget that plays; a still picture where anywidget is missing."""
    try:
        from flank.notebook.widget import View
    except ModuleNotFoundError as error:
        if error.name not in ("anywidget", "traitlets", "ipywidgets"):
            raise
        return Still(shown)
    return View(shown, turns, playing)


def document_of_shown(shown: Any, turns: float) -> dict[str, Any]:
    """What the drawing module draws of a machine or a result."""
    return document_of(shown) if isinstance(shown, Result) else document_of_turning(shown, turns)


def still_page(shown: Any) -> str:
    """The picture alone; its title where there is none."""
    drawing: Drawing | None
    drawing = shown.drawing if isinstance(shown, Result) else drawing_at_rest(shown)
    return (sketch(drawing) if drawing else "") or shown._repr_html_() or ""


class Still:
    """In place of a view."""

    def __init__(self, shown: Any) -> None:
        self._shown = shown

    def show(self, shown: Any) -> None:
        """Another machine or result, seen where this is shown again."""
        self._shown = shown

    def _repr_html_(self) -> str:
        return f"{still_page(self._shown)}<p>{MISSING}</p>"

    def __repr__(self) -> str:
        return f"<a picture of {self._shown!r}. {MISSING}>"
