"""Carrier and cranks of rv-320 by elements: limits, independent figures, and meshes."""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from cases import Case

import flank
from flank.arrays import Floats
from flank.elasticity.finite_elements.joined_plates import (
    SIDES_ACROSS,
    JoinedPlates,
    coordinates,
    plates_compliance,
)
from flank.elasticity.finite_elements.stepped_shaft import solid_lateral_stiffness
from flank.elasticity.material import Material
from flank.elasticity.plate import Plate, plate_compliance
from flank.elasticity.shaft import Segment, clamped_stiffness
from flank.io.tables import Table
from flank.machines.crank_reducer.carrier import carrier_plates
from flank.machines.crank_reducer.geometry import crank_loaded_lengths, crank_shaft

ARCSEC = 180 / math.pi * 3600
INDEPENDENT = 0.0070
"""arcsec/(N·m), by other three-dimensional elements on the same dimensions, 4 mm sides."""

BENDING = 1.12
"""Bending compliance of the crank over a Timoshenko beam's, by other elements, not converged."""


def carrier() -> JoinedPlates:
    """Of the dimensions that the other elements had: those of the preset with the supports and
    pillars that the sizing rule gave it then."""
    then = {"carrier.pillar_radius": 0.0215956, "supports.race_radius": 0.0157905}
    then |= {"supports.radius": 0.0027405, "supports.length": 0.01044, "supports.count": 19}
    machine = flank.preset("rv-320", then | {"supports.clearance": "-1 um"})
    return carrier_plates(machine.spec, machine.size)


def by_torque(plates: JoinedPlates, compliance: Floats) -> float:
    """arcsec/(N·m) of a torque that all seats take alike, along their circle."""
    force = np.zeros(len(compliance))
    along = coordinates(plates).seats[:, :, 1]
    force[along] = 1 / (along.size * plates.seats.circle_radius)
    return float(force @ compliance @ force) * ARCSEC


def by_formula(plates: JoinedPlates) -> float:
    """The same of pillars clamped in flanges that bend in their plane, held at the pillars: half
    of the torque goes through the pillars."""
    plate = (plates.radius, plates.width, plates.bore_radius, plates.material, plates.seats)
    seat = plate_compliance(Plate(*plate, pillars=plates.pillars)).turn
    turn = pillar_stiffness(plates, plates.material)
    seats = 2 * plates.seats.count * plates.seats.circle_radius**2
    return (seat / seats + 0.25 / turn) * ARCSEC


def pillar_stiffness(plates: JoinedPlates, material: Material) -> float:
    """N·m/rad of Timoshenko beams clamped at both ends: n k R² + n G J/L."""
    pillars, segment = plates.pillars, Segment(plates.distance, plates.pillars.radius)
    beams = pillars.count * clamped_stiffness(plates.distance, segment, material)
    twist = 2 * material.shear_modulus * segment.second_moment / plates.distance
    return beams * pillars.circle_radius**2 + pillars.count * twist


def carrier_cases() -> Iterator[Case]:
    plates = carrier()
    compliance = plates_compliance(plates)
    yield Case(
        "rv-320: carrier in space, output face held, even forces on all seats",
        "other three-dimensional elements on the same dimensions",
        INDEPENDENT,
        by_torque(plates, compliance),
        "arcsec/(N·m)",
        0.05,
    )
    finer = by_torque(plates, plates_compliance(plates, SIDES_ACROSS + 2))
    yield Case(
        "rv-320: the same",
        f"{SIDES_ACROSS + 2} sides of elements over the radius in place of {SIDES_ACROSS}",
        finer,
        by_torque(plates, compliance),
        "arcsec/(N·m)",
        0.02,
    )
    yield from _clamped_cases(plates)


def _clamped_cases(plates: JoinedPlates) -> Iterator[Case]:
    """Slender pillars between flanges that as good as do not bend."""
    material = plates.material
    stiff = Material(1e4 * material.youngs_modulus, material.poisson_ratio, material.density)
    pillars = replace(plates.pillars, radius=0.012)
    slender = replace(plates, pillars=pillars, distance=0.11, plate_material=stiff)
    found = plates_compliance(slender, 6)
    turn = coordinates(slender).plate[2]
    yield Case(
        "flange 1 against flange 2, pillars nine radii long between very stiff flanges",
        "n k R² + n G J/L, Timoshenko beams clamped at both ends",
        ARCSEC / pillar_stiffness(slender, material),
        found[turn, turn] * ARCSEC,
        "arcsec/(N·m)",
        0.03,
    )


def crank_cases() -> Iterator[Case]:
    machine = flank.preset("rv-320", {"supports.length": 0.01044})
    shaft = crank_shaft(machine.spec, machine.size)
    lengths = crank_loaded_lengths(machine.spec, machine.size)
    solid, beam = solid_lateral_stiffness(shaft, lengths), shaft.lateral_stiffness()
    yield Case(
        "rv-320: bending of a crank under forces on both eccentrics, over a Timoshenko beam's",
        "other three-dimensional elements, not fully converged",
        BENDING,
        _bent(solid) / _bent(beam),
        "",
        0.05,
    )
    yield Case(
        "rv-320: the same bending",
        "12 cells over the smallest radius in place of 6",
        _bent(solid_lateral_stiffness(shaft, lengths, 12)) * 1e9,
        _bent(solid) * 1e9,
        "nm/N",
        0.01,
    )


def _bent(stiffness: Floats) -> float:
    """m/N of both eccentrics, one newton on each, journals held; the planet's end is free."""
    free = [0, *range(2, len(stiffness) - 1)]
    force = np.array([0.0, *([1.0] * (len(free) - 1))])
    moved = np.linalg.solve(stiffness[np.ix_(free, free)], force)
    return float(force @ moved) / (len(free) - 1)


def carrier_table() -> Table:
    """By what the carrier is made of, as even forces on its seats see it."""
    plates = carrier()
    rows = [["pillars clamped, flanges plane (`elastic`)", f"{by_formula(plates):.4f}"]]
    for face in ("held", "free"):
        of_face = replace(plates, face=face)
        value = by_torque(of_face, plates_compliance(of_face))
        rows.append([f"in space (`solid`), output face {face}", f"{value:.4f}"])
    rows.append(["other elements, output face held", f"{INDEPENDENT:.4f}"])
    return Table("Carrier", ["carrier of rv-320", "arcsec/(N·m)"], [True, False], rows)
