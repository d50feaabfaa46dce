"""A machine so simple that every answer is known: two torsion springs in series."""

from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np
import pytest

from flank.dynamics.builder import ModelBuilder
from flank.dynamics.tables import GROUND
from flank.machines.base import Assembly, ErrorParameter
from flank.machines.spec import Spec


@dataclass(frozen=True)
class Chain:
    """Input, middle and output on one axis; ratio one."""

    STIFFNESSES: ClassVar = (2e4, 6e4)  # N·m/rad, at the input and at the output
    INERTIAS: ClassVar = (0.01, 0.02, 0.05)  # kg·m² of input, middle and output
    angles: tuple[float, float] = (0.0, 0.0)
    dead_band: float = 0.0
    named_springs: tuple[int, ...] = (0, 1)
    spec: Spec = field(default_factory=Spec)
    title: str = "Chain"
    ratio: float = 1.0
    rated_torque: float = 100.0
    load_torque: float = 50.0
    input_speed: float = 10.0
    output_inertia: float = 0.07
    orders: dict = field(default_factory=lambda: {"input": 1.0})
    deviates: bool = False

    def findings(self):
        return ()

    def ideal_pose(self, input_angle):
        pose = np.zeros((4, 3))
        pose[1:, 2] = input_angle
        return pose

    def assemble(self, drive):
        builder = ModelBuilder(0.1)
        names = ("input", "middle", "output")
        bodies = [builder.body(n, 1.0, j) for n, j in zip(names, self.INERTIAS, strict=True)]
        for body in bodies:
            builder.revolute(GROUND, body)
        shafts = drive.turn(builder, {"input": bodies[0], "output": bodies[2]})
        bands = (0.0, self.dead_band)
        for k, (stiffness, angle) in enumerate(zip(self.STIFFNESSES, self.angles, strict=True)):
            named = builder.part(f"spring {k}", f"spring {k}")
            with named if k in self.named_springs else nullcontext():
                builder.torsion_spring(k + 1, k + 2, stiffness, angle=angle, dead_band=bands[k])
        return Assembly.of(builder, self.ideal_pose(0.0), shafts)


class ChainWithErrors(Chain):
    """The relaxed angles of the springs are its errors; each turns the output by itself."""

    def error_parameters(self):
        return [
            ErrorParameter(f"angle.{k}", "angle", f"angle of spring {k}", "rad", 1e-3)
            for k in range(2)
        ]

    def with_error(self, name, value):
        angles = list(self.angles)
        angles[int(name.split(".")[1])] += value
        return replace(self, angles=tuple(angles))


@pytest.fixture
def chain():
    return Chain


@pytest.fixture
def chain_with_errors():
    return ChainWithErrors
