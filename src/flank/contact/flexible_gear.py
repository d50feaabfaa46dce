"""A gear whose body vibrates: modes with mass beside the compliance that teeth have without it.

Modes are those of a held centre (elasticity/finite_elements/flank_modes.py), two real coordinates
q_1, q_2 to a pair with n waves around the gear. What an engine turns are the coordinates

    z = q + p·(x, y, θ),

q with what the mode's mass takes of the motion of the centre: for n = 0 of its turning, for n = 1
of its shifting, for others nothing. The kinetic energy is then ½ Σ ż² beside that of the gear with
Σ p² taken off its mass and inertia: each mode is a mass on a spring at the centre, and Bessel's
inequality keeps what is left positive. With n = 1 the coordinates are of space, where a pair of
equal springs does not know whether it turns; the others turn with the gear.

A mesh at the direction ψ, seen from a tooth of the gear, is pressed by a mode as if all its points
approached by

    Ψ q,   Ψ = Re(a e^{inψ}) and Im(a e^{inψ}),   a = Σ_i F_i a_i e^{in(φ_i - ψ)} / Σ_i F_i,

a_i the amplitude at the point i of a tooth that stands at φ_i, F_i what it carries at a load that
is named, and the mean over a base pitch. To first order in what the points differ by, the energy of
the mesh is that of this mean. The static share of all modes of both gears,

    c = Σ |a|²/ω²,

is taken off between all points alike. Whatever a load does, the approach under it then is that of
the same mesh without modes, c F of it theirs.
"""

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from flank.arrays import ComplexNumbers, Floats, Integers
from flank.contact.gear_loading import GearLoading, elastic_modes
from flank.contact.load_distribution import SOLVED, distribute_total, load_work
from flank.elasticity.material import Material
from flank.geometry.gear import Gear

if TYPE_CHECKING:
    from flank.elasticity.finite_elements.flank_modes import FlankModes
    from flank.elasticity.finite_elements.sector_mesh import GearBody

ROW = 3
"""Coordinates of a row of the engine, so modes come in threes."""

EACH = 4
"""Modes of each number of waves that are looked at."""

POSITIONS = 64
"""Of a base pitch, at which the amplitudes of a mesh are taken."""

STILL = 1e-6
"""Of the largest give |a|²/ω²: a mode below it does not move flanks."""


@dataclass(frozen=True, eq=False)
class GearModes:
    """Modes of one gear as real coordinates: the mode of each, and whether its second part."""

    modes: "FlankModes"
    number: Integers
    imaginary: Integers
    damping_ratio: float

    @property
    def harmonic(self) -> Integers:
        return np.asarray(self.modes.harmonic[self.number])

    @property
    def frequency(self) -> Floats:
        """ω in rad/s."""
        return np.asarray(2 * math.pi * self.modes.frequency[self.number])

    @cached_property
    def coupling(self) -> Floats:
        """p (coordinate, 3) with the centre's x, y and θ."""
        lateral, turning = self.modes.participation[self.number].T
        lateral = np.where(self.harmonic == 1, lateral, 0.0)
        turning = np.where(self.harmonic == 0, turning.real, 0.0)
        second = self.imaginary > 0
        along_x = np.where(second, -lateral.imag, lateral.real)
        along_y = np.where(second, lateral.real, lateral.imag)
        return np.column_stack((along_x, along_y, turning))

    def at_rest(self, pose: ArrayLike) -> Floats:
        """z (row, 3) of the undeformed body where its centre is at (x, y, θ)."""
        return np.asarray(self.coupling @ np.asarray(pose, dtype=float)).reshape(-1, ROW)

    def mass_of(self, share: float) -> tuple[float, float]:
        """Mass and moment of inertia of `share` times the width of the elements."""
        return share * self.modes.mass, share * self.modes.polar_inertia

    @property
    def size(self) -> Floats:
        """How far a unit of each coordinate moves flanks, at most."""
        return np.asarray(np.abs(self.modes.amplitude).max(axis=1)[self.number])


@dataclass(frozen=True, eq=False)
class MeshShapes:
    """How a mesh sees the modes of one of its gears: a by coordinate where flank +1 carries and
    where flank -1 does, ψ counted from a tooth."""

    gear: GearModes
    forward: ComplexNumbers
    backward: ComplexNumbers

    @property
    def static_share(self) -> float:
        """c in m/N; a pair has it once, its two coordinates in turn as the gear turns."""
        waves = np.where(self.gear.harmonic > 0, 0.5, 1.0)
        return float(np.sum(waves * np.abs(self.forward) ** 2 / self.gear.frequency**2))

    def table(self, tooth_angle: float, towards_mesh: float) -> Floats:
        """Rows for kernels: n, |a|, the phases of both flanks, p. A tooth stands at `tooth_angle`
        on the body; the mesh is seen `towards_mesh` from the direction that the engine knows."""
        harmonic = self.gear.harmonic
        turned = towards_mesh - np.where(harmonic == 1, 0.0, tooth_angle)
        phases = [
            np.angle(shape) + harmonic * turned - 0.5 * math.pi * self.gear.imaginary
            for shape in (self.forward, self.backward)
        ]
        columns = (harmonic, np.abs(self.forward), *phases, self.gear.coupling)
        return np.column_stack(columns)


def lowest_modes(
    modes: "FlankModes", amplitude: ComplexNumbers, most: int
) -> tuple[Integers, Integers]:
    """The lowest `most` coordinates that move flanks by an amplitude (mode, point), by mode and
    part; pairs are not parted."""
    give = np.abs(amplitude).max(axis=1) ** 2 / modes.frequency**2
    numbers: list[int] = []
    parts: list[int] = []
    for number in np.argsort(modes.frequency, kind="stable"):
        twice = bool(0 < 2 * modes.harmonic[number] < modes.teeth)
        if give[number] >= STILL * give.max() and len(numbers) + 1 + twice <= most:
            numbers += [int(number)] * (1 + twice)
            parts += [0, 1][: 1 + twice]
    return np.array(numbers, dtype=np.int64), np.array(parts, dtype=np.int64)


@lru_cache(maxsize=16)
def gear_modes(
    gear: Gear, material: Material, body: "GearBody | None", face_width: float, strips: int,
    count: int, damping_ratio: float, support: float | None = None,
) -> GearModes:  # fmt: skip
    """The lowest modes of a gear that move its teeth in the mean across the face, as a mesh in a
    plane feels them: `count` made full to threes, or fewer where it has no more."""
    waves = min(max(EACH, count // ROW), (gear.teeth - 1) // 2)
    held = elastic_modes(gear, material, body, face_width, strips, waves, EACH, support)
    mean = held.amplitude.reshape(-1, len(held.roll), len(held.face)).mean(axis=2)
    number, imaginary = lowest_modes(held, mean, ROW * -(-count // ROW))
    return GearModes(held, number, imaginary, damping_ratio)


def mesh_shapes(loading: GearLoading, second: bool, gear: GearModes, load: float) -> MeshShapes:
    """How a mesh that carries `load` in N sees the modes of its first or its second gear."""
    places = loading.pair.base_pitch * np.arange(POSITIONS) / POSITIONS
    shape = amplitudes(loading, second, gear, load, places).mean(axis=0)[gear.number]
    turned = gear.modes.mirror[gear.number] * shape.conj()
    internal = second and loading.pair.sign < 0  # a ring is touched on its other flank
    return MeshShapes(gear, turned, shape) if internal else MeshShapes(gear, shape, turned)


def amplitudes(
    loading: GearLoading, second: bool, gear: GearModes, load: float, positions: Floats
) -> ComplexNumbers:
    """a (position, mode) of all modes, of the flank that the elements know."""
    rows = [_amplitude(loading, second, gear.modes, load, float(at)) for at in positions]
    return np.array(rows)


def _amplitude(
    loading: GearLoading, second: bool, modes: "FlankModes", load: float, position: float
) -> ComplexNumbers:
    """a of all modes at one position. Roll lengths say where teeth stand to the mesh: see
    dynamics/mesh.py for an external gear; a tooth of a ring lies half its angle on the other side
    of its flank, and all is turned over."""
    from scipy.interpolate import CubicSpline

    pair, face = loading.pair, -loading.face if second else loading.face
    numbers, points = loading.system(position)
    work = load_work(len(points.gap))
    status, *_ = distribute_total(points, len(points.gap), load, math.nan, work)
    if status != SOLVED:
        raise ValueError(f"no load distribution was found for {load:.4g} N")
    shares = work.force.reshape(len(numbers), -1) / load
    rolls = np.clip(loading.rolls(position, numbers), *pair.path)
    middle = pair.path[0] + position - pair.base_pitch * numbers.astype(np.float64)
    wheel = pair.second if second else pair.first
    if second:
        rolls, middle = pair.second_roll(rolls), np.asarray(pair.second_roll(middle))
    across = modes.amplitude.reshape(-1, len(modes.roll), len(modes.face))
    weights = np.array([np.interp(face, modes.face, row) for row in np.eye(len(modes.face))])
    spline = CubicSpline(modes.roll, across @ weights, axis=1)
    ahead = middle / wheel.base_radius - wheel.sign * wheel.base_half_angle - pair.working_angle
    total = np.zeros(len(modes.frequency), dtype=complex)
    for tooth, (share, roll, angle) in enumerate(zip(shares, rolls, ahead, strict=True)):
        if not shares[tooth].any():
            continue
        at = spline(np.clip(roll, modes.roll[0], modes.roll[-1]))
        moved = np.einsum("mqq,q->m", at, share)
        total += moved * np.exp(1j * wheel.sign * modes.harmonic * angle)
    return np.asarray(-total / math.cos(pair.first.base_helix_angle), dtype=complex)
