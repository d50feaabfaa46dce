"""Flanks of two gears in space as an element of a model: `contact/spatial/flank_forces.py` gives
forces and tangent, here they meet bodies, damping and energy.

Forces F_i of points are damped by their own rates, so that damping goes where the stiffness is and
ends where teeth part: with K = rᵀ M⁻¹ r, what changing forces have in the tangent, it is the force
-β K q̇, whose power β q̇ᵀ K q̇ is what damping takes, never below zero. Of the stored energy V, whose
derivative the forces are, each point has ∫ Φ dg, and all of them together ½ Σ F_i (d_i - g_i).

A factor s of the stiffness stands for moduli of elasticity of both gears that are s times as great.
Influence numbers are then divided by s, and the law of line contact δ = F'(P - Q ln F') has Q/s and
(P + Q ln s)/s: forces s F solve what F solved before, so that at a pose all forces, their tangent,
powers and energies are s times what they were.

Forces of the last evaluation begin the next one; they are kept with the scratch of the model, and
change nothing but the number of iterations and round-off.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from flank.arrays import Floats, Integers
from flank.contact.partial_contact import ENERGY
from flank.contact.spatial.flank_forces import PROPORTION, FlankWork, evaluate_flanks, flank_work
from flank.contact.spatial.flank_search import FlankMesh
from flank.contact.spatial.flank_tangent import elastic_tangent, flank_tangent
from flank.dynamics.scatter import add_element, add_forces, clear_rows
from flank.kernel import KernelByType, kernel

STIFFNESS, DAMPING = range(2)
"""Entries of `law`: s, and β in s. Whoever runs a model may change them: they are in an array."""


class FlankElement(NamedTuple):
    """Flanks between two bodies, whose frames are those of the gears; A carries the sections."""

    mesh: FlankMesh
    body_a: int
    body_b: int
    law: Floats  # (2,): STIFFNESS, DAMPING


class FlankElements(NamedTuple):
    """Of a model that has some: all of one type, so that kernels can count through them."""

    elements: tuple[FlankElement, ...]


class NoFlanks(NamedTuple):
    """Of a model that has none, which then compiles nothing of them."""

    elements: int = 0


class FlankScratch(NamedTuple):
    """Of all elements of a model."""

    works: tuple[FlankWork, ...]
    force: Floats  # (12,) of one element
    damper: Floats  # (12, 12) K of one element
    power: Floats  # (2,) that friction and damping take


def flank_scratch(flanks: FlankElements | NoFlanks) -> FlankScratch | NoFlanks:
    if isinstance(flanks, NoFlanks):
        return flanks
    works = tuple(flank_work(element.mesh) for element in flanks.elements)
    return FlankScratch(works, np.zeros(12), np.zeros((12, 12)), np.zeros(2))


def warm_starts(scratch: FlankScratch | NoFlanks) -> Iterator[Floats | Integers]:
    """Arrays that the next evaluation begins from: who goes back to a state needs them to see the
    same again to the last bit."""
    if isinstance(scratch, FlankScratch):
        for work in scratch.works:
            yield work.memory
            yield work.base


@kernel(internal=True)
def _add_none(_flanks, _state, _scratch, _target):
    return 0.0, 0.0


@kernel(internal=True)
def _add_some(flanks, state, scratch, target):
    """Forces, tangent, stored energy and the largest force on a body."""
    energy = 0.0
    largest = 0.0
    scratch.power[0] = 0.0
    scratch.power[1] = 0.0
    for k in range(len(flanks.elements)):
        element = flanks.elements[k]
        work = scratch.works[k]
        a = element.body_a
        b = element.body_b
        _status, power = evaluate_flanks(
            element.mesh,
            PROPORTION,
            state.position,
            state.matrix,
            state.velocity,
            a,
            b,
            work,
            scratch.force,
        )
        if work.counts[0] == 0:
            continue
        clear_rows(target.block)
        flank_tangent(
            element.mesh,
            state.position,
            state.matrix,
            a,
            b,
            target.rate_factor,
            target.geometric_factor,
            work,
            target.block,
        )
        damped = 0.0
        if element.law[DAMPING] > 0.0:
            damped = _add_damping(element, state, scratch, work, target)
        stiffness = element.law[STIFFNESS]
        _multiply(stiffness, scratch.force, target.block)
        scratch.power[0] += stiffness * power
        scratch.power[1] += stiffness * damped
        add_forces(target, a, b, scratch.force)
        add_element(target, a, b)
        energy += stiffness * _stored(work)
        for i in range(3):
            largest = max(largest, abs(scratch.force[i]))
    return energy, largest


add_flanks = KernelByType({NoFlanks: _add_none, FlankElements: _add_some})
"""(flanks, state, scratch, target): add all elements; returns stored energy and largest force."""


@kernel(internal=True)
def _add_damping(element, state, scratch, work, target):
    """Forces -β K q̇ and their tangent; returns the power."""
    a = element.body_a
    b = element.body_b
    damping = element.law[DAMPING]
    damper = scratch.damper
    clear_rows(damper)
    elastic_tangent(state.position, state.matrix, a, b, work, damper)
    power = 0.0
    for i in range(12):
        force = 0.0
        for j in range(12):
            rate = state.velocity[a, j] if j < 6 else state.velocity[b, j - 6]
            force += damping * damper[i, j] * rate
            target.block[i, j] += target.rate_factor * damping * damper[i, j]
        rate = state.velocity[a, i] if i < 6 else state.velocity[b, i - 6]
        scratch.force[i] -= force
        power += rate * force
    return power


@kernel(internal=True)
def _multiply(factor, force, block):
    for i in range(12):
        force[i] *= factor
        for j in range(12):
            block[i, j] *= factor


@kernel(internal=True)
def _stored(work):
    """V: of each point its own energy, and of all what presses them."""
    total = 0.0
    points = work.points
    for k in range(work.counts[0]):
        total += 0.5 * work.loads.force[k] * (points.depth[k] - work.loads.seat[k])
        total += points.length[k] * work.energies[k, ENERGY]
    return total


@kernel(internal=True)
def _no_powers(_scratch):
    return 0.0, 0.0


@kernel(internal=True)
def _some_powers(scratch):
    return scratch.power[0], scratch.power[1]


flank_powers = KernelByType({NoFlanks: _no_powers, FlankScratch: _some_powers})
"""(scratch): powers that friction and damping took where flanks were evaluated last, W."""


@kernel
def flank_loads(element, position, matrix, velocity, work, force, carried):
    """Of poses (time, bodies, ...) the sums of all normal forces, damping left out."""
    for t in range(position.shape[0]):
        evaluate_flanks(
            element.mesh,
            PROPORTION,
            position[t],
            matrix[t],
            velocity[t],
            element.body_a,
            element.body_b,
            work,
            force,
        )
        carried[t] = 0.0
        for k in range(work.counts[0]):
            carried[t] += element.law[STIFFNESS] * work.loads.force[k]
