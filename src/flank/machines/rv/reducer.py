"""The RV reducer: sun, planets on cranks, cycloid discs between the cranks and a ring of pins."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import ClassVar

from flank.arrays import Floats
from flank.dynamics.builder import ElasticCircle, ModelBuilder
from flank.elasticity.material import tangential_ratio
from flank.geometry.findings import Finding
from flank.machines.base import DataTable, MeshPlace
from flank.machines.contact_laws import friction_law, loose_friction
from flank.machines.crank_reducer.disc_plates import DiscPlate
from flank.machines.crank_reducer.geometry import masses_of
from flank.machines.crank_reducer.layout import BodyPose, Layout
from flank.machines.crank_reducer.plates import heights
from flank.machines.crank_reducer.reducer import CrankReducer
from flank.machines.flank_profile import MEASURED_KEYS
from flank.machines.orders import PINS, Orders
from flank.machines.outlines import Outline, flank_points
from flank.machines.pin_spec import CIRCLE_KINDS, PIN_KINDS
from flank.machines.pins import PinMesh, PinReducer
from flank.machines.plates import Edge, Plate, flank_edge
from flank.machines.round_parts import cylinder, even_angles, polar
from flank.machines.rv.spec import RvReducerSpec


class RvLayout(Layout):
    """The bodies of an RV reducer; floating pins are the last leaves."""

    spec: RvReducerSpec

    def __post_init__(self) -> None:
        self.pin: list[int] = []
        super().__post_init__()

    @property
    def pin_length(self) -> float:
        """Length of a pin in its groove: over all discs."""
        return self.spec.discs.count * self.size.disc_width

    def _add_ring_bodies(self) -> None:
        """Floating pins."""
        pins = self.spec.pins
        if not pins.loose:
            return

        def at(angle: float, carrier: float) -> BodyPose:
            return *polar(pins.circle_radius, angle), 0.0

        mass = cylinder(pins.radius, self.pin_length, self.spec.material(pins.material).density)
        for k, angle in enumerate(even_angles(pins.count)):
            leaf = not self.touches_modes
            self.pin.append(self._add(f"pin {k + 1}", mass, partial(at, angle), leaf))


@dataclass(frozen=True, repr=False)
class RvReducer(PinReducer, CrankReducer):
    """A checked spec, made into models on demand; `extra` errors come on top of the spec's."""

    ring_block: ClassVar[str] = "pins"
    finding_keys: ClassVar[Mapping[str, str]] = {
        **MEASURED_KEYS,
        "pins-fitted": "pins.points_file",
    }
    draws_shown: ClassVar[int] = 3
    """Machines within tolerance that a transmission error shows beside the one without errors,
    whose error is some thousandth of theirs."""

    spec: RvReducerSpec

    @property
    def mesh_orders(self) -> Orders:
        return Orders({"pin": self.spec.pins.count * (self.lobes / self.ratio)}, {"pin": PINS})

    @cached_property
    def layout(self) -> RvLayout:
        return RvLayout(self.spec, self.size, masses_of(self.spec, self.size))

    @property
    def disc_width(self) -> float:
        return self.size.disc_width

    @property
    def contact_depth(self) -> float:
        return self.spec.pressed_depth

    def rated_loads(self) -> list[DataTable]:
        pins = [self.rated_turn.pins()] if self.rated_turn.known else []
        return [*pins, *super().rated_loads()]

    def mesh_findings(self) -> Iterable[Finding]:
        yield from self.pins.findings()
        kinds = (*PIN_KINDS, *CIRCLE_KINDS, "equidistant", "radial")
        yield from self.disc_findings(kinds, [0.0] * self.spec.discs.count)

    def add_ring(
        self, builder: ModelBuilder, plates: Sequence[DiscPlate], ring: ElasticCircle | None
    ) -> list[MeshPlace]:
        layout, friction = self.layout, self.spec.friction
        width = self.size.disc_width
        rims = [plate.rim for plate in plates]
        length = layout.pin_length
        mesh = PinMesh(self, builder, layout.pin, layout.rim, width, length, rims=rims, ring=ring)
        fixed = friction_law(friction, friction.pins, tangential_ratio(*mesh.materials))
        mesh.add_pins(loose_friction(friction, friction.pins) if layout.pin else fixed)
        mesh.add_grooves(loose_friction(friction, friction.grooves))
        return []

    def flank_points(self, disc: int) -> Floats:
        return flank_points(self.flank(disc), self.lobes)

    def flank_edge(self, disc: int) -> Edge:
        return flank_edge(self.flank(disc), self.lobes)

    def ring_plates(self) -> list[Plate]:
        """The pins, as long as the discs reach."""
        along, size = heights(self), self.size
        bottom = along.disc(0, size.disc_width)[0]
        top = along.disc(self.spec.discs.count - 1, size.disc_width)[1]
        return self.pin_plates(self.layout.pin, bottom, top)

    def ring_outlines(self) -> list[Outline]:
        return self.pin_outlines(self.layout.pin)
