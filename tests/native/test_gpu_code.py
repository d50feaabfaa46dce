"""Kernels compile for a GPU, from the same source; no GPU is needed for that.

By night only: numba-cuda with NVIDIA's compilers is an extra of 500 MB, and each of these compiles
for half a minute to two minutes.
"""

from importlib.util import find_spec
from types import SimpleNamespace

import numpy as np
import pytest
from numba import float64, int64, typeof
from pretended_gpu import RecordingGpu

import flank
from flank.api import check_study
from flank.dynamics import march, static_path, statics
from flank.dynamics.continuation import NoContinuation, new_continuation
from flank.dynamics.functions import constant, linear
from flank.dynamics.poses import record_of, state_at, workspace
from flank.dynamics.run import march_settings, settings_for
from flank.kernel import ForGpu, compiling_for_gpu
from flank.machines.base import Drive
from flank.studies.cuda import Cuda
from flank.studies.gpu import GpuPaths

HOPPER = (9, 0)


@pytest.fixture
def cuda(monkeypatch):
    if find_spec("numba_cuda") is None:  # none of these is to be passed over unseen
        pytest.fail("needs numba-cuda, which `make nightly` installs: pip install 'flank[cuda]'")
    from numba import cuda
    from numba.cuda import dispatcher

    device = SimpleNamespace(compute_capability=HOPPER)
    monkeypatch.setattr(dispatcher, "get_current_device", lambda: device)
    return cuda


ALONE = ForGpu()


def code_of(cuda, function, arguments, target=ALONE, **how):
    with compiling_for_gpu(target):
        types = tuple(map(typeof, arguments))
        return cuda.compile(function, types, cc=HOPPER, abi="numba", **how)[0]


def _statics(drive, continues=True):
    assembly = flank.preset("cycloidal-drive").assemble(drive)
    state, model = state_at(assembly.model, assembly.pose), assembly.planar
    course = static_path.Course(np.zeros(3), np.zeros((0, 1, 1)), np.zeros(3, dtype=bool))
    tolerances = statics.StaticTolerances(1e-9, 120)
    readings = static_path.readings_of(model, 4, 0, 3)
    passed = static_path.passed_at(state)
    continuation = new_continuation(model, state) if continues else NoContinuation()
    how = (tolerances, workspace(model), statics.new_search(), passed, readings)
    return static_path.equilibria, model, state, course, 0, 3, *how, continuation


def _march(preset, drive):
    assembly = flank.preset(preset).assemble(drive)
    model, state = assembly.model, state_at(assembly.model, assembly.pose)
    settings = march_settings(model, settings_for(model, 1e-5), 1e-5)
    how = (1, settings, np.zeros(2), workspace(model), np.zeros(4, np.int64))
    return march.march, model, state, np.zeros(2), *how, record_of(state, 2)


LOCKED = Drive.of_ends(constant(0.0), linear(1.0))

CALLS = {
    "statics": lambda: _statics(LOCKED, continues=False),
    "statics with continuation": lambda: _statics(LOCKED),
    "march": lambda: _march("cycloidal-drive", LOCKED),
    "spatial march": lambda: _march("cv-joint", Drive()),
}


@pytest.mark.nightly
@pytest.mark.parametrize("name", CALLS)
def test_kernels_compile_for_a_gpu(name, cuda):
    kernel, *arguments = CALLS[name]()
    code = code_of(cuda, kernel.py_func, arguments)
    assert ".target sm_90" in code
    assert ".visible .func" in code


STATIC = {"points_per_stage": 5}
IN_TIME = {"mode": "dynamic", "stage_duration": "0.01 s"}


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("preset", "settings"),
    [("cycloidal-drive", STATIC), ("rv-320", STATIC), ("cycloidal-drive", IN_TIME)],
)
def test_what_a_study_starts_on_a_gpu_compiles(preset, settings, cuda):
    """The text of its threads, with all arrays as they lie there: a thread a sample of the small
    machine and in time, a team of the large one."""
    varies = {"errors.pin_radial": {}, "errors.eccentricity": {}}
    asks = {"hysteresis": settings}
    study = check_study({"machine": preset, "varies": varies, "asks": asks, "samples": 70})
    gpu = RecordingGpu({"cuda": cuda, "float64": float64, "int64": int64})
    loops = Cuda(devices=[gpu])._loops(study.sampler)
    paths = GpuPaths(gpu, loops.nominal, loops.walk, 70)
    paths.run(study.sampler.plan.values(0, 70))
    ((function, arguments),) = gpu.started.values()
    code = code_of(cuda, function, arguments, paths.target, device=False)
    assert ".target sm_90" in code
    assert ".visible .entry" in code
    assert (paths.target.team > 1) == ("shfl.sync" in code) == (preset == "rv-320")
