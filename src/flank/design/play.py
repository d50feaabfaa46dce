"""How much room a drawn cycloidal drive leaves its output: less than none, and it jams.

With the crank at θ the normal of pin γ passes through the pitch point e z_p from the centre in the
direction θ. A disc turned by δ on its eccentric has at the pin of phase φ = γ - θ the gap

    g = Δr + ΔR q(φ) + d(γ) + δ e z_c sin φ/√S,   q = (1 - K1 cos φ)/√S,   S = 1 + K1² - 2 K1 cos φ,

d what deviations open there (geometry/pin_clearance.py). The output turned by γ against the disc
has at the roller that stands at β from the crank the gap

    h = c + c(β) + (γ - δ) R_w sin β

since roller and hole touch along the eccentricity, the hole larger by c than roller plus
eccentricity. All gaps of all discs stay open for an interval of γ; its length is the play, to first
order and with rigid bearings. Where it is negative at some crank angle the drive jams there.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from flank.arrays import Floats

if TYPE_CHECKING:
    from flank.machines.cycloidal.spec import CycloidalDriveSpec

CRANK_ANGLES_PER_PIN = 1
"""Crank angles looked at while one pin passes."""

NO_LEVER = 1e-6
"""Share of the largest lever below which a gap does not feel the turn."""

HALVINGS = 9

RADIAL_SHARES = (0.0, 0.35, 0.7, 1.0, 1.3)
"""Of the modification, that are tried; the rest is equidistant. With 2.0 there is a twentieth less
play, by modifications twice as large."""

LARGEST_FACTOR = 3.0
"""By which two discs may ask for more clearance than one."""

Draws = Mapping[str, Floats]


def drawn(spec: CycloidalDriveSpec, draws: int, seed: int) -> Draws:
    """Deviations of so many machines within tolerance, evenly spread: (draw, ...) by kind."""
    values = {}
    for name, kind in spec.error_kinds.items():
        if kind.direction:
            continue
        stream = np.random.default_rng([seed, zlib.crc32(name.encode())])
        limit = spec.tolerance(name)
        values[name] = stream.uniform(-limit, limit, (draws, *kind.shape(spec.counts)))
    return values


class Clearances(NamedTuple):
    """Both modifications of the flank, and by how much a hole is larger than roller plus
    eccentricity, in m."""

    equidistant: float
    radial: float
    hole: float

    def times(self, factor: float) -> Clearances:
        return Clearances(*(factor * each for each in self))


@dataclass(frozen=True)
class DrivePlay:
    """The play of a drive with fixed pins and output rollers, for many draws at once."""

    spec: CycloidalDriveSpec
    draws: Draws

    @cached_property
    def cranks(self) -> Floats:
        count = CRANK_ANGLES_PER_PIN * self.spec.pins.count
        return np.asarray(2 * math.pi * np.arange(count) / count)

    @cached_property
    def _phases(self) -> Floats:
        """(disc, crank) of the eccentrics."""
        discs = self.spec.discs.count
        return self.cranks[None, :] + 2 * math.pi * np.arange(discs)[:, None] / discs

    @cached_property
    def _pins(self) -> tuple[Floats, Floats, Floats]:
        """Openings by deviations (draw, disc, crank, pin), levers and q (disc, crank, pin)."""
        spec, of = self.spec, self._of
        count, k1 = spec.pins.count, spec.eccentricity * spec.pins.count / spec.pins.circle_radius
        places = 2 * math.pi * np.arange(count) / count
        phase = places - self._phases[..., None]
        root = np.sqrt(1 + k1**2 - 2 * k1 * np.cos(phase))
        q, along = (1 - k1 * np.cos(phase)) / root, k1 * np.sin(phase) / root
        x, y = of("pin_circle_x"), of("pin_circle_y")
        radial = of("pin_radial") + x[..., None] * np.cos(places) + y[..., None] * np.sin(places)
        radial = radial + of("pin_circle_oval")[..., None] * np.cos(2 * places)
        radial = radial + of("pin_circle_oval_diagonal")[..., None] * np.sin(2 * places)
        tangential = of("pin_tangential") + y[..., None] * np.cos(places)
        tangential = tangential - x[..., None] * np.sin(places)
        gap = -of("pin_radius")[:, None, None] + radial[:, None, None] * q
        gap = gap + tangential[:, None, None] * along
        gap = gap + self._disc("equidistant") + self._disc("radial") * q
        gap = gap + self._disc("eccentricity") * (k1 - np.cos(phase)) / root
        run_x, run_y = self._run_out
        gap = gap + (run_x * (k1 - np.cos(phase)) - run_y * np.sin(phase)) / root
        lever = spec.eccentricity * spec.lobe_count * np.sin(phase) / root
        turned = self._disc("angular") + self._disc("eccentric_phase") / spec.lobe_count
        return gap + turned * lever, lever, q

    @property
    def _run_out(self) -> tuple[Floats, Floats]:
        """Of the flanks on their discs (draw, disc, crank, 1), along the crank and across it."""
        turned = -self.cranks / self.spec.lobe_count - self._phases  # x points to hole 1
        cos, sin = np.cos(turned)[..., None], np.sin(turned)[..., None]
        x, y = self._disc("flank_x"), self._disc("flank_y")
        return x * cos - y * sin, x * sin + y * cos

    @cached_property
    def _rollers(self) -> tuple[Floats, Floats]:
        """Openings by deviations (draw, disc, crank, roller), levers (disc, crank, roller)."""
        of, rollers = self._of, self.spec.output.rollers
        assert rollers is not None
        places = 2 * math.pi * np.arange(rollers.count) / rollers.count
        at = places - self._phases[..., None]
        holes = {name: of(f"hole_{name}")[:, :, None] for name in ("radial", "tangential")}
        pins = {name: of(f"roller_{name}")[:, None, None] for name in ("radial", "tangential")}
        off = {name: holes[name] - pins[name] for name in holes}
        gap = of("hole_radius")[:, :, None] - of("roller_radius")[:, None, None]
        # the hole moved along the crank opens it on one side as it closes it on the other
        gap = gap - off["radial"] * np.cos(at) + off["tangential"] * np.sin(at)
        gap = gap - self._disc("eccentricity")
        return gap, rollers.circle_radius * np.sin(at)

    def play(self, clearances: Clearances) -> Floats:
        """Of every draw in rad, the least over a turn of the crank; that of a disc among its
        pins or on its rollers where these alone jam."""
        low, high = self._among_pins(clearances.equidistant, clearances.radial)
        first, last = self._on_rollers(clearances.hole)
        ends = (high + last).min(axis=1) - (low + first).max(axis=1)
        each = np.minimum(high - low, last - first).min(axis=1)
        return np.asarray(np.where(each < 0, each, ends).min(axis=-1))

    def least_clearances(self, most: float) -> Clearances | None:
        """The least with which every draw has some play: first of each disc among its pins, the
        mix of both modifications that leaves least backlash, and on its rollers; then all of them
        larger by one factor, until discs do not hinder each other. None where `most` of a
        modification or a clearance does not do."""
        spec = self.spec
        k1 = spec.eccentricity * spec.pins.count / spec.pins.circle_radius
        found = []
        opened, lever, q = self._pins
        for share in RADIAL_SHARES:
            least = _least_open(opened, 1 - share + share * q, lever, most)
            if least is not None:
                gap = least * (1 - share + share * math.sqrt(1 - k1**2))
                found.append((gap, share, least))
        between, arm = self._rollers
        hole = _least_open(between, np.ones_like(arm), arm, most)
        if not found or hole is None:
            return None
        _, share, least = min(found)
        alone = Clearances((1 - share) * least, share * least, hole)
        factor = _least(lambda s: bool(self.play(alone.times(s)).min() >= 0), LARGEST_FACTOR)
        return None if factor is None else alone.times(max(factor, 1.0))

    def _among_pins(self, equidistant: float, radial: float) -> tuple[Floats, Floats]:
        opened, lever, q = self._pins
        return _interval(opened + equidistant + radial * q, lever)

    def _on_rollers(self, hole: float) -> tuple[Floats, Floats]:
        gap, arm = self._rollers
        return _interval(gap + hole, arm)

    def _of(self, name: str) -> Floats:
        return self.draws[name]

    def _disc(self, name: str) -> Floats:
        """Of a disc, to stand beside (draw, disc, crank, contact)."""
        return self.draws[name][:, :, None, None]


def _interval(gap: Floats, lever: Floats) -> tuple[Floats, Floats]:
    """Turns between which gap + turn × lever stays open for all contacts of the last axis."""
    least = NO_LEVER * np.abs(lever).max()
    with np.errstate(divide="ignore", invalid="ignore"):
        turn = -gap / lever
    low = np.where(lever > least, turn, -np.inf).max(axis=-1)
    high = np.where(lever < -least, turn, np.inf).min(axis=-1)
    return np.asarray(low), np.asarray(high)


def _least_open(gap: Floats, weight: Floats, lever: Floats, most: float) -> float | None:
    """The least size s with which gap + s weight + turn × lever can be open for all contacts of
    every draw, disc and crank angle; None where `most` does not do. Weights are positive, so that
    what is open once stays open, and is not asked again."""
    contacts = gap.shape[-1]
    least = NO_LEVER * np.abs(lever).max()
    with np.errstate(divide="ignore", invalid="ignore"):
        turn, per_size = -gap / lever, -weight / lever
    lowest = np.where(lever > least, turn, -np.inf).reshape(-1, contacts)
    highest = np.where(lever < -least, turn, np.inf).reshape(-1, contacts)
    slope = np.where(np.abs(lever) > least, per_size, 0.0)
    slope = np.broadcast_to(slope, gap.shape).reshape(-1, contacts)

    def open_at(size: float, places: Any) -> Any:
        moved = size * slope[places]
        return (highest[places] + moved).min(axis=-1) >= (lowest[places] + moved).max(axis=-1)

    closed = np.arange(len(slope))
    if not open_at(most, closed).all():
        return None
    low, high = 0.0, most
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        still = closed[~open_at(middle, closed)]
        if len(still):
            low, closed = middle, still
        else:
            high = middle
    return high


def _least(free: Callable[[float], bool], most: float) -> float | None:
    """The least size that is free; None where `most` is not."""
    if not free(most):
        return None
    low, high = 0.0, most
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if free(middle) else (middle, high)
    return high
