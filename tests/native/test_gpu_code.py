"""Kernels compile for a GPU, from the same source; no GPU is needed for that."""

from types import SimpleNamespace

import numpy as np
import pytest

import flank
from flank.dynamics import march, static_path, statics
from flank.dynamics.functions import constant, linear
from flank.dynamics.poses import record_of, state_at, workspace
from flank.dynamics.run import march_settings, settings_for
from flank.kernel import compiling_for_gpu
from flank.machines.base import Drive

HOPPER = (9, 0)


@pytest.fixture
def code_of(monkeypatch):
    pytest.importorskip("numba_cuda", reason="needs numba-cuda: pip install 'flank[cuda]'")
    from numba import cuda, typeof
    from numba.cuda import dispatcher

    device = SimpleNamespace(compute_capability=HOPPER)
    monkeypatch.setattr(dispatcher, "get_current_device", lambda: device)

    def code(kernel, *arguments):
        with compiling_for_gpu():
            types = tuple(map(typeof, arguments))
            return cuda.compile(kernel.py_func, types, cc=HOPPER, abi="numba")[0]

    return code


def _statics(drive):
    assembly = flank.preset("cycloidal-drive").assemble(drive)
    state, model = state_at(assembly.model, assembly.pose), assembly.planar
    course = static_path.Course(np.zeros(3), np.zeros((0, 1, 1)), np.zeros(3, dtype=bool))
    tolerances = statics.StaticTolerances(1e-9, 120)
    readings = static_path.readings_of(model, 4, 0, 3)
    passed = static_path.passed_at(state)
    how = (tolerances, workspace(model), statics.new_search(), passed, readings)
    return static_path.equilibria, model, state, course, 0, 3, *how


def _march(preset, drive):
    assembly = flank.preset(preset).assemble(drive)
    model, state = assembly.model, state_at(assembly.model, assembly.pose)
    settings = march_settings(model, settings_for(model, 1e-5), 1e-5)
    how = (1, settings, np.zeros(2), workspace(model), np.zeros(4, np.int64))
    return march.march, model, state, np.zeros(2), *how, record_of(state, 2)


LOCKED = Drive.of_ends(constant(0.0), linear(1.0))

CALLS = {
    "statics": lambda: _statics(LOCKED),
    "march": lambda: _march("cycloidal-drive", LOCKED),
    "spatial march": lambda: _march("cv-joint", Drive()),
}


@pytest.mark.nightly
@pytest.mark.parametrize("name", CALLS)
def test_kernels_compile_for_a_gpu(name, code_of):
    code = code_of(*CALLS[name]())
    assert ".target sm_90" in code
    assert ".visible .func" in code
