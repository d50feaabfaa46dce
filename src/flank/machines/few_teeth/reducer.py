"""The reducer with few teeth of difference: involute discs on cranks roll inside a ring gear.

With z1 teeth on a disc, z2 on the ring and Δ = z2 - z1, a disc turns by -Δ/z1 of its crank, and
the carrier, which the cranks sit in, with it. A disc at the phase ψ on the crank has its teeth
turned by Δ ψ/z1 against its holes: discs are alike where that is a whole number of pitches, as for
two discs and an even Δ.

At the start a disc's tooth stands on the line of centres, in a space of the ring: with the disc at
the angle α, turned by -α Δ/z1, its teeth are α z2/z1 behind that line and the ring's α, the same
part of a pitch.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

from flank.arrays import Floats
from flank.contact.tooth_pair import GearPlace
from flank.dynamics.builder import ElasticCircle, ModelBuilder
from flank.dynamics.tables import GROUND
from flank.elasticity.material import Material, tangential_ratio
from flank.geometry.findings import Finding
from flank.geometry.gear_pair import GearPair
from flank.geometry.measured_teeth import check_measured_teeth, measured_flanks
from flank.geometry.pair_checks import check_backlash, check_pair
from flank.machines.base import DataTable, MeshPlace
from flank.machines.contact_laws import friction_law
from flank.machines.crank_reducer.disc_plates import DiscPlate
from flank.machines.crank_reducer.plates import heights
from flank.machines.crank_reducer.reducer import CrankReducer
from flank.machines.few_teeth.spec import CouplingSpec, FewTeethReducerSpec
from flank.machines.flank_profile import MEASURED_KEYS
from flank.machines.gear_data import gear_table, mesh_table
from flank.machines.measured.points import (
    MeasuredFlank,
    explained,
    fit_findings,
    laid,
    of_gear,
    read_measured,
    unlike,
)
from flank.machines.measured.tables import flank_tables
from flank.machines.meshed_pair import MeshedPair, check_mesh, held_at, thicker
from flank.machines.meshes import add_mesh
from flank.machines.orders import TEETH, Orders
from flank.machines.outlines import Outline, gear_points, rim_radius, ring_outlines, thinned
from flank.machines.plates import Edge, Plate, gear_edge, ring_plate
from flank.machines.round_parts import carried

RADIAL_ASSEMBLY = "no-radial-assembly"
"""Finding that does not count: discs slide into the ring along the axis, one after the other."""

NAMES = ("disc", "ring")

FLANKS = 2

RIGID = CouplingSpec()

FIRST_ORDER = 1e-7
"""m: interference of measured teeth below which nothing is said."""


@dataclass(frozen=True, repr=False)
class FewTeethReducer(CrankReducer):
    """A checked spec, made into models on demand; `extra` errors come on top of the spec's."""

    ring_block: ClassVar[str] = "ring"
    finding_keys: ClassVar[Mapping[str, str]] = MEASURED_KEYS

    spec: FewTeethReducerSpec

    @property
    def mesh_orders(self) -> Orders:
        passing = self.spec.ring.teeth * self.spec.crank_ratio / abs(self.ratio)
        return Orders({"tooth": passing}, {"tooth": TEETH})

    @property
    def mesh_count(self) -> int:
        return self.spec.discs.count + super().mesh_count

    def pair(self, disc: int) -> GearPair:
        """One disc and the ring, their teeth with errors, at the nominal eccentricity."""
        ring = float(self.errors["ring_thickness"])
        wide = replace(self.spec.pair, face_width=self.size.disc_width)
        return thicker(wide, self._error("tooth_thickness", disc), ring)

    def _error(self, kind: str, disc: int) -> float:
        """Zero where measured points hold it."""
        return float(self.errors[kind][disc]) if kind in self.errors else 0.0

    @cached_property
    def _measured(self) -> tuple[MeasuredFlank, ...]:
        """Of every disc, none where discs are not measured."""
        discs = self.spec.discs
        if not discs.measured:
            return ()
        target, files = of_gear(self.spec.pair.first), map(discs.points_of, range(discs.count))
        laid_by_file = {
            file: laid(file, read_measured(file, discs.points_unit), target, discs.laying)
            for file in dict.fromkeys(map(discs.points_of, range(discs.count)))
        }
        return tuple(laid_by_file[file] for file in files)

    def measured_flanks(self) -> tuple[MeasuredFlank, ...]:
        return self._measured

    def measured_pin_errors(self) -> Mapping[str, Floats]:
        return {}

    def measured_data(self) -> list[DataTable]:
        return flank_tables(self._measured)

    @cached_property
    def _points(self) -> list[Floats]:
        """Measured points of every disc, none where discs are not measured."""
        return [flank.points for flank in self._measured]

    def mesh_findings(self) -> Iterable[Finding]:
        doubts = [finding for j in range(len(self._points)) for finding in self._doubts(j)]
        yield from doubts
        if any(doubt.severity == "error" for doubt in doubts):
            return
        for pair in dict.fromkeys(self.pair(j) for j in range(self.spec.discs.count)):
            findings = [f for f in check_pair(pair, NAMES) if f.code != RADIAL_ASSEMBLY]
            yield from findings
            if all(finding.severity != "error" for finding in findings):
                yield from check_mesh(replace(self.meshed_pair(0), pair=pair), NAMES)
        for j in range(self.spec.discs.count):
            yield from self._check_run_out(j)

    def _doubts(self, disc: int) -> Iterator[Finding]:
        """About a disc's measured points, and whether they leave it room in the ring."""
        pair, points = self.pair(disc), self._points[disc]
        if disc and self.spec.discs.points_of(disc) == self.spec.discs.points_of(0):
            return
        own = f"disc {disc + 1}: " if self.spec.discs.own_points else ""
        wrong = False
        flank, target = self._measured[disc], of_gear(self.spec.pair.first)
        doubts = [*unlike(flank, target, own)] or [
            explained(doubt, flank, own) for doubt in check_measured_teeth(points, pair)
        ]
        for doubt in doubts:
            wrong |= doubt.severity == "error"
            yield doubt
        if wrong:
            return
        yield from fit_findings(self._measured[disc], f"{own}the points")
        least = measured_flanks(points, pair.first).removed.min(axis=(0, 2)).sum()
        tightest = thicker(pair, -float(least) / math.cos(pair.first.pressure_angle), 0.0)
        if tightest.normal_backlash < -FIRST_ORDER:
            for finding in check_backlash(tightest, NAMES):
                yield replace(finding, severity="warning", limit=0.0)

    def _check_run_out(self, disc: int) -> Iterable[Finding]:
        """Whether the teeth find room where run-outs of disc and ring press them in deepest."""
        errors, pair = self.errors, self.pair(disc)
        off = math.hypot(self._error("toothing_x", disc), self._error("toothing_y", disc))
        off += math.hypot(errors["ring_x"], errors["ring_y"])
        if off == 0 or pair.normal_backlash < 0:
            return ()
        deepest = replace(pair, centre_distance=pair.centre_distance + off)
        return check_backlash(deepest, (f"disc {disc + 1}", "ring with their run-out"))

    def gear_data(self) -> list[DataTable]:
        pair = replace(self.spec.pair, face_width=self.size.disc_width)
        meshed = replace(self.meshed_pair(0), pair=pair)
        return [
            gear_table("Gears", {"disc": pair.first, "ring": pair.second}),
            mesh_table("Mesh", {"disc/ring": meshed}),
            *super().gear_data(),
        ]

    def add_ring(
        self, builder: ModelBuilder, plates: Sequence[DiscPlate], ring: ElasticCircle | None
    ) -> list[MeshPlace]:
        """A mesh for every disc; explicit contacts are a group by disc, flank, slice and slot."""
        pairs = [self.meshed_pair(j) for j in range(self.spec.discs.count)]
        slices = len(pairs[0].slices())
        slice_size = {"slice": slices} if slices > 1 else {}
        sizes = {"disc": len(pairs), "flank": FLANKS, **slice_size, "slot": -1}
        with builder.part("tooth", "teeth", sizes, pairs[0].pressure):
            rims: list[ElasticCircle | None] = [None] * len(pairs)
            rims[: len(plates)] = [plate.rim for plate in plates]
            return [self._add_disc(builder, j, p, rims[j], ring) for j, p in enumerate(pairs)]

    @property
    def rated_force(self) -> float:
        """Normal force of one disc's teeth at the rated torque, T (1 - 1/i)/(n r_b2)."""
        spec = self.spec
        ring_torque = spec.rated_torque * (1 - 1 / self.ratio)
        return ring_torque / (spec.discs.count * spec.pair.second.base_radius)

    def meshed_pair(self, j: int) -> MeshedPair:
        """Disc j and the ring, with their errors."""
        pair = self.pair(j)
        if self.spec.mesh.model == "fe":
            pair = self._held(pair)
        flanks = measured_flanks(self._points[j], pair.first) if self._points else None
        gears = pair, self._materials, self.spec.mesh, self.rated_force
        return MeshedPair(*gears, measured_flanks=flanks)

    def _held(self, pair: GearPair) -> GearPair:
        """With bodies for finite elements: the rim of a disc down to its web, whose elasticity is
        that of a plate with holes, and the ring out to its housing."""
        return held_at(pair, self.spec.toothing.split_radius, self.spec.ring.outer_radius)

    def tooth_pairs(self) -> dict[str, MeshedPair]:
        meshed = self.meshed_pair(0)
        of_disc = replace(meshed, pair=self._held(meshed.pair))
        return {**super().tooth_pairs(), "disc 1/ring": of_disc}

    @property
    def _materials(self) -> tuple[Material, Material]:
        spec = self.spec
        return spec.elastic(spec.discs.material), spec.elastic(spec.ring.material)

    def _add_disc(
        self,
        builder: ModelBuilder,
        j: int,
        meshed: MeshedPair,
        rim: ElasticCircle | None,
        ring: ElasticCircle | None,
    ) -> MeshPlace:
        """Run-outs are given from the axis to the first crank, turned by ψ/u on its disc."""
        spec, layout, errors = self.spec, self.layout, self.errors
        run_out = self._error("toothing_x", j), self._error("toothing_y", j)
        centre = carried((0.0, 0.0, layout.phases[j] / self.spec.crank_ratio), run_out)
        off = (float(errors["ring_x"]), float(errors["ring_y"]))
        return add_mesh(
            builder,
            f"disc {j + 1}",
            meshed,
            GearPlace(layout.rim[j], self._error("angular", j), centre),
            GearPlace(GROUND, math.pi / spec.ring.teeth, off),
            flank=1 if self.load_torque > 0 else -1,
            friction=friction_law(
                spec.friction, spec.friction.teeth, tangential_ratio(*meshed.materials)
            ),
            rim=rim,
            ring=ring,
        )

    def add_cranks_drive(self, builder: ModelBuilder) -> list[MeshPlace]:
        if self.spec.first_stage is None:
            self._add_coupling(builder)
            return []
        return super().add_cranks_drive(builder)

    def flank_points(self, disc: int) -> Floats:
        return thinned(self._points[disc] if self._points else gear_points(self.spec.pair.first))

    def flank_edge(self, disc: int) -> Edge:
        if self._points:
            return Edge(polygon=self._points[disc])
        return gear_edge(self.spec.pair.first)

    def ring_plates(self) -> list[Plate]:
        along, size, ring = heights(self), self.size, self.spec.pair.second
        bottom = along.disc(0, size.disc_width)[0]
        top = along.disc(self.spec.discs.count - 1, size.disc_width)[1]
        outer = self.spec.ring.outer_radius or rim_radius(ring)
        tooth = 0.5 * ring.pitch_angle
        return [ring_plate("ring", GROUND, ring, bottom, top - bottom, tooth, outer)]

    def ring_outlines(self) -> list[Outline]:
        """A tooth of the disc stands in a space of the ring."""
        ring = self.spec.pair.second
        turned = 0.5 * ring.pitch_angle
        return ring_outlines("ring", GROUND, ring, turned, rim_radius(ring), "ring")

    def _add_coupling(self, builder: ModelBuilder) -> None:
        """Cranks turn as the input does, θ_k = θ_in, as a plate on parallel cranks has it."""
        spec, layout = self.spec, self.layout
        coupling = spec.coupling or RIGID
        with builder.part("coupling", "coupling of the cranks"):
            for crank in layout.driven_end:
                if coupling.stiffness is None:
                    builder.gear(layout.input_body, int(crank), 1.0)
                    continue
                builder.torsion_spring(
                    layout.input_body,
                    int(crank),
                    coupling.stiffness,
                    spec.structural_damping * coupling.stiffness,
                    dead_band=coupling.backlash,
                )
