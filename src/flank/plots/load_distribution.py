"""Pictures of a load distribution: the machine with its contact forces, and all contacts."""

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
from flank.machines.crank_reducer.reducer import CrankReducer
from flank.machines.cycloidal.drive import CycloidalDrive
from flank.machines.planetary.gearbox import PlanetaryGearbox
from flank.machines.registry import machine_from_mapping
from flank.plots.contact_bars import bars_picture, force_names
from flank.plots.crank_drawing import draw_crank_reducer, eccentric_centres, outermost_radius
from flank.plots.drive import draw_drive
from flank.plots.force_arrows import (
    Arrows,
    draw_arrows,
    force_arrows,
    largest,
    largest_roller_force,
    roller_arrows,
)
from flank.plots.outlines import MILLIMETRE
from flank.plots.planetary_drawing import planetary_picture
from flank.plots.style import DISC_NAMES, WIDE, Picture, styled

COLOUR_MAP = "plasma_r"
LONGEST_ARROW = 0.32
"""Length of the largest force over the radius of the ring."""

SIZES = ((6.4, 5.4), (WIDE, 4.6), (WIDE, 3.5))
"""Width and height in inches of a picture with one to three discs."""

Drawn = CycloidalDrive | CrankReducer
"""Machines that there is a drawing of."""


def draw(result: Result) -> dict[str, Picture]:
    """What the result has of: drive, contact-loads."""
    if not force_names(result) and "mesh_load" not in result.dataset:
        return {}
    with styled():
        pictures: dict[str, Picture] = {}
        machine = _rebuilt(result)
        if isinstance(machine, PlanetaryGearbox):
            return {"drive": planetary_picture(result, machine)}
        if isinstance(machine, Drawn):
            pictures["drive"] = _drive_picture(result, machine)
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


def _drive_picture(result: Result, machine: Drawn) -> Picture:
    discs = result.dataset.sizes["disc"]
    picture = Picture(*SIZES[discs - 1], _caption(result, machine))
    left, right, gap = (0.075, 0.897, 0.043) if discs > 1 else (0.1, 0.82, 0.0)
    width = (right - left - gap * (discs - 1)) / discs
    panels = [
        picture.add_axes((left + disc * (width + gap), 0.1, width, 0.84)) for disc in range(discs)
    ]
    pressure = largest(result, "pressure") * 1e-6 or 1.0
    colours = ScalarMappable(Normalize(0.0, pressure), COLOUR_MAP)
    _fill(panels, result, machine, colours)
    if not largest(result, "pressure"):
        return picture
    bar_left = 0.918 if discs > 1 else 0.86
    bar = picture.colorbar(colours, cax=picture.add_axes((bar_left, 0.17, 0.014, 0.70)))
    bar.set_label("Hertz pressure (MPa)")
    bar.outline.set_visible(False)
    return picture


def _caption(result: Result, machine: Drawn) -> str:
    force = quantity_text(largest(result, "force"), "N", "N")
    arrows = "The machine to scale. "
    if largest(result, "pressure"):
        arrows += (
            "Arrows are contact forces on the disc, their tips at the contact points; the longest "
            f"is {force}. Colour is the Hertz pressure. "
        )
    if isinstance(machine, CrankReducer):
        rollers = quantity_text(largest_roller_force(result), "N", "N")
        arrows += (
            "Dark arrows are the forces of the turning-arm rollers on the holes, in a scale of "
            f"their own; the longest is {rollers}. "
        )
        arrows += (
            "In the middle is the sun; dotted are the pitch circles of planets and the journals. "
            if machine.spec.first_stage
            else "Dotted are the journals. "
        )
    return arrows + "The cross is the machine's centre, the dot the disc's."


def _fill(panels: list[Axes], result: Result, machine: Drawn, colours: ScalarMappable) -> None:
    """Every disc in its panel, all in one scale that leaves room for the arrows."""
    angle = units.parse(result.settings["crank_angle"], "rad")
    ring, outermost = _reach(machine)
    longest = LONGEST_ARROW * ring
    arrows = [force_arrows(result, disc, longest) for disc in range(len(panels))]
    tails = np.concatenate([one.tail for one in arrows])
    reach = max(outermost, 1.03 * float(np.abs(tails).max(initial=0.0))) * MILLIMETRE
    for disc, axes in enumerate(panels):
        _draw_machine(axes, result, machine, angle, disc)
        draw_arrows(axes, arrows[disc], colours, MILLIMETRE)
        axes.set_xlim(-reach, reach)
        axes.set_ylim(-reach, reach)
        axes.set_aspect("equal")
        axes.grid(visible=False)
        axes.set_xlabel("x (mm)")
        if len(panels) > 1:
            axes.set_title(DISC_NAMES[disc])
            axes.tick_params(labelleft=disc == 0)
    panels[0].set_ylabel("y (mm)")


def _reach(machine: Drawn) -> tuple[float, float]:
    """Radii of the ring that the discs roll in, and of all that a panel shows."""
    if isinstance(machine, CrankReducer):
        return machine.size.ring_radius, outermost_radius(machine)
    pins = machine.spec.pins
    return pins.circle_radius, pins.circle_radius + 2.2 * pins.radius


def _draw_machine(axes: Axes, result: Result, machine: Drawn, angle: float, disc: int) -> None:
    if isinstance(machine, CycloidalDrive):
        draw_drive(axes, machine, angle, disc)
        return
    draw_crank_reducer(axes, machine, angle, disc)
    draw_arrows(axes, _rollers(result, machine, angle, disc), None, MILLIMETRE)


def _rollers(result: Result, machine: CrankReducer, angle: float, disc: int) -> Arrows:
    """Forces of the rollers, the largest as long as an eccentric's radius."""
    eccentrics = eccentric_centres(machine, angle, disc)
    return roller_arrows(result, disc, machine.size.turning_arm.race_radius, eccentrics)
