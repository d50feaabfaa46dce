"""Paths of equilibria of many samples on a GPU, a thread a sample, by the kernels of the processor.

The model is there once; each sample has the rows that its errors change, its state and its scratch
arrays. An array of all samples has the sample last, so that neighbouring threads read neighbouring
numbers. What a thread does is written as Python text,

    def walk(models, states, ...):
        s = cuda.grid(1)
        model = Model(models.mass, ..., models.contacts[:, s], ...)
        status[s] = equilibria(model, ...)[0]

and compiled by numba-cuda when the first samples come, which takes half a minute.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from importlib.util import find_spec
from typing import Any, NamedTuple, Protocol

import numpy as np

from flank.arrays import AnyArray, Floats, Integers
from flank.dynamics.continuation import NoContinuation
from flank.dynamics.ensemble import Varied, deviate
from flank.dynamics.model import Model, State, Workspace, initial_state, workspace
from flank.dynamics.static_path import (
    Course,
    Passed,
    Readings,
    equilibria,
    passed_at,
    readings_of,
)
from flank.dynamics.statics import StaticTolerances, new_search
from flank.errors import SpecError
from flank.kernel import compiling_for_gpu
from flank.studies.deviations import Nominal
from flank.studies.loop_figures import PathReadings

BLOCK = 64
"""Threads that are started together."""

MEMORY_SHARE = 0.8
"""Of what is free on a GPU; the rest is for what its threads keep by themselves, and for others."""

POINTS_AT_ONCE = 138
"""Equilibria of a path between two looks at whether somebody wants to stop."""

OF_A_SAMPLE = ("contacts", "curves", "joints", "springs")
"""Tables of a model that each sample has for itself."""

LOCAL = ("element", "block")
"""Scratch arrays so small that a thread keeps them."""


class Batch(NamedTuple):
    """What came of samples: a status each, and what was read of those that are complete."""

    status: Integers
    readings: PathReadings


class Device(Protocol):
    """A GPU, or what stands for one in tests: memory for samples, and threads."""

    names: Mapping[str, Any]  # that the text of kernels needs

    def using(self) -> AbstractContextManager[None]:
        """Inside, what is made, compiled and started is this GPU's."""

    def free_bytes(self) -> int: ...

    def zeros(self, shape: tuple[int, ...], dtype: Any, axis: int) -> Any:
        """An array whose `axis` counts samples."""

    def sent(self, array: AnyArray) -> Any: ...

    def fetched(self, array: Any) -> AnyArray: ...

    def clear(self, array: Any) -> None: ...

    def as_rows(self, words: Any, rows: Any) -> Any:
        """Words (row, sample, word) as rows with named fields, (row, sample), where they are."""

    def compiled(self, text: str, names: dict[str, Any]) -> tuple[Any, Any]:
        """The functions `prepare` and `walk` of a text."""

    def start(self, kernel: Any, threads: int, *arguments: Any) -> None: ...

    def wait(self) -> None: ...


class Gpu:
    """One of this machine, by numba-cuda."""

    def __init__(self, number: int = 0) -> None:
        from numba import float64

        self._cuda = find_gpu()
        self._number = number
        self.names: Mapping[str, Any] = {"cuda": self._cuda, "float64": float64}

    @contextmanager
    def using(self) -> Iterator[None]:
        with self._cuda.gpus[self._number], compiling_for_gpu():
            yield

    def free_bytes(self) -> int:
        return int(self._cuda.current_context().get_memory_info().free)

    def zeros(self, shape: tuple[int, ...], dtype: Any, axis: int) -> Any:
        made = self._cuda.device_array(shape, dtype)
        self.clear(made)
        return made

    def sent(self, array: AnyArray) -> Any:
        return self._cuda.to_device(array)

    def fetched(self, array: Any) -> AnyArray:
        return np.asarray(array.copy_to_host())

    def clear(self, array: Any) -> None:
        from numba.cuda.cudadrv.driver import device_memset

        device_memset(array, 0, array.nbytes)

    def as_rows(self, words: Any, rows: Any) -> Any:
        from numba.cuda.cudadrv.devicearray import DeviceNDArray

        shape, size = words.shape[:2], rows.dtype.itemsize
        strides = (shape[1] * size, size)
        return DeviceNDArray(shape, strides, rows.dtype, gpu_data=words.gpu_data)

    def compiled(self, text: str, names: dict[str, Any]) -> tuple[Any, Any]:
        if text not in _KERNELS:
            exec(text, names)
            _KERNELS[text] = self._cuda.jit(names["prepare"]), self._cuda.jit(names["walk"])
        return _KERNELS[text]

    def start(self, kernel: Any, threads: int, *arguments: Any) -> None:
        kernel[-(-threads // BLOCK), BLOCK](*arguments)

    def wait(self) -> None:
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
    """Follows paths of samples of one machine; everything on the GPU is made for `samples`, or for
    as many as its memory holds, and is used again for every batch."""

    def __init__(
        self,
        device: Device,
        nominal: Nominal,
        course: Course,
        tolerances: StaticTolerances,
        samples: int,
    ) -> None:
        self._device = device
        self._nominal, self._course = nominal, course
        self._tolerances = tolerances
        self._state = initial_state(nominal.assembly.planar, nominal.varied.position)
        self._work = workspace(nominal.assembly.planar)
        self._readings = readings_of(nominal.assembly.planar, *self._shaft, len(course.times))
        self._kernels: tuple[Any, Any] = (None, None)
        self._arrays: dict[str, Any] = {}
        with device.using():
            room = int(MEMORY_SHARE * device.free_bytes()) // self.bytes_of_sample
        self.samples = min(samples, room)
        if self.samples < 1:
            raise SpecError(
                f"a sample takes {self.bytes_of_sample / 1e6:.3g} MB of the GPU, which has no room "
                "for one; end what else runs on it, or use threads"
            )

    @property
    def bytes_of_sample(self) -> int:
        """That each sample has for itself on the GPU."""
        own: list[Any] = [getattr(self._nominal.varied, name) for name in OF_A_SAMPLE]
        own += [*self._state, *self._work, *passed_at(self._state), *self._readings[:4]]
        draws = self._nominal.deviations.spans
        return int(sum(array.nbytes for array in (*own, new_search(), draws))) + np.int64().nbytes

    def run(self, draws: Floats) -> Batch:
        """Paths of samples with these draws, (sample, place)."""
        with self._device.using():
            if not self._arrays:
                self._kernels = self._made_kernels()
                self._arrays = self._made_arrays()
            parts = [
                self._run(draws[first : first + self.samples])
                for first in range(0, len(draws), self.samples)
            ]
        readings = zip(*(part.readings for part in parts), strict=True)
        joined = PathReadings(*(np.concatenate(each, axis=-1) for each in readings))
        return Batch(np.concatenate([part.status for part in parts]), joined)

    def _run(self, draws: Floats) -> Batch:
        device, arrays, (prepare, walk) = self._device, self._arrays, self._kernels
        padded = np.zeros((draws.shape[1], self.samples))
        padded[:, : len(draws)] = draws.T
        for name in ("states", "passes", "readings", "searches"):
            for array in arrays[name] if isinstance(arrays[name], tuple) else [arrays[name]]:
                if array is not arrays["readings"].bodies:
                    device.clear(array)
        status = np.ones(self.samples, np.int64)
        status[: len(draws)] = 0
        outcome = device.sent(status)
        device.start(
            prepare,
            len(draws),
            arrays["nominal"],
            arrays["deviations"],
            device.sent(padded),
            arrays["words"],
            arrays["states"],
            arrays["passes"],
        )
        count = len(self._course.times)
        for first in range(0, count, POINTS_AT_ONCE):
            device.start(
                walk,
                len(draws),
                arrays["models"],
                arrays["states"],
                arrays["works"],
                arrays["course"],
                arrays["passes"],
                arrays["readings"],
                arrays["searches"],
                outcome,
                self._tolerances.force_tolerance,
                self._tolerances.maximum_iterations,
                first,
                min(first + POINTS_AT_ONCE, count),
            )
            device.wait()
        read = [device.fetched(array)[..., : len(draws)] for array in arrays["readings"][:4]]
        return Batch(device.fetched(outcome)[: len(draws)], PathReadings(*read))

    def _made_arrays(self) -> dict[str, Any]:
        device, readings = self._device, self._readings
        model: Any = self._nominal.assembly.planar
        words = {
            name: self._zeros_between(getattr(self._nominal.varied, name)) for name in OF_A_SAMPLE
        }
        rows = {name: device.as_rows(words[name], getattr(model, name)) for name in OF_A_SAMPLE}
        arrays = {
            "nominal": self._shared(self._nominal.varied),
            "deviations": self._shared(self._nominal.deviations),
            "words": Words(**words),
            "models": self._shared(model._replace(**dict.fromkeys(OF_A_SAMPLE)))._replace(**rows),
            "states": State(*map(self._zeros, self._state)),
            "works": self._made_work(),
            "course": self._shared(self._course),
            "passes": Passed(*map(self._zeros, passed_at(self._state))),
            "readings": Readings(
                self._zeros(readings.angle),
                self._zeros(readings.friction_work),
                self._zeros(readings.largest_force),
                self._zeros(readings.largest_load),
                device.sent(readings.bodies),
            ),
            "searches": self._zeros(new_search()),
        }
        return arrays

    def _made_work(self) -> Workspace:
        empty = {name: np.zeros((0,) * getattr(self._work, name).ndim) for name in LOCAL}
        work = self._work._replace(**empty)
        return Workspace(*map(self._zeros, work))

    @property
    def _shaft(self) -> tuple[int, int]:
        shaft = self._nominal.assembly.output_shaft
        return shaft.body, shaft.reference

    def _zeros(self, array: Any) -> Any:
        """As one sample has it, for all."""
        shape = (*(max(size, 1) for size in array.shape), self.samples if array.size else 1)
        return self._device.zeros(shape, array.dtype, axis=array.ndim)

    def _zeros_between(self, words: Floats) -> Any:
        """Rows of words for all samples, each row in one piece: (row, sample, word)."""
        shape = (words.shape[0], self.samples, words.shape[1])
        return self._device.zeros(shape, np.float64, axis=1)

    def _shared(self, value: Any) -> Any:
        """Arrays on the GPU, in tuples as they are."""
        if isinstance(value, tuple):
            members = map(self._shared, value)
            return type(value)(*members) if hasattr(value, "_fields") else tuple(members)
        return self._device.sent(value) if isinstance(value, np.ndarray) else value

    def _made_kernels(self) -> tuple[Any, Any]:
        names: dict[str, Any] = dict(self._device.names)
        names |= {kind.__name__: kind for kind in (Model, State, Workspace, Passed, Readings)}
        names |= {"Varied": Varied, "StaticTolerances": StaticTolerances}
        names |= {"deviate": deviate, "equilibria": equilibria, "NoContinuation": NoContinuation}
        return self._device.compiled(_PREPARE + self._walk_text(), names)

    def _walk_text(self) -> str:
        shapes = {name: getattr(self._work, name).shape for name in LOCAL}
        local = [f"{name} = cuda.local.array({shape}, float64)" for name, shape in shapes.items()]
        made = [
            _of_sample("model", self._nominal.assembly.planar, OF_A_SAMPLE),
            _of_sample("state", self._state, State._fields),
            _of_sample("work", self._work, Workspace._fields, LOCAL),
            _of_sample("passed", passed_at(self._state), Passed._fields, plural="passes"),
            _of_sample("reading", self._readings, Readings._fields[:4]),
        ]
        return "\n    ".join([_WALK, *local, *made, _EQUILIBRIA])


_KERNELS: dict[str, tuple[Any, Any]] = {}
"""That this process has compiled, by their text."""


class Words(NamedTuple):
    """Tables that each sample has for itself, (row, sample, word)."""

    contacts: Any
    curves: Any
    joints: Any
    springs: Any


_PREPARE = """
def prepare(nominal, deviations, draws, words, states, passes):
    s = cuda.grid(1)
    if s >= draws.shape[1]:
        return
    sample = Varied(
        words.contacts[:, s, :],
        words.curves[:, s, :],
        words.joints[:, s, :],
        words.springs[:, s, :],
        states.position[:, :, s],
    )
    deviate(nominal, deviations, draws[:, s], sample)
    for body in range(states.position.shape[0]):
        for i in range(3):
            states.anchor[body, i, s] = states.position[body, i, s]
            passes.position[body, i, s] = states.position[body, i, s]
"""

_WALK = """
def walk(models, states, works, course, passes, readings, searches, status,
         force_tolerance, maximum_iterations, first, last):
    s = cuda.grid(1)
    if s >= status.shape[0] or status[s] != 0:
        return"""

_EQUILIBRIA = """tolerances = StaticTolerances(force_tolerance, maximum_iterations)
    result = equilibria(
        model, state, course, first, last, tolerances, work, searches[:, s], passed, reading,
        NoContinuation(),
    )
    status[s] = result[0]
"""


def _of_sample(
    name: str, value: Any, own: tuple[str, ...], local: tuple[str, ...] = (), plural: str = ""
) -> str:
    """The text that makes a tuple of one sample from that of all."""
    members = []
    for field in value._fields:
        member = field if field in local else f"{plural or name + 's'}.{field}"
        if field in own and field not in local:
            member += f"[{':, ' * getattr(value, field).ndim}s]"
        members.append(member)
    return f"{name} = {type(value).__name__}({', '.join(members)})"
