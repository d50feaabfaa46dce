"""Build the library of kernels: `python -m flank.native.build`.

Small runs of all kinds of models are made through Numba while every call of a kernel from Python is
recorded; each becomes a C function. The objects are linked by the C compiler. Code is for the plain
processor of its kind (`generic`), so that one library serves all of them with the same digits.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

from flank._version import __version__
from flank.kernel import Kernel
from flank.native import library, sources, unit_binary
from flank.native.arguments import UNKNOWN
from flank.native.coverage import RUNS
from flank.native.entries import Function, make_function
from flank.native.library import key_of

Calls = dict[tuple[Kernel, str], tuple[Any, ...]]
"""Arguments of calls by kernel and types."""

ALLOWED = frozenset(
    {
        "acos",
        "asin",
        "atan",
        "atan2",
        "ceil",
        "cos",
        "cosh",
        "exp",
        "expm1",
        "fabs",
        "floor",
        "fmod",
    }
    | {"hypot", "log", "log1p", "memcpy", "memmove", "memset", "pow", "sin", "sincos", "sinh"}
    | {"sqrt", "tan", "tanh"}
)
"""What a function of the library may call."""


class BuildError(RuntimeError):
    """Why no library could be built; a sentence."""


def build(folder: Path, calls: Calls) -> None:
    """Put a library that serves these calls into a folder, whole or not at all."""
    with tempfile.TemporaryDirectory() as scratch:
        compile_calls(Path(scratch), calls)
        link([Path(scratch)], folder)


def compile_calls(folder: Path, calls: Calls) -> None:
    """An object file for each call, and a list of them by kernel and types."""
    machine, functions = target_machine(), {}
    for kernel, types in sorted(calls, key=lambda call: key_of(call[0].name, call[1])):
        made = make_function(kernel, types, calls[kernel, types])
        (folder / f"{made.symbol}.o").write_bytes(object_code(made, machine))
        functions[key_of(kernel.name, types)] = (made.symbol, made.results)
    (folder / PART).write_text(json.dumps(functions))


def link(parts: list[Path], folder: Path) -> None:
    """One library of all objects that lie in some folders."""
    functions: dict[str, tuple[str, str]] = {}
    for part in parts:
        functions |= json.loads((part / PART).read_text())
    objects = {file.stem: file for part in parts for file in part.glob("*.o")}
    with tempfile.TemporaryDirectory() as scratch:
        file = linked(list(objects.values()), Path(scratch) / NAME)
        unit = _unit(Path(scratch), unit_binary.unit_functions(functions), objects)
        index = {
            "interface": library.INTERFACE,
            "platform": library.platform_name(),
            "target": f"{target_machine().triple} generic",
            "version": __version__,
            "bytes": sources.BYTES_HASH,
            "syntax": sources.syntax_hash(),
            "file": file.name,
            "digest": _digest(file),
            "unit": {"file": unit.name, "digest": _digest(unit)},
            "functions": functions,
        }
        _put(folder, (file, unit), index)


def _unit(scratch: Path, symbols: dict[str, str], objects: dict[str, Path]) -> Path:
    """The binary of units, of those kernels that they call."""
    texts, told = unit_binary.write_sources(scratch, symbols, sources.BYTES_HASH)
    kernels = [objects[symbol] for symbol in symbols.values()]
    return linked([*texts, *kernels], scratch / unit_binary.NAME, told)


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


PART = "functions.json"
NAME = "kernels" + {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")


def recorded_calls(runs: Iterable[Callable[[], object]]) -> Calls:
    """Calls of kernels from Python during some runs, where no library served them."""
    Kernel.recorded = {}
    try:
        for run in runs:
            run()
        calls = Kernel.recorded
    finally:
        Kernel.recorded = None
    return {call: given for call, given in calls.items() if UNKNOWN not in call[1]}


def target_machine(triple: str | None = None) -> llvm.TargetMachine:
    """Of the plain processor of this platform, or of another."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(triple or llvm.get_process_triple())
    return target.create_target_machine(
        cpu="generic", features="", opt=3, reloc="pic", codemodel="default"
    )


def object_code(function: Function, machine: llvm.TargetMachine) -> bytes:
    """Machine code of one function, refused where it calls Python or Numba."""
    named = {f.name for f in function.module.functions if f.is_declaration}
    foreign = {name for name in named if not name.startswith("llvm.")} - ALLOWED
    if foreign:
        raise BuildError(
            f"{function.symbol} calls {', '.join(sorted(foreign))}, which a library may not"
        )
    function.module.triple = machine.triple
    return bytes(machine.emit_object(function.module))


def linked(objects: list[Path], file: Path, told: Iterable[str] = ()) -> Path:
    """One shared library of all objects, and of C sources compiled as the compiler is told."""
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        raise BuildError(
            "No C compiler was found to link the kernels; install one, or name it in CC. Flank "
            "runs without a library, too: Numba compiles kernels when they are needed."
        )
    command = [compiler, *told, "-shared", "-s", "-o", str(file), *map(str, objects), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BuildError(f"{compiler} could not link the kernels: {done.stderr.strip()}")
    return file


def _put(folder: Path, files: Iterable[Path], index: dict[str, Any]) -> None:
    """The index comes last: without it there is no library. What a process has open is replaced,
    never written into."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / library.INDEX).unlink(missing_ok=True)
    contents = {file.name: file.read_bytes() for file in files}
    contents[library.INDEX] = (json.dumps(index, indent=1) + "\n").encode()
    for name, content in contents.items():
        aside = folder / f"{name}.{uuid.uuid4().hex[:16]}"  # another process may build it too
        aside.write_bytes(content)
        os.replace(aside, folder / name)


def build_all() -> None:
    """Build the library of the package, its parts side by side, unless it is of these sources."""
    try:
        unit_binary.unit_binary()
        return
    except library.Unusable:
        pass
    started = time.monotonic()
    print(f"compiling kernels in {len(RUNS)} parts: {', '.join(RUNS)}", flush=True)
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor() as pool:
        parts = list(pool.map(partial(_part, Path(scratch)), RUNS))
        link(parts, library.FOLDER)
    print(f"compiled into {library.FOLDER} in {time.monotonic() - started:.0f} s", flush=True)


def _part(scratch: Path, name: str) -> Path:
    """A process of its own for one part."""
    folder = scratch / name
    folder.mkdir()
    command = [sys.executable, "-m", __spec__.name, name, str(folder)]
    environment = os.environ | {"FLANK_NATIVE": "0"}
    done = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False)
    if done.returncode:
        raise BuildError(f"The part '{name}' could not be compiled; its messages stand above.")
    return folder


def main(name: str = "", folder: str = "") -> None:
    """Build all, or compile one part into a folder."""
    try:
        if name:
            compile_calls(Path(folder), recorded_calls([RUNS[name]]))
        else:
            build_all()
    except BuildError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main(*sys.argv[1:])
