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
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.ticker import MultipleLocator

from flank._version import __version__
from flank.io.ownership import GENERATOR
from flank.io.shown import factor, unit_text

if TYPE_CHECKING:
    import xarray
    from numpy.typing import NDArray

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
DISC_COLOURS = (MAIN, SECOND, "#5b9a68")
DISC_NAMES = ("First disc", "Second disc", "Third disc")

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
        FigureCanvasAgg(self)
        self.caption = caption
        self._png: bytes | None = None

    def png(self) -> bytes:
        """The picture as a PNG file, rendered once."""
        if self._png is None:
            buffer = io.BytesIO()
            with styled():
                self.savefig(
                    buffer,
                    format="png",
                    metadata={"Software": f"{GENERATOR} {__version__}"},
                    pil_kwargs={"compress_level": 4},
                )
            self._png = buffer.getvalue()
        return self._png


@contextmanager
def styled() -> Iterator[None]:
    """Draw in the house style and leave the user's own settings alone."""
    with matplotlib.rc_context(STYLE):
        yield


def shown(variable: xarray.DataArray) -> NDArray:
    """Values of a quantity in the unit meant for people."""
    return variable.values * factor(variable.attrs["units"], variable.attrs["shown_unit"])


def label(variable: xarray.DataArray, title: str | None = None) -> str:
    """A quantity's name with the unit of `shown`, for an axis."""
    name = title or str(variable.attrs["long_name"])
    unit = unit_text(variable.attrs["shown_unit"])
    return f"{name} ({unit})" if unit else name


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
