"""How parts are made, as far as a design depends on it: how exactly, of what, and what they bear.

    process    half of what parts deviate   material   contact pressure
    ground     5 µm                         100Cr6     1500 MPa
    machined   20 µm                        16MnCr5    1500 MPa, case-hardened and not ground
    printed    125 µm                       PA66-dry   25 MPa

Pressures: the endurance limit of case-hardened gears of usual quality, ISO 6336-5 (MQ, 1500 MPa);
polymers by what design guides of plain polymer gears allow for PA66 without oil. Deviations: a
ground or honed bore and a position that a jig grinder holds; a machining centre; half of what
printers with a filament hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Process:
    """Half of what parts deviate in m, the material of toothed parts, and the pressure in Pa."""

    title: str
    tolerance: float
    material: str
    pressure: float
    step: float  # m: to which dimensions are rounded
    wall: float  # m: the thinnest that is made


PROCESSES: Mapping[str, Process] = {
    "ground": Process("hardened and ground", 5e-6, "100Cr6", 1500e6, 0.1e-3, 1.5e-3),
    "machined": Process("machined and case-hardened", 20e-6, "16MnCr5", 1500e6, 0.1e-3, 2e-3),
    "printed": Process("printed with a filament", 125e-6, "PA66-dry", 25e6, 0.1e-3, 2e-3),
}
