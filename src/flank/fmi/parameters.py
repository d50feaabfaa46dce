"""Plain numbers of a model's tables that a host may change: friction, damping, stiffness.

They are named by the part that they belong to. Rows of a part that have one value make a parameter
in its own unit; where they differ, as the stiffnesses of discs and shafts do, a factor of them all
does, whose name ends in `scale` and which is one at the start. So does the stiffness of contacts
that follows from materials and geometry: forces at a given approach go with it, as they would with
the moduli of elasticity of both bodies. What is geometry itself is no parameter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from flank.arrays import Flags, Floats, Rows
from flank.contact.spatial.flank_search import FRICTION, FRICTION_VELOCITY
from flank.contact.table import DAMPING_HUNT_CROSSLEY, FRICTION_NONE, FRICTION_STICK
from flank.dynamics.grouping import Part
from flank.dynamics.model import Model
from flank.dynamics.spatial.flanks import DAMPING, STIFFNESS, FlankElement, FlankElements
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

FACTORS = ("line_length", "power_stiffness", "foundation_stiffness")
"""Fields of force laws that their forces are proportional to: load per length times a length."""

SLOWEST = 1e-9
"""m/s: least velocity below which friction fades out; there is none without it."""

SOFTEST = 1e-6
"""Least factor of a contact's stiffness: without any, there is no load per length."""


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
    if isinstance(model, Model):
        return found
    if model.mesh_count:
        found += _of_meshes(model.meshes, range(model.mesh_count))
    if isinstance(model.flanks, FlankElements):
        found += _of_flanks(model.flanks.elements)
    return found


def _of_contacts(contacts: Rows, part: Part) -> Iterator[Variable]:
    rows = np.array(part.contacts, dtype=int)
    form = contacts["friction_form"][rows]
    about = f"contacts of {part.title}"
    rough, sticking = rows[form != FRICTION_NONE], rows[form == FRICTION_STICK]
    yield from _parameter(part.name, "friction", "1", f"sliding friction, {about}", contacts, rough)
    slow = rough[
        (form[form != FRICTION_NONE] != FRICTION_STICK)
        & (contacts["friction_velocity"][rough] > 0.0)
    ]
    text = f"sliding velocity below which friction fades out, {about}"
    places = _places(contacts, slow, "friction_velocity")
    yield from _either(part.name, "friction_velocity", "m/s", text, places, SLOWEST)
    yield from _parameter(
        part.name, "static_friction", "1", f"static friction, {about}", contacts, sticking
    )
    following = contacts["damping_form"][rows] == DAMPING_HUNT_CROSSLEY
    text = f"damping after Hunt and Crossley, {about}"
    names = part.name, "contact_damping"
    yield from _parameter(*names, "s/m", text, contacts, rows[following], "damping")
    text = f"damping by a constant coefficient, {about}"
    yield from _parameter(*names, FORCE[1], text, contacts, rows[~following], "damping")
    places = [
        each
        for field in FACTORS
        for each in _places(contacts, rows[contacts[field][rows] != 0.0], field)
    ]
    yield from _factor(part.name, "contact_stiffness", f"stiffness, {about}", places, SOFTEST)


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


def _of_flanks(elements: Iterable[FlankElement]) -> Iterator[Variable]:
    """Of teeth that touch along their flanks, driving and coasting."""
    rubbing, laws = zip(*((each.mesh.rubbing, each.law) for each in elements), strict=True)

    def variable(
        name: str, unit: str, text: str, arrays: Iterable[Floats], entry: int, minimum: float = 0.0
    ) -> Iterator[Variable]:
        places = [place(array, entry, weight=float(array[entry])) for array in arrays]
        return _either("mesh", name, unit, f"{text}, flanks", places, minimum)

    yield from variable("friction", "1", "sliding friction", rubbing, FRICTION)
    text = "sliding velocity below which friction fades out"
    yield from variable("friction_velocity", "m/s", text, rubbing, FRICTION_VELOCITY, SLOWEST)
    text = "damping, a time by which rates of elastic forces add to them"
    yield from variable("damping", "s", text, laws, DAMPING)
    text = "factor of the moduli of elasticity of both gears"
    yield from variable("stiffness_scale", "1", text, laws, STIFFNESS)


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


def _either(
    part: str, name: str, unit: str, text: str, places: list[Place], minimum: float = 0.0
) -> Iterator[Variable]:
    """The number itself where all have it, else a factor."""
    values = {each.weight for each in places}
    if len(values) == 1:
        (value,) = values
        same = tuple(Place(each.array, each.offset) for each in places)
        yield Variable(f"{part}.{name}", "parameter", unit, text, same, value, minimum)
    elif values:
        changing = [each for each in places if each.weight != 0.0]
        yield from _factor(part, name, text, changing, minimum)


def _factor(
    part: str, name: str, text: str, places: list[Place], minimum: float = 0.0
) -> Iterator[Variable]:
    if places:
        named, words = f"{part}.{name}_scale", f"factor of: {text}"
        yield Variable(named, "parameter", "1", words, tuple(places), 1.0, minimum)
