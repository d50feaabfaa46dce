"""Gear pairs and planetary gearboxes out of files of REXS: a spec, and what became of the file."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flank.errors import SpecError
from flank.exchange.rexs_file import RIGID, Component, RexsFile, read_rexs
from flank.exchange.rexs_parts import (
    GEARS,
    POSITIONS,
    SAME,
    STAGES,
    Account,
    Block,
    Parts,
    half,
)
from flank.exchange.rexs_writer import REST
from flank.machines.base import Machine
from flank.machines.registry import machine_from_mapping
from flank.texts import echo, echo_path, listed
from flank.units import as_written

DIGITS = 12
"""Of numbers in a spec that was read."""

_QUANTITY = re.compile(r"([-+]?[0-9.]+(?:e[-+]?[0-9]+)?)( [^0-9 ][^ ]*)")


def spec_of_rexs(path: str | Path, stage: int | None = None) -> tuple[dict[str, Any], Account]:
    """The spec of the one stage in a file, or of the one with this id, in SI."""
    file = read_rexs(path)
    reading = _Reading(file, echo_path(path))
    chosen = _stage_of(file, stage, reading.shown)
    if chosen.kind == "planetary_stage":
        data = reading.planetary(chosen)
    else:
        data = reading.gear_pair(chosen)
    return reading.whole(data), reading.account


@dataclass(frozen=True)
class Imported:
    """A machine out of a file, its spec as people write it, and what became of the file."""

    machine: Machine
    spec: dict[str, Any]
    account: Account


def import_rexs(
    path: str | Path, stage: int | None = None, changes: Mapping[str, Any] | None = None
) -> Imported:
    """The machine of a stage, with changes of its spec; SpecError says what the file lacks."""
    data, account = spec_of_rexs(path, stage)
    for name, value in (changes or {}).items():
        *above, last = name.split(".")
        block = data
        for each in above:
            block = block.setdefault(each, {}) if isinstance(block, dict) else {}
        if isinstance(block, dict):
            block[last] = value
    torque = data.get("operation", {}).get("torque")
    if "rated_torque" not in data and torque:
        data["rated_torque"] = torque
        account.assumed.append("the rated torque is that of the load")
    try:
        spec = machine_from_mapping(data).spec
    except SpecError as error:
        raise SpecError(
            [f"{Path(path).name} as a {data['machine']}: {text}" for text in error.problems]
        ) from None
    told = _rounded(_told(spec.to_mapping(), spec.model_dump(exclude_unset=True)))
    return Imported(machine_from_mapping(as_written(told)), told, account)


def _told(data: Any, known: Any) -> Any:
    """Of a mapping with all defaults, what was given."""
    if isinstance(data, Mapping) and isinstance(known, Mapping):
        return {key: _told(value, known[key]) for key, value in data.items() if key in known}
    return data


def _rounded(data: Any) -> Any:
    """Quantities without the last digits, which go back and forth between units."""
    if isinstance(data, Mapping):
        return {key: _rounded(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_rounded(value) for value in data]
    if isinstance(data, str) and (found := _QUANTITY.fullmatch(data)):
        number = float(found[1])
        return f"{number:.{DIGITS}g}{found[2]}" if abs(number) > 1e-9 else f"0{found[2]}"
    return float(f"{data:.{DIGITS}g}") if isinstance(data, float) else data


def _stage_of(file: RexsFile, wanted: int | None, shown: str) -> Component:
    """Stages within a planetary one are not to be chosen."""
    inner = {
        part.number
        for stage in file.of_kind("planetary_stage")
        for part in file.parts(stage.number, "cylindrical_stage")
    }
    stages = [stage for stage in file.of_kind(*STAGES) if stage.number not in inner]
    names = listed([f"{stage.number} ('{echo(stage.name)}')" for stage in stages])
    if wanted is not None:
        found = next((stage for stage in stages if stage.number == wanted), None)
        if found is None:
            raise SpecError(f"{shown} has no stage {wanted}; it has {names or 'none'}")
        return found
    if not stages:
        raise SpecError(
            f"{shown} has neither a cylindrical nor a planetary stage, and nothing else of REXS is "
            "read"
        )
    if len(stages) > 1:
        raise SpecError(f"{shown} has the stages {names}; choose one with --stage and its number")
    return stages[0]


class _Reading(Parts):
    """One pass over a file, whose components note what was asked of them."""

    def gear_pair(self, stage: Component) -> Block:
        """Of a cylindrical stage with its two gears, their shafts and bearings."""
        file = self.file
        gears = _pair_of(file, self.use(stage), self.shown)
        driving = [self._drives(stage, gear) for gear in gears]
        if driving == [False, True] or gears[0].kind == "ring_gear":
            gears.reverse()
        data: Block = {"machine": "gear-pair", "title": self.title()}
        racks, ends, shafts = [], [], []
        for name, gear in zip(("pinion", "wheel"), gears, strict=True):
            block, rack = self.gear(gear)
            racks.append(rack)
            shaft = file.whole(gear.number, "shaft")
            bore = gear.quantity("inner_diameter", "length")
            body: Block = {"bore_diameter": bore or None}
            for part in file.parts(gear.number, "gear_body"):
                body["rim_thickness"] = self.use(part).quantity("gear_body_rim_thickness", "length")
                body["web_thickness"] = part.quantity("gear_body_web_thickness", "length")
            block["body"] = body
            if name == "wheel":
                block["internal"] = gear.kind == "ring_gear"
            end = shaft
            if shaft is not None:
                self.use(shaft)
                block["support"] = self._support_of_gear(shaft, gear)
                block["added_inertia"] = self.inertia(shaft, "added_inertia")
                key = "output_shaft" if name == "wheel" else "input_shaft"
                end, data[key] = self._outer_end(shaft, key)
            shafts.append(shaft)
            ends.append(end)
            data[name] = block
        data["rack"] = self._rack(racks)
        data["centre_distance"] = stage.quantity("center_distance", "length")
        stage.quantity("common_face_width", "length")
        ratio = (data["wheel"]["teeth"] or 0) / (data["pinion"]["teeth"] or 1)
        data["operation"] = self._operation(ends, shafts, ratio)
        self.account.taken.append(
            f"{stage} with {gears[0]}, which drives, and {gears[1]}; a gear pair"
        )
        return data

    def _support_of_gear(self, shaft: Component, gear: Component) -> Block:
        found = self.support(shaft)
        if found is None:
            self.account.assumed.append(f"a rigid support of {gear}, whose shaft has no bearings")
            return {"kind": "rigid"}
        found.pop("bearing_span", None)
        found.pop("axial_stiffness", None)
        return found

    def _outer_end(self, shaft: Component, key: str) -> tuple[Component, Block]:
        """The shaft behind an elastic coupling, else the same; and its block of the spec."""
        for coupling, other in self.coupled(shaft):
            if other.kind == "shaft":
                self.use(coupling)
                self.use(other)
                stiffness = coupling.quantity("rotational_stiffness", "torsional stiffness")
                if stiffness is not None and 0.0 < stiffness < RIGID:
                    return other, {"stiffness": stiffness, "inertia": self.inertia(other, key)}
        inertia = None if self._of_others else self.inertia(shaft, key)
        return shaft, {"inertia": inertia}

    @property
    def _of_others(self) -> bool:
        """Whether another program wrote the file, which names no keys of Flank."""
        return not any(unit.has(REST) for unit in self.file.of_kind("gear_unit"))

    def _drives(self, stage: Component, gear: Component) -> bool | None:
        for relation in self.file.relations:
            roles = relation.roles
            if relation.kind == "stage_gear_data" and roles.get("stage") == stage.number:
                data = self.file.components.get(roles.get("stage_gear_data", 0))
                if roles.get("gear") == gear.number and data is not None:
                    return self.use(data).flag("is_driving_gear")
        return None

    def _rack(self, racks: list[Block]) -> Block:
        """Of all gears together; SpecError where they would not mesh."""
        merged = {key: value for rack in racks for key, value in rack.items() if value is not None}
        for key in ("normal_module", "normal_pressure_angle", "helix_angle"):
            for rack in racks:
                value = rack.get(key)
                if value is not None and not math.isclose(value, merged[key], rel_tol=1e-4):
                    raise SpecError(
                        f"gears of one stage in {self.shown} differ in their "
                        f"{key.replace('_', ' ')}; they cannot mesh"
                    )
        for key in ("addendum", "dedendum", "fillet_radius"):
            values = {round(rack[key], 6) for rack in racks if rack.get(key) is not None}
            if len(values) > 1:
                words = listed([f"{value:g}" for value in sorted(values)])
                self.account.assumed.append(
                    f"{key.replace('_', ' ')} {merged[key]:g} of the rack for all gears; their "
                    f"tools have {words}"
                )
        return merged

    def _operation(
        self, ends: list[Component | None], shafts: list[Component | None], ratio: float
    ) -> Block:
        """The speed of the input and the torque on the output, as sizes."""
        work: Block = {}
        for k, (end, shaft) in enumerate(zip(ends, shafts, strict=True)):
            for place in dict.fromkeys(each.number for each in (end, shaft) if each is not None):
                component = self.file.components[place]
                speed = self.speed(component)
                self.defines_speed(component)
                if speed and "input_speed" not in work:
                    work["input_speed"] = abs(speed) * (ratio if k else 1.0)
                given = self.torque(component)
                if given is not None and (given[1] or "torque" not in work):
                    work["torque"] = abs(given[0]) * (1.0 if k else ratio)
        return work

    def planetary(self, stage: Component) -> Block:
        """Of a planetary stage with sun, ring, carrier, and planets that are alike."""
        file = self.file
        self.use(stage)
        sun, ring, planets = self._members(stage)
        data: Block = {"machine": "planetary-gearbox", "title": self.title()}
        racks: list[Block] = []
        for name, gear in (("sun", sun), ("ring", ring), ("planets", planets[0])):
            data[name], rack = self.gear(gear)
            racks.append(rack)
        if data["ring"].get("material") is None:
            data["ring"].pop("material", None)
        self._alike(planets, data["planets"])
        data["rack"] = self._rack(racks)
        for name, gear in (("sun", sun), ("planets", planets[0])):
            data[name]["bore_radius"] = half(gear.quantity("inner_diameter", "length")) or None
        for part in file.parts(ring.number, "gear_body"):
            data["ring"]["outer_radius"] = half(self.use(part).quantity("outer_diameter", "length"))
        data["planets"] |= self._around(sun, planets)
        data["carrier"] = self._carrier(stage)
        shafts = self._shafts(stage, sun, ring)
        for name, found in shafts.items():
            data[name]["support"] = self._member_support(name, found)
        planet_shaft = file.whole(planets[0].number, "shaft")
        support = self.support(self.use(planet_shaft), "outer_part") if planet_shaft else None
        data["planets"]["support"] = support or {"kind": "rigid"}
        data["centre_distance"] = self._distance(stage)
        data |= self._duty(shafts, data)
        if any(
            _spatial(data[name].get("support")) for name in ("sun", "ring", "carrier", "planets")
        ):
            data["motion"] = "spatial"
        self.account.taken.append(f"{stage} with {sun}, {ring} and {len(planets)} planets")
        return data

    def _members(self, stage: Component) -> tuple[Component, Component, list[Component]]:
        """By the shafts of planets, and by the kind of gear; SpecError for other stages."""
        file = self.file
        on_planets = {
            shaft.number
            for shaft in file.related("planet_shaft", "planetary_stage", stage.number, "shaft")
        }
        gears: dict[int, Component] = {}
        for inner in file.parts(stage.number, "cylindrical_stage"):
            for gear in _pair_of(file, self.use(inner), self.shown):
                gears[gear.number] = gear
                self._drives(inner, gear)
        planets: list[Component] = []
        suns: list[Component] = []
        for gear in gears.values():
            shaft = file.whole(gear.number, "shaft")
            if gear.kind == "cylindrical_gear":
                planet = shaft is not None and shaft.number in on_planets
                (planets if planet else suns).append(gear)
        rings = [gear for gear in gears.values() if gear.kind == "ring_gear"]
        if len(suns) != 1 or len(rings) != 1 or not planets:
            raise SpecError(
                f"{stage} in {self.shown} has {len(suns)} suns, {len(rings)} rings and "
                f"{len(planets)} planets; Flank reads one sun, one ring and planets between them"
            )
        return suns[0], rings[0], planets

    def _alike(self, planets: list[Component], first: Block) -> None:
        kept = self.account.assumed.copy()
        for planet in planets[1:]:
            other, _ = self.gear(planet)
            if any(
                _differ(other.get(key), first.get(key))
                for key in ("teeth", "face_width", "profile_shift")
            ):
                raise SpecError(f"{planet} is unlike {planets[0]}; planets of Flank are all alike")
        for planet in planets:
            self._beside(planet)
        self.account.assumed = kept

    def _beside(self, planet: Component) -> None:
        """Shaft, pin and bearings of a planet, which are alike too."""
        if (shaft := self.file.whole(planet.number, "shaft")) is not None:
            self.use(shaft)
            for bearing in self.file.related("side", "outer_part", shaft.number, "assembly"):
                self.use(bearing)
                for pin in self.file.related("side", "assembly", bearing.number, "inner_part"):
                    self.use(pin)

    def _around(self, sun: Component, planets: list[Component]) -> Block:
        """Where planets stand around the sun."""
        centre = _place(sun)
        angles = []
        for planet in planets:
            y, z = (a - b for a, b in zip(_place(planet), centre, strict=True))
            angles.append(math.atan2(z, y) if y or z else None)
        count = len(planets)
        if None in angles or count == 1:
            return {"count": count}
        known = sorted(
            math.remainder(a, 2 * math.pi) % (2 * math.pi) for a in angles if a is not None
        )
        even = [2 * math.pi * k / count for k in range(count)]
        off = [
            math.remainder(a - b - known[0], 2 * math.pi) for a, b in zip(known, even, strict=True)
        ]
        if max(map(abs, off)) < 1e-6:
            return {"count": count}
        return {"count": count, "angles": known}

    def _carrier(self, stage: Component) -> Block:
        found: Block = {}
        for carrier in self.file.parts(stage.number, "planet_carrier"):
            self.use(carrier)
            plates = self.file.parts(carrier.number, "side_plate")
            for plate in plates:
                self.use(plate)
            outer = [plate.quantity("outer_diameter", "length") for plate in plates]
            thick = [plate.quantity("length", "length") for plate in plates]
            radii = [0.5 * value for value in outer if value]
            if radii:
                found["outer_radius"] = max(radii)
            if thick and all(thick):
                found["thickness"] = sum(value for value in thick if value)
            if plates and (name := self.material(plates[0])):
                found["material"] = name
        return found

    def _shafts(
        self, stage: Component, sun: Component, ring: Component
    ) -> dict[str, list[Component]]:
        """Of every member; a carrier may have two."""
        carrier = self.file.related(
            "planet_carrier_shaft", "planetary_stage", stage.number, "shaft"
        )
        found = {
            name: [shaft] if (shaft := self.file.whole(gear.number, "shaft")) else []
            for name, gear in (("sun", sun), ("ring", ring))
        } | {"carrier": carrier}
        for shafts in found.values():
            for shaft in shafts:
                self.use(shaft)
        return found

    def _member_support(self, name: str, shafts: list[Component]) -> Block:
        for shaft in shafts:
            if (found := self.support(shaft)) is not None:
                return found
        if any(other.kind == "gear_casing" for s in shafts for _, other in self.coupled(s)):
            return {"kind": "rigid"}
        self.account.assumed.append(f"that the {name} floats, as its shaft has no bearings")
        return {"kind": "floating"}

    def _distance(self, stage: Component) -> float | None:
        for inner in self.file.parts(stage.number, "cylindrical_stage"):
            inner.quantity("common_face_width", "length")
            if (distance := inner.quantity("center_distance", "length")) is not None:
                return abs(distance)
        return None

    def _duty(self, shafts: dict[str, list[Component]], data: Block) -> Block:
        """Who is held, who drives, and how much."""
        held, stiffness = self._held(shafts)
        speeds = {m: next(filter(None, map(self.speed, s)), None) for m, s in shafts.items()}
        torques = {m: next(filter(None, map(self.torque, s)), None) for m, s in shafts.items()}
        told = [m for m, s in shafts.items() if any(map(self.defines_speed, s))]
        free = [member for member in shafts if member != held]
        given = [m for m in told if m in free] or [m for m in free if speeds[m]]
        if not given:
            given = free[:1]
            self.account.assumed.append(f"that the {given[0]} drives, as no speed is told")
        driver = given[0]
        driven = next(member for member in free if member != driver)
        work: Block = {"input": driver, "output": driven}
        if speeds[driver]:
            work["input_speed"] = abs(speeds[driver] or 0.0)
        if (torque := torques[driven]) is not None:
            work["torque"] = abs(torque[0])
        elif (torque := torques[driver]) is not None and None not in (
            data["sun"]["teeth"],
            data["ring"]["teeth"],
        ):
            from flank.geometry.willis import ToothNumbers, ratio

            teeth = ToothNumbers(
                data["sun"]["teeth"], data["planets"]["teeth"], data["ring"]["teeth"]
            )
            work["torque"] = abs(torque[0] * float(ratio(teeth, driver, driven)))  # type: ignore[arg-type]
        block: Block = {"operation": work}
        if stiffness is not None:
            block["held"] = {"stiffness": stiffness}
        return block

    def _held(self, shafts: dict[str, list[Component]]) -> tuple[str, float | None]:
        for member, own in shafts.items():
            for shaft in own:
                for coupling, other in self.coupled(shaft):
                    if other.kind == "gear_casing":
                        self.use(coupling)
                        stiffness = coupling.quantity("rotational_stiffness", "torsional stiffness")
                        elastic = stiffness is not None and 0.0 < stiffness < RIGID
                        return member, stiffness if elastic else None
        self.account.assumed.append("that the ring is held, as no member is coupled to the casing")
        return "ring", None

    def title(self) -> str:
        for unit in self.file.of_kind("gear_unit"):
            self.use(unit)
            return unit.text("model_name") or unit.name or "Out of REXS"
        return "Out of REXS"

    def whole(self, data: Block) -> Block:
        """With the keys that only Flank knows, if it wrote the file, and without empty ones."""
        rest: Block = {}
        for unit in self.file.of_kind("gear_unit"):
            if (text := unit.text(REST)) is not None:
                rest = _rest(text, self.shown)
        if self.materials:
            data["materials"] = self.materials
        merged: Block = _over(_filled(data), rest)
        self.account.ignored += self._ignored()
        return merged

    def _ignored(self) -> Iterator[str]:
        """Kinds of components that were not touched, and attributes nobody asked for."""
        kinds: dict[str, int] = {}
        asked: dict[str, set[str]] = {}
        unread: dict[str, set[str]] = {}
        for component in self.file.components.values():
            kind = component.kind
            asked.setdefault(kind, set()).update(component.asked)
            told = {name for name in component.attributes if component.has(name)} - _IMPLIED
            if component.number in self.touched:
                unread.setdefault(kind, set()).update(told)
            elif told and kind not in _AROUND:
                kinds[kind] = kinds.get(kind, 0) + 1
        if kinds:
            yield listed(f"{n} x {kind}" if n > 1 else kind for kind, n in kinds.items())
        for kind, names in unread.items():
            if left := sorted(names - asked[kind]):
                yield f"of {kind}: {', '.join(left)}"


_AROUND = ("gear_casing", "shaft_section")
"""Kinds of components that no machine of Flank has, and nothing is lost without."""

_IMPLIED = {
    *POSITIONS,
    REST,
    "addendum_coefficient_basic_profile",
    "common_face_width",
    "defines_torque",
    "u_coordinate_on_shaft",
    "u_coordinate_on_shaft_inner_side",
    "u_coordinate_on_shaft_outer_side",
    "radial_force_absorption",
    "axial_force_absorption",
    "bending_stiffness",
    "dedendum_coefficient_reference_profile",
    "radial_stiffness",
    "axial_stiffness",
    "transmits_torque",
}
"""Attributes that follow from others, or say what is so in any machine of Flank."""


def _pair_of(file: RexsFile, stage: Component, shown: str) -> list[Component]:
    """The gears of a stage, the first in order."""
    for relation in file.relations:
        if relation.kind == "stage" and relation.roles.get("stage") == stage.number:
            found = [file.components.get(relation.roles.get(f"gear_{k}", 0)) for k in (1, 2)]
            gears = [gear for gear in found if gear is not None]
            if len(gears) == 2 and all(gear.kind in GEARS for gear in gears):
                return gears
    raise SpecError(f"{stage} in {shown} has no relation 'stage' to two cylindrical gears")


def _differ(a: Any, b: Any) -> bool:
    if a is None or b is None:
        return a is not b
    return not math.isclose(a, b, rel_tol=SAME, abs_tol=1e-12)


def _place(gear: Component) -> tuple[float, float]:
    """v and w of a gear."""
    vector = gear.quantities("support_vector", "length")
    return (vector[1], vector[2]) if len(vector) == 3 else (0.0, 0.0)


def _spatial(support: Block | None) -> bool:
    return support is not None and not support.keys().isdisjoint(
        ("bearing_span", "axial_stiffness")
    )


def _filled(data: Block) -> Block:
    """Without keys that hold nothing."""
    filled = {k: _filled(v) if isinstance(v, dict) else v for k, v in data.items()}
    return {k: v for k, v in filled.items() if v is not None and v != {}}


def _over(upper: Block, lower: Block) -> Block:
    """Two nested mappings as one; what the upper says holds."""
    merged = dict(lower)
    for key, value in upper.items():
        below = merged.get(key)
        if isinstance(value, dict) and isinstance(below, dict):
            merged[key] = _over(value, below)
        else:
            merged[key] = value
    return merged


def _rest(text: str, shown: str) -> Block:
    try:
        rest = json.loads(text)
    except ValueError:
        rest = None
    if not isinstance(rest, dict):
        raise SpecError(
            f"{REST} in {shown} is damaged; remove that attribute, which is Flank's own"
        )
    return rest
