"""The reducer with few teeth of difference: involute discs on cranks roll inside a ring gear.

With z1 teeth on a disc, z2 on the ring and Δ = z2 - z1, a disc turns by -Δ/z1 of its crank, and
the carrier, which the cranks sit in, with it. A disc at the phase ψ on the crank has its teeth
turned by Δ ψ/z1 against its holes: discs are alike where that is a whole number of pitches, as for
two discs and an even Δ.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar

from flank.dynamics.builder import ModelBuilder
from flank.geometry.findings import Finding
from flank.geometry.gear_pair import GearPair
from flank.geometry.pair_checks import check_backlash, check_pair
from flank.machines.base import DataTable, MeshPlace
from flank.machines.crank_reducer.reducer import CrankReducer
from flank.machines.few_teeth.coupling import add_coupling
from flank.machines.few_teeth.mesh import add_teeth, meshed_pair
from flank.machines.few_teeth.spec import FewTeethReducerSpec
from flank.machines.gear_data import gear_table, mesh_table
from flank.machines.meshed_pair import check_load

ALONG_THE_AXIS = "no-radial-assembly"
"""Finding that does not count: discs slide into the ring along the axis, one after the other."""

NAMES = ("disc", "ring")


@dataclass(frozen=True, repr=False)
class FewTeethReducer(CrankReducer):
    """A checked spec, made into models on demand; `extra` errors come on top of the spec's."""

    ring_block: ClassVar[str] = "ring"

    spec: FewTeethReducerSpec

    @property
    def mesh_orders(self) -> dict[str, float]:
        return {"tooth": self.spec.ring.teeth * self.turns / abs(self.ratio)}

    def pair(self, disc: int) -> GearPair:
        """One disc and the ring, their teeth with errors, at the nominal eccentricity."""
        nominal, errors = self.spec.pair, self.errors
        thicker, ring = float(errors["tooth_thickness"][disc]), float(errors["ring_thickness"])
        first, second = nominal.first, nominal.second
        return replace(
            nominal,
            first=replace(first, thickness_deviation=first.thickness_deviation + thicker),
            second=replace(second, thickness_deviation=second.thickness_deviation + ring),
            face_width=self.size.disc_width,
        )

    def mesh_findings(self) -> Iterable[Finding]:
        for pair in dict.fromkeys(self.pair(j) for j in range(self.spec.discs.count)):
            found = [f for f in check_pair(pair, NAMES) if f.code != ALONG_THE_AXIS]
            yield from found
            if all(finding.severity != "error" for finding in found):
                yield from check_load(replace(meshed_pair(self, 0), pair=pair), NAMES)
        for j in range(self.spec.discs.count):
            yield from self._check_run_out(j)

    def _check_run_out(self, disc: int) -> Iterable[Finding]:
        """Whether the teeth find room where run-outs of disc and ring press them in deepest."""
        errors, pair = self.errors, self.pair(disc)
        off = math.hypot(errors["toothing_x"][disc], errors["toothing_y"][disc])
        off += math.hypot(errors["ring_x"], errors["ring_y"])
        if off == 0 or pair.normal_backlash < 0:
            return ()
        deepest = replace(pair, centre_distance=pair.centre_distance + off)
        return check_backlash(deepest, (f"disc {disc + 1}", "ring with their run-out"))

    def gear_data(self) -> list[DataTable]:
        pair = replace(self.spec.pair, face_width=self.size.disc_width)
        meshed = replace(meshed_pair(self, 0), pair=pair)
        return [
            gear_table("Gears", {"disc": pair.first, "ring": pair.second}),
            mesh_table("Mesh", {"disc/ring": meshed}),
            *super().gear_data(),
        ]

    def add_ring(self, builder: ModelBuilder) -> list[MeshPlace]:
        return add_teeth(self, builder)

    def add_cranks_drive(self, builder: ModelBuilder) -> list[MeshPlace]:
        if self.spec.first_stage is None:
            add_coupling(self, builder)
            return []
        return super().add_cranks_drive(builder)
