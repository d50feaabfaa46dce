"""Rules of a planetary gearbox."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from flank.design.gears.rules import (
    NEAR_UNDERCUT,
    GearKeys,
    MeshKeys,
    gear_rules,
    mesh_rules,
)
from flank.design.gears.strength_rules import SHAFT_STRESS, strength_rules
from flank.design.rule import GUIDE, Move, Put, Rule
from flank.design.rules_of_reducers import TORQUE_RULES, lower_peak, lower_rating

if TYPE_CHECKING:
    from flank.design.planetary.figures import PlanetaryFigures

WIDTHS = ("sun.face_width", "planets.face_width", "ring.face_width")
OF_SUN = ("sun.thickness_deviation", "planets.thickness_deviation")
OF_RING = ("planets.thickness_deviation", "ring.thickness_deviation")

PIN_STRESS = 650e6
"""Pa: yield strength of hardened and tempered 42CrMo4 from 40 to 100 mm (EN 10083-3)."""

MOST_TEETH_MOVED = 6


def _near_sets(figures: PlanetaryFigures) -> Iterator[tuple[int, int, int]]:
    """Numbers of teeth near those there are, that keep z_r - z_s - 2 z_p and assemble, the
    nearest first."""
    spec = figures.machine.spec
    teeth = spec.sun.teeth, spec.planets.teeth, spec.ring.teeth
    steps = range(-MOST_TEETH_MOVED, MOST_TEETH_MOVED + 1)
    moves = [(s, p, s + 2 * p) for s in steps for p in steps if s or p]
    moves.sort(key=lambda move: (sum(map(abs, move)), move))
    for move in moves:
        sun, planet, ring = (z + by for z, by in zip(teeth, move, strict=True))
        if min(sun, planet) >= 4 and (sun + ring) % spec.planets.count == 0:
            yield sun, planet, ring


def _with_teeth(figures: PlanetaryFigures, teeth: tuple[int, int, int]) -> dict[str, Any]:
    """Keys of another set: teeth, and distances and tip circles that go with them."""
    spec = figures.machine.spec
    changes: dict[str, Any] = {}
    for name, number in zip(("sun", "planets", "ring"), teeth, strict=True):
        wheel = getattr(spec, name)
        if number == wheel.teeth:
            continue
        changes[f"{name}.teeth"] = number
        if wheel.tip_radius is not None:
            module = spec.sun_gear.transverse_module
            radius = wheel.tip_radius + 0.5 * (number - wheel.teeth) * module
            changes[f"{name}.tip_radius"] = f"{radius * 1e3:.7g} mm"
    if spec.centre_distance is not None:
        share = (teeth[0] + teeth[1]) / (spec.sun.teeth + spec.planets.teeth)
        changes["centre_distance"] = f"{spec.centre_distance * share * 1e3:.7g} mm"
    return changes


def hunting(mesh: int) -> Callable[[PlanetaryFigures], dict[str, Any]]:
    """The nearest set without a common factor in the sun's mesh (0) or the ring's (1)."""

    def found(figures: PlanetaryFigures) -> dict[str, Any]:
        for teeth in _near_sets(figures):
            if math.gcd(teeth[mesh], teeth[mesh + 1]) == 1:
                return _with_teeth(figures, teeth)
        return {}

    return found


def out_of_step(figures: PlanetaryFigures) -> dict[str, Any]:
    """The nearest set whose planets mesh one after the other."""
    for teeth in _near_sets(figures):
        if math.gcd(teeth[0], figures.machine.spec.planets.count) == 1:
            return _with_teeth(figures, teeth)
    return {}


def fewer_planets(figures: PlanetaryFigures) -> dict[str, Any]:
    """The next smaller number of planets that can be spaced evenly."""
    spec = figures.machine.spec
    around = spec.sun.teeth + spec.ring.teeth
    count = next(n for n in range(spec.planets.count - 1, 0, -1) if around % n == 0)
    changes: dict[str, Any] = {"planets.count": count}
    return changes | {"planets.angles": []} if spec.planets.angles else changes


FEWER_PLANETS = Put("use fewer planets", fewer_planets)


def _shifted(figures: PlanetaryFigures, gear: str, block: str, times: int) -> dict[str, Any]:
    """As much more profile shift of a gear as keeps it from undercut, and of the ring, whose sum
    with both others stays what it is, as both meshes have the same centre distance."""
    spec = figures.machine.spec
    margin = figures.value(f"{gear}_undercut_margin") or 0.0
    more = math.ceil(100 * (NEAR_UNDERCUT - margin)) / 100
    own = getattr(spec, block).profile_shift + more
    ring = spec.ring.profile_shift - times * more
    return {f"{block}.profile_shift": round(own, 6), "ring.profile_shift": round(ring, 6)}


SUN_SHIFTED = Put(
    "use more profile shift of the sun, and of the ring as much less",
    lambda figures: _shifted(figures, "sun", "sun", 1),
)
PLANETS_SHIFTED = Put(
    "use more profile shift of the planets, and of the ring twice as much less",
    lambda figures: _shifted(figures, "planet", "planets", 2),
)
SMALLER_PEAK = lower_peak()
SLOWER = Move("lower the speed", ("operation.input_speed",), up=False, most=1e3)
RING_SHIFTS = tuple(
    Move("use another profile shift of the ring", ("ring.profile_shift",), up=up, amount=0.01)
    for up in (False, True)
)

RULES: tuple[Rule, ...] = (
    *TORQUE_RULES,
    *mesh_rules(MeshKeys("sun_mesh", "-sun-mesh", "sun and planets", WIDTHS, OF_SUN, hunting(0))),
    *mesh_rules(
        MeshKeys("ring_mesh", "-ring-mesh", "planets and ring", WIDTHS, OF_RING, hunting(1), True)
    ),
    *gear_rules(GearKeys("sun", WIDTHS, "sun", "sun.bore_radius", shifted=SUN_SHIFTED)),
    *gear_rules(
        GearKeys("planet", WIDTHS, "planets", "planets.bore_radius", shifted=PLANETS_SHIFTED)
    ),
    *gear_rules(GearKeys("ring", WIDTHS, "ring", "ring.outer_radius", internal=True)),
    *strength_rules("sun", "planets", "ring"),
    Rule(
        "planets-close",
        "planet_gap_in_modules",
        "at_least",
        1.0,
        "neighbouring planets nearly touch: oil is caught between their tips",
        (FEWER_PLANETS,),
        GUIDE + "a gap of a module or more",
    ),
    Rule(
        "planets-in-step",
        "in_step_share",
        "at_most",
        0.5,
        "all planets come into mesh at the same instant, so that their errors add up to one torque "
        "ripple",
        (Put("use a number of the sun's teeth that the planets do not divide", out_of_step),),
        "Parker, J. Sound Vib. 236 (2000): mesh phasing",
        severity="note",
    ),
    Rule(
        "distances-differ",
        "mismatch_in_modules",
        "at_most",
        0.1,
        "both meshes ask for different centre distances: one of them runs with much backlash",
        RING_SHIFTS,
        GUIDE + "a tenth of a module",
    ),
    Rule(
        "uneven-sharing",
        "sharing_factor",
        "at_most",
        1.5,
        "planets share the load badly where a pin is off by its tolerance",
        (
            Move("place the pins better", ("tolerances.pin_tangential",), up=False, most=1e3),
            Move("let more torque even them out", ("rated_torque",), up=True),
        ),
        "IEC 61400-4: K_γ of 1.1 to 1.47 for three to seven planets",
    ),
    Rule(
        "nothing-centres",
        "centring",
        "at_least",
        1.0,
        "sun, ring, carrier and planets are all held rigidly, so that three planets and more "
        "cannot even out their load",
        (Put("let the sun float", lambda figures: {"sun.support": {"kind": "floating"}}),),
        "Niemann and Winter, Maschinenelemente II: one member floats",
        severity="note",
    ),
    Rule(
        "weak-pin",
        "pin_stress",
        "at_most",
        PIN_STRESS,
        "pins of the planets bend for good at the peak torque",
        (
            Move("use thicker pins in larger bores", ("planets.bore_radius",), up=True, power=-3.0),
            SMALLER_PEAK,
        ),
        "yield strength of 42CrMo4, hardened and tempered (EN 10083-3)",
    ),
    Rule(
        "weak-sun",
        "sun_stress",
        "at_most",
        SHAFT_STRESS,
        "the sun is twisted for good below its teeth at the peak torque",
        (Move("make its bore smaller", ("sun.bore_radius",), up=False), SMALLER_PEAK),
        GUIDE + "two thirds of the shear yield strength of E335 (EN 10025-2)",
    ),
    Rule(
        "planets-fly",
        "centrifugal_share",
        "at_most",
        1.0,
        "planets press their bearings harder by turning with the carrier than by their load",
        (SLOWER,),
        GUIDE + "no more than the load itself",
    ),
    Rule(
        "runs-hot",
        "temperature_rise",
        "at_most",
        70.0,
        "teeth lose more heat than a housing of this size gives to still air",
        (SLOWER, lower_rating(0.0)),
        GUIDE + "90 °C of mineral oil in 20 °C, 15 W/(m² K), seals and bearings left out",
    ),
)

MORE_DEDENDUM = Move("use more dedendum", ("rack.dedendum",), up=True, most=2.0)
TIPS = ("sun.tip_radius", "planets.tip_radius")

MOVES: Mapping[str, tuple[Move | Put, ...]] = {
    "negative-backlash": (
        Move("make the teeth thinner", OF_SUN, up=False, amount=5e-6),
        Move("make the teeth thinner", OF_RING, up=False, amount=5e-6),
    ),
    "small-tip-clearance": (MORE_DEDENDUM, Move("shorten the teeth", TIPS, up=False, most=1.2)),
    "undercut": (Move("use more profile shift", ("sun.profile_shift",), up=True, amount=0.01),),
    "trochoid-interference": (
        Move("shorten the teeth of the ring", ("ring.tip_radius",), up=True, most=1.2),
    ),
}
