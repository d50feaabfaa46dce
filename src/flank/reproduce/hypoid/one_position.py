"""One position of a pair under load: contact lines, how load distributions are iterated, and γ.

Figs. 1 to 3 and 8 of the paper, and what its printed scheme (Eqs. 5 to 14) does where sections lie
out of contact: over a pitch, and on one section whose answer is known.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from flank.arrays import Floats, Integers
from flank.contact.iterated_loads import deletion, proportion_printed
from flank.contact.load_distribution import SOLVED
from flank.contact.partial_contact import SectionPoints, section_force, section_work
from flank.contact.spatial.flank_forces import ARM, LIGHT_PRESSURE, NORMAL
from flank.contact.spatial.flank_laws import LOG_CURVATURE
from flank.contact.spatial.loaded_flanks import FlankLoad, LoadedFlanks
from flank.reproduce.hypoid.computing import CASES, SHORT, machine_of

STEPS = 40
"""Of iterations that are kept."""

SETTLED = 1e-13
"""m: of residuals of penetration."""

OWN_EDGE = 0.98
"""v beyond which a section touches at a tip's edge, where penetration has a corner."""


@dataclass(frozen=True, eq=False)
class Position:
    """Points of one position, in the pinion's frame where they have a place."""

    load: FlankLoad
    points: SectionPoints
    place: Floats  # (k, 3) in m
    normal: Floats  # (k, 3), out of the gear
    deleted: Floats  # (steps, k) forces by deletion; not a number where taken out
    settled: Floats  # (steps, k) forces by proportion
    forces: Floats  # (k,) the answer of the kernel
    complete: bool = True

    @property
    def slope(self) -> Floats:
        """tan γ of Eq. 11 with its sign: how fast penetration grows along the contact line."""
        return np.asarray(-self.load.spread / self.points.length)

    @property
    def angle(self) -> Floats:
        """γ in degrees."""
        return np.asarray(np.degrees(np.arctan(self.slope)))

    @property
    def slope_error(self) -> float:
        """Largest difference from differences of penetration, over the largest slope."""
        apart, known = self.slope - self.differences, np.isfinite(self.differences)
        return float(np.abs(apart[known]).max() / np.abs(self.slope[known]).max())

    @property
    def differences(self) -> Floats:
        """The same from penetrations of neighbouring points over their distance; not a number at
        ends of lines and beside edges."""
        slope = np.full(len(self.slope), math.nan)
        inside = np.abs(self.load.places[:, [0, 2]]).max(axis=1) < OWN_EDGE
        for tooth in np.unique(self.load.tooth):
            rows = np.flatnonzero(self.load.tooth == tooth)
            middle = rows[1:-1][inside[rows[:-2]] & inside[rows[1:-1]] & inside[rows[2:]]]
            apart = np.linalg.norm(self.place[middle + 1] - self.place[middle - 1], axis=1)
            depth = self.points.depth
            slope[middle] = (depth[middle + 1] - depth[middle - 1]) / apart
        return slope


def position(pair: str, points: int, lag: float) -> Position:
    """At the place of a pitch that is shown."""
    machine = machine_of(pair)
    old, new = (machine.loaded_flanks(points=points, method=SHORT[word]) for word in ("old", "new"))
    angle = float(new.loading.pair.start[0] + CASES["shown"] * new.loading.pair.pitch)
    old.at(angle, lag, tangent=False)
    load = new.at(angle, lag, tangent=False)
    deleted = sections_of(old)
    history = np.full((STEPS, len(deleted.depth)), math.nan)
    status, steps, _ = deletion(
        deleted, len(deleted.depth), section_work(len(deleted.depth)), history
    )
    work, count = new.work, len(load.force)
    turn = np.array(work.turn)
    return Position(
        load,
        sections_of(new),
        work.vectors[:count, ARM] @ turn,
        work.vectors[:count, NORMAL] @ turn,
        _matched(old, new, history[:steps]),
        proportion_steps(sections_of(new)),
        load.force,
        bool(status == SOLVED and load.solved),
    )


def _matched(old: LoadedFlanks, new: LoadedFlanks, history: Floats) -> Floats:
    """Forces at points of the new method, not a number where the old one has no such point."""
    numbers = [
        {tuple(row): k for k, row in enumerate(each.work.tooth[: each.work.counts[0]])}
        for each in (old, new)
    ]
    matched = np.full((len(history), len(numbers[1])), math.nan)
    for place, k in numbers[1].items():
        if place in numbers[0]:
            matched[:, k] = history[:, numbers[0][place]]
    return matched


def sections_of(flanks: LoadedFlanks) -> SectionPoints:
    """Those of the last position, apart from its scratch."""
    count, points = int(flanks.work.counts[0]), flanks.work.points
    return SectionPoints(
        points.compliance[:count, :count].copy(), *(values[:count].copy() for values in points[1:])
    )


def proportion_steps(points: SectionPoints) -> Floats:
    """Forces (steps, k) of Newton's method from no load on, halved where it overshoots: the
    iteration of `distribute_sections`, written out."""
    others = points.compliance - np.diag(np.diag(points.compliance))
    seat, kept = points.depth.copy(), []
    force, stiffness = _forces(points, seat)
    residual = others @ force
    for _ in range(STEPS):
        kept.append(force)
        if np.abs(residual).max() < SETTLED:
            break
        move = np.linalg.solve(np.eye(len(seat)) + others * stiffness, -residual)
        share, before = 1.0, np.abs(residual).max()
        for _ in range(8):
            force, stiffness = _forces(points, seat + share * move)
            residual = seat + share * move + others @ force - points.depth
            if np.abs(residual).max() < before:
                break
            share *= 0.5
        seat = seat + share * move
    return np.array(kept)


def _forces(points: SectionPoints, seat: Floats) -> tuple[Floats, Floats]:
    own = points.constant + points.length * np.diag(points.compliance)
    each = [
        section_force(*values)[:2]
        for values in zip(seat, points.spread, own, points.slope, points.length, strict=True)
    ]
    force, stiffness = np.array(each).T
    return force, stiffness


@dataclass(frozen=True, eq=False)
class Printed:
    """The printed scheme over a pitch: how many sections went round in circles and pulled at each
    position, iterations of it, of deletion and of proportion; and forces of one section of unit
    spread and compliance over its penetration."""

    circling: Integers
    pulling: Integers
    steps: Integers  # (3, positions)
    negative_share: float  # of points whose printed tan γ is below zero
    single: dict[float, float]
    single_pulls: dict[float, int]
    single_circles: dict[float, int]
    complete: bool = True


SINGLE = (-3.0, -1.0, -0.5, -0.25, 0.0, 0.25, 0.5, 1.0)
"""Penetrations over the spread."""


def printed(pair: str, points: int, lag: float, positions: int) -> Printed:
    machine = machine_of(pair)
    flanks = machine.loaded_flanks(points=points, method=SHORT["printed"])
    smooth = machine.loaded_flanks(points=points, method=SHORT["new"])
    start, pitch = flanks.loading.pair.start[0], flanks.loading.pair.pitch
    counts, steps, negative = [], [], []
    for k in range(positions):
        for each in (flanks, smooth):
            each.at(float(start + pitch * k / positions), lag, tangent=False)
        sections = sections_of(flanks)
        count, none = len(sections.depth), np.zeros((0, len(sections.depth)))
        light = _light_load(flanks, sections)
        _, taken, circles, pulls = proportion_printed(sections, count, light, section_work(count))
        _, deleting, _ = deletion(sections, count, section_work(count), none)
        counts.append((circles, pulls))
        steps.append((taken, deleting, len(proportion_steps(sections_of(smooth))) - 1))
        negative.append(float(np.mean(sections.spread > 0)))
    single = {depth: _single(depth) for depth in SINGLE}
    circling, pulling = np.array(counts, dtype=np.int64).T
    return Printed(
        circling,
        pulling,
        np.array(steps, dtype=np.int64).T,
        float(np.mean(negative)),
        {depth: force for depth, (force, _, _) in single.items()},
        {depth: pulls for depth, (_, pulls, _) in single.items()},
        {depth: circles for depth, (_, _, circles) in single.items()},
    )


def _light_load(flanks: LoadedFlanks, points: SectionPoints) -> float:
    """N/m at which Hertz's greatest pressure is that of k⁺, at the mean curvature."""
    slope = flanks.mesh.slope
    curvature = np.exp(flanks.work.laws[: len(points.depth), LOG_CURVATURE]).mean()
    return float(math.pi**2 * slope * LIGHT_PRESSURE**2 / curvature)


def _single(depth: float) -> tuple[float, int, int]:
    """Force of one section with C = v = 1, and whether it pulled and went round in circles."""
    none, unit = np.zeros(1), np.ones(1)
    section = SectionPoints(np.zeros((1, 1)), np.array([depth]), unit, unit, none, unit)
    work = section_work(1)
    _, _, circling, pulling = proportion_printed(section, 1, 1.0, work)
    return float(work.force[0]), int(pulling), int(circling)
