"""What a gear engineer asks of the gears of a machine: radii, working angles, ratios, stiffness.

Lengths and angles are those of the transverse plane unless a title says normal (ISO 21771).
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from flank.elasticity import iso_6336
from flank.geometry.gear import Gear
from flank.geometry.gear_checks import form_roll, least_profile_shift
from flank.geometry.pair_checks import tip_clearances
from flank.machines.base import DataRow, DataTable
from flank.machines.gear_bodies import mesh_bodies
from flank.machines.meshed_pair import MeshedPair

T = TypeVar("T")


@dataclass(frozen=True)
class Row(Generic[T]):
    """A row of a table: its title, how it is read, its unit and the one it is shown in."""

    title: str
    value: Callable[[T], float]
    unit: str = ""
    shown_unit: str = ""
    digits: int = 4
    of_helical: bool = False


def gear_table(title: str, gears: Mapping[str, Gear]) -> DataTable:
    """One column for each gear."""
    return _table(title, gears, OF_GEARS, gears.values())


def mesh_table(title: str, meshes: Mapping[str, MeshedPair]) -> DataTable:
    """One column for each mesh, tight ones without backlash; loads are those at rated torque."""
    table = _table(title, meshes, OF_MESHES, (mesh.pair.first for mesh in meshes.values()))
    return replace(table, notes=tuple(_bodies(meshes)))


def _bodies(meshes: Mapping[str, MeshedPair]) -> Iterator[str]:
    """What the teeth of each mesh stand on."""
    for name, mesh in meshes.items():
        if mesh.curve is None:
            first, second = mesh_bodies(mesh, elements=False)
            yield f"Bodies of {name}: {first}; {second}."


def _table(
    title: str, items: Mapping[str, T], quantities: list[Row[T]], gears: Iterable[Gear]
) -> DataTable:
    """Spur gears leave out what is the same in their normal section."""
    helical = any(gear.helix_angle for gear in gears)

    def data(of: Row[T]) -> DataRow:
        values = tuple(float(of.value(item)) for item in items.values())
        return DataRow(of.title, values, of.unit, of.shown_unit, of.digits)

    rows = (data(each) for each in quantities if helical or not each.of_helical)
    return DataTable(title, tuple(items), tuple(rows))


OF_GEARS: list[Row[Gear]] = [
    Row("teeth z", lambda gear: gear.teeth),
    Row("profile shift coefficient x", lambda gear: gear.profile_shift),
    Row(
        "least x without undercut",  # no rack cuts a ring, so none undercuts it
        lambda gear: math.nan if gear.internal else least_profile_shift(gear),
    ),
    Row("normal module m_n", lambda gear: gear.normal_module, "m", "mm"),
    Row("transverse module m_t", lambda g: g.transverse_module, "m", "mm", 6, of_helical=True),
    Row("reference radius r", lambda gear: gear.reference_radius, "m", "mm", 6),
    Row("base radius r_b", lambda gear: gear.base_radius, "m", "mm", 6),
    Row("tip radius r_a", lambda gear: gear.tip_radius, "m", "mm", 6),
    Row("root form radius r_Ff", lambda g: math.hypot(g.base_radius, form_roll(g)), "m", "mm", 6),
    Row("root radius r_f", lambda gear: gear.root_radius, "m", "mm", 6),
    Row("tooth thickness at r", lambda g: g.thickness(g.reference_radius), "m", "mm"),
    Row("tooth thickness at r_a", lambda g: g.thickness(g.tip_radius), "m", "mm"),
]

OF_MESHES: list[Row[MeshedPair]] = [
    Row("centre distance a", lambda mesh: mesh.pair.centre_distance, "m", "mm", 6),
    Row(
        "centre distance without backlash",
        lambda mesh: mesh.pair.tight_centre_distance,
        "m",
        "mm",
        6,
    ),
    Row("working pressure angle α_wt", lambda mesh: mesh.pair.working_angle, "rad", "deg", 5),
    Row("transverse base pitch p_bt", lambda mesh: mesh.pair.base_pitch, "m", "mm", 6),
    Row("contact ratio ε_α of rounded tips", lambda mesh: mesh.pair.contact_ratio),
    Row("overlap ratio ε_β", lambda mesh: mesh.pair.overlap_ratio, of_helical=True),
    Row("total contact ratio ε_γ", lambda mesh: mesh.pair.total_contact_ratio, of_helical=True),
    Row("backlash j_wt", lambda mesh: mesh.pair.circumferential_backlash, "m", "um"),
    Row("backlash along the line of action", lambda mesh: mesh.pair.normal_backlash, "m", "um"),
    Row("tip clearance of the first gear", lambda mesh: tip_clearances(mesh.pair)[0], "m", "mm"),
    Row("tip clearance of the second gear", lambda mesh: tip_clearances(mesh.pair)[1], "m", "mm"),
    Row("common face width b", lambda mesh: mesh.pair.face_width, "m", "mm", 6),
    Row("tooth force at the rated torque", lambda mesh: mesh.load, "N", "kN"),
    Row(
        "c' by ISO 6336-1 B, solid gears",
        lambda mesh: iso_6336.single_stiffness(mesh.pair, mesh.materials),
        "N/m^2",
        "N/(mm*um)",
    ),
    Row(
        "c_γα by ISO 6336-1 B, solid gears",
        lambda mesh: iso_6336.mean_stiffness(mesh.pair, mesh.materials),
        "N/m^2",
        "N/(mm*um)",
    ),
    Row(
        "c_γα of Flank's teeth at this force, secant",
        lambda mesh: mesh.mean_stiffness / mesh.pair.face_width,
        "N/m^2",
        "N/(mm*um)",
    ),
    Row("the same over the face", lambda mesh: mesh.mean_stiffness, "N/m", "N/um"),
]
