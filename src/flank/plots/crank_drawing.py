"""A reducer with cranks drawn to scale in the pose of an input angle."""

from __future__ import annotations

import math

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from flank.machines.crank_reducer.reducer import CrankReducer
from flank.machines.few_teeth.reducer import FewTeethReducer
from flank.machines.rv.reducer import RvReducer
from flank.plots.gear_outlines import draw_ring, gear_points, rim_radius
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


def draw_crank_reducer(axes: Axes, machine: CrankReducer, input_angle: float, disc: int) -> None:
    """One disc between ring, cranks and pillars, with the sun behind it, in mm."""
    spec, size = machine.spec, machine.size
    pose, carrier = machine.ideal_pose(input_angle), input_angle / machine.ratio
    own = pose[machine.layout.rim[disc]]
    draw_disc(axes, placed(_flank(machine, disc), own), _holes(machine, disc, own))
    _draw_ring(axes, machine)
    first = carrier + math.pi / size.pillar_count
    pillars = ring_of(size.pillar_count, size.pillar_circle_radius, first)
    circles(axes, pillars, size.pillar_radius, PIN_COLOUR)
    stage = spec.first_stage
    if stage is not None:
        circles(axes, np.zeros((1, 2)), 0.5 * stage.module * stage.sun_teeth, SUN_COLOUR)
    for crank in range(spec.cranks.count):
        if stage is not None:
            axis = pose[machine.layout.driven_end[crank], :2]
            dotted_circle(axes, axis, 0.5 * stage.module * stage.planet_teeth, above=True)
        _draw_crank(axes, machine, carrier, crank, disc)
    centres(axes, *own[:2])


def outermost_radius(machine: CrankReducer) -> float:
    """What a drawing must show, in m."""
    if isinstance(machine, RvReducer):
        pins = machine.spec.pins
        return pins.circle_radius + 2.2 * pins.radius
    assert isinstance(machine, FewTeethReducer)
    return 1.01 * rim_radius(machine.spec.pair.second)


def eccentric_centres(machine: CrankReducer, input_angle: float, disc: int) -> NDArray:
    """Centres (crank, 2) of the eccentrics in one disc, in m."""
    carrier = input_angle / machine.ratio
    cages = [
        machine.layout.cage_pose("turning_arm", crank, disc)(carrier)
        for crank in range(machine.spec.cranks.count)
    ]
    return np.array(cages)[:, :2]


def _flank(machine: CrankReducer, disc: int) -> NDArray:
    """Outline of a disc in its own frame."""
    if isinstance(machine, RvReducer):
        return flank_points(machine.profile(disc), machine.lobes)
    assert isinstance(machine, FewTeethReducer)
    return gear_points(machine.spec.pair.first, np.zeros(3))


def _draw_ring(axes: Axes, machine: CrankReducer) -> None:
    if isinstance(machine, RvReducer):
        pins = machine.spec.pins
        dotted_circle(axes, np.zeros(2), pins.circle_radius)
        circles(axes, machine.pins.centres, pins.radius, PIN_COLOUR)
        return
    assert isinstance(machine, FewTeethReducer)
    ring = machine.spec.pair.second
    half_pitch = np.array([0.0, 0.0, 0.5 * ring.pitch_angle])
    draw_ring(axes, ring, half_pitch, colour=PIN_COLOUR)


def _draw_crank(axes: Axes, machine: CrankReducer, carrier: float, crank: int, disc: int) -> None:
    """An eccentric in its rollers, and the journal's circle on it."""
    size = machine.size.turning_arm
    cage = np.array(machine.layout.cage_pose("turning_arm", crank, disc)(carrier))
    rollers = placed(ring_of(size.count, size.pitch_radius), cage)
    circles(axes, rollers, size.roller_radius, "white")
    circles(axes, cage[None, :2], size.race_radius, FAINT)
    angle = machine.layout.crank_angles[crank] + carrier
    axis = machine.spec.cranks.circle_radius * np.array([math.cos(angle), math.sin(angle)])
    dotted_circle(axes, axis, machine.size.journal_radius, above=True)


def _holes(machine: CrankReducer, disc: int, pose: NDArray) -> list[Hole]:
    """The bore, the holes of the cranks and those of the pillars."""
    size, layout = machine.size, machine.layout
    cranks = [layout.hole("turning_arm", k, disc) for k in range(machine.spec.cranks.count)]
    turned = layout.phases[disc] / machine.turns + math.pi / size.pillar_count
    pillars = ring_of(size.pillar_count, size.pillar_circle_radius, turned)
    return [
        Hole(pose[:2], size.disc_bore_radius),
        *(Hole(place, size.turning_arm.bore_radius) for place in placed(np.array(cranks), pose)),
        *(Hole(place, size.pillar_hole_radius) for place in placed(pillars, pose)),
    ]
