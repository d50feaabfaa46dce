"""The structure of a cycloidal drive: its parts by closed forms, and what it does to the whole."""

import math
from collections.abc import Iterator

from cases import Case

import flank
from flank.analyses import stiffness_split
from flank.analyses.result import Result
from flank.elasticity.held_pin import plate_twist, tube_twist
from flank.io.tables import Table
from flank.machines.cycloidal.drive import CycloidalDrive

ARCMIN = 180 / math.pi * 60
ARCSEC = 60 * ARCMIN

STRUCTURE = {
    "output_pins": {"held": "one end", "gap": "1 mm"},
    "flanges": {"width": "15 mm", "output_radius": "25 mm"},
    "shaft": {"length": "60 mm", "radius": "10 mm"},
    "housing": {"wall": "8 mm", "length": "30 mm"},
}
BOTH = STRUCTURE | {"output_pins": {"held": "both ends", "gap": "1 mm"}}
PLATES = {"discs.body": "elastic"}
AROUND = {"pins.grooves": "elastic", "pins.ring": {"outer_radius": "75 mm"}}
"""As far out as the wall of the housing."""

FORMS = {
    "contacts only": {},
    "contacts only, discs as plates": PLATES,
    "output pins held at one end, clamped": {"structure.output_pins": STRUCTURE["output_pins"]},
    "all of it, pins held at one end": {"structure": STRUCTURE},
    "the same, discs as plates": {"structure": STRUCTURE} | PLATES,
    "the same, grooves and a ring of the pins": {"structure": STRUCTURE} | PLATES | AROUND,
    "all of it, pins held at both ends": {"structure": BOTH},
    "the same, discs as plates, grooves and a ring": {"structure": BOTH} | PLATES | AROUND,
}


def drive(changes: dict) -> CycloidalDrive:
    machine = flank.preset("cycloidal-drive", changes)
    assert isinstance(machine, CycloidalDrive)
    return machine


def structure_cases() -> Iterator[Case]:
    machine = drive({"structure": STRUCTURE})
    split = stiffness_split.run(machine)
    steel, lobes = machine.spec.elastic("steel"), machine.lobes
    rollers = machine.spec.output.rollers
    known = {
        "flanges": (
            "T (1/r1² - 1/r2²)/(4π G b), plate between two circles, r1 < r2",
            plate_twist(rollers.circle_radius, 25e-3, 15e-3, steel),
        ),
        "shaft": (
            "L/(G J) over the square of the ratio",
            tube_twist(0, 10e-3, 60e-3, steel) / lobes**2,
        ),
        "housing": (
            "L/(G J), with the torque (1 + 1/i) T of the ring",
            tube_twist(67e-3, 75e-3, 30e-3, steel) * (1 + 1 / lobes) ** 2,
        ),
    }
    for part, (source, expected) in known.items():
        yield Case(
            f"cycloidal-drive with a structure: {part}",
            source,
            expected * ARCSEC,
            _compliance(split, part) * ARCSEC,
            "arcsec/(N·m)",
            0.02,
        )
    yield Case(
        "cycloidal-drive with a structure: parts added up over the twist of the poses",
        "one",
        1.0,
        1.0 + float(split["closure"]),
        "",
        1e-3,
    )


def _compliance(split: Result, part: str) -> float:
    return float(split["part_compliance"].sel(part=part))


def structure_table() -> Table:
    """What structure does to the stiffness of the preset at rated torque."""
    rows = []
    for title, changes in FORMS.items():
        split = stiffness_split.run(drive(changes))
        bend = "output_pins" in split["part"].values
        pins = split["part_stiffness"].sel(part="output_pins") / ARCMIN if bend else math.inf
        rows.append(
            [
                title,
                f"{float(split['torsional_stiffness']) / ARCMIN:.0f}",
                f"{float(pins):.0f}" if bend else "rigid",
            ]
        )
    heads = ["structure", "K_T, N·m/arcmin", "output pins alone, N·m/arcmin"]
    return Table("Structure", heads, [True, False, False], rows)
