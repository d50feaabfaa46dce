"""How good is the beam model of a tooth? Against finite elements, and meshes against ISO 6336-1.

    python validation/tooth_elasticity.py

prints the tables of docs/theory/tooth_elasticity.md.
"""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import get_args

sys.path.insert(0, str(Path(__file__).parent))

import numpy as np
from cases import Case
from gear_stand import BOTH, PLANET_RING, SUN_PLANET, Stand, gear, standard_pair
from plane_tooth import PlaneTooth

from flank.contact.loaded_mesh import loaded_mesh
from flank.elasticity.iso_6336 import mean_stiffness, single_stiffness
from flank.elasticity.material import STEEL
from flank.elasticity.mesh_stiffness import mesh_stiffness, pair_compliance
from flank.elasticity.tooth import tooth_compliance
from flank.elasticity.tooth_beam import held_radius
from flank.elasticity.tooth_foundation import Foundation, sainsot_root
from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair
from flank.geometry.pair_gap import separation
from flank.geometry.roots import zero_between
from flank.geometry.tooth_outline import half_outline
from flank.machines.gear_spec import MeshSpec
from flank.machines.meshed_pair import MeshedPair

MODULUS = STEEL.youngs_modulus

TEETH = {
    "z 10, x 0.45": gear(10, 0.45),
    "z 14, x 0.6": gear(14, 0.6),
    "z 17": gear(17),
    "z 20": gear(20),
    "z 20, x 0.582": gear(20, 0.582),
    "z 30": gear(30),
    "z 40": gear(40),
    "z 60": gear(60),
    "z 100": gear(100),
    "ring 91": gear(91, 0.0, True),
    "ring 91, x -0.84": gear(91, -0.84, True),
}
LOADED = 100e3 / 0.21
MESHES = {
    name: (standard_pair(*(int(z) for z in name.split("/"))), 300e3)
    for name in ("20/20", "20/35", "20/40", "30/90", "40/100")
} | {
    "24 in ring 96": (GearPair(gear(24), gear(96, 0.0, True), face_width=0.1), 300e3),
    "500 kW sun/planet": (SUN_PLANET, LOADED),
    "500 kW planet/ring": (PLANET_RING, LOADED),
}


def tooth_table() -> list[str]:
    """Deflection × E of one tooth at three places of the flank, and of its neighbour."""
    lines = [
        "| tooth | held at | E δ at 1/8, 1/2, 7/8 of the flank | beam against FE | neighbour | FE "
        "| half plane at 1/2 against FE |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, plain in TEETH.items():
        bores = (held_radius(plain),)
        if not plain.internal:
            bores = (bores[0], 0.3 * plain.root_radius)
        for bore in bores:
            shape = replace(plain, held_radius=bore)
            table, finite = tooth_compliance(shape, STEEL), PlaneTooth(shape, bore)
            ends = half_outline(shape).form_roll, shape.edge_roll_length
            rolls = np.linspace(*ends, 9)[[1, 4, 7]]
            truth = np.array([finite.structure(roll) for roll in rolls])
            off = 100 * (table.at(rolls) / truth - 1)
            half = 0.5 * shape.base_pitch
            next_to = finite.coupling(rolls[1] - half, rolls[1] + half, shape.sign) * MODULUS
            lines.append(
                f"| {name} | {bore / shape.root_radius:.2f} r_f "
                f"| {', '.join(f'{value * MODULUS:.2f}' for value in truth)} "
                f"| {', '.join(f'{value:+.1f} %' for value in off)} "
                f"| {table.common * MODULUS:.2f} | {next_to:.2f} "
                f"| {100 * (half_plane(shape, rolls[1]) / MODULUS / truth[1] - 1):+.1f} % |"
            )
    return lines


def tooth_cases() -> Iterator[Case]:
    """Four teeth at mid-flank; the table of all stands in the theory of tooth elasticity."""
    for name in ("z 10, x 0.45", "z 20, x 0.582", "z 40", "ring 91"):
        shape = replace(TEETH[name], held_radius=held_radius(TEETH[name]))
        finite = PlaneTooth(shape, shape.held_radius)
        roll = 0.5 * (half_outline(shape).form_roll + shape.edge_roll_length)
        half = 0.5 * shape.base_pitch
        table = tooth_compliance(shape, STEEL)
        source = "finite elements, plane strain"
        truth, found = finite.structure(roll) * MODULUS, float(table.at(roll)) * MODULUS
        yield Case(f"tooth {name}: E δ at mid-flank", source, truth, found, "", 0.03)
        truth = finite.coupling(roll - half, roll + half, shape.sign) * MODULUS
        found = table.common * MODULUS
        yield Case(f"tooth {name}: E δ of its neighbour", source, truth, found, "", 0.1)


def foundation_table() -> list[str]:
    """Teeth on foundations of other kinds, against finite elements at three places of the flank."""
    lines = [
        "| tooth | bore | h, θ | round body | sainsot | cornell |",
        "|---|---|---|---|---|---|",
    ]
    for name in ("z 20", "z 40", "z 100"):
        for share in (0.5, 0.3):
            shape = replace(TEETH[name], held_radius=share * TEETH[name].root_radius)
            finite = PlaneTooth(shape, shape.held_radius)
            ends = half_outline(shape).form_roll, shape.edge_roll_length
            rolls = np.linspace(*ends, 9)[[1, 4, 7]]
            truth = np.array([finite.structure(roll) for roll in rolls])
            cells = []
            for kind in get_args(Foundation):
                table = tooth_compliance(shape, STEEL, foundation=kind)
                off = 100 * (table.at(rolls) / truth - 1)
                cells.append(", ".join(f"{value:+.1f} %" for value in off))
            ratio, angle, _ = sainsot_root(shape)
            lines.append(
                f"| {name} | {share} r_f | {ratio:.2f}, {angle:.3f} | {' | '.join(cells)} |"
            )
    return lines


def foundation_mesh_table() -> list[str]:
    """Mean stiffness of meshes on other foundations, against finite elements that share a body."""
    lines = [
        "| mesh | bore | finite elements, N/(mm µm) | round body | sainsot | cornell |",
        "|---|---|---|---|---|---|",
    ]
    for name in ("20/40", "40/100"):
        for share in (0.5, 0.3):
            pair, load = MESHES[name]
            bored = (
                replace(g, held_radius=share * g.root_radius) for g in (pair.first, pair.second)
            )
            pair = GearPair(*bored, face_width=pair.face_width)
            total = load * pair.face_width
            elements = MeshedPair(pair, BOTH, MeshSpec(model="fe"), total).loading()
            torques = np.array([total * pair.first.base_radius])
            truth = float(loaded_mesh(elements, torques, 16).stiffness.mean()) / pair.face_width
            cells = [
                f"{100 * (mesh_stiffness(pair, BOTH, load, foundation=k).mean / truth - 1):+.1f} %"
                for k in get_args(Foundation)
            ]
            lines.append(f"| {name} | {share} r_f | {truth / 1e9:.2f} | {' | '.join(cells)} |")
    return lines


def half_plane(shape: Gear, roll: float) -> float:
    """E δ of the same beam on Cornell's half plane (plane strain), whose bore nobody asks for."""
    return MODULUS * float(tooth_compliance(shape, STEEL, foundation="cornell").at(np.array(roll)))


def inside_path(pair: GearPair, load: float) -> float:
    """Mean stiffness with contact on the line of action only, no edges of tips."""
    start, end = pair.path
    common = sum(tooth_compliance(g, STEEL).common for g in (pair.first, pair.second))
    found = []
    for way in (np.arange(64) + 0.5) / 64 * pair.base_pitch:
        rolls = start + way + pair.base_pitch * np.arange(3)
        rolls = rolls[rolls < end]
        own = pair_compliance(pair, BOTH, rolls, load / len(rolls))
        found.append(1 / (common + 1 / np.sum(1 / own)))
    return float(np.mean(found))


def past_the_path(pair: GearPair, depth: float) -> float:
    """Base pitches past the end of the path where an edge still touches."""
    end, pitch = pair.path[1], pair.base_pitch
    return zero_between(lambda past: separation(pair, end + past * pitch) - depth, 0.0, 0.5)


def mesh_table() -> list[str]:
    """Mean mesh stiffness in N/(mm µm)."""
    lines = [
        "| mesh | N/mm | ε_α | c' | c_γ | own | against c_γ | without edges | edges touch p_b past "
        "| explicit contacts, mean | softest, stiffest |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for name, (pair, load) in MESHES.items():
        norm, curve = mean_stiffness(pair, BOTH), mesh_stiffness(pair, BOTH, load)
        own, ends = curve.mean, (curve.stiffness.min(), curve.stiffness.max())
        inside = inside_path(pair, load)
        alone = Stand(pair, "contact", load * pair.face_width).stiffness() / pair.face_width
        lines.append(
            f"| {name} | {load / 1e3:.0f} | {pair.contact_ratio:.2f} "
            f"| {single_stiffness(pair, BOTH) / 1e9:.2f} | {norm / 1e9:.2f} | {own / 1e9:.2f} "
            f"| {100 * (own / norm - 1):+.1f} % | {inside / 1e9:.2f} "
            f"({100 * (inside / norm - 1):+.1f} %) "
            f"| {past_the_path(pair, load / own):.2f} | {100 * (alone.mean() / own - 1):+.1f} % "
            f"| {100 * (alone.min() / ends[0] - 1):+.0f} %, "
            f"{100 * (alone.max() / ends[1] - 1):+.0f} % |"
        )
    return lines


def bore_table() -> list[str]:
    """What the bore does to the mean stiffness of 20/40 and 30/90."""
    lines = ["| bore over root radius | 20/40 against c_γ | 30/90 |", "|---|---|---|"]
    for share in (0.3, 0.5, 0.7):
        row = []
        for name in ("20/40", "30/90"):
            pair, load = MESHES[name]
            bored = (
                replace(g, held_radius=share * g.root_radius) for g in (pair.first, pair.second)
            )
            bored_pair = GearPair(*bored, face_width=pair.face_width)
            ratio = mesh_stiffness(bored_pair, BOTH, load).mean / mean_stiffness(pair, BOTH)
            row.append(f"{100 * (ratio - 1):+.1f} %")
        lines.append(f"| {share} | {row[0]} | {row[1]} |")
    return lines


if __name__ == "__main__":
    tables = tooth_table, foundation_table, foundation_mesh_table, mesh_table, bore_table
    for table in tables:
        print("\n".join(table()), end="\n\n")
