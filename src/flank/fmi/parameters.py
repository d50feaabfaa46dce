"""Plain numbers of a model's tables that a host may change: friction, damping, stiffness.

They are named by the part that they belong to. Rows of a part that have one value make a parameter
in its own unit; where they differ, as the stiffnesses of discs and shafts do, a factor of them all
does, whose name ends in `scale` and which is one at the start. What is geometry, or is worked out
from it before a run begins, is no parameter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from flank.arrays import Flags, Rows
from flank.contact.table import FRICTION_NONE, FRICTION_STICK
from flank.dynamics.grouping import Part
from flank.dynamics.model import Model
from flank.dynamics.tables import BUSHING, GUIDE, MESH, TORSION
from flank.fmi.unit import Place, Variable, place
from flank.machines.base import Assembly

FORCE, TORQUE = ("N/m", "N.s/m"), ("N.m/rad", "N.m.s/rad")
"""Units of a stiffness and of a damping."""

SPRINGS = {
    "": ((BUSHING, GUIDE), FORCE, "springs"),
    "torsional_": ((TORSION,), TORQUE, "torsion springs"),
    "mesh_": ((MESH,), FORCE, "teeth"),
}
"""Springs of the plane: kinds, units and what they are called, by the front of their names."""

BUSHINGS = {
    "stiffness": (FORCE[0], "bushings"),
    "damping": (FORCE[1], "bushings"),
    "turning_stiffness": (TORQUE[0], "bushings about their axes"),
    "turning_damping": (TORQUE[1], "bushings about their axes"),
}


def parameters_of(assembly: Assembly) -> list[Variable]:
    """All plain numbers of a machine, in the order of its parts."""
    model = assembly.model
    found: list[Variable] = []
    for part in assembly.parts:
        found += _of_contacts(model.contacts, part)
        if isinstance(model, Model):
            found += _of_springs(model.springs, part)
        else:
            found += _of_bushings(model.bushings, part)
    if not isinstance(model, Model) and model.mesh_count:
        found += _of_meshes(model.meshes, range(model.mesh_count))
    return found


def _of_contacts(contacts: Rows, part: Part) -> Iterator[Variable]:
    rows = np.array(part.contacts, dtype=int)
    form = contacts["friction_form"][rows]
    about = f"contacts of {part.title}"
    rough, sticking = rows[form != FRICTION_NONE], rows[form == FRICTION_STICK]
    yield from _parameter(part.name, "friction", "1", f"sliding friction, {about}", contacts, rough)
    yield from _parameter(
        part.name, "static_friction", "1", f"static friction, {about}", contacts, sticking
    )
    text = f"damping after Hunt and Crossley, {about}"
    yield from _parameter(part.name, "contact_damping", "s/m", text, contacts, rows, "damping")
    for name in contacts.dtype.names or ():
        if name.endswith("_stiffness"):  # of a force law, whose unit follows its exponent
            stiff = rows[contacts[name][rows] != 0.0]
            places = _places(contacts, stiff, name)
            yield from _factor(part.name, "contact_stiffness", f"stiffness, {about}", places)


def _of_springs(springs: Rows, part: Part) -> Iterator[Variable]:
    rows = np.array(part.springs, dtype=int)
    for front, (kinds, units, noun) in SPRINGS.items():
        of_kind = rows[np.isin(springs["kind"][rows], kinds)]
        about = f"{noun} of {part.title}"
        varies = springs["function"][of_kind] >= 0
        stiff = of_kind[~varies & (springs["stiffness"][of_kind] != 0.0)]
        tables = springs["pair"][stiff] >= 0
        yield from _stiffness(part.name, front, about, springs, stiff, tables, units[0])
        name, text = f"{front}damping", f"damping, {about}"
        yield from _parameter(part.name, name, units[1], text, springs, of_kind, "damping")


def _stiffness(
    part: str, front: str, about: str, springs: Rows, rows: Any, tables: Flags, unit: str
) -> Iterator[Variable]:
    """Of teeth with a table the field is a factor of what the table says."""
    name, text = f"{front}stiffness", f"stiffness, {about}"
    if tables.any():
        yield from _factor(part, name, text, _places(springs, rows, "stiffness"))
    else:
        yield from _parameter(part, name, unit, text, springs, rows, "stiffness")


def _of_bushings(bushings: Rows, part: Part) -> Iterator[Variable]:
    rows = np.array(part.springs, dtype=int)
    for field, (unit, noun) in BUSHINGS.items():
        places = [
            place(bushings, field, row, axis, weight=float(bushings[field][row, axis]))
            for row in rows
            for axis in range(3)
            if bushings[field][row, axis] != 0.0
        ]
        words = field.replace("_", " ")
        yield from _either(part.name, field, unit, f"{words}, {noun} of {part.title}", places)


def _of_meshes(meshes: Rows, rows: Iterable[int]) -> Iterator[Variable]:
    for field, unit in zip(("stiffness", "damping"), FORCE, strict=True):
        yield from _parameter("mesh", field, unit, f"{field}, teeth in mesh", meshes, rows)


def _parameter(
    part: str,
    name: str,
    unit: str,
    text: str,
    table: Rows,
    rows: Iterable[int],
    field: str | None = None,
) -> Iterator[Variable]:
    yield from _either(part, name, unit, text, _places(table, rows, field or name))


def _places(table: Rows, rows: Iterable[int], field: str) -> list[Place]:
    """Weighed by what stands there."""
    return [place(table, field, int(row), weight=float(table[field][row])) for row in rows]


def _either(part: str, name: str, unit: str, text: str, places: list[Place]) -> Iterator[Variable]:
    """The number itself where all have it, else a factor."""
    values = {each.weight for each in places}
    if len(values) == 1:
        (value,) = values
        same = tuple(Place(each.array, each.offset) for each in places)
        yield Variable(f"{part}.{name}", "parameter", unit, text, same, value, 0.0)
    elif values:
        yield from _factor(part, name, text, [each for each in places if each.weight != 0.0])


def _factor(part: str, name: str, text: str, places: list[Place]) -> Iterator[Variable]:
    if places:
        named, words = f"{part}.{name}_scale", f"factor of: {text}"
        yield Variable(named, "parameter", "1", words, tuple(places), 1.0, 0.0)
