"""All cranks turned by the input: rigidly, or each by a torsional spring with play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flank.dynamics.builder import ModelBuilder
from flank.machines.base import Part
from flank.machines.crank_reducer.first_stage import Drive
from flank.machines.few_teeth.spec import CouplingSpec

if TYPE_CHECKING:
    from flank.machines.few_teeth.reducer import FewTeethReducer

RIGID = CouplingSpec()


def add_coupling(machine: FewTeethReducer, builder: ModelBuilder) -> Drive:
    """Cranks turn as the input does, θ_k = θ_in, as a plate on parallel cranks has it."""
    spec, layout = machine.spec, machine.layout
    coupling, first = spec.coupling or RIGID, builder.spring_count
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
    springs = tuple(range(first, builder.spring_count))
    return Drive(Part("coupling", "coupling of the cranks", springs=springs))
