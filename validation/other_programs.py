"""The same work in others' programs: figures side by side, and why they differ.

    python validation/other_programs.py      writes docs/validation/other_programs.md

Programs are installed on first use, each in an environment of its own (`peers/environments.py`).
"""

import math
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))

import numpy as np
from peers.environments import (
    CYCLOIDGEN,
    EXUDYN,
    OPENTORSION,
    ROSS,
    NotToBeHad,
    Peer,
    ask,
    run_script,
)
from stage import run_stage

import flank
from flank.analyses import load_distribution, natural_frequencies
from flank.analyses.load_distribution import LoadDistributionSettings
from flank.analyses.natural_frequencies import NaturalFrequenciesSettings
from flank.arrays import Floats
from flank.contact.loaded_mesh import loaded_mesh
from flank.elasticity.iso_6336 import mean_stiffness as iso_stiffness
from flank.elasticity.material import Material
from flank.elasticity.mesh_stiffness import mesh_stiffness
from flank.geometry.curve import evaluate
from flank.geometry.cycloid import Cycloid
from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair
from flank.geometry.pin_clearance import nearest_on_flank
from flank.io.files import write_file
from flank.machines.gear_spec import MeshSpec
from flank.machines.meshed_pair import MeshedPair

PAGE = Path(__file__).parent.parent / "docs" / "validation" / "other_programs.md"

POINTS = (2000, 20_000)
"""Of its profile, against which cycloidgen measures gaps: as shipped, and refined."""

ANGLES = tuple(np.linspace(0.0, 2 * math.pi / 8, 17)[:-1])
"""Crank angles of the means: a period of eight output rollers."""

TORQUE = 200.0
RADIAN = 180 * 60 / math.pi

STEEL_OF_BOTH = "Steel 1045"
DRIVE = {
    "pin_circle_radius": 64.0, "pin_radius": 3.0, "eccentricity": 1.3, "lobes": 39,
    "disc_thickness": 9.0, "disc_count": 2, "center_bore_diameter": 50.0,
    "output_pin_count": 8, "output_pin_diameter": 10.0, "output_bolt_circle_radius": 42.0,
    "offset_mode": "both", "profile_clearance": 0.010, "hole_clearance": 0.0,
    "output_torque_Nm": TORQUE, "disc_material": STEEL_OF_BOTH, "housing_material": STEEL_OF_BOTH,
}  # fmt: skip
"""The preset `cycloidal-drive` in cycloidgen's keys, in mm and N·m."""

ONE_DISC = {"disc_count": 1, "offset_mode": "equidistant", "profile_clearance": 0.020}
RING_TORQUE, ZONE, RING_ANGLES = 25.0, 10e-6, (0.3, 1.1)


def rings() -> list[dict[str, Any]]:
    """A nominal ring and eight drawn ones at two crank angles; errors in mm, in the housing."""
    random = np.random.default_rng(18)
    drawn = [np.zeros((40, 2))]
    for _ in range(8):
        radius = 0.5e3 * ZONE * np.sqrt(random.random(40))
        angle = 2 * math.pi * random.random(40)
        drawn.append(np.column_stack((radius * np.cos(angle), radius * np.sin(angle))))
    return [
        {"angle": angle, "torque": RING_TORQUE, "errors": errors.tolist()}
        for angle in RING_ANGLES
        for errors in drawn
    ]


def carried(changes: dict[str, Any], torque: float, angle: float) -> dict[str, Any]:
    """The drive at one crank angle; cycloidgen's crank turns the other way."""
    machine = flank.preset("cycloidal-drive", changes)
    settings = LoadDistributionSettings(torque=-torque, crank_angle=-angle)
    result = load_distribution.run(machine, settings)
    forces = np.asarray(result["pin_force"].values)
    return {
        "angle": abs(float(result["wind_up"])),
        "largest": float(forces.max()),
        "hardest": int(forces.reshape(-1, forces.shape[-1]).max(axis=0).argmax()),
        "stiffness": float(result["torsional_stiffness"]) / RADIAN,
        "carrying": float(result["loaded_pin_count"]) / machine.spec.discs.count,
    }


def ring_of(errors: list[list[float]]) -> dict[str, Any]:
    """Pins moved by mm in the housing, as errors along and across their radius."""
    x, y = 1e-3 * np.array(errors).T
    angle = 2 * math.pi * np.arange(len(x)) / len(x)
    along = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
    radial, tangential = ({n + 1: float(v) for n, v in enumerate(values)} for values in along)
    shape = {"discs.count": 1, "discs.equidistant": 20e-6, "discs.radial": 0.0}
    return shape | {"errors": {"pin_radial": radial, "pin_tangential": tangential}}


def off(found: float, known: float) -> str:
    """How far the second differs from the first."""
    return f"{100 * (found / known - 1):+.1f} %"


def cycloid_drive() -> Iterator[str]:
    """Section on cycloidgen."""
    drive = {"spec": DRIVE, "torque": TORQUE, "profile": 3000, "points": POINTS, "angles": ANGLES}
    theirs = ask(CYCLOIDGEN, drive)
    single = {"spec": DRIVE | ONE_DISC | {"output_torque_Nm": RING_TORQUE}, "rings": rings()}
    sampled = ask(CYCLOIDGEN, drive | single | {"torque": RING_TORQUE})["rings"]
    profile = Cycloid(40, 64e-3, 3e-3, 1.3e-3, 5e-6, 5e-6)
    yield f"""## {CYCLOIDGEN.name} {CYCLOIDGEN.version}: the drive `cycloidal-drive`

40 pins, two discs, {TORQUE:g} N·m, steel of 206 GPa, no friction. It turns a disc whose centre
stands until all contacts of a stage carry the torque, ring and output one after the other, with a
contact law of Palmgren's exponent; Flank solves the equilibrium of the whole train, by Hertz's law.

**Profile.** {len(theirs["profile"])} of its points lie within \
{distance(profile, np.array(theirs["profile"]) * 1e-3) * 1e9:.1e} nm of ours.
"""
    ideal = {f"discs.{name}": 0.0 for name in ("equidistant", "radial")}
    linear = {"contact": {"law": "penalty", "stiffness": "1e8 N/m", "exponent": 1}}
    same = max(carried(ideal | linear, TORQUE, angle)["largest"] for angle in ANGLES)
    closed = 4 * 0.5 * TORQUE / (1.3e-3 * 39 * 40)
    largest = max(carried(ideal, TORQUE, angle)["largest"] for angle in ANGLES)
    shared = theirs["shared"]
    yield f"""**Pin forces with the same assumption**, contacts alike and linear, no clearance: the
largest is {shared:.2f} N in cycloidgen and {same:.2f} N in Flank ({off(same, shared)}); the sum
over many pins, 4 T/(e z_c z_p), is {closed:.2f} N. With Hertz's law it is {largest:.1f} N.
"""
    every = [carried({}, TORQUE, angle) for angle in ANGLES]
    mean = {
        "stiffness": float(np.mean([each["stiffness"] for each in every])),
        "carrying": float(np.mean([each["carrying"] for each in every])),
        "largest": max(each["largest"] for each in every),
    }
    shipped, refined = (theirs[f"carry {points}"] for points in POINTS)
    gaps = [theirs["gaps"][str(points)] for points in POINTS]
    plays = [f"{theirs['backlash'][str(points)]:.3f}" for points in POINTS]
    rows = [
        ("smallest gap at three crank angles, µm", *(f"{1e3 * gap:.2f}" for gap in gaps), ""),
        ("backlash of the pins, arcmin", *plays, f"{backlash():.3f}"),
    ]
    for name, title, form in (
        ("stiffness", "stiffness of contacts, mean over the crank, N·m/arcmin", "{:.1f}"),
        ("carrying", "pins that carry, of a disc", "{:.2f}"),
        ("largest", "largest pin force, N", "{:.0f}"),
    ):
        values = shipped[name], refined[name], mean[name]
        rows.append((title, *(form.format(value) for value in values)))
    heads = ("", f"gaps against {POINTS[0]} points, as shipped", f"{POINTS[1]} points", "Flank")
    yield "**Clearance of 5 µm equidistant and 5 µm radial.**\n"
    yield table(heads, rows)
    yield f"""
Refined, its stiffness is {off(refined["stiffness"], mean["stiffness"])} and its largest force
{off(refined["largest"], mean["largest"])} off ours. As shipped it measures gaps against a polyline
of equal steps of the profile's parameter, whose chords cut the valleys: where it finds an
interference there is none.
"""
    yield from ring_table(sampled)


def ring_table(sampled: list[dict[str, Any]]) -> Iterator[str]:
    """Rings whose pins are off their places, one disc."""
    cases = rings()
    rows, angles, forces, other, agreed = [], [], [], [], 0
    for number, (case, their) in enumerate(zip(cases, sampled, strict=True)):
        ours = carried(ring_of(case["errors"]), RING_TORQUE, case["angle"])
        turned = their["ring_angle"] + their["output_angle"]
        palmgren = ring_of(case["errors"]) | {"contact": {"law": "palmgren"}}
        moved = carried(palmgren, RING_TORQUE, case["angle"])["largest"]
        other.append(moved / ours["largest"] - 1)
        angles.append(turned / ours["angle"] - 1)
        forces.append(their["largest"] / ours["largest"] - 1)
        agreed += their["hardest"] == ours["hardest"]
        kind = "nominal" if number % 9 == 0 else f"drawn {number % 9}"
        rows.append(
            (
                f"{case['angle']:g} rad, {kind}",
                f"{1e6 * turned:.1f}",
                f"{1e6 * ours['angle']:.1f}",
                f"{their['largest']:.1f}",
                f"{ours['largest']:.1f}",
                str(their["hardest"] + 1),
                str(ours["hardest"] + 1),
            )
        )
    low, high, least, most = (100 * f(each) for each in (angles, forces) for f in (min, max))
    yield f"""**{len(cases)} rings with errors of their pins**, true positions in a zone of
{1e6 * ZONE:g} µm, one disc, {RING_TORQUE:g} N·m, 20 µm equidistant: cycloidgen with refined gaps is
{low:+.2f} to {high:+.2f} % off in the rotation and {least:+.1f} to {most:+.1f} % in the largest
force; the same pin carries most in {agreed} of {len(cases)}. A disc rests on few pins here,
whose shares hang on what contacts give way: Palmgren's law in Flank alone moves its largest forces
by {100 * min(other):+.1f} to {100 * max(other):+.1f} %.
"""
    heads = (
        "crank, ring", "rotation, µrad", "Flank", "largest force, N", "Flank", "of pin", "Flank",
    )  # fmt: skip
    yield table(heads, rows)


def backlash() -> float:
    """arcmin that the disc turns between both flanks, without load: twice to the first pin."""
    return 2 * max(carried({}, 1e-3, angle)["angle"] for angle in ANGLES) * RADIAN


def distance(profile: Cycloid, points: Floats) -> float:
    """Largest distance of points from a profile, which is steps along the tangent from the nearest
    of its samples."""
    t = nearest_on_flank(points, profile).parameter
    for _ in range(6):
        x, y, along_x, along_y, speed = evaluate(profile, t)[:, :5].T
        t = t + ((points[:, 0] - x) * along_x + (points[:, 1] - y) * along_y) / speed
    x, y = evaluate(profile, t)[:, :2].T
    return float(np.hypot(points[:, 0] - x, points[:, 1] - y).max())


WIDTH, LOAD, BORE = 20e-3, 300e3, 17.5e-3
STEEL = Material(211e9, 0.2993, 7850.0)


def mesh_of_two() -> Iterator[str]:
    """Section on ROSS."""
    question = {
        "modulus": STEEL.youngs_modulus, "poisson": STEEL.poisson_ratio, "module": 2e-3,
        "width": WIDTH, "teeth": [62, 62], "bores": [BORE, BORE], "positions": 256,
    }  # fmt: skip
    theirs = ask(ROSS, question)
    wheel = Gear(62, 2e-3, math.radians(20), held_radius=BORE)
    pair, both = GearPair(wheel, wheel, face_width=WIDTH), (STEEL, STEEL)
    curve = mesh_stiffness(pair, both, LOAD)
    loading = MeshedPair(pair, both, MeshSpec(model="fe"), LOAD * WIDTH).loading()
    torque = np.array([LOAD * WIDTH * wheel.base_radius])
    elements = loaded_mesh(loading, torque, 32).stiffness[0] * 1e-6
    bare = replace(wheel, held_radius=None)
    without = mesh_stiffness(GearPair(bare, bare, face_width=WIDTH), both, LOAD)
    beams = curve.stiffness * WIDTH * 1e-6
    rows = [
        (title, *(f"{value:.1f}" for value in values))
        for title, values in {
            f"ROSS {ROSS.version}": [1e-6 * theirs[k] for k in ("largest", "least", "mean")],
            "Flank, teeth as beams": _extremes(beams),
            "Flank, both gears of finite elements": _extremes(elements),
            "Flank, no bore told": _extremes(without.stiffness * WIDTH * 1e-6),
        }.items()
    ]
    norm = 1e-6 * WIDTH * iso_stiffness(pair, both)
    yield f"""## {ROSS.name.upper()} {ROSS.version}: stiffness of a mesh, 62/62

Module 2 mm, face {1e3 * WIDTH:g} mm, bores {2e3 * BORE:g} mm across, E 211 GPa, ν 0.2993; Flank at
{LOAD / 1e3:g} N/mm, as secants. By ISO 6336-1 the mean of solid gears is {norm:.0f} N/µm.
"""
    yield table(("N/µm", "largest", "least", "mean"), rows)
    excess = 1e-6 * theirs["largest"] / elements.max() - 1
    yield f"""
Where two pairs carry, ROSS is {100 * excess:+.0f} % off the elements: it adds the stiffnesses of
two pairs as if each had a body of its own, while both twist the same one. Where it has one pair,
Flank has more: under this load edges of tips touch before and after the path. ROSS's contact has no
load in it. A bore that nobody tells makes the same gears nearly twice as stiff.
"""


def _extremes(values: Floats) -> list[float]:
    return [float(values.max()), float(values.min()), float(values.mean())]


def geared_train() -> Iterator[str]:
    """Section on openTorsion."""
    rigid = {f"{part}.support": {"kind": "rigid"} for part in ("sun", "planets", "ring", "carrier")}
    one = {"planets.count": 1, "held": {}, "operation.input": "sun", "operation.output": "ring"}
    machine = flank.preset("planetary-lin-parker", rigid | one)
    spec, masses = machine.spec, machine.masses
    radii = [gear.base_radius for gear in (spec.sun_gear, spec.planet_gear, spec.ring_gear)]
    inertias = [mass[1] for mass in (masses.sun, masses.planet, masses.ring)]
    mesh = spec.sun_mesh.stiffness
    gears = [
        [inertias[0], radii[0], None, None],
        [inertias[1], radii[1], mesh * radii[0] ** 2, 0],
        [inertias[2], -radii[2], mesh * radii[1] ** 2, 1],
    ]
    rows = []
    for name, held in (("free", []), ("locked", [0])):
        theirs = ask(OPENTORSION, {"gears": gears, "held": held})["frequencies"]
        settings = NaturalFrequenciesSettings(input=name)
        ours = natural_frequencies.run(machine, settings)["frequency"].values
        known = closed_form(inertias, radii, mesh, held)
        for number in range(2):
            rows.append(
                (
                    f"sun {name}, mode {number + 1}",
                    f"{known[number]:.6f}", f"{theirs[-2:][number]:.6f}", f"{ours[number]:.6f}",
                )
            )  # fmt: skip
    yield f"""## openTorsion {OPENTORSION.version}: a train of three gears

Sun, one planet and ring of `planetary-lin-parker`, the carrier held, supports rigid, both meshes
springs of {mesh:g} N/m; a ring is a gear of negative radius in openTorsion. A gear has one parent
there, so several planets cannot close the loop. Its assembly does not count the nodes of elastic
gears alone, so discs without inertia stand beside them.
"""
    yield table(("Hz", "2 × 2 or 3 × 3 eigenvalues by hand", "openTorsion", "Flank"), rows)


def closed_form(inertias: list[float], radii: list[float], mesh: float, held: list[int]) -> Any:
    """Hz, of springs along lines of action, stretched by r_1 θ_1 + r_2 θ_2, r_2 θ_2 - r_3 θ_3."""
    stretch = np.array([[radii[0], radii[1], 0.0], [0.0, radii[1], -radii[2]]])
    stiffness = mesh * stretch.T @ stretch / np.array(inertias)[:, None]
    free = np.setdiff1d(np.arange(3), held)
    values = np.sort(np.linalg.eigvals(stiffness[np.ix_(free, free)]).real)[-2:]
    return np.sqrt(values) / (2 * math.pi)


SEGMENTS = (100, 200, 400)
"""Of a lobe, each twice as many as the one before."""


def planar_stage() -> Iterator[str]:
    """Section on EXUDYN."""
    cases = [{"segments_per_lobe": count, "end_s": 0.1} for count in SEGMENTS]
    runs, ours = ask(EXUDYN, {"cases": cases})["runs"], run_stage(repeats=1)
    wound = [float(run["te_mean_arcsec"]) for run in runs]
    limit = 2 * wound[-1] - wound[-2]
    rows = [
        (
            f"EXUDYN, {run['segments']} segments",
            f"{run['te_mean_arcsec']:.2f}",
            f"{run['te_pp_arcsec']:.3f}",
            f"{run['contact_torque_nm']:.2f}",
        )
        for run in runs
    ]
    rows.append(("EXUDYN, extrapolated", f"{limit:.2f}", "", ""))
    rows.append(
        ("Flank, smooth profile", f"{ours['wind_up']:.2f}", f"{ours['transmission_error']:.3f}", "")
    )
    shrink = (wound[1] - wound[0]) / (wound[2] - wound[1])
    yield f"""## {EXUDYN.name.upper()} {EXUDYN.version}: a planar cycloidal stage in time

One disc of 39 lobes, 40 fixed pins, 1500 rpm, 200 N·m, steps of 0.1 ms, the second half of 0.1 s; \
the model of [benchmarks](../benchmarks.md), where the times stand too.
"""
    heads = ("", "wind-up, arcsec", "transmission error, arcsec", "torque of its contacts, N·m")
    yield table(heads, rows)
    yield f"""
Both press an elastic foundation of 1e12 N/m² along the flank. EXUDYN has it in chords: each pushes
with the depth of its nearest point times its whole length, also where only an end of it is pressed
in. So coarse chords are too stiff, by a share of a chord's length: from one row to the next the
change is {shrink:.2f} times smaller. To first order the wind-up goes to {limit:.2f} arcsec,
{off(limit, ours["wind_up"])} from that of Flank's smooth profile. The error of few chords is
that of their corners.
"""


RIGID = {"kind": "rigid"}
MEMBERS = ("sun", "planets", "ring", "carrier")
EXPORTED = (
    ("gear-pair", {}, ROSS),
    ("gear-pair", {f"{name}.support": RIGID for name in ("pinion", "wheel")}, ROSS),
    ("spur-bruzzone", {}, ROSS),
    ("gear-pair", {f"{name}.support": RIGID for name in ("pinion", "wheel")}, OPENTORSION),
    ("spur-bruzzone", {}, OPENTORSION),
    ("planetary-500kw", {}, OPENTORSION),
    ("planetary-lin-parker", {f"{name}.support": RIGID for name in MEMBERS}, OPENTORSION),
    ("planetary-paper", {}, OPENTORSION),
)
"""What is exported to whom; openTorsion knows no bearings."""

TURNING = 0.01
"""Of the highest frequency: what is lower is the train turning as a whole, held by the slope of its
tables alone."""


def exported_models() -> Iterator[str]:
    """Section on the scripts of `flank export`, run by the programs that they are for."""
    rows = []
    for preset, changes, peer in EXPORTED:
        machine = flank.preset(preset, changes)
        found = natural_frequencies.run(machine, NaturalFrequenciesSettings(input="free", count=60))
        ours = np.sort(found["frequency"].values)
        least = TURNING * ours.max()
        ours = ours[ours > least]
        with tempfile.TemporaryDirectory() as folder:
            path = flank.export(machine, Path(folder) / "model.py", to=peer.name)
            lines = run_script(peer, path).splitlines()
        told = next(line for line in lines if line.startswith(("ROSS, Hz:", "input free in open")))
        theirs = np.sort([float(word) for word in told.split(":")[1].split()])
        theirs = theirs[theirs > least][: len(ours)]
        name = f"`{preset}`" + (", rigid supports" if changes else "")
        cells = (", ".join(f"{value:.5g}" for value in values) for values in (ours, theirs))
        off = np.abs(theirs / ours[: len(theirs)] - 1).max()
        rows.append((name, f"{peer.name} {peer.version}", *cells, f"{off:.1e}"))
    heads = ("machine", "program", "Flank, Hz", "the program, Hz", "farthest apart")
    yield f"""## Models that Flank writes for them

`flank export --ross` and `--opentorsion`, each script run by its program; beside it
`natural-frequencies` with the input free. Meshes are springs in both programs. Those of Flank here
are tables, but in `planetary-lin-parker` and `planetary-paper`: their stiffness changes along the
path, which adds a little to the diagonal.

{table(heads, rows)}"""


def table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


SECTIONS: tuple[tuple[Peer, Callable[[], Iterator[str]]], ...] = (
    (CYCLOIDGEN, cycloid_drive),
    (ROSS, mesh_of_two),
    (OPENTORSION, geared_train),
    (EXUDYN, planar_stage),
    (ROSS, exported_models),
)


def page() -> str:
    """All sections; of a program that could not be asked, the reason."""
    named = dict.fromkeys(peer for peer, _ in SECTIONS)
    peers = ", ".join(f"{p.name} {p.version} ({p.licence})" for p in named)
    parts = [
        f"""# Against others' programs

Written by `python validation/other_programs.py`, which installs {peers}, each in an
environment of its own, and asks it for the figures below. Flank does not need them.
"""
    ]
    for peer, section in SECTIONS:
        try:
            parts += list(section())
        except NotToBeHad as reason:
            parts.append(f"## {peer.name} {peer.version}\n\nNot compared here: {reason}\n")
    return "\n".join(parts)


if __name__ == "__main__":
    write_file(PAGE, page())
    print(f"wrote {PAGE}")
