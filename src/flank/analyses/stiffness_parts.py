"""Parts of the stiffness of one contact of teeth: k(u) and what it is made of.

    1/k = 1/k_bending + 1/k_shear + 1/k_compression + 1/k_foundation + 1/k_contact

(arXiv 2604.02387, Eq. 4 and Fig. 1), of a pair of involute teeth along the path of contact by the
beams of `elasticity.tooth`, under its mean load at the rated torque. Of a cycloid lobe along its
flank: contact with a pin, and the lobe's body by finite elements (`finite_elements.lobe`) with the
same by the beam integrals beside it.
"""

import math
from collections.abc import Mapping

import numpy as np

from flank.analyses.quantities import Declarations, Declared, Values
from flank.arrays import Floats
from flank.elasticity.finite_elements.lobe import (
    LobeBody,
    flank_curvature,
    half_plane,
    lobe_beam,
    middle_depth,
)
from flank.elasticity.line_contact import Cylinder, DeepBody, line_approach, line_law
from flank.elasticity.tooth import tooth_pair_hertz, tooth_tables
from flank.elasticity.tooth_curvature import relative_curvature
from flank.machines.base import LobeMesh
from flank.machines.meshed_pair import MeshedPair

PARTS = ("bending", "shear", "compression", "foundation", "contact")
PATH_POINTS = 41
LOBE_POINTS = 9
LOBE_ENDS = (0.05, 0.95)
"""Of the way from root to tip: pins carry nothing at either."""

DECLARED: Declarations = {
    "pair_stiffness": Declared(
        "Stiffness of one pair of teeth at its mean load", "N/m", "N/um", "mesh path"
    ),
    "part_compliance": Declared(
        "Compliance of one pair of teeth by its parts", "m/N", "um/kN", "mesh part path"
    ),
    "middle_stiffness": Declared(
        "Stiffness of one pair at the middle of the path", "N/m", "N/um", "mesh"
    ),
    **{
        f"{part}_share": Declared(f"Part of its compliance: {part}", "", "percent", "mesh")
        for part in PARTS
    },
    "lobe_force": Declared("Largest pin force at the rated torque, pins equally stiff", "N"),
    "lobe_body_share": Declared(
        "Largest compliance of a lobe's body over that of its contact", "", "percent"
    ),
    "lobe_stiffness": Declared("Stiffness of a lobe at a pin", "N/m", "N/um", "lobe_path"),
    "lobe_contact_compliance": Declared(
        "Compliance of the contact of lobe and pin", "m/N", "um/kN", "lobe_path"
    ),
    "lobe_body_compliance": Declared(
        "Compliance of a lobe's body besides, finite elements", "m/N", "um/kN", "lobe_path"
    ),
    "lobe_beam_compliance": Declared(
        "Compliance of a lobe's body besides, as a beam", "m/N", "um/kN", "lobe_path"
    ),
}

COORDINATES: Declarations = {
    "part": Declared("Part", over="part"),
    "path": Declared("Place on the path of contact", "", "percent", "path"),
    "lobe_path": Declared("Place on the flank of a lobe, root to tip", "", "percent", "lobe_path"),
}

TABLES = {
    "Parts of one pair of teeth": (
        "mesh",
        "middle_stiffness",
        *(f"{part}_share" for part in PARTS),
    ),
    "A lobe and a pin": (
        "lobe_path",
        "lobe_stiffness",
        "lobe_contact_compliance",
        "lobe_body_compliance",
        "lobe_beam_compliance",
    ),
}


def of_teeth(pairs: Mapping[str, MeshedPair]) -> Values:
    """Of one pair of teeth of every mesh, along its path of contact."""
    parts = np.stack([pair_parts(meshed) for meshed in pairs.values()])
    total = parts.sum(axis=1)
    middle = PATH_POINTS // 2
    shares = parts[:, :, middle] / total[:, None, middle]
    return {
        "pair_stiffness": 1 / total,
        "part_compliance": parts,
        "middle_stiffness": 1 / total[:, middle],
        **{f"{part}_share": shares[:, k] for k, part in enumerate(PARTS)},
        "part": np.array(PARTS, dtype=str),
        "path": np.linspace(0.0, 1.0, PATH_POINTS),
    }


def pair_parts(meshed: MeshedPair) -> Floats:
    """Compliances (part, place) in m/N of both teeth together and their contact."""
    pair, materials = meshed.pair, meshed.materials
    rolls = np.linspace(*pair.path, PATH_POINTS)
    parts = np.zeros((len(PARTS), PATH_POINTS))
    for table, at in zip(
        tooth_tables(pair, materials, sharing=1.0), (rolls, pair.second_roll(rolls)), strict=True
    ):
        for k, name in enumerate(PARTS[:-1]):
            parts[k] += np.interp(at, table.rolls, table.parts[name])
        parts[PARTS.index("foundation")] += np.interp(at, table.rolls, table.parts["body"])
    load = meshed.load / pair.face_width / max(pair.contact_ratio, 1.0)
    constant, slope = tooth_pair_hertz(pair, materials)
    law = constant + slope * np.log(relative_curvature(pair, materials, rolls))
    parts[-1] = line_approach(load, law, slope) / load
    return np.asarray(parts / pair.face_width)


def of_lobe(mesh: LobeMesh) -> Values:
    """Of one lobe under one pin, along its flank."""
    shares = np.linspace(*LOBE_ENDS, LOBE_POINTS)
    places = shares * math.pi / mesh.profile.lobes
    contact = np.array([lobe_contact(mesh, t) for t in places])
    body, beam = (np.array([of(mesh, t) for t in places]) for of in (lobe_body, lobe_beam_body))
    return {
        "lobe_force": mesh.force,
        "lobe_body_share": (body / contact).max(),
        "lobe_stiffness": 1 / (contact + body),
        "lobe_contact_compliance": contact,
        "lobe_body_compliance": body,
        "lobe_beam_compliance": beam,
        "lobe_path": shares,
    }


def lobe_contact(mesh: LobeMesh, t: float) -> float:
    """m/N, secant at the largest pin force; the disc down to its depth as a half plane."""
    disc, pin = mesh.materials
    law = line_law(DeepBody(mesh.depth, disc), Cylinder(mesh.pin_radius, pin), mesh.width)
    curvature = flank_curvature(mesh.profile, t) + 1 / mesh.pin_radius
    return law.approach(mesh.force, 1 / curvature) / mesh.force


def lobe_body(mesh: LobeMesh, t: float) -> float:
    """m/N by finite elements."""
    disc = mesh.materials[0]
    found = LobeBody(mesh.profile, disc, mesh.depth).compliance(t)
    return found / (disc.youngs_modulus * mesh.width)


def lobe_beam_body(mesh: LobeMesh, t: float) -> float:
    """m/N by the beam, whose contact reaches to the middle of the lobe and not to the depth."""
    disc = mesh.materials[0]
    reach = middle_depth(mesh.profile, t)
    beyond = half_plane(disc, "stress", mesh.depth, 1.0) - half_plane(disc, "stress", reach, 1.0)
    beam = lobe_beam(mesh.profile, disc, t).total
    return (beam - beyond) / (disc.youngs_modulus * mesh.width)
