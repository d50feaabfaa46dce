"""Parts of a crank reducer as plates: discs, cranks step by step, rollers, pillars, first stage.

The cranks begin at z = 0, with their planets if there are any, as `crank_shaft` has them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from flank.machines.crank_reducer.first_stage import toothed_pair
from flank.machines.holes import wall_edge
from flank.machines.outlines import ring_of
from flank.machines.plates import Edge, Plate, gear_plate, pin_plates, round_edge
from flank.machines.round_parts import polar

if TYPE_CHECKING:
    from flank.machines.crank_reducer.reducer import CrankReducer


class Heights(NamedTuple):
    """Bottom and top of everything along a crank, in m."""

    planet: tuple[float, float]
    journals: tuple[tuple[float, float], ...]
    eccentrics: tuple[tuple[float, float], ...]
    webs: tuple[tuple[float, float], ...]

    def disc(self, j: int, width: float) -> tuple[float, float]:
        """In the middle of its eccentrics."""
        middle = 0.5 * sum(self.eccentrics[j])
        return middle - 0.5 * width, middle + 0.5 * width


def heights(machine: CrankReducer) -> Heights:
    """Planet, journal, eccentrics with webs between, journal."""
    size, discs = machine.size, machine.spec.discs.count
    planet = (0.0, size.face_width if machine.spec.first_stage else 0.0)
    place, journals, eccentrics, webs = planet[1], [], [], []
    journals.append((place, place := place + size.journal_length))
    for j in range(discs):
        if j:
            webs.append((place, place := place + size.web_length))
        eccentrics.append((place, place := place + size.eccentric_length))
    journals.append((place, place + size.journal_length))
    return Heights(planet, tuple(journals), tuple(eccentrics), tuple(webs))


def plates_of(machine: CrankReducer) -> Iterator[Plate]:
    """All parts but the ring with its pins, the housing and the flanges."""
    along = heights(machine)
    yield from _discs(machine, along)
    yield from _pillars(machine, along)
    yield from _cranks(machine, along)
    if machine.spec.first_stage:
        yield from _first_stage(machine, along)


def _discs(machine: CrankReducer, along: Heights) -> Iterator[Plate]:
    size, layout, spec = machine.size, machine.layout, machine.spec
    segments = spec.output_rollers.wall_segments if spec.output_rollers else None
    for j in range(spec.discs.count):
        turned = layout.phases[j] / spec.crank_ratio + math.pi / size.pillar_count
        pillars = ring_of(size.pillar_count, size.pillar_circle_radius, turned)
        arm, walls = size.turning_arm.bore_radius, spec.discs.wall_segments
        holes: list[Edge] = [
            round_edge(size.disc_bore_radius),
            *(wall_edge(arm, walls, row[j]) for row in layout.turning_arm.holes),
            *(wall_edge(size.pillar_hole_radius, segments, place) for place in pillars),
        ]
        bottom, top = along.disc(j, size.disc_width)
        body = int(layout.rim[j])
        edge = machine.flank_edge(j)
        yield Plate(f"disc {j + 1}", "body", body, edge, bottom, top, tuple(holes))


def _pillars(machine: CrankReducer, along: Heights) -> Iterator[Plate]:
    """From flange to flange."""
    size = machine.size
    first = math.pi / size.pillar_count
    places = ring_of(size.pillar_count, size.pillar_circle_radius, first)
    radii = [size.pillar_radius] * size.pillar_count
    bottom, top = along.journals[0][1], along.journals[-1][0]
    yield from pin_plates("pillar", int(machine.layout.flange[0]), places, radii, bottom, top)


def _cranks(machine: CrankReducer, along: Heights) -> Iterator[Plate]:
    """Every crank as the cylinders that it is turned of, and the rollers of its turning arms."""
    size, layout = machine.size, machine.layout
    for k in range(machine.spec.cranks.count):
        crank, body = f"crank {k + 1}", int(layout.journal[k, 0])
        for side, (bottom, top) in enumerate(along.journals):
            name = f"journal {side + 1} of {crank}"
            yield Plate(name, "eccentric", body, round_edge(size.journal_radius), bottom, top)
        for bottom, top in along.webs:
            radius = size.pin_radius - size.eccentricity
            yield Plate(f"web of {crank}", "eccentric", body, round_edge(radius), bottom, top)
        for j, (bottom, top) in enumerate(along.eccentrics):
            centre = polar(size.eccentricity, layout.phases[j])
            edge = round_edge(size.turning_arm.race_radius, centre)
            yield Plate(f"eccentric {j + 1} of {crank}", "eccentric", body, edge, bottom, top)
            yield from _rollers(machine, body, f"turning arm {j + 1} of {crank}", centre, j, along)


def _rollers(
    machine: CrankReducer,
    body: int,
    name: str,
    centre: tuple[float, float],
    j: int,
    along: Heights,
) -> Iterator[Plate]:
    arm = machine.size.turning_arm
    places = ring_of(arm.count, arm.pitch_radius) + centre
    middle = 0.5 * sum(along.eccentrics[j])
    bottom, top = middle - 0.5 * arm.length, middle + 0.5 * arm.length
    radii = [arm.roller_radius] * arm.count
    yield from pin_plates(f"{name}, roller", body, places, radii, bottom, top, "roller")


def _first_stage(machine: CrankReducer, along: Heights) -> Iterator[Plate]:
    """Sun and planets with a tooth of the sun on the x axis; a planet's space takes what of the
    sun stands on the line of centres."""
    spec, size = machine.spec, machine.size
    stage = spec.first_stage
    assert stage is not None
    pair = toothed_pair(stage, size.face_width, spec.cranks.circle_radius)
    pose = machine.ideal_pose(0.0)
    sun_body = int(machine.layout.input_body)
    bottom, top = along.planet
    bore = stage.sun_bore_radius or 0.0
    turned = -float(pose[sun_body][2])
    yield gear_plate("sun", sun_body, pair.first, bottom, top - bottom, turned, bore)
    for k, direction in enumerate(machine.layout.crank_angles):
        body = int(machine.layout.driven_end[k])
        ahead = -direction % pair.first.pitch_angle
        space = direction + math.pi - ahead * pair.first.teeth / pair.second.teeth
        angle = space + 0.5 * pair.second.pitch_angle - float(pose[body][2])
        bore = stage.planet_bore_radius or size.journal_radius
        name = f"planet {k + 1}"
        yield gear_plate(name, body, pair.second, bottom, top - bottom, angle, bore)
