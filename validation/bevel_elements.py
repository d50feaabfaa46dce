"""How far to trust bevel gears of finite elements: exactness, closed forms, cylindrical gears.

    python validation/bevel_elements.py      writes docs/validation/bevel_elements.md

Every case is also a test.
"""

import math
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent))

import numpy as np
from cases import Case, as_table, finish
from gear_finite_elements import annulus
from plane_tooth import PlaneTooth

import flank
from flank.arrays import Floats
from flank.elasticity.finite_elements.bevel_influence import (
    BEVEL_GRID,
    SIDES,
    BevelGrid,
    BevelInfluence,
    bevel_influence,
    flank_loads,
    sector_answers,
)
from flank.elasticity.finite_elements.bevel_mesh import (
    BEVEL_DENSITY,
    BevelBody,
    BevelMesh,
    bevel_mesh,
    usual_body,
)
from flank.elasticity.finite_elements.cyclic import cyclic_gear, static_response
from flank.elasticity.finite_elements.elements import corner_places, shapes_at, surface_mass
from flank.elasticity.finite_elements.influence import (
    FlankGrid,
    _indentation,
    flank_forces,
    flank_influence,
    law_remainder,
)
from flank.elasticity.finite_elements.sector_mesh import GearBody, MeshDensity, sector_mesh
from flank.elasticity.finite_elements.whole_gear import (
    direct_compliance,
    tooth_forces,
    whole_gear,
)
from flank.elasticity.material import STEEL
from flank.elasticity.tooth_beam import held_radius, load_line
from flank.elasticity.tooth_plate import ToothPlate
from flank.geometry.bevel.helicoid import helicoid_member
from flank.geometry.bevel.published import nasa_gear, nasa_pinion
from flank.geometry.bevel.tooth import CONCAVE, CONVEX
from flank.geometry.gear import Gear
from flank.io.tables import Column, Table, table
from flank.machines.bevel_pair.machine import BevelPairMachine
from flank.report.writers import markdown_table

PAGE = Path(__file__).parent.parent / "docs" / "validation" / "bevel_elements.md"

MEMBERS = {"pinion": cache(nasa_pinion), "wheel": cache(nasa_gear)}
QUICK = MeshDensity(tooth=2, flank=2, fillet=1, space=1, layers=3, growth=1.0)
QUICK_GRID = BevelGrid(5, 5, 2)


def exactness_cases() -> Iterator[Case]:
    """The published pinion from one sector, against all its teeth at once."""
    pinion, source = MEMBERS["pinion"](), "all teeth at once, direct solve"
    mesh = bevel_mesh(pinion, usual_body(pinion), QUICK)
    answers, whole = sector_answers(pinion, mesh, STEEL, QUICK_GRID), whole_gear(mesh)
    for name in SIDES:
        forces = flank_loads(pinion, mesh, name, QUICK_GRID)
        count = forces.shape[1]
        loads = np.hstack([tooth_forces(whole, mesh, forces, tooth) for tooth in (3, 4, 1)])
        truth = direct_compliance(whole, STEEL, loads).reshape(3, count, 3, count)[:, :, 0]
        blocks = answers[name].between[[0, 1, -2]].copy()
        blocks[0] += answers[name].indentation
        off = np.abs(blocks - truth).max() / np.abs(truth).max()
        yield Case(f"{name} flanks of three teeth, largest error", source, 0.0, off, "", 1e-8)
        between = answers[name].between
        swapped = np.roll(between[::-1], 1, axis=0).swapaxes(1, 2)
        off = np.abs(between - swapped).max() / np.abs(between).max()
        yield Case(f"{name} flanks, force and place exchanged", "reciprocity", 0.0, off, "", 1e-8)


def torsion_cases() -> Iterator[Case]:
    """An annulus held inside, turned at its outside: 4 π G t/(1/a² - 1/b²)."""
    inner, outer, width, sectors = 20e-3, 60e-3, 10e-3, 30
    mesh = annulus(inner, outer, width, sectors, (6, 1, 1))
    gear = cyclic_gear(mesh, STEEL)
    radius = np.hypot(*mesh.nodes[:, :2].T)
    on_rim = mesh.elements[np.isclose(radius[mesh.elements].max(axis=1), outer)]
    around = np.column_stack((-mesh.nodes[:, 1], mesh.nodes[:, 0], 0 * radius)).ravel()
    even = surface_mass(mesh.nodes, on_rim, mesh.element, 1) @ around  # a traction r, per sector
    # the right face's share belongs to the next sector, where it is the left face's
    first, second = gear.spread
    loads = first.T @ even + second.T @ even
    moved = static_response(gear, np.tile(loads, (sectors, 1)))[0]
    torque = sectors * float(even @ around)
    turn = sectors * float(loads @ moved) / torque
    exact = 4 * math.pi * STEEL.shear_modulus * width / (inner**-2 - outer**-2)
    yield Case(
        "annulus of 20 to 60 mm in torsion", "closed form", exact, torque / turn, "N m/rad", 1e-3
    )


FACE, HELD = 20e-3, 12e-3
USUAL = MeshDensity(tooth=4, flank=4, space=2, layers=4, growth=0.5)


def cylindrical_cases() -> Iterator[Case]:
    """Spur and helical teeth, meshed here as flanks in space, against cylindrical gears."""
    source = "influence numbers of the cylindrical gear"
    for kind, helix in (("spur", 0.0), ("helical, 20°", math.radians(20))):
        gear = Gear(24, 3e-3, math.radians(20), helix_angle=helix)
        truth = _cylindrical(gear)
        member = helicoid_member(gear, FACE)
        name = CONCAVE if member.outward > 0 else CONVEX
        body = BevelBody(HELD, 10e-3)
        found = bevel_influence(member, body, STEEL, QUICK_GRID, USUAL).side(name).compliance[0]
        for place, point in (("foot", 2), ("mid-flank", 12), ("tip", 22)):
            known, own = (1e9 * float(block[2, point, point]) for block in (truth, found))
            yield Case(f"{kind} tooth at its {place}", source, known, own, "nm/N", 0.01)
        known, moved = (1e9 * float(block[3, 12, 12]) for block in (truth, found))
        yield Case(f"{kind} tooth's neighbour", source, known, moved, "nm/N", 0.005)


def _cylindrical(gear: Gear) -> Floats:
    """Numbers of a cylindrical gear without what its line-contact law needs besides."""
    numbers = flank_influence(gear, GearBody(FACE, HELD), STEEL, FlankGrid(5, 5, 2), USUAL)
    more = law_remainder(gear, STEEL, 5)
    strips = np.eye(5) * 5 * math.cos(gear.base_helix_angle) / FACE
    blocks = numbers.compliance.copy()
    blocks[2] -= np.kron(0.5 * (more[:, None] + more), strips)
    return blocks


def halved(density: MeshDensity) -> MeshDensity:
    """Cells of half the size in all directions, the body's too."""
    return _finer(density, 2)


def half_again(density: MeshDensity) -> MeshDensity:
    """Half as many cells again in all directions."""
    return _finer(density, 1.5)


def _finer(density: MeshDensity, factor: float) -> MeshDensity:
    numbers = {
        name: round(factor * getattr(density, name))
        for name in ("tooth", "flank", "fillet", "space", "layers")
    }
    return replace(density, growth=density.growth / factor, **numbers)


STUDY = (
    ("spiral-bevel-nasa", 0, half_again),
    ("bevel-pair", 0, half_again),
    ("hypoid-pair", 0, half_again),
)
"""Presets and members, 0 the pinion, with the finer mesh. Halved wheels take a quarter of an hour
each and are a nightly test."""


class Changes(NamedTuple):
    """Largest relative changes of numbers on a finer mesh, of both flanks: of points themselves,
    of a point under a force on the next one, of the same point on the next tooth."""

    own: float
    next_point: float
    next_tooth: float


@cache
def machine(preset: str, influence: str = "fe") -> BevelPairMachine:
    made = flank.preset(preset, {"mesh.influence": influence})
    assert isinstance(made, BevelPairMachine)
    return made


def influence_of(preset: str, number: int, density: MeshDensity) -> BevelInfluence:
    made = machine(preset)
    member = (made.teeth.pinion, made.teeth.wheel)[number]
    body = made.elasticity.meshed_body(made.teeth, number)
    return bevel_influence(member, body, made.materials[number], BEVEL_GRID, density)


def mesh_changes(preset: str, number: int, finer: MeshDensity) -> Changes:
    """From the default mesh to a finer one."""
    usual, fine = (influence_of(preset, number, mesh) for mesh in (BEVEL_DENSITY, finer))
    sides = [
        _changes(usual.side(name).compliance[0], fine.side(name).compliance[0]) for name in SIDES
    ]
    return Changes(*np.max(sides, axis=0))


def _changes(usual: Floats, fine: Floats) -> Changes:
    middle = len(usual) // 2
    change = np.abs(fine / usual - 1)
    place = np.arange(BEVEL_GRID.profile * BEVEL_GRID.lengthwise)
    place = place.reshape(BEVEL_GRID.profile, BEVEL_GRID.lengthwise)
    near = [change[middle][place[1:], place[:-1]], change[middle][place[:, 1:], place[:, :-1]]]
    teeth = [np.diagonal(change[middle + k]).max() for k in (-1, 1)]
    own = np.diagonal(change[middle]).max()
    return Changes(float(own), float(max(part.max() for part in near)), float(max(teeth)))


def mesh_table() -> Table:
    """Changes on finer meshes."""
    rows = [
        (
            preset,
            ("pinion", "wheel")[number],
            finer.__name__.replace("_", " "),
            *(100 * change for change in mesh_changes(preset, number, finer(BEVEL_DENSITY))),
        )
        for preset, number, finer in STUDY
    ]
    heads = ("pair", "member", "mesh", "own, %", "next point, %", "next tooth, %")
    columns = [
        Column(head, list(values), ".2f" if place > 2 else "")
        for place, (head, values) in enumerate(zip(heads, zip(*rows, strict=True), strict=True))
    ]
    return table("Meshes", columns)


CONTACT_PAIRS = ("bevel-pair", "hypoid-pair")


def contact_table() -> Table:
    """Loaded contact at the rated torque, by the quick form and by finite elements."""
    rows = []
    for preset in CONTACT_PAIRS:
        for influence in ("beam", "fe"):
            result = flank.run(machine(preset, influence), "loaded-contact", positions=16)
            stiffness, shared = result["mean_stiffness"], result["largest_share"]
            errors = [np.degrees(result[name]) * 3600 for name in ("mean_error", "peak_to_peak")]
            pressure = 1e-6 * result["pressure_inside"]
            rows.append((preset, influence, *errors, 1e-6 * stiffness, pressure, 100 * shared))
    heads = (
        "pair",
        "influence",
        "mean error, arcsec",
        "peak to peak, arcsec",
        "stiffness, N*m/µrad",
        "pressure inside, MPa",
        "largest share, %",
    )
    formats = ("", "", ".1f", ".2f", ".4f", ".0f", ".1f")
    columns = [
        Column(head, list(values), form)
        for head, values, form in zip(heads, zip(*rows, strict=True), formats, strict=True)
    ]
    return table("Loaded contact", columns)


HEIGHTS = np.array([-0.75, 0.0, 0.75])
"""Of a flank, from its root at -1 to its tip at 1."""


def quick_table() -> Table:
    """The quick form against elements: its virtual spur gears, and what bodies give way."""
    rows = []
    for preset, number in product(CONTACT_PAIRS, (0, 1)):
        made, quick = machine(preset), machine(preset, "beam")
        plate = quick.elasticity.compliances(quick.teeth, CONCAVE)[number]
        assert isinstance(plate, ToothPlate)
        virtual = replace(plate.virtual, held_radius=held_radius(plate.virtual))
        finite, rolls = PlaneTooth(virtual, held_radius(virtual)), plate.rolls(HEIGHTS)
        truth = np.array([finite.structure(float(roll)) for roll in rolls])
        off = 100 * ((plate.slices(HEIGHTS) + plate.common) / truth - 1)
        sides = [made.elasticity.compliances(made.teeth, side)[number] for side in SIDES]
        u = np.linspace(-0.95, 0.95, 19)
        moved = [side.influence(u, 0 * u, k).mean() for side in sides for k in (-1, 1)]
        bodies = STEEL.youngs_modulus * np.array([plate.common, np.mean(moved) * plate.length])
        member = ("pinion", "wheel")[number]
        rows.append((preset, member, f"{virtual.teeth:.0f}", *off, *bodies))
    heads = (
        *("pair", "member", "virtual teeth", "beam near the root, %", "at mid-flank, %"),
        *("near the tip, %", "E δ of a neighbour, quick form", "elements of the member"),
    )
    formats = ("", "", "", "+.1f", "+.1f", "+.1f", ".2f", ".2f")
    columns = [
        Column(head, list(values), form)
        for head, values, form in zip(heads, zip(*rows, strict=True), formats, strict=True)
    ]
    return table("Quick form", columns)


EDGE_DENSITY = MeshDensity(tooth=12, flank=96, fillet=4, space=2, layers=1, growth=0.4)
EDGE_PLACES = (1.0, 1.5, 2.0, 3.0, 8.0)
"""Of the middle of a contact from the tip's edge, in its half widths."""

EDGE_CELLS = 2
"""Half width of a contact, in cells."""


def edge_table() -> Table:
    """What a contact near the edge of a tip gives way beyond the law, F'/E, by the wedge."""
    columns = [Column("half widths to the edge", list(EDGE_PLACES), ".1f")]
    for gear in (Gear(24, 3e-3, math.radians(20)), Gear(14, 3e-3, math.radians(20), 0.4)):
        wedge = 90 + math.degrees(math.atan(gear.edge_roll_length / gear.base_radius))
        beyond, total = _beyond_law(gear)
        columns.append(Column(f"wedge of {wedge:.0f}°, beyond the law", beyond.tolist(), ".3f"))
        columns.append(Column("in all", total.tolist(), ".2f"))
    return table("Edges", columns)


def _beyond_law(gear: Gear) -> tuple[Floats, Floats]:
    """In plane strain down to the middle of the tooth, under Hertz's pressure: beyond the law at
    the depth there, and all."""
    body = GearBody(gear.normal_module, held_radius(gear))
    mesh = sector_mesh(gear, body, EDGE_DENSITY)
    low, high = mesh.roll_knots[[0, -1]] ** 2
    width = EDGE_CELLS * (high - low) / (2 * gear.base_radius * EDGE_DENSITY.flank)
    middles = np.sqrt(high - 2 * gear.base_radius * width * np.array(EDGE_PLACES))
    angles = np.arange(1, 9) * math.pi / 9  # Gauss and Chebyshev: exact for a half ellipse
    rolls = np.sqrt(middles[:, None] ** 2 + 2 * gear.base_radius * width * np.cos(angles))
    forces = flank_forces(gear, mesh, rolls.ravel(), 1).reshape(-1, *rolls.shape)
    pressure = forces @ (np.sin(angles) ** 2 / np.sum(np.sin(angles) ** 2))
    indentation = _indentation(mesh, STEEL, pressure) * body.face_width
    depths = np.array([load_line(gear, roll)[1] for roll in middles])
    poisson = STEEL.poisson_ratio
    law = 2 * np.log(2 * depths / width) - poisson / (1 - poisson) - 0.5
    modulus = STEEL.youngs_modulus
    return modulus * (indentation - STEEL.line_compliance * law), modulus * indentation


def cell_table() -> Table:
    """Shapes of cells: least and usual volume over that of a box with the same edges."""
    rows = []
    for name, member in MEMBERS.items():
        mesh = bevel_mesh(member(), usual_body(member()), BEVEL_DENSITY)
        shape = cell_shapes(mesh)
        rows.append((name, len(mesh.elements), shape.min(), float(np.median(shape))))
    names, counts, least, usual = zip(*rows, strict=True)
    columns = [
        Column("member", list(names)),
        Column("cells of a sector", list(counts)),
        Column("least", list(least), ".2f"),
        Column("median", list(usual), ".2f"),
    ]
    return table("Cells", columns)


def cell_shapes(mesh: BevelMesh) -> Floats:
    """Least over the nodes of each cell; negative would be turned inside out."""
    slopes = shapes_at(mesh.element, corner_places(mesh.element).T)[1]
    jacobian = np.einsum("eni,jnq->eqij", mesh.nodes[mesh.elements], slopes)
    edges = np.prod(np.linalg.norm(jacobian, axis=-2), axis=-1)
    return np.asarray((np.linalg.det(jacobian) / edges).min(axis=1))


SECTIONS = {
    "exactness": exactness_cases,
    "torsion": torsion_cases,
    "cylindrical": cylindrical_cases,
}
GROUPS = tuple(SECTIONS.values())

PROSE = """# How far to trust bevel gears of finite elements

Written by `make validation`; every row of the first three tables is also a test. Theory:
[bevel gears of finite elements](../theory/bevel_finite_elements.md).

## One sector for the whole gear

The pinion of the published 12/36 pair on a coarse mesh. Nothing is approximated when one sector
stands for all: differences are round-off.

{exactness}

## Torsion of a body

{torsion}

## Cylindrical gears

24 teeth of module 3 mm, 20 mm wide, meshed as flanks in space. Rows, columns and the tip's edge lie
elsewhere than in the mesh of the cylindrical gear; the local indentation is taken off both.

{cylindrical}

## Meshes

Largest changes of the influence numbers of presets, of all points of both flanks, when meshes have
half as many cells again in all directions, the body's too; 2 % are allowed when cells are halved.
Errors that fall with the size of cells, or with its square, change by 1.5 or 1.35 times as much
when they are halved. The pinion of the published pair has nearly pointed teeth at its heel. Halving
pinions and wheels, which takes an hour, is a nightly test.

The hypoid pinion does not meet it: at acute ends of its flanks, which wind by 50°, the outermost
strip of nine changes by 4.2 % (concave, heel) and 2.0 % (convex, toe); all others by 0.8 %.

{meshes}

## Loaded contact

At rated torques, driving flanks, by the quick form (beam) and by finite elements of both members.

{contact}

The quick form is half as stiff again. Its teeth are those of virtual spur gears on rims of 3.5
modules, and agree with finite elements of those in plane strain. The bodies of bevel gears are not
such rims: under a load all along a tooth's middle the next tooth moves two to twelve times as far
by their own elements.

{quick}

## Edges of tips

Contacts that press on a tooth close to its tip's edge, in plane strain, on meshes that resolve
them: what they give way down to the middle of the tooth, and what of it the line-contact law at the
depth there has not, in load over modulus.

{edges}

## Cells

The volume of a cell over that of a box with the same edges, at its worst corner. A spiral angle of
35° alone makes it 0.82.

{cells}

## What is not validated

- **No measured bevel gears stand behind these figures**, and no published influence numbers of
  bevel gears were found.
- Holes are as round as the cells that they leave out.
"""


def main() -> None:
    cases = {section: list(group()) for section, group in SECTIONS.items()}
    tables = {section: as_table(own) for section, own in cases.items()}
    studied = {
        "meshes": mesh_table(),
        "contact": contact_table(),
        "quick": quick_table(),
        "edges": edge_table(),
        "cells": cell_table(),
    }
    text = PROSE.format(**tables, **{name: markdown_table(made) for name, made in studied.items()})
    finish(PAGE, text, [case for own in cases.values() for case in own])


if __name__ == "__main__":
    main()
