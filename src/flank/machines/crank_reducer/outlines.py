"""The outlines of a reducer with cranks: what RV reducers and those of few teeth have in common."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from flank.dynamics.tables import GROUND
from flank.machines.crank_reducer.geometry import polar
from flank.machines.outlines import Cage, Outline, circle, disc_layer, ring_of

if TYPE_CHECKING:
    from flank.machines.crank_reducer.reducer import CrankReducer


def crank_outlines(machine: CrankReducer) -> list[Outline]:
    """Discs, ring, pillars, first stage, and the cranks in their rollers."""
    discs = range(machine.spec.discs.count)
    cranks = range(machine.spec.cranks.count)
    return [
        *(part for j in discs for part in _disc(machine, j)),
        *machine.ring_outlines(),
        *_pillars(machine),
        *_sun(machine),
        *(part for j in discs for k in cranks for part in _bearing(machine, k, j)),
        *(part for k in cranks for part in _pitch_circles(machine, k)),
        Outline("reducer", GROUND, np.zeros((1, 2)), "axis", closed=False),
    ]


def _disc(machine: CrankReducer, j: int) -> Iterator[Outline]:
    """A disc, its bore, the holes of cranks and pillars, and its centre."""
    size, layout, layer, name = machine.size, machine.layout, disc_layer(j), f"disc {j + 1}"
    yield Outline(name, layout.rim[j], machine.flank_points(j), "body", layer=layer)
    turned = layout.phases[j] / machine.turns + math.pi / size.pillar_count
    cranks = [layout.hole("turning_arm", k, j) for k in range(machine.spec.cranks.count)]
    holes = [
        circle(size.disc_bore_radius),
        *(circle(size.turning_arm.bore_radius, place) for place in cranks),
        *(
            circle(size.pillar_hole_radius, place)
            for place in ring_of(size.pillar_count, size.pillar_circle_radius, turned)
        ),
    ]
    for hole in holes:
        yield Outline(name, layout.web[j], hole, "hole", layer=layer)
    yield Outline(name, layout.rim[j], np.zeros((1, 2)), "centre", closed=False, layer=layer)


def _pillars(machine: CrankReducer) -> Iterator[Outline]:
    size = machine.size
    first = math.pi / size.pillar_count
    for k, place in enumerate(ring_of(size.pillar_count, size.pillar_circle_radius, first)):
        points = circle(size.pillar_radius, place)
        yield Outline(f"pillar {k + 1}", machine.layout.flange[0], points, "pin")


def _sun(machine: CrankReducer) -> Iterator[Outline]:
    stage = machine.spec.first_stage
    if stage is not None:
        points = circle(0.5 * stage.module * stage.sun_teeth)
        yield Outline("sun", machine.layout.input_body, points, "sun")


def _bearing(machine: CrankReducer, k: int, j: int) -> Iterator[Outline]:
    """The eccentric of crank k in disc j, between its rollers."""
    layout, size, layer = machine.layout, machine.size, disc_layer(j)
    body, name = int(layout.eccentric[k, j]), f"crank {k + 1}, disc {j + 1}"
    centre = polar(size.eccentricity, layout.phases[j])
    cage = Cage(body, layout.flange[0], centre, size.turning_arm.cage_share)
    places = ring_of(size.turning_arm.count, size.turning_arm.pitch_radius)
    for roller, place in enumerate(places):
        title, own = f"roller {roller + 1} of {name}", int(layout.arm_roller[k, j, roller])
        radius = size.turning_arm.roller_radius
        if own:  # a body of the model
            yield Outline(title, own, circle(radius), "roller", layer=layer)
        else:
            yield Outline(title, body, circle(radius, place), "roller", layer=layer, cage=cage)
    race = circle(size.turning_arm.race_radius, centre)
    yield Outline(f"eccentric of {name}", body, race, "eccentric", layer=layer)


def _pitch_circles(machine: CrankReducer, k: int) -> Iterator[Outline]:
    """Of the planet on a crank, and its journal."""
    stage, layout = machine.spec.first_stage, machine.layout
    if stage is not None:
        points = circle(0.5 * stage.module * stage.planet_teeth)
        yield Outline(f"planet {k + 1}", int(layout.driven_end[k]), points, "pitch circle")
    journal = circle(machine.size.journal_radius)
    yield Outline(f"journal of crank {k + 1}", int(layout.journal[k, 0]), journal, "pitch circle")
