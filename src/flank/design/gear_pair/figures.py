"""Figures of a gear pair."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, Any

from flank.design.figure import figure
from flank.design.gears.figures import torsion, with_gears, with_meshes
from flank.design.gears.mesh import Mesh, misalignment_of
from flank.design.gears.strength_figures import GearFigures
from flank.design.reducer import ReducerFigures
from flank.machines.gear_pair.spec import GEARS

if TYPE_CHECKING:
    from flank.machines.gear_pair.machine import GearPairMachine


@with_meshes({"mesh": ""})
@with_gears({"pinion": (("mesh", 0),), "wheel": (("mesh", 1),)})
class GearPairFigures(GearFigures, ReducerFigures):
    """Of a `GearPairMachine`."""

    machine: GearPairMachine

    def present(self, key: str) -> Any:
        name, _, rest = key.partition(".")
        if name in GEARS and rest == "tip_radius":
            return self.mesh.gear(GEARS.index(name)).tip_radius
        if key == "rating.misalignment":
            return self._misalignment
        if key == "rating.face_load_factor":
            return None if self.mesh.rating is None else self.mesh.rating.face_factor
        return super().present(key)

    @property
    def _misalignment(self) -> float:
        spec = self.machine.spec
        slopes = [spec.tolerance(f"{name}_lead_slope") for name in GEARS]
        slopes.append(spec.tolerance("misalignment") * spec.face_width)
        return misalignment_of(spec.pair, spec.rating, slopes)

    @cached_property
    def mesh(self) -> Mesh:
        """The pair as designed."""
        spec, pair = self.machine.spec, self.machine.spec.pair
        peak = spec.largest_torque / spec.rated_torque
        stack = (
            2
            * math.sin(pair.working_angle)
            * sum(
                spec.tolerance(name)
                for name in ("centre_distance", "pinion_eccentricity", "wheel_eccentricity")
            )
        )
        stack += math.cos(pair.working_angle) * sum(
            spec.tolerance(f"{name}_thickness") for name in GEARS
        )
        materials, speed = self.machine.meshed.materials, spec.operation.input_speed
        rest = peak, stack, self._rims, spec.rating, speed
        force = spec.rated_torque / pair.second.reference_radius
        rating = self.rating_of(
            pair,
            self.machine.meshed,
            ("pinion", "wheel"),
            self._misalignment,
            (force, speed),
            self.machine.mesh_mass,
            self._rims,
        )
        return Mesh(pair, materials, rating, *rest)

    @property
    def _rims(self) -> tuple[float | None, float | None]:
        first, second = (self._rim(name) for name in GEARS)
        return first, second

    def _rim(self, name: str) -> float | None:
        spec = self.machine.spec
        wheel, gear = getattr(spec, name), getattr(spec, f"{name}_gear")
        body = wheel.body
        if gear.internal or (body.web_thickness or wheel.face_width) < wheel.face_width:
            return body.rim_thickness  # type: ignore[no-any-return]
        if body.bore_diameter is None:
            return None
        return gear.root_radius - 0.5 * body.bore_diameter  # type: ignore[no-any-return]

    def _shaft_stress(self, name: str, torque: float) -> float | None:
        bore = getattr(self.machine.spec, name).body.bore_diameter
        gear = getattr(self.machine.spec, f"{name}_gear")
        return None if bore is None or gear.internal else torsion(torque, 0.5 * bore)

    @figure("shear stress in a shaft that fills the pinion's bore", "Pa", "MPa", "At peak torque")
    def pinion_shaft_stress(self) -> float | None:
        return self._shaft_stress("pinion", self.machine.spec.largest_torque / self.machine.ratio)

    @figure("shear stress in a shaft that fills the wheel's bore", "Pa", "MPa", "At peak torque")
    def wheel_shaft_stress(self) -> float | None:
        return self._shaft_stress("wheel", self.machine.spec.largest_torque)

    @figure("loss of the teeth", "W", "W", "Losses")
    def loss(self) -> float:
        spec = self.machine.spec
        power = spec.rated_torque * abs(spec.operation.input_speed / self.machine.ratio)
        return power * (1 / self.mesh.efficiency - 1)
