"""Gear pairs and planetary gearboxes as REXS.

What the standard has a name for stands there; the other keys of the spec (how meshes are modelled,
damping, errors, tolerances, ratings) go along as JSON in SI in an attribute of our own, so that a
file that was not changed is read back as the same machine. Axes of gears run along u; v and w are
x and y of the machine.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from flank.errors import SpecError
from flank.exchange.rexs_file import RIGID_RADIAL, RIGID_TURN, RexsFile, rexs_text
from flank.machines.gear_pair.machine import GearPairMachine
from flank.machines.planetary.gearbox import PlanetaryGearbox

if TYPE_CHECKING:
    from flank.geometry.gear import Gear
    from flank.machines.base import Machine
    from flank.machines.gear_pair.spec import GearPairSpec, PairGearSpec, ShaftSpec
    from flank.machines.gear_spec import GearSpec, RackSpec
    from flank.machines.machine_spec import MachineSpec
    from flank.machines.planetary.spec import PlanetaryGearboxSpec
    from flank.machines.wheel_spec import SupportSpec

REST = "custom_flank_spec"
"""The attribute of the gear unit with what REXS has no name for."""

KEY = "custom_flank_key"
"""The attribute of an additional mass with the key that told its inertia."""

SHAPES = {1.0: "linear", 2.0: "parabolic"}
"""Of a relief, by its exponent."""

_GEAR = (
    "teeth",
    "profile_shift",
    "tip_radius",
    "thickness_deviation",
    "face_width",
    "tip_relief.amount",
    "tip_relief.length",
    "root_relief.amount",
    "root_relief.length",
    "crowning",
    "material",
    "mass",
    "support.kind",
    "support.stiffness",
    "support.bearing_span",
    "support.axial_stiffness",
)
"""Keys of a gear that stand in the file by their names in REXS."""

_RACK = ("normal_module", "normal_pressure_angle", "helix_angle", "addendum", "dedendum")

_PAIR_GEAR = (
    *_GEAR,
    "internal",
    "added_inertia",
    "body.bore_diameter",
    "body.rim_thickness",
    "body.web_thickness",
)

_SHARED = ("machine", "title", "operation", "centre_distance", *(f"rack.{k}" for k in _RACK))

_PLANETARY = (
    *_SHARED,
    *(f"{gear}.{key}" for gear in ("sun", "planets", "ring") for key in _GEAR),
    "sun.bore_radius",
    "planets.bore_radius",
    "planets.count",
    "planets.angles",
    "ring.outer_radius",
    "carrier.outer_radius",
    "carrier.thickness",
    "carrier.support.kind",
    "carrier.support.stiffness",
    "carrier.support.bearing_span",
    "carrier.support.axial_stiffness",
    "held.stiffness",
)

_GEAR_PAIR = (
    *_SHARED,
    *(f"{gear}.{key}" for gear in ("pinion", "wheel") for key in _PAIR_GEAR),
    "input_shaft.stiffness",
    "input_shaft.inertia",
    "output_shaft.stiffness",
    "output_shaft.inertia",
)


def rexs_of(machine: Machine) -> str:
    """The text of a file; SpecError for machines that REXS has no parts for."""
    if isinstance(machine, GearPairMachine):
        return rexs_text(_gear_pair(machine.spec, machine.ratio))
    if isinstance(machine, PlanetaryGearbox):
        return rexs_text(_planetary(machine.spec, machine.ratio))
    raise SpecError(
        f"{machine.title} has parts that REXS does not describe so that others could use them; it "
        "is written of gear pairs and planetary gearboxes"
    )


class _Parts:
    """A file in the making: the unit, its casing, and materials used so far."""

    def __init__(self, spec: MachineSpec, expressed: Iterable[str]) -> None:
        self.file, self.spec = RexsFile(), spec
        self.materials: dict[str, int] = {}
        self.unit = self.file.add("gear_unit", spec.title, model_name=spec.title)
        self.file.components[self.unit].put(REST, rest_of(spec, expressed))
        self._placed(self.unit, 0.0, (0.0, 0.0))
        self.casing = self.file.add("gear_casing", "casing")
        self.file.relate("assembly", assembly=self.unit, part=self.casing)

    def _placed(self, number: int, u: float, place: tuple[float, float]) -> None:
        component = self.file.components[number]
        component.put("reference_component_for_position", self.unit)
        component.put("support_vector", (u, *place))
        for name, way in (("u", (1.0, 0.0, 0.0)), ("w", (0.0, 0.0, 1.0))):
            # Directions have the unit mm by the standard, but no length.
            component.put(f"{name}_axis_vector", tuple(1e-3 * each for each in way))

    def shaft(
        self,
        name: str,
        length: float,
        place: tuple[float, float] = (0.0, 0.0),
        diameters: tuple[float, float] | None = None,
    ) -> int:
        """About the middle of the unit; its sections if its diameters (inner, outer) are known."""
        shaft = self.file.add("shaft", name)
        self._placed(shaft, -0.5 * length, place)
        self.file.relate("assembly", assembly=self.unit, part=shaft)
        if diameters is not None:
            inner, outer = diameters
            section = self.file.add(
                "shaft_section",
                f"{name}, section",
                u_coordinate_on_shaft=0.0,
                length=length,
                inner_diameter_begin=inner,
                inner_diameter_end=inner,
                outer_diameter_begin=outer,
                outer_diameter_end=outer,
            )
            self.file.relate("assembly", assembly=shaft, part=section)
        return shaft

    def gear(
        self,
        name: str,
        gear: Gear,
        spec: GearSpec,
        rack: RackSpec,
        shaft: int,
        middle: float,
        hand: int,
        place: tuple[float, float] = (0.0, 0.0),
        inner: float | None = None,
    ) -> int:
        """In the middle of the unit and of its shaft; `hand` is 1 where it is right-handed."""
        radius = gear.reference_radius
        thickness = 2 * radius * gear.half_angle(radius) * math.cos(rack.helix_angle)
        number = self.file.add(
            "ring_gear" if gear.internal else "cylindrical_gear",
            name,
            u_coordinate_on_shaft=middle,
            number_of_teeth=gear.teeth,
            normal_module=rack.normal_module,
            helix_angle_reference_diameter=hand * rack.helix_angle,
            face_width=spec.face_width,
            tip_diameter=2 * gear.tip_radius,
            root_diameter=2 * gear.root_radius,
            normal_tooth_thickness_at_reference_diameter=thickness,
            inner_diameter=inner,
            mass_of_component=getattr(spec, "mass", None),
        )
        self._placed(number, 0.0, place)
        self.file.relate("assembly", assembly=shaft, part=number)
        self.material(number, spec.material)
        self._flanks(number, name, spec, rack)
        return number

    def _flanks(self, gear: int, name: str, spec: GearSpec, rack: RackSpec) -> None:
        file = self.file
        sides = {
            side: file.add(
                "cylindrical_gear_flank",
                f"{name}, {side} flank",
                normal_pressure_angle=rack.normal_pressure_angle,
                addendum_modification_coefficient=spec.profile_shift,
                addendum_coefficient_basic_profile=rack.addendum,
            )
            for side in ("left", "right")
        }
        file.relate("flank", gear=gear, **sides)
        tool = file.add(
            "rack_shaped_tool",
            f"{name}, tool",
            normal_module=rack.normal_module,
            normal_pressure_angle=rack.normal_pressure_angle,
            addendum_coefficient_reference_profile=rack.dedendum,
            dedendum_coefficient_reference_profile=rack.addendum,
            tip_radius_factor=rack.fillet_radius,
        )
        settings = file.add("cylindrical_gear_manufacturing_settings", f"{name}, settings")
        changes = list(self._modifications(name, spec))
        for flank in sides.values():
            step = {"workpiece": flank, "tool": tool, "manufacturing_settings": settings}
            file.relate("manufacturing_step", 1, **step)
            for change in changes:
                file.relate("reference", origin=flank, referenced=change)

    def _modifications(self, name: str, spec: GearSpec) -> Iterable[int]:
        for where in ("tip", "root"):
            relief = getattr(spec, f"{where}_relief")
            if relief is not None:
                sizes = {
                    f"{where}_relief_depth": relief.amount,
                    f"{where}_relief_datum_length": relief.length,
                    "shape_of_relief": SHAPES.get(relief.exponent),
                }
                yield self.file.add(f"{where}_relief", f"{name}, {where} relief", **sizes)
        if spec.crowning > 0:
            yield self.file.add(
                "helix_crowning",
                f"{name}, crowning",
                helix_crowning_amount_datum_face=spec.crowning,
                helix_crowning_amount_non_datum_face=spec.crowning,
                shape_of_helix_crowning="parabolic",
            )

    def material(self, origin: int, name: str) -> None:
        if name not in self.materials:
            material = self.spec.material(name)
            self.materials[name] = self.file.add(
                "material",
                name,
                material_designation=name,
                elastic_modulus=material.youngs_modulus,
                poisson_ratio=material.poisson_ratio,
                density=material.density,
            )
        self.file.relate("reference", origin=origin, referenced=self.materials[name])

    def body(self, gear: int, name: str, **sizes: float | None) -> None:
        """What is under, or around, the teeth."""
        if any(size is not None for size in sizes.values()):
            number = self.file.add("gear_body", f"{name}, body", **sizes)
            self.file.relate("assembly", assembly=gear, part=number)

    def bearings(
        self,
        name: str,
        support: SupportSpec,
        inner: int,
        outer: int,
        middles: tuple[float, float],
        place: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        """One in the middle, or two at a distance; none where a part floats."""
        if support.kind == "floating":
            return
        stiffness = RIGID_RADIAL if support.stiffness is None else support.stiffness
        span = getattr(support, "bearing_span", None)
        axial = getattr(support, "axial_stiffness", None)
        offsets = (0.0,) if span is None else (-0.5 * span, 0.5 * span)
        for k, offset in enumerate(offsets):
            last = k == len(offsets) - 1
            bearing = self.file.add(
                "concept_bearing",
                f"{name}, bearing{f' {k + 1}' if span else ''}",
                radial_force_absorption=True,
                radial_stiffness=stiffness / len(offsets),
                axial_force_absorption="both_directions" if last else "no_direction",
                axial_stiffness=(RIGID_RADIAL if axial is None else axial) if last else 0.0,
                bending_stiffness=0.0 if span else RIGID_TURN,
                u_coordinate_on_shaft_inner_side=middles[0] + offset,
                u_coordinate_on_shaft_outer_side=middles[1] + offset,
            )
            self._placed(bearing, offset, place)
            self.file.relate("side", assembly=bearing, inner_part=inner, outer_part=outer)

    def coupling(self, name: str, inner: int, outer: int, stiffness: float | None) -> None:
        """Between shafts, or of a shaft with the casing, by its torsional stiffness."""
        coupling = self.file.add(
            "coupling",
            name,
            rotational_stiffness=RIGID_TURN if stiffness is None else stiffness,
            radial_stiffness=0.0,
            axial_stiffness=0.0,
            bending_stiffness=0.0,
        )
        self.file.relate("side", assembly=coupling, inner_part=inner, outer_part=outer)

    def turning_mass(self, name: str, key: str, shaft: int, middle: float, inertia: float) -> None:
        number = self.file.add(
            "additional_mass",
            name,
            u_coordinate_on_shaft=middle,
            moment_of_inertia_u_axis=inertia,
        )
        self.file.components[number].put(KEY, key)
        self.file.relate("assembly", assembly=shaft, part=number)

    def loads(self, drives: int, loaded: int, speed: float, torque: float, ratio: float) -> None:
        """The input's speed and the output's torque, which the load holds against its speed."""
        file = self.file
        file.components[drives].put("defines_speed", True)
        file.load(drives, rotational_speed=speed)
        for name, shaft, given in (("drive", drives, False), ("load", loaded, True)):
            number = file.add(
                "external_load",
                name,
                u_coordinate_on_shaft=0.0,
                transmits_torque=True,
                defines_torque=given,
            )
            file.relate("assembly", assembly=shaft, part=number)
            if given:
                file.load(number, torque_around_u_axis=-math.copysign(1.0, ratio) * torque)

    def stage(
        self, name: str, above: int, pair: tuple[int, int], distance: float, width: float
    ) -> int:
        """Of two gears, the first of which drives."""
        file = self.file
        stage = file.add(
            "cylindrical_stage", name, center_distance=distance, common_face_width=width
        )
        file.relate("assembly", assembly=above, part=stage)
        file.relate("stage", stage=stage, gear_1=pair[0], gear_2=pair[1])
        for number, drives in zip(pair, (True, False), strict=True):
            data = file.add(
                "cylindrical_stage_gear_data",
                f"{name}, data of {file.components[number].name}",
                is_driving_gear=drives,
            )
            file.relate("stage_gear_data", stage=stage, gear=number, stage_gear_data=data)
        return stage


def rest_of(spec: MachineSpec, expressed: Iterable[str]) -> str:
    """All that a spec was told but for these keys, as JSON in SI."""
    data = spec.model_dump(mode="json", exclude_unset=True)
    for path in expressed:
        _remove(data, path.split("."))
    for material in data.get("materials", {}).values():
        for key in ("youngs_modulus", "poisson_ratio", "density"):
            material.pop(key, None)
    return json.dumps(data, ensure_ascii=False)


def _remove(data: Any, path: list[str]) -> None:
    *above, last = path
    for key in above:
        data = data.get(key) if isinstance(data, Mapping) else None
    if isinstance(data, dict):
        data.pop(last, None)


def _gear_pair(spec: GearPairSpec, ratio: float) -> RexsFile:
    parts = _Parts(spec, _GEAR_PAIR)
    gears = spec.pinion_gear, spec.wheel_gear
    distance = spec.pair.centre_distance
    sign = 1 if spec.wheel.internal else -1
    numbers, ends = [], []
    for k, name in enumerate(("pinion", "wheel")):
        place = (0.0, k * distance)
        wheel: PairGearSpec = getattr(spec, name)
        bore = wheel.body.bore_diameter
        length = wheel.face_width
        shaft = parts.shaft(f"shaft of the {name}", length, place, (0.0, bore) if bore else None)
        hand = sign if k else 1
        gear = gears[k]
        number = parts.gear(
            name, gear, wheel, spec.rack, shaft, 0.5 * length, hand, place, inner=bore
        )
        parts.body(
            number,
            name,
            gear_body_rim_thickness=wheel.body.rim_thickness,
            gear_body_web_thickness=wheel.body.web_thickness,
        )
        middles = (0.5 * length, 0.5 * length)
        parts.bearings(name, wheel.support, shaft, parts.casing, middles, place)
        if wheel.added_inertia:
            what, inertia = f"what turns with the {name}", wheel.added_inertia
            parts.turning_mass(what, "added_inertia", shaft, 0.5 * length, inertia)
        end: ShaftSpec = spec.output_shaft if k else spec.input_shaft
        ends.append(_outer_end(parts, ("input", "output")[k], end, shaft, length, place))
        numbers.append(number)
    pair = numbers[0], numbers[1]
    parts.stage("stage", parts.unit, pair, distance, spec.face_width)
    speed, torque = spec.operation.input_speed, spec.operation.torque
    parts.loads(ends[0], ends[1], speed, torque, ratio)
    return parts.file


def _outer_end(
    parts: _Parts, name: str, spec: ShaftSpec, shaft: int, length: float, place: tuple[float, float]
) -> int:
    """The shaft where a motor or a load is: another one, if it is coupled elastically."""
    end = shaft
    if spec.stiffness is not None:
        end = parts.shaft(f"{name} shaft", length, place)
        parts.coupling(f"{name} shaft's stiffness", shaft, end, spec.stiffness)
    if spec.inertia is not None:
        what = f"what turns at the {name}"
        parts.turning_mass(what, f"{name}_shaft", end, 0.5 * length, spec.inertia)
    return end


def _planetary(spec: PlanetaryGearboxSpec, ratio: float) -> RexsFile:
    plates = spec.carrier.outer_radius is not None or spec.carrier.thickness is not None
    parts = _Parts(spec, (*_PLANETARY, *(("carrier.material",) if plates else ())))
    file, rack, radius = parts.file, spec.rack, spec.carrier_radius
    stage = file.add("planetary_stage", "planetary stage")
    file.relate("assembly", assembly=parts.unit, part=stage)
    carrier = file.add("planet_carrier", "carrier")
    file.relate("assembly", assembly=stage, part=carrier)
    length = max(spec.sun.face_width, spec.planets.face_width, spec.ring.face_width)
    middle = 0.5 * length
    shafts: dict[str, int] = {}
    for member in ("sun", "ring", "carrier"):
        bore = spec.sun.bore_radius if member == "sun" else None
        sizes = (0.0, 2 * bore) if bore else None
        shafts[member] = parts.shaft(f"shaft of the {member}", length, diameters=sizes)
        kind = "planet_carrier_shaft" if member == "carrier" else "central_shaft"
        file.relate(kind, planetary_stage=stage, shaft=shafts[member])
    file.relate("assembly", assembly=carrier, part=shafts["carrier"])
    if plates:
        _side_plates(parts, spec, carrier)
    inner = 2 * spec.sun.bore_radius if spec.sun.bore_radius else None
    sun = parts.gear("sun", spec.sun_gear, spec.sun, rack, shafts["sun"], middle, 1, inner=inner)
    ring = parts.gear("ring", spec.ring_gear, spec.ring, rack, shafts["ring"], middle, -1)
    outer = spec.ring.outer_radius
    parts.body(ring, "ring", outer_diameter=2 * outer if outer else None)
    for member in ("sun", "ring", "carrier"):
        support = getattr(spec, member).support
        parts.bearings(member, support, shafts[member], parts.casing, (middle, middle))
    for k, angle in enumerate(spec.planet_angles):
        _planet(parts, spec, k + 1, angle, radius, stage, carrier, sun, ring)
    work = spec.operation
    parts.coupling("holds it", shafts[work.held], parts.casing, spec.held.stiffness)
    drives, loaded = shafts[work.input], shafts[work.output]
    parts.loads(drives, loaded, work.input_speed, work.torque, ratio)
    return file


def _side_plates(parts: _Parts, spec: PlanetaryGearboxSpec, carrier: int) -> None:
    """Two, as thick together as the spec says."""
    given = spec.carrier
    for k in (1, 2):
        plate = parts.file.add(
            "side_plate",
            f"side plate {k}",
            outer_diameter=2 * given.outer_radius if given.outer_radius else None,
            length=0.5 * given.thickness if given.thickness else None,
        )
        parts.file.relate("assembly", assembly=carrier, part=plate)
        parts.material(plate, given.material)


def _planet(
    parts: _Parts,
    spec: PlanetaryGearboxSpec,
    number: int,
    angle: float,
    radius: float,
    stage: int,
    carrier: int,
    sun: int,
    ring: int,
) -> None:
    """With its shaft, its pin in the carrier, the bearing between them, and its two stages."""
    file, planets = parts.file, spec.planets
    name, length = f"planet {number}", planets.face_width
    place = (radius * math.cos(angle), radius * math.sin(angle))
    bore = planets.bore_radius
    shaft = parts.shaft(f"shaft of {name}", length, place)
    pin = parts.shaft(f"pin of {name}", length, place)
    file.relate("planet_shaft", planetary_stage=stage, shaft=shaft)
    file.relate("planet_pin", planetary_stage=stage, shaft=pin)
    file.relate("assembly", assembly=carrier, part=pin)
    inner = 2 * bore if bore else None
    gear = parts.gear(
        name, spec.planet_gear, planets, spec.rack, shaft, 0.5 * length, -1, place, inner
    )
    parts.bearings(name, planets.support, pin, shaft, (0.5 * length, 0.5 * length), place)
    width = min(spec.sun.face_width, length)
    parts.stage(f"sun and {name}", stage, (sun, gear), radius, width)
    width = min(spec.ring.face_width, length)
    parts.stage(f"{name} and ring", stage, (gear, ring), radius, width)
