"""Files of REXS, the exchange format of FVA for drive trains: components with attributes that have
units, and relations between components by roles.

Names and units are those of the database of REXS 1.6, which FVA publishes with its interface for
Java (rexs.info, github.com/fva-net/rexs-api-java); the form of the file is that of its XML schema.
Only what is asked for is taken out of a file, and what nobody asked for can be told.
"""

from __future__ import annotations

import math
import xml.parsers.expat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from flank._version import __version__
from flank.errors import SpecError
from flank.io.ownership import GENERATOR
from flank.plain_files import NotReadable, read_plain_file
from flank.texts import echo, echo_path

VERSION = "1.6"
"""Of the files that are written."""

VERSIONS = tuple(f"1.{minor}" for minor in range(8))
"""Of the files that are read."""

LARGEST_FILE = 20_000_000
"""Bytes; gearboxes of ten stages have one million."""

RIGID = 1e15
"""N/m, N·m/rad: what is stiffer is meant to be rigid. Other programs write 1e20 for that."""

RIGID_RADIAL = 1e20
"""N/m, as they write it."""

RIGID_TURN = 1e17
"""N·m/rad."""

_REVOLUTION = 2 * math.pi / 60

UNITS: dict[str, tuple[str, float]] = {
    "mm": ("length", 1e-3),
    "mum": ("length", 1e-6),
    "deg": ("angle", math.pi / 180),
    "°": ("angle", math.pi / 180),
    "rad": ("angle", 1.0),
    "N / m": ("stiffness", 1.0),
    "N mm / rad": ("torsional stiffness", 1e-3),
    "N m": ("torque", 1.0),
    "1 / min": ("speed", _REVOLUTION),
    "rad / s": ("speed", 1.0),
    "kg": ("mass", 1.0),
    "kg m^2": ("inertia", 1.0),
    "kg / dm^3": ("density", 1e3),
    "N / mm^2": ("stress", 1e6),
    "MPa": ("stress", 1e6),
    "Pa": ("stress", 1.0),
    "none": ("number", 1.0),
    "": ("number", 1.0),
}
"""Of REXS: what each is of, and its size in SI."""

ATTRIBUTES = {
    "addendum_coefficient_basic_profile": "none",
    "addendum_coefficient_reference_profile": "none",
    "addendum_modification_coefficient": "none",
    "axial_force_absorption": "none",
    "axial_stiffness": "N / m",
    "bending_stiffness": "N mm / rad",
    "center_distance": "mm",
    "common_face_width": "mm",
    "dedendum_coefficient_reference_profile": "none",
    "defines_speed": "none",
    "defines_torque": "none",
    "density": "kg / dm^3",
    "elastic_modulus": "N / mm^2",
    "face_width": "mm",
    "gear_body_rim_thickness": "mm",
    "gear_body_web_thickness": "mm",
    "helix_angle_reference_diameter": "deg",
    "helix_crowning_amount_datum_face": "mm",
    "helix_crowning_amount_non_datum_face": "mm",
    "inner_diameter": "mm",
    "inner_diameter_begin": "mm",
    "inner_diameter_end": "mm",
    "is_driving_gear": "none",
    "length": "mm",
    "mass_of_component": "kg",
    "material_designation": "none",
    "model_name": "none",
    "moment_of_inertia_u_axis": "kg m^2",
    "normal_module": "mm",
    "normal_pressure_angle": "deg",
    "normal_tooth_thickness_at_reference_diameter": "mm",
    "number_of_teeth": "none",
    "outer_diameter": "mm",
    "outer_diameter_begin": "mm",
    "outer_diameter_end": "mm",
    "poisson_ratio": "none",
    "radial_force_absorption": "none",
    "radial_stiffness": "N / m",
    "reference_component_for_position": "none",
    "root_diameter": "mm",
    "root_relief_datum_length": "mm",
    "root_relief_depth": "mm",
    "rotational_speed": "1 / min",
    "rotational_stiffness": "N mm / rad",
    "shape_of_helix_crowning": "none",
    "shape_of_relief": "none",
    "support_vector": "mm",
    "tip_diameter": "mm",
    "tip_radius_factor": "none",
    "tip_relief_datum_diameter": "mm",
    "tip_relief_datum_length": "mm",
    "tip_relief_depth": "mm",
    "torque_around_u_axis": "N m",
    "transmits_torque": "none",
    "u_axis_vector": "mm",
    "u_coordinate_on_shaft": "mm",
    "u_coordinate_on_shaft_inner_side": "mm",
    "u_coordinate_on_shaft_outer_side": "mm",
    "w_axis_vector": "mm",
}
"""That are written, with their units."""

CUSTOM = "custom_"
"""How names begin that a program adds to those of the standard, as the standard allows."""

Value = float | int | bool | str | tuple[float, ...]


class Attribute(NamedTuple):
    """As it stands in a file: text, or texts of an array, and its unit."""

    texts: tuple[str, ...]
    unit: str
    array: bool = False


@dataclass
class Component:
    """A part, a stage, a material: what it has, and which of that was asked for."""

    number: int
    kind: str
    name: str
    attributes: dict[str, Attribute] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)

    def __str__(self) -> str:
        called = f" '{echo(self.name)}'" if self.name else ""
        return f"the {self.kind}{called} ({self.number})"

    def has(self, name: str) -> bool:
        return name in self.attributes and any(text.strip() for text in self.attributes[name].texts)

    def text(self, name: str) -> str | None:
        self.asked.add(name)
        return self.attributes[name].texts[0].strip() if self.has(name) else None

    def flag(self, name: str) -> bool | None:
        given = self.text(name)
        return None if given is None else given.lower() in ("true", "1")

    def quantity(self, name: str, of: str) -> float | None:
        """In SI; None where it is not there."""
        found = self.quantities(name, of)
        return found[0] if found else None

    def quantities(self, name: str, of: str) -> tuple[float, ...]:
        """Of an array, in SI; SpecError where the unit is missing or of something else."""
        self.asked.add(name)
        if not self.has(name):
            return ()
        given = self.attributes[name]
        kind, size = UNITS.get(given.unit.strip(), ("", 0.0))
        if kind != of:
            usual = " or ".join(f"'{u}'" for u, (what, _) in UNITS.items() if what == of and u)
            told = f"has the unit '{echo(given.unit)}'" if given.unit.strip() else "has no unit"
            raise SpecError(f"{name} of {self} {told}; a {of} of REXS is in {usual}")
        return tuple(size * self._number(name, text) for text in given.texts)

    def _number(self, name: str, text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            raise SpecError(f"{name} of {self} is '{echo(text)}', which is no number") from None
        if not math.isfinite(number):
            raise SpecError(f"{name} of {self} is {text.strip()}; give a finite number")
        return number

    def put(self, name: str, value: Value | None) -> None:
        """In the unit of the standard, from SI; nothing where there is no value."""
        if value is None:
            return
        unit = "none" if name.startswith(CUSTOM) else ATTRIBUTES[name]
        size = UNITS[unit][1]
        values = value if isinstance(value, tuple) else (value,)
        self.attributes[name] = Attribute(
            tuple(_written(each, size) for each in values), unit, isinstance(value, tuple)
        )


def _written(value: Value, size: float) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, str)):
        return str(value)
    assert isinstance(value, float)
    return repr(float(f"{value / size:.15g}"))


class Relation(NamedTuple):
    """Numbers of components by their roles."""

    kind: str
    roles: Mapping[str, int]
    order: int | None = None


@dataclass
class RexsFile:
    """What a file tells; `loads` are attributes of its first load case, by component."""

    version: str = VERSION
    components: dict[int, Component] = field(default_factory=dict)
    relations: list[Relation] = field(default_factory=list)
    loads: dict[int, Component] = field(default_factory=dict)
    program: str = GENERATOR

    def add(self, kind: str, name: str = "", **attributes: Value | None) -> int:
        number = len(self.components) + 1
        self.components[number] = component = Component(number, kind, name)
        for key, value in attributes.items():
            component.put(key, value)
        return number

    def relate(self, kind: str, order: int | None = None, /, **roles: int) -> None:
        self.relations.append(Relation(kind, roles, order))

    def load(self, number: int, **attributes: Value | None) -> None:
        """What a component has in the load case."""
        part = self.components[number]
        component = self.loads.setdefault(number, Component(number, part.kind, part.name))
        for key, value in attributes.items():
            component.put(key, value)

    def of_kind(self, *kinds: str) -> list[Component]:
        return [each for each in self.components.values() if each.kind in kinds]

    def related(self, kind: str, known: str, number: int, wanted: str) -> list[Component]:
        """Components in the role `wanted` where a component is in the role `known`."""
        return [
            self.components[relation.roles[wanted]]
            for relation in self.relations
            if relation.kind == kind
            and relation.roles.get(known) == number
            and relation.roles.get(wanted) in self.components
        ]

    def parts(self, number: int, *kinds: str) -> list[Component]:
        found = self.related("assembly", "assembly", number, "part")
        return [each for each in found if each.kind in kinds]

    def whole(self, number: int, *kinds: str) -> Component | None:
        """What a component is a part of."""
        found = self.related("assembly", "part", number, "assembly")
        return next((each for each in found if each.kind in kinds), None)

    def loaded(self, number: int) -> Iterator[Component]:
        """Where attributes of loads may stand: in the load case, else with the component."""
        if number in self.loads:
            yield self.loads[number]
        yield self.components[number]


def rexs_text(file: RexsFile) -> str:
    """The file as XML."""
    model = ElementTree.Element(
        "model",
        version=file.version,
        applicationId=file.program,
        applicationVersion=__version__,
        date=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    relations = ElementTree.SubElement(model, "relations")
    for number, relation in enumerate(file.relations, start=1):
        attributes = {"id": str(number), "type": relation.kind}
        if relation.order is not None:
            attributes["order"] = str(relation.order)
        row = ElementTree.SubElement(relations, "relation", attributes)
        for role, part in relation.roles.items():
            hint = file.components[part].kind
            ElementTree.SubElement(row, "ref", id=str(part), role=role, hint=hint)
    _add_components(ElementTree.SubElement(model, "components"), file.components.values())
    if file.loads:
        spectrum = ElementTree.SubElement(model, "load_spectrum", id="1")
        _add_components(ElementTree.SubElement(spectrum, "load_case", id="1"), file.loads.values())
    ElementTree.indent(model)
    return f"<?xml version='1.0' encoding='UTF-8'?>\n{ElementTree.tostring(model, 'unicode')}\n"


def _add_components(above: ElementTree.Element, components: Iterable[Component]) -> None:
    for component in components:
        row = ElementTree.SubElement(
            above, "component", id=str(component.number), type=component.kind, name=component.name
        )
        for name, given in component.attributes.items():
            cell = ElementTree.SubElement(row, "attribute", id=name, unit=given.unit)
            if given.array:
                array = ElementTree.SubElement(cell, "array")
                for text in given.texts:
                    ElementTree.SubElement(array, "c").text = text
            else:
                cell.text = given.texts[0]


def read_rexs(path: str | Path) -> RexsFile:
    """The file at a path; SpecError in a sentence for what is none."""
    shown = echo_path(path)
    try:
        data = read_plain_file(path, LARGEST_FILE)
    except NotReadable as error:
        raise SpecError(f"{shown} {error}{'; ' + error.remedy if error.remedy else ''}") from None
    if data.startswith(b"PK"):
        raise SpecError(f"{shown} is an archive; unpack it and give the .rexs file inside")
    if data.lstrip()[:1] == b"{":
        raise SpecError(f"{shown} is REXS as JSON; save it as XML, which ends in .rexs")
    try:
        _refuse_entities(data)
        model = ElementTree.fromstring(data)
    except (xml.parsers.expat.ExpatError, SyntaxError, LookupError, ValueError) as error:
        raise SpecError(f"{shown} is no XML: {error}") from None
    except _Entities:
        raise SpecError(
            f"{shown} has a document type or entities, which REXS does not; remove its DOCTYPE"
        ) from None
    return _file_of(model, shown)


class _Entities(Exception):
    """A file declares what may grow, or lead elsewhere."""


def _refuse_entities(data: bytes) -> None:
    """Before anything is expanded."""

    def refuse(*_: object) -> None:
        raise _Entities

    parser = xml.parsers.expat.ParserCreate()
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.Parse(data, True)


def _file_of(model: ElementTree.Element, shown: str) -> RexsFile:
    version = model.get("version", "")
    if model.tag != "model" or not version:
        raise SpecError(f"{shown} is no REXS file, whose root is 'model' with a version")
    if version not in VERSIONS:
        raise SpecError(
            f"{shown} is of REXS {echo(version)}; Flank reads {VERSIONS[0]} to {VERSIONS[-1]}, so "
            "save it as one of these"
        )
    file = RexsFile(version, program=model.get("applicationId", ""))
    for row in model.findall("components/component"):
        component = _component(row, shown)
        if component.number in file.components:
            raise SpecError(f"{shown} has two components with the id {component.number}")
        file.components[component.number] = component
    for row in model.findall("relations/relation"):
        roles = {ref.get("role", ""): _number(ref, shown) for ref in row.findall("ref")}
        lost = next((part for part in roles.values() if part not in file.components), None)
        if lost is not None:
            raise SpecError(f"{shown} has a relation to component {lost}, which it does not have")
        file.relations.append(Relation(row.get("type", ""), roles))
    for row in model.findall("load_spectrum[1]/load_case[1]/component"):
        component = _component(row, shown)
        file.loads[component.number] = component
    return file


def _component(row: ElementTree.Element, shown: str) -> Component:
    attributes = {}
    for cell in row.findall("attribute"):
        array = cell.findall("array/c")
        texts = tuple(each.text or "" for each in array) if array else (cell.text or "",)
        attributes[cell.get("id", "")] = Attribute(texts, cell.get("unit", ""), bool(array))
    return Component(_number(row, shown), row.get("type", ""), row.get("name", ""), attributes)


def _number(row: ElementTree.Element, shown: str) -> int:
    given = row.get("id", "")
    try:
        return int(given)
    except ValueError:
        what = f"the id '{echo(given)}'" if given else "no id"
        raise SpecError(f"{shown} has a {row.tag} with {what}; a whole number is needed") from None
