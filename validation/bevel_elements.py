"""How far to trust bevel gears of finite elements: exactness, closed forms, cylindrical gears.

    python validation/bevel_elements.py      writes docs/validation/bevel_elements.md

Every case is also a test.
"""

import math
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import numpy as np
from cases import Case, as_table, finish
from gear_finite_elements import annulus

from flank.arrays import Floats
from flank.elasticity.finite_elements.bevel_influence import (
    BEVEL_GRID,
    SIDES,
    BevelGrid,
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
from flank.elasticity.finite_elements.influence import FlankGrid, flank_influence, law_remainder
from flank.elasticity.finite_elements.sector_mesh import GearBody, MeshDensity
from flank.elasticity.finite_elements.whole_gear import (
    direct_compliance,
    tooth_forces,
    whole_gear,
)
from flank.elasticity.material import STEEL
from flank.geometry.bevel.helicoid import helicoid_member
from flank.geometry.bevel.published import nasa_gear, nasa_pinion
from flank.geometry.bevel.tooth import CONCAVE, CONVEX
from flank.geometry.gear import Gear
from flank.io.tables import Column, Table, table
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


MESHES = {
    "default": BEVEL_DENSITY,
    "coarse": MeshDensity(tooth=4, flank=4, layers=6, growth=0.5),
    "half as many layers again": replace(BEVEL_DENSITY, layers=18),
    "half as many cells again across": replace(BEVEL_DENSITY, tooth=6, flank=8, space=3),
}


def mesh_table() -> Table:
    """How far coarser and finer meshes are off the default, of the published pinion."""
    pinion = MEMBERS["pinion"]()
    body = usual_body(pinion)
    rows = []
    for density in MESHES.values():
        numbers = bevel_influence(pinion, body, STEEL, BEVEL_GRID, density)
        rows.append(np.concatenate([_own(numbers.side(name).compliance[0]) for name in SIDES]))
    off = 100 * (np.array(rows) / rows[0] - 1)
    heads = [f"{name}, {place}" for name in SIDES for place in ("root", "mid-flank", "tip", "most")]
    off_most = [_most(off, side) for side in (0, 1)]
    columns = [Column("mesh", list(MESHES))]
    for number, head in enumerate(heads):
        side, place = divmod(number, 4)
        values = off_most[side] if place == 3 else off[:, side * 63 + (0, 27, 54)[place] + 4]
        columns.append(Column(f"{head}, %", values.tolist(), "+.2f"))
    return table("Meshes", columns)


def _own(blocks: Floats) -> Floats:
    return np.asarray(np.diagonal(blocks[len(blocks) // 2]))


def _most(off: Floats, side: int) -> Floats:
    """The largest of all points below the tip, with its sign."""
    below = off[:, side * 63 : side * 63 + 54]
    return np.asarray(below[np.arange(len(below)), np.abs(below).argmax(axis=1)])


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

The pinion of the published pair, whose teeth are nearly pointed at the heel. Own compliances of
points in the middle of the face, and the largest difference of all points below the tip, from
those of the default mesh.

{meshes}

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
    text = PROSE.format(
        **tables, meshes=markdown_table(mesh_table()), cells=markdown_table(cell_table())
    )
    finish(PAGE, text, [case for own in cases.values() for case in own])


if __name__ == "__main__":
    main()
