"""What teeth carry in a run, or pins where discs roll among them and there are no gears.

A disc among pins is a mesh of many contacts, which push it either way. What counts is their torque
M on the disc: F = M/(e z_c) is their resultant across the crank, whatever the distribution, and
e z_c the largest lever that a pin can have. So it is signed, as the force of a gear mesh is by its
flanks. Contact is lost where no pin of the disc carries. The transmission error is the disc's turn
against the ideal one, at the same lever.
"""

from collections.abc import Callable

import numpy as np

from flank.arrays import Flags, Floats, Integers
from flank.dynamics.trajectory import AnyTrajectory, Trajectory
from flank.machines import mesh_forces
from flank.machines.base import Assembly, PinMeshPlace
from flank.machines.tooth_forces import tooth_forces


def carrier_names(assembly: Assembly) -> list[str]:
    """Of meshes, or of discs among pins."""
    return [place.name for place in assembly.meshes or assembly.pin_meshes]


def net_forces(assembly: Assembly, trajectory: AnyTrajectory) -> Floats:
    """(time, mesh) in N, positive on flank +1, or where pins turn a disc forward."""
    if assembly.meshes:
        return mesh_forces.net_forces(assembly, trajectory)
    return _of_discs(assembly, trajectory, _net_force)


def separated(assembly: Assembly, trajectory: AnyTrajectory) -> Flags:
    """Where (time, mesh) no tooth of either flank touches, or no pin."""
    if assembly.meshes:
        return mesh_forces.separated(assembly, trajectory)
    return np.asarray(_of_discs(assembly, trajectory, _pin_forces_sum) == 0.0)


def transmission_errors(assembly: Assembly, trajectory: AnyTrajectory) -> Floats:
    """(time, mesh) in m along lines of action, or at the largest lever; up to a constant."""
    if assembly.meshes:
        return mesh_forces.mesh_errors(assembly, trajectory)
    return _of_discs(assembly, trajectory, _disc_error)


def single_forces(assembly: Assembly, trajectory: Trajectory) -> tuple[Integers, Floats] | None:
    """Numbers of the first mesh's teeth, or pins, and forces (time, tooth) of those that carry;
    None where they cannot be told apart."""
    if assembly.meshes:
        return tooth_forces(assembly, trajectory, 0)
    forces = _pin_forces(assembly.pin_meshes[0], trajectory)
    carrying = np.flatnonzero(forces.max(axis=0) > 0)
    return carrying, forces[:, carrying]


def _of_discs(
    assembly: Assembly,
    trajectory: AnyTrajectory,
    read: Callable[[PinMeshPlace, AnyTrajectory], Floats],
) -> Floats:
    return np.stack([read(place, trajectory) for place in assembly.pin_meshes], axis=1)


def _pin_forces(place: PinMeshPlace, trajectory: AnyTrajectory) -> Floats:
    return np.asarray(trajectory.contact_results["normal_force"][:, list(place.contacts)])


def _pin_forces_sum(place: PinMeshPlace, trajectory: AnyTrajectory) -> Floats:
    return np.asarray(_pin_forces(place, trajectory).sum(axis=1))


def _net_force(place: PinMeshPlace, trajectory: AnyTrajectory) -> Floats:
    """Σ r × (-F n)/(e z_c) about the disc's centre; normals point out of the disc."""
    contacts = trajectory.contact_results[:, list(place.contacts)]
    assert isinstance(trajectory, Trajectory)
    centre = trajectory.position[:, place.disc]
    x, y = contacts["x"] - centre[:, :1], contacts["y"] - centre[:, 1:2]
    arm = x * contacts["normal_y"] - y * contacts["normal_x"]
    return np.asarray(-(arm * contacts["normal_force"]).sum(axis=1) / place.lever)


def _disc_error(place: PinMeshPlace, trajectory: AnyTrajectory) -> Floats:
    assert isinstance(trajectory, Trajectory)
    turned = trajectory.position[:, (place.disc, place.leader), 2]
    return np.asarray(place.lever * (turned[:, 0] - turned[:, 1] / place.ratio))
