"""An RV reducer drawn to scale in the pose of an input angle."""

from __future__ import annotations

import math

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from flank.machines.rv.pins import pin_centres
from flank.machines.rv.reducer import RvReducer
from flank.plots.outlines import (
    PIN_COLOUR,
    Hole,
    centres,
    circles,
    dotted_circle,
    draw_disc,
    flank_points,
    placed,
    ring_of,
)
from flank.plots.style import FAINT

SUN_COLOUR = "#e3d3b8"


def draw_rv_reducer(axes: Axes, machine: RvReducer, input_angle: float, disc: int) -> None:
    """One disc between pins, cranks and pillars, with the sun behind it, in mm."""
    spec, size = machine.spec, machine.size
    pose, carrier = machine.ideal_pose(input_angle), input_angle / machine.ratio
    own = pose[machine.layout.rim[disc]]
    outline = placed(flank_points(machine.profile(disc), machine.lobes), own)
    draw_disc(axes, outline, _holes(machine, disc, own))
    dotted_circle(axes, np.zeros(2), spec.pins.circle_radius)
    circles(axes, pin_centres(machine), spec.pins.radius, PIN_COLOUR)
    first = carrier + math.pi / size.pillar_count
    pillars = ring_of(size.pillar_count, size.pillar_circle_radius, first)
    circles(axes, pillars, size.pillar_radius, PIN_COLOUR)
    sun, planet = (0.5 * spec.first_stage.module * teeth for teeth in _teeth(machine))
    circles(axes, np.zeros((1, 2)), sun, SUN_COLOUR)
    for crank in range(spec.cranks.count):
        dotted_circle(axes, pose[machine.layout.driven_end[crank], :2], planet, above=True)
        _draw_crank(axes, machine, carrier, crank, disc)
    centres(axes, *own[:2])


def eccentric_centres(machine: RvReducer, input_angle: float, disc: int) -> NDArray:
    """Centres (crank, 2) of the eccentrics in one disc, in m."""
    carrier = input_angle / machine.ratio
    cages = [
        machine.layout.cage_pose("turning_arm", crank, disc)(carrier)
        for crank in range(machine.spec.cranks.count)
    ]
    return np.array(cages)[:, :2]


def _draw_crank(axes: Axes, machine: RvReducer, carrier: float, crank: int, disc: int) -> None:
    """An eccentric in its rollers, and the journal's circle on it."""
    size = machine.size.turning_arm
    cage = np.array(machine.layout.cage_pose("turning_arm", crank, disc)(carrier))
    rollers = placed(ring_of(size.count, size.pitch_radius), cage)
    circles(axes, rollers, size.roller_radius, "white")
    circles(axes, cage[None, :2], size.race_radius, FAINT)
    angle = machine.layout.crank_angles[crank] + carrier
    axis = machine.spec.cranks.circle_radius * np.array([math.cos(angle), math.sin(angle)])
    dotted_circle(axes, axis, machine.size.journal_radius, above=True)


def _holes(machine: RvReducer, disc: int, pose: NDArray) -> list[Hole]:
    """The bore, the holes of the cranks and those of the pillars."""
    size, layout = machine.size, machine.layout
    cranks = [layout.hole("turning_arm", k, disc) for k in range(machine.spec.cranks.count)]
    turned = layout.phases[disc] / machine.lobes + math.pi / size.pillar_count
    pillars = ring_of(size.pillar_count, size.pillar_circle_radius, turned)
    return [
        Hole(pose[:2], size.disc_bore_radius),
        *(Hole(place, size.turning_arm.bore_radius) for place in placed(np.array(cranks), pose)),
        *(Hole(place, size.pillar_hole_radius) for place in placed(pillars, pose)),
    ]


def _teeth(machine: RvReducer) -> tuple[int, int]:
    stage = machine.spec.first_stage
    return stage.sun_teeth, stage.planet_teeth
