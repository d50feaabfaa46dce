"""Units in tests: written, unpacked, run in FMPy and beside it natively."""

import ctypes
import functools
import re
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import pytest

import flank
from flank.analyses.runs import balancing_torque, ideal_velocity, loaded_equilibrium
from flank.dynamics.functions import constant, linear
from flank.dynamics.run import settings_for, solve_dynamics
from flank.fmi.export import archive, find_binary, make_unit
from flank.machines.base import Drive
from flank.native.library import Unusable
from flank.native.unit_binary import unit_binary


def _absence() -> str:
    try:
        unit_binary()
    except Unusable as reason:
        return str(reason)
    return ""


needs_binary = pytest.mark.skipif(bool(_absence()), reason=f"no binary for units: {_absence()}")


@functools.cache
def machine_of(preset):
    return flank.preset(preset)


@functools.cache
def unit_of(preset, **settings):
    return make_unit(machine_of(preset), "block", settings)


@functools.cache
def module_of(preset):
    return make_unit(machine_of(preset), "force", {})


@functools.cache
def _scratch():
    return tempfile.TemporaryDirectory()


@functools.cache
def written(preset, version=2, contents="block", **settings):
    """The path of a unit, written once for all tests of a process."""
    name = re.sub(r"\W", "_", f"{preset}_{version}_{contents}_{settings}")
    path = Path(_scratch().name) / f"{name}.fmu"
    unit = unit_of(preset, **settings) if contents == "block" else module_of(preset)
    path.write_bytes(archive(unit, version, *find_binary(version), "unit"))
    return path


@functools.cache
def unpacked(preset, version=2, contents="block", **settings):
    path = written(preset, version, contents, **settings)
    with zipfile.ZipFile(path) as zipped:
        zipped.extractall(path.with_suffix(""))
    return path.with_suffix("")


def token_of(folder):
    text = (folder / "modelDescription.xml").read_text(encoding="utf-8")
    return re.search(r'(?:guid|instantiationToken)="([^"]+)"', text).group(1)


def binary_of(folder):
    (file,) = (folder / "binaries").rglob("unit.*")
    return file


def natively(preset, steps, step=1e-4, drive="torque"):
    """Angles, speeds, the input's torque and transmission error of a run made without a unit."""
    machine = machine_of(preset)
    load, speed = machine.load_torque, machine.input_speed
    equilibrium, _ = loaded_equilibrium(machine, 0.0, load)
    torques = {"input": constant(balancing_torque(machine, load)), "output": constant(load)}
    angles = {}
    if drive == "speed":
        del torques["input"]
        angles = {"input": linear(speed, 0.0)}
    assembly = machine.assemble(Drive(angles, torques, in_time=True))
    run = solve_dynamics(
        assembly.model,
        equilibrium.last,
        steps * step,
        settings_for(assembly.model, step),
        speed * ideal_velocity(machine, 0.0),
    )
    assert run.complete, run.status.sentence
    ends = assembly.input_shaft, assembly.output_shaft
    turned = [run.angle(shaft, near=0.0) for shaft in ends]
    return {
        "time": run.time,
        "input.angle": turned[0],
        "output.angle": turned[1],
        "input.speed": run.speed(ends[0]),
        "output.speed": run.speed(ends[1]),
        "input.torque": run.torque(ends[0]),
        "transmission_error": turned[1] - turned[0] / machine.ratio,
    }


def assert_equal_runs(found, expected, tolerance=1e-12):
    """Of records by name, against the largest value of each quantity."""
    for name in found.dtype.names:
        largest = max(np.abs(expected[name]).max(), 1.0)
        assert np.abs(found[name] - expected[name]).max() <= tolerance * largest, name


class Instance:
    """A unit of FMI 2 by ctypes, with what it says."""

    LOGGER = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 2, ctypes.c_int, *[ctypes.c_char_p] * 2)

    def __init__(self, folder, resources=None, token=None, kind=1):
        self.library = ctypes.CDLL(str(binary_of(folder)))
        self.said = []
        self._logger = self.LOGGER(lambda _e, _n, _s, _c, text: self.said.append(text.decode()))
        self._callbacks = (ctypes.c_void_p * 5)(ctypes.cast(self._logger, ctypes.c_void_p).value)
        make = self.library.fmi2Instantiate
        make.restype = ctypes.c_void_p
        place = (resources or folder / "resources").as_uri()
        token = token_of(folder) if token is None else token
        given = (b"unit", kind, token.encode(), place.encode(), self._callbacks, 0, 0)
        self.made = make(*given)

    def call(self, name, *arguments):
        return getattr(self.library, f"fmi2{name}")(ctypes.c_void_p(self.made), *arguments)

    def start(self, time=0.0):
        zero = ctypes.c_double(0.0)
        self.call("SetupExperiment", 0, zero, ctypes.c_double(time), 0, zero)
        self.call("EnterInitializationMode")
        return self.call("ExitInitializationMode")

    def step(self, time, length):
        return self.call("DoStep", ctypes.c_double(time), ctypes.c_double(length), 1)

    def set(self, reference, value):
        references = (ctypes.c_uint * 1)(reference)
        return self.call("SetReal", references, ctypes.c_size_t(1), (ctypes.c_double * 1)(value))

    def get(self, *references):
        count = len(references)
        values = (ctypes.c_double * count)()
        given = (ctypes.c_uint * count)(*references)
        assert self.call("GetReal", given, ctypes.c_size_t(count), values) == 0
        return list(values)

    def free(self):
        self.call("FreeInstance")
