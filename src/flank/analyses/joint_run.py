"""Joint run: a ball joint over time, while torque, speed, deflection and plunge change.

The run begins in the equilibrium of the frictionless joint under what it begins with, every body
moving as in the rigid joint at the first speed. Torques are straight between their points and may
jump, where the run is cut; speeds are straight too; deflection and plunge go smoothly through their
points (`analyses.courses`). The whole record is kept.

The balance of energy is over what goes through the joint in either direction: the sum of the sizes
of the work that drives or loads do from record to record, which does not cancel where a torque
changes its sign.
"""

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np

from flank.analyses.courses import WAVE, Rates, described_points, smooth_motion, turning
from flank.analyses.joint_quantities import (
    FIGURES,
    Curves,
    energy_figures,
    joint_coordinates,
    joint_curves,
)
from flank.analyses.joint_quantities import QUANTITIES as TURNS
from flank.analyses.joint_reading import energy_balance
from flank.analyses.joint_turns import (
    TURN,
    JointIntegration,
    figure_warnings,
    initial_equilibrium,
)
from flank.analyses.quantities import LESS, Declared, Quantities, Values
from flank.analyses.result import Result, make_result
from flank.analyses.settings import (
    SpeedCurve,
    TorqueCurve,
    TorquePoint,
    curve_problems,
    jumps,
    points_of,
    too_many_steps,
    torque_between,
    torques_at,
)
from flank.analyses.warnings import uncovered_course_warnings
from flank.dynamics.run import Progress, solve_dynamics
from flank.dynamics.spatial.model import DRIVES, LOADS
from flank.dynamics.trajectory import SpatialTrajectory, joined
from flank.errors import SpecError
from flank.machines.cv_joint.assembly import OUTER, JointAssembly, JointDrive
from flank.machines.cv_joint.joint import CvJoint
from flank.machines.cv_joint.parts import Deflection
from flank.machines.quantities import (
    Length,
    NonNegativeTime,
    PositiveTime,
    WholeNumber,
    quantity,
)
from flank.machines.spec import Spec, WrittenTuple, key
from flank.texts import mm

MOST_STEPS = 1e8
"""Hours: a step of a joint takes some tens of microseconds or more."""

COURSES = ("torque", "speed", "deflection", "plunge")
"""What is prescribed over time."""

KNOTS = 400
"""Of a course in one piece of a run: a kernel looks for its place among them in every step."""

KEPT = (
    "peak_track_force",
    "peak_window_force",
    "peak_pressure",
    "largest_cage_deviation",
    "ball_stroke",
    "axial_place_range",
    "sideways_range",
    "largest_sliding",
    "largest_drilling",
    "loss",
    "efficiency",
    "energy_remainder",
)
"""Figures that a run shares with turns."""


def _over_time(declared: Declared) -> Declared:
    return declared._replace(over=declared.over.replace("angle", "time", 1))


QUANTITIES = Quantities(
    "joint-run",
    {
        **{name: FIGURES[name] for name in KEPT},
        "largest_secondary_torque": Declared("Largest secondary torque", "N*m", better=LESS),
        "turns": Declared("Turns of the outer race"),
        "torque": Declared("Torque from the outer to the inner race", "N*m", over="time"),
        "speed": Declared("Speed of the outer race", "rad/s", "rpm", "time"),
        "output_speed": Declared("Speed of the inner race", "rad/s", "rpm", "time"),
        "turned": Declared("Angle of the outer race", "rad", "deg", "time"),
        **{
            name: _over_time(declared)
            for name, declared in TURNS.declared.items()
            if declared.over.startswith("angle")
        },
        **{name: TURNS.declared[name] for name in ("energy", "energy_amount", "energy_share")},
    },
    {
        "time": Declared("Time", "s", over="time"),
        **{
            name: declared
            for name, declared in TURNS.coordinates.items()
            if name not in ("angle", "time")
        },
    },
    {"Energy over the run": ("energy", "energy_amount", "energy_share")},
    curves=(("time", "axial_force"),),
)


class DeflectionPoint(Spec):
    """An angle between the shafts at a time."""

    time: NonNegativeTime = key("the time", "2 s")
    deflection: Deflection = key("the deflection", "4 deg")


class PlungePoint(Spec):
    """A place of the inner race along its axis at a time."""

    time: NonNegativeTime = key("the time", "2 s")
    place: Length = key("the place", "1 mm")


DeflectionCurve = Annotated[tuple[DeflectionPoint, ...], points_of(DeflectionPoint)]
PlungeCurve = Annotated[tuple[PlungePoint, ...], points_of(PlungePoint)]

FORMS = "constant, as [time, {}] points, a file or a function"


class JointRunSettings(JointIntegration):
    """What the joint is put through; what is left out is as its operating point has it."""

    duration: PositiveTime = key("how long", "2 s", default=0.4)
    torque: TorqueCurve = key(
        f"from the outer to the inner race, {FORMS.format('torque')}; two points at one time are a "
        "jump; the operating point's if absent",
        "[[0 s, 2000 N*m], [0.2 s, -500 N*m]]",
        default=(),
    )
    speed: SpeedCurve = key(
        f"of the outer race, {FORMS.format('speed')}; the operating point's if absent",
        "{function: rise, to: 1000 rpm, duration: 0.5 s}",
        default=(),
    )
    deflection: DeflectionCurve = key(
        f"angle between the shafts, {FORMS.format('deflection')}, followed smoothly; the operating "
        "point's if absent",
        "{file: steering.csv, column: deflection}",
        default=(),
    )
    plunge: PlungeCurve = key(
        f"place of the inner race along its axis, {FORMS.format('place')}, followed smoothly; "
        "held, free or moved as the spec has it if absent",
        "{function: sine, amplitude: 2 mm, frequency: 5 Hz, duration: 1 s}",
        default=(),
    )
    points: Annotated[int, WholeNumber(minimum=20, maximum=20_000)] = key(
        "points in time that are kept", default=1000
    )

    def cross_checks(self) -> Iterable[str]:
        yield from super().cross_checks()
        if self.torque:
            yield from curve_problems("torque", self.torque)
        for name in ("speed", "deflection", "plunge"):
            times = [point.time for point in getattr(self, name)]
            if any(a >= b for a, b in itertools.pairwise(times)):
                yield f"{name}: its times must rise; a {name} cannot jump"


DEFAULTS = JointRunSettings()


@dataclass(frozen=True)
class Courses:
    """What is prescribed over time; without a plunge the race is free along its axis."""

    torque: tuple[TorquePoint, ...]
    angle: Rates
    deflection: Rates
    plunge: Rates | None
    duration: float

    def between(self, first: float, last: float) -> JointDrive:
        """The drive from one time to another, time counted from the first."""
        reaction = [point.model_copy(update={"torque": -point.torque}) for point in self.torque]
        return JointDrive(
            {"outer": self.angle.between(first, last)},
            {"inner": torque_between(reaction, first, last)},
            in_time=True,
            deflection=self.deflection.between(first, last),
            plunge=self.plunge and self.plunge.between(first, last),
        )

    @property
    def shortest_turn(self) -> float:
        """s; of a joint that does not turn, the whole run."""
        fastest = float(np.abs(self.angle.rate).max())
        return TURN / fastest if fastest > 0 else self.duration

    @property
    def edges(self) -> list[float]:
        """Where the run begins, is cut, and ends: at jumps of the torque, and so that no piece has
        too many knots."""
        times = np.array([point.time for point in self.torque])
        moving = [each.time for each in (self.angle, self.deflection, self.plunge) if each]
        cuts = {time for knots in (times, *moving) for time in knots[KNOTS::KNOTS].tolist()}
        cuts |= set(jumps({"inner": self.torque}, self.duration))
        return [0.0, *sorted(t for t in cuts if 0 < t < self.duration), self.duration]


def run(
    machine: CvJoint, settings: JointRunSettings = DEFAULTS, progress: Progress | None = None
) -> Result:
    """Forces, motion, torques and energies of a joint over the whole time."""
    courses = courses_of(machine, settings)
    _check_reach(machine, courses)
    step = settings.integration(courses.shortest_turn).step
    if problems := list(too_many_steps(settings.duration, step, MOST_STEPS)):
        raise SpecError(problems)
    assembly, trajectory = march(machine, courses, settings, progress)
    curves = joint_curves(assembly, trajectory, machine.contacts, "dynamic")
    values: Values = {}
    if curves:
        curves["axial_force"][0] = curves["axial_force"][1]  # nothing came before, as in turns
        values = _figures(assembly, trajectory, curves) if trajectory.complete else {}
        values |= curves | _driven(assembly, trajectory, courses)
        values |= joint_coordinates(assembly, trajectory.time, trajectory.time)
        del values["angle"]
    warnings = _warnings(courses, settings, values)
    return make_result(QUANTITIES, machine, settings, trajectory, values, warnings)


def courses_of(machine: CvJoint, settings: JointRunSettings) -> Courses:
    """What the settings give, and the operating point for the rest."""
    operation = machine.spec.operation
    torque = settings.torque or (TorquePoint(time=0.0, torque=machine.torque),)
    speeds = [(point.time, point.speed) for point in settings.speed] or [(0.0, machine.speed)]
    deflection = [(point.time, point.deflection) for point in settings.deflection]
    if not deflection and (ramp := operation.ramp):
        rise = {"from": ramp.start, "to": machine.deflection, "duration": ramp.duration}
        deflection = described_points({"function": "rise"} | rise, ANY_ANGLE)
    return Courses(
        torque,
        turning(_lasting(speeds, settings.duration)),
        smooth_motion(deflection or [(0.0, machine.deflection)], settings.duration),
        _plunge(machine, settings),
        settings.duration,
    )


ANY_ANGLE, ANY_PLACE = quantity("rad", "rad"), quantity("m", "m")


def _lasting(points: Sequence[tuple[float, float]], duration: float) -> list[tuple[float, float]]:
    """Speeds from the beginning to the end of a run, constant before the first and after the
    last."""
    times, values = zip(*points, strict=True)
    inside = [(t, y) for t, y in points if 0 < t < duration]
    ends = [(t, float(np.interp(t, times, values))) for t in (0.0, duration)]
    return [ends[0], *inside, ends[1]]


def _plunge(machine: CvJoint, settings: JointRunSettings) -> Rates | None:
    if settings.plunge:
        points = [(point.time, point.place) for point in settings.plunge]
        return smooth_motion(points, settings.duration)
    plunge = machine.spec.operation.plunge
    if plunge.kind == "free":
        return None
    if plunge.kind == "held":
        return smooth_motion([(0.0, plunge.at)], settings.duration)
    wave: dict[str, Any] = {
        "function": "sine",
        "mean": plunge.at,
        "amplitude": plunge.amplitude,
        "frequency": plunge.frequency,
        "duration": settings.duration,
    }
    return smooth_motion(described_points(wave, ANY_PLACE), settings.duration)


def _check_reach(machine: CvJoint, courses: Courses) -> None:
    """Whether the joint has room at the largest deflection and plunge; SpecError if it has not."""
    largest = float(courses.deflection.value.max())
    place = 0.0 if courses.plunge is None else float(np.abs(courses.plunge.value).max())
    changes: dict[str, Any] = {"operation.deflection": largest, "operation.ramp": None}
    if courses.plunge is not None:
        changes["operation.plunge"] = {"kind": "held", "at": place}
    try:
        CvJoint(machine.spec.with_changes(changes))
    except SpecError as error:
        raise SpecError(
            [
                f"at a deflection of {math.degrees(largest):.4g} deg and a plunge of {mm(place)}, "
                f"the largest of the run: {problem}"
                for problem in error.problems
            ]
        ) from None


def march(
    machine: CvJoint,
    courses: Courses,
    settings: JointRunSettings,
    progress: Progress | None = None,
) -> tuple[JointAssembly, SpatialTrajectory]:
    """Piece by piece, records evenly over the whole run."""
    edges = courses.edges
    drive = courses.between(*edges[:2])
    equilibrium, standing = initial_equilibrium(machine, drive)
    if not equilibrium.complete:
        return standing, equilibrium
    integration = settings.integration(courses.shortest_turn)
    assembly = machine.assemble(drive)
    pose = replace(equilibrium.last, velocity=assembly.start.velocity)
    parts: list[SpatialTrajectory] = []
    for first, last in itertools.pairwise(edges):

        def report_progress(share: float, first: float = first, last: float = last) -> None:
            if progress is not None:
                progress((first + share * (last - first)) / settings.duration)

        model = machine.assemble(courses.between(first, last)).spatial
        part = solve_dynamics(
            model,
            pose,
            last - first,
            integration,
            records=max(round(settings.points * (last - first) / settings.duration), 1),
            progress=report_progress,
        )
        assert isinstance(part, SpatialTrajectory)
        parts.append(replace(part, time=part.time + first))
        if not part.complete:
            break
        pose = part.last
    later = [part.since(1) for part in parts[1:]]
    return assembly, joined([parts[0], *later], [equilibrium, *parts])


def _driven(assembly: JointAssembly, trajectory: SpatialTrajectory, courses: Courses) -> Values:
    """What was prescribed, and what came of it at the other shaft."""
    time = trajectory.time
    return {
        "torque": torques_at(courses.torque, time),
        "speed": np.interp(time, courses.angle.time, courses.angle.rate),
        "output_speed": trajectory.speed(assembly.output_shaft),
        "turned": np.array([courses.angle.at(t) for t in time.tolist()]),
    }


def _figures(assembly: JointAssembly, trajectory: SpatialTrajectory, curves: Curves) -> Values:
    sliding = np.hypot(curves["sliding_along"], curves["sliding_across"])
    ledger = np.abs(np.diff(trajectory.ledger[:, [DRIVES, LOADS]], axis=0)).sum(axis=0)
    balance = energy_balance(assembly.spatial, trajectory)
    through = float(ledger.max())
    figures = energy_figures(balance, through)
    places = {"axial_place_range": "axial_place", "sideways_range": "sideways_place"}
    return {
        "peak_track_force": float(curves["track_force"].max()),
        "peak_window_force": float(curves["window_force"].max()),
        "peak_pressure": float(
            max(curves["track_pressure"].max(), curves["window_pressure"].max())
        ),
        "largest_cage_deviation": float(curves["cage_deviation"].max()),
        "ball_stroke": float(np.ptp(curves["ball_place"][..., OUTER, 2], axis=0).max()),
        **{
            name: float(np.ptp(curves[curve], axis=0).max())
            for name, curve in places.items()
            if curve in curves and (curve != "axial_place" or assembly.plunge < 0)
        },
        "largest_sliding": float(np.nanmax(sliding, initial=0.0)),
        "largest_drilling": float(np.nanmax(np.abs(curves["drilling"]), initial=0.0)),
        "largest_secondary_torque": float(
            np.linalg.norm(curves["secondary_torque"], axis=-1).max()
        ),
        "turns": float(abs(trajectory.angle(assembly.input_shaft)[-1]) / TURN),
        **figures,
        "efficiency": 1 - (balance.friction + balance.damping) / through if through else math.nan,
    }


def _closest(settings: JointRunSettings) -> float:
    """The shortest time between two points of a course; of a function, what a step must resolve of
    it, an eighth of a half wave."""
    shortest = math.inf
    for name in COURSES:
        points = getattr(settings, name)
        steps = np.diff([point.time for point in points])
        waves = isinstance(points, WrittenTuple) and "function" in points.written
        if np.any(steps > 0):
            shortest = min(shortest, float(steps[steps > 0].min()) * (WAVE / 8 if waves else 1))
    return shortest


def _warnings(courses: Courses, settings: JointRunSettings, values: Values) -> list[str]:
    sentences = []
    step, closest = settings.integration(courses.shortest_turn).step, _closest(settings)
    if closest < step:
        sentences.append(
            f"Points of a course are {closest:.3g} s apart and steps {step:.3g} s long, "
            "which pass over them; use a smaller step, or fewer points."
        )
    files = {name: getattr(settings, name) for name in COURSES}
    sentences += uncovered_course_warnings(files, settings.duration)
    return sentences + figure_warnings(values)
