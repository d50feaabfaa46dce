"""Modes of a gear with its mass, as its flanks and its centre node see them.

On tooth t the mode of harmonic n moves a point of the flank grid by Re(a e^{2πi n t/z}), a its
complex amplitude, and where 0 < n < z/2 there is a second mode of the same frequency that moves it
by the imaginary part. Modal masses are one. While centre coordinates are held, a moving centre node
drives the modes by its acceleration: `participation` p is the mass that couples both,

    q̈_1 + ω² q_1 = Re a · forces - Re(p τ̈),    q̈_2 + ω² q_2 = Im a · forces + Im(p τ̈),

τ the axial motion or the rotation if n = 0, x - iy of the lateral motion or the tilt if n = 1, and
the second mode that of a pair. Where a coordinate is free its rigid motion is left out of the
modes: it is the machine's, with the mass or inertia given here, and elastic modes do not couple
with it.

Turned over about the middle of a tooth a gear is the same gear, so on the other flank a mode has
the amplitude c a*, where a is that of the first flank at the height -z, and c a phase of the mode.

In a gear that turns with Ω, counter-clockwise, a frame that turns along has u = Re(Q U) in

    ½ ∫ρ |u̇ + Ω e_z x (r + u)|² dV,    Q = q_1 - i q_2.

To first order in Ω that is Coriolis' force, which couples both modes of a pair,

    q̈_1 = ... + Ω s q̇_2,   q̈_2 = ... - Ω s q̇_1,   s = 2 ∫ρ Im(U_t U_r*) dV,

so waves that run with the gear and against it part by Ω s. To second order ω² grows by Ω² times
`spin`: what the stress of the turning gear stiffens less what the centrifugal force of the motion
itself softens, ∫∇u : σ ∇u dV - ∫ρ (u_r² + u_t²) dV, σ the stress of ρ r at unit speed with a held
bore. Couplings of different modes, of second order too, are left out.
"""

import functools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from flank.arrays import AnyArray, ComplexNumbers, Floats, Integers
from flank.blas import one_blas_thread
from flank.elasticity.finite_elements.cyclic import (
    HELD,
    Centre,
    CyclicGear,
    Pair,
    cyclic_gear,
    harmonic_matrix,
    harmonic_modes,
    harmonic_motions,
    spin_stiffness,
)
from flank.elasticity.finite_elements.influence import (
    DENSITY,
    GRID,
    FlankGrid,
    check_grid,
    check_support,
    flank_forces,
    other_flank_forces,
    strip_middles,
)
from flank.elasticity.finite_elements.sector_mesh import (
    GearBody,
    MeshDensity,
    check_sector,
    sector_mesh,
)
from flank.elasticity.finite_elements.store import stored, told
from flank.elasticity.material import Material
from flank.geometry.gear import Gear

FREE = Centre(axial=True, rotation=True, lateral=True, tilt=True)


@dataclass(frozen=True, eq=False)
class FlankModes:
    """Elastic modes (m,) in order of harmonic and frequency, and the inertia of the rigid gear.

    `amplitude` (m, P Q) is along the inward normal of tooth 0 at the points of `FlankInfluence`,
    `other_amplitude` the same on its other flank, y < 0, at the same rolls and heights;
    `centre` (m, 2) the motion of free centre coordinates, axial and rotation if n = 0, lateral and
    tilt (as x - iy) if n = 1; `participation` (m, 2) the coupling with them, zero where free.
    """

    harmonic: Integers
    frequency: Floats
    amplitude: ComplexNumbers
    other_amplitude: ComplexNumbers
    centre: ComplexNumbers
    participation: ComplexNumbers
    gyroscopic: Floats  # (m,) s
    spin: Floats  # (m,)
    roll: Floats
    face: Floats
    mass: float
    polar_inertia: float
    transverse_inertia: float
    lever: float
    teeth: int

    @property
    def mirror(self) -> ComplexNumbers:
        """c (m,): a phase, so any points tell it; those that move most count most."""
        shape = len(self.harmonic), len(self.roll), len(self.face)
        opposite = self.other_amplitude.reshape(shape)[:, :, ::-1]
        turned = np.sum(opposite * self.amplitude.reshape(shape), axis=(1, 2))
        return np.asarray(turned / np.maximum(np.abs(turned), 1e-300))

    def on_tooth(self, tooth: int) -> ComplexNumbers:
        """Amplitudes (m, P Q) on another tooth."""
        turns = np.exp(2j * np.pi * self.harmonic * tooth / self.teeth)
        return np.asarray(self.amplitude * turns[:, None])


def flank_modes(
    gear: Gear,
    body: GearBody,
    material: Material,
    harmonics: int,
    count: int,
    centre: Centre = HELD,
    grid: FlankGrid = GRID,
    density: MeshDensity = DENSITY,
    support: float | None = None,
) -> FlankModes:
    """The `count` lowest elastic modes of each of the harmonics 0 to `harmonics`."""
    check_sector(gear, body, density)
    check_grid(gear, grid, density)
    check_support(support)
    if not 0 <= harmonics <= gear.teeth // 2:
        raise ValueError(
            f"a gear of {gear.teeth} teeth has harmonics 0 to {gear.teeth // 2}, not {harmonics}"
        )
    if count < 1:
        raise ValueError(f"at least one mode of each harmonic is needed, not {count}")
    inputs = (gear, body, material, harmonics, count, centre, grid, density, support)
    compute = functools.partial(_mode_arrays, *inputs)
    arrays: dict[str, Any] = dict(stored("modes", inputs, compute))
    numbers = {name: arrays[name].item() for name in arrays if not arrays[name].ndim}
    return FlankModes(**(arrays | numbers))


def _mode_arrays(
    gear: Gear,
    body: GearBody,
    material: Material,
    harmonics: int,
    count: int,
    centre: Centre,
    grid: FlankGrid,
    density: MeshDensity,
    support: float | None,
) -> dict[str, AnyArray]:
    mesh = sector_mesh(gear, body, density)
    rolls = np.linspace(mesh.roll_knots[0], mesh.roll_knots[-1], grid.profile)
    with one_blas_thread():
        sector = cyclic_gear(mesh, material, support)
        forces = flank_forces(gear, mesh, rolls, grid.face)
        other = other_flank_forces(mesh, forces, grid.face)
        points, other_points = sector.loads(forces), sector.loads(other)
        prestress = spin_stiffness(sector, mesh, material)
        modes = [
            _elastic_modes(sector, n, count, centre, points, other_points, prestress)
            for n in told(range(harmonics + 1))
        ]
        masses = [_rigid_masses(sector, n) for n in (0, 1)]
    joined = {name: np.concatenate([part[name] for part in modes]) for name in modes[0]}
    return joined | {
        "harmonic": np.repeat(np.arange(harmonics + 1), count),
        "roll": rolls,
        "face": strip_middles(mesh, grid.face),
        "mass": np.array(masses[0][0]),
        "polar_inertia": np.array(masses[0][1]),
        "transverse_inertia": np.array(masses[1][1]),
        "lever": np.array(gear.base_radius * math.cos(gear.base_helix_angle)),
        "teeth": np.array(gear.teeth),
    }


def _elastic_modes(
    sector: CyclicGear,
    harmonic: int,
    count: int,
    centre: Centre,
    points: Floats,
    other_points: Floats,
    prestress: Pair,
) -> dict[str, AnyArray]:
    """Of one harmonic, rigid motions that are free left out."""
    free = _coordinates(harmonic, centre)
    rigid = int(np.sum(free))
    found = harmonic_modes(sector, harmonic, count + rigid, centre)
    shapes = found.shapes[:, rigid:]
    moved = np.zeros((2, count), dtype=complex)
    coupling = np.zeros((2, count), dtype=complex)
    if harmonic <= 1:
        moved[free] = found.centre[:, rigid:]
        coupling = _coupling(sector, harmonic, shapes)
        coupling[free] = 0.0  # by orthogonality
    return {
        "frequency": found.frequencies[rigid:],
        "amplitude": (points.T @ shapes).T,
        "other_amplitude": (other_points.T @ shapes).T,
        "centre": moved.T,
        "participation": coupling.T,
        **turning_frame(sector, harmonic, shapes, prestress),
    }


def turning_frame(
    sector: CyclicGear, harmonic: int, shapes: AnyArray, prestress: Pair
) -> dict[str, AnyArray]:
    """What Coriolis' force couples, and what the square of the speed adds to ω²."""
    mass = harmonic_matrix(sector.mass, sector.teeth, harmonic)
    stiffening = harmonic_matrix(prestress, sector.teeth, harmonic)
    parts = shapes.reshape(-1, 3, shapes.shape[1])
    turned = np.stack((-parts[:, 1], parts[:, 0], np.zeros_like(parts[:, 2])), axis=1)
    plane = parts * np.array([1.0, 1.0, 0.0])[:, None]
    turned, plane = (each.reshape(shapes.shape) for each in (turned, plane))
    alone = 2 * harmonic % sector.teeth == 0
    share = sector.teeth if alone else 0.5 * sector.teeth
    coupled = np.sum(shapes.conj() * (mass @ turned), axis=0).imag
    spin = np.sum(shapes.conj() * (stiffening @ shapes - mass @ plane), axis=0).real
    return {"gyroscopic": -2 * share * coupled * (not alone), "spin": share * spin}


def _coordinates(harmonic: int, centre: Centre) -> AnyArray:
    """Which of the two centre coordinates of a harmonic are free."""
    pairs = {0: (centre.axial, centre.rotation), 1: (centre.lateral, centre.tilt)}
    return np.array(pairs.get(harmonic, (False, False)))


def _coupling(sector: CyclicGear, harmonic: int, shapes: AnyArray) -> AnyArray:
    """Σ shape* M (rigid motion) over the gear, for both centre coordinates of a harmonic."""
    motions = harmonic_motions(sector.positions, harmonic, FREE)
    mass = harmonic_matrix(sector.mass, sector.teeth, harmonic)
    share = sector.teeth if harmonic == 0 else 0.5 * sector.teeth
    return np.asarray(share * (motions.T @ (mass.T @ shapes.conj())))


def _rigid_masses(sector: CyclicGear, harmonic: int) -> Floats:
    """Mass and inertia of the two rigid motions of a harmonic."""
    motions = harmonic_motions(sector.positions, harmonic, FREE)
    return np.asarray(np.diag(_coupling(sector, harmonic, motions)).real)
