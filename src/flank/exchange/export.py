"""Write a machine for other programs that compute: REXS, ROSS, openTorsion."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flank.errors import SpecError
from flank.exchange.opentorsion_script import opentorsion_script
from flank.exchange.rexs_writer import rexs_of
from flank.exchange.ross_script import ross_script
from flank.io.ownership import (
    is_our_checked_file,
    is_our_closed_file,
    with_checksum,
    with_closing_checksum,
)
from flank.io.targets import Target, check_target, write_target
from flank.machines.base import Machine
from flank.machines.quantities import Angle, Torque
from flank.machines.spec import Spec, key, optional

TARGETS = {
    "rexs": Target("a REXS file", ".rexs", is_our_closed_file),
    "ross": Target("a Python file", ".py", is_our_checked_file),
    "opentorsion": Target("a Python file", ".py", is_our_checked_file),
}
"""By format."""

SCRIPTS = {"ross": ross_script, "opentorsion": opentorsion_script}


class ModelSettings(Spec):
    """The working point at which a model is taken."""

    angle: Angle = key("the angle of the input", "30 deg", default=0.0)
    torque: Torque | None = optional(
        "the torque on the output, in its positive sense; that of the operating point if absent",
        "500 N*m",
    )


def export_model(
    machine: Machine, path: str | Path, name: str, settings: Mapping[str, Any]
) -> tuple[Path, list[str]]:
    """Write a machine; returns where, and what is told of it."""
    target = check_target(path, TARGETS[name])
    if name == "rexs":
        if settings:
            raise SpecError(f"REXS has no settings; leave out {next(iter(settings))}")
        text = rexs_of(machine)
        write_target(target, with_closing_checksum(text))
        return target, [f"{text.count('<component ')} components of REXS"]
    given = ModelSettings.from_settings(settings, "a model")
    text, train = SCRIPTS[name](machine, given.angle, given.torque)
    write_target(target, with_checksum(text))
    stiffness = ", ".join(f"{1e-6 * mesh.stiffness:.4g}" for mesh in train.meshes[:2])
    return target, [
        f"turning      {', '.join(train.nodes)}",
        f"meshes       {len(train.meshes)}, {stiffness} N/um under {train.torque:g} N*m",
    ]
