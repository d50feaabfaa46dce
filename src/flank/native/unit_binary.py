"""The binary of units for other programs: kernels and the functions of FMI in one shared library.

It is compiled and linked with the library of kernels and lies beside it, so that whoever exports a
unit needs no compiler: `unit/` has the sources of the FMI functions, a table written here names the
kernels by the types that they serve, and what a run ended with as sentences. Outside only the
functions of FMI are seen.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from flank.native import library

KERNELS = (
    "flank.dynamics.march.march|",
    "flank.dynamics.spatial.turning.read_turning|",
    "flank.dynamics.engine.evaluate|SpatialModel(",
    "flank.dynamics.spatial.body_forces.",
)
"""What units call: how keys of the index begin."""

SOURCES = Path(__file__).parent / "unit"
NAME = "unit" + {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")

EXPORTED = {
    "linux": ("{ global: fmi2*; fmi3*; local: *; };\n", "-Wl,--version-script="),
    "darwin": ("_fmi2*\n_fmi3*\n", "-Wl,-exported_symbols_list,"),
}
"""By platform: the list of what is seen outside, and how the linker is told it. On Windows
functions say so themselves."""


@dataclass(frozen=True)
class UnitBinary:
    """The library that goes into a unit, the build that its resource must be of, and what it
    serves, by `types_number`."""

    content: bytes
    build: str
    platform: str
    types: frozenset[int]

    @property
    def needs(self) -> str:
        """The oldest C library of Linux that has all it calls; empty elsewhere."""
        versions = re.findall(rb"GLIBC_(\d+)\.(\d+)", self.content)
        newest = max(((int(a), int(b)) for a, b in versions), default=None)
        return "" if newest is None else f"glibc {newest[0]}.{newest[1]}"


def types_number(key: str) -> int:
    """64 bits that stand for a kernel and its types in a unit."""
    return int(hashlib.sha256(key.encode()).hexdigest()[:16], 16)


def unit_binary() -> UnitBinary:
    """The one of this package; `library.Unusable` says why there is none."""
    folder = library.FOLDER
    if not library.opened(folder):
        raise library.Unusable("the library of kernels was not built")
    index = json.loads((folder / library.INDEX).read_text())
    served = (key for key in index["functions"] if key.startswith(KERNELS))
    file = folder / index["unit"]["file"]
    content = file.read_bytes() if file.exists() else b""
    if hashlib.sha256(content).hexdigest() != index["unit"]["digest"]:
        raise library.Unusable(f"{file.name} is damaged")
    return UnitBinary(
        content, index["bytes"], index["platform"], frozenset(map(types_number, served))
    )


def unit_functions(functions: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    """Symbols of the kernels that units call, by kernel and types."""
    return {key: symbol for key, (symbol, _) in functions.items() if key.startswith(KERNELS)}


def write_sources(
    folder: Path, symbols: Mapping[str, str], build: str
) -> tuple[list[Path], list[str]]:
    """What is compiled with the kernels, and what the compiler is told besides."""
    table = folder / "unit_table.c"
    table.write_text(_table(symbols, build))
    told = ["-O2", "-fPIC", "-fvisibility=hidden", f"-I{SOURCES}"]
    if sys.platform in EXPORTED:
        names, option = EXPORTED[sys.platform]
        listed = folder / "exported.txt"
        listed.write_text(names)
        told.append(f"{option}{listed}")
    return [*sorted(SOURCES.glob("*.c")), table], told


def _table(symbols: Mapping[str, str], build: str) -> str:
    """C text of what `unit.h` leaves to the build."""
    from flank.dynamics.status import SENTENCES

    sentences = [json.dumps(SENTENCES[status]) for status in sorted(SENTENCES)]
    entries = [f"{{{types_number(key):#x}u, {symbol}}}" for key, symbol in symbols.items()]
    return "\n".join(
        [
            '#include "unit.h"',
            *(f"extern Kernel {symbol};" for symbol in symbols.values()),
            f"const Entry flank_entries[] = {{{', '.join(entries) or '{0, 0}'}}};",
            f"const int64_t flank_entry_count = {len(entries)};",
            f'const char flank_build[17] = "{build}";',
            f"const char *const flank_sentences[] = {{{', '.join(sentences)}}};",
            f"const int64_t flank_sentence_count = {len(sentences)};",
            "",
        ]
    )
