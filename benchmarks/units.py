"""What a step of a unit costs, against the same step as Flank calls it, and of its kernel alone.

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

import numpy as np

import flank
from flank.dynamics.march import march
from flank.fmi.export import archive, find_binary, make_unit
from flank.fmi.unit import Unit
from flank.native.arguments import described, flat
from flank.native.library import RESULTS, find_entry

PRESETS = {"gear-pair": 1e-4, "cycloidal-drive": 1e-4, "rv-320": 1e-4, "cv-joint": 1e-4}
"""Steps in s."""

STEPS = 200
HEADER = ["preset", "µs, native call", "µs, kernel alone", "µs, unit"]
HEADER += ["unit against native call", "unit against kernel", "unit, kB"]


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


if __name__ == "__main__":
    print(" | ".join(HEADER))
    for row in steps():
        print(" | ".join(f"{cell:.4g}" if isinstance(cell, float) else str(cell) for cell in row))
