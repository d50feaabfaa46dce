"""Sentences about results that are right as computed and wrong to rely on."""

import math
from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from flank.analyses.labelled import Variable
from flank.analyses.runs import VELOCITY_FORMS, has_elastic_friction, output_is_loose
from flank.analyses.settings import TorqueCurves
from flank.arrays import Floats, first_largest
from flank.contact.spatial.loaded_flanks import FlankLoad
from flank.contact.table import FRICTION_STICK
from flank.dynamics.model import CONTACTS, Model
from flank.dynamics.plane import FORCE_FLOOR
from flank.dynamics.run import solve_statics
from flank.dynamics.spatial.model import SpatialModel
from flank.dynamics.trajectory import AnyTrajectory
from flank.machines.base import (
    Assembly,
    Reducer,
    ToothLimits,
    Transmission,
)
from flank.machines.mesh_forces import mesh_approaches, mesh_forces
from flank.machines.spec import Spec, WrittenTuple
from flank.texts import short_length

LARGEST_PRESSURE = 4e9
"""Pa. ISO 76: the static limit of roller bearings of hardened steel."""

LEAST_FRICTION_SHARE = 0.5
"""Share of μ f that friction should reach at the contacts that carry load."""

OVERLOAD = 5
"""Times the rated torque: what makers of precision reducers allow as a momentary peak."""

LEAST_TORQUE_RATIO = 100
"""Torque over the error of an equilibrium from which it is known to a hundredth."""

STEPS_PER_PERIOD = 10
"""Steps that the fastest order of a machine should have in one period."""

LARGEST_SPEED_CHANGE = 0.1
"""How far the mean speed of a free input may be off the one it was started at."""

MANY_REVOLUTIONS = 10
"""Revolutions of the input from which the digits of its angle may be what a failed run lacks."""

COVERS = 1e-6
"""Share of a run by which a file may miss its ends: what rounding of times does."""

RPM = 30 / math.pi


def contact_warnings(assembly: Assembly, run: AnyTrajectory, static: bool) -> list[str]:
    """What a run's contacts and gear meshes say against relying on it."""
    return [
        *_friction_warnings(assembly, run, static),
        *_pressure_warnings(assembly, run),
        *_mesh_warnings(assembly, run),
    ]


def _friction_warnings(assembly: Assembly, run: AnyTrajectory, static: bool) -> list[str]:
    """That friction is left out, has no part in statics, or is hardly there.

    Elastic friction asks for no velocity and gives no cause for the latter two; nor does friction
    that sticks for the last.
    """
    model, contact_results = assembly.model, run.contact_results
    if assembly.friction_left_out:
        return ["Friction is left out: this analysis looks at the frictionless machine."]
    contacts = model.contacts[: model.counts[CONTACTS]]
    rough = np.isin(contacts["friction_form"], VELOCITY_FORMS)
    if not static:
        rough &= contacts["friction_form"] != FRICTION_STICK
    if not rough.any():
        return []
    if static:
        which = "Friction of some contacts" if has_elastic_friction(model) else "Friction"
        return [
            f"{which} acts through sliding velocity and has no part in a static run; "
            "set mode to 'dynamic' to see it."
        ]
    if len(contact_results) == 0:  # it failed before its first record
        return []
    limit = contacts["friction"] * contact_results["normal_force"]
    loaded = rough & (contact_results["normal_force"] > 0.1 * contact_results["normal_force"].max())
    if not loaded.any():
        return []
    share = float(np.mean(np.abs(contact_results["friction_force"][loaded]) / limit[loaded]))
    if share >= LEAST_FRICTION_SHARE:
        return []
    return [
        f"Contacts slide so slowly that friction reaches {share:.1%} of its limit on average: "
        "use a smaller friction.regularization_velocity or faster motion."
    ]


def _pressure_warnings(assembly: Assembly, run: AnyTrajectory) -> list[str]:
    """That a contact carries more than any steel does."""
    if len(run.time) == 0:
        return []
    peaks = {
        group.title: run.pressure(group).max()
        for group in assembly.groups.values()
        if group.pressure is not None
    }
    return [
        _pressure_sentence(peak, title) for title, peak in peaks.items() if peak > LARGEST_PRESSURE
    ]


def _pressure_sentence(pressure: float, where: str, nominal: str = "") -> str:
    return (
        f"The {nominal}Hertz pressure on {where} reaches {pressure / 1e6:.0f} MPa; "
        "even hardened steel yields above 4000 MPa (ISO 76)."
    )


def _mesh_warnings(assembly: Assembly, run: AnyTrajectory) -> list[str]:
    """That teeth which are springs or constraints carry, or bend by, what no tooth does."""
    meshes = {mesh.name: mesh.limits for mesh in assembly.meshes}
    if len(run.time) == 0 or all(limits is None for limits in meshes.values()):
        return []
    forces = np.abs(mesh_forces(assembly, run)).max(axis=(0, 2))
    return tooth_warnings(meshes, forces, mesh_approaches(assembly, run).max(axis=0))


def tooth_warnings(
    meshes: Mapping[str, ToothLimits | None],
    forces: Sequence[float] | Floats,
    deflections: Sequence[float] | Floats,
) -> list[str]:
    """The same of meshes by name, with the largest force and deflection of each."""
    names, bounds = list(meshes), list(meshes.values())
    pressures = [
        math.sqrt(force * limits.pressure_factor) if limits else 0.0
        for force, limits in zip(forces, bounds, strict=True)
    ]
    depths = [
        depth / limits.deepest if limits else 0.0
        for depth, limits in zip(deflections, bounds, strict=True)
    ]
    sentences, worst, deepest = [], int(first_largest(pressures)), int(first_largest(depths))
    if pressures[worst] > LARGEST_PRESSURE:
        where = f"the teeth of {names[worst]}"
        sentences.append(_pressure_sentence(pressures[worst], where, "nominal "))
    if depths[deepest] > 1:
        limits = bounds[deepest]
        assert limits is not None
        sentences.append(
            f"The teeth of {names[deepest]} are pressed {short_length(deflections[deepest])} into "
            f"each other; no tooth bends by more than {short_length(limits.deepest)}: check the "
            "load and the stiffness of the mesh."
        )
    return sentences


def overload_warnings(machine: Transmission, torque: float) -> list[str]:
    """That a torque is far above the rated one, where there is one."""
    if not isinstance(machine, Reducer):
        return []
    times = abs(torque) / machine.rated_torque
    if times <= OVERLOAD:
        return []
    return [
        f"The torque of {torque:.4g} N*m is {times:.4g} times the rated torque; makers of "
        f"reducers allow some {OVERLOAD} times for a moment."
    ]


def load_warnings(
    machine: Transmission, assembly: Assembly, torque: float, run: AnyTrajectory
) -> list[str]:
    """The same, and that a torque is none, or so small that it counts as none."""
    least = least_torque(assembly.model)
    if abs(torque) >= least:
        return overload_warnings(machine, torque)
    sentences = []
    if torque != 0:
        sentences.append(
            f"The torque of {torque:.3g} N*m is hardly told from none, as equilibria are found to "
            f"{FORCE_FLOOR:.0e} N: use at least {least:.1g} N*m."
        )
    if len(run.time) and _loose_without_friction(assembly, run):
        sentences.append(
            "Without a torque the output is in equilibrium anywhere within the backlash: its angle "
            "here is one of many."
        )
    return sentences


def least_torque(model: Model | SpatialModel) -> float:
    """In N·m, from which the residual of an equilibrium is a small part of the load."""
    return LEAST_TORQUE_RATIO * FORCE_FLOOR * model.length_scale


def _loose_without_friction(assembly: Assembly, run: AnyTrajectory) -> bool:
    """Whether nothing but the solver and friction hold the output where the run begins."""
    bare = assembly.frictionless()
    equilibrium = solve_statics(
        bare.model, run.pose(0), run.time[:1]
    )  # what friction held gives way
    return equilibrium.complete and output_is_loose(bare, equilibrium)


def coarse_step_warnings(machine: Transmission, step: float, speed: float) -> list[str]:
    """That steps are too long for the fastest order of the machine."""
    name, order = max(machine.orders.items(), key=lambda item: item[1])
    period = 2 * math.pi / (order * abs(speed)) if speed else math.inf
    if step * STEPS_PER_PERIOD <= period:
        return []
    return [
        f"The step of {step * 1e3:.3g} ms does not resolve the {name} order, whose period is "
        f"{period * 1e3:.3g} ms at the initial speed; use at most "
        f"{period / STEPS_PER_PERIOD * 1e3:.3g} ms."
    ]


def unresolved_torque_warnings(curves: TorqueCurves, step: float) -> list[str]:
    """That a torque changes between steps, which feel it at their ends only."""
    told = []
    for name, points in curves.items():
        apart = np.diff([point.time for point in points])
        between = float(np.median(apart[apart > 0])) if np.any(apart > 0) else math.inf
        if between < step * (1 - 1e-9):
            told.append(
                f"The points of the torque on the {name} lie {between * 1e3:.3g} ms apart and the "
                f"step is {step * 1e3:.3g} ms: what happens between steps is not felt; use at most "
                f"{between * 1e3:.3g} ms."
            )
    return told


class Timed(Protocol):
    """A point of a course."""

    @property
    def time(self) -> float: ...


def uncovered_course_warnings(courses: Mapping[str, Sequence[Timed]], duration: float) -> list[str]:
    """That a course from a file begins after the run does, or ends before: its first and last
    values hold there. Courses by what sentences call them, points with a time."""
    told = []
    for name, points in courses.items():
        if not (isinstance(points, WrittenTuple) and "file" in points.written):
            continue
        first, last = float(points[0].time), float(points[-1].time)
        if first > COVERS * duration or last < (1 - COVERS) * duration:
            told.append(
                f"The file of the {name} covers {first:.4g} to {last:.4g} s of a run from 0 to "
                f"{duration:.4g} s: before it the first value holds and after it the last; give a "
                "file over the whole run, or a shorter duration."
            )
    return told


def slowed_input_warnings(mean_speed: float, started: float) -> list[str]:
    """That the torques of the operating point do not keep the machine running."""
    if abs(mean_speed - started) <= LARGEST_SPEED_CHANGE * abs(started):
        return []
    return [
        f"The input turns at {mean_speed * RPM:.4g} rpm on average, not at the "
        f"{started * RPM:.4g} rpm it was started at: the torques that balance without friction do "
        "not keep it going. Give torques, or set drive to 'speed'."
    ]


def stray_speed_warnings(mean_speed: float, started: float) -> list[str]:
    """That a free input does not keep the speed it was started at."""
    if abs(mean_speed - started) <= 0.01 * started:
        return []
    return [
        f"The free input runs at {mean_speed * RPM:.4g} rpm on average, not at the "
        f"{started * RPM:.4g} rpm it was started at: give the input_torque that keeps its speed; "
        "friction asks for more than balances the output's."
    ]


def sharing_warnings(name: str, loads: Sequence[FlankLoad]) -> list[str]:
    """What a method that shares load among points of flanks could not do, position by position."""
    unsolved = sum(not load.solved for load in loads)
    circling = sum(load.circling > 0 for load in loads)
    pulling = sum(load.pulling > 0 for load in loads)
    warnings = []
    if unsolved:
        warnings.append(
            f"The method {name} found no distribution at {unsolved} of {len(loads)} positions; "
            "what it had then is shown."
        )
    if circling or pulling:
        warnings.append(
            f"The method {name} went round in circles at {circling} of {len(loads)} positions, and "
            f"points pulled at {pulling}; such points were taken out, and the others shared the "
            "load anew."
        )
    return warnings


def unknown_figure_warnings(variables: Mapping[str, Variable], complete: bool) -> list[str]:
    """That a run completed and has no number for some of its main figures."""
    unknown = [
        attributes["long_name"]
        for dimensions, value, attributes in variables.values()
        if not dimensions and np.isnan(value.astype(float))
    ]
    if not unknown or not complete:
        return []
    return [f"No number was found for: {', '.join(unknown)}."]


def far_away_warnings(settings: Spec, complete: bool) -> list[str]:
    """That a run failed at an angle many revolutions away, where little is left of its digits."""
    angle = getattr(settings, "crank_angle", None) or getattr(settings, "start_angle", None) or 0.0
    revolutions = abs(angle) / (2 * math.pi)
    if complete or revolutions < MANY_REVOLUTIONS:
        return []
    return [
        f"The input stands {revolutions:.4g} turns from where it began, and angles there are known "
        f"to {np.spacing(abs(angle)):.0e} rad only: give an angle within a few turns."
    ]
