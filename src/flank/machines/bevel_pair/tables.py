"""What a gear engineer asks of a pair in space: cones, heights and thicknesses of the blanks of
bevel and hypoid gears by the names of ISO 23509, those of involute gears by ISO 21771, and what the
pair has in common."""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from flank.geometry.bevel.section import Blank
from flank.machines.base import DataRow, DataTable
from flank.machines.bevel_pair.involute_spec import SpatialGearPairSpec
from flank.machines.bevel_pair.spec import MEMBERS
from flank.machines.gear_data import gear_table

if TYPE_CHECKING:
    from flank.machines.bevel_pair.machine import BevelPairMachine

OF_BLANKS: list[tuple[str, Callable[[Blank], float], str, str, int]] = [
    ("teeth z", lambda blank: blank.teeth, "", "", 4),
    ("pitch angle δ", lambda blank: blank.pitch_angle, "rad", "deg", 6),
    ("face angle δ_a", lambda blank: blank.face_angle, "rad", "deg", 6),
    ("root angle δ_f", lambda blank: blank.root_angle, "rad", "deg", 6),
    ("mean cone distance R_m", lambda blank: blank.mean_distance, "m", "mm", 6),
    ("outer cone distance R_e", lambda blank: blank.outer_distance, "m", "mm", 6),
    ("face width b", lambda blank: blank.face_width, "m", "mm", 6),
    ("mean spiral angle β_m", lambda blank: blank.spiral_angle, "rad", "deg", 5),
    ("mean pitch diameter d_m", lambda blank: blank.mean_diameter, "m", "mm", 6),
    (
        "outer pitch diameter d_e",
        lambda blank: 2 * blank.outer_distance * math.sin(blank.pitch_angle),
        "m",
        "mm",
        6,
    ),
    ("outside diameter d_ae", lambda blank: blank.outside_diameter, "m", "mm", 6),
    ("mean addendum h_am", lambda blank: blank.mean_addendum, "m", "mm", 5),
    ("mean dedendum h_fm", lambda blank: blank.mean_dedendum, "m", "mm", 5),
    (
        "outer addendum h_ae",
        lambda blank: blank.addendum(blank.outer_distance),
        "m",
        "mm",
        5,
    ),
    (
        "outer dedendum h_fe",
        lambda blank: blank.dedendum(blank.outer_distance),
        "m",
        "mm",
        5,
    ),
    ("mean normal thickness s_mn", lambda blank: blank.thickness, "m", "mm", 5),
    (
        "crossing point to crown t_xo",
        lambda blank: float(
            blank.point(blank.outer_distance, blank.addendum(blank.outer_distance))[0]
        ),
        "m",
        "mm",
        6,
    ),
    ("pitch apex beyond crossing point t_z", lambda blank: blank.apex_beyond, "m", "mm", 5),
]


def gear_data(machine: "BevelPairMachine") -> list[DataTable]:
    """Of both members, and of the pair."""
    blanks, spec = machine.teeth.blanks, machine.spec
    if blanks is not None:
        return [member_table(blanks), pair_table(machine)]
    assert isinstance(spec, SpatialGearPairSpec)
    gears = dict(zip(MEMBERS, spec.gears, strict=True))
    return [gear_table("Gears", gears), pair_table(machine)]


def member_table(blanks: tuple[Blank, Blank]) -> DataTable:
    """Blanks of both members."""
    rows = [
        DataRow(title, tuple(float(read(blank)) for blank in blanks), unit, shown, digits)
        for title, read, unit, shown, digits in OF_BLANKS
    ]
    return DataTable("Blanks", ("pinion", "wheel"), tuple(rows))


def pair_table(machine: "BevelPairMachine") -> DataTable:
    """What belongs to the pair, forces at the rated torque."""
    spec, teeth, contact = machine.spec, machine.teeth, machine.contact
    radius, lever = float(teeth.wheel.mean_place[1]), abs(contact.levers[1])
    force = spec.rated_torque / lever
    pair = teeth.pair_blanks
    angles: list[tuple[str, float, str, str, int]] = []
    if teeth.blanks is not None:
        angles = [("mean normal module m_mn", machine.normal_module, "m", "mm", 5)]
    if pair is not None:
        drive, coast = pair.pressure_angles
        angles += [
            ("drive pressure angle α_nD", drive, "rad", "deg", 5),
            ("coast pressure angle α_nC", coast, "rad", "deg", 5),
            ("limit pressure angle α_lim", pair.limit_pressure_angle, "rad", "deg", 5),
        ]
    values = [
        ("shaft angle Σ", teeth.mounting.shaft_angle, "rad", "deg", 6),
        ("offset a", abs(teeth.mounting.offset), "m", "mm", 6),
        *angles,
        ("mean backlash j_mt2", machine.backlash * radius, "m", "um", 4),
        ("lever of the line of action, pinion", abs(contact.levers[0]), "m", "mm", 5),
        ("lever of the line of action, wheel", lever, "m", "mm", 5),
        ("radius of relative curvature", contact.radius, "m", "mm", 4),
        ("tooth force at the rated torque", force, "N", "kN", 4),
        ("nominal pressure at the rated torque", machine.nominal_pressure(force), "Pa", "MPa", 4),
    ]
    rows = tuple(
        DataRow(title, (value,), unit, shown, digits)
        for title, value, unit, shown, digits in values
    )
    return DataTable("Pair", ("pinion/wheel",), rows, (_of_the_mesh(machine),))


def _of_the_mesh(machine: "BevelPairMachine") -> str:
    """Where the stiffness of the spring along the line of action comes from."""
    if machine.spec.mesh.stiffness is not None:
        return "The mesh is a spring of the stiffness that the spec gives."
    return (
        "The mesh is a spring of ISO 10300-1's mean stiffness, that of solid gears: bores, rims "
        "and webs do not count in it."
    )
