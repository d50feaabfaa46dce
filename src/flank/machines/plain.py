"""A model of the user's own as a machine, so that analyses can be asked about it.

    machine = plain_machine(builder, input="pinion", output="wheel", ratio=-1.5, load_torque=12.0)
    result = flank.run(machine, "transmission-error")

The builder holds the mechanism with its shafts free to turn; an analysis turns them by itself, each
time in a copy. Parts and groups of contacts are those that the builder was told, meshes are its
named springs that are meshes.
"""

import copy
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from flank.arrays import Floats
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.tables import FLEXIBLE_MESH, GROUND, MESH
from flank.errors import SpecError, suggestion
from flank.geometry.findings import Finding
from flank.machines.base import Assembly, Drive, MeshPlace
from flank.machines.orders import Orders
from flank.machines.outlines import Outline
from flank.machines.spec import Spec


@dataclass(frozen=True)
class PlainMachine:
    """A planar model between two of its bodies, `input` and `output`, which turn on ground.

    `speed_ratios` are turns of other bodies for one of the input in the rigid mechanism: from them
    come the poses from which equilibria are sought.
    """

    builder: ModelBuilder
    input: str
    output: str
    ratio: float
    load_torque: float = 0.0
    input_speed: float = 0.0
    speed_ratios: Mapping[str, float] = field(default_factory=dict)
    orders: Orders = field(default_factory=lambda: Orders({"input": 1.0}))
    title: str = "A mechanism of one's own"
    shapes: Sequence[Outline] = ()
    spec: Spec = field(default_factory=Spec)
    deviates: bool = False

    def findings(self) -> Sequence[Finding]:
        return ()

    def outlines(self) -> Sequence[Outline]:
        return self.shapes

    def ideal_pose(self, input_angle: float) -> Floats:
        """Bodies turned as in the rigid mechanism, centres as built."""
        pose = self.builder.pose()
        pose[:, 2] += self._turns * input_angle
        return pose

    @cached_property
    def _turns(self) -> Floats:
        names = self.builder.names
        speed_ratios = {self.input: 1.0, self.output: 1.0 / self.ratio} | dict(self.speed_ratios)
        return np.array([speed_ratios.get(name, 0.0) for name in names])

    def assemble(self, drive: Drive) -> Assembly:
        builder = copy.deepcopy(self.builder)
        bodies = {name: builder.names.index(name) for name in (self.input, self.output)}
        shafts = drive.turn(builder, bodies, self.input, self.output)
        pose = self.ideal_pose(0.0)
        return Assembly.of(builder, pose, shafts, self.input, self.output, self._meshes)

    @cached_property
    def _meshes(self) -> tuple[MeshPlace, ...]:
        springs = self.builder.build().springs
        return tuple(
            MeshPlace(name, "spring", springs=(number,), working_angle=_angle(springs[number]))
            for name, number in self.builder.spring_names.items()
            if springs[number]["kind"] in (MESH, FLEXIBLE_MESH)
        )


@dataclass(frozen=True)
class PlainReducer(PlainMachine):
    """The same with a rating, for what is stated at the rated torque."""

    rated_torque: float = 0.0

    @property
    def output_inertia(self) -> float:
        """Of the output body alone."""
        return float(self.builder.build().mass[self.builder.names.index(self.output), 2])


def _angle(mesh: np.void) -> float:
    """α_wt as built."""
    radii = float(mesh["a_base_radius"] + mesh["b_base_radius"])
    return math.acos(abs(radii) / float(mesh["centre_distance"]))


def plain_machine(
    builder: ModelBuilder,
    input: str,
    output: str,
    ratio: float,
    load_torque: float = 0.0,
    input_speed: float = 0.0,
    rated_torque: float | None = None,
    speed_ratios: Mapping[str, float] | None = None,
    orders: Mapping[str, float] | None = None,
    title: str = "A mechanism of one's own",
    outlines: Sequence[Outline] = (),
) -> PlainMachine:
    """A planar model as a machine for `flank.run`: its input and output are bodies by name.

    `ratio` is θ_in/θ_out, negative where they turn oppositely; `load_torque` in N·m acts on the
    output in its positive sense, `input_speed` is in rad/s. `orders` names what happens how often
    in a turn of the input, as {"mesh": 20}; `Orders` of it say which are passings of teeth, where
    the usual names do not. With a `rated_torque` it is a reducer and has a hysteresis loop, too.
    `outlines` are what its pictures show.
    """
    for name in (input, output, *(speed_ratios or {})):
        if name not in builder.names[GROUND + 1 :]:
            known = builder.names[GROUND + 1 :]
            raise SpecError(
                f"{name!r} is not a body of the model{suggestion(name, known)} "
                f"Bodies: {', '.join(known)}"
            )
    if ratio == 0.0 or not math.isfinite(ratio):
        raise SpecError(f"a ratio of {ratio:g} is none; give turns of the input over the output's")
    rated: dict[str, Any] = {} if rated_torque is None else {"rated_torque": rated_torque}
    return (PlainReducer if rated else PlainMachine)(
        copy.deepcopy(builder),
        input,
        output,
        float(ratio),
        load_torque,
        input_speed,
        dict(speed_ratios or {}),
        Orders({"input": 1.0} | dict(orders or {}), getattr(orders, "kinds", None)),
        title,
        tuple(outlines),
        **rated,
    )
