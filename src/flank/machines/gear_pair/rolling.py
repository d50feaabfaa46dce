"""A gear pair made ready to roll: gears of finite elements on their shafts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from flank.contact.gear_loading import GearLoading, elastic_loading
from flank.dynamics.rolling_mesh import RollingPair, Train, rigid_bodies

if TYPE_CHECKING:
    from flank.machines.gear_pair.machine import GearPairMachine


def gear_loading(machine: GearPairMachine, edges: bool, strips: int | None) -> GearLoading:
    """Both gears as finite elements under load."""
    meshed = machine.meshed
    return elastic_loading(
        meshed.pair, meshed.materials, strips or meshed.strips, meshed.bodies, edges=edges
    )


def gear_train(machine: GearPairMachine) -> Train:
    """Both gears with the ends of elastic shafts. Who drives turns evenly, so it is held: the outer
    end of the shaft, or the pinion itself."""
    spec, radii = machine.spec, machine.meshed.base_radii
    first, second = spec.input_shaft, spec.output_shaft
    inertia = [machine.masses[0][1], machine.masses[1][1]]
    shafts = np.diag([first.stiffness or 0.0, second.stiffness or 0.0])
    dampers = np.diag([first.damping, second.damping])
    approach, load, output = [radii[0], -radii[1]], [0.0, -radii[1]], [0.0, 1.0]
    if second.stiffness is not None and second.inertia is not None:
        inertia.append(second.inertia)
        approach, load, output = [*approach, 0.0], [0.0, 0.0, -radii[1]], [0.0, 0.0, 1.0]
        shafts, dampers = np.pad(shafts, (0, 1)), np.pad(dampers, (0, 1))
        between = np.array([[0, 0, 0], [0, 0, -1], [0, -1, 1]])
        shafts, dampers = shafts + second.stiffness * between, dampers + second.damping * between
    train = Train(
        np.array(inertia),
        shafts,
        dampers,
        np.array(approach),
        np.array(load),
        np.array(output),
        machine.damped.damping,
    )
    return train if first.stiffness is not None else _without_first(train)


def _without_first(train: Train) -> Train:
    return replace(
        train,
        inertia=train.inertia[1:],
        stiffness=train.stiffness[1:, 1:],
        damping=train.damping[1:, 1:],
        approach=train.approach[1:],
        load=train.load[1:],
        output=train.output[1:],
    )


def rolling_pair(
    machine: GearPairMachine, places: int, edges: bool = True, strips: int | None = None
) -> RollingPair:
    """A gear pair at so many places of a mesh period."""
    return rigid_bodies(gear_loading(machine, edges, strips), gear_train(machine), places)
