"""Lives of the cranks' bearings of all presets, and what the crank's tilt makes of their forces.

Rollers of the model stay parallel to their races. With the tilt of the crank they are pressed more
at one end; at the same approach of their middles they then bear a little more, since the law of
contact is convex, and less where an end stands off. That is what a stiffness leaves out.
"""

import math

import numpy as np

import flank
from flank.arrays import Floats
from flank.elasticity.line_contact import Cylinder, LineLaw, line_load
from flank.elasticity.roller_bearing import lamina_places
from flank.io.tables import Table
from flank.machines.contact_laws import needle_law
from flank.machines.crank_reducer.bearing_life import GROUPS, BearingLives
from flank.machines.crank_reducer.layout import BearingPlaces
from flank.machines.crank_reducer.reducer import CrankReducer

PRESETS = (
    *("rv-320", "rv-80", "rv-40", "rv-generic", "rv-paper"),
    *("few-teeth-60", "few-teeth-38"),
)
HOUR = 3600.0
ARCMIN = 180 / math.pi * 60
DEEPEST = 1e-4
"""m: no roller is pressed farther."""


def life_table() -> Table:
    """Of every preset's turning arms and supports."""
    rows = []
    for name in PRESETS:
        machine = flank.preset(name)
        assert isinstance(machine, CrankReducer)
        lives = machine.bearing_lives
        duties = [lives.duties[block] for block in GROUPS.values()]
        row = [f"`{name}`", *(f"{duty.basic_life / HOUR:,.0f}" for duty in duties)]
        row += [f"{duty.reference_life / HOUR:,.0f}" for duty in duties]
        row += [f"{duty.tilt * ARCMIN:.2f}" for duty in duties]
        row += [f"{100 * more:+.2f} %" for more in by_tilt(machine)]
        rows.append(row)
    parts = ("turning arms", "supports")
    headings = [f"L10h, h, {part}" for part in parts] + [f"L10rh, h, {part}" for part in parts]
    headings += [f"tilt, arcmin, {part}" for part in parts]
    headings += [f"force with the tilt, {part}" for part in parts]
    return Table("Lives", ["preset", *headings], [True, *[False] * len(headings)], rows)


def by_tilt(machine: CrankReducer) -> list[float]:
    """By what share the forces of all turning arms and of all supports over a turn change."""
    lives = machine.bearing_lives
    layout = lives.machine.layout
    places = (layout.turning_arm, layout.supports)
    return [_of(lives, group, place) for group, place in zip(GROUPS, places, strict=True)]


def _of(lives: BearingLives, name: str, places: BearingPlaces) -> float:
    trajectory, group = lives.turn.trajectory, lives.turn.group(name)
    force = trajectory.force(group)
    x, y = (trajectory.reading(group, f"normal_{axis}") for axis in "xy")
    slopes, cosine = lives.slopes(places), math.cos(places.size.contact_angle)
    tilt = slopes[..., 0, None] * x + slopes[..., 1, None] * y
    tilted = _tilted(_law(lives, places), force / cosine, tilt * cosine) * cosine
    before, after = (
        np.hypot((each * x).sum(axis=-1), (each * y).sum(axis=-1)).sum() for each in (force, tilted)
    )
    return float(after / before - 1)


def _law(lives: BearingLives, places: BearingPlaces) -> LineLaw:
    """Of a roller between both races, all of steel."""
    spec, size = lives.machine.spec, places.size
    steel = spec.elastic(spec.cranks.material)
    radii = (size.race_radius, size.roller_radius, size.bore_radius)
    law = needle_law(spec.contact, *(Cylinder(radius, steel) for radius in radii), size.length)
    assert isinstance(law, LineLaw)
    return law


def _tilted(law: LineLaw, force: Floats, tilt: Floats) -> Floats:
    """Forces of rollers that under `force` were parallel to their races."""
    depths = np.concatenate(([0.0], np.geomspace(1e-10, DEEPEST, 4000)))
    loads = line_load(depths, np.full(len(depths), law.constant), law.slope) * law.length
    approach = np.interp(force, loads, depths)
    local = approach[..., None] + tilt[..., None] * lamina_places(law.length)
    return np.where(force > 0, np.interp(local, depths, loads).mean(axis=-1), 0.0)
