"""Write a machine as a unit: binary, resource, description and documentation in one archive.

The same machine and settings give the same bytes. A file that Flank did not write is left alone.
"""

from __future__ import annotations

import hashlib
import io
import re
import uuid
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flank.errors import SpecError, suggestion
from flank.fmi.block import BlockSettings, two_shaft_block
from flank.fmi.description import Identity, description_xml
from flank.fmi.documentation import documentation_html
from flank.fmi.forces import force_module
from flank.fmi.resource import parts_of, resource_bytes, types_of
from flank.fmi.unit import Unit
from flank.io.ownership import is_our_unit, unit_mark
from flank.io.targets import Target, check_target, write_target
from flank.machines.base import Machine
from flank.native.library import Unusable
from flank.native.unit_binary import UnitBinary, unit_binary
from flank.texts import echo

VERSIONS = (2, 3)
UNIT = Target("a unit", ".fmu", is_our_unit)

PLATFORMS = {
    "linux-x86_64": ("linux64", "x86_64-linux", ".so"),
    "linux-aarch64": ("", "aarch64-linux", ".so"),
    "darwin-x86_64": ("darwin64", "x86_64-darwin", ".dylib"),
    "darwin-arm64": ("darwin64", "aarch64-darwin", ".dylib"),
    "win32-amd64": ("win64", "x86_64-windows", ".dll"),
}
"""Folders of binaries in FMI 2 (empty: it has no name for the platform) and FMI 3, and suffix."""

EARLIEST = (1980, 1, 1, 0, 0, 0)
"""That an archive can bear: what is written does not depend on when."""


@dataclass(frozen=True)
class Written:
    """What was written: the file, its unit, and the platform of its binary."""

    path: Path
    unit: Unit
    platform: str
    size: int


CONTENTS = {
    "block": "a machine between its two shafts",
    "force": "what acts between two gears that touch in space",
}


def export_unit(
    machine: Machine, path: str | Path, version: int, contents: str, settings: Mapping[str, Any]
) -> Written:
    """Write the unit of a machine; SpecError if it cannot be one, or not there."""
    target = check_target(path, UNIT)
    binary, folder = find_binary(version)
    unit = make_unit(machine, contents, settings)
    check_types(unit, binary, machine.title)
    content = archive(unit, version, binary, folder, identifier_of(target))
    write_target(target, content)
    return Written(target, unit, folder, len(content))


def make_unit(machine: Machine, contents: str, settings: Mapping[str, Any]) -> Unit:
    """The unit of a machine, before it is a file."""
    if contents not in CONTENTS:
        raise SpecError(
            f"a unit cannot hold '{echo(contents)}'{suggestion(contents, CONTENTS)} Give one of: "
            + "; ".join(f"{name} ({meaning})" for name, meaning in CONTENTS.items())
        )
    if contents == "block":
        return two_shaft_block(machine, BlockSettings.from_settings(settings, "a unit"))
    if settings:
        raise SpecError(f"a force module has no settings; leave out {', '.join(settings)}")
    return force_module(machine)


def find_binary(version: int) -> tuple[UnitBinary, str]:
    """The binary for units and the folder where hosts of a version look for it; SpecError with what
    to do where there is none."""
    if version not in VERSIONS:
        raise SpecError(f"version {echo(version)} of FMI cannot be written; give 2 or 3")
    try:
        binary = unit_binary()
    except Unusable as reason:
        raise SpecError(
            f"no unit can be written: {str(reason).partition(';')[0]}; `make native` builds it "
            "with a C compiler, and wheels of Flank hold it"
        ) from None
    return binary, binary_folder(binary.platform, version)


def binary_folder(platform: str, version: int) -> str:
    folders = PLATFORMS.get(platform)
    if folders is None or not folders[version - 2]:
        raise SpecError(
            f"FMI {version} has no name for the platform {platform}"
            + ("; give version 3" if folders else "")
        )
    return folders[version - 2]


def check_types(unit: Unit, binary: UnitBinary, title: str) -> None:
    """Refuse models with kinds of contact or laws that the built kernels do not know."""
    if not {types_of(call) for call in unit.calls} <= binary.types:
        raise SpecError(
            f"'{title}' cannot be a unit: its model has contact kinds or force laws that are not "
            "Flank's own, and the built kernels know only those"
        )


def identifier_of(target: Path) -> str:
    """The file's name as a name in C."""
    name = re.sub(r"\W", "_", target.stem, flags=re.ASCII)
    return name if name[:1].isalpha() else f"unit_{name}"


def archive(unit: Unit, version: int, binary: UnitBinary, folder: str, identifier: str) -> bytes:
    """All files of a unit."""
    suffix = PLATFORMS[binary.platform][2]
    identity = Identity(identifier, _token(unit, version, binary))
    files: dict[str, bytes | str] = {
        "modelDescription.xml": description_xml(unit, version, identity),
        f"binaries/{folder}/{identifier}{suffix}": binary.content,
        "resources/unit.bin": resource_bytes(unit, binary.build, identity.token),
        "documentation/index.html": documentation_html(unit, version, folder, binary.needs),
        "documentation/spec.yaml": unit.spec,
    }
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, EARLIEST)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if name.startswith("binaries/") else 0o644) << 16
            zipped.writestr(entry, content)
        zipped.comment = unit_mark(zipped)
    return made.getvalue()


def _token(unit: Unit, version: int, binary: UnitBinary) -> str:
    """Of what is in the unit: equal units have equal tokens."""
    numbers, body = parts_of(unit)
    words = (version, binary.build, numbers, unit.description, unit.spec, unit.fixed)
    digest = hashlib.sha256(repr(words).encode() + body).hexdigest()
    return str(uuid.UUID(digest[:32]))
