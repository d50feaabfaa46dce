"""Load ratings, rating lives and static safety of the cranks' bearings, from the forces of their
rollers at rated torque and speed (elasticity/roller_bearing.py).

Equilibria over one turn of a crank against the carrier give the force of every roller. On each
roller it is spread over laminae by its profile and by the tilt of the crank at that station, which
follows from the shifts of the stations (Shaft.slopes): the carrier and the discs stand upright, and
what rollers that are pressed at one end do to the crank's slope is left out, so that tilts are
upper bounds. Axial parts of tapered bearings hold each other: their equivalent load is the radial
one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from flank.arrays import Floats
from flank.elasticity.roller_bearing import (
    RollerBearing,
    edge_factors,
    equivalent_load,
    lamina_loads,
    lamina_places,
    race_load,
)
from flank.machines.base import DataRow, DataTable
from flank.machines.crank_reducer.bearings import RACES
from flank.machines.crank_reducer.geometry import crank_shaft
from flank.machines.crank_reducer.layout import BearingPlaces
from flank.machines.rated_turn import RatedTurn
from flank.machines.round_parts import even_angles

if TYPE_CHECKING:
    from flank.machines.crank_reducer.reducer import CrankReducer

TITLES = {"turning_arm": "turning arms", "supports": "supports"}

HOUR = 3600.0
"""s."""

GROUPS = {"turning_arm": "turning_arm", "support": "supports"}
"""Groups of contacts, and the blocks of the spec that their bearings have."""


@dataclass(frozen=True)
class Duty:
    """What the worst of a kind of bearings bears; loads in N, lives in s."""

    rating: RollerBearing
    largest_force: float
    equivalent_load: float
    largest_roller_force: float
    largest_pressure: float
    tilt: float
    speed: float
    basic_life: float
    reference_life: float

    @property
    def static_safety(self) -> float:
        """S0 = C0/P0 of ISO 76."""
        return self.rating.static_rating / self.largest_force


@dataclass(frozen=True)
class BearingLives:
    """The bearings of a machine's cranks over a turn of a crank at the rated torque."""

    machine: CrankReducer
    turn: RatedTurn

    @property
    def speed(self) -> float:
        """Of a crank against carrier and discs, in rad/s, the output at its rated speed."""
        spec = self.machine.spec
        return (abs(spec.crank_ratio) + 1) * spec.rated_speed

    @cached_property
    def duties(self) -> dict[str, Duty]:
        """By the block of the spec."""
        places = (self.machine.layout.turning_arm, self.machine.layout.supports)
        return {
            block: self._duty(group, place)
            for (group, block), place in zip(GROUPS.items(), places, strict=True)
        }

    def _duty(self, name: str, places: BearingPlaces) -> Duty:
        trajectory, group = self.turn.trajectory, self.turn.group(name)
        rating = places.size.rating
        forces, pressures = trajectory.force(group), trajectory.pressure(group)
        x, y = (trajectory.reading(group, f"normal_{axis}") for axis in "xy")
        if places.bodies:  # the inner race's
            forces, x, y = forces[:, :, :, 0], x[:, :, :, 0], y[:, :, :, 0]
        resultant = np.hypot((forces * x).sum(axis=-1), (forces * y).sum(axis=-1))
        slopes = self.slopes(places)
        tilts = slopes[..., 0, None] * x + slopes[..., 1, None] * y
        loads = equivalent_loads(resultant)
        lives = [
            self._reference_life(rating, places, at, forces[:, *at], tilts[:, *at])
            for at in np.ndindex(places.inner.shape)
        ]
        cosine, speed = math.cos(places.size.contact_angle), self.speed / (2 * math.pi)
        return Duty(
            rating,
            float(resultant.max()),
            float(loads.max()),
            float(forces.max()) / cosine,
            float(pressures.max()),
            float(np.hypot(slopes[..., 0], slopes[..., 1]).max()),
            self.speed,
            rating.life(float(loads.max())) / speed,
            min(lives) / speed,
        )

    def slopes(self, places: BearingPlaces) -> Floats:
        """Slope of the crank in every bearing in space, (time, crank, holder, 2); so lean races
        whose fits give way."""
        machine, trajectory = self.machine, self.turn.trajectory
        shape = (len(trajectory.time), *places.inner.shape, 2)
        if machine.spec.cranks.shaft == "rigid":
            return np.zeros(shape)
        follow = crank_shaft(machine.spec, machine.size).slopes()
        slopes = np.zeros(shape)
        for k in range(len(places.inner)):
            stations = machine.layout.stations(k)
            shifts = trajectory.position[:, stations, :2]
            inside = [stations.index(int(body)) for body in places.station[k]]
            slopes[:, k] = np.einsum("ij,tjx->tix", follow, shifts)[:, inside]
        return slopes

    def _reference_life(
        self,
        rating: RollerBearing,
        places: BearingPlaces,
        at: tuple[int, ...],
        forces: Floats,
        tilts: Floats,
    ) -> float:
        """L10r in turns of one bearing, forces (time, roller) and tilts in the plane."""
        cosine = math.cos(rating.contact_angle)
        along = lamina_places(rating.length)
        gaps = tilts[..., None] * along * cosine
        gaps = gaps + RACES * places.size.profile.depth(2 * along / rating.length)
        gaps = gaps - gaps.min(axis=-1, keepdims=True)
        loads = lamina_loads(forces / cosine, gaps, rating.length) * edge_factors()
        trajectory = self.turn.trajectory
        inner, outer = (
            trajectory.position[:, int(bodies[at]), 2] for bodies in (places.inner, places.seat)
        )
        turned, share = (inner - outer)[:, None], places.size.cage_share
        at_rest = np.array(even_angles(rating.count))
        on_inner = (at_rest - (1 - share) * turned) / (2 * math.pi)
        on_outer = (at_rest + share * turned) / (2 * math.pi)
        return rating.reference_life(race_load(loads, on_inner), race_load(loads, on_outer))

    def table(self) -> DataTable:
        """The worst bearing of each kind, as `flank check` shows it."""
        spec, duties = self.machine.spec, self.duties.values()
        rows = [
            DataRow(title, tuple(float(read(duty)) for duty in duties), unit, shown, 4)
            for title, read, unit, shown in ROWS
        ]
        speed = spec.rated_speed * 30 / math.pi
        title = f"Bearings at rated torque, output at {speed:.4g} rpm"
        return DataTable(title, tuple(TITLES.values()), tuple(rows))


def equivalent_loads(resultant: Floats) -> Floats:
    """P of every bearing, of its force over time (time, crank, holder)."""
    flat = resultant.reshape(len(resultant), -1)
    return np.array([equivalent_load(flat[:, k]) for k in range(flat.shape[1])])


ROWS: tuple[tuple[str, Callable[[Duty], float], str, str], ...] = (
    ("rollers Z", lambda duty: duty.rating.count, "", ""),
    ("roller diameter D", lambda duty: duty.rating.diameter, "m", "mm"),
    ("effective length L", lambda duty: duty.rating.length, "m", "mm"),
    ("pitch diameter", lambda duty: duty.rating.pitch_diameter, "m", "mm"),
    ("dynamic load rating C (ISO 281)", lambda duty: duty.rating.dynamic_rating, "N", "kN"),
    ("static load rating C0 (ISO 76)", lambda duty: duty.rating.static_rating, "N", "kN"),
    ("largest force", lambda duty: duty.largest_force, "N", "kN"),
    ("equivalent load P", lambda duty: duty.equivalent_load, "N", "kN"),
    ("speed of the crank in it", lambda duty: duty.speed, "rad/s", "rpm"),
    ("basic rating life L10h (ISO 281)", lambda duty: duty.basic_life, "s", "h"),
    ("reference life L10rh (ISO 16281)", lambda duty: duty.reference_life, "s", "h"),
    ("static safety S0 (ISO 76)", lambda duty: duty.static_safety, "", ""),
    ("largest roller force", lambda duty: duty.largest_roller_force, "N", "kN"),
    ("largest pressure of a roller", lambda duty: duty.largest_pressure, "Pa", "MPa"),
    ("largest tilt of the crank", lambda duty: duty.tilt, "rad", "arcmin"),
)
"""Rows of the table: title, what is read, unit, shown unit."""
