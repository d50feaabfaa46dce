"""What single teeth carry: the force of a mesh, told apart by the teeth of its first gear.

The pair of teeth number n is touched at the roll length ρ + s n p_b on the flank s. In the mesh
model `table` all pairs give way by the same depth, d + c F = δ with F = Σ k_i ⟨d - e_i⟩; damping
acts on the mesh and is shared as the elastic force is. In the model `contact` every contact knows
its pair. In `fe` the load distribution behind the map is solved for once more at every record.
"""

from typing import Any

import numpy as np

from flank.arrays import Floats, Integers
from flank.contact.gear_loading import GearLoading
from flank.contact.load_distribution import distribute, load_work
from flank.dynamics.model import Model
from flank.dynamics.reading import GAP, spring_mesh_approaches, spring_mesh_parts
from flank.dynamics.trajectory import Trajectory
from flank.machines.base import Assembly
from flank.machines.mesh_forces import FLANKS, mesh_forces

ITERATIONS = 16
"""Pairs that one flank has in contact at most leave one by one as bodies give way."""


def tooth_forces(
    assembly: Assembly, trajectory: Trajectory, mesh: int
) -> tuple[Integers, Floats] | None:
    """Numbers of the first gear's teeth, and forces (time, tooth) on the flank that carries more.

    None of a mesh that knows no single teeth.
    """
    place = assembly.meshes[mesh]
    carried = mesh_forces(assembly, trajectory)[:, mesh]
    flank = int(np.argmax(carried.sum(axis=0)))
    model, half = assembly.planar, len(place.contacts) // 2
    if place.contacts:
        numbers = place.contacts[half * flank : half * (flank + 1)]
        parts = [_of_contact(model, number, trajectory) for number in numbers]
    elif place.loading is not None:
        parts = [_of_loading(place.loading, model, place.springs[0], FLANKS[flank], trajectory)]
    elif place.springs and all(model.springs[number]["pair"] >= 0 for number in place.springs):
        parts = [_of_table(model, number, FLANKS[flank], trajectory) for number in place.springs]
    else:
        return None
    teeth, forces = _gathered(parts)
    elastic = forces.sum(axis=1)
    share = np.divide(carried[:, flank], elastic, out=np.zeros_like(elastic), where=elastic > 0)
    return teeth, forces * share[:, None]


Part = tuple[Integers, Floats]
"""Numbers of teeth (time, pair), and what they carry."""


def _gathered(parts: list[Part]) -> Part:
    """Teeth in rising order, those that never carry anything left out."""
    carrying = [np.unique(numbers[forces > 0]) for numbers, forces in parts]
    teeth = np.unique(np.concatenate(carrying))
    total = np.zeros((len(parts[0][0]), len(teeth)))
    for numbers, forces in parts:
        for k, tooth in enumerate(teeth):
            total[:, k] += np.where(numbers == tooth, forces, 0.0).sum(axis=1)
    return teeth, total


def _roll(pair: Any, bodies: tuple[int, int], side: int, ahead: float, position: Floats) -> Floats:
    """Roll length at which tooth 0 of the first gear is touched, of a slice so far ahead."""
    first, second = bodies
    centres = []
    for body, name in ((first, "a"), (second, "b")):
        turn = position[:, body, 2]
        x, y = float(pair[f"{name}_centre_x"]), float(pair[f"{name}_centre_y"])
        arm = np.cos(turn) * x - np.sin(turn) * y, np.sin(turn) * x + np.cos(turn) * y
        centres.append(position[:, body, :2] + np.stack(arm, axis=1))
    line = pair["sign"] * (centres[1] - centres[0])
    base = pair["a_base_radius"] + pair["sign"] * pair["b_base_radius"]
    angle = np.arccos(np.abs(base) / np.hypot(*line.T))
    direction = np.unwrap(np.arctan2(line[:, 1], line[:, 0]))
    tooth = position[:, first, 2] + pair["a_tooth_angle"] - direction
    roll = pair["a_base_radius"] * (side * tooth + pair["a_half_angle"] + angle)
    return np.asarray(roll + side * ahead)


def _of_table(model: Model, number: int, side: int, trajectory: Trajectory) -> Part:
    """Of one spring, a slice across the face."""
    row = model.springs[number]
    pair = model.gears.rows[row["pair"]]
    bodies = int(row["body_a"]), int(row["body_b"])
    roll = _roll(pair, bodies, side, float(row["roll_offset"]), trajectory.position)
    count, pitch = int(pair["pair_count"]), float(pair["base_pitch"])
    rolls = pair["pair_start"] + pair["pair_step"] * np.arange(count)
    most = int((rolls[-1] - rolls[0]) / pitch) + 1
    numbers = np.ceil((rolls[0] - roll) / pitch)[:, None] + np.arange(most)
    places = roll[:, None] + numbers * pitch
    tables = model.gears.data[pair["pair_table"] :][: 2 * count].reshape(2, count)
    stiffness = row["stiffness"] * np.interp(places, rolls, tables[0], right=0.0)
    apart = np.interp(places, rolls, tables[1])
    reach = spring_mesh_approaches(model, np.array([number]), trajectory.position)[:, :1]
    forces = _shared(
        reach - row["separation"], pair["pair_common"] / row["stiffness"], stiffness, apart
    )
    return side * numbers.astype(int), forces


def _of_loading(
    loading: GearLoading, model: Model, number: int, side: int, trajectory: Trajectory
) -> Part:
    """Of one spring that stands for all teeth: the approach is known, who carries is solved for.

    Pair k of the loading, at the position x in a base pitch, is the tooth that is touched at
    ρ_start + x - k p_b.
    """
    row = model.springs[number]
    pair = model.gears.rows[row["pair"]]
    bodies, start = (int(row["body_a"]), int(row["body_b"])), loading.pair.path[0]
    roll = _roll(pair, bodies, side, float(row["roll_offset"]), trajectory.position)
    pitch, width = loading.pair.base_pitch, len(loading.face)
    pitches = np.floor((roll - start) / pitch)
    read = spring_mesh_parts(model, np.array([number]), trajectory)[:, 0, FLANKS.index(side)]
    carried: list[tuple[Integers, Floats]] = []
    for place, approach in zip(roll - start - pitch * pitches, -read[:, GAP], strict=True):
        pairs, points = loading.system(float(place))
        work = load_work(len(points.gap))
        distribute(points, len(points.gap), float(approach), work)
        carried.append((pairs, work.force.reshape(-1, width).sum(axis=1)))
    most = max(len(pairs) for pairs, _ in carried)
    numbers, forces = np.zeros((len(roll), most), dtype=np.int64), np.zeros((len(roll), most))
    for k, (pairs, shares) in enumerate(carried):
        numbers[k, : len(pairs)] = -side * (pairs + int(pitches[k]))
        forces[k, : len(pairs)] = shares
    return numbers, forces


def _shared(reach: Floats, common: float, stiffness: Floats, apart: Floats) -> Floats:
    """k_i ⟨d - e_i⟩ with d = δ - c Σ k_i ⟨d - e_i⟩, by Newton's method from above: it is convex."""
    depth = np.maximum(reach, 0.0)
    for _ in range(ITERATIONS):
        pressed = depth > apart
        force = (stiffness * np.where(pressed, depth - apart, 0.0)).sum(axis=1, keepdims=True)
        slope = 1 + common * (stiffness * pressed).sum(axis=1, keepdims=True)
        depth = depth - (depth + common * force - np.maximum(reach, 0.0)) / slope
    return np.asarray(stiffness * np.maximum(depth - apart, 0.0))


def _of_contact(model: Model, number: int, trajectory: Trajectory) -> Part:
    """Of one contact, which looks at every so many-th tooth: the one nearest to the path."""
    row = model.contacts[number]
    pair = model.gears.rows[row["tooth_pair"]]
    bodies, side = (int(row["body_a"]), int(row["body_b"])), int(row["tooth_flank"])
    roll = _roll(pair, bodies, side, float(row["tooth_roll_offset"]), trajectory.position)
    nearest = side * (pair["middle"] - roll) / pair["base_pitch"]
    slot, slots = int(row["tooth_slot"]), int(row["tooth_slots"])
    numbers = slot + slots * np.floor((nearest - slot) / slots + 0.5)
    forces = trajectory.contact_results["normal_force"][:, number]
    return numbers.astype(int)[:, None], np.asarray(forces)[:, None]
