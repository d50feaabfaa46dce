"""The computations of the study: the gearbox of Table 1 under its torque, and the 500 kW stage."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from flank import api
from flank.analyses.result import Result
from flank.arrays import Floats
from flank.machines.planetary.gearbox import PlanetaryGearbox
from flank.reproduce.study import StudyRuns, read_paper

PAPER = read_paper(__package__)
PUBLISHED = PAPER.published
PRESET, STAGE = "planetary-paper", "planetary-500kw"
TORQUE, PULSE, DURATION = -4.0, 2.0, 5.0
"""N·m on the carrier, how long, and how long the run is, in s (Table 1a)."""

STAGE_TORQUE, STAGE_SPEED = 155.9e3, 2.86
"""N·m on the carrier, and its speed in rad/s. The torque follows from 272 and 277 kN (Fig. 14)."""

MESH_MODELS = ("rigid", "spring", "table", "contact")


class Angles(NamedTuple):
    """Final carrier angles of the rigid and the flexible model in degrees."""

    rigid: float
    flexible: float


TABLE_1C = {count: Angles(*pair) for count, pair in PUBLISHED["table_1c"].items()}
"""By the number of planets."""

TABLE_10A: dict[int, float] = PUBLISHED["table_10a"]
STAGE_FORCES: dict[str, tuple[float, float]] = PUBLISHED["stage_forces"]
STAGE_DAMPING: list[float] = PUBLISHED["stage_damping"]
TEXT_STIFFNESS: float = PUBLISHED["text_stiffness"]
CAPTION_STIFFNESS: float = PUBLISHED["caption_stiffness"]
STIFFER: float = PUBLISHED["stiffer"]


def gearbox(name: str, changes: Mapping[str, Any]) -> PlanetaryGearbox:
    machine = api.preset(name, changes)
    assert isinstance(machine, PlanetaryGearbox)
    return machine


def planets(count: int) -> dict[str, Any]:
    """The gearbox of Table 1; with one planet the carrier is a bar about its end, I + m (a/2)²."""
    changes: dict[str, Any] = {"planets.count": count}
    if count == 1:
        machine = gearbox(PRESET, {})
        mass, inertia = machine.masses.carrier
        changes["carrier.inertia"] = inertia + mass * (0.5 * machine.spec.carrier_radius) ** 2
    return changes


def springs(stiffness: float, damping: float = 0.0) -> dict[str, Any]:
    """Springs that also pull, as the paper has them on every mesh."""
    return meshes(
        {"model": "spring", "stiffness": stiffness, "damping": damping, "separation": False}
    )


def meshes(form: dict[str, Any]) -> dict[str, Any]:
    return {"sun_mesh": form, "ring_mesh": form}


RIGID = meshes({"model": "rigid"})
FIRST_ONLY = RIGID | {"rigid_sharing": "first"}
"""The paper's rigid model: the first planet alone meshes with both sun and ring."""


def mesh_name(kind: str, planet: int) -> str:
    """Of a planet's mesh with "sun" or "ring"."""
    return f"sun/planet {planet}" if kind == "sun" else f"planet {planet}/ring"


def by_mesh(result: Result, name: str) -> dict[str, Floats]:
    return {str(mesh): result[name].sel(mesh=mesh).values for mesh in result["mesh"].values}


@dataclass(frozen=True)
class Swing:
    """Final carrier angle in degrees, and tooth forces in N over time by the name of the mesh."""

    angle: float = math.nan
    time: Floats = field(default_factory=lambda: np.zeros(0))
    normal: Mapping[str, Floats] = field(default_factory=dict)
    tangential: Mapping[str, Floats] = field(default_factory=dict)
    complete: bool = False


Swings = Mapping[int, Swing]
"""By the number of planets, or by damping."""


def swing(changes: dict[str, Any], step: float, spectral_radius: float) -> Swing:
    """From rest, the torque removed after two seconds."""
    result = api.run(
        gearbox(PRESET, changes),
        "time-response",
        duration=DURATION,
        step=step,
        points=round(DURATION / step),
        spectral_radius=spectral_radius,
        initial_speed=0.0,
        torques={"carrier": [[0.0, TORQUE], [PULSE, TORQUE], [PULSE, 0.0]]},
    )
    if not result.complete:
        return Swing()
    return Swing(
        math.degrees(float(result["final_input_angle"])),
        result["time"].values,
        by_mesh(result, "mesh_force"),
        by_mesh(result, "tangential_force"),
        complete=True,
    )


@dataclass(frozen=True)
class Periods:
    """Of the two modes in which all planets move alike, in s."""

    first: float = math.nan
    second: float = math.nan
    complete: bool = False


def natural_periods(changes: dict[str, Any]) -> Periods:
    machine = gearbox(PRESET, changes)
    result = api.run(machine, "natural-frequencies", input="free", torque=0.0)
    if not result.complete:
        return Periods()
    frequencies = result["frequency"].values
    if machine.spec.planets.count > 1:
        frequencies = frequencies[result["family"].values == "rotational"]
    first, second = (1.0 / float(frequency) for frequency in frequencies)
    return Periods(first, second, complete=True)


@dataclass(frozen=True)
class StageRun:
    """Forces of the stage in N: by mesh, their means and standard deviations, and over time.

    `inertia_torque` is the standard deviation of I θ̈ of the sun in N·m.
    """

    angle: float = math.nan
    mean: Mapping[str, float] = field(default_factory=dict)
    normal: Mapping[str, float] = field(default_factory=dict)
    deviation: Mapping[str, float] = field(default_factory=dict)
    inertia_torque: float = math.nan
    time: Floats = field(default_factory=lambda: np.zeros(0))
    tangential: Mapping[str, Floats] = field(default_factory=dict)
    complete: bool = False

    def mean_force(self, mesh: str) -> float:
        """In kN; not a number where the mesh is not there, or the run failed."""
        return self.mean.get(mesh, math.nan) / 1e3


StageRuns = Mapping[tuple[str, float], StageRun]
"""By the name of the mesh model and its damping."""


def stage_run(changes: dict[str, Any], duration: float, step: float, cycles: int) -> StageRun:
    """At the paper's speed; forces are averaged over the last whole mesh cycles."""
    machine = gearbox(STAGE, changes)
    load = -STAGE_TORQUE * machine.ratio
    result = api.run(
        machine,
        "time-response",
        duration=duration,
        step=step,
        points=round(duration / step),
        initial_speed=STAGE_SPEED,
        torques={"carrier": STAGE_TORQUE, "sun": load},
    )
    if not result.complete:
        return StageRun()
    time = result["time"].values
    cycle = 2 * math.pi / (machine.orders["mesh"] * STAGE_SPEED)
    last = time > time[-1] - cycles * cycle
    normal, tangential = (by_mesh(result, name) for name in ("mesh_force", "tangential_force"))
    on_sun = np.sum([force for mesh, force in normal.items() if mesh.startswith("sun/")], axis=0)
    inertia = load - machine.spec.sun_gear.base_radius * on_sun
    return StageRun(
        math.degrees(float(result["final_input_angle"])),
        {mesh: float(force[last].mean()) for mesh, force in tangential.items()},
        {mesh: float(force[last].mean()) for mesh, force in normal.items()},
        {mesh: float(force[last].std()) for mesh, force in tangential.items()},
        float(inertia[last].std()),
        time[last],
        {mesh: force[last] for mesh, force in tangential.items()},
        complete=True,
    )


@dataclass(frozen=True)
class RestingSwing:
    """Standard deviation in N of the sun's tangential force on planet 1 over one mesh cycle."""

    deviation: float = math.nan
    complete: bool = False


def resting_swing(changes: dict[str, Any]) -> RestingSwing:
    """By equilibria, so without any dynamics."""
    machine = gearbox(STAGE, changes)
    result = api.run(machine, "load-sharing", error_points=0)
    if not result.complete:
        return RestingSwing()
    cosine = math.cos(machine.layout.gears.sun_planet.working_angle)
    return RestingSwing(float(result["sun_force"].values[:, 0].std()) * cosine, complete=True)


@dataclass(frozen=True)
class Fineness:
    """Steps and durations in s; the defaults are those of the published tables.

    `cycles` are the whole mesh cycles at the end of the stage's run over which forces are averaged.
    """

    step: float = 1e-3
    stage_duration: float = 2.5
    stage_step: float = 1e-4
    cycles: int = 100


FINE = Fineness()
COARSE = Fineness(step=2e-3, stage_duration=0.5, stage_step=2e-4, cycles=16)


class GearboxRuns(StudyRuns):
    """The gearboxes of the study, changed as its tables ask."""

    fineness: Fineness

    def rigid(self, count: int) -> Swing:
        """As the paper has it: with the sun meshes one planet only."""
        changes = planets(count) | (FIRST_ONLY if count > 1 else RIGID)
        # Below one, the radius damps the multipliers' ringing after a jump of torque.
        return self.once(swing, changes, self.fineness.step, 0.8)

    def flexible(self, count: int, stiffness: float, damping: float = 0.0) -> Swing:
        changes = planets(count) | springs(stiffness, damping)
        return self.once(swing, changes, self.fineness.step, 1.0)

    def periods(self, count: int, stiffness: float) -> Periods:
        return self.once(natural_periods, planets(count) | springs(stiffness))

    def stage(self, model: str, damping: float = 0.0) -> StageRun:
        """The 500 kW stage with a mesh model."""
        form = {"model": model} | ({"damping": damping} if model != "rigid" else {})
        return self._stage(meshes(form))

    def first_stage(self) -> StageRun:
        """The 500 kW stage as the paper's rigid model has it."""
        return self._stage(FIRST_ONLY)

    def resting(self, model: str) -> RestingSwing:
        """The 500 kW stage standing still, with a mesh model that has a stiffness."""
        return self.once(resting_swing, meshes({"model": model}))

    def _stage(self, changes: dict[str, Any]) -> StageRun:
        fine = self.fineness
        return self.once(stage_run, changes, fine.stage_duration, fine.stage_step, fine.cycles)
