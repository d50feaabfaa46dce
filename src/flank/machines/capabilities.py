"""What a machine may offer to analyses, and what to say where it does not.

An analysis names what it needs; a machine has it or not, by the protocols of `machines/base.py` or
by what it assembles to.
"""

from collections.abc import Callable
from dataclasses import dataclass

from flank.dynamics.trajectory import SpatialPose
from flank.machines.base import (
    Drive,
    HasBallTracks,
    HasErrors,
    HasFlanks,
    HasLobes,
    HasMeshes,
    HasPinMeshes,
    HasPlanets,
    HasToothPairs,
    Machine,
    Reducer,
    Rolling,
    Transmission,
)


@dataclass(frozen=True)
class Capability:
    """Whether a machine offers something, and how the sentence 'this machine ...' ends if not."""

    offered: Callable[[Machine], bool]
    absence: str


def _planar(machine: Machine) -> bool:
    return isinstance(machine, Transmission) and not isinstance(
        machine.ideal_pose(0.0), SpatialPose
    )


def _meshes(machine: Machine) -> bool:
    if isinstance(machine, HasMeshes):
        return machine.mesh_count > 0
    return isinstance(machine, Transmission) and bool(machine.assemble(Drive()).meshes)


def _passing(machine: Machine) -> bool:
    return _meshes(machine) or (isinstance(machine, HasPinMeshes) and machine.pin_mesh_count > 0)


def _planets(machine: Machine) -> bool:
    return isinstance(machine, HasPlanets) and machine.planet_count > 0


def _errors(machine: Machine) -> bool:
    return isinstance(machine, HasErrors) and len(machine.error_parameters()) > 0


CAPABILITIES = {
    "an input and an output": Capability(
        lambda machine: isinstance(machine, Transmission),
        "has none with a ratio between them",
    ),
    "a rated torque": Capability(
        lambda machine: isinstance(machine, Reducer),
        "has none, only the torque of its operating point",
    ),
    "a rated torque or balls in tracks": Capability(
        lambda machine: isinstance(machine, Reducer | HasBallTracks),
        "has none, only the torque of its operating point",
    ),
    "a planar model": Capability(_planar, "is modelled in space"),
    "planets": Capability(_planets, "has none that would share its load"),
    "gear meshes": Capability(_meshes, "has none"),
    "teeth or pins in mesh": Capability(_passing, "has none"),
    "involute teeth": Capability(
        lambda machine: isinstance(machine, HasToothPairs) and bool(machine.tooth_pairs()),
        "has none",
    ),
    "involute teeth or cycloid lobes": Capability(
        lambda machine: (
            isinstance(machine, HasLobes)
            or (isinstance(machine, HasToothPairs) and bool(machine.tooth_pairs()))
        ),
        "has none",
    ),
    "a pair of gears": Capability(
        lambda machine: isinstance(machine, HasFlanks | Rolling), "is no single pair"
    ),
    "flanks in space": Capability(lambda machine: isinstance(machine, HasFlanks), "has none"),
    "gears that roll": Capability(
        lambda machine: isinstance(machine, Rolling), "is no pair of gears in a plane"
    ),
    "manufacturing errors": Capability(_errors, "does not say which it can have"),
    "balls in tracks": Capability(lambda machine: isinstance(machine, HasBallTracks), "has none"),
}
"""By the name that analyses use, which sentences use too."""
