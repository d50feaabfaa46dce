"""A machine or a result as a widget of a notebook that plays: the drawing module, its frame and
whether it plays as traits, so that Python sets and reads them."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import anywidget
import traitlets

from flank.drawing import module_with, style
from flank.notebook.still import document_of_shown, still_page


def _text(name: str) -> str:
    return files("flank.notebook").joinpath("browser", name).read_text("utf-8")


class View(anywidget.AnyWidget):  # type: ignore[misc]
    """What is shown plays, is scrubbed and zoomed in the page. Set `frame` (from 0 to `frames` less
    one) and `playing`, or observe them; `show` puts another machine or result in its place."""

    _esm = module_with(_text("widget.js"))
    _css = style() + _text("widget.css")

    document: Any = traitlets.Dict().tag(sync=True)
    frame: Any = traitlets.Float(0.0).tag(sync=True)
    playing: Any = traitlets.Bool(False).tag(sync=True)

    def __init__(self, shown: Any, turns: float, playing: bool) -> None:
        self._turns = turns
        self._shown = shown
        super().__init__(document=document_of_shown(shown, turns), playing=playing)

    @property
    def frames(self) -> int:
        """How many poses there are to be played."""
        mechanism = self.document.get("mechanism")
        return int(mechanism["frames"]["count"]) if mechanism else 0

    def show(self, shown: Any) -> None:
        """Another machine or result in the same place; zoom and frame stay."""
        self._shown = shown
        self.document = document_of_shown(shown, self._turns)
        self.frame = min(self.frame, max(self.frames - 1, 0))

    @traitlets.validate("frame")
    def _within(self, proposal: Any) -> float:
        return min(max(float(proposal["value"]), 0.0), float(max(self.frames - 1, 0)))

    def _repr_mimebundle_(self, **how: Any) -> Any:
        """With the still picture, for where no widgets are known."""
        bundle = super()._repr_mimebundle_(**how)
        if bundle is None:
            return None
        data, more = bundle if isinstance(bundle, tuple) else (bundle, {})
        return {**data, "text/html": still_page(self._shown)}, more
