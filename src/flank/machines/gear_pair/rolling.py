"""A gear pair made ready to roll: gears of finite elements on their shafts and bearings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from flank.contact.gear_loading import GearLoading, elastic_modes
from flank.dynamics.rolling import Modes
from flank.dynamics.rolling_mesh import RollingPair, rolling_mesh
from flank.dynamics.rolling_structure import (
    HELD,
    Bearing,
    BodyMode,
    Shaft,
    Train,
    body_modes,
    other_normal,
    structure,
)
from flank.errors import SpecError
from flank.machines.gear_pair.spec import GEARS

if TYPE_CHECKING:
    from flank.elasticity.finite_elements.flank_modes import FlankModes
    from flank.machines.gear_pair.machine import GearPairMachine
    from flank.machines.meshed_pair import MeshedPair

Places = int | Callable[[Modes], int]
"""Of a mesh period, or what gives their number for modes that are known."""


def as_mounted(machine: GearPairMachine) -> MeshedPair:
    """Both gears where their axes are."""
    meshed, off = machine.meshed, float(machine.errors["centre_distance"])
    pair = replace(meshed.pair, centre_distance=meshed.pair.centre_distance + off)
    return replace(meshed, pair=pair)


def gear_loading(machine: GearPairMachine, strips: int | None) -> GearLoading:
    """Both gears as finite elements under load, where their axes are."""
    return as_mounted(machine).loading(strips)


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
    damping, bearings = machine.damped.damping, (_bearing(machine, 0), _bearing(machine, 1))
    rotors = np.array(inertia), shafts, np.array(approach)
    return Train(*rotors, load, output, gears, damping, bearings)


def _bearing(machine: GearPairMachine, number: int) -> Bearing | None:
    """What holds the centre of a gear, if it gives way."""
    support = (machine.spec.pinion, machine.spec.wheel)[number].support
    if support.stiffness is None:
        return None
    pair = as_mounted(machine).pair
    sign = (pair.first, pair.second)[number].sign
    mass, normal = machine.masses[number][0], other_normal(sign, pair.working_angle)
    return Bearing(mass, support.stiffness, support.damping, normal)


def rolling_pair(
    machine: GearPairMachine,
    places: Places,
    strips: int | None = None,
    modes: int = 0,
    damping: float | None = None,
    rotating_frame: bool = False,
) -> RollingPair:
    """A gear pair at so many places of a mesh period, with so many modes of each gear's body, or
    without a number those of flexible bodies; they have a share of critical damping, that of the
    spec if none is given, and may feel that their gears turn."""
    if problems := list(machine.spec.missing_rim()):
        raise SpecError(problems)
    _refuse_more_than_computed(machine, strips, modes)
    bodies = _bodies(machine, strips, modes, damping)
    train = gear_train(machine)
    _refuse_light_gears(machine, train, bodies)
    on_gears = machine.spec.restitution_acts_on == "gears"
    carried = structure(train, bodies, rotating_frame, on_gears)
    count = places if isinstance(places, int) else places(carried.modes)
    mesh = rolling_mesh(gear_loading(machine, strips), carried, count)
    return RollingPair(mesh, carried.modes, machine.spec.restitution)


def _bodies(
    machine: GearPairMachine, strips: int | None, modes: int, damping: float | None
) -> list[BodyMode]:
    """Modes of both gears, or of those that the spec calls flexible."""
    spec = machine.spec
    first, second = (
        wheel.mode_damping if damping is None else damping for wheel in (spec.pinion, spec.wheel)
    )
    if modes:
        bodies = body_modes(held_modes(machine, strips, modes), modes, (first, second))
        _refuse_too_many(bodies, modes)
        return bodies
    return [
        BodyMode(gear.modes, int(mode), number, bool(part), (first, second)[number])
        for number, gear in enumerate(machine.modes)
        if gear is not None
        for mode, part in zip(gear.number, gear.imaginary, strict=True)
    ]


OF_A_HARMONIC = 4
"""Modes that are computed of each number of waves around a gear."""


def _harmonics(most: int, teeth: int) -> int:
    """Highest number of waves around a gear, of which so many modes are wanted."""
    return min(max(4, most // 3), teeth // 2)


def _refuse_more_than_computed(machine: GearPairMachine, strips: int | None, modes: int) -> None:
    """SpecError, before any element is computed, where a gear cannot have so many. One point across
    the face of a spur gear moves with modes alone that are symmetric about mid-face: half."""
    spec = machine.spec
    symmetric = not spec.rack.helix_angle and (strips or machine.meshed.strips) == 1
    for name, gear in zip(GEARS, (spec.pinion_gear, spec.wheel_gear), strict=True):
        waves = np.arange(_harmonics(modes, gear.teeth) + 1)
        most = OF_A_HARMONIC * int(np.sum(np.where(2 * waves % gear.teeth == 0, 1, 2)))
        if modes > most:
            raise SpecError(
                f"modes is {modes}; the {name} has at most {most}, the four lowest of every number "
                "of waves around its teeth, so ask for fewer"
            )
        if symmetric and 2 * modes > most:
            raise SpecError(
                f"modes is {modes}; of the four lowest of every number of waves around the {name}, "
                f"{most} in all, half are symmetric about mid-face and move one point across the "
                f"face, so ask for at most {most // 2}, or for more points"
            )


def _refuse_light_gears(machine: GearPairMachine, train: Train, bodies: list[BodyMode]) -> None:
    """SpecError where a gear has less mass or inertia than its modes alone move."""
    for number, name in enumerate(GEARS):
        own = [body for body in bodies if body.gear == number]
        mass, inertia = machine.masses[number]
        moved = {
            "inertia": (inertia, sum(body.rotation**2 for body in own), "kg*m^2"),
            "mass": (mass, sum(0.5 * abs(body.lateral) ** 2 for body in own), "kg"),
        }
        felt = {"inertia": train.gears[number] != HELD, "mass": bool(train.bearings[number])}
        for what, (given, taken, unit) in moved.items():
            if felt[what] and given <= taken:
                raise SpecError(
                    f"{name}.{what} is {given:.4g} {unit}, and the modes of its body alone move "
                    f"{taken:.4g} {unit}; leave it out to have that of its dimensions"
                )


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
    machine: GearPairMachine, strips: int | None, most: int
) -> tuple[FlankModes, FlankModes]:
    """More modes than are wanted: some do not move flanks, and which are lowest is not known."""
    meshed = machine.meshed
    size = meshed.pair.face_width, strips or meshed.strips
    first, second = (
        elastic_modes(gear, material, body, *size, _harmonics(most, gear.teeth), OF_A_HARMONIC)
        for gear, material, body in zip(
            (meshed.pair.first, meshed.pair.second), meshed.materials, meshed.bodies, strict=True
        )
    )
    return first, second
