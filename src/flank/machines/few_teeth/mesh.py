"""The mesh of the discs with the ring, on the rung of the ladder that the spec names.

At the start a disc's tooth stands on the line of centres, in a space of the ring: with the disc at
the angle α, turned by -α Δ/z1, its teeth are α z2/z1 behind that line and the ring's α, the same
part of a pitch.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from flank.contact.tooth_pair import GearPlace
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.tables import GROUND
from flank.elasticity.material import Material, contact_modulus, tangential_ratio
from flank.machines.base import LinePressure, MeshPlace
from flank.machines.contact_laws import friction_law
from flank.machines.meshed_pair import MeshedPair
from flank.machines.meshes import add_mesh

if TYPE_CHECKING:
    from flank.machines.few_teeth.reducer import FewTeethReducer

FLANKS = 2


def add_teeth(machine: FewTeethReducer, builder: ModelBuilder) -> list[MeshPlace]:
    """A mesh for every disc; explicit contacts are a group by disc, flank, slice and slot."""
    pairs = [meshed_pair(machine, j) for j in range(machine.spec.discs.count)]
    slices = len(pairs[0].slices())
    along = {"slice": slices} if slices > 1 else {}
    sizes = {"disc": len(pairs), "flank": FLANKS, **along, "slot": -1}
    modulus = contact_modulus(*pairs[0].materials)
    pressure = LinePressure(machine.size.disc_width / slices, modulus)
    with builder.part("tooth", "teeth", sizes, pressure):
        return [_add_disc(machine, builder, j, pair) for j, pair in enumerate(pairs)]


def rated_force(machine: FewTeethReducer) -> float:
    """Normal force of one disc's teeth at the rated torque, T (1 - 1/i)/(n r_b2)."""
    spec = machine.spec
    ring_torque = spec.rated_torque * (1 - 1 / machine.ratio)
    return ring_torque / (spec.discs.count * spec.pair.second.base_radius)


def meshed_pair(machine: FewTeethReducer, j: int) -> MeshedPair:
    """Disc j and the ring, with their errors."""
    return MeshedPair(machine.pair(j), _materials(machine), machine.spec.mesh, rated_force(machine))


def _materials(machine: FewTeethReducer) -> tuple[Material, Material]:
    spec = machine.spec
    return spec.material(spec.discs.material).elastic, spec.material(spec.ring.material).elastic


def _add_disc(
    machine: FewTeethReducer, builder: ModelBuilder, j: int, meshed: MeshedPair
) -> MeshPlace:
    """Run-outs are given from the axis to the first crank, which is turned by ψ/u on its disc."""
    spec, layout, errors = machine.spec, machine.layout, machine.errors
    turned = layout.phases[j] / machine.turns
    x, y = float(errors["toothing_x"][j]), float(errors["toothing_y"][j])
    centre = (
        x * math.cos(turned) - y * math.sin(turned),
        x * math.sin(turned) + y * math.cos(turned),
    )
    off = (float(errors["ring_x"]), float(errors["ring_y"]))
    return add_mesh(
        builder,
        f"disc {j + 1}",
        meshed,
        GearPlace(layout.rim[j], float(errors["angular"][j]), centre),
        GearPlace(GROUND, math.pi / spec.ring.teeth, off),
        flank=1 if machine.load_torque > 0 else -1,
        friction=friction_law(
            spec.friction, spec.friction.teeth, tangential_ratio(*meshed.materials)
        ),
    )
