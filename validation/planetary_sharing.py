"""Loads of the planets' pins with one pin off its place, against the closed form."""

import math
from collections.abc import Iterator

import numpy as np
from cases import Case
from numpy.typing import NDArray

import flank
from flank.analyses.load_sharing import LoadSharingSettings
from flank.analyses.load_sharing import run as share_load
from flank.machines.planetary.gearbox import PlanetaryGearbox

GUIDED = {
    "held": None,
    "carrier.support": {"kind": "rigid"},
    "ring.support": {"kind": "rigid"},
    "planets.support": {"kind": "rigid"},
}
PATH_STIFFNESS = 4 * math.cos(math.radians(24.6)) ** 2 * 5e8 / 2
"""κ: two equal meshes in series, each met at cos α, on both sides of the pin."""


def sharing_machine(count: int, sun: str) -> PlanetaryGearbox:
    changes = GUIDED | {"planets.count": count, "sun.support": {"kind": sun}}
    return flank.preset("planetary-lin-parker", changes)


def projector(count: int, sun: str) -> NDArray:
    """P of the closed form: what rotation, and a floating sun, cannot even out."""
    psi = 2 * np.pi * np.arange(count) / count
    free = [np.ones(count)] + ([np.cos(psi), np.sin(psi)] if sun == "floating" else [])
    basis = np.linalg.qr(np.array(free).T)[0]
    return np.eye(count) - basis @ basis.T


def sharing_cases() -> Iterator[Case]:
    """One pin off by 10 nm, so little that the geometry is linear."""
    error, torque = 1e-8, -1e-3
    settings = LoadSharingSettings(torque=torque, points=1, error_points=0)
    for sun, title in (("floating", "floating sun"), ("rigid", "guided centres")):
        for count in (3, 4, 5, 6):
            machine = sharing_machine(count, sun)
            off = machine.with_error("pin_tangential.1", error)
            even, uneven = (
                share_load(m, settings)["planet_load"].values[0] for m in (machine, off)
            )
            found = (uneven - even) / (PATH_STIFFNESS * error)
            # The sun pushes counter-clockwise: a planet ahead of its place carries less.
            worst = float(np.abs(found + projector(count, sun)[0]).max())
            name = f"{title}, {count} planets: loads of all pins for one pin error, over κ e"
            yield Case(name, "T/(N a) + κ P e", 0.0, worst, "", 1e-6)
            share = projector(count, sun)[0, 0]
            if share > 1e-9:
                name = f"{title}, {count} planets: load of the planet in error, over κ e"
                yield Case(name, "-P_11 of the closed form", -share, float(found[0]), "", 1e-6)
