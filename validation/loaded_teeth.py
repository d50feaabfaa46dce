"""Teeth under load: the solver, what it is made of, and the mesh models beside each other."""

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any
from unittest.mock import patch

import numpy as np
from beam_influence import beam_loading
from cases import Case
from gear_finite_elements import PAPER, PAPER_BODY, PAPER_STEEL
from gear_stand import BOTH, PLANET_RING, SUN_PLANET, Stand
from plane_tooth import plane_mesh_stiffness
from scipy.interpolate import CubicSpline
from scipy.optimize import nnls

import flank
from flank.arrays import Floats, Integers
from flank.contact.gear_loading import GearLoading, elastic_loading
from flank.contact.load_distribution import SOLVED, LoadPoints, distribute, load_work
from flank.contact.loaded_mesh import harmonics, loaded_mesh
from flank.contact.mesh_map import mesh_map
from flank.elasticity import iso_6336, mesh_stiffness
from flank.elasticity.finite_elements.cyclic import cyclic_gear, unknowns, whole_matrices
from flank.elasticity.finite_elements.factorization import factorized
from flank.elasticity.finite_elements.influence import (
    FlankGrid,
    flank_forces,
    flank_influence,
    law_remainder,
)
from flank.elasticity.finite_elements.sector_mesh import MeshDensity, sector_mesh
from flank.elasticity.line_contact import DeepBody, line_approach, line_law
from flank.elasticity.material import STEEL, Material
from flank.geometry.gear_pair import GearPair
from flank.io.tables import Column, Table, table
from flank.machines import meshes

LAW = line_law(DeepBody(3e-3, STEEL), DeepBody(2e-3, STEEL), 1.0)


def random_points(
    seed: int, count: int, slope: float = LAW.slope, rank: int | None = None
) -> LoadPoints:
    """Points on bodies about as elastic as their contacts, up to 20 µm apart."""
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(count, rank or count)) * 3e-5
    length = rng.uniform(1e-3, 5e-3, count)
    constant = LAW.constant + LAW.slope * np.log(rng.uniform(50, 500, count))
    if slope == 0.0:
        constant -= LAW.slope * np.log(1e5)
    return LoadPoints(
        root @ root.T,
        rng.uniform(-5e-6, 15e-6, count),
        rng.uniform(0.5, 1.5, count),
        constant,
        np.full(count, slope),
        length,
    )


def approach_of(points: LoadPoints, forces: Floats) -> Floats:
    """w of all points, zero where there is no force."""
    loads = np.maximum(forces / points.length, 1e-30)
    if not points.slope[0]:
        return points.constant * forces / points.length
    laws = [
        line_approach(f, p, points.slope[0]) for f, p in zip(loads, points.constant, strict=True)
    ]
    return np.where(forces > 0, laws, 0.0)


def least_squares_forces(points: LoadPoints, approach: float) -> Floats:
    """Of straight laws: ½ Fᵀ (C + P/l) F - bᵀ F with L Lᵀ = C + P/l is ½ |Lᵀ F - L⁻¹ b|²."""
    both = points.compliance + np.diag(points.constant / points.length)
    factor = np.linalg.cholesky(both)
    reach = approach * points.lever - points.gap
    scale = 1e-9
    forces: Floats = nnls(factor.T / scale, np.linalg.solve(factor, reach) / scale)[0]
    return forces


def solver_cases() -> Iterator[Case]:
    """Points on random bodies, of which some part."""
    for count in (5, 12, 40):
        worst, parted = 0.0, 0
        for seed in range(8):
            points, work = random_points(seed, count, 0.0), load_work(count)
            assert distribute(points, count, 10e-6, work)[0] == SOLVED
            expected = least_squares_forces(points, 10e-6)
            worst = max(worst, float(np.abs(work.force - expected).max() / expected.max()))
            parted += int((expected == 0).sum())
        assert parted > count
        name = f"{count} points with straight laws, some apart: forces"
        yield Case(name, "SciPy, least squares with bounds", 0.0, worst, "", 1e-7)
    tension, off, pressed = 0.0, 0.0, 0.0
    for seed in range(12):
        points, work = random_points(seed, 25, rank=3 if seed % 2 else None), load_work(25)
        assert distribute(points, 25, 8e-6, work)[0] == SOLVED
        seat = 8e-6 * points.lever - points.gap - points.compliance @ work.force
        carries = work.force > 0
        tension = max(tension, -float(work.force.min()))
        off = max(off, float(np.abs(seat - approach_of(points, work.force))[carries].max()))
        pressed = max(pressed, float(seat[~carries].max()))
    source = "conditions of contact, 25 points by load"
    yield Case("pull of any point", source, 0.0, tension, "N", 0.0)
    yield Case("distance from the law of those that carry", source, 0.0, 1e6 * off, "µm", 1e-9)
    yield Case("depth of those that do not", source, 0.0, 1e6 * max(pressed, 0.0), "µm", 1e-9)


class StraightLoading:
    """Contacts linearised at a load, as a table has them, on bodies that do not give way."""

    def __init__(self, loading: GearLoading, load: float) -> None:
        self.loading, self.pair = loading, loading.pair
        self.load = load / loading.pair.contact_ratio / loading.pair.face_width

    def system(self, position: float) -> tuple[Integers, LoadPoints]:
        numbers, points = self.loading.system(position)
        rolls = self.loading.rolls(position, numbers)
        structure = mesh_stiffness.pair_compliance(self.pair, BOTH, rolls.ravel(), self.load)
        return numbers, points._replace(
            compliance=points.compliance * 0.0,
            constant=structure,
            slope=points.slope * 0.0,
        )


def rigid_body_table(
    pair: GearPair, materials: tuple[Material, Material], load_per_width: float, *more: Any
) -> mesh_stiffness.PairTable:
    return replace(mesh_stiffness.pair_table(pair, materials, load_per_width, *more), common=0.0)


def rigid_body_cases() -> Iterator[Case]:
    """`fe` in the engine on the beam model's numbers with rigid bodies, against `table`."""
    load, source = 1e5, "mesh model `table`"
    for name, pair in (("sun and planet", SUN_PLANET), ("planet and ring", PLANET_RING)):
        loading = StraightLoading(beam_loading(pair), load)
        solved = loading, mesh_map(loading)
        with (
            patch.object(meshes, "elastic_map", lambda *_, solved=solved: solved),
            patch.object(meshes, "pair_table", rigid_body_table),
        ):
            elastic, straight = (Stand(pair, rung, load).stiffness() for rung in ("fe", "table"))
        mean = straight.mean() / pair.face_width / 1e9
        carried = elastic.mean() / pair.face_width / 1e9
        yield Case(
            f"{name}: mean stiffness, rigid bodies", source, mean, carried, "N/(mm µm)", 2e-3
        )
        off = float(np.abs(elastic / straight - 1).max())
        yield Case(f"{name}: largest error over the pitch", source, 0.0, off, "", 0.015)


DIRECT_MESH = MeshDensity(tooth=2, flank=4, space=1, layers=1)
DIRECT_PAIR = GearPair(PAPER, PAPER, face_width=PAPER_BODY.face_width)
DIRECT_TORQUE, DIRECT_POSITIONS, STRIPS = 150.0, 8, 2


class DirectLoading(GearLoading):
    """Both gears with all their teeth, solved under forces at the very points in mesh."""

    def _compliance(self, numbers: Integers, inside: Floats) -> Floats:
        first = all_teeth().compliance(-numbers, inside[:, 0])
        second = all_teeth().compliance(numbers, self.pair.second_roll(inside[:, 0]))
        return first + second


class AllTeeth:
    """The published gear as elements of all its teeth."""

    def __init__(self) -> None:
        self.mesh = sector_mesh(PAPER, PAPER_BODY, DIRECT_MESH)
        self.sector = cyclic_gear(self.mesh, PAPER_STEEL)
        self.stiffness, _, self.basis = whole_matrices(self.sector)
        self.solve = factorized(self.stiffness)
        middle = np.zeros(self.sector.size * PAPER.teeth)
        middle[unknowns(self.sector.place[self.mesh.centre])] = 1.0
        self.loose = np.flatnonzero(self.basis.T @ middle == 0)
        self.solve_held = factorized(self.stiffness[self.loose][:, self.loose].tocsc())
        rolls = np.linspace(self.mesh.roll_knots[0], self.mesh.roll_knots[-1], 9)
        self.remainder = CubicSpline(rolls, law_remainder(PAPER, PAPER_STEEL, 9))

    def compliance(self, teeth: Integers, rolls: Floats) -> Floats:
        """Between points on teeth at roll lengths, all of them loaded in one solution; the local
        indentation taken off, as the middle surface of a tooth held has it."""
        points = self.sector.loads(flank_forces(PAPER, self.mesh, rolls, STRIPS))
        right = np.zeros((self.basis.shape[1], points.shape[1]))
        for column, tooth in enumerate(np.repeat(teeth % PAPER.teeth, STRIPS)):
            right[:, column] = self._on_tooth(int(tooth), points[:, column])
        both: Floats = right.T @ self.solve(right)
        for k, roll in enumerate(rolls):
            own = slice(STRIPS * k, STRIPS * (k + 1))
            on_first = np.column_stack([self._on_tooth(0, column) for column in points[:, own].T])
            local = on_first[self.loose].T @ self.solve_held(on_first[self.loose])
            more = self.remainder(roll) * STRIPS / PAPER_BODY.face_width * np.eye(STRIPS)
            both[own, own] += more - local
        return 0.5 * (both + both.T)

    def _on_tooth(self, tooth: int, forces: Floats) -> Floats:
        loads = np.zeros((PAPER.teeth, self.sector.size))
        loads[tooth] = forces
        return np.asarray(self.basis.T @ loads.ravel())


@cache
def all_teeth() -> AllTeeth:
    return AllTeeth()


def direct_cases() -> Iterator[Case]:
    """Influence numbers between a grid of points, against a solution for each position."""
    numbers = flank_influence(PAPER, PAPER_BODY, PAPER_STEEL, FlankGrid(9, STRIPS, 2), DIRECT_MESH)
    given = DIRECT_PAIR, (numbers, numbers), (PAPER_STEEL, PAPER_STEEL)
    stored, direct = (
        loaded_mesh(kind(*given), np.array([DIRECT_TORQUE]), DIRECT_POSITIONS)
        for kind in (GearLoading, DirectLoading)
    )
    source = "all teeth of both gears, direct solve"
    ratio = stored.stiffness[0] / direct.stiffness[0]
    off = float(np.abs(ratio - 1).max())
    yield Case("mesh stiffness over the cycle, largest error", source, 0.0, off, "", 0.02)
    for k, name in enumerate(("mean", "first harmonic", "second harmonic")):
        pair = (1e-6 * harmonics(mesh.stiffness[0], 2)[k] for mesh in (direct, stored))
        yield Case(f"mesh stiffness, {name}", source, *pair, "N/µm", 0.02)
    shares = float(np.abs(stored.sharing - direct.sharing).max())
    yield Case("shares of pairs of teeth, largest error", source, 0.0, shares, "", 0.01)


TORQUES = (50.0, 150.0, 300.0, 500.0)
MODELS = ("table", "contact", "fe")
PLANE_STRAIN, PLANE_STRESS = 415.0, 393.0
"""N/µm: mean stiffness of the preset by another code, neighbours left out."""

NAMES = ("mean", "first harmonic", "second harmonic", "third harmonic")


@cache
def spur() -> tuple[GearPair, tuple[Material, Material]]:
    """The pair of the preset `spur-bruzzone`."""
    machine = flank.preset("spur-bruzzone")
    return machine.spec.pair, machine.meshed.materials


@cache
def ladder(edges: bool = True) -> dict[str, Floats]:
    """Mean and first three harmonics of the stiffness in N/µm (torque, 4), by mesh model."""
    pair, materials = spur()
    loads = [torque / pair.first.base_radius for torque in TORQUES]
    return {
        model: np.array(
            [
                1e-6 * harmonics(Stand(pair, model, load, materials, edges).stiffness(64), 3)
                for load in loads
            ]
        )
        for model in (MODELS if edges else ("table", "fe"))
    }


def uncoupled_mean() -> float:
    """Mean stiffness (N/µm) of finite elements at 150 N·m if no tooth felt another one's load."""
    pair, materials = spur()
    loading = elastic_loading(pair, materials, 5, edges=False)
    alone = []
    for influence in loading.influences:
        blocks = influence.compliance.copy()
        blocks[np.arange(len(blocks)) != len(blocks) // 2] = 0.0
        alone.append(replace(influence, compliance=blocks))
    mesh = loaded_mesh(replace(loading, influences=tuple(alone)), np.array([150.0]))
    return 1e-6 * float(mesh.stiffness.mean())


def plane_mean() -> float:
    """Mean stiffness (N/µm) of finite elements at 150 N·m in plane strain, as beams are."""
    pair, materials = spur()
    load = 150 / pair.first.base_radius
    return 1e-6 * pair.face_width * plane_mesh_stiffness(pair, load, materials)


def neighbour_share() -> float:
    """Deflection of a tooth over that of its loaded neighbour, at the pitch point."""
    pair, materials = spur()
    numbers = elastic_loading(pair, materials, 5).influences[0]
    rolls, strips = len(numbers.roll), len(numbers.face)
    blocks = numbers.compliance.reshape(-1, rolls, strips, rolls, strips).mean(axis=(2, 4))
    at = CubicSpline(numbers.roll, np.eye(rolls))(pair.first.roll_length(pair.working_radii[0]))
    deflections = np.einsum("kpr,p,r->k", blocks, at, at)
    middle = len(blocks) // 2
    return float(deflections[middle + 1] / deflections[middle])


def beam_cases() -> Iterator[Case]:
    """Where beams on a common body are as good as finite elements."""
    pair, materials = spur()
    name = "deflection of a tooth's neighbour over its own"
    yield Case(name, "another code, cyclic", 0.4, neighbour_share(), "", 0.05)
    norm = 1e-6 * iso_6336.mean_stiffness(pair, materials) * pair.face_width
    scaled = norm * 206e9 / materials[0].youngs_modulus
    name = "mean stiffness by ISO 6336-1, E = 206 GPa"
    yield Case(name, "worked by hand", 440.2, scaled, "N/µm", 1e-3)
    name = "mean stiffness of `fe` if teeth did not feel each other"
    source = f"another code in a plane: between {PLANE_STRESS:.0f} and {PLANE_STRAIN:.0f}"
    middle, half = 0.5 * (PLANE_STRAIN + PLANE_STRESS), 0.5 * (PLANE_STRAIN - PLANE_STRESS)
    yield Case(name, source, middle, uncoupled_mean(), "N/µm", half / middle)
    found = ladder()
    source, mean = "elements in plane strain", found["table"][TORQUES.index(150), 0]
    yield Case("`table`, 150 N·m, mean in plane strain", source, plane_mean(), mean, "N/µm", 0.02)
    source = "mesh model `fe`"
    for row, torque in enumerate(TORQUES):
        for k, part in enumerate(NAMES):
            given = found["fe"][row, k], found["table"][row, k]
            yield Case(f"`table`, {torque:.0f} N·m, {part}", source, *given, "N/µm", 0.1)
    bare = ladder(edges=False)
    for k, part in enumerate(NAMES):
        row = int(np.argmax(np.abs(bare["table"][:, k] / bare["fe"][:, k] - 1)))
        given = bare["fe"][row, k], bare["table"][row, k]
        name = f"`table` without tip edges, worst of 50 to 500 N·m, {part}"
        yield Case(name, source, *given, "N/µm", 0.1)


def ladder_table() -> Table:
    """All mesh models at all torques; what knows no load stands above."""
    pair, materials = spur()
    norm = 1e-6 * iso_6336.mean_stiffness(pair, materials) * pair.face_width
    rows: list[tuple[str, str, list[float]]] = [
        ("any", "ISO 6336-1, which knows no bore", [norm]),
        ("150", "another code, plane strain, neighbours left out", [PLANE_STRAIN]),
        ("150", "`fe`, neighbours left out", [uncoupled_mean()]),
        ("150", "elements in plane strain", [plane_mean()]),
    ]
    for row, torque in enumerate(TORQUES):
        rows += [(f"{torque:.0f}", f"`{model}`", list(ladder()[model][row])) for model in MODELS]
    figures = [[*values, *[math.nan] * (4 - len(values))] for _, _, values in rows]
    columns = [
        Column("torque, N·m", [torque for torque, _, _ in rows]),
        Column("model", [model for _, model, _ in rows]),
        *(
            Column(f"{name}, N/µm", [row[k] for row in figures], ".1f")
            for k, name in enumerate(NAMES)
        ),
    ]
    return table("Mesh models", columns)
