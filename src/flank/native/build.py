"""Build the library of kernels: `python -m flank.native.build [FOLDER]`.

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
from pathlib import Path

from flank._version import __version__
from flank.kernel import Kernel
from flank.native import library, sources
from flank.native.coverage import RUNS

ALLOWED = frozenset(
    "acos asin atan atan2 ceil cos exp expm1 fabs floor fmod hypot log log1p memcpy memmove memset "
    "pow sin sincos sinh cosh sqrt tan tanh".split()
)
"""What a function of the library may call."""


class BuildError(RuntimeError):
    """Why no library could be built; a sentence."""


def build(folder: Path) -> Path:
    """Build the library of all runs into a folder, which appears whole or not at all."""
    import llvmlite.binding as llvm

    from flank.native.entries import make_function

    calls = recorded_calls()
    machine = target_machine(llvm)
    functions = {}
    with tempfile.TemporaryDirectory() as scratch:
        objects = []
        for (kernel, types), arguments in sorted(calls.items(), key=lambda call: _key(*call[0])):
            function = make_function(kernel, arguments, types)
            path = Path(scratch) / f"{function.symbol}.o"
            path.write_bytes(machine.emit_object(function.module))
            _refuse_foreign(function.symbol, function.module)
            objects.append(path)
            functions[_key(kernel, types)] = (function.symbol, function.results)
            print(f"{kernel.name}: {path.stat().st_size / 1024:.0f} KiB", file=sys.stderr)
        file = linked(objects, Path(scratch) / f"kernels{SUFFIX}")
        index = {
            "interface": library.INTERFACE,
            "platform": library.platform_name(),
            "target": f"{machine.triple} generic",
            "version": __version__,
            "bytes": sources.BYTES_HASH,
            "syntax": sources.syntax_hash(),
            "file": file.name,
            "digest": hashlib.sha256(file.read_bytes()).hexdigest(),
            "functions": functions,
        }
        return _put(folder, file, index)


SUFFIX = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")


def recorded_calls() -> dict[tuple[Kernel, str], tuple[object, ...]]:
    """All calls of kernels from Python in the runs that a library must serve."""
    os.environ["FLANK_NATIVE"] = "0"
    library.library.cache_clear()
    Kernel.recorded = {}
    for name, run in RUNS.items():
        print(f"{name} ...", file=sys.stderr)
        run()
    calls, Kernel.recorded = Kernel.recorded, None
    return {call: given for call, given in calls.items() if "?" not in call[1]}


def _key(kernel: Kernel, types: str) -> str:
    return f"{kernel.name}|{types}"


def target_machine(llvm, triple: str | None = None):  # type: ignore[no-untyped-def]
    """Of the plain processor of this platform, or of another."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(triple or llvm.get_process_triple())
    return target.create_target_machine(
        cpu="generic", features="", opt=3, reloc="pic", codemodel="default"
    )


def _refuse_foreign(symbol: str, module) -> None:  # type: ignore[no-untyped-def]
    """Nothing of Python or Numba may be left to be called."""
    named = {f.name for f in module.functions if f.is_declaration}
    foreign = {name for name in named if not name.startswith("llvm.")} - ALLOWED
    if foreign:
        raise BuildError(f"{symbol} calls {', '.join(sorted(foreign))}, which a library may not")


def linked(objects: list[Path], file: Path) -> Path:
    """One shared library of all objects."""
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        raise BuildError(
            "No C compiler was found to link the kernels; install one, or name it in CC. Flank "
            "runs without a library, too: Numba compiles kernels when they are needed."
        )
    command = [compiler, "-shared", "-s", "-o", str(file), *map(str, objects), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BuildError(f"{compiler} could not link the kernels: {done.stderr.strip()}")
    return file


def _put(folder: Path, file: Path, index: dict[str, object]) -> Path:
    """The index comes last: without it there is no library."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / library.INDEX).unlink(missing_ok=True)
    shutil.copyfile(file, folder / file.name)
    aside = folder / f"{library.INDEX}.part"
    aside.write_text(json.dumps(index, indent=1) + "\n")
    os.replace(aside, folder / library.INDEX)
    return folder


if __name__ == "__main__":
    try:
        print(build(Path(sys.argv[1]) if len(sys.argv) > 1 else library.FOLDER))
    except BuildError as error:
        sys.exit(str(error))
