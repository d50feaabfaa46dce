"""How far to trust the cycloidal drive: closed forms of one stage against what Flank computes.

    python validation/cycloidal_drive.py      writes docs/validation/cycloidal_drive.md

Every case is also a test. Geometry sets A, B, D, H are those of docs/theory/cycloidal_drive.md.
"""

import math
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from cases import Case, as_table, finish
from cycloid_lobe import lobe_cases
from cycloid_structure import structure_cases, structure_table
from disc_plate import DRIVES, pin_table

from flank.analyses import hysteresis, load_distribution, transmission_error
from flank.geometry.curve import evaluate
from flank.geometry.cycloid import Cycloid, lever_arm
from flank.io.spec_files import read_spec_text
from flank.machines.registry import machine_from_mapping
from flank.presets import preset_text
from flank.report.writers import markdown_table

ARCMIN = 180 / math.pi * 60
PAGE = Path(__file__).parent.parent / "docs" / "validation" / "cycloidal_drive.md"

SETS = {
    "A": Cycloid(40, 64e-3, 3e-3, 1.3e-3),
    "B": Cycloid(40, 77.5e-3, 4e-3, 1.5e-3),
    "D": Cycloid(40, 119.5e-3, 5e-3, 2.2e-3),
    "H": Cycloid(14, 34e-3, 3.5e-3, 1.5e-3),
}
LINEAR = {"law": "penalty", "exponent": 1, "stiffness": "3e8 N/m"}


def stage(name: str, equidistant: float = 0.0, radial: float = 0.0, changes: dict | None = None):
    """A single stage with the disc as output and equal, linear pins."""
    profile = SETS[name]
    data = {
        "machine": "cycloidal-drive",
        "rated_torque": 100.0,
        "eccentricity": profile.eccentricity,
        "pins": {
            "count": profile.pins,
            "circle_radius": profile.pin_circle_radius,
            "radius": profile.pin_radius,
        },
        "discs": {
            "count": 1,
            "width": "12 mm",
            "bore_radius": "8 mm",
            "equidistant": equidistant,
            "radial": radial,
        },
        "output": {"kind": "disc"},
        "contact": LINEAR,
        "operation": {"input_speed": "100 rpm", "torque": 100.0},
    }
    return machine_from_mapping(data, changes)


def profile_cases() -> Iterator[Case]:
    published = {"A": 4.6117e-3, "B": 6.0633e-3, "D": 9.9932e-3, "H": 8.6232e-3}
    for name, profile in SETS.items():
        yield Case(
            f"set {name}: largest gap to any pin, 97 crank angles",
            "exact conjugacy",
            0.0,
            largest_gap(profile),
            "m",
            2e-15,
        )
        t = np.linspace(0, 2 * math.pi / profile.lobes, 200001)
        curvature = evaluate(profile, t)[:, 5]
        sharpest = 1 / curvature.max() + profile.offset
        yield Case(
            f"set {name}: smallest convex radius of the pin-centre curve",
            "closed form, computed independently",
            published[name],
            sharpest,
            "m",
            2e-5,
        )


def largest_gap(profile: Cycloid) -> float:
    """Largest |gap| of an ideal disc to any pin, foot points from conjugacy: t = θ_k - ψ."""
    worst = 0.0
    for angle in np.linspace(0, 2 * math.pi, 97):
        turn = -angle / profile.lobes
        pins = profile.pin_circle_radius * np.exp(
            2j * math.pi * np.arange(profile.pins) / profile.pins
        )
        local = (pins - profile.eccentricity * np.exp(1j * angle)) * np.exp(-1j * turn)
        rows = evaluate(profile, np.angle(pins) - turn)
        point, tangent = rows[:, 0] + 1j * rows[:, 1], rows[:, 2] + 1j * rows[:, 3]
        gap = np.real((local - point) * np.conj(-1j * tangent)) - profile.pin_radius
        worst = max(worst, float(np.abs(gap).max()))
    return worst


def backlash_cases() -> Iterator[Case]:
    for name, tolerance in (("A", 7e-3), ("D", 4e-3), ("H", 4e-2)):
        profile = SETS[name]
        arm = profile.eccentricity * profile.lobes
        for label, equidistant, radial in (("Δr", 1e-5, 0.0), ("ΔR", 0.0, 1e-5)):
            closed = 2 * (equidistant + radial * math.sqrt(1 - profile.shortening**2)) / arm
            settings = hysteresis.HysteresisSettings(points_per_stage=5, torque=1.0)
            result = hysteresis.run(stage(name, equidistant, radial), settings)
            yield Case(
                f"set {name}: backlash for {label} = 10 µm",
                "2[Δr + ΔR√(1-K1²)]/(e z_c); discrete pins add up to 0.7 % (40), 4 % (14)",
                closed * ARCMIN,
                result["backlash"] * ARCMIN,
                "arcmin",
                tolerance,
            )


def force_cases() -> Iterator[Case]:
    torque = 0.1  # small: the exact statements are those of the undeformed mesh
    for name, tolerance in (("A", 2e-3), ("D", 2e-3), ("H", 1.5e-2)):
        profile = SETS[name]
        arm = profile.eccentricity * profile.lobes
        worst = np.array([_loads(name, a, torque) for a in np.linspace(0, 0.5, 21)])
        yield Case(
            f"set {name}: largest pin force, equal linear pins",
            "4T/(e z_c z_p)",
            4 * torque / (arm * profile.pins),
            worst[:, 0].max(),
            "N",
            tolerance,
        )
        yield Case(
            f"set {name}: resultant across the crank",
            "T/(e z_c), exact for any distribution",
            torque / arm,
            worst[0, 1],
            "N",
            1e-6,
        )
        k1 = profile.shortening
        logarithm = math.log((1 + k1) / (1 - k1))
        along = 2 / math.pi * (1 / k1 + (k1**2 - 1) / (2 * k1**2) * logarithm)
        yield Case(
            f"set {name}: resultant along the crank, mean over a pin pitch",
            "K_y T/(e z_c), equal pin stiffness",
            along * torque / arm,
            worst[:, 2].mean(),
            "N",
            tolerance,
        )


def _loads(name: str, crank_angle: float, torque: float) -> tuple[float, float, float]:
    """Largest pin force, and the resultant on the disc across and along the crank."""
    settings = load_distribution.LoadDistributionSettings(crank_angle=crank_angle, torque=torque)
    result = load_distribution.run(stage(name), settings)
    force = result["pin_force"].values[0]
    normal = np.nan_to_num(result["pin_normal_x"].values[0] + 1j * result["pin_normal_y"].values[0])
    total = -np.sum(force * normal) * np.exp(-1j * crank_angle)
    return force.max(), abs(total.imag), abs(total.real)


def stiffness_cases() -> Iterator[Case]:
    for name, ripple in (("A", 2.8e-3), ("B", 1.8e-3), ("D", 1.2e-3), ("H", 1.7e-2)):
        profile = SETS[name]
        arm = profile.eccentricity * profile.lobes
        settings = transmission_error.TransmissionErrorSettings(points_per_turn=profile.pins * 24)
        result = transmission_error.run(stage(name), settings)
        error = result["transmission_error"].values
        yield Case(
            f"set {name}: mean torsional stiffness of the mesh",
            "k (e z_c)² z_p/4, half the pins loaded",
            3e8 * arm**2 * profile.pins / 4,
            float(np.mean(100.0 / error)),
            "N·m/rad",
            2e-3,
        )
        yield Case(
            f"set {name}: ripple of that stiffness over a pin pitch",
            "computed independently, two digits",
            ripple,
            float(np.ptp(error) / error.mean()),
            "",
            4e-2,
        )


def loop_cases() -> Iterator[Case]:
    machine = stage("A", 1e-5, 0.0)
    result = hysteresis.run(machine, hysteresis.HysteresisSettings(points_per_stage=101))
    drop = result["lost_motion"] - result["backlash"]
    loop = result.dataset
    low = np.interp(3.0, loop["loop_torque"].values[:100], loop["loop_angle"].values[:100])
    rise = 2 * (low - 0.5 * result["backlash"])
    yield Case(
        "set A: lost motion less backlash, Δr = 10 µm",
        "twice the wind-up at 3 % of rated torque, no friction",
        rise * ARCMIN,
        drop * ARCMIN,
        "arcmin",
        1e-3,
    )
    yield Case(
        "set A: work lost in a frictionless static loop over T·BL",
        "zero",
        0.0,
        result["loop_work"] / (100.0 * result["backlash"]),
        "",
        1e-4,
    )


def lever_cases() -> Iterator[Case]:
    for name in ("A", "H"):
        profile = SETS[name]
        phase = 2 * math.pi * np.arange(profile.pins) / profile.pins
        arms = lever_arm(profile, phase)
        yield Case(
            f"set {name}: Σl² over the loaded half",
            "(e z_c)² z_p/4",
            (profile.eccentricity * profile.lobes) ** 2 * profile.pins / 4,
            float(np.sum(np.maximum(arms, 0.0) ** 2)),
            "m²",
            1e-2,
        )


GROUPS = (
    profile_cases,
    lever_cases,
    backlash_cases,
    force_cases,
    stiffness_cases,
    loop_cases,
    lobe_cases,
    structure_cases,
)


def all_cases() -> list[Case]:
    return [case for group in GROUPS for case in group()]


PROSE = """# How far to trust the cycloidal drive

Written by `make validation`; every row is also a test. Lengths of the sets A, B, D, H stand in
[the theory](../theory/cycloidal_drive.md). Rows with equal linear pins use a penalty of 3e8 N/m on
purpose: the closed forms are derived for it.

{table}

## Contacts only, or with a structure

No source gives the structure of a preset, so presets are contacts only, and results say so. What a
structure of plausible size does to `cycloidal-drive`, from its frictionless split at rated torque
(flanges 15 mm, output taken at 25 mm, shaft 60 mm of radius 10 mm, housing 8 mm of wall and 30 mm
long, gaps 1 mm), and with it discs as plates, and grooves and a ring of the pins, out to 75 mm:

{structure}

Another program (cycloidgen 8.0) puts the same drive at 146 to 161 N·m/arcmin at 200 N·m with all of
its structure, whose dimensions differ, and its output pins alone at 226.

At rated torque, 412 and 36 N·m, the largest force and pressure of a pin over a turn, with
rigid discs (before) and discs as plates (now):

{pins}

## Static and dynamic

The preset `cycloidal-drive`, peak torque 412 N·m, static loop against a dynamic one whose five
stages last 0.5 s each at a step of 0.1 ms:

{dynamic}

With a damping of 0.2 s/m (hardly any) the output still bounces on its stops when the torque passes
±3 % and the lost motion comes out some per cent low; the analysis warns of it.

## What is not validated

- **No measured reducer stands behind these figures.** They are closed forms and definitions.
- The flank's compression is counted to a depth (`discs.contact_depth`; by default the wall behind
  the root). The law is logarithmic: {depth}
- Without `discs.body: elastic` the disc is rigid but for its contacts, and without the block
  `structure` so are output pins, carrier, shaft and housing: expect a stiffness well above that
  of a real unit then. Bore ovalisation, bending of the input shaft and its bearings are not in
  this machine.
- Two discs lie in one plane: no tilting moment between them.
- Rolling pins sit in full round grooves; a real groove is half open.
- Contact damping is an assumption in every preset. Forces at speed away from resonance hardly
  depend on it; peaks at resonance do.
"""


def dynamic_table() -> str:
    """Static and dynamic loop of the preset."""
    machine = machine_from_mapping(read_spec_text(preset_text("cycloidal-drive")))
    static = hysteresis.run(machine)
    dynamic = hysteresis.run(machine, hysteresis.HysteresisSettings(mode="dynamic"))
    lines = ["| quantity | static | dynamic | difference |", "|---|---|---|---|"]
    rows = (("torsional_stiffness", "N·m/arcmin", 1 / ARCMIN), ("lost_motion", "arcmin", ARCMIN))
    for name, unit, factor in (*rows, ("backlash", "arcmin", ARCMIN)):
        a, b = static[name] * factor, dynamic[name] * factor
        title = name.replace("_", " ")
        lines.append(f"| {title}, {unit} | {a:.5g} | {b:.5g} | {b / a - 1:+.2%} |")
    return "\n".join(lines)


def depth_sentence() -> str:
    data = read_spec_text(preset_text("cycloidal-drive"))
    elastic = []
    for depth in ("5.7 mm", "11.4 mm", "22.8 mm"):
        machine = machine_from_mapping(data, {"discs.contact_depth": depth})
        settings = load_distribution.LoadDistributionSettings(torque=machine.rated_torque)
        wound = load_distribution.run(machine, settings)["wind_up"]
        elastic.append(wound - 0.5 * hysteresis.run(machine)["backlash"])
    half, middle, double = elastic
    return (
        f"half the depth lowers the elastic wind-up of the preset at rated torque by "
        f"{1 - half / middle:.1%}, twice the depth raises it by {double / middle - 1:.1%}."
    )


def main() -> None:
    cases = all_cases()
    text = PROSE.format(
        table=as_table(cases),
        dynamic=dynamic_table(),
        depth=depth_sentence(),
        structure=markdown_table(structure_table()),
        pins=markdown_table(pin_table(DRIVES)),
    )
    finish(PAGE, text, cases)


if __name__ == "__main__":
    main()
