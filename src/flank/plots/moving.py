"""Pictures that move: the machine turning with its loads, or swinging in a mode, as GIF or MP4."""

from __future__ import annotations

import io
import math
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from PIL import Image

from flank._version import __version__
from flank.analyses.drawing import Drawing
from flank.analyses.drawn_forces import DrawnForces
from flank.analyses.views import View, views_of
from flank.arrays import Floats
from flank.drawing.modes import modal_drawing
from flank.errors import SpecError
from flank.io.ownership import GENERATOR
from flank.io.shown import quantity_text
from flank.plots.force_arrows import Arrows
from flank.plots.machine import (
    COLOUR_MAP,
    LOWEST,
    MARGIN,
    MILLIMETRE,
    centre_of,
    draw_arrows,
    draw_outlines,
    reach_of,
)
from flank.plots.style import INK, Picture, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTHS = (120, 4000)
"""Pixels that a picture may be wide."""

DOTS_PER_INCH = 100
"""Where no width is given."""

SIZES = ((5.6, 5.6), (9.0, 4.7), (9.0, 3.4))
"""Width and height in inches of a picture with one to three panels."""

LONGEST = 0.3
"""Of the largest force in all frames, over how far the machine reaches."""

RATES = (1, 50)
"""Pictures a second that a GIF can have."""


class Moving:
    """Pictures of a drawing, one after the other, all to one scale."""

    def __init__(self, drawing: Drawing, pixels: int | None = None) -> None:
        """`pixels` is how wide they are."""
        self.drawing, self.views = drawing, views_of(drawing)
        self.width = SIZES[len(self.views) - 1][0]
        self.dots = pixels / self.width if pixels else DOTS_PER_INCH
        self.centres = [centre_of(drawing, view) for view in self.views]
        reach = [reach_of(self._at(k), self.views, self.centres, []) for k in self._some()]
        self.reach = max(r[0] for r in reach), max(r[1] for r in reach)
        self.longest = 0.0
        if drawing.forces is not None:
            self.longest = LONGEST * min(self.reach) / MILLIMETRE
            if not drawing.spatial:
                far = self._tails(drawing.forces)
                self.reach = (
                    max(self.reach[0], MARGIN * far[0]),
                    max(self.reach[1], MARGIN * far[1]),
                )

    def _some(self) -> list[int]:
        count = len(self.drawing.time)
        return sorted({round(k * (count - 1) / 6) for k in range(7)})

    def _at(self, frame: int) -> Drawing:
        return replace(self.drawing, poses=self.drawing.poses[frame : frame + 1])

    def _tails(self, forces: DrawnForces) -> tuple[float, float]:
        tails = forces.point - forces.force * (self.longest / forces.size.max())
        far = np.abs(tails).max(axis=0) * MILLIMETRE
        return float(far[0]), float(far[1])

    def pictures(self, frames: Sequence[int]) -> Iterator[Image.Image]:
        """Of the frames, as they are made."""
        for frame in frames:
            with styled():
                yield _image(self._picture(frame))

    def _picture(self, frame: int) -> Figure:
        width, height = SIZES[len(self.views) - 1]
        picture = Picture(width, height * max(self.reach[1] / self.reach[0], LOWEST), "")
        picture.set_dpi(self.dots)
        picture.subplots_adjust(0.01, 0.08, 0.99, 0.94, 0.02, 0.02)
        panels = picture.subplots(1, len(self.views), squeeze=False)[0]
        drawing, colours = self._at(frame), self._colours()
        for axes, view, centre in zip(panels, self.views, self.centres, strict=True):
            draw_outlines(axes, drawing, view)
            if drawing.forces is not None:
                arrows = self._arrows(drawing.forces, frame, view)
                known = np.isfinite(arrows.pressure)
                for chosen, colour in ((known, None), (~known, INK)):
                    part = Arrows(*(column[chosen] for column in arrows))
                    draw_arrows(axes, part, colour or colours.to_rgba(part.pressure))
            axes.set_xlim(centre[0] - self.reach[0], centre[0] + self.reach[0])
            axes.set_ylim(centre[1] - self.reach[1], centre[1] + self.reach[1])
            axes.set_aspect("equal")
            axes.set_axis_off()
            if len(self.views) > 1:
                axes.set_title(view.layer.capitalize(), loc="center")
        picture.text(0.01, 0.02, self._legend(), color=INK, fontsize=9)
        return picture

    def _colours(self) -> ScalarMappable:
        forces, top = self.drawing.forces, 1.0
        if forces is not None and np.isfinite(forces.pressure).any():
            top = float(np.nanmax(forces.pressure))
        return ScalarMappable(Normalize(0.0, top), COLOUR_MAP)

    def _legend(self) -> str:
        forces = self.drawing.forces
        if forces is None:
            return ""
        text = f"Longest arrow {quantity_text(float(forces.size.max()), 'N', 'N')}"
        if np.isfinite(forces.pressure).any():
            top = quantity_text(float(np.nanmax(forces.pressure)), "Pa", "MPa")
            text += f", darkest colour {top}"
        return text

    def _arrows(self, forces: DrawnForces, frame: int, view: View) -> Arrows:
        entries = forces.of_frame(frame)
        contacts = forces.contact[entries]
        layers = np.array(forces.layers)[contacts]
        shown = np.full(len(contacts), True)
        if not self.drawing.spatial:
            shown = (layers == "") | (layers == view.layer)
        tip = forces.point[entries][shown][:, list(view.axes)]
        way = forces.force[entries][shown][:, list(view.axes)]
        tail = tip - way * (self.longest / float(forces.size.max()))
        return Arrows(tip, tail, forces.pressure[entries][shown])


def _image(picture: Figure) -> Image.Image:
    canvas = picture.canvas
    canvas.draw()
    pixels = np.asarray(canvas.buffer_rgba())  # type: ignore[attr-defined]
    return Image.fromarray(pixels[..., :3].copy())


def swinging(drawing: Drawing, motion: Floats, count: int) -> Drawing:
    """A drawing whose frames are one period of a mode, from its largest displacement on."""
    swings = np.cos(2 * math.pi * np.arange(count) / count)
    return modal_drawing(drawing, motion, swings)


def gif(pictures: Iterator[Image.Image], rate: float) -> bytes:
    """A GIF that goes round for ever, all pictures in the colours of the first."""
    first = _with_white(
        next(pictures).quantize(128, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    )
    rest = [each.quantize(palette=first, dither=Image.Dither.NONE) for each in pictures]
    buffer = io.BytesIO()
    first.save(
        buffer,
        "GIF",
        save_all=True,
        append_images=rest,
        duration=1000 / rate,
        loop=0,
        comment=mark().encode(),
        optimize=False,
    )
    return buffer.getvalue()


def _with_white(picture: Image.Image) -> Image.Image:
    """The lightest of its colours is white, as the paper is."""
    palette = picture.getpalette() or []
    sums = [sum(palette[k : k + 3]) for k in range(0, len(palette), 3)]
    lightest = 3 * max(range(len(sums)), key=sums.__getitem__)
    picture.putpalette([*palette[:lightest], 255, 255, 255, *palette[lightest + 3 :]])
    return picture


def mark() -> str:
    """By which files that move are known as Flank's."""
    return f"{GENERATOR} {__version__}"


def find_ffmpeg() -> str:
    """The program that makes films; SpecError where there is none."""
    path = shutil.which("ffmpeg")
    if path is None:
        raise SpecError(
            "an MP4 needs the program ffmpeg, which is not on this machine; install it, or give "
            "--out with a name that ends in .gif"
        )
    return path


def mp4(pictures: Iterator[Image.Image], rate: float) -> bytes:
    """A film of even size, as H.264 wants it."""
    frames = [np.asarray(each) for each in pictures]
    height, width = (size - size % 2 for size in frames[0].shape[:2])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "film.mp4"
        command = [find_ffmpeg(), "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24"]
        command += ["-s", f"{width}x{height}", "-r", f"{rate:g}", "-i", "-", "-metadata"]
        command += [f"comment={mark()}", "-pix_fmt", "yuv420p", "-movflags", "+faststart"]
        data = b"".join(np.ascontiguousarray(each[:height, :width]).tobytes() for each in frames)
        made = subprocess.run([*command, str(path)], input=data, capture_output=True, check=False)
        if made.returncode or not path.exists():
            said = made.stderr.decode(errors="replace").strip().splitlines()
            raise SpecError(f"ffmpeg made no film: {said[-1] if said else 'it said nothing'}")
        return path.read_bytes()
