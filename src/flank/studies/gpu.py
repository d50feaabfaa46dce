"""Paths of many samples on a GPU, through equilibria or in time, by the kernels of the processor.

A sample of a large machine is worked on by a team of threads, one of a small machine by one thread.
The model is there once. As many teams as the GPU holds at a time have a place each, with the rows
that errors change, a state and scratch arrays, and go from sample to sample; so what is in use
stays small. What a team has lies together, its tangent in the memory that its processor has for
itself, where it fits; of single threads, numbers of the same name lie side by side. What a thread
does is written as Python text,

    def walk(models, states, ...):
        place = cuda.blockIdx.x
        model = Model(models.mass, ..., models.contacts[place], ...)
        for sample in range(place, status.shape[0], places):
            deviate(..., draws[sample], ...)
            result = equilibria(model, ...)
            status[sample] = result[0]

and compiled by numba-cuda when the first samples come, which takes one to two minutes. What it does
with each sample is a walk's (walks.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from importlib.util import find_spec
from typing import Any, NamedTuple, Protocol

import numpy as np

from flank.arrays import AnyArray, Floats, Integers
from flank.contact.registry import TEETH_NUMBER
from flank.contact.table import KINDS, LAWS
from flank.dynamics.elimination import entries_of, listed
from flank.dynamics.engine import evaluate
from flank.dynamics.ensemble import Varied, begin_sample, deviate
from flank.dynamics.model import (
    BEAMS,
    JOINTS,
    SPRINGS,
    Model,
    State,
    Workspace,
    initial_state,
    workspace,
)
from flank.dynamics.static_path import Passed, Readings, passed_at, readings_of
from flank.dynamics.tables import BUSHING, COUPLED, GUIDE, TOOTH, TORSION
from flank.errors import SpecError
from flank.kernel import ForGpu, compiling_for_gpu, gpu_target
from flank.studies.deviations import Nominal
from flank.studies.loop_figures import PathReadings
from flank.studies.walks import Walk
from flank.team import (
    LARGEST_TEAM,
    OF_BEAMS,
    OF_COUPLED,
    OF_MESHES,
    OF_PLATES,
    OF_TEETH,
    rank,
)

BLOCK = 64
"""Threads that are started together where each is alone."""

TEAMS_OF_A_PROCESSOR, THREADS_OF_A_PROCESSOR = 16, 256
"""Places by each of a GPU's processors: for as many teams, or threads, as it can hold at a time."""

SMALL = 32
"""Unknowns of a machine whose samples are one thread's each, at most: a team would wait for itself
more than it computes. Contacts on elastic plates are one thread's, too."""

MEMORY_SHARE = 0.8
"""Of what is free on a GPU; the rest is for what its threads keep by themselves, and for others."""

SHARED_BYTES = 48 * 1024
"""Memory that a team finds at its processor without asking for more."""

OF_A_SAMPLE = ("contacts", "curves", "joints", "springs")
"""Tables of a model that each sample has for itself."""

BY_MEMBERS = (BUSHING, GUIDE, TORSION, COUPLED)
"""Kinds of springs that members of a team compute beside each other."""

HANDED_AT_A_TIME = 16
"""Members of a team that write an element down at a time: memory at the processor is dear."""

OF_A_THREAD = ("element", "block")
"""Scratch arrays that each thread has for itself."""

OF_A_TEAM = ("handed", "right", "core")
"""Scratch arrays that lie at the team's processor if they fit, the first ones first."""


class Batch(NamedTuple):
    """What came of samples: a status each, and what was read of those that are complete."""

    status: Integers
    readings: PathReadings


class Device(Protocol):
    """A GPU, or what stands for one in tests: memory for samples, and threads."""

    names: Mapping[str, Any]  # that the text of kernels needs
    largest_team: int

    def using(self, target: ForGpu) -> AbstractContextManager[None]:
        """Inside, what is made, compiled and started is this GPU's."""

    def places(self, team: int) -> int:
        """For teams of so many threads, as many as there are at a time."""

    def free_bytes(self) -> int: ...

    def zeros(self, shape: tuple[int, ...], dtype: Any, axis: int = 0) -> Any:
        """An array whose `axis` counts places or samples."""

    def sent(self, array: AnyArray) -> Any: ...

    def fetched(self, array: Any) -> AnyArray: ...

    def as_rows(self, words: Any, rows: Any) -> Any:
        """Words, in the last dimension of three, as rows with named fields, where they are."""

    def of_shape(self, shape: tuple[int, ...], itemsize: int) -> Any:
        """A function of kernels: the array that it is given, of a shape known to the compiler."""

    def compiled(self, text: str, names: dict[str, Any]) -> Any:
        """The function `walk` of a text."""

    def start(self, kernel: Any, team: int, places: int, *arguments: Any) -> None:
        """With teams of so many threads at so many places; returns when all is done."""


class Gpu:
    """One of this machine, by numba-cuda."""

    largest_team = LARGEST_TEAM

    def __init__(self, number: int = 0) -> None:
        from numba import float64, int64

        self._cuda = find_gpu()
        self._number = number
        self.names: Mapping[str, Any] = {"cuda": self._cuda, "float64": float64, "int64": int64}
        self._processors = int(self._cuda.gpus[number].MULTIPROCESSOR_COUNT)

    @contextmanager
    def using(self, target: ForGpu) -> Iterator[None]:
        with self._cuda.gpus[self._number], compiling_for_gpu(target):
            yield

    def places(self, team: int) -> int:
        return self._processors * (THREADS_OF_A_PROCESSOR if team == 1 else TEAMS_OF_A_PROCESSOR)

    def free_bytes(self) -> int:
        return int(self._cuda.current_context().get_memory_info().free)

    def zeros(self, shape: tuple[int, ...], dtype: Any, axis: int = 0) -> Any:
        from numba.cuda.cudadrv.driver import device_memset

        made = self._cuda.device_array(shape, dtype)
        device_memset(made, 0, made.nbytes)
        return made

    def sent(self, array: AnyArray) -> Any:
        return self._cuda.to_device(array)

    def fetched(self, array: Any) -> AnyArray:
        return np.asarray(array.copy_to_host())

    def as_rows(self, words: Any, rows: Any) -> Any:
        from numba.cuda.cudadrv.devicearray import DeviceNDArray

        shape, size = words.shape[:2], rows.dtype.itemsize
        return DeviceNDArray(shape, (shape[1] * size, size), rows.dtype, gpu_data=words.gpu_data)

    def of_shape(self, shape: tuple[int, ...], itemsize: int) -> Any:
        return known_shape(shape, itemsize)

    def compiled(self, text: str, names: dict[str, Any]) -> Any:
        key = text, gpu_target()
        if key not in _KERNELS:
            exec(text, names)
            _KERNELS[key] = self._cuda.jit(names["walk"])
        return _KERNELS[key]

    def start(self, kernel: Any, team: int, places: int, *arguments: Any) -> None:
        launch = (-(-places // BLOCK), BLOCK) if team == 1 else (places, team)
        kernel[launch](*arguments)
        self._cuda.synchronize()


def all_gpus() -> list[Device]:
    """Of this machine; SpecError if there is none."""
    return [Gpu(number) for number in range(len(find_gpu().gpus))]


def find_gpu() -> Any:
    """numba.cuda; SpecError if it is not installed, or finds no GPU."""
    if find_spec("numba_cuda") is None:
        raise SpecError(
            "cuda needs numba-cuda, which is not installed; install it with: "
            "pip install 'flank[cuda]', or use threads"
        )
    from numba import cuda
    from numba.cuda.cudadrv.error import CudaSupportError

    try:
        cuda.get_current_device()
    except (CudaSupportError, RuntimeError, OSError) as error:
        reason = str(error).strip().splitlines()
        raise SpecError(
            f"cuda needs an NVIDIA GPU, and none answers ({reason[-1] if reason else 'no reason'});"
            " use threads"
        ) from None
    return cuda


class GpuPaths:
    """Follows paths of samples of one machine; what is on the GPU is made once and used again for
    every batch of at most `samples`, or of as many as its memory holds."""

    def __init__(
        self,
        device: Device,
        nominal: Nominal,
        walk: Walk,
        samples: int,
    ) -> None:
        self._device = device
        self._nominal, self._walk = nominal, walk
        model = self._model = nominal.assembly.planar
        self._state = initial_state(model, nominal.varied.position)
        self._work = workspace(model)
        absent = absent_in(model)
        alone = walk.alone or len(self._work.core) <= SMALL or OF_PLATES not in absent
        self._team = 1 if alone else device.largest_team
        if self._team > 1:
            self._work = in_teams(model, self._work)
            self._model = model._replace(elimination=listed(model.elimination))
        self.target = ForGpu(self._team, absent)
        self._readings = readings_of(model, *self._shaft, walk.rows)
        self._kernel: Any = None
        self._arrays: dict[str, Any] = {}
        self._at_rest = self._blank()  # by kernels of the processor, outside of what is the GPU's
        with device.using(self.target):
            room = int(MEMORY_SHARE * device.free_bytes())
        half = max(room // 2 // self.bytes_of_place, 1)
        self._places = min(device.places(self._team), samples, half)
        left = room - self._places * self.bytes_of_place
        self.samples = min(samples, left // self.bytes_of_sample)
        if self.samples < 1:
            least = self.bytes_of_place + self.bytes_of_sample
            raise SpecError(
                f"a sample takes {least / 1e6:.3g} MB of the GPU, which has no room for one; end "
                "what else runs on it, or use threads"
            )

    @property
    def bytes_of_place(self) -> int:
        """What a team has on the GPU for the sample that it is at."""
        own: list[Any] = [getattr(self._nominal.varied, name) for name in OF_A_SAMPLE]
        own += [*self._state, *self._work, *passed_at(self._state), self._nominal.varied.position]
        return int(sum(array.nbytes for array in own))

    @property
    def bytes_of_sample(self) -> int:
        """What is told and read of each sample."""
        told = self._nominal.deviations.spans.nbytes + np.int64().nbytes
        return int(told + sum(array.nbytes for array in self._readings[:4]))

    def run(self, draws: Floats) -> Batch:
        """Paths of samples with these draws, (sample, place)."""
        with self._device.using(self.target):
            if not self._arrays:
                self._kernel = self._made_kernel()
                self._arrays = self._made_arrays()
            parts = [
                self._run(draws[first : first + self.samples])
                for first in range(0, len(draws), self.samples)
            ]
        readings = zip(*(part.readings for part in parts), strict=True)
        joined = PathReadings(*(np.concatenate(each, axis=-1) for each in readings))
        return Batch(np.concatenate([part.status for part in parts]), joined)

    def _run(self, draws: Floats) -> Batch:
        device, arrays, count = self._device, self._arrays, len(draws)
        status = device.sent(np.zeros(count, np.int64))
        readings = self._readings._replace(
            **{
                name: device.zeros((count, *array.shape), array.dtype)
                for name, array in zip(PathReadings._fields, self._readings, strict=False)
            },
            bodies=device.sent(self._readings.bodies),
        )
        device.start(
            self._kernel,
            self._team,
            self._places,
            *arrays.values(),
            self._places,
            device.sent(np.ascontiguousarray(draws)),
            readings,
            status,
        )
        read = [device.fetched(array).T for array in readings[:4]]
        return Batch(device.fetched(status), PathReadings(*read))

    def _blank(self) -> State:
        """At rest; searches for nearest points begin where the machine without errors has them."""
        model, state = self._nominal.assembly.planar, self._state
        searched = initial_state(model, self._nominal.varied.position)
        evaluate(model, searched, 0.0, workspace(model), 0.0, 1.0, 1.0)
        memory = state.memory.copy()
        for name in ("known", "parameter"):
            memory[name] = searched.memory[name]
        return state._replace(memory=memory)

    def _made_arrays(self) -> dict[str, Any]:
        """By the names of `walk`, in its order."""
        device = self._device
        model: Any = self._model
        words = {name: self._words(getattr(self._nominal.varied, name)) for name in OF_A_SAMPLE}
        rows = {name: device.as_rows(words[name], getattr(model, name)) for name in OF_A_SAMPLE}
        shared = model._replace(**dict.fromkeys(OF_A_SAMPLE))
        return {
            "nominal": self._shared(self._nominal.varied),
            "deviations": self._shared(self._nominal.deviations),
            "blank": self._shared(self._at_rest),
            "nowhere": self._shared(passed_at(self._state)),
            "varieds": Varied(**words, position=self._zeros(self._nominal.varied.position)),
            "models": self._shared(shared)._replace(**rows),
            "states": State(*map(self._zeros, self._state)),
            "works": self._made_work(),
            "passes": Passed(*map(self._zeros, passed_at(self._state))),
            "told": self._shared(self._walk),
        }

    @property
    def _at_processor(self) -> tuple[str, ...]:
        """Of OF_A_TEAM, what fits there; nothing of single threads."""
        fits: list[str] = []
        if self._team == 1:
            return ()
        left = SHARED_BYTES
        for name in OF_A_TEAM:
            left -= getattr(self._work, name).nbytes
            if left >= 0:
                fits.append(name)
        return tuple(fits)

    def _made_work(self) -> Workspace:
        elsewhere = (*OF_A_THREAD, *self._at_processor)
        empty = {name: np.zeros((0,) * getattr(self._work, name).ndim) for name in elsewhere}
        return Workspace(*map(self._zeros, self._work._replace(**empty)))

    @property
    def _shaft(self) -> tuple[int, int]:
        shaft = self._nominal.assembly.output_shaft
        return shaft.body, shaft.reference

    def _zeros(self, array: Any) -> Any:
        """As one place has it, for all."""
        one = tuple(max(size, 1) for size in array.shape)
        return self._of_places(one, array.dtype, len(one), self._places if array.size else 1)

    def _words(self, words: Floats) -> Any:
        """Rows of words for all places, each row in one piece."""
        return self._of_places(words.shape, np.float64, 1, self._places)

    def _of_places(self, one: tuple[int, ...], dtype: Any, last: int, places: int) -> Any:
        axis = 0 if self._team > 1 else last
        return self._device.zeros((*one[:axis], places, *one[axis:]), dtype, axis)

    def _shared(self, value: Any) -> Any:
        """Arrays on the GPU, in tuples as they are."""
        if isinstance(value, tuple):
            members = map(self._shared, value)
            return type(value)(*members) if hasattr(value, "_fields") else tuple(members)
        return self._device.sent(value) if isinstance(value, np.ndarray) else value

    def _made_kernel(self) -> Any:
        names: dict[str, Any] = dict(self._device.names)
        kinds = (Model, State, Workspace, Passed, Readings, Varied)
        names |= {kind.__name__: kind for kind in kinds} | dict(self._walk.names)
        names |= {"deviate": deviate, "begin_sample": begin_sample, "rank": rank}
        return self._device.compiled(self._walk_text(names), names)

    def _walk_text(self, names: dict[str, Any]) -> str:
        """Names are added to `names`."""
        scratch = [
            f"{name} = cuda.{where}.array({getattr(self._work, name).shape}, float64)"
            for where, some in (("local", OF_A_THREAD), ("shared", self._at_processor))
            for name in some
        ]
        elsewhere = (*OF_A_THREAD, *self._at_processor)
        passed = passed_at(self._state)
        members = {
            "varied": self._members("varieds", self._nominal.varied, names)
            | self._members("varieds", self._nominal.varied, names, 1, OF_A_SAMPLE),
            "model": self._shared_members("models", self._model, names)
            | self._members("models", self._model, names, 1, OF_A_SAMPLE),
            "state": self._members("states", self._state, names),
            "work": self._members("works", self._work, names) | {name: name for name in elsewhere},
            "passed": self._members("passes", passed, names),
        }
        kinds = {"varied": Varied, "model": Model, "state": State, "work": Workspace}
        made = [
            f"{name} = {kinds.get(name, Passed).__name__}({', '.join(each.values())})"
            for name, each in members.items()
        ]
        where = _ALONE if self._team == 1 else _IN_TEAMS
        walk = self._walk
        samples = _SAMPLES.format(of_one=walk.text)
        return "\n    ".join([_WALK, where, *scratch, *made, walk.before, samples])

    def _shared_members(self, tuples: str, value: Any, names: dict[str, Any]) -> dict[str, str]:
        """The members of a tuple that is there once, as text."""
        members = zip(value._fields, value, strict=True)
        return {name: self._shared_text(f"{tuples}.{name}", of, names) for name, of in members}

    def _shared_text(self, text: str, value: Any, names: dict[str, Any]) -> str:
        if isinstance(value, np.ndarray):
            return self._known(text, value.shape, value.itemsize, names)
        if not hasattr(value, "_fields"):
            return text
        kind = type(value).__name__
        names[kind] = type(value)
        return f"{kind}({', '.join(self._shared_members(text, value, names).values())})"

    def _members(
        self,
        tuples: str,
        value: Any,
        names: dict[str, Any],
        last: int | None = None,
        some: tuple[str, ...] = (),
    ) -> dict[str, str]:
        """The members of a tuple of one place, out of those of all, as text: `some`, or all.

        The place is their first dimension, or of single threads the one numbered `last`, which is
        the last one where it is not told."""
        arrays = {name: np.asarray(getattr(value, name)) for name in some or value._fields}
        return {
            name: self._known(
                self._at(f"{tuples}.{name}", 1 + array.ndim, array.ndim if last is None else last),
                tuple(max(size, 1) for size in array.shape),
                array.itemsize,
                names,
            )
            for name, array in arrays.items()
        }

    def _known(
        self, text: str, shape: tuple[int, ...], itemsize: int, names: dict[str, Any]
    ) -> str:
        """An array of a shape that the compiler shall know, of teams, whose arrays lie together: it
        then keeps no shapes in registers."""
        if self._team == 1:
            return text
        name = f"of_{'x'.join(map(str, shape))}_{itemsize}"
        if name not in names:
            names[name] = self._device.of_shape(shape, itemsize)
        return f"{name}({text})"

    def _at(self, array: str, dimensions: int, last: int) -> str:
        """The text of an array at a place."""
        index = [":"] * dimensions
        index[0 if self._team > 1 else last] = "place"
        return f"{array}[{', '.join(index)}]"


def known_shape(shape: tuple[int, ...], itemsize: int) -> Any:
    """For kernels of a GPU: an array whose numbers lie together, as it is, its shape a constant."""
    from numba.core import types
    from numba.cuda.extending import intrinsic
    from numba.cuda.np.arrayobj import make_array, populate_array

    steps = [itemsize * int(np.prod(shape[1 + k :])) for k in range(len(shape))]

    @intrinsic  # type: ignore[untyped-decorator]
    def of_shape(typing: Any, array: Any) -> Any:
        def made(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            number = context.get_value_type(types.intp)
            given = make_array(array)(context, builder, arguments[0])
            same = make_array(array)(context, builder)
            populate_array(
                same,
                data=given.data,
                shape=[number(size) for size in shape],
                strides=[number(step) for step in steps],
                itemsize=number(itemsize),
                meminfo=None,
            )
            return same._getvalue()

        return array(array), made

    return of_shape


def in_teams(model: Model, work: Workspace) -> Workspace:
    """A workspace whose core is one row of entries, and in `kept_core` these before the whole
    matrix, of which nothing is used unless pivots are needed."""
    unknowns, entries = len(work.core), entries_of(model.elimination)
    return work._replace(
        handed=np.zeros((HANDED_AT_A_TIME, work.handed.size)),
        core=np.zeros((1, entries)),
        kept_core=np.zeros((-(-entries // unknowns) + unknowns, unknowns)),
    )


def absent_in(model: Model) -> frozenset[str]:
    """What a model has none of, by the names of `ForGpu`."""
    kinds = set(model.contacts["kind"].tolist())
    absent = KINDS.absent(kinds) | LAWS.absent(model.contacts["law"].tolist())
    springs = model.springs[: model.counts[SPRINGS]]
    by_members = np.isin(springs["kind"], BY_MEMBERS) & (springs["follows"] < 0)
    if COUPLED not in springs["kind"]:
        absent.add(OF_COUPLED)
    of_teeth = model.joints["kind"][: model.counts[JOINTS]] == TOOTH
    if by_members.all() and not of_teeth.any():
        absent.add(OF_MESHES)
    if TEETH_NUMBER not in kinds:
        absent.add(OF_TEETH)
    if not np.any(model.contacts["plate_side"]):
        absent.add(OF_PLATES)
    return frozenset(absent if model.counts[BEAMS] else absent | {OF_BEAMS})


_KERNELS: dict[tuple[str, ForGpu | None], Any] = {}
"""That this process has compiled, by their text and how."""

_WALK = """
def walk(nominal, deviations, blank, nowhere, varieds, models, states, works, passes, told, places,
         draws, readings, status):"""

_IN_TEAMS = "place = cuda.blockIdx.x"

_ALONE = """place = cuda.grid(1)
    if place >= places:
        return"""

_SAMPLES = """for sample in range(place, draws.shape[0], places):
        deviate(nominal, deviations, draws[sample], varied)
        begin_sample(blank, nowhere, varied.position, state, passed)
        reading = Readings(
            readings.angle[sample], readings.friction_work[sample],
            readings.largest_force[sample], readings.largest_load[sample], readings.bodies
        )
        {of_one}
        if rank() == 0:
            status[sample] = result[0]
"""
