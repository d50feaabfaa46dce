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
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from flank.arrays import Floats

if TYPE_CHECKING:
    from flank.machines.cycloidal.spec import CycloidalDriveSpec

CRANK_ANGLES_PER_PIN = 1
"""Crank angles looked at while one pin passes."""

NO_LEVER = 1e-6
"""Share of the largest lever below which a gap does not feel the turn."""

HALVINGS = 12

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
        spec, of, rollers = self.spec, self._of, self.spec.output.rollers
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

    def play(self, equidistant: float, radial: float, hole: float) -> Floats:
        """Of every draw in rad, the least over a turn of the crank; that of a disc among its
        pins or on its rollers where these alone jam."""
        opened, lever, q = self._pins
        low, high = _interval(opened + equidistant + radial * q, lever)
        gap, arm = self._rollers
        first, last = _interval(gap + hole, arm)
        ends = (high + last).min(axis=1) - (low + first).max(axis=1)
        each = np.minimum(high - low, last - first).min(axis=1)
        return np.asarray(np.where(each < 0, each, ends).min(axis=-1))

    def least_clearance(self, mix: tuple[float, float, float], most: float) -> float | None:
        """The least s with which modifications and hole clearances of s times `mix` leave every
        draw some play; None where `most` does not."""
        if self.play(*(most * share for share in mix)).min() < 0:
            return None
        low, high = 0.0, most
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            free = self.play(*(middle * share for share in mix)).min() >= 0
            low, high = (low, middle) if free else (middle, high)
        return high

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
