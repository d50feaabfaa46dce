"""How far to trust the RV reducer: closed forms, catalogue figures and a published study.

    python validation/rv_reducer.py      writes docs/validation/rv_reducer.md

Every case is also a test.
"""

import math
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from bearing_lives import life_table
from carrier_in_space import carrier_cases, carrier_table, crank_cases
from cases import Case, as_table, finish
from disc_plate import (
    OTHER_PINS,
    along_table,
    finer,
    held_table,
    pin_table,
    plate_cases,
    plate_table,
    reading,
    together,
)
from elastic_ring import ring_cases, ring_table
from hole_walls import wall_cases
from rv_band import band_table, bands, dimensions_to_know, rank_table, share_of_band_table
from rv_catalogue import excess, share_table, stiffness_table
from rv_play import free_play

import flank
from flank.analyses import load_distribution, stiffness_split
from flank.analyses.hysteresis import HysteresisSettings, five_stages
from flank.analyses.hysteresis import run as run_loop
from flank.analyses.result import Result
from flank.dynamics.functions import constant
from flank.dynamics.run import solve_statics
from flank.geometry.curve import equal_arc_length_points
from flank.machines.base import Drive
from flank.machines.rv.reducer import RvReducer
from flank.report.writers import markdown_body, markdown_table
from flank.reproduce.reducers.run import run as reproduce

ARCMIN = 180 / math.pi * 60
PAGE = Path(__file__).parent.parent / "docs" / "validation" / "rv_reducer.md"

UNMODIFIED = {"discs.equidistant": 0, "discs.radial": 0}
NO_FRICTION = {
    "friction.pins": 0,
    "friction.turning_arm": 0,
    "friction.supports": 0,
    **UNMODIFIED,
}
RIGID = {"cranks.shaft": "rigid", "discs.body": "rigid", "carrier.body": "rigid"}
TIGHT = {"turning_arm.clearance": 0, "supports.clearance": 0}
WITH_FRICTION = ("rv-320", "rv-generic", "rv-paper")
SMALL_TORQUE = 1.0
"""N·m: hardly any wind-up, so that backlash is geometry."""


def reducer(name: str, changes: dict | None = None) -> RvReducer:
    return flank.preset(name, NO_FRICTION | (changes or {}))


def loop(machine: RvReducer, **settings: float) -> Result:
    return run_loop(machine, HysteresisSettings(points_per_stage=12, **settings))


def ratio_cases() -> Iterator[Case]:
    for name, ratio in (("rv-40", 121), ("rv-80", 153), ("rv-generic", 121), ("rv-paper", 157)):
        machine = reducer(name)
        poses = [machine.ideal_pose(angle) for angle in (0.0, 2 * math.pi)]
        sun, output = machine.layout.input_body, machine.layout.flange[-1]
        turned = poses[1] - poses[0]
        yield Case(
            f"{name}: turns of the input for one of the output",
            "1 + z_p z2/z1, pins fixed, carrier out",
            ratio,
            turned[sun, 2] / turned[output, 2],
            "",
            1e-13,
        )


def profile_play_cases() -> Iterator[Case]:
    """As the output turns by θ the cranks roll on the sun by (1 + z1/z2) θ, which helps."""
    machine = reducer("rv-320")
    spec = machine.spec
    arm = spec.eccentricity * machine.lobes
    shortening = machine.profile.shortening
    stage = spec.first_stage
    helped = 1 + (1 + stage.sun_teeth / stage.planet_teeth) / machine.lobes
    for key, label, factor in (
        ("equidistant", "Δr", 1.0),
        ("radial", "ΔR", math.sqrt(1 - shortening**2)),
    ):
        changed = reducer("rv-320", TIGHT | {f"discs.{key}": "10 um"})
        yield Case(
            f"rv-320: backlash for {label} = 10 µm",
            "2[Δr + ΔR√(1-K1²)]/(e z_c) over 1 + (1 + z1/z2)/z_c, sun held",
            2 * 10e-6 * factor / arm / helped * ARCMIN,
            loop(changed, torque=SMALL_TORQUE)["backlash"] * ARCMIN,
            "arcmin",
            5e-3,
        )


def clearance_play_cases() -> Iterator[Case]:
    for name in ("rv-320", "rv-paper", "rv-40"):
        clearance = 8e-6
        machine = reducer(name, RIGID | TIGHT | {"turning_arm.clearance": clearance})
        found = loop(machine, torque=SMALL_TORQUE)["backlash"] * ARCMIN
        yield Case(
            f"{name}: backlash for a turning-arm clearance of 8 µm, rigid parts",
            "kinematics, roller by roller",
            free_play(machine, clearance) * ARCMIN,
            found,
            "arcmin",
            5e-3,
        )
        yield Case(
            f"{name}: the same against a disc that cannot roll",
            "2 c/R_c; the discs' rolling takes some per cent",
            2 * clearance / machine.spec.cranks.circle_radius * ARCMIN,
            found,
            "arcmin",
            0.06,
        )


def resultant_cases() -> Iterator[Case]:
    """Across the crank, whatever the modification makes of the distribution."""
    for name, modified in (("rv-320", "3 um"), ("rv-paper", "0 um")):
        machine = reducer(name, {"discs.equidistant": modified})
        settings = load_distribution.LoadDistributionSettings(torque=machine.rated_torque)
        result = load_distribution.run(machine, settings)
        arm = machine.spec.eccentricity * machine.lobes
        for disc, phase in enumerate(machine.layout.phases):
            across, torque = _pin_resultant(result, machine, disc, phase)
            yield Case(
                f"{name}: pins' resultant across the crank, disc {disc + 1}, rated torque",
                "T_disc/(e z_c), exact before deformation",
                torque / arm,
                across,
                "N",
                5e-3,
            )


def _pin_resultant(
    result: Result, machine: RvReducer, disc: int, phase: float
) -> tuple[float, float]:
    """Force of the pins across the crank, and their torque about the middle of the disc."""
    force = result["pin_force"].values[disc]
    pushed = force * np.nan_to_num(
        result["pin_normal_x"].values[disc] + 1j * result["pin_normal_y"].values[disc]
    )
    points = np.nan_to_num(result["pin_x"].values[disc] + 1j * result["pin_y"].values[disc])
    centre = machine.spec.eccentricity * np.exp(1j * phase)
    torque = np.sum(np.conj(points - centre) * pushed).imag
    return abs((np.sum(pushed) * np.exp(-1j * phase)).imag), abs(float(torque))


def loop_cases() -> Iterator[Case]:
    for name in ("rv-320", "rv-paper"):
        machine = reducer(name)
        result = loop(machine)
        torque, angle = result["loop_torque"].values, result["loop_angle"].values
        first = result["loop_stage"].values == 0
        low = np.interp(0.03 * machine.rated_torque, torque[first], angle[first])
        yield Case(
            f"{name}: lost motion less backlash, no friction",
            "twice the wind-up at 3 % of rated torque",
            2 * (low - 0.5 * result["backlash"]) * ARCMIN,
            (result["lost_motion"] - result["backlash"]) * ARCMIN,
            "arcmin",
            2e-3,
        )
        yield Case(
            f"{name}: work lost in a frictionless loop over T·BL",
            "zero",
            0.0,
            result["loop_work"] / (machine.rated_torque * result["backlash"]),
            "",
            1e-4,
        )


def friction_cases() -> Iterator[Case]:
    """The loop's area is what slip lost: two ways to the same work."""
    for name in WITH_FRICTION:
        area, slip = _works(name, TIGHT | UNMODIFIED)
        yield Case(
            f"{name}: area of the loop, no play",
            "work of friction in all contacts, summed over slip",
            slip,
            area,
            "J",
            2e-3,
        )


def _works(name: str, changes: dict) -> tuple[float, float]:
    """Area of the loop and work of slip, in J."""
    result = run_loop(flank.preset(name, changes), HysteresisSettings(points_per_stage=50))
    return float(result["loop_work"]), float(result["friction_work"])


def uncounted_work() -> str:
    """By how much the area exceeds the work of slip where there is play."""
    works = {name: _works(name, {}) for name in WITH_FRICTION}
    return ", ".join(f"{area / slip - 1:.1%} ({name})" for name, (area, slip) in works.items())


def split_cases() -> Iterator[Case]:
    for name in ("rv-320", "rv-paper"):
        result = stiffness_split.run(reducer(name))
        yield Case(
            f"{name}: twist of the parts added up over the twist of the poses",
            "one",
            1.0,
            1.0 + result["closure"],
            "",
            1e-3,
        )


def roller_form_cases() -> Iterator[Case]:
    """A roller solved inside its bearing, and the same as a body between two contacts."""
    for name in ("rv-320", "rv-paper"):
        inside = loop(reducer(name, {"turning_arm.elements": "inside"}))
        bodies = loop(reducer(name, {"turning_arm.elements": "bodies"}))
        for key, unit, factor in (
            ("torsional_stiffness", "N·m/arcmin", 1 / ARCMIN),
            ("lost_motion", "arcmin", ARCMIN),
            ("backlash", "arcmin", ARCMIN),
        ):
            yield Case(
                f"{name}: {key.replace('_', ' ')} with turning-arm rollers as bodies",
                "the same with rollers solved inside their bearing",
                inside[key] * factor,
                bodies[key] * factor,
                unit,
                5e-3,
            )


def measured_disc_cases() -> Iterator[Case]:
    """The analytic disc, sampled and read back as if it were measured; presets as they are."""
    for name in ("rv-320", "rv-40"):
        machine = flank.preset(name)
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/disc.csv"
            np.savetxt(path, equal_arc_length_points(machine.profile, 4000), fmt="%.17g")
            generated = {"discs.equidistant": None, "discs.radial": None}
            measured = {"discs.profile": "measured", "discs.points_file": path}
            exact, found = loop(machine), loop(flank.preset(name, generated | measured))
        yield Case(
            f"{name}: torsional stiffness with discs of 4,000 points",
            "the same with analytic discs",
            exact["torsional_stiffness"] / ARCMIN,
            found["torsional_stiffness"] / ARCMIN,
            "N·m/arcmin",
            1e-3,
        )
        play = exact["backlash"] * machine.spec.pins.circle_radius * 1e6
        yield Case(
            f"{name}: backlash at the pin circle with discs of 4,000 points",
            "the same with analytic discs, within 0.2 µm",
            play,
            found["backlash"] * machine.spec.pins.circle_radius * 1e6,
            "µm",
            0.2 / play,
        )


def one_crank_cases() -> Iterator[Case]:
    """Play c of output rollers where the throw of the one crank lies along its arm.

    A disc turns by ω = c/max|y| against the carrier until a roller touches; then
    e (dα - dθ_c) = R_c ω with dα = z_c (ω - φ) and dθ_c = (1 + z1/z2) φ, φ the carrier's turn.
    """
    play, rollers = 50e-6, {"count": 5, "circle_radius": 85e-3, "radius": 10e-3}
    rollers["hole_radius"] = 12.2e-3 + play
    one = {"cranks.count": 1, "discs.count": 1, "output_rollers": rollers}
    machine = reducer("rv-320", RIGID | TIGHT | one)
    torques = five_stages(2.0, 1.0)
    assembly = machine.assemble(Drive.of_ends(constant(0.0), torques))
    run = solve_statics(assembly.model, machine.ideal_pose(0.0), np.array([1.0, 3.0]))
    turned = run.position[:, machine.layout.flange[-1], 2]
    spec, stage = machine.spec, machine.spec.first_stage
    rolled = 1 + stage.sun_teeth / stage.planet_teeth
    highest = max(abs(y) for _, y in machine.layout.roller_places())
    e, arm = spec.eccentricity, spec.cranks.circle_radius
    closed = 2 * play / highest * (e * machine.lobes - arm) / (e * (machine.lobes + rolled))
    yield Case(
        "rv-320 on one crank: play for a clearance of its output rollers of 50 µm",
        "2 c/y_max · (e z_c - R_c)/(e (z_c + 1 + z1/z2)) at a dead point, sun held",
        closed * ARCMIN,
        float(turned[0] - turned[1]) * ARCMIN,
        "arcmin",
        1e-2,
    )


GROUPS = (
    ratio_cases,
    profile_play_cases,
    clearance_play_cases,
    resultant_cases,
    loop_cases,
    friction_cases,
    split_cases,
    roller_form_cases,
    measured_disc_cases,
    one_crank_cases,
    wall_cases,
    carrier_cases,
    crank_cases,
    plate_cases,
    ring_cases,
)


def all_cases() -> list[Case]:
    return [case for group in GROUPS for case in group()]


PROSE = """# How far to trust the RV reducer

Written by `make validation`; every row of the first table is also a test.

## Closed forms and identities

Presets without friction, but for the loop's area. Backlash is read at a torque of 1 N·m, where it
is geometry.

{cases}

## The carrier in space

What a torque that is shared evenly by all seats of the support bearings turns them by, relative to
the output face. In the machine the forces on the seats also go round with the cranks, and its share
is a tenth larger.

{carrier}

## The disc as a plate

Twice the energy of both discs of `rv-320` over the square of the rated torque, arcsec/(N·m) at the
output, beside other finite elements on the same dimensions. Those had forces of the bearings at the
holes, here those of the machine, shared alike by the cranks and pressing with a cosine on half of a
wall, and pins at the least complementary energy. What the bearings press along the crank is the
machine's; with eccentrics that do not give way it would be what makes that energy least. In the
machine itself cranks share unevenly, as they bend, and rollers press one by one: its plates store
less. The last column is by how much more the output turns than with rigid discs, uneven pins
included.

{plates}

The other elements have {other_pins} pins that carry with the modification. {finer}

{reading}

What presses along the crank is told by no equilibrium of the disc, but by how eccentrics and
bearings give way: more of it loads more pins and the plate less. With the modification and the
crank at 30°:

{along}

{together}

{held}

### Grooves and ring of the pins

K_T of presets without friction, discs as plates, by how the pins are held: rigidly; in
[half-round grooves](../theory/rv_reducer.md#a-planar-model-with-stations) that they fill
(`pins.grooves: elastic`); in these and a ring (`pins.ring`) out to half of the body's diameter in
the catalogue, as wide as both discs, held over its outer face or on 16 bolts in the middle of its
wall. N·m/arcmin.

{rings}

### Pins of all presets

The largest force and pressure over a turn of a crank at rated torque: before, with discs held at
their rim and flanks without modification, and now, with `discs.body: elastic` and the modification
that the preset states. `rv-paper` has its script's flank in both.

{pins}

## Bearings of all presets

Rating lives at rated torque and 15 rpm of the output, of the worst bearing of a kind; the rule asks
for 6,000 h. Turning arms and supports of `rv-paper` are those of its script. Rollers of the model
stay parallel to their races. The tilt of the cranks, which the reference lives have, would change
what they bear at the same approach, over a turn, by the share in the last columns: cranks lean
across their load, so that ends of rollers are hardly pressed where they carry.

{lives}

## Against the catalogue

Torsional rigidity of RV-320E, RV-40E and RV-80E **from memory of the catalogue, not checked against
a printed one**; K_T as computed by `hysteresis` up to the rated torque. K_T/T is per arcmin.

{stiffness}

**The model is stiffer than the catalogue, {excess}.** Where the compliance
that it does have sits, in per cent (`stiffness-split`, no friction):

{shares}

What it leaves out, all of which makes a real unit softer:

- the bolted joints of the carrier and the fits of the bearings' seats: they have
  [keys](../theory/rv_reducer.md#a-planar-model-with-stations), but nobody states their compliance
  and presets have none;
- crowning of rollers, which shortens their lines of contact (`profile` has it; presets are
  straight);
- the bending of the pins; the housing and the pins' grooves unless a spec gives them (above);
- tolerances, which keep cranks, rollers and pins from sharing the load evenly.

Disc widths, bores, crank lengths and bearings of these presets come from a sizing rule, not from a
drawing, and K_T is no better known than they are. Nothing was adjusted to meet the
catalogue.

### Between published sets

The sizing rule's proportions differ among
[the sets that give them](../theory/rv_reducer.md#sizing-rule). With each of them at either end, and
with all at the ends that make a figure least and most, the presets are as follows. All else follows
by the rule: bearings are sized for their life, so that a thinner eccentric has thicker rollers and
larger supports.

{band}

`rv-generic` and `rv-paper` give what has a spread, or nearly so. What each proportion makes of K_T
(N·m/arcmin) by itself, the largest first:

{band_shares}

Most dimensions are given by one set or none, so that nobody knows their spread. What K_T changes by
with one of them a tenth smaller, in per cent, the others following by the rule:

{ranks}

**To say more of a unit, one would have to know first {first}.**

## arXiv 2604.02387 computed anew

Printed by `flank reproduce reducers`, which also draws the pictures.

{study}

## What is not validated

- **No measured reducer stands behind these figures.**
- The model is planar: no tilting of discs, no axial forces, no moment on the output.
- Friction coefficients and contact damping are assumptions in every preset.
- **The energy balance does not close where there is play**: the area of a loop exceeds the work of
  slip by {uncounted}. Without play the two agree (first table), and so they do
  without friction at the rollers. The output jumps through its play, and what friction had stored
  seems to be lost uncounted; the cause is not settled.
"""


def main() -> None:
    cases = all_cases()
    stiffness, found = stiffness_table(), bands()
    text = PROSE.format(
        cases=as_table(cases),
        carrier=markdown_table(carrier_table()),
        plates=markdown_table(plate_table()),
        other_pins=OTHER_PINS,
        finer=finer(),
        reading=reading(),
        along=markdown_table(along_table()),
        together=together(),
        held=markdown_table(held_table()),
        lives=markdown_table(life_table()),
        rings=markdown_table(ring_table()),
        pins=markdown_table(pin_table()),
        stiffness=markdown_table(stiffness),
        excess=excess(stiffness),
        uncounted=uncounted_work(),
        shares=markdown_table(share_table()),
        band=markdown_table(band_table(found)),
        band_shares=markdown_table(share_of_band_table(found)),
        ranks=markdown_table(rank_table(found)),
        first=dimensions_to_know(found),
        study=markdown_body(reproduce().document, level=3),
    )
    finish(PAGE, text, cases)


if __name__ == "__main__":
    main()
