"""The pictures of README and docs.

    python pages/pictures.py      writes docs/pictures/ and what stands below each picture

They are those of the reports, in fewer colours.
"""

import io
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from marked import write_marked
from PIL import Image

import flank
from flank.analyses.result import Result
from flank.io.shown import quantity_text
from flank.plots import figures
from flank.plots.study import draw
from flank.plots.style import Picture

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "pictures"
COLOURS = 256
"""Of a palette: a drawing needs no more, and the file is a quarter as large."""


@dataclass(frozen=True)
class Shown:
    """A picture of a result: its file, where it stands, and the words below it."""

    name: str
    preset: str
    analysis: str
    pages: tuple[Path, ...]
    picture: str
    words: Callable[[Result], str]

    @property
    def file(self) -> Path:
        return FOLDER / f"{self.name}.png"

    def result(self) -> Result:
        return flank.run(flank.preset(self.preset), self.analysis)

    def place(self, page: Path, result: Result) -> str:
        """Picture and words as Markdown, for a page."""
        words = self.words(result)
        path = self.file.relative_to(page.parent).as_posix()
        command = f"`flank run {self.preset} --analysis {self.analysis}`"
        return f"![{words.partition(':')[0]}]({path})\n\n*{words} From {command}.*"


def loads(result: Result) -> str:
    """What the arrows of a load distribution say."""
    figures, pins = result.dataset, result.dataset["pin_force"]
    torque, force = abs(float(figures["torque"])), float(pins.max())
    return (
        f"The two discs of an RV reducer under {torque:.0f} N·m, to scale: arrows are contact "
        f"forces, coloured by the Hertz pressure. {int(figures['loaded_pin_count'])} of "
        f"{pins.size} places where a pin may touch a disc carry, {force:.0f} N at most; the dark "
        "arrows are forces of crank rollers."
    )


def loop(result: Result) -> str:
    """The three figures that are read from a loop."""
    figures = {
        name: quantity_text(one.item(), one.attrs["units"], one.attrs["shown_unit"])
        for name, one in result.dataset.items()
        if not one.dims
    }
    return (
        "Torque and twist of an RV reducer with its input held: the stiffness "
        f"{figures['torsional_stiffness']}, lost motion {figures['lost_motion']} and backlash "
        f"{figures['backlash']} are read from the loop."
    )


README, INDEX = ROOT / "README.md", ROOT / "docs" / "index.md"

SHOWN = (
    Shown(
        "rv-320-loads",
        "rv-320",
        "load-distribution",
        (README, INDEX),
        "drive",
        loads,
    ),
    Shown(
        "rv-320-loop",
        "rv-320",
        "hysteresis",
        (INDEX,),
        "hysteresis",
        loop,
    ),
)


def as_file(image: Image.Image) -> bytes:
    """A PNG with a palette."""
    buffer = io.BytesIO()
    method = Image.Quantize.FASTOCTREE  # keeps rare colours, as those of a scale
    image.convert("RGB").quantize(COLOURS, method=method, dither=Image.Dither.NONE).save(
        buffer, "PNG", optimize=True
    )
    return buffer.getvalue()


def image_of(picture: Picture) -> Image.Image:
    """As it is drawn."""
    return Image.open(io.BytesIO(picture.png()))


STUDY = ROOT / "examples" / "study.yaml"
STUDY_PICTURES = ("study-histograms", "study-worst")
"""Of docs/examples/study.md, whose words tests compare with the example."""


def study_pictures() -> dict[str, Picture]:
    """Those of the study among the examples."""
    with tempfile.TemporaryDirectory() as folder:
        pictures = draw(flank.study(STUDY, folder))
    return {name: pictures[name] for name in STUDY_PICTURES}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, picture in study_pictures().items():
        (FOLDER / f"{name}.png").write_bytes(as_file(image_of(picture)))
    for one in SHOWN:
        result = one.result()
        one.file.write_bytes(as_file(image_of(figures(result)[one.picture])))
        for page in one.pages:
            write_marked(page, one.name, one.place(page, result))
        print(f"{one.file.relative_to(ROOT)}: {one.file.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
