"""How far to trust gears of finite elements: exactness, closed forms, a published gear, meshes.

    python validation/gear_finite_elements.py      writes docs/validation/gear_finite_elements.md

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
from plane_tooth import PlaneTooth
from scipy.optimize import brentq
from scipy.special import jv, yv

from flank.arrays import Floats
from flank.elasticity.finite_elements.cyclic import (
    CyclicGear,
    cyclic_gear,
    harmonic_modes,
    lowest_modes,
    spin_stiffness,
    static_response,
    whole_matrices,
)
from flank.elasticity.finite_elements.factorization import factorized
from flank.elasticity.finite_elements.flank_modes import flank_modes, turning_frame
from flank.elasticity.finite_elements.influence import (
    FlankGrid,
    FlankInfluence,
    flank_forces,
    flank_influence,
)
from flank.elasticity.finite_elements.sector_mesh import (
    GearBody,
    Lattice,
    MeshDensity,
    SectorMesh,
    hexahedra,
    sector_mesh,
)
from flank.elasticity.material import STEEL, Material
from flank.geometry.gear import Gear
from flank.io.tables import Column, Table, table
from flank.report.writers import markdown_table

PAGE = Path(__file__).parent.parent / "docs" / "validation" / "gear_finite_elements.md"

ANGLE = math.radians(20)
PAPER = Gear(50, 3e-3, ANGLE)
PAPER_BODY = GearBody(20e-3, 30.6e-3)
PAPER_STEEL = Material(207e9, 0.3, 7600.0)
PUBLISHED = {
    "out of plane, n = 1": 7999.3,
    "out of plane, n = 0": 8213.0,
    "out of plane, n = 2": 8614.9,
    "torsion": 11319.5,
    "out of plane, n = 3": 11899.2,
    "in plane, n = 1": 17003.6,
}
"""Table 1 of Bruzzone, Rosso and Theodossiades (2024), Hz."""

SMALL = Gear(9, 2e-3, ANGLE, 0.5, helix_angle=0.3)
SMALL_BODY = GearBody(6e-3, 2e-3, 1e-3, 2e-3, 3.5e-3, 8e-3)
COARSE = MeshDensity(tooth=2, flank=2, space=1, layers=1, growth=1.0)
USUAL = MeshDensity(tooth=4, flank=4, space=1)


def annulus(
    inner: float,
    outer: float,
    width: float,
    sectors: int,
    cells: tuple[int, int, int],
    element: str = "hexahedron-20",
) -> SectorMesh:
    """One of equal sectors of a ring held inside; cells radially, around and along its axis."""
    rows, columns, layers = (np.linspace(0, 1, 2 * n + 1) for n in cells)
    angles = 2 * math.pi / sectors * (columns - 0.5)
    points = (inner + (outer - inner) * rows)[:, None] * np.exp(1j * angles)
    lattice = Lattice(points, width * (layers - 0.5), np.ones(cells, dtype=bool))
    nodes, elements, places = hexahedra(lattice, element)
    none = np.zeros(0, dtype=int)
    return SectorMesh(
        nodes=nodes,
        elements=elements,
        left=np.flatnonzero(places[:, 1] == 0),
        right=np.flatnonzero(places[:, 1] == 2 * cells[1]),
        held=np.flatnonzero(places[:, 0] == 0),
        held_cells=none,
        held_side=0,
        centre=none,
        flank=none,
        roll_knots=none.astype(float),
        layer_knots=lattice.heights[::2],
        twist=0.0,
        element=element,
        teeth=sectors,
    )


@cache
def small_gear() -> CyclicGear:
    return cyclic_gear(sector_mesh(SMALL, SMALL_BODY, COARSE), STEEL)


def exactness_cases() -> Iterator[Case]:
    """A helical gear with web and hub from one sector, against all its teeth at once."""
    gear, source = small_gear(), "all teeth at once, direct solve"
    stiffness, mass, basis = whole_matrices(gear)
    truth = np.sqrt(lowest_modes(stiffness, mass, 8)[0]) / (2 * math.pi)
    computed = []
    for n in range(gear.teeth // 2 + 1):
        frequencies = harmonic_modes(gear, n, 3).frequencies
        computed += [*frequencies, *(frequencies if n else ())]
    for k, name in ((0, "first"), (4, "fifth"), (7, "eighth")):
        pair = truth[k], np.sort(computed)[k]
        yield Case(f"{name} natural frequency from one sector", source, *pair, "Hz", 1e-8)
    loads = np.zeros((gear.teeth, gear.size))
    loaded = np.flatnonzero(gear.free)[[-1, -20]]
    loads[[0, 3], loaded] = 1.0, -2.0
    moved = basis @ factorized(stiffness)(basis.T @ loads.ravel())
    off = np.max(np.abs(static_response(gear, loads).ravel() - moved)) / np.max(np.abs(moved))
    yield Case("answer to loads on two teeth, largest error", source, 0.0, off, "", 1e-8)
    yield Case(
        "influence numbers of all teeth, largest error", source, 0.0, _influence_off(), "", 1e-6
    )


def _influence_off() -> float:
    """Of influence numbers against the whole gear, relative to each."""
    gear, grid = small_gear(), FlankGrid(3, 2, None)
    numbers = flank_influence(SMALL, SMALL_BODY, STEEL, grid, COARSE)
    mesh = sector_mesh(SMALL, SMALL_BODY, COARSE)
    points = gear.loads(flank_forces(SMALL, mesh, numbers.roll, grid.face))
    stiffness, _, basis = whole_matrices(gear)
    loads = np.zeros((gear.teeth, *points.shape))
    loads[0] = points
    right = basis.T @ loads.reshape(-1, points.shape[1])
    moved = (basis @ factorized(stiffness)(right)).reshape(loads.shape)
    blocks = numbers.compliance + np.where(
        (numbers.neighbours == 0)[:, None, None], numbers.indentation, 0.0
    )
    truth = np.array([points.T @ moved[k] for k in numbers.neighbours])
    return float(np.max(np.abs(blocks / truth - 1)))


def bessel_torsion(inner: float, outer: float, material: Material) -> float:
    """Hz of u_θ = A J_1(kr) + B Y_1(kr), zero inside and without shear stress outside."""

    def condition(k: float) -> float:
        def shear(function) -> float:
            return k * function(0, k * outer) - 2 / outer * function(1, k * outer)

        return jv(1, k * inner) * shear(yv) - yv(1, k * inner) * shear(jv)

    k = brentq(condition, 15.0, 30.0)
    return k * math.sqrt(material.shear_modulus / material.density) / (2 * math.pi)


def closed_form_cases() -> Iterator[Case]:
    """An annulus in torsion, and a thin ring that bends in its plane."""
    inner, outer = 31.5e-3, 71.25e-3
    for element, cells in (("hexahedron-20", (4, 1, 1)), ("hexahedron-8", (12, 2, 2))):
        body = cyclic_gear(annulus(inner, outer, 20e-3, 50, cells, element), PAPER_STEEL)
        modes = harmonic_modes(body, 0, 4)
        energy = np.abs(modes.shapes.reshape(-1, 3, 4)) ** 2
        torsion = modes.frequencies[np.argmax(energy[:, 1].sum(axis=0) / energy.sum(axis=(0, 1)))]
        exact = bessel_torsion(inner, outer, PAPER_STEEL)
        name = f"annulus in torsion, {element}"
        yield Case(name, "Bessel functions", exact, torsion, "Hz", 2e-3)
    yield from ring_cases()
    yield from turning_cases()


def turning_cases() -> Iterator[Case]:
    """A thin ring that turns, seen from the ring: waves that run with it and against it have

        ω = √(ω_0² + n² (n² - 1)²/(n² + 1)² Ω²) ± 2n/(n² + 1) Ω,

    Bryan's split by Coriolis' force and Carrier's tension. It rests on springs that hold it just
    so that its stress can be solved for."""
    radius, thickness, speed = 0.5, 8e-3, 2 * math.pi * 10
    mesh = annulus(radius - thickness / 2, radius + thickness / 2, 6e-3, 36, (1, 5, 1))
    mesh = replace(mesh, held_cells=np.arange(len(mesh.elements)))
    ring = cyclic_gear(mesh, STEEL, support=1e3)
    tension = spin_stiffness(ring, mesh, STEEL)
    still = STEEL.youngs_modulus / STEEL.density * thickness**2 / 12 / radius**4
    for n in (2, 3, 4):
        modes = harmonic_modes(ring, n, 4)
        energy = np.abs(modes.shapes.reshape(-1, 3, 4)) ** 2
        k = int(np.argmax(energy[:, 2].sum(axis=0) < 0.1 * energy.sum(axis=(0, 1))))
        turned = turning_frame(ring, n, modes.shapes, tension)
        half = 0.5 * speed * float(turned["gyroscopic"][k])
        square = (2 * math.pi * modes.frequencies[k]) ** 2 + speed**2 * float(turned["spin"][k])
        shape = (n**2 - 1) ** 2 * n**2
        exact = math.sqrt(still * shape / (n**2 + 1) + shape / (n**2 + 1) ** 2 * speed**2)
        split = 2 * n / (n**2 + 1) * speed
        for way, sign in (("with", 1), ("against", -1)):
            computed = math.sqrt(square + half**2) - sign * half
            yield Case(
                f"turning thin ring, 600 rpm, wave of n = {n} {way} it",
                "closed form",
                (exact - sign * split) / (2 * math.pi),
                computed / (2 * math.pi),
                "Hz",
                0.01,
            )


def ring_cases() -> Iterator[Case]:
    """ω² = E I/(ρ A R⁴) n² (n² - 1)²/(n² + 1), without shear and rotary inertia."""
    radius, thickness = 0.5, 8e-3
    mesh = annulus(radius - thickness / 2, radius + thickness / 2, 6e-3, 36, (1, 5, 1))
    ring = cyclic_gear(mesh, STEEL, support=0.0)
    speed = STEEL.youngs_modulus / STEEL.density * thickness**2 / 12 / radius**4
    for n in range(2, 7):
        modes = harmonic_modes(ring, n, 4)
        energy = np.abs(modes.shapes.reshape(-1, 3, 4)) ** 2
        in_plane = energy[:, 2].sum(axis=0) < 0.1 * energy.sum(axis=(0, 1))
        exact = math.sqrt(speed * n**2 * (n**2 - 1) ** 2 / (n**2 + 1)) / (2 * math.pi)
        yield Case(
            f"thin ring in its plane, n = {n}",
            "closed form",
            exact,
            modes.frequencies[in_plane][0],
            "Hz",
            0.01,
        )


@cache
def paper_frequencies(density: MeshDensity = USUAL) -> Floats:
    """In the order of `PUBLISHED`."""
    gear = cyclic_gear(sector_mesh(PAPER, PAPER_BODY, density), PAPER_STEEL)
    axial, first, second, third = (harmonic_modes(gear, n, 2).frequencies for n in range(4))
    return np.array([first[0], axial[0], second[0], axial[1], third[0], first[1]])


def published_cases() -> Iterator[Case]:
    """Ratios of the published frequencies of a gear of 50 teeth, bore held."""
    source = "Bruzzone et al. (2024), Table 1"
    found, published = paper_frequencies(), np.array(list(PUBLISHED.values()))
    for name, one, other in zip(PUBLISHED, published, found, strict=True):
        if other != found[0]:
            pair = one / published[0], other / found[0]
            yield Case(f"{name}, over the first", source, *pair, "", 0.01)


@cache
def paper_influence() -> FlankInfluence:
    return flank_influence(PAPER, PAPER_BODY, PAPER_STEEL, density=USUAL)


def across_the_face(numbers: FlankInfluence) -> Floats:
    """Deflection × E × width between rolls under a force that is even over the face."""
    size, strips = len(numbers.roll), len(numbers.face)
    blocks = numbers.compliance.reshape(-1, size, strips, size, strips).mean(axis=(2, 4))
    return blocks * PAPER_STEEL.youngs_modulus * PAPER_BODY.face_width


def compliance_cases() -> Iterator[Case]:
    """Teeth of the published gear: their own deflection, their neighbours', their mass."""
    pitch = PAPER.roll_length(PAPER.reference_radius)
    plane = PlaneTooth(PAPER, PAPER_BODY.held_radius, PAPER_STEEL)
    own = plane.structure(pitch) * PAPER_STEEL.youngs_modulus
    other = 0.02767e-9 * PAPER_STEEL.youngs_modulus
    source = "another code, triangles, to the middle of the tooth"
    yield Case("E δ of a tooth at its pitch point, plane strain", source, other, own, "", 0.03)
    blocks = across_the_face(paper_influence())
    share = blocks[3, 4, 4] / blocks[2, 4, 4]
    source = "another code, cyclic"
    yield Case("deflection of the neighbour over a tooth's own", source, 0.4, share, "", 0.05)
    modes = flank_modes(PAPER, PAPER_BODY, PAPER_STEEL, 0, 1, density=USUAL)
    yield Case("mass of the gear", "another code", 2.23, modes.mass, "kg", 0.01)
    yield Case("its inertia", "another code", 7.33e-3, modes.polar_inertia, "kg m²", 0.01)


MESHES = (
    MeshDensity(tooth=8, flank=7, fillet=2, layers=5, growth=0.2),
    MeshDensity(element="hexahedron-27"),
    MeshDensity(),
    USUAL,
    replace(USUAL, element="hexahedron-27", layers=2),
    MeshDensity(tooth=8, flank=6, fillet=2, layers=8, growth=0.2, element="hexahedron-8"),
)
"""The first is what the others are compared with."""


def mesh_table() -> Table:
    """What meshes and elements cost, and how far they are off the finest."""
    rows = [_figures(density) for density in MESHES]
    off = 100 * (np.array([row[1:] for row in rows]) / np.array(rows[0][1:]) - 1)
    names = [f"{d.element[11:]}; {d.tooth}, {d.flank}, {d.layers}" for d in MESHES]
    heads = ("foot", "mid-flank", "tip", "neighbour", "bending, n = 1", "in plane, n = 1")
    columns = [
        Column("nodes; cells across tooth, along flank, over face", names),
        Column("unknowns", [round(row[0]) for row in rows]),
        *(Column(f"{head}, %", off[:, k].tolist(), "+.2f") for k, head in enumerate(heads)),
    ]
    return table("Meshes", columns)


def _figures(density: MeshDensity) -> tuple[float, ...]:
    numbers = flank_influence(PAPER, PAPER_BODY, PAPER_STEEL, FlankGrid(3, 2, 1), density)
    blocks = across_the_face(numbers)
    gear = cyclic_gear(sector_mesh(PAPER, PAPER_BODY, density), PAPER_STEEL)
    frequencies = harmonic_modes(gear, 1, 2).frequencies
    return (gear.teeth * gear.size, *np.diag(blocks[1]), blocks[2, 1, 1], *frequencies)


def level_table() -> Table:
    """Frequencies of the published gear, and the factor between them and the printed ones."""
    found, published = paper_frequencies(), list(PUBLISHED.values())
    columns = [
        Column("mode", list(PUBLISHED)),
        Column("Table 1, Hz", published, ".1f"),
        Column("here, Hz", found.tolist(), ".1f"),
        Column("factor", (np.array(published) / found).tolist(), ".3f"),
    ]
    return table("Table 1", columns)


SECTIONS = {
    "exactness": exactness_cases,
    "closed_forms": closed_form_cases,
    "published": published_cases,
    "compliance": compliance_cases,
}
GROUPS = tuple(SECTIONS.values())

PROSE = """# How far to trust gears of finite elements

Written by `make validation`; every row is also a test. Theory:
[gears of finite elements](../theory/gear_finite_elements.md).

## One sector for the whole gear

A helical gear of nine teeth with rim, web and hub. Nothing is approximated when one sector stands
for all: differences are round-off.

{exactness}

## Closed forms

An annulus of 31.5 to 71.25 mm in torsion, held inside; a free ring of 1 m with a section of
8 × 6 mm², at rest and turning, where waves with it and against it part.

{closed_forms}

## A published gear

50 teeth of module 3 mm, a plain disc of 20 mm whose bore is held in rotation too. The bore is not
printed; its radius of 30.6 mm follows from the ratios.

{published}

The level does not fit: every printed frequency is {least:.3f} to {most:.3f} times what the printed
modulus and density give here. Other bores change the ratios, and no bore gives the level.

{levels}

## Teeth and neighbours

The same gear. $E\\delta$ is the deflection along the flank's normal times modulus and width over
force, the local indentation taken off. What the other codes gave is known to the digits shown and
is a check of sanity, no measurement.

{compliance}

## Meshes

Differences in per cent from the finest mesh of that gear: deflection of a tooth at foot, middle and
tip of its flank and of its neighbour, and two natural frequencies. Held edges of the bore have
singular stresses, because of which bending frequencies come down slowly.

{meshes}

Elements of 20 nodes are the default. With 27 the same cells have twice the unknowns and the same
error in deflections; 8 nodes with incompatible modes need more unknowns for a larger one.

## What is not validated

- **No measured gears stand behind these figures.**
- Holes are as round as the cells that they leave out; spokes and welds, and what a shrink fit or a
  key does to a bore, are not there.
"""


def main() -> None:
    cases = {section: list(group()) for section, group in SECTIONS.items()}
    tables = {section: as_table(own) for section, own in cases.items()}
    factors = np.array(list(PUBLISHED.values())) / paper_frequencies()
    text = PROSE.format(
        **tables,
        least=factors.min(),
        most=factors.max(),
        levels=markdown_table(level_table()),
        meshes=markdown_table(mesh_table()),
    )
    finish(PAGE, text, [case for own in cases.values() for case in own])


if __name__ == "__main__":
    main()
