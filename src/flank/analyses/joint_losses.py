"""What friction takes in a ball joint, over the load and the speed, part by part.

A joint has no rating: loads are shares of the torque of its operating point. Its friction acts
through sliding velocity, so every point is a run in time until a turn repeats (`joint_turns`), at
its own speed. Over the turns that are looked at

    work of the drive = work on the load + friction + contact damping + what the integration lost,

friction counted contact by contact. Divided by the angle turned they are torques at the input. With
the inner race driving, torque and contacts are the same and all slides the other way: so the loss
is taken as the same.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from flank.analyses.joint_reading import energy_balance
from flank.analyses.joint_turns import LARGEST_REMAINDER, JointTurnsSettings, Turns, compute_turns
from flank.analyses.quantities import Quantities, Read, Values
from flank.analyses.result import Ending, Result, make_result
from flank.analyses.runs import partial_progress
from flank.arrays import Floats
from flank.dynamics.run import Progress
from flank.dynamics.status import Status
from flank.errors import SpecError
from flank.machines.cv_joint.joint import CvJoint

if TYPE_CHECKING:
    from flank.analyses.efficiency import EfficiencySettings

NO_LOAD = 0.01
"""Of the operating torque: what keeps balls on their flanks where a joint runs without load."""

POINTS_PER_TURN = 120
"""Records of a turn, for the shares of its parts; work is added up in every step."""

SMALLEST = 1e-3
"""Of the operating torque: what drives a joint backwards with less does so as good as by itself."""

FEWEST = 16
"""Records that a turn has at least."""

RATING = {"rated": "operating"}
"""What loads are shares of."""


@dataclass(frozen=True)
class _Turn:
    """A joint at one torque and speed; torques are at the input, in the mean over its turns."""

    status: Status
    lost: float
    difference: float  # of what the integration lost
    parts: Mapping[str, float]


def run_joint(
    machine: CvJoint,
    settings: "EfficiencySettings",
    quantities: Quantities,
    progress: Progress | None,
) -> Result:
    """The analysis `efficiency` of a joint."""
    _check(machine, settings)
    speeds = settings.speeds or (machine.speed,)
    places = [(share, machine.speed) for share in (*settings.loads, 1.0, NO_LOAD)]
    places += [(share, speed) for speed in speeds for share in settings.loads]
    places = list(dict.fromkeys(places))
    turns: dict[tuple[float, float], _Turn] = {}
    for number, place in enumerate(places):
        turn = _turn(
            machine, *place, settings.points, partial_progress(progress, number, len(places))
        )
        if turn.status is not Status.OK:
            ending = Ending(turn.status.sentence, False, {"turns": number})
            return make_result(quantities, machine, settings, ending, {}, [])
        turns[place] = turn
    losses = _Losses(machine, settings, turns)
    if progress is not None:
        progress(1.0)
    ending = Ending(Status.OK.sentence, True, {"turns": len(turns)})
    warnings = list(losses.warnings())
    return make_result(quantities, machine, settings, ending, losses.values(), warnings)


def _check(machine: CvJoint, settings: "EfficiencySettings") -> None:
    """What asks for teeth, or for a turn of equilibria, has no meaning in a joint."""
    unused = {
        "mesh_friction": (settings.mesh_friction, "a joint has no teeth"),
        "start_angle": (settings.start_angle, "a joint turns until a turn repeats"),
    }
    problems = [
        f"{name} does nothing here, {reason}; remove it"
        for name, (given, reason) in unused.items()
        if given
    ]
    if not machine.torque:
        problems.append("operation.torque is zero: shares of it are no load; give a torque")
    if not machine.speed:
        problems.append("operation.speed is zero, and friction acts through sliding; give a speed")
    if problems:
        raise SpecError(*problems)


def _turn(
    machine: CvJoint, share: float, speed: float, points: int | None, progress: Progress | None
) -> _Turn:
    """Under a share of the torque."""
    others = {} if speed == machine.speed else {"operation.speed": speed}
    torque = share * machine.torque
    joint = machine.at(torque, machine.deflection, machine.friction, others)
    settings = JointTurnsSettings(points_per_turn=max(points or POINTS_PER_TURN, FEWEST))
    computed = compute_turns(joint, settings, progress)
    if not computed.trajectory.complete:
        return _Turn(computed.trajectory.status, np.nan, np.nan, {})
    balance = energy_balance(computed.assembly.spatial, computed.trajectory)
    angle = abs(speed) * balance.duration
    parts = {name: work / angle for name, work in _friction(computed, balance.friction)}
    parts["contact damping"] = balance.damping / angle
    lost = (balance.friction + balance.damping) / angle
    return _Turn(Status.OK, lost, balance.remainder / balance.transmitted, parts)


def _friction(computed: Turns, work: float) -> Iterator[tuple[str, float]]:
    """The work of friction by groups of contacts, each by its mean power."""
    power = computed.trajectory.contact_results["friction_power"][1:].sum(axis=0)
    groups = computed.assembly.groups.values()
    sums = {group.title: float(power[np.ravel(group.contacts)].sum()) for group in groups}
    total = sum(sums.values())
    for title, part in sums.items():
        yield title, work * part / total if total else 0.0


@dataclass(frozen=True)
class _Losses:
    """What the runs of a joint tell together."""

    machine: CvJoint
    settings: "EfficiencySettings"
    turns: Mapping[tuple[float, float], _Turn]

    @property
    def torque(self) -> float:
        return abs(self.machine.torque)

    def extra(self, share: float, lost: float) -> dict[str, float]:
        """What bearings and seals take that are no part of the model."""
        settings, out = self.settings, abs(share) * self.torque
        given = {
            "rolling of the input": settings.input_rolling * (out + lost),
            "rolling of the output": settings.output_rolling * out,
            "drag of the input": settings.input_drag,
            "drag of the output": settings.output_drag,
        }
        return {name: torque for name, torque in given.items() if torque}

    def lost(self, share: float, speed: float | None = None) -> float:
        """With what is no part of the model, but for what grows with the speed."""
        at = self.machine.speed if speed is None else speed
        lost = self.turns[share, at].lost
        return lost + sum(self.extra(share, lost).values())

    def values(self) -> Values:
        loads, torque = np.array(self.settings.loads), self.torque
        lost: Floats = np.array([self.lost(share) for share in self.settings.loads])
        out = loads * torque
        return {
            "torque": Read(torque, RATING),
            "load": Read(loads, RATING),
            "output_torque": out,
            "input_torque": out + lost,
            "lost_torque": lost,
            "efficiency": out / (out + lost),
            "rated_efficiency": Read(torque / (torque + self.lost(1.0)), RATING),
            "backward_efficiency": 1 - self.lost(1.0) / torque,
            "energy_error": Read(self.turns[1.0, self.machine.speed].difference, scale=1.0),
            "running_torque": Read(self.lost(NO_LOAD), scale=torque),
            "starting_torque": Read(self.lost(NO_LOAD) + self._at_rest, scale=torque),
            **self._back_driving(),
            **self._at_speeds(out),
            **self._parts(),
        }

    @property
    def _at_rest(self) -> float:
        """What static friction, which a joint at rest has to overcome, is above sliding."""
        friction = self.machine.spec.contact.friction
        if not (friction.static and friction.sliding):
            return 0.0
        running = self.turns[NO_LOAD, self.machine.speed].lost
        return running * (friction.static / friction.sliding - 1)

    def _back_driving(self) -> Values:
        """Loss grows straight between no load and the operating torque."""
        idle, full = self.lost(NO_LOAD), self.lost(1.0)
        if full >= self.torque:
            return {}
        slope = (full - idle) / ((1 - NO_LOAD) * self.torque)
        needed = (idle - slope * NO_LOAD * self.torque) / (1 - slope)
        if needed > SMALLEST * self.torque:
            return {"back_driving_torque": needed}
        words = "below a thousandth of the operating one"
        return {"back_driving_torque": Read(0.0, at_zero=words)}

    def _at_speeds(self, out: Floats) -> Values:
        settings = self.settings
        viscous = settings.input_viscous_drag + settings.output_viscous_drag
        if not settings.speeds and not viscous:
            return {}
        speeds = settings.speeds or (self.machine.speed,)
        lost = np.array([[self.lost(s, speed) for s in settings.loads] for speed in speeds])
        lost += viscous * np.abs(np.array(speeds))[:, None]
        return {"speed": np.array(speeds), "efficiency_at_speed": out / (out + lost)}

    def _parts(self) -> Values:
        turn = self.turns[1.0, self.machine.speed]
        parts = {**turn.parts, **self.extra(1.0, turn.lost)}
        lost = np.array(list(parts.values()))
        total = lost.sum()
        return {
            "part": np.array(list(parts), dtype=str),
            "part_torque": lost,
            "part_share": lost / total if total else np.zeros(len(lost)),
        }

    def warnings(self) -> Iterator[str]:
        if not any(self.turns[1.0, self.machine.speed].parts.values()):
            yield "Nothing rubs here: give contact.friction, or drag of the shafts."
        worst = max(
            (abs(turn.difference), at) for at, turn in self.turns.items() if at[0] != NO_LOAD
        )
        if worst[0] > LARGEST_REMAINDER:
            yield (
                f"The integration lost {worst[0]:.2%} of what goes through the joint at "
                f"{worst[1][0]:.4g} times its torque: see it with joint-turns and a smaller step."
            )
