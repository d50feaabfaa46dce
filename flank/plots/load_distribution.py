"""Pictures of a load distribution: the drive with its contact forces, and bars for all contacts."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize

from flank import units
from flank.analyses.result import Result
from flank.errors import SpecError
from flank.io.shown import quantity_text
from flank.machines.base import Machine
from flank.machines.cycloidal_drive import CycloidalDrive
from flank.machines.registry import machine_from_mapping
from flank.plots.contact_bars import bars_picture, force_names
from flank.plots.drive import MILLIMETRE, draw_drive, outermost
from flank.plots.force_arrows import draw_arrows, force_arrows, largest
from flank.plots.style import WIDE, Picture, styled

COLOUR_MAP = "plasma_r"
LONGEST_ARROW = 0.32
"""Length of the largest force over the radius of the pin circle."""


def draw(result: Result) -> dict[str, Picture]:
    """What the result has of: drive, contact-loads."""
    if not force_names(result):
        return {}
    with styled():
        pictures: dict[str, Picture] = {}
        drive = _rebuilt(result)
        if isinstance(drive, CycloidalDrive):
            pictures["drive"] = _drive_picture(result, drive)
        return pictures | {"contact-loads": bars_picture(result)}


def _rebuilt(result: Result) -> Machine | None:
    """The machine again; None when a file that its spec names has gone."""
    try:
        machine = machine_from_mapping(result.spec)
        if isinstance(machine, CycloidalDrive):
            _ = machine.shape
        return machine
    except SpecError:
        return None


def _drive_picture(result: Result, drive: CycloidalDrive) -> Picture:
    force = quantity_text(largest(result, "force"), "N", "N")
    caption = (
        "The drive to scale. Arrows are contact forces on the disc, their tips at the contact "
        f"points; the longest is {force}. Colour is the Hertz pressure. The cross is the "
        "machine's centre, the dot the eccentric's."
    )
    two = result.dataset.sizes["disc"] > 1
    picture = Picture(*((WIDE, 4.6) if two else (6.4, 5.4)), caption)
    lefts, width, bar_left = ((0.06, 0.498), 0.395, 0.918) if two else ((0.1,), 0.72, 0.86)
    panels = [picture.add_axes((left, 0.1, width, 0.84)) for left in lefts]
    pressure = largest(result, "pressure") * 1e-6 or 1.0
    colours = ScalarMappable(Normalize(0.0, pressure), COLOUR_MAP)
    _fill(panels, result, drive, colours)
    bar = picture.colorbar(colours, cax=picture.add_axes((bar_left, 0.17, 0.014, 0.70)))
    bar.set_label("Hertz pressure (MPa)")
    bar.outline.set_visible(False)
    return picture


def _fill(
    panels: list[Axes], result: Result, drive: CycloidalDrive, colours: ScalarMappable
) -> None:
    """Every disc in its panel, all in one scale that leaves room for the arrows."""
    crank_angle = units.parse(result.settings["crank_angle"], "rad")
    longest = LONGEST_ARROW * drive.spec.pins.circle_radius
    arrows = [force_arrows(result, disc, longest) for disc in range(len(panels))]
    tails = np.concatenate([one.tail for one in arrows])
    reach = max(outermost(drive), 1.03 * float(np.abs(tails).max(initial=0.0))) * MILLIMETRE
    for disc, axes in enumerate(panels):
        draw_drive(axes, drive, crank_angle, disc)
        draw_arrows(axes, arrows[disc], colours, MILLIMETRE)
        axes.set_xlim(-reach, reach)
        axes.set_ylim(-reach, reach)
        axes.set_aspect("equal")
        axes.grid(visible=False)
        axes.set_xlabel("x (mm)")
        if len(panels) > 1:
            axes.set_title(("First disc", "Second disc")[disc])
    panels[0].set_ylabel("y (mm)")
