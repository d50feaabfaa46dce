"""Two gears made ready to roll: a loaded mesh at even places of a base pitch, as tables, and the
modes of what carries it (`dynamics.rolling_structure`)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from flank.arrays import Floats, Integers
from flank.contact.gear_loading import GearLoading
from flank.contact.load_distribution import LoadPoints, distribute_total, load_work
from flank.dynamics.rolling import (
    FIGURES,
    READ,
    ROLLED,
    Modes,
    RollingMesh,
    RollingState,
    roll,
    rolling_state,
    rolling_work,
)
from flank.dynamics.rolling_structure import Approach, Structure

ELASTIC = -1.0
"""Restitution of points that come back as elastic bodies do."""


class _Points(NamedTuple):
    """Points of one set of flanks at a place, pair by pair."""

    numbers: Integers  # of pairs, by the first gear's tooth
    points: LoadPoints
    shape: Floats
    modal: Floats  # compliance that modes of bodies have


def rolling_mesh(
    loading: GearLoading, carried: Structure, places: int, other_flanks: bool = True
) -> RollingMesh:
    """The mesh at so many places. What modes of bodies would give way statically is taken off the
    influence numbers, which have it. Between a flank that drives and another one there is no more
    than modes have: they are not loaded at the same time as long as there is backlash."""
    positions = loading.pair.base_pitch * np.arange(places) / places
    front = list(map(_driving(loading, carried), positions))
    other = list(map(_other(loading, carried), positions)) if other_flanks else []
    across, reached = len(loading.face), [_reached(each) for each in (front, other)]
    sizes = [across * (highest - lowest + 1) for lowest, highest in reached]
    counts = [np.array([len(each.points.gap) for each in sets]) for sets in (front, other)]
    most, modes = sum(int(each.max(initial=0)) for each in counts), carried.modes
    mesh = RollingMesh(
        slot=np.zeros((places, most), dtype=np.int64),
        points=counts[0],
        other_points=counts[1] if other else np.zeros(places, dtype=np.int64),
        compliance=np.zeros((places, most, most)),
        gap=np.zeros((places, most)),
        constant=np.ones((places, most)),
        slope=np.zeros((places, most)),
        length=np.ones((places, most)),
        shape=np.zeros((places, most, len(modes.frequency))),
        first_deviation=np.zeros((0, places, most)),
        second_deviation=np.zeros((0, places, most)),
        across=across,
        front_slots=sizes[0],
        slots=sum(sizes),
        half_back=-0.5 * loading.pair.normal_backlash if other else -math.inf,
    )
    for place, points in enumerate(front):
        _put(mesh, place, 0, points, -across * reached[0][0])
    for place, points in enumerate(other):
        _put(mesh, place, int(counts[0][place]), points, sizes[0] - across * reached[1][0])
    return _deviating(mesh, loading, positions, [front, other])


def _reached(sets: Sequence[_Points]) -> tuple[int, int]:
    """Lowest and highest number of a pair."""
    if not sets:
        return 0, -1
    return min(int(each.numbers[0]) for each in sets), max(int(each.numbers[-1]) for each in sets)


def _driving(loading: GearLoading, carried: Structure) -> Callable[[float], _Points]:
    first, second = loading.deviations
    alike = replace(loading, deviations=(first.of_all_teeth, second.of_all_teeth))
    approaches = [body.approaches(loading) for body in carried.bodies]

    def at(position: float) -> _Points:
        numbers, points = alike.system(position)
        rolls = alike.rolls(position, numbers)
        return _points(carried, approaches, numbers, rolls, points, other=False)

    return at


def _other(loading: GearLoading, carried: Structure) -> Callable[[float], _Points]:
    approaches = [body.approaches(loading, other=True) for body in carried.bodies]

    def at(position: float) -> _Points:
        numbers, rolls, points = loading.other_flanks(position)
        return _points(carried, approaches, numbers, rolls, points, other=True)

    return at


def _points(
    carried: Structure,
    approaches: Sequence[Approach],
    numbers: Integers,
    rolls: Floats,
    points: LoadPoints,
    other: bool,
) -> _Points:
    give = np.array([1 / body.frequency**2 for body in carried.bodies])
    bodies = np.zeros((rolls.size, len(carried.bodies)))
    for k, body in enumerate(approaches):
        bodies[:, k] = body(numbers, rolls).ravel()
    shape = carried.approaches(bodies, other)
    return _Points(numbers, points, shape, (bodies * give) @ bodies.T)


def _put(mesh: RollingMesh, place: int, begin: int, given: _Points, slot: int) -> None:
    points, across = given.points, mesh.across
    rows = slice(begin, begin + len(points.gap))
    first = slot + across * int(given.numbers[0])
    mesh.slot[place, rows] = np.arange(first, first + len(points.gap))
    mesh.compliance[place, rows, rows] = points.compliance - given.modal
    mesh.gap[place, rows] = points.gap
    mesh.constant[place, rows] = points.constant
    mesh.slope[place, rows] = points.slope
    mesh.length[place, rows] = points.length
    mesh.shape[place, rows] = given.shape


def _deviating(
    mesh: RollingMesh, loading: GearLoading, positions: Floats, sets: list[list[_Points]]
) -> RollingMesh:
    """With gaps of every cycle, until all teeth of a gear had their turn."""
    tables = []
    for which, gear in enumerate((loading.pair.first, loading.pair.second)):
        cycles = loading.deviations[which].repeats_after(gear.teeth)
        table = np.zeros((cycles, *mesh.gap.shape))
        for cycle, place in np.ndindex(cycles, len(positions)):
            points = [each[place] for each in sets if each]
            values = _deviations(loading, which, cycle, float(positions[place]), points)
            table[cycle, place, : len(values)] = values
        tables.append(table)
    if max(map(len, tables)) > 1:
        return mesh._replace(first_deviation=tables[0], second_deviation=tables[1])
    return mesh._replace(gap=mesh.gap + tables[0][0] + tables[1][0])


def _deviations(
    loading: GearLoading, which: int, cycle: int, position: float, sets: Sequence[_Points]
) -> Floats:
    """Of all points at a place, `cycle` base pitches later."""
    at, parts = position + cycle * loading.pair.base_pitch, []
    for of, points in zip((loading.deviation, loading.other_deviation), sets, strict=False):
        numbers = points.numbers + cycle
        parts.append(np.broadcast_to(of(which, at, numbers), (len(numbers), len(loading.face))))
    return np.concatenate(parts).ravel()


@dataclass(frozen=True, eq=False)
class RollingPair:
    """Mesh and modes of a gear pair; loads are along the line of action. Without a restitution
    points come back into contact as elastic bodies do."""

    mesh: RollingMesh
    modes: Modes
    restitution: float | None = None

    @property
    def places(self) -> int:
        """Of a mesh period, as many as steps."""
        return len(self.mesh.points)

    def rolled(
        self,
        periods: Floats,
        loads: Floats,
        state: RollingState,
        keep: int = 0,
    ) -> Floats | None:
        """Records (period, place, column) of the last periods, none where it stalls; the state goes
        on. Loads (period,), or those of all steps (period, place)."""
        record = np.zeros((keep, self.places, READ + self.mesh.slots))
        figures = np.zeros((len(periods), len(FIGURES)))
        back = ELASTIC if self.restitution is None else self.restitution
        work = rolling_work(self.modes, self.mesh)
        of_steps = loads if loads.ndim == 2 else loads[:, None]
        arguments = (state, periods, of_steps, back, figures, record, work)
        status, _ = roll(self.mesh, self.modes, *arguments)
        return record if status == ROLLED else None

    def net_force(self, record: Floats) -> Floats:
        """Along the line of action (..., place), what other flanks carry taken off."""
        forces, front = record[..., READ:], self.mesh.front_slots
        return np.asarray(forces[..., :front].sum(axis=-1) - forces[..., front:].sum(axis=-1))

    def at_rest(self, load: float) -> RollingState:
        """The loaded equilibrium at the first place; on the other flanks if the load is negative,
        and where flanks just touch if there is none."""
        mesh, modes = self.mesh, self.modes
        state = rolling_state(modes, mesh)
        if not load:
            return state
        count, others = int(mesh.points[0]), int(mesh.other_points[0])
        rows = slice(0, count) if load > 0 else slice(count, count + others)
        count, stiff = rows.stop - rows.start, modes.frequency > 0
        give = np.where(stiff, 1 / np.where(stiff, modes.frequency, 1.0) ** 2, 0.0)
        shape, gap = mesh.shape[0, rows], mesh.gap[0, rows]
        if len(mesh.first_deviation):
            gap = gap + mesh.first_deviation[0, 0, rows] + mesh.second_deviation[0, 0, rows]
        points = LoadPoints(
            mesh.compliance[0, rows, rows] + (shape * give) @ shape.T,
            gap - shape @ (give * modes.load * load),
            np.ones(count),
            mesh.constant[0, rows],
            mesh.slope[0, rows],
            mesh.length[0, rows],
        )
        work = load_work(count)
        _status, approach, _slope, _energy = distribute_total(points, count, abs(load), 0.0, work)
        state.modal_force[:] = -work.force @ shape
        state.position[:] = give * (state.modal_force + modes.load * load)
        free = int(np.flatnonzero(~stiff)[0])
        state.position[free] = approach / shape[0, free]
        state.force[mesh.slot[0, rows]] = work.force
        return state
