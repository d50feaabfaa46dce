"""A round pin between its ends, held in plates, seen from stations along it and from the plates.

Timoshenko beams between stations and ends; an end that is held is clamped in its plate, or presses
on it as a rigid round stamp of the pin's radius a on a half space of shear modulus G (horizontal
force: Bycroft 1956; moment: Borowicka 1943; the coupling of both is left out):

    u/F = (2 - ν)/(8 G a),        φ/M = 3 (1 - ν)/(8 G a³).

A torque T between two circles of a plate of the width b turns them by T |1/r₁² - 1/r₂²|/(4 π G b).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flank.arrays import Floats
from flank.elasticity.material import Material
from flank.elasticity.shaft import Segment, beam_stiffness, condensed


@dataclass(frozen=True)
class Root:
    """What gives way where a pin is held: m/N and rad/(N·m); zero is clamped."""

    shift: float = 0.0
    tilt: float = 0.0


CLAMPED = Root()


def stamp_root(radius: float, plate: Material) -> Root:
    """Of a pin whose end presses on a thick plate."""
    shear, poisson = plate.shear_modulus, plate.poisson_ratio
    return Root((2 - poisson) / (8 * shear * radius), 3 * (1 - poisson) / (8 * shear * radius**3))


def pin_stiffness(
    length: float,
    radius: float,
    stations: Sequence[float],
    material: Material,
    roots: tuple[Root | None, Root | None],
) -> Floats:
    """N/m between what holds the pin and the stations, which stand at rising distances from its
    first end: the first plate, the stations, the second plate. An end without a root is free, and
    has no plate."""
    places = [0.0, *stations, length]
    count = len(places)
    size = 2 * count + 2  # (w, φ) of every place, then both plates
    stiffness = np.zeros((size, size))
    for k in range(count - 1):
        rows = slice(2 * k, 2 * k + 4)
        piece = Segment(places[k + 1] - places[k], radius)
        stiffness[rows, rows] += beam_stiffness(piece.length, piece, material)
    plates, joined = [2 * count, 2 * count + 1], np.eye(size)
    dropped = []
    for end, root, plate in zip((0, count - 1), roots, plates, strict=True):
        shift, tilt = 2 * end, 2 * end + 1
        if root is None:
            dropped.append(plate)
            continue
        if root.tilt:
            stiffness[tilt, tilt] += 1 / root.tilt
        else:
            dropped.append(tilt)
        if root.shift:
            pair = np.ix_((shift, plate), (shift, plate))
            stiffness[pair] += np.array([[1, -1], [-1, 1]]) / root.shift
        else:
            joined[shift, shift], joined[shift, plate] = 0.0, 1.0
            dropped.append(shift)
    stiffness = joined.T @ stiffness @ joined
    kept = [plates[0], *(2 * k for k in range(1, count - 1)), plates[1]]
    left = np.setdiff1d(np.arange(size), dropped)
    numbers = [int(np.flatnonzero(left == k)[0]) for k in kept if k in left]
    return condensed(stiffness[np.ix_(left, left)], numbers)


def plate_twist(inside: float, outside: float, width: float, material: Material) -> float:
    """rad/(N·m) between two circles of a flat plate."""
    span = abs(1 / inside**2 - 1 / outside**2)
    return span / (4 * math.pi * material.shear_modulus * width)


def tube_twist(inside: float, outside: float, length: float, material: Material) -> float:
    """rad/(N·m) of a round tube or shaft."""
    return 2 * length / (math.pi * (outside**4 - inside**4) * material.shear_modulus)
