"""A loaded mesh over its cycle: transmission error, its parts, stiffness, sharing, contact ratio.

The static transmission error δ is the approach of the gears along the line of action from where
perfect involutes would touch. With F the sum of all point forces F_i,

    δ = Σ F_i [(C F)_i + w_i + g_i]/F,

the part of teeth and bodies, that of contacts, and that of the flanks' shapes; every point in
contact has the same sum, so the split is exact. The contact part gives the stiffness k_c = F/δ_c
that a model needs whose teeth are elastic by themselves.
"""

from dataclasses import dataclass

import numpy as np

from flank.arrays import Floats, Integers
from flank.contact.gear_loading import GearLoading
from flank.contact.load_distribution import SOLVED, LoadPoints, distribute_total, load_work


@dataclass(frozen=True, eq=False)
class LoadedMesh:
    """Arrays over torque on the first gear, then position; see the module for the parts.

    `pairs` numbers the pairs of teeth of each position, -1 past the last; forces are those of all
    points across the face. Stiffness is the slope of the force over the approach.
    """

    torque: Floats  # N·m
    positions: Floats  # m along the line of action, a base pitch a cycle
    face: Floats  # m, of the points
    pairs: Integers  # (position, pair)
    forces: Floats  # (torque, position, pair, point) in N
    gaps: Floats  # (position, pair, point) in m; infinite where there is no pair
    transmission_error: Floats  # m
    contact_part: Floats  # m
    body_part: Floats  # m
    tangent_stiffness: Floats  # N/m

    @property
    def total(self) -> Floats:
        """Force along the line of action (torque, position)."""
        total: Floats = self.forces.sum(axis=(2, 3))
        return total

    @property
    def shape_part(self) -> Floats:
        """What the flanks' shapes leave of the transmission error."""
        return self.transmission_error - self.contact_part - self.body_part

    @property
    def stiffness(self) -> Floats:
        """Force over approach from first touch."""
        touch = self.gaps.min(axis=(1, 2))
        secant: Floats = self.total / (self.transmission_error - touch)
        return secant

    @property
    def contact_stiffness(self) -> Floats:
        """k_c(torque, position): force over the contact part of the transmission error."""
        return self.total / self.contact_part

    @property
    def sharing(self) -> Floats:
        """Share of each pair (torque, position, pair)."""
        shares: Floats = self.forces.sum(axis=3) / self.total[:, :, None]
        return shares

    @property
    def face_factor(self) -> Floats:
        """Largest load per width over the mean of the pair that carries it (torque, position)."""
        carried = self.forces.sum(axis=3)
        highest = self.forces.max(axis=3)
        pair = highest.argmax(axis=2)[:, :, None]
        mean = np.take_along_axis(carried, pair, axis=2) / len(self.face)
        factor: Floats = (np.take_along_axis(highest, pair, axis=2) / mean)[:, :, 0]
        return factor

    @property
    def effective_contact_ratio(self) -> Floats:
        """Pairs that carry load, in the mean over the positions, by torque."""
        ratio: Floats = (self.forces.max(axis=3) > 0).sum(axis=2).mean(axis=1)
        return ratio


def harmonics(values: Floats, count: int = 4) -> Floats:
    """Mean and amplitudes of the first harmonics of what is sampled evenly over one cycle."""
    spectrum = np.abs(np.fft.rfft(values, axis=-1))[..., : count + 1] / values.shape[-1]
    spectrum[..., 1:] *= 2
    return np.asarray(spectrum)


def loaded_mesh(
    loading: GearLoading, torques: Floats, positions: int = 64, cycles: int = 1
) -> LoadedMesh:
    """The mesh at even positions of some cycles under torques on the first gear, in N·m.

    More than one cycle is for teeth that differ.
    """
    torques = np.atleast_1d(np.asarray(torques, dtype=float))
    if not np.all(torques > 0):
        raise ValueError(
            f"a torque of {torques.min():.4g} N·m is given; teeth share a load that presses them, "
            "so give positive torques"
        )
    loads = torques / loading.pair.first.base_radius
    steps = np.arange(positions * cycles) + 0.5
    places = loading.pair.base_pitch * steps / positions
    systems = [loading.system(float(place)) for place in places]
    most, width = max(len(numbers) for numbers, _ in systems), len(loading.face)
    pairs = np.full((len(places), most), -1)
    gaps = np.full((len(places), most, width), np.inf)
    forces = np.zeros((len(loads), len(places), most, width))
    answers = np.empty((4, len(loads), len(places)))
    for n, (numbers, points) in enumerate(systems):
        pairs[n, : len(numbers)] = numbers
        gaps[n, : len(numbers)] = points.gap.reshape(-1, width)
        carried = _share(points, loads, answers[:, :, n])
        forces[:, n, : len(numbers)] = carried.reshape(len(loads), -1, width)
    return LoadedMesh(torques, places, loading.face, pairs, forces, gaps, *answers)


def _share(points: LoadPoints, loads: Floats, answers: Floats) -> Floats:
    """Forces under each load; approach, contact part, body part and stiffness into `answers`."""
    count = len(points.gap)
    work = load_work(count)
    approach, forces = np.nan, np.empty((len(loads), count))
    for k in np.argsort(loads):
        load = float(loads[k])
        status, approach, slope, _ = distribute_total(points, count, load, approach, work)
        if status != SOLVED:
            raise ValueError(
                f"no load distribution was found for {load:.4g} N; check the influence numbers, "
                "which must be symmetric without negative directions"
            )
        forces[k] = work.force
        contact = work.force @ np.maximum(work.depth, 0.0) / load
        body = work.force @ points.compliance @ work.force / load
        answers[:, k] = approach, contact, body, slope
    return forces
