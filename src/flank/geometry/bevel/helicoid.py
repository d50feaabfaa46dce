"""Involute helicoids, with taper or without, as members of a pair in space.

A rack tooth inclined by the taper angle Θ against the axis and by the helix angle β has on the side
σ = ±1 a plane flank with the normal

    n_t = σ cos α_n cos β,
    n_r = sin α_n cos Θ - σ cos α_n sin β sin Θ,
    n_z = -sin α_n sin Θ - σ cos α_n sin β cos Θ

along the pitch line, the radius and the axis. It generates an involute helicoid of the base radius
r cos α_t, tan α_t = n_r/|n_t|, whose azimuth grows along the axis by -n_z/(n_t r); at Θ = 0 it is
the flank of `Gear`, whose reference circle, shift and thickness hold in the middle of the face.

The middle of the face is at z = 0. Toe is the thinner end, z < 0, of a tapered gear. Rows of the
grid divide the roll length √(r² - r_b²) evenly, over which an involute is smooth down to its base.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from flank.arrays import Floats
from flank.errors import SpecError
from flank.geometry.bevel.cutting import RIGHT, FlankGrid
from flank.geometry.bevel.fillet import blended_fillets, fillet_below, with_normals
from flank.geometry.bevel.pair import BevelPair
from flank.geometry.bevel.section import AxialSection
from flank.geometry.bevel.tooth import (
    FILLET_POINTS,
    LENGTHWISE_POINTS,
    PROFILE_POINTS,
    BevelMember,
    ToothSide,
    assemble_tooth,
    check_counts,
)
from flank.geometry.gear import Gear, involute
from flank.geometry.mounting import Mounting
from flank.geometry.tooth_outline import form_radius, half_outline


@dataclass(frozen=True)
class Helicoid:
    """One side of a tooth: involute in every transverse plane, turning along the axis."""

    base_radius: float
    base_half_angle: float  # ψ_b at z = 0
    sigma: int  # sense about z in which it looks
    twist: float  # d(azimuth)/dz
    axial_normal: float  # n_z

    def flank(self, places: Floats) -> FlankGrid:
        """At (..., 2) places (z, radius)."""
        z, radius = places[..., 0], places[..., 1]
        angle = np.arccos(np.minimum(self.base_radius / radius, 1.0))
        half = self.base_half_angle - (np.tan(angle) - angle)
        azimuth = self.sigma * half + self.twist * z
        points = np.stack([radius * np.cos(azimuth), radius * np.sin(azimuth), z], axis=-1)
        towards = azimuth + self.sigma * (0.5 * math.pi - angle)
        across = math.sqrt(1 - self.axial_normal**2)
        axial = np.full_like(z, self.axial_normal)
        normals = np.stack([across * np.cos(towards), across * np.sin(towards), axial], axis=-1)
        return FlankGrid(points, normals)

    def grid(self, section: AxialSection, rows: int, columns: int) -> FlankGrid:
        u, v = np.linspace(-1, 1, columns), np.linspace(-1, 1, rows)[:, None]
        root, tip = (section.points(u, np.full(columns, end)) for end in (-1.0, 1.0))
        low, high = (np.sqrt(ends[:, 1] ** 2 - self.base_radius**2) for ends in (root, tip))
        low = np.linspace(low[0], low[-1], columns)  # which has no root that ends at the base
        roll = 0.5 * ((1 - v) * low + (1 + v) * high)
        radius = np.hypot(self.base_radius, roll)
        return self.flank(np.stack([np.broadcast_to(root[:, 0], roll.shape), radius], axis=-1))


def helicoid(gear: Gear, hand: int, taper: float, sigma: int) -> Helicoid:
    """The flank of a gear that looks about z in the sense sigma; a right-hand helix turns with it
    along z."""
    alpha, beta = gear.normal_pressure_angle, -hand * gear.helix_angle
    around = sigma * math.cos(alpha) * math.cos(beta)
    tilted = sigma * math.cos(alpha) * math.sin(beta)
    radial = math.sin(alpha) * math.cos(taper) - tilted * math.sin(taper)
    axial = -math.sin(alpha) * math.sin(taper) - tilted * math.cos(taper)
    pressure = math.atan2(radial, abs(around))
    if pressure <= 0:
        raise SpecError(
            f"A taper of {math.degrees(taper):.4g}° with a helix angle of "
            f"{math.degrees(gear.helix_angle):.4g}° leaves one side without a pressure angle; use "
            "less of either."
        )
    shift = gear.profile_shift * gear.normal_module * math.tan(pressure)
    thicker = (shift + 0.5 * gear.thickness_deviation) / gear.reference_radius
    half = 0.5 * math.pi / gear.teeth + thicker + involute(pressure)
    base = gear.reference_radius * math.cos(pressure)
    return Helicoid(base, half, sigma, -axial / (around * gear.reference_radius), axial)


def helicoid_member(
    gear: Gear,
    face_width: float,
    hand: int = RIGHT,
    taper: float = 0.0,
    rows: int = PROFILE_POINTS,
    columns: int = LENGTHWISE_POINTS,
    fillet_rows: int = FILLET_POINTS,
) -> BevelMember:
    """An external gear, straight, helical or beveloid, with its relief and crowning. `concave` is
    the side that is so on a bevel gear of that hand."""
    check_counts(rows, columns, fillet_rows)
    if gear.internal:
        raise SpecError("A ring cannot be a member of a pair in space; use an external gear.")
    sides = [helicoid(gear, hand, taper, sigma) for sigma in (-hand, hand)]
    section = helicoid_section(gear, face_width, hand, taper)
    grids = [_modified(gear, side.grid(section, rows, columns), columns) for side in sides]
    if taper:
        fillets = blended_fillets(grids[0], grids[1], section, gear.pitch_angle, fillet_rows)
    else:
        fillets = (
            _trochoid(gear, sides[0], fillet_rows, grids[0]),
            _trochoid(gear, sides[1], fillet_rows, grids[1]),
        )
    concave, convex = (ToothSide(grid, fillet) for grid, fillet in zip(grids, fillets, strict=True))
    place = np.array([0.0, gear.reference_radius])
    return assemble_tooth(gear.teeth, hand, concave, convex, place)


def helicoid_section(gear: Gear, face_width: float, hand: int, taper: float) -> AxialSection:
    """With straight lines between the outlines of both ends."""
    base = max(helicoid(gear, hand, taper, sigma).base_radius for sigma in (-1, 1))
    ends = np.array([-0.5, 0.5]) * face_width
    corners, bottom = np.zeros((2, 2, 2)), np.zeros((2, 2))
    for k, z in enumerate(ends):
        rise = z * math.tan(taper)
        there = replace(gear, profile_shift=gear.profile_shift + rise / gear.normal_module)
        try:
            form = form_radius(there)
        except ValueError as reason:
            end = "toe" if k == 0 else "heel"
            raise SpecError(
                f"At its {end} the gear has no flank: {reason}; use less taper or face width."
            ) from reason
        top = math.hypot(gear.base_radius, gear.edge_roll_length) + rise
        corners[:, k] = [(z, max(form, base * (1 + 1e-6))), (z, top)]
        bottom[k] = z, there.root_radius
    return AxialSection(corners, bottom)


def _modified(gear: Gear, flank: FlankGrid, columns: int) -> FlankGrid:
    """Less tip relief and crowning."""
    if gear.relief is None and not gear.crowning:
        return flank
    radius = np.hypot(flank.points[..., 0], flank.points[..., 1])
    relief = np.vectorize(lambda r: gear.relieved(gear.roll_length(float(r))))(radius)
    amount = relief + gear.crowning * np.linspace(-1, 1, columns) ** 2
    points = flank.points - amount[..., None] * flank.normals
    return with_normals(points, flank.normals[len(points) // 2, columns // 2])


def _trochoid(gear: Gear, side: Helicoid, rows: int, flank: FlankGrid) -> FlankGrid:
    """The fillet of the gear's outline in every transverse plane."""
    piece = half_outline(gear).fillet
    line = piece.point(np.linspace(piece.end, piece.start, rows))
    z = flank.points[0, :, 2]
    azimuth = side.sigma * np.angle(line)[:, None] + side.twist * z
    radius = np.abs(line)[:, None]
    parts = [radius * np.cos(azimuth), radius * np.sin(azimuth), np.broadcast_to(z, azimuth.shape)]
    return fillet_below(flank, np.stack(parts, axis=-1))


def parallel_pair(
    pinion: BevelMember, gear: BevelMember, centre_distance: float, **errors: float
) -> BevelPair:
    """On parallel axes, a tooth of the pinion in the middle of a space of the gear at the middle
    of the face when it points at the gear."""
    ratio = pinion.teeth / gear.teeth
    phase = 0.5 * math.pi * (1 + ratio) + math.pi / gear.teeth
    mounting = Mounting(0.0, centre_distance, **errors)
    return BevelPair(pinion, gear, mounting, math.remainder(phase, gear.pitch_angle))
