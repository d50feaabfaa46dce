"""How all pictures look, and the figure they are drawn on.

pyplot is not used: it costs most of a second to import, and a library has no use for its windows.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure, FigureBase
from matplotlib.ticker import MultipleLocator

from flank._version import __version__
from flank.io.ownership import GENERATOR
from flank.io.shown import factor, quantity_text, unit_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from flank.analyses.labelled import LabelledArray
    from flank.analyses.result import Result
    from flank.arrays import Floats

DOTS_PER_INCH = 130
WIDE = 9.4
"""Width in inches that fills the page of a report."""

INK = "#222222"
MAIN = "#1f5a94"
SECOND = "#d17a1f"
ACCENT = "#b3261e"
QUIET = "#8a8f98"
FAINT = "#d9dce1"
BODY = "#eceff3"
GREEN = "#5b9a68"
COLOURS = (MAIN, SECOND, GREEN, "#8c6bb1", "#c9a227", "#3aa6b9", ACCENT, "#6d6d6d")
"""Of curves side by side."""

STYLE: Any = {
    "font.size": 9.0,
    "axes.labelsize": 9.0,
    "axes.titlesize": 9.5,
    "axes.titlelocation": "left",
    "axes.titlepad": 7.0,
    "axes.edgecolor": QUIET,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.formatter.useoffset": False,
    "grid.color": FAINT,
    "grid.linewidth": 0.5,
    "text.color": INK,
    "xtick.color": QUIET,
    "ytick.color": QUIET,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.major.width": 0.7,
    "ytick.major.width": 0.7,
    "lines.linewidth": 1.2,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
}


class Picture(Figure):
    """A figure on an Agg canvas that knows its caption."""

    def __init__(self, width: float, height: float, caption: str) -> None:
        """Size in inches; `caption` says what one sees."""
        super().__init__(figsize=(width, height), dpi=DOTS_PER_INCH)
        self._canvas = FigureCanvasAgg(self)
        self.caption = caption
        self._png: bytes | None = None

    def lay_out(self) -> None:
        """Let axes make room for what stands beside them."""
        self.set_layout_engine("constrained", w_pad=0.07, h_pad=0.06, hspace=0.03, wspace=0.03)

    def panels(self, rows: int = 1, columns: int = 1, **options: Any) -> NDArray[Any]:
        """Axes (rows, columns) that are laid out; options are those of `subplots`."""
        self.lay_out()
        axes: NDArray[Any] = self.subplots(rows, columns, squeeze=False, **options)
        return axes

    def panel(self) -> Axes:
        """The only axes of a picture."""
        axes: Axes = self.panels()[0, 0]
        return axes

    def png(self) -> bytes:
        """The picture as a PNG file, rendered once."""
        if self._png is None:
            buffer = io.BytesIO()
            with styled():
                # Not by savefig, which draws a picture that is laid out twice.
                self._canvas.print_png(  # type: ignore[no-untyped-call]
                    buffer,
                    metadata={"Software": f"{GENERATOR} {__version__}"},
                    pil_kwargs={"compress_level": 4},
                )
            self._png = buffer.getvalue()
        return self._png

    def _repr_png_(self) -> bytes:
        """What a notebook shows, with or without pyplot."""
        return self.png()


@contextmanager
def styled() -> Iterator[None]:
    """Draw in the house style and leave the user's own settings alone."""
    with matplotlib.rc_context(STYLE):
        yield


def shown(variable: LabelledArray) -> Floats:
    """Values of a quantity in the unit meant for people."""
    scale = factor(variable.attrs["units"], variable.attrs["shown_unit"])
    return np.asarray(variable.values * scale)


def label(variable: LabelledArray, title: str | None = None) -> str:
    """A quantity's name with the unit of `shown`, for an axis."""
    name = title or str(variable.attrs["long_name"])
    unit = unit_text(variable.attrs["shown_unit"])
    return f"{name} ({unit})" if unit else name


def figure_text(result: Result, name: str) -> str:
    """A number of the summary with its unit."""
    attributes = result.data[name].attrs
    return quantity_text(float(result.data[name]), attributes["units"], attributes["shown_unit"])


def add_colour_bar(
    picture: FigureBase, image: ScalarMappable, title: str, panels: Any, share: float = 1.0
) -> None:
    """A scale of colours to the right of some panels, as tall as a share of them."""
    bar = picture.colorbar(image, ax=panels, aspect=40 * share, pad=0.015, shrink=share)
    bar.set_label(title)
    bar.outline.set_visible(False)


def legend_beside(axes: Axes) -> None:
    """The legend in the right margin."""
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.02), handlelength=1.2, borderaxespad=0.0)


def legend_above(axes: Axes, columns: int = 2) -> None:
    """The legend above the axes, to the right of the title."""
    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 0.98), ncols=columns, handlelength=1.0)


def angle_ticks(axes: Axes, first: float, last: float) -> None:
    """Ticks of a degree axis at parts of a turn."""
    span = last - first
    step: float = next((step for step in (5, 15, 30, 45, 90, 180, 360) if span / step <= 9), 0)
    step = step or 360 * math.ceil(span / 360 / 9)
    axes.set_xlim(first, last)
    axes.xaxis.set_major_locator(MultipleLocator(step))


def white_to_dark() -> LinearSegmentedColormap:
    """Colours of a load: none is white."""
    return LinearSegmentedColormap.from_list("load", ["#ffffff", "#a9cbe8", MAIN, "#0a1c3a"])


def widen(axes: Axes, part: float) -> None:
    """A vertical range of at least `part` of its middle: nearly constant curves look so."""
    low, high = axes.get_ylim()
    middle = 0.5 * (low + high)
    least = part * abs(middle)
    if high - low < least:
        axes.set_ylim(middle - 0.5 * least, middle + 0.5 * least)
