"""What a gear engineer asks of the gears of a machine: radii, working angles, ratios, stiffness.

Lengths and angles are those of the transverse plane unless a title says normal (ISO 21771).
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from flank.elasticity import iso_6336, mesh_stiffness
from flank.geometry.gear import Gear
from flank.geometry.gear_checks import form_roll, least_profile_shift
from flank.geometry.pair_checks import tip_clearances
from flank.machines.base import DataRow, DataTable
from flank.machines.meshed_pair import MeshedPair

T = TypeVar("T")


@dataclass(frozen=True)
class Asked(Generic[T]):
    """A quantity: its title, how it is read, its unit and the one it is shown in."""

    title: str
    value: Callable[[T], float]
    unit: str = ""
    shown_unit: str = ""
    digits: int = 4
    of_helical: bool = False


def gear_table(title: str, gears: Mapping[str, Gear]) -> DataTable:
    """One column for each gear."""
    return _table(title, gears, _asked(OF_GEARS, gears.values()))


def mesh_table(title: str, meshes: Mapping[str, MeshedPair]) -> DataTable:
    """One column for each mesh, tight ones without backlash; loads are those at rated torque."""
    return _table(title, meshes, _asked(OF_MESHES, (one.pair.first for one in meshes.values())))


def _asked(asked: list[Asked[T]], gears: Iterable[Gear]) -> list[Asked[T]]:
    """Spur gears leave out what is the same in their normal section."""
    helical = any(gear.helix_angle for gear in gears)
    return [one for one in asked if helical or not one.of_helical]


def _table(title: str, items: Mapping[str, T], asked: list[Asked[T]]) -> DataTable:
    def row(one: Asked[T]) -> DataRow:
        values = tuple(float(one.value(item)) for item in items.values())
        return DataRow(one.title, values, one.unit, one.shown_unit, one.digits)

    return DataTable(title, tuple(items), tuple(row(one) for one in asked))


def _least_shift(gear: Gear) -> float:
    """No rack cuts a ring, so none undercuts it."""
    return math.nan if gear.internal else least_profile_shift(gear)


def _form_radius(gear: Gear) -> float:
    return math.hypot(gear.base_radius, form_roll(gear))


def _tight(meshed: MeshedPair) -> float:
    return meshed.pair.tight_centre_distance


def _own_stiffness(meshed: MeshedPair) -> float:
    """c_γ of the teeth's own elasticity, per face width."""
    pair, slices = meshed.pair, len(meshed.slices())
    load = meshed.load / pair.face_width
    return mesh_stiffness.mean_stiffness(pair, meshed.materials, load, slices) / pair.face_width


OF_GEARS: list[Asked[Gear]] = [
    Asked("teeth z", lambda gear: gear.teeth),
    Asked("profile shift coefficient x", lambda gear: gear.profile_shift),
    Asked("least x without undercut", _least_shift),
    Asked("normal module m_n", lambda gear: gear.normal_module, "m", "mm"),
    Asked("transverse module m_t", lambda g: g.transverse_module, "m", "mm", 6, of_helical=True),
    Asked("reference radius r", lambda gear: gear.reference_radius, "m", "mm", 6),
    Asked("base radius r_b", lambda gear: gear.base_radius, "m", "mm", 6),
    Asked("tip radius r_a", lambda gear: gear.tip_radius, "m", "mm", 6),
    Asked("root form radius r_Ff", _form_radius, "m", "mm", 6),
    Asked("root radius r_f", lambda gear: gear.root_radius, "m", "mm", 6),
    Asked("tooth thickness at r", lambda g: g.thickness(g.reference_radius), "m", "mm"),
    Asked("tooth thickness at r_a", lambda g: g.thickness(g.tip_radius), "m", "mm"),
]

OF_MESHES: list[Asked[MeshedPair]] = [
    Asked("centre distance a", lambda one: one.pair.centre_distance, "m", "mm", 6),
    Asked("centre distance without backlash", _tight, "m", "mm", 6),
    Asked("working pressure angle α_wt", lambda one: one.pair.working_angle, "rad", "deg", 5),
    Asked("transverse base pitch p_bt", lambda one: one.pair.base_pitch, "m", "mm", 6),
    Asked("contact ratio ε_α of rounded tips", lambda one: one.pair.contact_ratio),
    Asked("overlap ratio ε_β", lambda one: one.pair.overlap_ratio, of_helical=True),
    Asked("total contact ratio ε_γ", lambda one: one.pair.total_contact_ratio, of_helical=True),
    Asked("backlash j_wt", lambda one: one.pair.circumferential_backlash, "m", "um"),
    Asked("backlash along the line of action", lambda one: one.pair.normal_backlash, "m", "um"),
    Asked("tip clearance of the first gear", lambda one: tip_clearances(one.pair)[0], "m", "mm"),
    Asked("tip clearance of the second gear", lambda one: tip_clearances(one.pair)[1], "m", "mm"),
    Asked("common face width b", lambda one: one.pair.face_width, "m", "mm", 6),
    Asked("tooth force at the rated torque", lambda one: one.load, "N", "kN"),
    Asked(
        "c' by ISO 6336-1 B",
        lambda one: iso_6336.single_stiffness(one.pair, one.materials),
        "N/m^2",
        "N/(mm*um)",
    ),
    Asked(
        "c_γα by ISO 6336-1 B",
        lambda one: iso_6336.mean_stiffness(one.pair, one.materials),
        "N/m^2",
        "N/(mm*um)",
    ),
    Asked("c_γα of Flank's teeth at this force", _own_stiffness, "N/m^2", "N/(mm*um)"),
    Asked(
        "the same over the face",
        lambda one: _own_stiffness(one) * one.pair.face_width,
        "N/m",
        "N/um",
    ),
]
