"""A gear pair made ready to roll: gears of finite elements on their shafts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from flank.contact.gear_loading import GearLoading, elastic_loading, elastic_modes
from flank.dynamics.rolling_mesh import BodyMode, RollingPair, Train, body_modes, structure
from flank.errors import SpecError
from flank.machines.gear_pair.spec import GEARS

if TYPE_CHECKING:
    from flank.elasticity.finite_elements.flank_modes import FlankModes
    from flank.machines.gear_pair.machine import GearPairMachine


def gear_loading(machine: GearPairMachine, strips: int | None) -> GearLoading:
    """Both gears as finite elements under load."""
    meshed = machine.meshed
    edges, count = meshed.form.tip_edge_contact, strips or meshed.strips
    return elastic_loading(meshed.pair, meshed.materials, count, meshed.bodies, edges=edges)


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
        mesh_damping=machine.damped.damping,
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
        gears=(-1, 0),
    )


def rolling_pair(
    machine: GearPairMachine,
    places: int,
    strips: int | None = None,
    modes: int = 0,
    damping: float = 0.0,
) -> RollingPair:
    """A gear pair at so many places of a mesh period, with so many modes of each gear's body, or
    without a number those of flexible bodies; they have a share of critical damping."""
    if problems := list(machine.spec.missing_rim()):
        raise SpecError(problems)
    loading = gear_loading(machine, strips)
    bodies = _flexible_bodies(machine)
    if modes:
        bodies = body_modes(held_modes(machine, loading, modes), modes)
        _refuse_too_many(bodies, modes)
    return RollingPair.of(loading, structure(gear_train(machine), bodies, damping), places)


def _flexible_bodies(machine: GearPairMachine) -> list[BodyMode]:
    """Modes of the gears that the spec calls flexible."""
    return [
        BodyMode(gear.modes, int(mode), number, bool(part))
        for number, gear in enumerate(machine.modes)
        if gear is not None
        for mode, part in zip(gear.number, gear.imaginary, strict=True)
    ]


def _refuse_too_many(bodies: list[BodyMode], modes: int) -> None:
    """SpecError where a gear has fewer modes; the last place may be too narrow for a pair."""
    for number, name in enumerate(GEARS):
        most = sum(body.gear == number for body in bodies)
        if most < modes - 1:
            raise SpecError(
                f"modes is {modes}; the four lowest of every number of waves around the {name} "
                f"hold {most} that move its flanks, so ask for at most {most}"
            )


def held_modes(
    machine: GearPairMachine, loading: GearLoading, most: int
) -> tuple[FlankModes, FlankModes]:
    """More modes than are wanted: some do not move flanks, and which are lowest is not known."""
    size = loading.pair.face_width, len(loading.face), max(4, most // 3), 4
    first, second = (
        elastic_modes(gear, material, body, *size)
        for gear, material, body in zip(
            (loading.pair.first, loading.pair.second),
            machine.meshed.materials,
            machine.meshed.bodies,
            strict=True,
        )
    )
    return first, second
