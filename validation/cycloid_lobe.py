"""The body of a cycloid lobe: finite elements against a round disc, themselves and beams.

    python validation/cycloid_lobe.py

prints the table of docs/theory/cycloidal_drive.md.
"""

import math
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import numpy as np
from cases import Case
from scipy.special import j1

import flank
from flank.analyses.stiffness_parts import lobe_beam_body, lobe_body, lobe_contact
from flank.elasticity.finite_elements.lobe import LobeBody, half_plane
from flank.elasticity.gear_body import _harmonics, _uniform
from flank.elasticity.material import STEEL, Material
from flank.geometry.cycloid import Cycloid
from flank.machines.base import LobeMesh

ROUND = Cycloid(40, 119.5e-3, 5e-3, 1e-9)
"""Hardly any eccentricity: a round disc."""

DEPTH = 18e-3
HARMONICS = 20_000
PRESETS = ("rv-320", "rv-80", "cycloidal-drive", "monocrank")
PLACES = (0.1, 0.25, 0.4, 0.6, 0.8)


def round_disc(radius: float, held: float, half_width: float, material: Material) -> float:
    """E u/F' under a Hertz ellipse on a round disc held inside, plane strain: harmonic by harmonic,
    the ellipse's share of each being 2 J_1(x)/x, x = n w/r."""
    n = np.arange(1, HARMONICS + 1, dtype=float)
    radial, _, _ = _harmonics(n, radius, held, material)
    x = n * half_width / radius
    mean = _uniform(radius, held, material)[0] / (2 * math.pi * radius)
    waves = float(np.sum(radial * 2 * j1(x) / x)) / (math.pi * radius)
    return material.youngs_modulus * (mean + waves)


def lobe_cases() -> Iterator[Case]:
    body = LobeBody(ROUND, STEEL, DEPTH, "strain")
    radius = ROUND.root_radius
    known = round_disc(radius, radius - DEPTH, body.half_width, STEEL)
    found = body.compliance(0.5 * body.period) + half_plane(STEEL, "strain", DEPTH, body.half_width)
    yield Case("lobe without height: E u/F' of a round disc", "harmonics", known, found, "", 5e-3)
    mesh = flank.preset("rv-320").lobe_mesh()
    lobe = LobeBody(mesh.profile, mesh.materials[0], mesh.depth)
    t = 0.4 * 0.5 * lobe.period
    coarse = lobe.compliance(t)
    for name, changes in (
        ("half the loaded strip", {"share": 0.5 * lobe.share}),
        ("elements of half the size", {"elements": 2 * lobe.elements}),
        ("two lobes more on either side", {"neighbours": lobe.neighbours + 2}),
    ):
        finer = replace(lobe, **changes).compliance(t)
        yield Case(f"lobe of rv-320: q with {name}", "the same", finer, coarse, "", 0.02)


def lobe_table() -> list[str]:
    """How large a lobe's body is against its contact, and what the beam makes of it."""
    lines = [
        "| preset | q of the body at "
        + ", ".join(f"{place:g}" for place in PLACES)
        + " of the way to the tip | body over contact | beam over finite elements |",
        "|---|---|---|---|",
    ]
    for name in PRESETS:
        mesh = flank.preset(name).lobe_mesh()
        body, contact, beam = (_along(of, mesh) for of in (lobe_body, lobe_contact, lobe_beam_body))
        q = body * mesh.materials[0].youngs_modulus * mesh.width
        lines.append(
            f"| `{name}` | {', '.join(f'{value:.2f}' for value in q)} "
            f"| {', '.join(f'{value:.1%}' for value in body / contact)} "
            f"| {', '.join(f'{value:.1f}' for value in beam / body)} |"
        )
    return lines


def _along(of, mesh: LobeMesh) -> np.ndarray:
    return np.array([of(mesh, place * math.pi / mesh.profile.lobes) for place in PLACES])


if __name__ == "__main__":
    for case in lobe_cases():
        print(f"{case.name}: {case.expected:.5g} {case.computed:.5g} {case.holds}")
    print("\n".join(lobe_table()))
