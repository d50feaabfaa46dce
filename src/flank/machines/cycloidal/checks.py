"""What must hold between the parts of a cycloidal drive before anything is computed.

Only what makes the machine impossible or an option useless is refused here. Whether a possible
machine is a good one (undercut, thin walls) is a finding of the geometry.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from flank.machines.materials import BUILT_IN_MATERIALS, unknown_material
from flank.machines.mistakes import first_causes

if TYPE_CHECKING:
    from flank.machines.cycloidal.parts import NeedlesSpec, RollersSpec
    from flank.machines.cycloidal.spec import CycloidalDriveSpec

#: Share of the roller radius up to which a tight hole is preload and not a jam.
LARGEST_ROLLER_PRELOAD = 0.01

#: Segments of a whole flank, some tenths of a micron each.
MOST_SEGMENTS = 1_000_000


def problems_of(spec: CycloidalDriveSpec) -> Iterator[str]:
    """Every sentence about the drive as a whole."""
    yield from _materials(spec)
    yield from _unused(spec)
    yield from _segments(spec)
    yield from first_causes(_pin_circle(spec), _bore(spec), _inside(spec))


def _inside(spec: CycloidalDriveSpec) -> Iterator[str]:
    if (rollers := spec.output.rollers) is not None:
        yield from first_causes(
            _roller_holes(spec, rollers), _roller_circle(spec, rollers), _holes_apart(spec, rollers)
        )
    if (needles := spec.eccentric.needles) is not None:
        yield from _needles(spec, needles)


def _mm(length: float) -> str:
    return f"{length * 1e3:.6g} mm"


def _named_materials(spec: CycloidalDriveSpec) -> Iterator[tuple[str, str]]:
    yield "pins.material", spec.pins.material
    yield "discs.material", spec.discs.material
    if spec.eccentric.needles is not None:
        yield "eccentric.needles.material", spec.eccentric.needles.material
    if spec.output.rollers is not None:
        yield "output.rollers.material", spec.output.rollers.material


def _materials(spec: CycloidalDriveSpec) -> Iterator[str]:
    known = {**BUILT_IN_MATERIALS, **spec.materials}
    for path, name in _named_materials(spec):
        if name not in known:
            yield f"{path}: {unknown_material(name, spec.materials)}"


def _unused(spec: CycloidalDriveSpec) -> Iterator[str]:
    if spec.discs.contact_depth is not None and spec.contact.law != "hertz":
        yield f"discs.contact_depth does nothing with the law '{spec.contact.law}'; remove it"
    if spec.friction.grooves and spec.pins.mounting != "rolling":
        yield "friction.grooves does nothing with fixed pins; set pins.mounting to 'rolling'"
    if spec.friction.rollers and spec.output.rollers is None:
        yield "friction.rollers does nothing without output rollers; remove it"


def _segments(spec: CycloidalDriveSpec) -> Iterator[str]:
    count = spec.lobe_count * spec.segments_per_lobe
    if spec.discs.profile == "polyline" and count > MOST_SEGMENTS:
        yield (
            f"discs.segments_per_lobe is {spec.segments_per_lobe}, which is {count} in all; with "
            f"{spec.lobe_count} lobes use at most {MOST_SEGMENTS // spec.lobe_count}"
        )


def _pin_circle(spec: CycloidalDriveSpec) -> Iterator[str]:
    pins = spec.pins
    circles = {
        "pins.circle_radius": pins.circle_radius,
        "discs.generating_circle_radius": spec.generating_circle_radius,
    }
    shift = spec.eccentricity * pins.count
    tight = [name for name, radius in circles.items() if shift >= radius]
    if tight:
        largest = _mm(circles[tight[0]] / pins.count)
        yield (
            f"eccentricity is {_mm(spec.eccentricity)}; it must be less than {largest} "
            f"({tight[0]} / pins.count), or the flank crosses itself"
        )
    room = pins.circle_radius * math.sin(math.pi / pins.count)
    if pins.radius >= room:
        yield (
            f"pins.radius is {_mm(pins.radius)}; neighbouring pins touch at {_mm(room)}, "
            "use smaller or fewer pins"
        )


def _bore(spec: CycloidalDriveSpec) -> Iterator[str]:
    root = spec.root_radius
    if spec.discs.bore_radius >= root:
        yield (
            f"discs.bore_radius is {_mm(spec.discs.bore_radius)}; it must be less than "
            f"the flank's root radius of {_mm(root)}"
        )


def _roller_holes(spec: CycloidalDriveSpec, rollers: RollersSpec) -> Iterator[str]:
    hole = spec.roller_hole_radius
    if hole < rollers.radius + spec.eccentricity - LARGEST_ROLLER_PRELOAD * rollers.radius:
        yield (
            f"output.rollers.hole_radius is {_mm(hole)}; the roller needs "
            f"{_mm(rollers.radius + spec.eccentricity)} (roller radius plus eccentricity)"
        )


def _roller_circle(spec: CycloidalDriveSpec, rollers: RollersSpec) -> Iterator[str]:
    hole = spec.roller_hole_radius
    outermost = rollers.circle_radius + hole
    if outermost >= spec.root_radius:
        yield (
            f"output.rollers: the holes reach out to {_mm(outermost)} and cut the flank, whose "
            f"root radius is {_mm(spec.root_radius)}; use a smaller circle_radius or radius"
        )
    innermost = rollers.circle_radius - hole
    if innermost <= spec.discs.bore_radius:
        yield (
            f"output.rollers: the holes reach in to {_mm(innermost)} and cut discs.bore_radius "
            f"of {_mm(spec.discs.bore_radius)}; use a larger circle_radius or a smaller bore"
        )


def _holes_apart(spec: CycloidalDriveSpec, rollers: RollersSpec) -> Iterator[str]:
    if spec.roller_hole_radius >= rollers.circle_radius * math.sin(math.pi / rollers.count):
        yield "output.rollers: neighbouring holes overlap; use fewer or smaller rollers"


def _needles(spec: CycloidalDriveSpec, needles: NeedlesSpec) -> Iterator[str]:
    if spec.eccentric_radius <= spec.eccentricity:
        yield (
            f"eccentric.needles.radius: discs.bore_radius leaves an eccentric of radius "
            f"{_mm(spec.eccentric_radius)}, which must exceed the eccentricity; "
            "use thinner needles or a larger bore"
        )
        return
    pitch_radius = spec.eccentric_radius + needles.radius + needles.clearance / 2.0
    if needles.radius >= pitch_radius * math.sin(math.pi / needles.count):
        most = int(math.pi / math.asin(min(1.0, needles.radius / pitch_radius)))
        yield f"eccentric.needles.count is {needles.count}; at most {most} of this radius fit"
