"""Joint map: what a ball joint does over torque, angle between its shafts, friction, and any other
number of its spec.

Every point is a run of its own, as `joint-turns` makes it; points run side by side on all cores. A
point that fails or cannot be built leaves its values open and says why.
"""

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from threading import Event
from typing import Annotated, Any, ClassVar

import numpy as np

from flank.analyses.joint_quantities import FIGURES, joint_curves
from flank.analyses.joint_turns import JointTurnsSettings, compute_turns, joint_figures
from flank.analyses.quantities import Declared, Quantities, Read, Values, number
from flank.analyses.result import Ending, Result, make_result
from flank.analyses.settings import spread, value_list
from flank.blas import usable_cores
from flank.dynamics.run import Progress
from flank.dynamics.status import Status
from flank.errors import SpecError, suggestion
from flank.machines.cv_joint.joint import CvJoint
from flank.machines.cv_joint.parts import Deflection
from flank.machines.cv_joint.spec import CvJointSpec
from flank.machines.fields import field_at, metadata
from flank.machines.quantities import Coefficient, Quantity, Torque, WholeNumber
from flank.machines.spec import key
from flank.machines.spec_keys import keys_of
from flank.texts import echo

MAIN = ("torque", "angle", "friction")
OVER = "torque angle friction {varied}"
"""Dimensions; what else varies is known to the run."""

ELSEWHERE = {
    "operation.torque": "torques",
    "operation.deflection": "angles",
    "contact.friction.sliding": "frictions",
}
"""Keys of the spec that have a setting of their own."""

MOST_POINTS = 10_000

MAPPED = (
    "mean_track_force",
    "peak_track_force",
    "mean_window_force",
    "peak_window_force",
    "peak_pressure",
    "secondary_torque_outer",
    "secondary_torque_inner",
    "largest_cage_deviation",
    "axial_force_order",
    "axial_place_range",
    "axial_place_order",
    "sideways_range",
    "loss",
    "efficiency",
    "energy_remainder",
    "repeat_change",
)
"""Figures of joint-turns that are kept, those that it has."""

LISTED = {
    "mean_track_force": "Track, mean",
    "peak_window_force": "Cage, peak",
    "secondary_torque_inner": "Secondary torque",
    "axial_force_order": "Axial order",
    "loss": "Loss",
}
"""Figures of the table of points, and their titles there."""

MOST_LISTED = 32
"""Points up to which there is such a table."""

QUANTITIES = Quantities(
    "joint-map",
    {
        **{name: FIGURES[name]._replace(over=OVER) for name in MAPPED},
        "outcome": Declared("How the point ended", over=OVER),
        "point_torque": Declared("Torque", "N*m", over="point"),
        "point_angle": Declared("Angle", "rad", "deg", "point"),
        "point_friction": Declared("Friction", over="point"),
        "point_varied": Declared("Besides", over="point"),
        **{
            f"point_{name}": FIGURES[name]._replace(title=title, over="point")
            for name, title in LISTED.items()
        },
    },
    {
        "torque": Declared("Torque", "N*m", over="torque"),
        "angle": Declared("Angle between the shafts", "rad", "deg", "angle"),
        "friction": Declared("Sliding friction", over="friction"),
        "{varied}": Declared("{title}", "{unit}", "{shown unit}", "{varied}"),
    },
    {
        "Points": (
            "point_torque",
            "point_angle",
            "point_friction",
            "point_varied",
            *(f"point_{name}" for name in LISTED),
        )
    },
)

SHARES = (0.25, 0.5, 0.75, 1.0)
"""Of the operating point, where no values are given."""

Torques = Annotated[tuple[Torque, ...], value_list("N*m")]
Angles = Annotated[tuple[Deflection, ...], value_list("rad")]
Frictions = Annotated[tuple[Coefficient, ...], value_list("")]


class JointMapSettings(JointTurnsSettings):
    """Which points, and how each is run."""

    torques: Torques = key(
        "torques, as a list or a range; quarters of the operating point's if absent",
        "{from: 250 N*m, to: 2000 N*m, points: 8}",
        default=(),
    )
    angles: Angles = key(
        "angles between the shafts, as a list or a range; quarters of the operating "
        "point's if absent",
        "[1 deg, 2 deg, 4 deg]",
        default=(),
    )
    frictions: Frictions = key(
        "coefficients of sliding friction, as a list or a range; the machine's if absent",
        "[0, 0.03, 0.06]",
        default=(),
    )
    over: dict[str, Any] = key(
        "other numbers of the spec by key, each as a list or a range",
        "{tracks.contact_angle: {from: 40 deg, to: 50 deg, points: 3}}",
        default={},
    )
    points_per_turn: Annotated[int, WholeNumber(minimum=16, maximum=100_000)] = key(
        "points of a turn from which figures are taken", default=72
    )

    ONLY: ClassVar[dict[str, tuple[str, ...]]] = {
        "static": (),
        "dynamic": (*JointTurnsSettings.ONLY["dynamic"], "frictions"),
    }

    def cross_checks(self) -> Iterable[str]:
        yield from super().cross_checks()
        lists = [self.torques or SHARES, self.angles or SHARES, self.frictions or (0.0,)]
        try:
            lists += [varied.values for varied in varied_of(self.over)]
        except ValueError as error:
            yield str(error)
            return
        if (count := math.prod(map(len, lists))) > MOST_POINTS:
            names = "angles, frictions and over" if self.over else "angles and frictions"
            yield f"torques, {names} make {count} points; {MOST_POINTS} are allowed"


@dataclass(frozen=True)
class Varied:
    """A number of the spec by its key, its values in SI, and how people read them."""

    path: str
    values: tuple[float, ...]
    measure: Quantity

    @property
    def dimension(self) -> str:
        return re.sub(r"\W", "_", self.path)

    @property
    def title(self) -> str:
        return self.path.replace(".", ", ").replace("_", " ").capitalize()

    def words(self) -> dict[str, str]:
        return {
            "varied": self.dimension,
            "title": self.title,
            "unit": self.measure.si_unit,
            "shown unit": self.measure.shown_unit,
        }


def varied_of(over: Mapping[str, Any]) -> list[Varied]:
    """What `over` names; ValueError with one sentence about a key or a value that is wrong."""
    return [_varied(str(path), given) for path, given in over.items()]


def _varied(path: str, given: Any) -> Varied:
    if path in ELSEWHERE:
        raise ValueError(f"over.{path} has a setting of its own; use '{ELSEWHERE[path]}'")
    parts = tuple(path.split("."))
    field = field_at(CvJointSpec, parts) if parts[0] in CvJointSpec.model_fields else None
    measure = field and (metadata(field, Quantity) or metadata(field, WholeNumber))
    if not measure:
        known = [each.path for each in keys_of(CvJointSpec)]
        near = suggestion(path, known)
        raise ValueError(
            f"over.{echo(path)} is no number of the spec{'.' if path in known else near} "
            "'flank list cv-joint' shows its keys"
        )
    unit = measure.si_unit if isinstance(measure, Quantity) else ""
    try:
        values = [measure.parse(value) for value in spread(unit)(given)]
    except ValueError as error:
        raise ValueError(f"over.{path}: {error}") from None
    reading = measure if isinstance(measure, Quantity) else Quantity("", "")
    return Varied(path, tuple(values), reading)


DEFAULTS = JointMapSettings()


@dataclass(frozen=True)
class Point:
    """What came of one point: its figures, none if it failed, and why."""

    figures: Values = field(default_factory=dict)
    outcome: str = Status.OK.sentence
    counters: dict[str, int] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        return bool(self.figures)

    def value(self, name: str) -> float:
        """Of one figure, not a number where it is not known."""
        return number(self.figures.get(name, math.nan))


def run(
    machine: CvJoint,
    settings: JointMapSettings = DEFAULTS,
    progress: Progress | None = None,
) -> Result:
    """Forces, secondary torque, cage angle, axial force and losses at every point."""
    varied = varied_of(settings.over)
    axes = axes_of(machine, settings)
    places = list(itertools.product(*axes, *(each.values for each in varied)))
    points = _run_all(machine, settings, places, progress)
    shape = tuple(len(axis) for axis in (*axes, *(each.values for each in varied)))
    dimensions = {"varied": " ".join(each.dimension for each in varied)}
    values = _maps(points, shape, dimensions)
    outcomes = np.array([point.outcome for point in points], dtype=str)
    values["outcome"] = Read(outcomes.reshape(shape), dimensions)
    values |= _listed(places, points, values, varied) if len(places) <= MOST_LISTED else {}
    values |= dict(zip(MAIN, axes, strict=True))
    values |= {each.dimension: Read(each.values, each.words()) for each in varied}
    warnings = _warnings(points, settings)
    return make_result(QUANTITIES, machine, settings, _ending(points), values, warnings)


def axes_of(machine: CvJoint, settings: JointMapSettings) -> tuple[tuple[float, ...], ...]:
    """Torques, angles and frictions of the map."""
    torques = settings.torques or tuple(share * machine.torque for share in SHARES)
    angles = settings.angles or tuple(share * machine.deflection for share in SHARES)
    friction = 0.0 if settings.mode == "static" else machine.friction
    frictions = settings.frictions or (friction,)
    return torques, angles, frictions


def _run_all(
    machine: CvJoint,
    settings: JointMapSettings,
    places: Sequence[tuple[float, ...]],
    progress: Progress | None,
) -> list[Point]:
    """All points, one to a thread and as many threads as cores: kernels run side by side."""
    # The first point alone: threads that all meet a kernel not yet compiled wait for each other.
    first = run_point(machine, settings, places[0])
    if progress is not None:
        progress(1 / len(places))
    stop = Event()

    def check_stop(_: float) -> None:
        if stop.is_set():
            raise InterruptedError("the map was stopped")

    with ThreadPoolExecutor(usable_cores()) as pool:
        jobs = [
            pool.submit(run_point, machine, settings, place, check_stop) for place in places[1:]
        ]
        try:
            for number, _ in enumerate(as_completed(jobs), start=2):
                if progress is not None:
                    progress(number / len(places))
        except BaseException:  # an interrupt waits for no point, begun or not
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        return [first, *(job.result() for job in jobs)]


def run_point(
    machine: CvJoint,
    settings: JointMapSettings,
    place: tuple[float, ...],
    progress: Progress | None = None,
) -> Point:
    """One point: the joint there, in its periodic state."""
    (torque, angle, friction), others = place[: len(MAIN)], place[len(MAIN) :]
    try:
        joint = machine.at(torque, angle, friction, dict(zip(settings.over, others, strict=True)))
        computed = compute_turns(joint, settings, progress)
    except SpecError as error:
        return Point(outcome="; ".join(error.problems))
    if not computed.trajectory.complete:
        return Point({}, computed.trajectory.status.sentence, computed.trajectory.counters)
    curves = joint_curves(computed.assembly, computed.trajectory, joint.contacts, settings.mode)
    figures = joint_figures(joint, computed, curves, settings.mode)
    return Point(figures, computed.trajectory.status.sentence, computed.trajectory.counters)


def _maps(points: Sequence[Point], shape: tuple[int, ...], dimensions: Mapping[str, str]) -> Values:
    """Figures over all points, as far as any point has them."""
    known = {name: given for point in reversed(points) for name, given in point.figures.items()}
    values: Values = {}
    for name, given in known.items():
        if name in MAPPED:
            words = {**(given.words if isinstance(given, Read) else {}), **dimensions}
            values[name] = Read(np.reshape([point.value(name) for point in points], shape), words)
    return values


def _listed(
    places: Sequence[tuple[float, ...]],
    points: Sequence[Point],
    maps: Values,
    varied: Sequence[Varied],
) -> Values:
    """The main figures point by point."""
    torques, angles, frictions, *others = zip(*places, strict=True)
    texts = [
        [each.measure.shown(value) for value in values]
        for each, values in zip(varied, others, strict=True)
    ]
    besides = [", ".join(parts) for parts in zip(*texts, strict=True)]
    return {
        **({"point_varied": np.array(besides, dtype=str)} if varied else {}),
        "point_torque": torques,
        "point_angle": angles,
        "point_friction": frictions,
        **{
            f"point_{name}": np.array([point.value(name) for point in points])
            for name in LISTED
            if name in maps
        },
    }


def _ending(points: Sequence[Point]) -> Ending:
    failed = [point for point in points if not point.complete]
    counters = Counter[str]({"points": len(points)})
    for point in points:
        counters.update(point.counters)
    sentence = Status.OK.sentence
    if failed:
        count = f"{len(failed)} of {len(points)} points failed"
        sentence = f"{count}, the first so: {failed[0].outcome}"
    return Ending(sentence, not failed, dict(counters))


def _warnings(points: Sequence[Point], settings: JointMapSettings) -> list[str]:
    if settings.mode == "static":
        return []
    changes = [point.value("repeat_change") for point in points if point.complete]
    moving = sum(not change <= settings.repeat_tolerance for change in changes)
    if not moving:
        return []
    return [
        f"At {moving} of {len(changes)} points the last turn changes track forces by more than "
        f"{settings.repeat_tolerance:.2%} against the one before: see repeat_change, and use more "
        "most_turns."
    ]
