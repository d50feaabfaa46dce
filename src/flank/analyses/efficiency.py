"""Efficiency: what friction takes of the power that goes through a machine, and where.

Equilibria over a turn with elastic friction, whose work is known contact by contact. With the input
turning by dθ_in and the output by dθ_out

    T_in dθ_in + T_out dθ_out = dU + dW_friction,

U what is stored, which a turn gives back; so the mean input torque and the friction's work are two
ways to the same loss. The second is taken, as it does not hang on where a torque that follows the
teeth is read; the difference is told. Teeth whose mesh is a spring or a table have no
friction of their own: with a coefficient μ they lose μ F H_v of what rolls, H_v the mean sliding
over rolling; flanks of bevel, hypoid and crossed gears lose μ F s, s the way that the load slides
over a radian of the input (`loaded_flanks`). Bearings and seals that are no part of the model cost
a share of the torque that their shaft carries, a torque, and one that grows with the speed. All
this is added to the input torque that the model needs; forces are those without it.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np
from scipy.optimize import brentq

from flank.analyses.joint_losses import run_joint
from flank.analyses.orders import default_points, natural_shaft, shaft_order
from flank.analyses.quantities import LESS, MORE, Declared, Quantities, Read, Values
from flank.analyses.result import Ending, Result, make_result
from flank.analyses.runs import Range, has_elastic_friction, partial_progress, solve_static
from flank.analyses.warnings import contact_warnings
from flank.arrays import Floats
from flank.contact.spatial.loaded_flanks import FlankLoad
from flank.dynamics.run import Progress
from flank.dynamics.status import Status
from flank.dynamics.trajectory import AnyTrajectory
from flank.errors import SpecError
from flank.geometry.tooth_sliding import sliding_share
from flank.machines.base import Assembly, HasFlanks, Reducer
from flank.machines.cv_joint.joint import CvJoint
from flank.machines.mesh_forces import mesh_forces, rolled_length
from flank.machines.quantities import Angle, Coefficient, WholeNumber, quantity
from flank.machines.spec import Spec, key, optional

NO_LOAD = 0.01
"""Of the rated torque: what presses the parts where a machine runs without load, and rests in its
backlash."""

SMALLEST = 1e-3
"""Of the rated torque: what drives a machine backwards with less does so as good as by itself."""

FLANK_POSITIONS = 16
"""Of a mesh cycle, at which flanks in space share the rated load."""

RATING = {"rated": "rated"}
"""What loads are shares of; of a joint it is the torque of its operating point."""

LoadShare = Annotated[float, quantity("", "", positive=True, maximum=10.0)]
Speed = Annotated[float, quantity("rad/s", "rpm", positive=True)]
Drag = Annotated[float, quantity("N*m", "N*m", minimum=0.0, maximum=1e6)]
ViscousDrag = Annotated[float, quantity("N*m*s/rad", "N*m*s/rad", minimum=0.0, maximum=1e6)]

QUANTITIES = Quantities(
    "efficiency",
    {
        "torque": Declared("Output torque, {rated}", "N*m"),
        "rated_efficiency": Declared(
            "Efficiency at the {rated} torque", "", "percent", better=MORE
        ),
        "backward_efficiency": Declared("Efficiency, the output driving", "", "percent"),
        "running_torque": Declared("No-load running torque at the input", "N*m", better=LESS),
        "starting_torque": Declared("Starting torque at the input", "N*m", better=LESS),
        "back_driving_torque": Declared("Torque that drives the output backwards", "N*m"),
        "energy_error": Declared("Input torque against work done and lost", "", "percent"),
        "output_torque": Declared("Output torque", "N*m", over="load"),
        "input_torque": Declared("Input torque", "N*m", over="load"),
        "lost_torque": Declared("Of it lost", "N*m", over="load"),
        "efficiency": Declared("Efficiency", "", "percent", "load"),
        "efficiency_at_speed": Declared("Efficiency", "", "percent", "speed load"),
        "part_torque": Declared("Lost torque at the input", "N*m", over="part"),
        "part_share": Declared("Share", "", "percent", "part"),
    },
    {
        "load": Declared("Share of the {rated} torque", "", "percent", "load"),
        "speed": Declared("Input speed", "rad/s", "rpm", "speed"),
        "part": Declared("Part", over="part"),
    },
    {
        "Over the load": ("load", "output_torque", "input_torque", "lost_torque", "efficiency"),
        "Where it is lost, under the whole torque": ("part", "part_torque", "part_share"),
    },
    curves=(("load", "efficiency"), ("load", "lost_torque")),
)


class EfficiencySettings(Spec):
    """Under which loads, and what rubs besides the contacts."""

    loads: tuple[LoadShare, ...] = key(
        "shares of the rated torque, or of a joint's operating torque",
        "[0.25, 0.5, 1]",
        default=(0.1, 0.25, 0.5, 0.75, 1.0),
    )
    points: Annotated[int, WholeNumber(minimum=8, maximum=100_000)] | None = optional(
        "points on a turn of the shaft in which whole pins or teeth pass; if absent 720, or 32 for "
        "each tooth that passes where gears have more, up to 6000",
        720,
    )
    start_angle: Angle = key("the input angle where the turn begins", "30 deg", default=0.0)
    mesh_friction: Coefficient = key(
        "coefficient of friction of gear teeth whose mesh is no contact of its own",
        0.05,
        default=0.0,
    )
    input_rolling: Coefficient = key(
        "rolling resistance of the input's bearings, over the torque that the shaft carries",
        0.002,
        default=0.0,
    )
    output_rolling: Coefficient = key("the same of the output", 0.002, default=0.0)
    input_drag: Drag = key("seals and bearings of the input", "0.2 N*m", default=0.0)
    output_drag: Drag = key("the same of the output", "10 N*m", default=0.0)
    input_viscous_drag: ViscousDrag = key(
        "what grows with the speed: oil and grease at the input", "1e-3 N*m*s/rad", default=0.0
    )
    output_viscous_drag: ViscousDrag = key("the same at the output", "1 N*m*s/rad", default=0.0)
    speeds: tuple[Speed, ...] = key(
        "input speeds; that of the operating point if none is given",
        "[500 rpm, 1500 rpm]",
        default=(),
    )


DEFAULTS = EfficiencySettings()


@dataclass(frozen=True)
class _Turn:
    """A turn under one output torque; torques are at the input, in the mean over it."""

    status: Status
    input_torque: float  # positive where it drives
    largest: float
    turned: float  # |dθ_out/dθ_in|
    difference: float  # of the model's own mean torque
    parts: Mapping[str, float]  # lost by friction
    warnings: list[str]


@dataclass(frozen=True)
class _Losses:
    """A machine taken through turns."""

    machine: Reducer
    settings: EfficiencySettings

    @property
    def angles(self) -> Floats:
        order = shaft_order(self.machine, natural_shaft(self.machine))
        count = self.settings.points or default_points(self.machine, order)
        return self.settings.start_angle + 2 * math.pi / order * np.arange(count + 1) / count

    @property
    def resisting(self) -> float:
        """Sign of an output torque that the input drives against."""
        return -1.0 if self.machine.ratio > 0 else 1.0

    @property
    def drag(self) -> float:
        """Of both shafts, at the input."""
        settings = self.settings
        return settings.input_drag + settings.output_drag / abs(self.machine.ratio)

    def turn(self, share: float, progress: Progress | None = None) -> _Turn:
        """Under a share of the rated torque, negative where the output drives."""
        angles, torque = self.angles, self.resisting * share * self.machine.rated_torque
        over = Range(angles, float(angles[1] - angles[0]), torque, 1.0, 1, 1.0, progress)
        path, assembly = solve_static(self.machine, over)
        warnings = contact_warnings(assembly, path, static=True)
        if not path.complete:
            return _Turn(path.status, math.nan, math.nan, math.nan, math.nan, {}, warnings)
        span = angles[-1] - angles[0]
        carried = path.torque(assembly.input_shaft)
        out = path.angle(assembly.output_shaft, near=float(angles[0] / self.machine.ratio))
        turned = float((out[-1] - out[0]) / span)
        contacts = dict(_contact_losses(assembly, path, span))
        teeth = dict(self._tooth_losses(assembly, path, angles, share))
        needed = sum(contacts.values()) - torque * turned
        rolling = dict(self._rolling(needed + sum(teeth.values()), torque * turned))
        taken = sum(teeth.values()) + sum(rolling.values())
        return _Turn(
            path.status,
            needed + taken,
            float(carried.max()) + taken,
            abs(turned),
            float(np.trapezoid(carried, angles) / span) - needed,
            contacts | teeth | rolling,
            warnings,
        )

    def _tooth_losses(
        self, assembly: Assembly, path: AnyTrajectory, angles: Floats, share: float
    ) -> Iterator[tuple[str, float]]:
        """μ F H_v of what rolls, of meshes that are no contacts."""
        if not self.settings.mesh_friction:
            return
        forces = np.abs(mesh_forces(assembly, path)).sum(axis=2)
        for number, mesh in enumerate(assembly.meshes):
            if mesh.contacts:
                continue
            if mesh.pair is None:
                lost = self._flank_loss(forces[:, number], angles, share > 0)
                yield f"teeth of {mesh.name}", lost
                continue
            rolling = np.abs(np.gradient(rolled_length(assembly, mesh, path), angles))
            normal = forces[:, number] / math.cos(mesh.pair.first.base_helix_angle)
            sliding = sliding_share(mesh.pair) * normal * rolling
            lost = float(np.trapezoid(sliding, angles) / (angles[-1] - angles[0]))
            yield f"teeth of {mesh.name}", self.settings.mesh_friction * lost

    def _rolling(self, input_torque: float, output_torque: float) -> Iterator[tuple[str, float]]:
        """Of bearings that are no part of the model, by the torques of both shafts at the input."""
        settings = self.settings
        if settings.input_rolling:
            yield "rolling of the input", settings.input_rolling * abs(input_torque)
        if settings.output_rolling:
            yield "rolling of the output", settings.output_rolling * abs(output_torque)

    def _flank_loss(self, forces: Floats, angles: Floats, driven: bool) -> float:
        """μ F s of flanks in space, at the input."""
        mean = float(np.trapezoid(forces, angles) / (angles[-1] - angles[0]))
        return self.settings.mesh_friction * mean * self._sliding[driven]

    @cached_property
    def _sliding(self) -> dict[bool, float]:
        """s in m/rad of the input, of the flanks that a load presses as it drives or is driven:
        in the mean over a mesh cycle at the rated torque, each point by its force."""
        machine, friction = self.machine, self.settings.mesh_friction
        assert isinstance(machine, HasFlanks)
        found = {}
        for driving in (True, False):
            flanks = machine.loaded_flanks(driving, friction=friction)
            pair = flanks.loading.pair
            turned = pair.pitch * ((np.arange(FLANK_POSITIONS) + 0.5) / FLANK_POSITIONS - 0.5)
            places = pair.start[0] + pair.push * pair.sense * turned
            loads: list[FlankLoad] = []
            for place in places:
                guess = loads[-1].lag if loads else math.nan
                loads.append(flanks.under(float(place), machine.rated_torque, guess))
            force = sum(float(load.force.sum()) for load in loads)
            found[driving] = sum(load.loss for load in loads) / (friction * force)
        return found


def _contact_losses(
    assembly: Assembly, path: AnyTrajectory, span: float
) -> Iterator[tuple[str, float]]:
    """Work of friction over the input's turn, group by group."""
    if not has_elastic_friction(assembly.model):
        return
    for group in assembly.groups.values():
        work = path.reading(group, "friction_work")
        yield group.title, float((work[-1] - work[0]).sum() / span)


def run(
    machine: Reducer | CvJoint,
    settings: EfficiencySettings = DEFAULTS,
    progress: Progress | None = None,
) -> Result:
    if not settings.loads:
        raise SpecError("loads is empty; give shares of the rated torque, for example [0.5, 1]")
    if isinstance(machine, CvJoint):
        return run_joint(machine, settings, QUANTITIES, progress)
    losses = _Losses(machine, settings)
    shares = list(dict.fromkeys((*settings.loads, 1.0, NO_LOAD, -1.0)))
    turns: dict[float, _Turn] = {}
    for number, share in enumerate(shares):
        turn = losses.turn(share, partial_progress(progress, number, len(shares) + 1))
        if turn.status is not Status.OK:
            ending = Ending(turn.status.sentence, False, {"turns": number})
            return make_result(QUANTITIES, machine, settings, ending, {}, turn.warnings)
        turns[share] = turn
    rated, backward = turns[1.0], turns[-1.0]
    values = _over_load(losses, [turns[share] for share in settings.loads])
    values |= _at_rated(losses, rated, backward) | _idle(losses, turns[NO_LOAD])
    values |= _back_driving(losses, backward)
    if progress is not None:
        progress(1.0)
    warnings = [*rated.warnings, *_warnings(losses, rated, backward)]
    ending = Ending(Status.OK.sentence, True, {"turns": len(turns)})
    return make_result(QUANTITIES, machine, settings, ending, values, warnings)


def _delivered(losses: _Losses, share: float, turn: _Turn) -> float:
    """Output power over the input's speed."""
    return share * losses.machine.rated_torque * turn.turned


def _over_load(losses: _Losses, turns: list[_Turn]) -> Values:
    shares = losses.settings.loads
    needed = np.array([turn.input_torque + losses.drag for turn in turns])
    each = zip(shares, turns, strict=True)
    out = np.array([_delivered(losses, share, turn) for share, turn in each])
    return _over_speed(losses, out, needed) | {
        "load": Read(np.array(shares), RATING),
        "output_torque": np.array(shares) * losses.machine.rated_torque,
        "input_torque": needed,
        "lost_torque": needed - out,
        "efficiency": out / needed,
    }


def _over_speed(losses: _Losses, out: Floats, needed: Floats) -> Values:
    settings, machine = losses.settings, losses.machine
    drag = settings.input_viscous_drag + settings.output_viscous_drag / machine.ratio**2
    if not settings.speeds and not drag:
        return {}
    speeds = np.array(settings.speeds or (machine.input_speed,))
    viscous = drag * speeds[:, None]
    return {"speed": speeds, "efficiency_at_speed": out / (needed + viscous)}


def _at_rated(losses: _Losses, rated: _Turn, backward: _Turn) -> Values:
    settings = losses.settings
    parts = dict(rated.parts)
    if settings.input_drag:
        parts["drag of the input"] = settings.input_drag
    if settings.output_drag:
        parts["drag of the output"] = losses.drag - settings.input_drag
    needed = rated.input_torque + losses.drag
    driving = _delivered(losses, 1.0, backward)
    gained = -(backward.input_torque + losses.drag)
    lost = np.array(list(parts.values()))
    return {
        "torque": Read(losses.machine.rated_torque, RATING),
        "rated_efficiency": Read(_delivered(losses, 1.0, rated) / needed, RATING),
        "backward_efficiency": gained / driving,
        "energy_error": Read(rated.difference / needed, scale=1.0),
        "part": np.array(list(parts), dtype=str),
        "part_torque": lost,
        "part_share": lost / lost.sum() if lost.sum() else np.zeros(len(lost)),
    }


def _idle(losses: _Losses, idle: _Turn) -> Values:
    """What is left of the input torque when the load itself is taken off."""
    load = _delivered(losses, NO_LOAD, idle)
    scale = losses.machine.rated_torque / abs(losses.machine.ratio)
    return {
        "running_torque": Read(idle.input_torque - load + losses.drag, scale=scale),
        "starting_torque": Read(idle.largest - load + losses.drag, scale=scale),
    }


def _back_driving(losses: _Losses, rated: _Turn) -> Values:
    """The output torque at which the input needs none; not given where even the rated one is too
    small, not a number where an equilibrium on the way to it is not found."""

    def missing(share: float) -> float:
        needed = losses.turn(-share).input_torque + losses.drag
        if math.isnan(needed):
            raise _NotFound
        return needed

    if rated.input_torque + losses.drag > 0:
        return {}
    try:
        if missing(SMALLEST) <= 0:
            return {"back_driving_torque": Read(0.0, at_zero="below a thousandth of the rated one")}
        found = brentq(missing, SMALLEST, 1.0, xtol=1e-4, rtol=1e-3)
    except _NotFound:
        return {"back_driving_torque": math.nan}
    return {"back_driving_torque": found * losses.machine.rated_torque}


class _NotFound(Exception):
    """An equilibrium."""


def _warnings(losses: _Losses, rated: _Turn, backward: _Turn) -> Iterator[str]:
    if not rated.parts and not losses.drag:
        yield (
            "Nothing rubs here, so nothing is lost: give coefficients of friction in the spec, "
            "with friction.form 'elastic', mesh_friction for gear teeth, or drag of the shafts."
        )
    if backward.input_torque + losses.drag > 0:
        yield "The rated torque on the output does not turn the input: the machine locks itself."
