"""Hysteresis: the torque-angle loop of the output with the input locked."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated, ClassVar

import numpy as np

from flank.analyses.contact_states import (
    Contacts,
    check_room,
    state_numbers,
    state_values,
    states_over,
)
from flank.analyses.forces import NUMBERS, PEAKS, contact_numbers, peak_values
from flank.analyses.loop import CORNERS, LOST_MOTION_SHARE, STAGES, Loop, ramp_warnings
from flank.analyses.measured_curves import (
    LOOP_COORDINATES,
    LOOP_DECLARED,
    LOOP_TABLES,
    loop_values,
    read_loop,
)
from flank.analyses.quantities import LESS, MORE, Declared, Quantities, Read, Values
from flank.analyses.result import Result, make_result
from flank.analyses.runs import has_elastic_friction, has_velocity_friction
from flank.analyses.settings import FitSettings, LockedAngle, PeakTorque, StaticOrDynamic
from flank.analyses.warnings import contact_warnings, overload_warnings
from flank.arrays import Floats
from flank.dynamics.functions import Function, constant, table
from flank.dynamics.model import CONTACTS
from flank.dynamics.poses import AnyModel
from flank.dynamics.run import (
    DynamicSettings,
    Progress,
    settings_for,
    solve_dynamics,
    solve_statics,
)
from flank.dynamics.trajectory import AnyTrajectory
from flank.errors import SpecError
from flank.machines.base import Assembly, Drive, Reducer
from flank.machines.quantities import (
    ContactDamping,
    Fraction,
    PositiveTime,
    WholeNumber,
    quantity,
)
from flank.machines.spec import key, optional

FITTED = {
    "fit_begin": Declared("Torque from which it is fitted", "N*m"),
    "fit_end": Declared("Torque to which it is fitted", "N*m"),
}
"""The range of the torsional stiffness."""

QUANTITIES = Quantities(
    "hysteresis",
    {
        "torque": Declared("Peak torque", "N*m"),
        "torsional_stiffness": Declared(
            "Torsional stiffness", "N*m/rad", "N*m/arcmin", better=MORE
        ),
        **FITTED,
        "lost_motion": Declared("Lost motion", "rad", "arcmin", better=LESS),
        "backlash": Declared("Backlash", "rad", "arcmin", better=LESS),
        "positive_stiffness": Declared(
            "Stiffness at positive torque", "N*m/rad", "N*m/arcmin", better=MORE
        ),
        "negative_stiffness": Declared(
            "Stiffness at negative torque", "N*m/rad", "N*m/arcmin", better=MORE
        ),
        "offset": Declared("Offset of the loop's middle", "rad", "arcmin"),
        "loop_work": Declared("Work lost in one loop", "J", better=LESS),
        **PEAKS,
        "friction_work": Declared("Work of friction in one loop", "J", better=LESS),
        "loop_torque": Declared("Output torque", "N*m", over="point"),
        "loop_angle": Declared("Output angle", "rad", "arcmin", "point"),
        "loop_stage": Declared("Stage, 0 to 4", over="point"),
        **LOOP_DECLARED,
        **states_over("point"),
    },
    {"point": Declared("Point of the loop", over="point"), **NUMBERS, **LOOP_COORDINATES},
    LOOP_TABLES,
    curves=(("loop_torque", "loop_angle"),),
)

ROUND_OFF = 1e-7
"""Of the twist between both peaks: a width of the loop that is none but round-off."""

RECORDS = 500
"""Of one stage of a dynamic loop, at most."""

PRELOAD_SHARE = 1e-3
"""Share of the largest force from which a contact without a torque is pressed."""

NEAR_ZERO = (1e-6, 0.001, 0.003, 0.01, LOST_MOTION_SHARE, 0.06)
"""Shares of the torque added to the even ones, where the clearance is crossed."""


StepThreshold = Annotated[float, quantity("", "", positive=True, maximum=1.0)]


class HysteresisSettings(FitSettings, StaticOrDynamic):
    """How the loop is walked."""

    ONLY: ClassVar[dict[str, tuple[str, ...]]] = {
        "static": ("points_per_stage",),
        "dynamic": ("stage_duration", "step", "spectral_radius", "step_threshold", "damping"),
    }
    torque: PeakTorque = None
    points_per_stage: Annotated[int, WholeNumber(minimum=5, most=100_000)] = key(
        "points on each of the five stages", default=50
    )
    crank_angle: LockedAngle = 0.0
    stage_duration: PositiveTime = key(
        "duration of one stage of a dynamic loop", "0.5 s", default=0.5
    )
    centred: bool = key(
        "whether the loop is shifted by its offset, so that its backlash lies about zero",
        default=False,
    )
    step: PositiveTime = key("time step of a dynamic loop", "0.1 ms", default=1e-4)
    spectral_radius: Fraction = key(
        "of generalized-alpha at infinite frequency: 1 damps nothing that the step does not "
        "resolve, 0 all of it within a step",
        default=0.8,
    )
    step_threshold: StepThreshold | None = optional(
        "share of the largest contact force above which contacts that open or close within a step "
        "of a dynamic loop have it halved; if absent 0.1 in the plane, none in space, where steps "
        "follow their error",
        0.001,
    )
    damping: ContactDamping | None = optional(
        "Hunt and Crossley's damping of all contacts in a dynamic loop; that of the spec if absent",
        "0.5 s/m",
    )
    contacts: Contacts = None
    measured: str | None = optional(
        "a file with a measured loop, columns torque and angle with their units, that is laid over "
        "the computed one; its peak is that of the loop if no torque is given",
        "loop.csv",
    )

    def cross_checks(self) -> Iterable[str]:
        yield from super().cross_checks()
        if self.mode == "dynamic" and self.step > 0.01 * self.stage_duration:
            yield (
                "step is more than a hundredth of stage_duration, and the clearance is crossed "
                "within a few hundredths; use a smaller step"
            )


DEFAULTS = HysteresisSettings()


def run(
    machine: Reducer,
    settings: HysteresisSettings = DEFAULTS,
    progress: Progress | None = None,
) -> Result:
    """The five-stage loop with torsional stiffness, lost motion and backlash."""
    measured = None if settings.measured is None else read_loop(settings.measured)
    peak = machine.rated_torque if measured is None else measured.peak
    peak = peak if settings.torque is None else abs(settings.torque)
    if peak == 0:
        raise SpecError("torque is zero; a loop needs a peak torque, for example the rated one")
    static = settings.mode == "static"
    if settings.contacts == "full":
        records = len(static_times(settings)) if static else RECORDS * len(STAGES)
        check_room(machine.assemble(Drive()), records)
    assembly, trajectory, loop = _solve_loop(machine, settings, peak, static, progress)
    values: Values = {}
    warnings: list[str] = []
    if trajectory.complete:
        values = _figures(loop, trajectory, assembly, peak) | peak_values(assembly, trajectory)
        values |= _friction_work(assembly.model, trajectory, loop)
        warnings = _warnings(machine, assembly.model, settings, loop, peak)
        laid, doubts = ({}, []) if measured is None else loop_values(measured, loop)
        values |= laid
        warnings += doubts
    if settings.centred and trajectory.complete:
        loop = loop.centred()
    values |= {
        "loop_torque": loop.torque,
        "loop_angle": loop.angle,
        "loop_stage": loop.stage,
        "point": np.arange(len(loop.angle)),
    }
    values |= contact_numbers(assembly)
    if settings.contacts == "full":
        values |= state_values(assembly, trajectory, rates=not static) | state_numbers(assembly)
    warnings += overload_warnings(machine, peak)
    warnings += contact_warnings(assembly, trajectory, static)
    return make_result(QUANTITIES, machine, settings, trajectory, values, warnings)


def _solve_loop(
    machine: Reducer,
    settings: HysteresisSettings,
    peak: float,
    static: bool,
    progress: Progress | None = None,
) -> tuple[Assembly, AnyTrajectory, Loop]:
    """The loop through equilibria or in time, as far as it went."""
    duration = 1.0 if static else settings.stage_duration
    locked, torque = constant(settings.crank_angle), five_stages(peak, duration)
    assembly = machine.assemble(Drive.of_ends(locked, torque, in_time=not static))
    if settings.damping is not None:
        assembly = with_damping(assembly, settings.damping)
    start = machine.ideal_pose(settings.crank_angle)
    trajectory: AnyTrajectory
    if static:
        trajectory = solve_statics(assembly.model, start, static_times(settings), progress=progress)
    else:
        trajectory = solve_dynamics(
            assembly.model,
            start,
            5 * duration,
            march_settings(assembly.model, settings),
            stride=record_stride(settings),
            progress=progress,
        )
    return assembly, trajectory, _loop(machine, settings, trajectory, assembly, peak, duration)


def march_settings(model: AnyModel, settings: HysteresisSettings) -> DynamicSettings:
    """How a loop in time is marched."""
    march = settings_for(model, settings.step, settings.spectral_radius)
    return replace(march, discontinuity_tolerance=settings.step_threshold)


def with_damping(assembly: Assembly, damping: float) -> Assembly:
    """All contacts with this damping; SpecError where there are none."""
    if assembly.model.counts[CONTACTS] == 0:
        raise SpecError(
            "damping is of contacts, and this machine has none; give its springs and meshes a "
            "damping by the keys of its spec"
        )
    contacts = assembly.model.contacts.copy()
    contacts["damping"] = damping
    return replace(assembly, model=assembly.model._replace(contacts=contacts))


def five_stages(peak: float, duration: float) -> Function:
    """Torque of arXiv 2604.02387, Eq. 25: 0, +T, 0, -T, 0, +T, each stage `duration` long."""
    return table([(k * duration, share * peak) for k, share in enumerate(CORNERS)])


def record_stride(settings: HysteresisSettings) -> int:
    """Steps of a dynamic loop between two that are recorded."""
    return max(round(settings.stage_duration / RECORDS / settings.step), 1)


def dynamic_times(settings: HysteresisSettings) -> Floats:
    """Times of a dynamic loop in s, as it is marched."""
    stride, duration = record_stride(settings), len(STAGES) * settings.stage_duration
    records = max(round(duration / (settings.step * stride)), 1)
    return np.linspace(0.0, duration, records * stride + 1)


def static_times(settings: HysteresisSettings) -> Floats:
    """Times of a static loop, one unit a stage, denser where the clearance is crossed."""
    rising = np.unique([*np.linspace(0.0, 1.0, settings.points_per_stage), *NEAR_ZERO])
    falling = 1.0 - rising[::-1]
    pieces = [np.array([0.0])]
    for stage, (first, _) in enumerate(STAGES):
        shares = rising if first == 0.0 else falling
        pieces.append(stage + shares[1:])
    return np.concatenate(pieces)


def _loop(
    machine: Reducer,
    settings: HysteresisSettings,
    trajectory: AnyTrajectory,
    assembly: Assembly,
    peak: float,
    duration: float,
) -> Loop:
    ideal = settings.crank_angle / machine.ratio
    angle = trajectory.angle(assembly.output_shaft, near=ideal) - ideal
    return loop_of(machine, settings, trajectory.time / duration, angle, peak)


def loop_of(
    machine: Reducer, settings: HysteresisSettings, time: Floats, angle: Floats, peak: float
) -> Loop:
    """The loop of angles at times, one unit a stage."""
    return Loop(
        torque=np.interp(time, np.arange(len(CORNERS)), CORNERS) * peak,
        angle=angle,
        stage=np.clip(np.ceil(time - 1e-9).astype(int) - 1, 0, 4),
        rated_torque=machine.rated_torque,
        fit_from=settings.fit_from,
        fit_to=settings.fit_to,
    )


def _figures(loop: Loop, trajectory: AnyTrajectory, assembly: Assembly, peak: float) -> Values:
    values: Values = {"torque": peak}
    if loop.fit is not None:
        values |= {
            "torsional_stiffness": loop.stiffness(),
            "fit_begin": loop.fit[0],
            "fit_end": loop.fit[-1],
            "positive_stiffness": loop.stiffness_of(1),
            "negative_stiffness": loop.stiffness_of(-1),
        }
    if peak >= LOST_MOTION_SHARE * loop.rated_torque:
        values["lost_motion"] = loop.lost_motion()
    through = peak * float(np.ptp(loop.angle))
    return values | {
        "backlash": _backlash(loop, trajectory, assembly),
        "offset": Read(loop.offset(), scale=float(np.ptp(loop.angle))),
        "loop_work": Read(loop.area(), scale=through),
    }


def _backlash(loop: Loop, trajectory: AnyTrajectory, assembly: Assembly) -> Read:
    """The loop's width without torque; none where the branches meet but for round-off."""
    width = loop.backlash()
    if abs(width) <= ROUND_OFF * float(np.ptp(loop.angle)):
        width = 0.0
    words = "none: preloaded" if _preloaded(loop, trajectory, assembly) else "none"
    return Read(width, at_zero=words)


def _preloaded(loop: Loop, trajectory: AnyTrajectory, assembly: Assembly) -> bool:
    """Whether pins or teeth press where no torque makes them."""
    if not assembly.groups:
        return False
    force = trajectory.force(next(iter(assembly.groups.values())))
    idle = force[np.abs(loop.torque) <= ROUND_OFF * np.abs(loop.torque).max()]
    return bool(idle.max(initial=0.0) > PRELOAD_SHARE * force.max())


def _friction_work(model: AnyModel, trajectory: AnyTrajectory, loop: Loop) -> Values:
    """What slip lost over the closed part of the loop, where friction is elastic."""
    if not has_elastic_friction(model):
        return {}
    lost = trajectory.contact_results["friction_work"].sum(axis=1)
    part = loop.closed_part()
    return {"friction_work": lost[part[-1]] - lost[part[0]]}


def _warnings(
    machine: Reducer, model: AnyModel, settings: HysteresisSettings, loop: Loop, peak: float
) -> list[str]:
    small = [] if loop.fit is not None else [_too_small(loop)]
    if peak < LOST_MOTION_SHARE * loop.rated_torque:
        lost = "The peak torque is below 3 % of the rated one; lost motion is not defined."
        return [lost, *small]
    if settings.mode == "static":
        return small
    _, path, equilibria = _solve_loop(machine, settings, peak, static=True)
    static_loop = equilibria if path.complete else None
    velocity_friction = has_velocity_friction(model)
    ramp = machine, loop, static_loop, settings.stage_duration, velocity_friction
    return small + ramp_warnings(*ramp)


def _too_small(loop: Loop) -> str:
    return (
        f"The peak torque is below {loop.fit_from:.0%} of the rated one, from where torsional "
        "stiffness is read; it is not defined. Use a larger torque, or a smaller fit_from."
    )
