"""What a step of a unit costs, against the same step as Flank calls it, and of its kernel alone;
and what a call of a force module costs, against the same evaluation as Flank calls it.

    python benchmarks/units.py

All are called from Python through ctypes, in turns, from the same start. Flank describes the types
of its arguments in every call; the unit keeps its state before every step, and counts turns.
"""

import copy
import ctypes
import tempfile
import time
import xml.etree.ElementTree as ET
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

import flank
from flank.arrays import Floats
from flank.dynamics.march import march
from flank.fmi.export import archive, find_binary, make_unit
from flank.fmi.unit import Evaluation, Unit
from flank.native.arguments import described, flat
from flank.native.library import RESULTS, find_entry

PRESETS = {"gear-pair": 1e-4, "cycloidal-drive": 1e-4, "rv-320": 1e-4, "cv-joint": 1e-4}
"""Steps in s."""

STEPS = 200
HEADER = ["preset", "µs, native call", "µs, kernel alone", "µs, unit"]
HEADER += ["unit against native call", "unit against kernel", "unit, kB"]

PAIRS = ("bevel-pair", "hypoid-pair", "spiral-bevel-nasa")
POSES, PRESS = 200, 4e-3
"""Of one pitch; rad by which the pinion is turned into its mate."""

MODULE_HEADER = ["preset", "µs, native call", "µs, module", "module against native call"]
MODULE_HEADER += ["µs, module with derivatives", "module, kB"]


class Loaded:
    """A unit of FMI 2, started."""

    def __init__(self, content: bytes, folder: Path) -> None:
        path = folder / "unit.fmu"
        path.write_bytes(content)
        with zipfile.ZipFile(path) as zipped:
            zipped.extractall(folder)
        (binary,) = (folder / "binaries").rglob("unit.*")
        token = ET.parse(folder / "modelDescription.xml").getroot().get("guid") or ""
        self._library = ctypes.CDLL(str(binary))
        make = self._library.fmi2Instantiate
        make.restype = ctypes.c_void_p
        resources = (folder / "resources").as_uri().encode()
        self._made = ctypes.c_void_p(make(b"unit", 1, token.encode(), resources, None, 0, 0))
        assert self._library.fmi2EnterInitializationMode(self._made) == 0
        assert self._library.fmi2ExitInitializationMode(self._made) == 0

    def step(self, first: float, length: float) -> None:
        times = ctypes.c_double(first), ctypes.c_double(length)
        assert self._library.fmi2DoStep(self._made, *times, 1) == 0

    def forces(self, given: Floats, outputs: Floats, derivatives: bool) -> None:
        """Of a force module: what is given stands at its first references, outputs behind it."""
        count = ctypes.c_size_t(given.size), ctypes.c_size_t(outputs.size)
        numbers = np.arange(1, 1 + given.size + outputs.size, dtype=np.uint32)
        inputs, read = numbers.ctypes.data, numbers[given.size :].ctypes.data
        at, to = ctypes.c_void_p(given.ctypes.data), ctypes.c_void_p(outputs.ctypes.data)
        inputs, read = ctypes.c_void_p(inputs), ctypes.c_void_p(read)
        assert self._library.fmi2SetReal(self._made, inputs, count[0], at) == 0
        assert self._library.fmi2GetReal(self._made, read, count[1], to) == 0
        if derivatives:
            derivative = self._library.fmi2GetDirectionalDerivative
            assert derivative(self._made, read, count[1], inputs, count[0], at, to) == 0

    def free(self) -> None:
        self._library.fmi2FreeInstance(self._made)


class Kernel:
    """The march of a unit, its row of words made once: nothing but the kernel is called."""

    def __init__(self, unit: Unit) -> None:
        arguments = copy.deepcopy(unit.calls[0].arguments)
        types, numbers = described(arguments)
        entry = find_entry(march.name, types)
        assert entry is not None
        self.times = arguments[2]
        self._arguments, self._function = arguments, entry._function
        self._row = flat([np.zeros(RESULTS, np.int64), *numbers])
        self._results = ctypes.byref(ctypes.c_int64()), ctypes.byref(ctypes.c_void_p())
        march(*arguments[:2], self.times[:1], *arguments[3:])  # a consistent start, as the unit's

    def step(self, first: float, length: float) -> None:
        self.times[:] = first, first + length
        self._function(*self._results, self._row.ctypes.data)
        assert self._row[0] == 0


class Native(Kernel):
    """The same as Flank calls it."""

    def step(self, first: float, length: float) -> None:
        self.times[:] = first, first + length
        assert march(*self._arguments)[0] == 0


def steps(repeats: int = 5) -> list[list]:
    """A row for each preset: µs of a step, the least of some runs."""
    rows = []
    for preset, step in PRESETS.items():
        unit = make_unit(flank.preset(preset), "block", {"step": step})
        content = archive(unit, 2, *find_binary(2), "unit")
        runs = [run(unit, content, step) for _ in range(repeats)]
        native, kernel, loaded = (1e6 * min(spent) / STEPS for spent in zip(*runs, strict=True))
        size = round(len(content) / 1024)
        rows.append([preset, native, kernel, loaded, loaded / native, loaded / kernel, size])
    return rows


def run(unit: Unit, content: bytes, step: float) -> list[float]:
    """Seconds of all steps, called natively, of the kernel alone and of the unit, in turns."""
    with tempfile.TemporaryDirectory() as folder:
        callers = [Native(unit), Kernel(unit)]
        loaded = Loaded(content, Path(folder))
        spent = [0.0, 0.0, 0.0]
        for k in range(STEPS):
            for number, caller in enumerate((*callers, loaded)):
                start = time.process_time()
                caller.step(k * step, step)
                spent[number] += time.process_time() - start
        loaded.free()
    return spent


def modules(repeats: int = 5) -> list[list]:
    """A row for each pair: µs of a call, the least of some walks through a pitch under load."""
    rows = []
    for preset in PAIRS:
        machine = flank.preset(preset)
        unit = make_unit(machine, "force", {})
        content = archive(unit, 2, *find_binary(2), "unit")
        poses = np.array([_pressed(machine, k / POSES) for k in range(POSES)])
        walks = [walk(unit, content, poses) for _ in range(repeats)]
        native, plain, full = (1e6 * min(spent) / POSES for spent in zip(*walks, strict=True))
        rows.append([preset, native, plain, plain / native, full, round(len(content) / 1024)])
    return rows


def _pressed(machine: Any, share: float) -> Floats:
    """Rows of both gears at a share of a pitch, the pinion ahead."""
    angle = share * 2 * np.pi / machine.spec.pinion.teeth
    pose, ahead = machine.ideal_pose(angle), machine.ideal_pose(angle + PRESS)
    given = np.hstack((pose.position, pose.rotation, pose.velocity))[1:3]
    given[0, 3:7] = ahead.rotation[1]
    return given


def walk(unit: Unit, content: bytes, poses: Floats) -> list[float]:
    """Seconds of all poses, called natively, by the module, and by it with derivatives."""
    assert isinstance(unit.way, Evaluation)
    kernels = [call.kernel for call in unit.calls[: unit.way.derivative_call]]
    copies = copy.deepcopy([call.arguments for call in unit.calls])
    given, forces = copies[0][0], copies[2][3]
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        modules = [Loaded(content, Path(folder)) for folder in (first, second)]
        outputs = np.zeros_like(forces)
        spent = [0.0, 0.0, 0.0]
        for pose in poses:
            start = time.process_time()
            given[:] = pose
            for kernel, arguments in zip(kernels, copies, strict=False):
                kernel(*arguments)
            spent[0] += time.process_time() - start
            for number, module in enumerate(modules, 1):
                start = time.process_time()
                module.forces(pose, outputs, number == 2)
                spent[number] += time.process_time() - start
                if number == 1:
                    assert np.allclose(outputs, forces, rtol=1e-9, atol=1e-6)
        assert np.abs(forces).max() > 100.0
        for module in modules:
            module.free()
    return spent


if __name__ == "__main__":
    for header, rows in ((HEADER, steps()), (MODULE_HEADER, modules())):
        print(" | ".join(header))
        for row in rows:
            cells = (f"{cell:.4g}" if isinstance(cell, float) else str(cell) for cell in row)
            print(" | ".join(cells))
