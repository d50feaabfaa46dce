"""All cranks turned by the input: rigidly, or each by a torsional spring with play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flank.dynamics.builder import ModelBuilder
from flank.machines.few_teeth.spec import CouplingSpec

if TYPE_CHECKING:
    from flank.machines.few_teeth.reducer import FewTeethReducer

RIGID = CouplingSpec()


def add_coupling(machine: FewTeethReducer, builder: ModelBuilder) -> None:
    """Cranks turn as the input does, θ_k = θ_in, as a plate on parallel cranks has it."""
    spec, layout = machine.spec, machine.layout
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
