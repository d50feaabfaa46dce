"""Machines that turn on the pages of the site: a document, and the picture without script.

Beside them stand the module that draws and its style, so that the site has one copy of each file.
`docs/assets/moving.js` puts the drawing in the place of the picture.
"""

from pathlib import Path

from pictures import as_file
from PIL.Image import Image

from flank.analyses.result import Result
from flank.cli.animate import turning
from flank.drawing import document_of, document_text, script, style
from flank.machines.base import Machine
from flank.plots.moving import Moving

FOLDER = Path(__file__).parent.parent / "docs" / "moving"
FRAMES = 48
PIXELS = 760
"""Width of the still picture."""

DARK = "@media (prefers-color-scheme: dark)"
SITE_IS_DARK = '[data-md-color-scheme="slate"]'


def turned(machine: Machine) -> Result:
    """Equilibria over a turn of the shaft in which a whole number of teeth or pins passes."""
    return turning(machine, FRAMES, 1)[0]


def still(result: Result) -> Image:
    """The first frame."""
    assert result.drawing is not None
    return next(Moving(result.drawing, PIXELS).pictures([0]))


def write(name: str, machine: Machine) -> None:
    """NAME.json and NAME.png."""
    result = turned(machine)
    document = document_of(result) | {"curves": []}
    (FOLDER / f"{name}.json").write_text(document_text(document), encoding="utf-8")
    (FOLDER / f"{name}.png").write_bytes(as_file(still(result)))


def write_module() -> None:
    """The drawing as one script and one style, dark where the site is dark."""
    (FOLDER / "drawing.js").write_text(script(), encoding="utf-8")
    look = style()
    assert look.count(DARK) > 0
    (FOLDER / "drawing.css").write_text(look.replace(DARK, SITE_IS_DARK), encoding="utf-8")
