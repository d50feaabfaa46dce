"""The mesh of the discs with the ring, on the rung of the ladder that the spec names.

At the start a disc's tooth stands on the line of centres, in a space of the ring: with the disc at
the angle α, turned by -α Δ/z1, its teeth are α z2/z1 behind that line and the ring's α, the same
part of a pitch.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from flank.dynamics.builder import ModelBuilder
from flank.dynamics.tables import GROUND
from flank.elasticity.material import contact_modulus, tangential_ratio
from flank.machines.base import ContactGroup, Part
from flank.machines.contact_laws import friction_law
from flank.machines.meshes import GearPlace, MeshedPair, MeshPlace, add_mesh

if TYPE_CHECKING:
    from flank.machines.few_teeth.reducer import FewTeethReducer

FLANKS = 2


def add_teeth(
    machine: FewTeethReducer, builder: ModelBuilder
) -> tuple[list[ContactGroup], list[Part]]:
    """A mesh for every disc; explicit contacts are a group by disc, flank and slot of teeth."""
    first = builder.contact_count
    meshes = [_add_disc(machine, builder, j) for j in range(machine.spec.discs.count)]
    contacts = tuple(row for mesh in meshes for row in mesh.contacts)
    springs = tuple(row for mesh in meshes for row in mesh.springs)
    parts = [Part("tooth", "teeth", contacts=contacts, springs=springs)]
    if not contacts:
        return [], parts
    spec, width = machine.spec, machine.size.disc_width
    materials = _materials(machine)
    slots = len(meshes[0].contacts) // FLANKS
    group = ContactGroup(
        "tooth",
        "teeth",
        first,
        ("disc", "flank", "slot"),
        (spec.discs.count, FLANKS, slots),
        width,
        contact_modulus(*materials),
    )
    return [group], parts


def _materials(machine: FewTeethReducer):
    spec = machine.spec
    return tuple(spec.material(name).elastic for name in (spec.discs.material, spec.ring.material))


def _add_disc(machine: FewTeethReducer, builder: ModelBuilder, j: int) -> MeshPlace:
    spec, layout, errors = machine.spec, machine.layout, machine.errors
    meshed = MeshedPair(machine.pair(j), _materials(machine), spec.mesh, rated_force(machine))
    turned = layout.phases[j] / machine.turns
    x, y = errors["toothing_x"][j], errors["toothing_y"][j]
    centre = (
        x * math.cos(turned) - y * math.sin(turned),
        x * math.sin(turned) + y * math.cos(turned),
    )
    disc = GearPlace(layout.rim[j], float(errors["angular"][j]), centre)
    off = (float(errors["ring_x"][0]), float(errors["ring_y"][0]))
    ring = GearPlace(GROUND, math.pi / spec.ring.teeth, off)
    flank = 1 if machine.load_torque > 0 else -1
    return add_mesh(builder, f"disc {j + 1}", meshed, disc, ring, flank)


def rated_force(machine: FewTeethReducer) -> float:
    """Normal force of one disc's teeth at the rated torque, T (1 - 1/i)/(n r_b2)."""
    spec = machine.spec
    ring_torque = spec.rated_torque * (1 - 1 / machine.ratio)
    return ring_torque / (spec.discs.count * spec.pair.second.base_radius)
