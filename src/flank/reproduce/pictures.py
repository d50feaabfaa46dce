"""What the pictures of all studies have in common."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from matplotlib.axes import Axes

from flank.plots.style import WIDE, Picture, styled
from flank.reproduce.study import Paper

GREEN = "#5b9a68"


@contextmanager
def drawn(paper: Paper, name: str, height: float) -> Iterator[Picture]:
    """A picture of the width of a page, in the house style, with its caption."""
    with styled():
        yield Picture(WIDE, height, paper.pictures[name])


def describe(axes: Axes, x: str, y: str, title: str | None = None, /, **legend: Any) -> None:
    """Names of the axes, a title, and a legend where curves have names."""
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    if title is not None:
        axes.set_title(title)
    if legend and axes.get_legend_handles_labels()[0]:
        axes.legend(**legend)
