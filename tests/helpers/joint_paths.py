"""Hand-made runs of a ball joint, whose answers are known."""

import numpy as np

import flank
from flank.contact.spatial.table import SPATIAL_CONTACT_RESULT
from flank.dynamics.status import Status
from flank.dynamics.trajectory import SpatialTrajectory


def joint(changes=None):
    return flank.preset("cv-joint", changes)


def rigid_run(machine, times):
    """The rigid joint at some times: poses and motion are known, no contact has been looked at."""
    drive = machine.drive()
    assembly = machine.assemble(drive)
    poses = [machine.pose_under(drive, time) for time in times]
    bodies, contacts = len(assembly.model.mass), assembly.model.counts[3]
    run = SpatialTrajectory(
        time=np.asarray(times, dtype=float),
        position=np.array([pose.position for pose in poses]),
        rotation=np.array([pose.rotation for pose in poses]),
        velocity=np.array([pose.velocity for pose in poses]),
        acceleration=np.zeros((len(times), bodies, 6)),
        multipliers=np.zeros((len(times), assembly.model.constraint_count)),
        contact_results=np.zeros((len(times), contacts), dtype=SPATIAL_CONTACT_RESULT),
        ledger=np.zeros((len(times), 4)),
        impulse=np.zeros((len(times), assembly.model.constraint_count)),
        status=Status.OK,
        counters={"steps": 1},
    )
    return assembly, run


def scattered(run, seed=0):
    """The run with touches filled at random: normals of unit length, every contact closed."""
    random = np.random.default_rng(seed)
    contact_results = run.contact_results.copy()
    shape = contact_results.shape
    normal = random.normal(size=(*shape, 3))
    contact_results["normal"] = normal / np.linalg.norm(normal, axis=-1, keepdims=True)
    contact_results["normal_force"] = random.uniform(1.0, 2.0, shape)
    contact_results["friction"] = random.normal(size=(*shape, 3))
    contact_results["point"] = random.normal(size=(*shape, 3))
    contact_results["drilling"] = random.normal(size=shape)
    return contact_results
