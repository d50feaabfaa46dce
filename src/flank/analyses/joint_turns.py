"""Joint turns: a ball joint in its periodic state, over one turn or more.

In time, the joint starts in the equilibrium of the frictionless joint, every body moving as in the
rigid one, and turns until a turn repeats the one before. The equilibria of a static turn know
neither friction nor speed.
"""

import math
from collections.abc import Iterable
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field

from flank.analyses.joint_energy import energy_balance
from flank.analyses.joint_quantities import (
    ENERGY_TABLE,
    Quantities,
    energy_quantities,
    force_quantities,
    joint_coordinates,
    motion_quantities,
    place_quantities,
    shaft_quantities,
)
from flank.analyses.joint_runs import Turns, TurnSettings, static_turn, turns_at_speed
from flank.analyses.joint_summary import (
    axial_figures,
    axial_table,
    ball_figures,
    cage_figures,
    force_figures,
    loss_figures,
    motion_figures,
    torque_figures,
)
from flank.analyses.joint_warnings import joint_warnings
from flank.analyses.result import Quantity, Result, make_result
from flank.analyses.settings import ModeSettings
from flank.dynamics.run import Progress
from flank.dynamics.spatial.run import SpatialDynamicSettings
from flank.errors import SpecError
from flank.machines.cv_joint.assembly import Joint
from flank.machines.quantities import Fraction, PositiveTime, WholeNumber, quantity

NAME = "joint-turns"
TITLE = "Joint turns"

STEPS_PER_TURN = 2000
"""Steps of a turn where none is given."""

SPECTRAL_RADIUS = 0.2
"""Of generalized-alpha: balls on stiff contacts vibrate at tens of kilohertz, which steps of the
joint's motion do not resolve and falling friction excites."""

FINER = 8
"""Records to a point that is kept: balls that slip do so between points. Figures and orders are
those of all records."""

SHORTEST = 1e-5
"""Over the longest step: friction sets the balls spinning within microseconds at the start."""

Tolerance = Annotated[float, quantity("", "percent", positive=True)]
SmallLength = Annotated[float, quantity("m", "um", positive=True)]


class JointTurnsSettings(ModeSettings):
    """How the joint is turned, and how often."""

    mode: Literal["static", "dynamic"] = Field(
        default="dynamic",
        description="a run in time with friction, or equilibria without",
        examples=["dynamic"],
    )
    turns: Annotated[int, WholeNumber(minimum=1, maximum=1000)] = Field(
        default=1, description="turns that are looked at, the last ones run", examples=[1]
    )
    most_turns: Annotated[int, WholeNumber(minimum=2, maximum=10_000)] = Field(
        default=8,
        description="turns run at most, after a ramp of the deflection, until one repeats",
        examples=[8],
    )
    repeat_tolerance: Tolerance = Field(
        default=0.005,
        description="largest change of a track force from turn to turn, over the largest force, "
        "with which a turn counts as repeated",
        examples=["0.5 percent"],
    )
    points_per_turn: Annotated[int, WholeNumber(minimum=16, maximum=100_000)] = Field(
        default=360, description="points of a turn that are kept", examples=[360]
    )
    step: PositiveTime | None = Field(
        default=None,
        description=f"the longest time step; a turn over {STEPS_PER_TURN} if absent",
        examples=["0.1 ms"],
    )
    method: Literal["generalized-alpha", "trapezoid"] = Field(
        default="generalized-alpha",
        description="the rule of integration; the trapezoidal one damps nothing",
        examples=["generalized-alpha"],
    )
    spectral_radius: Fraction = Field(
        default=SPECTRAL_RADIUS,
        description="of generalized-alpha; 1 damps nothing",
        examples=[SPECTRAL_RADIUS],
    )
    error_tolerance: SmallLength = Field(
        default=1e-8,
        description="error of a position in a step above which the step is shortened",
        examples=["0.01 um"],
    )

    ONLY: ClassVar[dict[str, tuple[str, ...]]] = {
        "static": (),
        "dynamic": (
            "turns",
            "most_turns",
            "repeat_tolerance",
            "step",
            "method",
            "spectral_radius",
            "error_tolerance",
        ),
    }

    def cross_checks(self) -> Iterable[str]:
        yield from super().cross_checks()
        if self.turns >= self.most_turns:
            yield (
                f"turns is {self.turns} and most_turns {self.most_turns}; run at least one turn "
                "more than is looked at"
            )
        if self.method == "trapezoid" and self.spectral_radius != SPECTRAL_RADIUS:
            yield "spectral_radius does nothing in the trapezoidal rule; leave it out"


DEFAULTS = JointTurnsSettings()


def run(
    machine: Joint,
    settings: JointTurnsSettings = DEFAULTS,
    progress: Progress | None = None,
) -> Result:
    """Forces, ball motion, secondary torque, axial orders and losses over turns of a joint."""
    seen = turn(machine, settings, progress)
    curves = joint_curves(machine, seen, settings.mode)
    figures: Quantities = {}
    tables = {}
    if seen.trajectory.complete:
        figures = joint_figures(machine, seen, curves, settings.mode)
        tables = axial_table(figures) | (ENERGY_TABLE if settings.mode == "dynamic" else {})
    times = seen.trajectory.time - seen.trajectory.time[:1]
    coordinates = joint_coordinates(seen.assembly, seen.angles, times) if curves else {}
    every = 1 if settings.mode == "static" else FINER
    found = figures | thinned(curves, every)
    coordinates = thinned(coordinates, every)
    warnings = joint_warnings(machine, seen, settings.repeat_tolerance, settings.mode, found)
    return make_result(
        NAME, machine, settings, seen.trajectory, found, coordinates, warnings, tables
    )


def turn(machine: Joint, settings: JointTurnsSettings, progress: Progress | None = None) -> Turns:
    """The turns that the settings ask for."""
    if settings.mode == "static":
        return static_turn(machine, settings.points_per_turn, progress)
    if machine.speed == 0:
        raise SpecError(
            "operation.speed is zero, and a joint at rest has no turn; give a speed, or set mode "
            "to 'static'"
        )
    step = settings.step or 2 * math.pi / abs(machine.speed) / STEPS_PER_TURN
    dynamics = SpatialDynamicSettings(
        step,
        method=settings.method,
        spectral_radius=settings.spectral_radius,
        error_tolerance=settings.error_tolerance,
        shortest_step=SHORTEST * step,
    )
    asked = TurnSettings(
        settings.turns,
        settings.most_turns,
        settings.repeat_tolerance,
        FINER * settings.points_per_turn,
        dynamics,
    )
    return turns_at_speed(machine, asked, progress)


def thinned(curves: Quantities, every: int) -> Quantities:
    """Curves over the angle at every so many of their points; others as they are."""
    return {
        name: one._replace(values=np.asarray(one.values)[::every]) if over_angle(one) else one
        for name, one in curves.items()
    }


def over_angle(one: Quantity) -> bool:
    return one.dimensions[:1] == ("angle",)


def joint_curves(machine: Joint, seen: Turns, mode: str) -> Quantities:
    """Everything over the angle, as far as a run came."""
    assembly, trajectory = seen.assembly, seen.trajectory
    if len(trajectory.time) < 2:
        return {}
    found = force_quantities(assembly, trajectory, machine.contacts)
    found |= place_quantities(assembly, trajectory)
    found |= shaft_quantities(assembly, trajectory)
    if mode == "dynamic":
        found |= motion_quantities(assembly, trajectory)
    return found


def joint_figures(machine: Joint, seen: Turns, curves: Quantities, mode: str) -> Quantities:
    """The summary of complete turns, the orders and the balance of energy."""
    assembly = seen.assembly
    mass = assembly.model.mass[assembly.inner] if assembly.plunge < 0 else 0.0
    axial = axial_figures(curves, seen.turns, len(assembly.balls), mass * machine.speed**2)
    figures = force_figures(curves) | torque_figures(curves, machine.torque)
    figures |= cage_figures(curves) | ball_figures(curves) | axial
    if mode == "dynamic":
        balance = energy_balance(assembly.spatial, seen.trajectory)
        figures |= motion_figures(curves, seen.turns) | loss_figures(balance)
        figures |= energy_quantities(balance)
    change = Quantity((), seen.change, "", "percent", "Change of a track force in a turn, at most")
    count = Quantity((), seen.turns_run, "", "", "Turns run")
    return figures | {"repeat_change": change, "turns_run": count}
