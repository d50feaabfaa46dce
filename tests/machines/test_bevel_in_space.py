"""A reducer may live in space: a bevel pair of one's own, asked as every transmission is."""

import math
from dataclasses import dataclass, field

import numpy as np
import pytest

import flank
from flank.dynamics.spatial.builder import SpatialBuilder
from flank.dynamics.spatial.quaternions import quaternion_of, rotation_about
from flank.dynamics.tables import GROUND
from flank.dynamics.trajectory import SpatialPose
from flank.machines.base import Assembly, MeshPlace
from flank.machines.spec import Spec

AXES = {"pinion": (0.0, 0.0, 1.0), "wheel": (1.0, 0.0, 0.0)}
TEETH, RADII, INERTIAS = (17, 34), (0.017, 0.034), (1e-4, 8e-4)
STIFFNESS, PITCH_POINT = 2e8, np.array([0.034, 0.0, 0.017])


@dataclass(frozen=True)
class Bevel:
    """Pinion about z, wheel about x, their teeth a spring along y at the pitch point."""

    spec: Spec = field(default_factory=Spec)
    title: str = "Bevel pair"
    ratio: float = -2.0
    load_torque: float = 40.0
    input_speed: float = 100.0
    deviates: bool = False
    orders: dict = field(default_factory=lambda: {"input": 1.0, "output": 0.5, "mesh": 17.0})

    def findings(self):
        return ()

    def ideal_pose(self, input_angle):
        turned = input_angle, input_angle / self.ratio
        matrices = [rotation_about(a, t) for a, t in zip(AXES.values(), turned, strict=True)]
        rotations = [np.array([1.0, 0.0, 0.0, 0.0]), *map(quaternion_of, matrices)]
        centres = np.vstack([np.zeros(3), self.centres])
        return SpatialPose(centres, np.array(rotations), np.zeros((3, 6)))

    @property
    def centres(self):
        """The pitch point is as far from the axes as the radii say."""
        return PITCH_POINT - np.array([[RADII[0], 0.0, 0.0], [0.0, 0.0, RADII[1]]])

    def assemble(self, drive):
        drive = drive.named(AXES, "pinion", "wheel")
        b, shafts = SpatialBuilder(0.05), {}
        for name, centre, inertia in zip(AXES, self.centres, INERTIAS, strict=True):
            b.body(name, 1.0, (inertia, inertia, inertia), centre)
        for body, (name, axis) in enumerate(AXES.items(), start=1):
            b.revolute(GROUND, body, axis, at_a=self.centres[body - 1])
            given = drive.angles.get(name), drive.torques.get(name)
            shafts[name] = b.shaft(body, axis, GROUND, *given)
        row = b.mesh(1, 2, TEETH, tuple(AXES.values()), PITCH_POINT, (0, 1, 0), STIFFNESS)
        mesh = MeshPlace("pinion/wheel", "spring", springs=(row,))
        return Assembly.of(b, self.ideal_pose(0.0), shafts, "pinion", "wheel", [mesh])


WIND_UP = 40.0 / (STIFFNESS * RADII[1] ** 2)


def test_transmission_error_is_the_wind_up():
    result = flank.run(Bevel(), "transmission-error", turns_of="output", points_per_turn=600)
    assert result.complete
    assert result["transmission_error"].values == pytest.approx(WIND_UP, rel=1e-6)
    assert np.abs(result["mesh_force"].values) == pytest.approx(40.0 / RADII[1], rel=1e-6)
    moving = flank.run(Bevel(), "transmission-error", mode="dynamic", points_per_turn=720)
    assert moving["mean_error"] == pytest.approx(WIND_UP, rel=1e-3)


def test_natural_frequencies_are_the_closed_form():
    locked = flank.run(Bevel(), "natural-frequencies")
    swing = math.sqrt(STIFFNESS * RADII[1] ** 2 / INERTIAS[1]) / (2 * math.pi)
    assert locked["lowest_frequency"] == pytest.approx(swing, rel=1e-9)
    free = flank.run(Bevel(), "natural-frequencies", input="free")
    compliance = sum(r**2 / j for r, j in zip(RADII, INERTIAS, strict=True))
    swing = math.sqrt(STIFFNESS * compliance) / (2 * math.pi)
    assert free["lowest_frequency"] == pytest.approx(swing, rel=1e-9)
    assert free["free_count"] == 1  # both turn by the ratio


def test_time_response_follows_the_torques():
    torques = {"pinion": 5.0, "wheel": 0.0}
    result = flank.run(Bevel(), "time-response", torques=torques, duration=0.05, initial_speed=0)
    speeds = result["final_input_speed"], result["final_output_speed"] / -2.0
    momentum = sum(j * speed for j, speed in zip(INERTIAS, speeds, strict=True))
    assert momentum == pytest.approx(5.0 * 0.05, rel=1e-6)  # whatever the teeth do between
    assert abs(result["lost_energy"]) < 1e-3
    assert set(result["body"].values) == set(AXES)
