"""Run a model, planar or spatial: statics along a path, or dynamics in time.

Python orchestrates, kernels loop.
"""

import itertools
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import (
    Any,
    Concatenate,
    NamedTuple,
    ParamSpec,
    Protocol,
    cast,
    get_args,
    overload,
)

import numpy as np

from flank.arrays import Floats
from flank.contact.table import FRICTION_NONE
from flank.dynamics import march, runge_kutta, static_path, statics
from flank.dynamics.continuation import new_continuation
from flank.dynamics.kept_tangent import RENEWED, KeptWorkspace, kept_workspace
from flank.dynamics.model import CONTACTS, Model
from flank.dynamics.poses import (
    AnyModel,
    AnyRecord,
    AnyWorkspace,
    put,
    record_of,
    rows_of_record,
    shift_between,
    state_at,
    workspace,
)
from flank.dynamics.predictor import bends, smooth_steps
from flank.dynamics.schemes import Method, scheme_of
from flank.dynamics.spatial.model import SpatialModel
from flank.dynamics.stability import run_stable_step
from flank.dynamics.status import Status
from flank.dynamics.trajectory import (
    AnyTrajectory,
    Pose,
    SpatialPose,
    SpatialTrajectory,
    Trajectory,
)

POINTS_AT_ONCE = 32
"""Equilibria that a kernel goes through before Python is asked again; continuation asks besides."""

LONGEST_PIECE = 500
"""Intervals that a kernel integrates before Python is asked again."""

Progress = Callable[[float], None]
"""Called with the share done, 0 to 1."""


@dataclass(frozen=True)
class StaticSettings:
    """`force_tolerance` relative to the largest force at hand."""

    force_tolerance: float = 1e-9
    maximum_iterations: int = 300


DEFAULT_STATICS = StaticSettings()


class StepControl(NamedTuple):
    """How the steps of an engine are controlled unless settings say otherwise."""

    discontinuity_tolerance: float
    penetration_tolerance: float
    halvings: int
    rescue_halvings: int
    grow_after: int
    follows_error: bool
    machine_error_tolerance: float  # of a machine's steps, in m of a position
    machine_shortest_step: float  # over the longest; zero: by halvings


CONTROL = {
    # Stiff planar contacts switch within a step: it is halved by what they do.
    Model: StepControl(0.1, 0.02, 6, 10, 4, False, np.inf, 0.0),
    # Balls in space stay in touch and stick or slip: steps follow their error, and friction takes
    # hold within 1e-7 s. It sets the balls of a machine spinning within microseconds.
    SpatialModel: StepControl(np.inf, np.inf, 14, 14, 8, True, 1e-8, 1e-5),
}


@dataclass(frozen=True)
class DynamicSettings:
    """How to march: `method`, time `step` in s (the longest), and what error a step may have.

    'generalized-alpha' damps what the step does not resolve, by its `spectral_radius` at infinite
    frequency; 'trapezoid' is the implicit trapezoidal rule, which damps nothing. 'runge-kutta' is
    explicit and of order four, in equal steps that nothing shortens: of models in the plane, and
    stable only where `step` is short against the highest frequency (`stable_step`).

    With `keeps_tangent` Newton's iteration keeps the factors of its tangent until contacts open or
    close, the step changes, or it becomes slow; in the plane. The answers agree to the tolerance.

    A step is shortened whose switched contacts carry more than `discontinuity_tolerance` of the
    largest contact force, whose estimated position error exceeds `penetration_tolerance` of the
    deepest penetration, or `error_tolerance` in m; down to `step / 2**halvings`, and where Newton
    fails to `step / 2**rescue_halvings`, or both to `shortest_step` in s if that is given. What is
    None is chosen by the engine (`CONTROL`).
    """

    step: float
    method: Method = "generalized-alpha"
    spectral_radius: float = 0.8
    force_tolerance: float = 1e-8
    maximum_iterations: int = 12
    discontinuity_tolerance: float | None = None
    penetration_tolerance: float | None = None
    error_tolerance: float = np.inf
    halvings: int | None = None
    rescue_halvings: int | None = None
    shortest_step: float = 0.0
    keeps_tangent: bool = False

    def __post_init__(self) -> None:
        if self.method not in get_args(Method):
            raise ValueError(
                f"there is no method {self.method!r}; choose one of {', '.join(get_args(Method))}"
            )
        if not 0 <= self.spectral_radius <= 1:
            raise ValueError(
                f"a spectral radius of {self.spectral_radius:g} must lie between 0 (strongest "
                "damping of what the step does not resolve) and 1 (none)"
            )
        if not self.step > 0:
            raise ValueError(f"a time step of {self.step:g} s must be positive")
        if self.keeps_tangent and self.explicit:
            raise ValueError("an explicit method has no tangent to keep; leave keeps_tangent out")

    @property
    def explicit(self) -> bool:
        return self.method == "runge-kutta"


def settings_for(model: AnyModel, step: float, spectral_radius: float = 0.8) -> DynamicSettings:
    """How a machine is marched."""
    control = CONTROL[type(model)]
    return DynamicSettings(
        step,
        spectral_radius=spectral_radius,
        error_tolerance=control.machine_error_tolerance,
        shortest_step=control.machine_shortest_step * step,
    )


Guesses = Floats | Sequence[Pose] | None
"""A pose a time."""


Others = ParamSpec("Others")


class Solver(Protocol[Others]):
    """A function whose trajectory is of the kind that the model is."""

    @overload
    def __call__(
        self, model: Model, start: Floats, *args: Others.args, **kwargs: Others.kwargs
    ) -> Trajectory: ...

    @overload
    def __call__(
        self, model: SpatialModel, start: SpatialPose, *args: Others.args, **kwargs: Others.kwargs
    ) -> SpatialTrajectory: ...

    @overload
    def __call__(
        self, model: AnyModel, start: Pose, *args: Others.args, **kwargs: Others.kwargs
    ) -> AnyTrajectory: ...


def _of_either_engine(
    solver: Callable[Concatenate[AnyModel, Pose, Others], AnyTrajectory],
) -> Solver[Others]:
    return cast(Solver[Others], solver)


@_of_either_engine
def solve_statics(
    model: AnyModel,
    start: Pose,
    times: Floats,
    guesses: Guesses = None,
    *,
    settings: StaticSettings = DEFAULT_STATICS,
    progress: Progress | None = None,
) -> AnyTrajectory:
    """Equilibria at `times`, each found from the one before; friction by velocity does not act.

    `guesses`, a pose a time, say how bodies move from one time to the next, if that is known.
    """
    times = np.ascontiguousarray(times, dtype=float)
    model = _with_own_rows(model)
    state = state_at(model, start)
    state.velocity[:] = 0.0
    tolerances = statics.StaticTolerances(
        float(settings.force_tolerance), int(settings.maximum_iterations)
    )
    course, search = _course(model, times, guesses), statics.new_search()
    record, passed = record_of(state, len(times)), static_path.passed_at(state)
    how = tolerances, workspace(model), search, passed, record, new_continuation(model, state)
    status, number, switches = 0, 0, 0
    while number < len(times) and status in (0, statics.SEARCHING):
        last = min(number + POINTS_AT_ONCE, len(times))
        status, number, switched = static_path.equilibria(model, state, course, number, last, *how)
        switches += switched
        if progress is not None:
            progress(number / len(times))
    counters = {
        "equilibria": number,
        "newton_iterations": int(search["iterations"][0]),
        "rejected_steps": int(search["rejected"][0]),
        "contact_switches": switches,
    }
    return _trajectory(model, times[:number], record, status, counters)


def _with_own_rows(model: AnyModel) -> AnyModel:
    """The model with loads and contacts of its own, which continuation eases."""
    own: dict[str, Any] = {"contacts": model.contacts.copy(), "loads": model.loads.copy()}
    return model._replace(**own)


def _course(model: AnyModel, times: Floats, guesses: Guesses) -> static_path.Course:
    """Where motion is guessed little is left to be extrapolated: it took more steps, not fewer."""
    if guesses is None:
        smooth = smooth_steps(times, bends(model, float(times[0]), float(times[-1])))
        return static_path.Course(times, np.zeros((0, 1, 1)), smooth)
    pairs = itertools.pairwise((guesses[0], *guesses[: len(times)]))
    shifts = np.array([shift_between(*pair) for pair in pairs])
    return static_path.Course(times, shifts, np.zeros(len(times), dtype=bool))


@_of_either_engine
def solve_dynamics(
    model: AnyModel,
    start: Pose,
    duration: float,
    settings: DynamicSettings,
    velocity: Floats | None = None,
    *,
    stride: int = 1,
    progress: Progress | None = None,
    records: int = 0,
    begin: float = 0.0,
) -> AnyTrajectory:
    """Integrate for `duration` from a pose at the time `begin` on, start included.

    Every `stride`-th step is recorded, or as many equal intervals as `records` says.
    """
    going = ContinuedRun(model, start, velocity, begin=begin)
    run = going.advance(duration, settings, stride=stride, progress=progress, records=records)
    if sentence := unstable_step(model, run, settings):
        warnings.warn(sentence, RuntimeWarning, stacklevel=2)
    return run


def unstable_step(model: AnyModel, run: AnyTrajectory, settings: DynamicSettings) -> str:
    """A sentence if a run was made in steps too long for its method; else nothing."""
    if not settings.explicit or not isinstance(model, Model) or not isinstance(run, Trajectory):
        return ""
    limit = run_stable_step(model, run)
    return limit.sentence(settings.step) if settings.step > limit.step else ""


class ContinuedRun:
    """A run in time that goes on from where it is, piece by piece, with all that the integrator and
    the contacts remember. Kept by pickle it goes on the same to the last bit."""

    def __init__(
        self, model: AnyModel, start: Pose, velocity: Floats | None = None, *, begin: float = 0.0
    ) -> None:
        self.model = model
        self.time = begin
        self._state = state_at(model, start, velocity)
        self._step = np.zeros(2)  # in use, and how many were accepted since it last changed
        self._longest = 0.0  # zero before the first piece

    def advance(
        self,
        duration: float,
        settings: DynamicSettings,
        *,
        stride: int = 1,
        progress: Progress | None = None,
        records: int = 0,
    ) -> AnyTrajectory:
        """Integrate for `duration`; the first record is where the piece begins."""
        _refuse_settings(self.model, settings)
        model, state, work = self.model, self._state, _workspace(self.model, settings)
        stride = 1 if records else stride
        count = records or max(round(duration / (settings.step * stride)), 1)
        interval = duration / (count * stride)
        times = self.time + np.linspace(0.0, duration, count * stride + 1)
        record = record_of(state, count + 1)
        counters = np.zeros(4, dtype=np.int64)
        longest = min(settings.step, interval) if records else interval
        numbers = march_settings(model, settings, longest)
        status, done = 0, 0
        how = (stride, numbers, self._step, work, counters)
        if self._longest:  # a shortened step stays so in steps of another length
            self._step[0] *= numbers.longest_step / self._longest
        else:
            self._step[0] = min(numbers.longest_step, interval)
            status, done = march.march(model, state, times[:1], *how, rows_of_record(record, 0, 1))
        self._longest = numbers.longest_step
        sums = np.zeros((2, *state.velocity.shape))
        explicit = stride, numbers.longest_step, work, sums, counters
        put(record, 0, state)
        for first, last in pieces(count, stride) if status == 0 else []:
            piece = times[first * stride : last * stride + 1]
            rows = rows_of_record(record, first + 1, last + 1)
            if settings.explicit:
                status, intervals = runge_kutta.march_explicitly(
                    model, state, piece, *explicit, rows
                )
            else:
                status, intervals = march.march(model, state, piece, *how, rows)
            done = first + intervals // stride
            if progress is not None:
                progress(done / count)
            if status != 0:
                break
        self.time = float(times[-1])
        names = ("steps", "newton_iterations", "rejected_steps", "contact_switches")
        counted = dict(zip(names, counters.tolist(), strict=True))
        if isinstance(work, KeptWorkspace):
            counted["tangents"] = int(work.kept[RENEWED])
        return _trajectory(model, times[: done * stride + 1 : stride], record, status, counted)


def _workspace(model: AnyModel, settings: DynamicSettings) -> AnyWorkspace | KeptWorkspace:
    if settings.keeps_tangent and isinstance(model, Model):
        return kept_workspace(model)
    return workspace(model)


def _refuse_settings(model: AnyModel, settings: DynamicSettings) -> None:
    if isinstance(model, SpatialModel) and (settings.explicit or settings.keeps_tangent):
        asked = "the method 'runge-kutta'" if settings.explicit else "keeps_tangent"
        raise ValueError(f"{asked} is for models in the plane; leave it out in space")


def march_settings(
    model: AnyModel, settings: DynamicSettings, full_step: float
) -> march.MarchSettings:
    """What the kernels go by; `full_step` in s is what is halved where steps are halved."""
    control = CONTROL[type(model)]
    chosen = {name: getattr(settings, name, None) for name in StepControl._fields}
    control = control._replace(**{k: v for k, v in chosen.items() if v is not None})
    longest = settings.step if control.follows_error else full_step
    rescue = max(control.halvings, control.rescue_halvings)
    return march.MarchSettings(
        scheme_of(settings.method, settings.spectral_radius),
        float(settings.force_tolerance),
        int(settings.maximum_iterations),
        float(control.discontinuity_tolerance),
        float(control.penetration_tolerance),
        float(settings.error_tolerance),
        float(longest),
        float(settings.shortest_step or longest / 2**rescue),
        float(settings.shortest_step or longest / 2**control.halvings),
        int(control.grow_after),
        bool(control.follows_error or settings.error_tolerance < np.inf),
        _has_friction_in_space(model),
    )


def _has_friction_in_space(model: AnyModel) -> bool:
    """Only in space, where `geometric_factor` also scales what friction takes off the tangent."""
    forms = model.contacts["friction_form"]
    return isinstance(model, SpatialModel) and bool(np.any(forms != FRICTION_NONE))


def _trajectory(
    model: AnyModel, times: Floats, record: AnyRecord, status: int, counters: dict[str, int]
) -> AnyTrajectory:
    rows: dict[str, Any] = {name: getattr(record, name)[: len(times)] for name in record._fields}
    for name in {"multipliers", "impulse"}.intersection(rows):
        rows[name] = rows[name][:, : model.constraint_count]
    rows["contact_results"] = rows["contact_results"][:, : model.counts[CONTACTS]]
    kind = SpatialTrajectory if isinstance(model, SpatialModel) else Trajectory
    return kind(time=times, **rows, status=Status(status), counters=counters)


def pieces(count: int, stride: int) -> list[tuple[int, int]]:
    """Pieces short enough for a progress bar to move and an interrupt to be heard."""
    parts = min(count, max(50, count * stride // LONGEST_PIECE))
    edges = np.linspace(0, count, parts + 1).astype(int)
    return [(int(a), int(b)) for a, b in itertools.pairwise(edges)]
