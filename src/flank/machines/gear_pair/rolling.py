"""A gear pair made ready to roll: gears of finite elements on their shafts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from flank.contact.gear_loading import GearLoading, elastic_modes
from flank.dynamics.rolling_mesh import (
    HELD,
    BodyMode,
    RollingPair,
    Shaft,
    Train,
    body_modes,
    rolling_mesh,
    structure,
)
from flank.errors import SpecError
from flank.machines.gear_pair.spec import GEARS

if TYPE_CHECKING:
    from flank.elasticity.finite_elements.flank_modes import FlankModes
    from flank.machines.gear_pair.machine import GearPairMachine


def gear_loading(machine: GearPairMachine, strips: int | None) -> GearLoading:
    """Both gears as finite elements under load, where their axes are."""
    meshed, off = machine.meshed, float(machine.errors["centre_distance"])
    pair = replace(meshed.pair, centre_distance=meshed.pair.centre_distance + off)
    return replace(meshed, pair=pair).loading(strips)


def gear_train(machine: GearPairMachine) -> Train:
    """Both gears with the ends of elastic shafts. Who drives turns evenly, so it is held: the outer
    end of the shaft, or the pinion itself."""
    spec, radii, masses = machine.spec, machine.meshed.base_radii, machine.masses
    first, second = spec.input_shaft, spec.output_shaft
    inertia, approach, shafts = [masses[1][1]], [-radii[1]], []
    if first.stiffness is not None:
        inertia, approach = [masses[0][1], *inertia], [radii[0], *approach]
        shafts.append(Shaft(0, HELD, first.stiffness, first.damping))
    gears = (len(inertia) - 2, len(inertia) - 1)
    if second.stiffness is not None and second.inertia is not None:
        shafts.append(Shaft(gears[1], gears[1] + 1, second.stiffness, second.damping))
        inertia, approach = [*inertia, second.inertia], [*approach, 0.0]
    load, output = np.zeros(len(inertia)), np.zeros(len(inertia))
    load[-1], output[-1] = -radii[1], 1.0
    damping = machine.damped.damping
    return Train(np.array(inertia), shafts, np.array(approach), load, output, gears, damping)


def rolling_pair(
    machine: GearPairMachine,
    places: int,
    strips: int | None = None,
    modes: int = 0,
    damping: float = 0.0,
    rotating_frame: bool = False,
) -> RollingPair:
    """A gear pair at so many places of a mesh period, with so many modes of each gear's body, or
    without a number those of flexible bodies; they have a share of critical damping, and may feel
    that their gears turn."""
    if problems := list(machine.spec.missing_rim()):
        raise SpecError(problems)
    _refuse_more_than_computed(machine, modes)
    loading = gear_loading(machine, strips)
    bodies = _flexible_bodies(machine)
    if modes:
        bodies = body_modes(held_modes(machine, loading, modes), modes)
        _refuse_too_many(bodies, modes)
    carried = structure(gear_train(machine), bodies, damping, rotating_frame)
    mesh = rolling_mesh(loading, carried, places)
    return RollingPair(mesh, carried.modes, machine.spec.restitution)


OF_A_HARMONIC = 4
"""Modes that are computed of each number of waves around a gear."""


def _harmonics(most: int, teeth: int) -> int:
    """Highest number of waves around a gear, of which so many modes are wanted."""
    return min(max(4, most // 3), teeth // 2)


def _refuse_more_than_computed(machine: GearPairMachine, modes: int) -> None:
    """SpecError, before any element is computed, where a gear cannot have so many."""
    for name, gear in zip(GEARS, (machine.spec.pinion_gear, machine.spec.wheel_gear), strict=True):
        waves = np.arange(_harmonics(modes, gear.teeth) + 1)
        most = OF_A_HARMONIC * int(np.sum(np.where(2 * waves % gear.teeth == 0, 1, 2)))
        if modes > most:
            raise SpecError(
                f"modes is {modes}; the {name} has at most {most}, the four lowest of every number "
                "of waves around its teeth, so ask for fewer"
            )


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
    size = loading.pair.face_width, len(loading.face)
    first, second = (
        elastic_modes(gear, material, body, *size, _harmonics(most, gear.teeth), OF_A_HARMONIC)
        for gear, material, body in zip(
            (loading.pair.first, loading.pair.second),
            machine.meshed.materials,
            machine.meshed.bodies,
            strict=True,
        )
    )
    return first, second
