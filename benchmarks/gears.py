"""What one evaluation of the explicit contacts of two involute gears costs."""

import math
import time

import numpy as np
from numpy.typing import NDArray

from flank.contact.tooth_pair import GearPlace
from flank.dynamics.assembly import assemble
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.model import Model, initial_state, workspace
from flank.elasticity.material import STEEL
from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair
from flank.machines.gear_spec import MeshSpec
from flank.machines.meshes import MeshedPair, add_mesh

CONTACTS = 3
"""Place in Model.counts."""

LOAD = 30e3
"""N, normal to the teeth of a pair of 100 mm width."""

PRESSED = 20e-6
"""m, how far the flanks of a pair are pressed into each other."""


def total_teeth() -> list[list]:
    """One evaluation with equally many pairs looked at, of gears with ever more teeth."""
    rows = []
    for kind, slots, sets in (
        ("external", 5, ((20, 35), (40, 70), (80, 140), (200, 350))),
        ("in a ring", 21, ((60, 62), (120, 122), (240, 242), (480, 482))),
    ):
        first = 0.0
        for teeth in sets:
            apart, pressed, touching = _evaluation(_pair(kind, *teeth), slots)
            first = first or apart
            row = [f"{teeth[0]}/{teeth[1]} {kind}", slots, apart, apart / first]
            rows.append([*row, touching, pressed, (pressed - apart) / touching])
    return rows


def teeth_near_mesh() -> list[list]:
    """One evaluation of 60/62 with ever more pairs of teeth looked at."""
    rows, first = [], 0.0
    for slots in (5, 11, 21, 41, 60):
        _, pressed, touching = _evaluation(_pair("in a ring", 60, 62), slots)
        first = first or pressed / slots
        rows.append([slots, touching, pressed, pressed / slots / first])
    return rows


def _pair(kind: str, first: int, second: int) -> GearPair:
    """Module 10 mm; of rings with two teeth more the tips are cut so that they pass."""
    angle, edge = math.radians(20), 0.2e-3
    if kind == "external":
        gears = (Gear(z, 10e-3, angle, edge_radius=edge) for z in (first, second))
        return GearPair(*gears, face_width=0.1)
    form = {"addendum": 0.64, "dedendum": 1.14, "edge_radius": edge}
    inner = Gear(first, 10e-3, angle, **form)
    ring = Gear(second, 10e-3, angle, -0.25, True, tip_shortening=-0.0763, **form)
    return GearPair(inner, ring, face_width=0.1)


def _evaluation(pair: GearPair, slots: int, copies: int = 50) -> tuple[float, float, float]:
    """µs for forces and tangent of one flank, apart and pressed, and how many pairs then touch.

    Mean over a pitch. The flank stands in the model many times, so that what a call costs without
    any contact can be taken off.
    """
    model, pose = _flank_model(pair, slots * copies)
    model.contacts["tooth_slot"] = np.tile(np.arange(slots), copies)
    model.contacts["tooth_slots"] = slots
    counts = model.counts.copy()
    counts[CONTACTS] = 0
    bare, _ = _call(model._replace(counts=counts), pair, pose, 0.0)
    apart, _ = _call(model, pair, pose, -1e-6)
    pressed, touching = _call(model, pair, pose, PRESSED)
    return (apart - bare) / copies, (pressed - bare) / copies, touching / copies


def _flank_model(pair: GearPair, contacts: int) -> tuple[Model, NDArray]:
    """Two free gears and the first contact of their mesh, repeated."""
    b = ModelBuilder(0.1)
    first = b.body("first", 1.0, 1e-3)
    second = b.body("second", 1.0, 1e-3, (pair.sign * pair.centre_distance, 0.0, 0.0))
    tooth = (math.pi if pair.sign > 0 else 0.0) + math.pi / pair.second.teeth
    meshed = MeshedPair(pair, (STEEL, STEEL), MeshSpec(model="contact"), LOAD)
    add_mesh(b, "mesh", meshed, GearPlace(first), GearPlace(second, tooth))
    model = b.build()
    counts = model.counts.copy()
    counts[CONTACTS] = contacts
    return model._replace(contacts=np.repeat(model.contacts[:1], contacts), counts=counts), b.pose()


def _call(
    model: Model, pair: GearPair, pose: NDArray, closer: float, poses: int = 40
) -> tuple[float, float]:
    """µs of one call, the least of five rounds over a pitch, and how many contacts are closed."""
    state, work, still = initial_state(model, pose), workspace(model), np.zeros_like(pose)
    angles = pair.first.pitch_angle * np.arange(poses) / poses
    moved = np.repeat(pose[None], poses, axis=0)
    moved[:, 1, 2] += angles
    moved[:, 2, 2] += angles / pair.signed_ratio + pair.sign * closer / pair.second.base_radius
    times, closed = [], 0
    for _ in range(5):
        start = time.process_time()
        for each in moved:
            assemble(model, state, each, still, 0.0, work, 0.0, 1.0, 1.0)
        times.append(time.process_time() - start)
    for each in moved:
        assemble(model, state, each, still, 0.0, work, 0.0, 1.0, 1.0)
        closed += int(np.sum(state.contact_results["normal_force"] > 0))
    return 1e6 * min(times) / poses, closed / poses
