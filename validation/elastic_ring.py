"""Rings that hold pins, against closed forms; what grooves and rings make of K_T."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from cases import Case
from disc_plate import FREE

import flank
from flank.elasticity.finite_elements.elastic_ring import RingBody, ring_loads
from flank.elasticity.material import STEEL
from flank.io.tables import Table
from flank.machines.crank_reducer.housing import ring_stiffness

ARCMIN = 180 / math.pi * 60

HOUSINGS = {"rv-320": 141.75, "rv-80": 94.5, "rv-40": 80.0}
"""mm: half of the body's diameter in the catalogue."""

BOLTS = 16
"""On the middle of the wall, their holes a third of it wide; assumed, as no source tells them."""

BODY = RingBody(0.1245, 0.14175, 0.03, STEEL, 0.014)


def ring_cases() -> Iterator[Case]:
    found, wall = ring_loads(BODY).compliance, BODY.outside / BODY.inside
    nu, modulus = STEEL.poisson_ratio, STEEL.youngs_modulus
    grown = BODY.inside * (wall**2 - 1) / (modulus * (1 / (1 - nu) + wall**2 / (1 + nu)))
    yield Case(
        "ring held outside: radial growth under even pressure inside",
        "Lamé, plane stress",
        grown / (2 * math.pi * BODY.inside * BODY.width),
        found[0, 0] / (2 * math.pi),
        "m/N",
        1e-3,
    )
    yield Case(
        "the same ring: shift of a bearing that presses with cos φ",
        "Michell, four solutions of n = 1",
        1 / ring_stiffness(BODY.inside, BODY.outside - BODY.inside, BODY.width, STEEL),
        found[1, 1] / math.pi,
        "m/N",
        1e-3,
    )
    fine = ring_loads(BODY, 0.5 * BODY.side).compliance
    yield Case(
        "the same ring: compliance of all its waves, added up",
        "sides of triangles half as long",
        float(np.trace(fine)),
        float(np.trace(found)),
        "m/N",
        0.01,
    )


def ring_table() -> Table:
    """K_T without friction by how the pins are held, discs as plates."""
    rows = [[f"`{name}`", *_row(name, outer)] for name, outer in HOUSINGS.items()]
    headings = ["preset", "outer radius, mm", "rigid", "grooves", "and a ring held outside"]
    headings += ["and a ring on 16 bolts", "the last against the first"]
    return Table("Rings", headings, [True, *[False] * 6], rows)


def _row(name: str, outer: float) -> list[str]:
    pins = flank.preset(name).spec.pins
    wall = outer - 1e3 * pins.groove_bottom
    grooves: dict[str, Any] = {"pins.grooves": "elastic"}
    seated = {"outer_radius": f"{outer} mm"}
    bolted = seated | {
        "held": "bolts",
        "bolt_count": BOLTS,
        "bolt_circle_radius": f"{outer - 0.5 * wall} mm",
        "bolt_radius": f"{wall / 6} mm",
    }
    forms = ({}, grooves, grooves | {"pins.ring": seated}, grooves | {"pins.ring": bolted})
    found = [_stiffness(name, form) for form in forms]
    change = f"{100 * (found[-1] / found[0] - 1):+.1f} %"
    return [f"{outer:g}", *(f"{each:.0f}" for each in found), change]


def _stiffness(name: str, changes: dict[str, Any]) -> float:
    machine = flank.preset(name, FREE | {"discs.body": "elastic"} | changes)
    loop = flank.run(machine, "hysteresis", points_per_stage=12)
    return float(loop["torsional_stiffness"]) / ARCMIN
