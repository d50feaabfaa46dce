"""Parts of a REXS file as blocks of a spec: gears and racks, what holds and what turns them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from flank.errors import SpecError
from flank.exchange.rexs_file import RIGID, Component, RexsFile
from flank.exchange.rexs_writer import KEY, SHAPES
from flank.machines.materials import BUILT_IN_MATERIALS
from flank.texts import echo, listed

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

Block = dict[str, Any]
"""Of a spec."""


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


class Parts:
    """One pass over a file; components note what was asked of them."""

    def __init__(self, file: RexsFile, shown: str) -> None:
        self.file, self.shown, self.account = file, shown, Account()
        self.materials: dict[str, Block] = {}
        self.touched: set[int] = set()

    def use(self, component: Component) -> Component:
        self.touched.add(component.number)
        return component

    def gear(self, component: Component) -> tuple[Block, Block]:
        """Of one gear, and of the rack that it shares with its mates."""
        self.use(component)
        internal = component.kind == "ring_gear"
        teeth = component.quantity("number_of_teeth", "number")
        module = component.quantity("normal_module", "length")
        helix = component.quantity("helix_angle_reference_diameter", "angle") or 0.0
        flanks = self._flanks(component)
        angle = first(flanks, "normal_pressure_angle", "angle")
        shift = first([*flanks, component], "addendum_modification_coefficient", "number") or 0.0
        gear: Block = {
            "teeth": None if teeth is None else round(abs(teeth)),
            "profile_shift": shift,
            "face_width": component.quantity("face_width", "length"),
            "tip_radius": half(component.quantity("tip_diameter", "length")),
            "mass": component.quantity("mass_of_component", "mass"),
            "material": self.material(component),
        }
        rack: Block = {
            "normal_module": module,
            "normal_pressure_angle": angle,
            "helix_angle": abs(helix),
            "addendum": first(flanks, "addendum_coefficient_basic_profile", "number"),
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

    def _tool(self, gear: Component, flanks: Iterable[Component]) -> Block:
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

    def _by_diameters(self, component: Component, gear: Block, rack: Block, internal: bool) -> None:
        """The root circle tells the dedendum where no tool does, and on a ring the sign of x."""
        root = half(component.quantity("root_diameter", "length"))
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

    def _thickness(self, component: Component, gear: Block, rack: Block) -> None:
        """Its deviation from what the profile shift gives."""
        name = "normal_tooth_thickness_at_reference_diameter"
        thickness = component.quantity(name, "length")
        angle, module = rack["normal_pressure_angle"], rack["normal_module"]
        if thickness is None or angle is None or module is None:
            return
        nominal = module * (0.5 * math.pi + 2 * gear["profile_shift"] * math.tan(angle))
        deviation = (thickness - nominal) / math.cos(rack["helix_angle"])
        gear["thickness_deviation"] = deviation if abs(deviation) > 1e-9 else 0.0

    def _modifications(self, gear: Component, flanks: Iterable[Component]) -> Block:
        """Those of the left flank stand for both."""
        found: Block = {}
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

    def _relief(self, change: Component, where: str) -> Block | None:
        amount = change.quantity(f"{where}_relief_depth", "length")
        length = change.quantity(f"{where}_relief_datum_length", "length")
        if amount is None or length is None:
            self.account.assumed.append(
                f"none from {change}, which lacks {where}_relief_depth or _datum_length"
            )
            return None
        shape = change.text("shape_of_relief")
        exponents = {name: exponent for exponent, name in SHAPES.items()}
        relief: Block = {"amount": abs(amount), "length": length}
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

    def material(self, part: Component) -> str | None:
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

    def support(self, shaft: Component, side: str = "inner_part") -> Block | None:
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
        found: Block = {"kind": "bearing", "stiffness": total}
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
        return first(self.file.loaded(shaft.number), "rotational_speed", "speed")

    def torque(self, shaft: Component) -> tuple[float, bool] | None:
        """Of the external loads on a shaft, and whether it is said to define the torque."""
        for load in self.file.parts(shaft.number, "external_load"):
            value = first(self.file.loaded(load.number), "torque_around_u_axis", "torque")
            self.use(load)
            if value:
                return value, bool(load.flag("defines_torque"))
        return None

    def defines_speed(self, shaft: Component) -> bool:
        return any(bool(each.flag("defines_speed")) for each in self.file.loaded(shaft.number))


def first(components: Iterable[Component], name: str, of: str) -> float | None:
    for component in components:
        if (value := component.quantity(name, of)) is not None:
            return value
    return None


def half(value: float | None) -> float | None:
    return None if value is None else 0.5 * abs(value)


def _tip_of_rack(gear: Block, rack: Block, internal: bool) -> bool:
    """Whether the tip circle is where the rack would have it."""
    teeth, module, tip = gear["teeth"], rack["normal_module"], gear["tip_radius"]
    if None in (teeth, module, tip, rack["addendum"]):
        return False
    height = (gear["profile_shift"] + rack["addendum"]) * module
    nominal = 0.5 * teeth * module / math.cos(rack["helix_angle"])
    return math.isclose(tip, nominal + (-height if internal else height), rel_tol=1e-9)
