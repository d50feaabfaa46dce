"""How far to trust involute gears in space: their axes, forces and bearings, and the plane.

    python validation/gears_in_space.py      writes docs/validation/gears_in_space.md

Every case is also a test.
"""

import math
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import numpy as np
from cases import Case, as_table, finish

import flank
from flank.arrays import Floats
from flank.contact.spatial.loaded_flanks import FlankLoad, LoadedFlanks
from flank.dynamics.functions import constant
from flank.dynamics.run import solve_statics
from flank.dynamics.spatial.quaternions import matrix_of
from flank.geometry.unloaded_contact import transmission_error
from flank.machines.base import Drive
from flank.machines.bevel_pair.machine import BevelPairMachine
from flank.machines.registry import machine_from_mapping

PAGE = Path(__file__).parent.parent / "docs" / "validation" / "gears_in_space.md"

ARC_SECOND = math.pi / 648000
GEAR: dict[str, Any] = {"face_width": "20 mm", "thickness_deviation": "-30 um"}
TORQUE, SMALL_ANGLE = 80.0, 1e-4
POSITIONS = 96
"""In a mesh cycle: with 24 the mean stiffness hangs on which of them fall beside the switch from
one pair of teeth to two (1.6 % apart); with 96 and with 384 plane and space are 0.36 % apart."""


def involute_pair(changes: dict[str, Any] | None = None, **gears: Any) -> BevelPairMachine:
    """24/36 teeth of 3 mm on rigid axes, with a bore, and what is changed of pinion and wheel."""
    body = {"body": {"bore_diameter": "36 mm"}}
    data: dict[str, Any] = {
        "machine": "spatial-gear-pair",
        "rated_torque": f"{TORQUE} N*m",
        "rack": {"normal_module": "3 mm"},
        "pinion": {"teeth": 24, **GEAR, **body, **gears.get("pinion", {})},
        "wheel": {"teeth": 36, **GEAR, **body, **gears.get("wheel", {})},
        "operation": {"input_speed": "1000 rpm", "torque": f"{TORQUE} N*m"},
    }
    machine: BevelPairMachine = machine_from_mapping(data, changes or {})
    return machine


AXES = (
    # what it is, helix angles and hands, tapers, shaft angle
    ("crossed helical gears", (20, 25), ("left", "left"), (0, 0), 45.0),
    ("beveloid gears", (0, 0), ("right", "left"), (4, 6), 10.0),
    ("helical beveloid gears", (15, 15), ("right", "left"), (3, 5), 8.0),
)


def axes_cases() -> Iterator[Case]:
    """The shaft angle, and the ratio: involute helicoids keep it in any mounting."""
    for name, helix, hands, tapers, angle in AXES:
        first, second = (
            {"helix_angle": f"{beta} deg", "hand": hand, "taper": f"{taper} deg"}
            for beta, hand, taper in zip(helix, hands, tapers, strict=True)
        )
        machine = involute_pair(pinion=first, wheel=second)
        mounting = machine.teeth.mounting
        yield Case(
            f"{name}, shaft angle",
            "sum of helix angles, or of tapers",
            angle,
            math.degrees(mounting.shaft_angle),
            "°",
            1e-9,
        )
        moved = replace(mounting, e=50e-6, p=100e-6, alpha=1e-4)
        error = transmission_error(machine.flank_pair(mounting=moved), 12).peak_to_peak
        yield Case(
            f"{name} misaligned, transmission error",
            "same normal base pitch",
            0.0,
            error / ARC_SECOND,
            "arcsec",
            1e-3,
        )
        play = machine.backlash * float(machine.teeth.wheel.mean_place[1])
        cosines = [math.cos(gear.helix_angle) for gear in machine.spec.gears]
        yield Case(
            f"{name}, backlash",
            "thinner teeth, by cos β₁/cos β₂ of the pinion",
            30.0 * (1 + cosines[0] / cosines[1]),
            1e6 * play,
            "um",
            1e-6,
        )


def _under(machine: BevelPairMachine, angle: float = 0.0) -> tuple[LoadedFlanks, FlankLoad]:
    flanks = machine.loaded_flanks()
    return flanks, flanks.under(angle, TORQUE)


def _settled(machine: BevelPairMachine, torque: float) -> tuple[Floats, list[Floats]]:
    """Places of both members and their axes under a torque on the output, and teeth at rest."""
    drive = Drive.of_ends(constant(0.1), constant(torque))
    assembly = machine.assemble(drive)
    run = solve_statics(assembly.spatial, machine.ideal_pose(0.1), np.array([0.0]))
    assert run.complete
    axes = [np.ascontiguousarray(matrix_of(run.rotation[0]))[body][:, 2] for body in (1, 2)]
    return np.asarray(run.position[0]), axes


HELICAL = {"rack.helix_angle": "20 deg"}
STIFFNESS, AXIAL, ARM = 2e8, 1e8, 0.05
BEARINGS = [
    {"at": -ARM, "radial_stiffness": STIFFNESS, "axial_stiffness": AXIAL},
    {"at": ARM, "radial_stiffness": STIFFNESS},
]


def bearing_cases() -> Iterator[Case]:
    """Helical gears on their bearings: the axial force, and how it tilts the wheel."""
    machine = involute_pair(HELICAL | {"wheel.bearings": BEARINGS})
    place, axes = _settled(machine, machine.load_torque)
    start = machine.ideal_pose(0.1).position
    radius = machine.spec.gears[1].reference_radius
    tangential = TORQUE / radius
    axial = AXIAL * abs(place[2, 2] - start[2, 2])
    expected = tangential * math.tan(math.radians(20))
    yield Case("axial force of helical gears", "F_t tan β", expected, axial, "N", 2e-3)
    # the axial force at the pitch circle turns the wheel on two springs a distance 2 l apart
    tilt = math.hypot(*axes[1][:2])
    moment = expected * radius
    yield Case(
        "tilt of the wheel under it",
        "F_a r/2 k l²",
        1e6 * moment / (2 * STIFFNESS * ARM**2),
        1e6 * tilt,
        "urad",
        3e-2,
    )


CROWNED = {"pinion.crowning": "10 um"}


def crossing_cases() -> Iterator[Case]:
    """Axes that are not parallel: against the closed form of what it costs, and mirrored."""
    straight, turned, back = (
        involute_pair({"errors.shaft_angle": angle}) for angle in (0.0, SMALL_ANGLE, -SMALL_ANGLE)
    )
    lost = (straight.backlash - turned.backlash) * float(turned.teeth.wheel.mean_place[1])
    face = turned.spec.pinion.face_width
    expected = 1e6 * face * SMALL_ANGLE
    yield Case("backlash lost by axes 0.1 mrad off", "b δ", expected, 1e6 * lost, "um", 1e-3)
    first, second = (_under(machine)[1].force.max() for machine in (turned, back))
    yield Case("the other way: largest force of a point", "mirror image", first, second, "N", 1e-3)


def reversal_cases() -> Iterator[Case]:
    """Turning the other way with helices of the other hand is the mirror image."""
    machines = [
        involute_pair(HELICAL | CROWNED | {"pinion.hand": hand, "turning": turning})
        for hand, turning in (("right", "right-handed"), ("left", "left-handed"))
    ]
    lags = [_under(machine, machine.sense * 0.1)[1].lag for machine in machines]
    first, second = (1e6 * lag for lag in lags)
    yield Case("reversed and mirrored, wind-up", "mirror image", first, second, "urad", 1e-6)


def planar(changes: dict[str, Any] | None = None, **errors: Any) -> Any:
    """The spur pair of `involute_pair` in the plane, of finite elements."""
    body = {"body": {"bore_diameter": "36 mm"}}
    data: dict[str, Any] = {
        "machine": "gear-pair",
        "rated_torque": f"{TORQUE} N*m",
        "rack": {"normal_module": "3 mm"},
        "pinion": {"teeth": 24, **GEAR, **body},
        "wheel": {"teeth": 36, **GEAR, **body},
        "mesh": {"model": "fe", "slices": 21},
        "errors": errors,
        "operation": {"input_speed": "1000 rpm", "torque": f"{TORQUE} N*m"},
    }
    return machine_from_mapping(data, changes or {})


def planar_cases() -> Iterator[Case]:
    """Spur gears of finite elements, in the plane and in space, straight and misaligned."""
    angle = math.radians(20)
    for name, slope in (("", 0.0), ("misaligned, ", 2e-4)):
        known = flank.run(planar(misalignment=slope), "loaded-contact", positions=POSITIONS)
        space = {"mesh.influence": "fe", "errors.shaft_angle": slope / math.cos(angle)}
        machine = involute_pair(space)
        computed = flank.run(machine, "loaded-contact", positions=POSITIONS)
        # in space counted from where an end touches, in the plane from the middle of the face
        first = 0.5 * slope * machine.spec.pinion.face_width / machine.spec.gears[1].base_radius
        for quantity, shift, unit, factor in (
            ("mean_error", first, "arcsec", 1 / ARC_SECOND),
            ("mean_stiffness", 0.0, "kN*m/rad", 1e-3),
        ):
            yield Case(
                f"spur gears, {name}{quantity.replace('_', ' ')}",
                "planar rung `fe`",
                factor * abs(known[quantity]),
                factor * (abs(computed[quantity]) - shift),
                unit,
                1e-2,
            )


SECTIONS = {
    "axes": axes_cases,
    "bearings": bearing_cases,
    "crossing": crossing_cases,
    "reversal": reversal_cases,
    "planar": planar_cases,
}
GROUPS = tuple(SECTIONS.values())

PROSE = """# How far to trust involute gears in space

Written by `make validation`; every row is also a test. Theory:
[pairs in space](../theory/bevel_pair.md#involute-gears-in-space). Flanks, their contact and the
element are those of [bevel and hypoid gears](bevel_gears.md).

## Axes and ratio

Axes stand as helix angles and tapers say, and the ratio is exact in any mounting: here with 0.05 mm
more distance, the pinion moved by 0.1 mm and the axes turned by 0.1 mrad.

{axes}

## Forces on bearings

Teeth of 20° on a wheel between two bearings, in one position of the mesh. The tilt is that of the
axial force at the reference circle; where lines of contact are not in the middle of the face, the
forces of the teeth turn the wheel, too, which this closed form leaves out.

{bearings}

## Axes that are not parallel

Spur teeth without crowning, which then touch with the ends of their faces.

{crossing}

## Turned round

{reversal}

## Against the plane

Spur teeth of finite elements: `gear-pair` with the mesh model `fe` and 21 slices, and
`spatial-gear-pair` with `influence: fe` and 40 points; misaligned by 0.2 mrad in the plane of
action.

{planar}

## What is not validated

- **No measured pair stands behind these figures.**
- Beveloid gears on axes that cross have no other program's loaded contact beside them; their
  flanks, axes and ratio are exact.
"""


def main() -> None:
    cases = {section: list(group()) for section, group in SECTIONS.items()}
    tables = {section: as_table(each) for section, each in cases.items()}
    finish(PAGE, PROSE.format(**tables), [case for each in cases.values() for case in each])


if __name__ == "__main__":
    main()
