"""Write a machine's parts as one file, in the format of its suffix."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from flank.cad.bevel import SpaceSolid, space_solids
from flank.cad.placing import Placed, placed_plates
from flank.errors import SpecError, suggestion
from flank.io.ownership import is_our_checked_file, is_our_drawing, with_checksum
from flank.io.targets import Target, check_target, write_target
from flank.machines.base import Machine
from flank.machines.bevel_pair.machine import BevelPairMachine
from flank.machines.quantities import Angle, PositiveLength
from flank.machines.spec import Spec, key
from flank.texts import echo

FEWEST_DIGITS = 1e-9
"""m, the finest tolerance: what is written has that many digits."""


class DrawingSettings(Spec):
    """Where the machine stands, and how curves are written."""

    angle: Angle = key("the angle of the input", "30 deg", default=0.0)
    curves: Literal["splines", "polylines"] = key(
        "how flanks are written; splines in STEP, lines in SVG and CSV whatever is said",
        default="splines",
    )
    tolerance: PositiveLength = key(
        "how far a line may lie from the curve that it stands for", "1 um", default=1e-6
    )

    def cross_checks(self) -> Any:
        yield from super().cross_checks()
        if self.tolerance < FEWEST_DIGITS:
            yield f"tolerance is {self.tolerance:g} m; it is at least 1 nm, for example '1 um'"


DEFAULTS = DrawingSettings()

Part = Placed | SpaceSolid
"""In the plane, or in space."""

Content = Callable[[Any, str, DrawingSettings], bytes | str]
"""Of parts in the plane, of which solids alone may be in space."""


@dataclass(frozen=True)
class Format:
    """A kind of file, what it holds, and who makes it."""

    target: Target
    meaning: str
    content: Content


def _dxf(parts: list[Placed], title: str, settings: DrawingSettings) -> str:
    from flank.cad.dxf import dxf_text

    return dxf_text(parts, title, settings.curves, settings.tolerance)


def _svg(parts: list[Placed], title: str, settings: DrawingSettings) -> str:
    from flank.cad.svg import svg_text

    return svg_text(parts, title, settings.tolerance)


def _step(parts: list[Part], title: str, settings: DrawingSettings) -> bytes:
    from flank.cad.step import step_bytes

    return step_bytes(parts, title)


def _csv(parts: list[Placed], title: str, settings: DrawingSettings) -> str:
    from flank.cad.points import csv_text

    return with_checksum(csv_text(parts, settings.tolerance))


def _target(name: str, is_ours: Callable[[Path], bool] = is_our_drawing) -> Target:
    return Target(f"{'an' if name == 'svg' else 'a'} {name.upper()} file", f".{name}", is_ours)


FORMATS = {
    "dxf": Format(_target("dxf"), "on layers, in mm", _dxf),
    "svg": Format(_target("svg"), "at their true size", _svg),
    "step": Format(_target("step"), "as solids, in mm", _step),
    "csv": Format(_target("csv", is_our_checked_file), "as points of their edges, in mm", _csv),
}
"""By suffix."""


def format_of(path: str | Path) -> str:
    """The format that a file's name asks for."""
    suffix = Path(path).suffix.lower().lstrip(".")
    suffix = {"stp": "step"}.get(suffix, suffix)
    if suffix not in FORMATS:
        raise SpecError(
            f"'{echo(str(path))}' has no suffix of a drawing{suggestion(suffix, FORMATS)} Give "
            + " or ".join(f".{name}" for name in FORMATS)
        )
    return suffix


def export_drawing(
    machine: Machine, path: str | Path, name: str, settings: Mapping[str, Any]
) -> tuple[Path, list[Part]]:
    """Write a machine's parts; returns where, and the parts."""
    target = check_target(path, FORMATS[name].target)
    content, parts = drawing_content(machine, name, settings)
    write_target(target, content)
    return target, parts


def drawing_content(
    machine: Machine, name: str, settings: Mapping[str, Any]
) -> tuple[bytes | str, list[Part]]:
    """What a file of a machine's parts holds, and the parts."""
    given = DrawingSettings.from_settings(settings, "a drawing")
    if name == "step":
        from flank.cad.step import require

        require()
    parts: list[Part] = []
    if name == "step" and isinstance(machine, BevelPairMachine):
        parts += space_solids(machine, given.angle)
    else:
        parts += placed_plates(machine, given.angle)
    return FORMATS[name].content(parts, machine.title, given), parts
