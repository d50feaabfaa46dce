"""What the pictures of all studies have in common."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from matplotlib.axes import Axes

from flank.plots.style import WIDE, Picture, styled
from flank.reproduce.study import Paper


@contextmanager
def drawn(
    paper: Paper, name: str, number: int | None = None
) -> Iterator[tuple[Picture, list[Axes]]]:
    """A picture of the width of a page and its panels, the first `number` of them.

    `paper.yaml` has the caption, the height in inches and for each panel its place, the properties
    of its axes, as labels and limits, and its legend, which it gets where curves have names.
    """
    layout = paper.pictures[name]
    panels = layout["panels"][:number]
    with styled():
        picture = Picture(WIDE, layout["height"], layout["caption"])
        axes = [picture.add_axes(panel["place"]) for panel in panels]
        yield picture, axes
        for each, panel in zip(axes, panels, strict=True):
            each.set(**panel.get("axes", {}))
            legend = {**layout.get("legend", {}), **panel.get("legend", {})}
            if legend and each.get_legend_handles_labels()[0]:
                each.legend(**legend)
