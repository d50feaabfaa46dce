"""The outline of a tooth in the transverse plane, from the middle of a space to that of a tip.

Half a tooth is five pieces in a row, smooth where they meet: root arc, fillet, involute flank,
rounding of the edge, tip arc. Points are complex numbers in the frame of the gear, whose x axis is
the middle of the tooth; the half with y >= 0 is given.
"""

import cmath
import math
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from flank.arrays import ComplexNumbers, Floats
from flank.geometry.gear import Gear
from flank.geometry.tooth_fillet import INVOLUTE, Piece, arc, rack_fillet, ring_fillet


class HalfOutline(NamedTuple):
    """The pieces of half a tooth in order, and the roll length where its flank begins."""

    root: Piece
    fillet: Piece
    flank: Piece
    edge: Piece
    tip: Piece
    form_roll: float
    undercut: bool


@lru_cache(maxsize=256)
def half_outline(gear: Gear) -> HalfOutline:
    """Half a tooth; ValueError where space or tooth runs to a point or no flank is left."""
    fillet, form_roll, undercut = ring_fillet(gear) if gear.internal else rack_fillet(gear)
    edge_roll = gear.edge_roll_length
    if form_roll >= edge_roll if gear.sign > 0 else form_roll <= edge_roll:
        raise ValueError(
            f"the fillet of the gear with {gear.teeth:.4g} teeth leaves no involute flank"
        )
    distance, angle = gear.edge_centre
    if angle <= 0:
        raise ValueError(
            f"the teeth of a gear with {gear.teeth:.4g} teeth run to a point below their tip circle"
        )
    sign = gear.sign
    centre = cmath.rect(distance, angle)
    leaves = gear.base_half_angle - sign * edge_roll / gear.base_radius + 0.5 * math.pi
    edge = arc(centre, gear.edge_radius, leaves, angle if sign > 0 else angle + math.pi)
    end_of_root = float(np.angle(fillet.point(np.array(fillet.start))))
    half_pitch = 0.5 * gear.pitch_angle
    root = arc(0.0, gear.root_radius, half_pitch, min(end_of_root, half_pitch))
    flank = Piece(
        INVOLUTE, form_roll, edge_roll, (gear.base_radius, gear.base_half_angle, float(sign))
    )
    tip = arc(0.0, gear.tip_radius, angle, 0.0)
    return HalfOutline(root, fillet, flank, edge, tip, form_roll, undercut)


def normal_section(gear: Gear) -> Gear:
    """The spur gear that a helical one is in its normal section; its teeth are no whole number."""
    if not gear.helix_angle:
        return gear
    growth = 1 / math.cos(gear.base_helix_angle) ** 2
    return replace(
        gear,
        teeth=gear.teeth * growth / math.cos(gear.helix_angle),  # type: ignore[arg-type]
        helix_angle=0.0,
        thickness_deviation=gear.thickness_deviation * math.cos(gear.helix_angle),
    )


def form_radius(gear: Gear) -> float:
    """Where the involute begins, seen from the root."""
    return math.hypot(gear.base_radius, half_outline(gear).form_roll)


def flank_start(gear: Gear) -> float:
    """Roll length below which a mate finds nothing to touch, of an external gear.

    Undercut takes flank away; a fillet leaves more than the flank would, down to the base circle.
    """
    outline = half_outline(gear)
    return outline.form_roll if outline.undercut else 0.0


def tooth_points(gear: Gear, points: int = 40) -> ComplexNumbers:
    """Complex points of half a tooth, `points` on each piece that has a length."""
    parts: list[ComplexNumbers] = []
    for piece in half_outline(gear)[:5]:
        if abs(piece.end - piece.start) * _scale(piece) < 1e-12 * gear.tip_radius:
            continue
        line = piece.point(piece.spread(points))
        parts.append(line[1:] if parts else line)
    return np.concatenate(parts)


def gear_outline(gear: Gear, points: int = 40) -> tuple[Floats, Floats]:
    """x and y of the whole gear's closed outline, counter-clockwise, for drawing."""
    half = tooth_points(gear, points)
    tooth = np.concatenate((half.conj(), half[-2::-1]))[:-1]  # space, lower flank, tip, upper flank
    turns = np.exp(1j * gear.pitch_angle * np.arange(gear.teeth))
    line = (turns[:, None] * tooth[None, :]).ravel()
    closed = np.append(line, line[0])
    return closed.real, closed.imag


def half_thickness(gear: Gear, heights: Floats) -> Floats:
    """y of the outline at the places x along the middle of the tooth, fillet included."""
    line = tooth_points(gear, 400)
    order = np.argsort(line.real)
    return np.interp(heights, line.real[order], line.imag[order])


def enclosed_area(gear: Gear) -> float:
    """Of the region inside the outline; for a ring the hole."""
    return _enclosed(gear, 0)


def enclosed_polar_moment(gear: Gear) -> float:
    """∫r² dA of the region inside the outline; its centroid is the axis."""
    return _enclosed(gear, 2)


def _enclosed(gear: Gear, power: int) -> float:
    """∫r^power dA = Σ∮ r^power (x dy - y dx)/(power + 2), the spokes adding nothing."""
    nodes, weights = np.polynomial.legendre.leggauss(24)
    total = 0.0
    for piece in half_outline(gear)[:5]:
        half = 0.5 * (piece.end - piece.start)
        t = piece.start + half * (nodes + 1)
        z = piece.point(t)
        total += half * np.sum(weights * np.abs(z) ** power * (z.conj() * piece.slope(t)).imag)
    return -2 * gear.teeth * float(total) / (power + 2)  # pieces run clockwise


def _scale(piece: Piece) -> float:
    """Length per parameter, roughly."""
    return float(np.max(np.abs(piece.slope(piece.spread(5)))))
