"""What acts between the two gears of a machine as a module: motion in, forces out.

The program that loads it moves the gears and has their masses; the module has no states. For each
gear it is given position, rotation, velocity and angular velocity along the axes of space, and
answers with force and torque about the gear's centre of mass, and with all derivatives.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from flank.arrays import Floats
from flank.contact.table import FRICTION_ELASTIC
from flank.dynamics.engine import evaluate
from flank.dynamics.model import CONTACTS
from flank.dynamics.poses import state_at
from flank.dynamics.spatial.body_forces import (
    GIVEN,
    place_bodies,
    read_derivatives,
    read_forces,
)
from flank.dynamics.spatial.flanks import warm_starts
from flank.dynamics.spatial.model import workspace
from flank.dynamics.trajectory import SpatialPose
from flank.errors import SpecError
from flank.fmi.parameters import parameters_of
from flank.fmi.unit import Call, Evaluation, Unit, Variable, arrays_of, place
from flank.io.spec_files import write_yaml
from flank.machines.base import Assembly, HasForceElement, Machine

NUMBERS = (
    *((f"position.{axis}", "m", f"{axis} of the centre of mass") for axis in "xyz"),
    *((f"rotation.{part}", "1", f"{part} of the quaternion from its axes") for part in "wxyz"),
    *((f"velocity.{axis}", "m/s", f"velocity along {axis}") for axis in "xyz"),
    *((f"angular_velocity.{axis}", "rad/s", f"angular velocity along {axis}") for axis in "xyz"),
)
"""What is given of a body, in the order of `body_forces.GIVEN`."""

ANSWERS = (
    *((f"force.{axis}", "N", f"force along {axis}") for axis in "xyz"),
    *((f"torque.{axis}", "N.m", f"torque along {axis} about the centre of mass") for axis in "xyz"),
)


def force_module(machine: Machine) -> Unit:
    """The module of a machine; SpecError if it has no such element."""
    if not isinstance(machine, HasForceElement):
        raise SpecError(
            f"a force module needs gears whose teeth touch in space, and '{machine.title}' has "
            "none; write it as a block with two shafts"
        )
    assembly = machine.force_element()
    _refuse_memory(assembly, machine.title)
    model, pose = assembly.spatial, assembly.pose
    assert isinstance(pose, SpatialPose)
    given = _given(pose)
    bodies = len(given)
    state, work = state_at(model, pose), workspace(model)
    forces, stiffness = np.zeros((bodies, 6)), np.zeros((6 * bodies, 6 * bodies))
    jacobian = np.zeros((6 * bodies, GIVEN * bodies))
    without_rates, with_rates = (
        Call(evaluate, (model, state, 0.0, work, rate, 1.0, 1.0)) for rate in (0.0, 1.0)
    )
    calls = (
        Call(place_bodies, (given, state)),
        without_rates,
        Call(read_forces, (state, work.force, work.core, forces, stiffness)),
        with_rates,
        Call(read_derivatives, (given, work.core, stiffness, jacobian)),
    )
    names = [name.replace(" ", "_") for name in assembly.body_names[1:]]
    variables = (*_inputs(names, given), *_outputs(names, forces), *parameters_of(assembly))
    return Unit(
        title=machine.title,
        description=f"{machine.title}: what acts between {' and '.join(assembly.body_names[1:])}",
        variables=variables,
        calls=calls,
        changing=(*arrays_of(state), *warm_starts(work.flanks), forces, stiffness, jacobian),
        way=Evaluation(jacobian, calls.index(with_rates)),
        fixed=tuple(_fixed()),
        spec=write_yaml(machine.spec.to_mapping()),
    )


def _refuse_memory(assembly: Assembly, title: str) -> None:
    model = assembly.spatial
    forms = model.contacts["friction_form"][: model.counts[CONTACTS]]
    if np.any(forms == FRICTION_ELASTIC):
        raise SpecError(
            f"'{title}' has elastic friction, which remembers how the gears came there, and a "
            "force module remembers nothing; give it friction by velocity"
        )


def _given(pose: SpatialPose) -> Floats:
    """Rows of all bodies but ground."""
    return np.ascontiguousarray(np.hstack((pose.position, pose.rotation, pose.velocity))[1:])


def _inputs(names: list[str], given: Floats) -> Iterator[Variable]:
    for k, body in enumerate(names):
        for i, (name, unit, text) in enumerate(NUMBERS):
            start = float(given[k, i])
            yield Variable(
                f"{body}.{name}", "input", unit, f"{body}: {text}", (place(given, k, i),), start
            )


def _outputs(names: list[str], forces: Floats) -> Iterator[Variable]:
    for k, body in enumerate(names):
        for i, (name, unit, text) in enumerate(ANSWERS):
            yield Variable(
                f"{body}.{name}", "output", unit, f"{text} on {body}", (place(forces, k, i),)
            )


def _fixed() -> Iterator[tuple[str, str]]:
    yield "geometry", "All dimensions, clearances and errors of the gears."
    yield "masses", "None is in the module: who moves the gears has them."
    yield (
        "rotation",
        "A quaternion (w, x, y, z) from the axes of a gear to those of space; its length does not "
        "matter.",
    )
