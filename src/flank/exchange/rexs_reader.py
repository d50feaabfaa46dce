"""Gear pairs and planetary gearboxes out of files of REXS: a spec, and what became of the file."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flank.errors import SpecError
from flank.exchange.rexs_file import RIGID, Component, RexsFile, read_rexs
from flank.exchange.rexs_writer import KEY, REST, SHAPES
from flank.machines.base import Machine
from flank.machines.materials import BUILT_IN_MATERIALS
from flank.machines.registry import machine_from_mapping
from flank.texts import echo, echo_path, listed
from flank.units import as_written

BEARINGS = (
    "concept_bearing",
    "rolling_bearing_with_catalog_geometry",
    "rolling_bearing_with_detailed_geometry",
    "slide_bearing",
    "hydrodynamic_radial_plain_bearing",
)
COUPLINGS = ("coupling", "switchable_coupling")
GEARS = ("cylindrical_gear", "ring_gear")
STAGES = ("cylindrical_stage", "planetary_stage")
FLANKS = ("cylindrical_gear_flank", "flank_geometry")

POSITIONS = ("support_vector", "u_axis_vector", "w_axis_vector", "reference_component_for_position")
"""Of parts whose place follows from others."""

SAME = 1e-6
"""Relative: what differs by less is one value."""

DIGITS = 12
"""Of numbers in a spec that was read."""

_QUANTITY = re.compile(r"([-+]?[0-9.]+(?:e[-+]?[0-9]+)?)( [^0-9 ][^ ]*)")

Mapping_ = dict[str, Any]


@dataclass
class Account:
    """What became of a file, in sentences: of what was taken, ignored, and assumed."""

    taken: list[str] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    assumed: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        for head, sentences in (
            ("Taken", self.taken),
            ("Assumed", self.assumed),
            ("Ignored", self.ignored),
        ):
            for sentence in sentences:
                yield f"{head}: {sentence}"


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


class _Reading:
    """One pass over a file; components note what was asked of them."""

    def __init__(self, file: RexsFile, shown: str) -> None:
        self.file, self.shown, self.account = file, shown, Account()
        self.materials: dict[str, Mapping_] = {}
        self.touched: set[int] = set()

    def use(self, component: Component) -> Component:
        self.touched.add(component.number)
        return component

    # -- gears

    def gear(self, component: Component) -> tuple[Mapping_, Mapping_]:
        """Of one gear, and of the rack that it shares with its mates."""
        self.use(component)
        internal = component.kind == "ring_gear"
        teeth = component.quantity("number_of_teeth", "number")
        module = component.quantity("normal_module", "length")
        helix = component.quantity("helix_angle_reference_diameter", "angle") or 0.0
        flanks = self._flanks(component)
        angle = _first(flanks, "normal_pressure_angle", "angle")
        shift = _first([*flanks, component], "addendum_modification_coefficient", "number") or 0.0
        gear: Mapping_ = {
            "teeth": None if teeth is None else round(abs(teeth)),
            "profile_shift": shift,
            "face_width": component.quantity("face_width", "length"),
            "tip_radius": _half(component.quantity("tip_diameter", "length")),
            "mass": component.quantity("mass_of_component", "mass"),
            "material": self._material(component),
        }
        rack: Mapping_ = {
            "normal_module": module,
            "normal_pressure_angle": angle,
            "helix_angle": abs(helix),
            "addendum": _first(flanks, "addendum_coefficient_basic_profile", "number"),
        } | self._tool(component, flanks)
        self._by_diameters(component, gear, rack, internal)
        self._thickness(component, gear, rack)
        gear |= self._modifications(component, flanks)
        if _tip_of_rack(gear, rack, internal):
            gear["tip_radius"] = None
        return gear, rack

    def _flanks(self, gear: Component) -> list[Component]:
        """Left and right; SpecError where they differ in what a gear of Flank has once."""
        found = [
            self.use(flank)
            for side in ("left", "right")
            for flank in self.file.related("flank", "gear", gear.number, side)
            if flank.kind in FLANKS
        ]
        for name, of in (
            ("normal_pressure_angle", "angle"),
            ("addendum_modification_coefficient", "number"),
        ):
            values = [flank.quantity(name, of) for flank in found]
            given = [value for value in values if value is not None]
            if given and not all(math.isclose(given[0], v, rel_tol=SAME) for v in given):
                raise SpecError(
                    f"the two flanks of {gear} differ in {name}; Flank computes gears whose flanks "
                    "are alike"
                )
        return found

    def _tool(self, gear: Component, flanks: Iterable[Component]) -> Mapping_:
        """Of the last rack-shaped tool that worked on a gear: its tip makes the dedendum."""
        origins = [gear, *flanks]
        tools = [
            tool
            for origin in origins
            for kind, known, wanted in (
                ("manufacturing_step", "workpiece", "tool"),
                ("ordered_reference", "origin", "referenced"),
                ("reference", "origin", "referenced"),
            )
            for tool in self.file.related(kind, known, origin.number, wanted)
            if tool.kind == "rack_shaped_tool"
        ]
        if not tools:
            return {}
        tool = self.use(tools[-1])
        tool.asked |= {"normal_module", "normal_pressure_angle"}  # those of the gear
        return {
            "dedendum": tool.quantity("addendum_coefficient_reference_profile", "number"),
            "fillet_radius": tool.quantity("tip_radius_factor", "number"),
        }

    def _by_diameters(
        self, component: Component, gear: Mapping_, rack: Mapping_, internal: bool
    ) -> None:
        """The root circle tells the dedendum where no tool does, and on a ring the sign of x."""
        root = _half(component.quantity("root_diameter", "length"))
        if root is None or None in (gear["teeth"], rack["normal_module"]):
            return
        module, sign = rack["normal_module"], -1 if internal else 1
        reference = 0.5 * gear["teeth"] * module / math.cos(rack["helix_angle"])
        depth = sign * (reference - abs(root)) / module  # h_fP - x
        dedendum = rack.get("dedendum")
        if internal and dedendum is not None and gear["profile_shift"]:
            other = math.isclose(depth - gear["profile_shift"], dedendum, abs_tol=1e-3)
            if other and not math.isclose(depth + gear["profile_shift"], dedendum, abs_tol=1e-3):
                gear["profile_shift"] *= -1
                self.account.assumed.append(
                    f"the profile shift of {component} has the other sign, as its root circle tells"
                )
        if dedendum is None:
            rack["dedendum"] = depth + gear["profile_shift"]

    def _thickness(self, component: Component, gear: Mapping_, rack: Mapping_) -> None:
        """Its deviation from what the profile shift gives."""
        name = "normal_tooth_thickness_at_reference_diameter"
        thickness = component.quantity(name, "length")
        angle, module = rack["normal_pressure_angle"], rack["normal_module"]
        if thickness is None or angle is None or module is None:
            return
        nominal = module * (0.5 * math.pi + 2 * gear["profile_shift"] * math.tan(angle))
        deviation = (thickness - nominal) / math.cos(rack["helix_angle"])
        gear["thickness_deviation"] = deviation if abs(deviation) > 1e-9 else 0.0

    def _modifications(self, gear: Component, flanks: Iterable[Component]) -> Mapping_:
        """Those of the left flank stand for both."""
        found: Mapping_ = {}
        for flank in list(flanks)[:1]:
            for change in self.file.related("reference", "origin", flank.number, "referenced"):
                if change.kind in ("tip_relief", "root_relief"):
                    relief = self._relief(self.use(change), change.kind.partition("_")[0])
                    if relief is not None:
                        found[change.kind] = relief
                elif change.kind == "helix_crowning":
                    found["crowning"] = self._crowning(self.use(change))
        for flank in list(flanks)[1:]:
            for change in self.file.related("reference", "origin", flank.number, "referenced"):
                if change.kind in ("tip_relief", "root_relief", "helix_crowning"):
                    self.use(change).asked.update(change.attributes)
        return found

    def _relief(self, change: Component, where: str) -> Mapping_ | None:
        amount = change.quantity(f"{where}_relief_depth", "length")
        length = change.quantity(f"{where}_relief_datum_length", "length")
        if amount is None or length is None:
            self.account.assumed.append(
                f"none from {change}, which lacks {where}_relief_depth or _datum_length"
            )
            return None
        shape = change.text("shape_of_relief")
        exponents = {name: exponent for exponent, name in SHAPES.items()}
        relief: Mapping_ = {"amount": abs(amount), "length": length}
        if shape in exponents:
            relief["exponent"] = exponents[shape]
        elif shape is not None:
            self.account.assumed.append(f"a parabola for the shape '{echo(shape)}' of {change}")
        return relief

    def _crowning(self, change: Component) -> float:
        ends = [
            abs(change.quantity(f"helix_crowning_amount_{face}_face", "length") or 0.0)
            for face in ("datum", "non_datum")
        ]
        change.text("shape_of_helix_crowning")
        if not math.isclose(ends[0], ends[1], rel_tol=SAME, abs_tol=1e-9):
            self.account.assumed.append(f"the mean of both ends of {change}")
        return 0.5 * sum(ends)

    def _material(self, part: Component) -> str | None:
        """The name of the material of a part, and the material itself among those of the spec."""
        found = self.file.related("reference", "origin", part.number, "referenced")
        material = next((self.use(each) for each in found if each.kind == "material"), None)
        if material is None:
            return None
        given = material.text("material_designation") or material.name
        name = re.sub(r"\W+", "_", given).strip("_") or f"material_{material.number}"
        values = {
            "youngs_modulus": material.quantity("elastic_modulus", "stress"),
            "poisson_ratio": material.quantity("poisson_ratio", "number"),
            "density": material.quantity("density", "density"),
        }
        built_in = BUILT_IN_MATERIALS.get(name)
        if built_in is not None and all(
            value is None or math.isclose(value, getattr(built_in, key), rel_tol=SAME)
            for key, value in values.items()
        ):
            return name
        lacking = [key for key, value in values.items() if value is None]
        if lacking:
            steel = BUILT_IN_MATERIALS["steel"]
            values |= {key: getattr(steel, key) for key in lacking}
            words = listed([key.replace("_", " ") for key in lacking])
            self.account.assumed.append(f"{words} of steel for {material}")
        while name in self.materials and self.materials[name] != values:
            name += f"_{material.number}"
        self.materials[name] = values
        return name

    # -- what holds and turns them

    def support(self, shaft: Component, side: str = "inner_part") -> Mapping_ | None:
        """Of the bearings of a shaft; None where it has none."""
        bearings = [
            self.use(bearing)
            for bearing in self.file.related("side", side, shaft.number, "assembly")
            if bearing.kind in BEARINGS
        ]
        if not bearings:
            return None
        stiffness = [bearing.quantity("radial_stiffness", "stiffness") for bearing in bearings]
        axial = [bearing.quantity("axial_stiffness", "stiffness") or 0.0 for bearing in bearings]
        for bearing, value in zip(bearings, stiffness, strict=True):
            if value is None:
                told = bearing.text("catalogue_designation") or "no designation"
                self.account.assumed.append(
                    f"a rigid support for {bearing} ({echo(told)}), which has no radial_stiffness"
                )
        total = sum(value for value in stiffness if value is not None)
        if None in stiffness or total >= RIGID:
            return {"kind": "rigid"}
        found: Mapping_ = {"kind": "bearing", "stiffness": total}
        places = [
            bearing.quantity("u_coordinate_on_shaft_inner_side", "length") for bearing in bearings
        ]
        if len(bearings) == 2 and None not in places:
            found["bearing_span"] = abs((places[1] or 0.0) - (places[0] or 0.0))
        if 0.0 < sum(axial) < RIGID:
            found["axial_stiffness"] = sum(axial)
        return found

    def coupled(self, shaft: Component) -> Iterator[tuple[Component, Component]]:
        """Couplings of a shaft, each with what is on its other side."""
        for here, there in (("inner_part", "outer_part"), ("outer_part", "inner_part")):
            for coupling in self.file.related("side", here, shaft.number, "assembly"):
                if coupling.kind in COUPLINGS:
                    for other in self.file.related("side", "assembly", coupling.number, there):
                        yield coupling, other

    def inertia(self, shaft: Component, key: str) -> float | None:
        """Of additional masses on a shaft: those that Flank wrote for this key, or all of others'
        files; None if there are none."""
        masses = [
            self.use(mass)
            for mass in self.file.parts(shaft.number, "additional_mass")
            if mass.text(KEY) in (None, key)
        ]
        found = [mass.quantity("moment_of_inertia_u_axis", "inertia") or 0.0 for mass in masses]
        return sum(found) or None

    def speed(self, shaft: Component) -> float | None:
        return _first(self.file.loaded(shaft.number), "rotational_speed", "speed")

    def torque(self, shaft: Component) -> tuple[float, bool] | None:
        """Of the external loads on a shaft, and whether it is said to define the torque."""
        for load in self.file.parts(shaft.number, "external_load"):
            value = _first(self.file.loaded(load.number), "torque_around_u_axis", "torque")
            self.use(load)
            if value:
                return value, bool(load.flag("defines_torque"))
        return None

    def defines_speed(self, shaft: Component) -> bool:
        return any(bool(each.flag("defines_speed")) for each in self.file.loaded(shaft.number))

    # -- machines

    def gear_pair(self, stage: Component) -> Mapping_:
        """Of a cylindrical stage with its two gears, their shafts and bearings."""
        file = self.file
        gears = _pair_of(file, self.use(stage), self.shown)
        driving = [self._drives(stage, gear) for gear in gears]
        if driving == [False, True] or gears[0].kind == "ring_gear":
            gears.reverse()
        data: Mapping_ = {"machine": "gear-pair", "title": self.title()}
        racks, ends, shafts = [], [], []
        for name, gear in zip(("pinion", "wheel"), gears, strict=True):
            block, rack = self.gear(gear)
            racks.append(rack)
            shaft = file.whole(gear.number, "shaft")
            bore = gear.quantity("inner_diameter", "length")
            body: Mapping_ = {"bore_diameter": bore or None}
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

    def _support_of_gear(self, shaft: Component, gear: Component) -> Mapping_:
        found = self.support(shaft)
        if found is None:
            self.account.assumed.append(f"a rigid support of {gear}, whose shaft has no bearings")
            return {"kind": "rigid"}
        found.pop("bearing_span", None)
        found.pop("axial_stiffness", None)
        return found

    def _outer_end(self, shaft: Component, key: str) -> tuple[Component, Mapping_]:
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

    def _rack(self, racks: list[Mapping_]) -> Mapping_:
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
    ) -> Mapping_:
        """The speed of the input and the torque on the output, as sizes."""
        work: Mapping_ = {}
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

    def planetary(self, stage: Component) -> Mapping_:
        """Of a planetary stage with sun, ring, carrier, and planets that are alike."""
        file = self.file
        self.use(stage)
        sun, ring, planets = self._members(stage)
        data: Mapping_ = {"machine": "planetary-gearbox", "title": self.title()}
        racks: list[Mapping_] = []
        for name, gear in (("sun", sun), ("ring", ring), ("planets", planets[0])):
            data[name], rack = self.gear(gear)
            racks.append(rack)
        if data["ring"].get("material") is None:
            data["ring"].pop("material", None)
        self._alike(planets, data["planets"])
        data["rack"] = self._rack(racks)
        for name, gear in (("sun", sun), ("planets", planets[0])):
            data[name]["bore_radius"] = _half(gear.quantity("inner_diameter", "length")) or None
        for part in file.parts(ring.number, "gear_body"):
            data["ring"]["outer_radius"] = _half(
                self.use(part).quantity("outer_diameter", "length")
            )
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
        planets, suns = [], []
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

    def _alike(self, planets: list[Component], first: Mapping_) -> None:
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

    def _around(self, sun: Component, planets: list[Component]) -> Mapping_:
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

    def _carrier(self, stage: Component) -> Mapping_:
        found: Mapping_ = {}
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
            if plates and (name := self._material(plates[0])):
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

    def _member_support(self, name: str, shafts: list[Component]) -> Mapping_:
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

    def _duty(self, shafts: dict[str, list[Component]], data: Mapping_) -> Mapping_:
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
        work: Mapping_ = {"input": driver, "output": driven}
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
        block: Mapping_ = {"operation": work}
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

    # -- the whole

    def title(self) -> str:
        for unit in self.file.of_kind("gear_unit"):
            self.use(unit)
            return unit.text("model_name") or unit.name or "Out of REXS"
        return "Out of REXS"

    def whole(self, data: Mapping_) -> Mapping_:
        """With the keys that only Flank knows, if it wrote the file, and without empty ones."""
        rest: Mapping_ = {}
        for unit in self.file.of_kind("gear_unit"):
            if (text := unit.text(REST)) is not None:
                rest = _rest(text, self.shown)
        if self.materials:
            data["materials"] = self.materials
        merged: Mapping_ = _over(_filled(data), rest)
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


def _tip_of_rack(gear: Mapping_, rack: Mapping_, internal: bool) -> bool:
    """Whether the tip circle is where the rack would have it."""
    teeth, module, tip = gear["teeth"], rack["normal_module"], gear["tip_radius"]
    if None in (teeth, module, tip, rack["addendum"]):
        return False
    height = (gear["profile_shift"] + rack["addendum"]) * module
    nominal = 0.5 * teeth * module / math.cos(rack["helix_angle"])
    return math.isclose(tip, nominal + (-height if internal else height), rel_tol=1e-9)


def _first(components: Iterable[Component], name: str, of: str) -> float | None:
    for component in components:
        if (value := component.quantity(name, of)) is not None:
            return value
    return None


def _half(value: float | None) -> float | None:
    return None if value is None else 0.5 * abs(value)


def _differ(a: Any, b: Any) -> bool:
    if a is None or b is None:
        return a is not b
    return not math.isclose(a, b, rel_tol=SAME, abs_tol=1e-12)


def _place(gear: Component) -> tuple[float, float]:
    """v and w of a gear."""
    vector = gear.quantities("support_vector", "length")
    return (vector[1], vector[2]) if len(vector) == 3 else (0.0, 0.0)


def _spatial(support: Mapping_ | None) -> bool:
    return support is not None and not support.keys().isdisjoint(
        ("bearing_span", "axial_stiffness")
    )


def _filled(data: Mapping_) -> Mapping_:
    """Without keys that hold nothing."""
    filled = {k: _filled(v) if isinstance(v, dict) else v for k, v in data.items()}
    return {k: v for k, v in filled.items() if v is not None and v != {}}


def _over(upper: Mapping_, lower: Mapping_) -> Mapping_:
    """Two nested mappings as one; what the upper says holds."""
    merged = dict(lower)
    for key, value in upper.items():
        below = merged.get(key)
        both = isinstance(value, dict) and isinstance(below, dict)
        merged[key] = _over(value, below) if both else value
    return merged


def _rest(text: str, shown: str) -> Mapping_:
    try:
        rest = json.loads(text)
    except ValueError:
        rest = None
    if not isinstance(rest, dict):
        raise SpecError(
            f"{REST} in {shown} is damaged; remove that attribute, which is Flank's own"
        )
    return rest
