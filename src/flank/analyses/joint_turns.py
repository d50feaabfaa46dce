"""Joint turns: a ball joint in its periodic state, over one turn or more.

In time, the joint starts in the equilibrium of the frictionless joint, every body moving as in the
rigid one, and turns until a turn repeats the one before. The equilibria of a static turn know
neither friction nor speed.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Literal

import numpy as np

from flank.analyses.joint_quantities import (
    QUANTITIES,
    Curves,
    axial_figures,
    energy_figures,
    force_figures,
    friction_curve,
    joint_coordinates,
    joint_curves,
    motion_figures,
    place_figures,
    torque_figures,
)
from flank.analyses.joint_reading import energy_balance
from flank.analyses.quantities import Values, number
from flank.analyses.result import Result, make_result
from flank.analyses.settings import StaticOrDynamic
from flank.arrays import Floats, Rows
from flank.contact.table import FRICTION_NONE
from flank.dynamics.functions import Function, constant, linear
from flank.dynamics.model import CONTACTS
from flank.dynamics.packing import value_at
from flank.dynamics.run import DynamicSettings, Progress, solve_dynamics, solve_statics
from flank.dynamics.spatial.quaternions import matrix_of
from flank.dynamics.tables import HARMONIC, RISE
from flank.dynamics.trajectory import SpatialTrajectory, joined
from flank.errors import SpecError
from flank.machines.cv_joint.assembly import JointAssembly, JointDrive
from flank.machines.cv_joint.joint import CvJoint
from flank.machines.quantities import Fraction, PositiveTime, WholeNumber, quantity
from flank.machines.spec import Spec, key, optional

TURN = 2 * math.pi

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

LARGEST_PRESSURE = 4.2e9
"""Pa. ISO 76: the static limit of ball bearings of hardened steel."""

LARGEST_REMAINDER = 0.005
"""Energy that the integration may lose, over what goes through the joint."""

Tolerance = Annotated[float, quantity("", "percent", positive=True)]
SmallLength = Annotated[float, quantity("m", "um", positive=True)]


class JointIntegration(Spec):
    """How a joint is taken through time."""

    step: PositiveTime | None = optional(
        f"the longest time step; a turn over {STEPS_PER_TURN} if absent", "0.1 ms"
    )
    method: Literal["generalized-alpha", "trapezoid"] = key(
        "the rule of integration; the trapezoidal one damps nothing", default="generalized-alpha"
    )
    spectral_radius: Fraction = key(
        "of generalized-alpha; 1 damps nothing", default=SPECTRAL_RADIUS
    )
    error_tolerance: SmallLength = key(
        "error of a position in a step above which the step is shortened", "0.01 um", default=1e-8
    )

    def cross_checks(self) -> Iterable[str]:
        yield from super().cross_checks()
        if self.method == "trapezoid" and self.spectral_radius != SPECTRAL_RADIUS:
            yield "spectral_radius does nothing in the trapezoidal rule; leave it out"

    def integration(self, period: float) -> DynamicSettings:
        """Of a run whose turns take `period`."""
        step = self.step or period / STEPS_PER_TURN
        return DynamicSettings(
            step,
            method=self.method,
            spectral_radius=self.spectral_radius,
            error_tolerance=self.error_tolerance,
            shortest_step=SHORTEST * step,
        )


class JointTurnsSettings(JointIntegration, StaticOrDynamic):
    """How the joint is turned, and how often."""

    mode: Literal["static", "dynamic"] = key(
        "a run in time with friction, or equilibria without", default="dynamic"
    )
    turns: Annotated[int, WholeNumber(minimum=1, maximum=1000)] = key(
        "turns that are looked at, the last ones run", default=1
    )
    most_turns: Annotated[int, WholeNumber(minimum=2, maximum=10_000)] = key(
        "turns run at most, after a ramp of the deflection, until one repeats", default=8
    )
    repeat_tolerance: Tolerance = key(
        "largest change of a track force from turn to turn, over the largest force, "
        "with which a turn counts as repeated; also of the place of a race not guided rigidly",
        "0.5 percent",
        default=0.005,
    )
    points_per_turn: Annotated[int, WholeNumber(minimum=16, maximum=100_000)] = key(
        "points of a turn that are kept", default=360
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


DEFAULTS = JointTurnsSettings()


@dataclass(frozen=True)
class Turns:
    """The turns that are looked at, closed: the last record is the first of the next turn.

    `change` is the largest difference of a track force to the turn before, over the largest force;
    of equilibria, between the two ends of the turn. `turns_run` counts those before as well.
    """

    assembly: JointAssembly
    trajectory: SpatialTrajectory
    angles: Floats
    turns: int
    turns_run: int
    change: float


def run(
    machine: CvJoint,
    settings: JointTurnsSettings = DEFAULTS,
    progress: Progress | None = None,
) -> Result:
    """Forces, ball motion, secondary torque, axial orders and losses over turns of a joint."""
    computed = compute_turns(machine, settings, progress)
    trajectory, mode = computed.trajectory, settings.mode
    curves = joint_curves(computed.assembly, trajectory, machine.contacts, mode)
    figures = joint_figures(machine, computed, curves, mode) if trajectory.complete else {}
    values = figures | curves
    if curves:
        times = trajectory.time - trajectory.time[:1]
        values |= joint_coordinates(computed.assembly, computed.angles, times)
        values |= friction_curve(machine.contacts) if mode == "dynamic" else {}
    values = thinned(values, 1 if mode == "static" else FINER)
    warnings = joint_warnings(machine, computed, settings.repeat_tolerance, mode, values)
    return make_result(QUANTITIES, machine, settings, trajectory, values, warnings)


def compute_turns(
    machine: CvJoint, settings: JointTurnsSettings, progress: Progress | None = None
) -> Turns:
    """The turns that the settings call for."""
    if settings.mode == "static":
        return static_turn(machine, settings.points_per_turn, progress)
    if machine.speed == 0:
        raise SpecError(
            "operation.speed is zero, and a joint at rest has no turn; give a speed, or set mode "
            "to 'static'"
        )
    return turns_at_speed(machine, settings, progress)


def thinned(values: Values, every: int) -> Values:
    """Curves over the angle at every so many of their points; others as they are."""
    return {
        name: np.asarray(figure)[::every] if QUANTITIES[name].over.startswith("angle") else figure
        for name, figure in values.items()
    }


def joint_figures(machine: CvJoint, computed: Turns, curves: Curves, mode: str) -> Values:
    """The summary of complete turns, the orders and the balance of energy."""
    assembly = computed.assembly
    mass = assembly.model.mass[assembly.inner] if assembly.plunge < 0 else 0.0
    figures = force_figures(curves) | torque_figures(curves, machine.torque)
    figures |= place_figures(curves)
    figures |= axial_figures(curves, computed.turns, len(assembly.balls), mass * machine.speed**2)
    if mode == "dynamic":
        figures |= motion_figures(curves, computed.turns)
        figures |= energy_figures(energy_balance(assembly.spatial, computed.trajectory))
    return figures | {"repeat_change": computed.change, "turns_run": computed.turns_run}


def static_turn(machine: CvJoint, points: int, progress: Progress | None = None) -> Turns:
    """Equilibria over one turn of the frictionless joint; time stands for the angle."""
    angles = np.linspace(0.0, TURN, points + 1)
    at = constant(machine.deflection)
    still = _drive_at_rest(machine, machine.drive())
    drive = replace(still, angles={"outer": linear(1.0)}, deflection=at)
    guesses = [machine.pose_under(drive, angle) for angle in angles]
    assembly = machine.assemble(drive)
    trajectory = solve_statics(assembly.spatial, guesses[0], angles, guesses, progress=progress)
    change = math.nan
    if trajectory.complete:
        change = change_between(
            assembly, trajectory.contact_results[:1], trajectory.contact_results[-1:]
        )
    return Turns(assembly, trajectory, angles[: len(trajectory.time)], 1, 1, change)


def turns_at_speed(
    machine: CvJoint, settings: JointTurnsSettings, progress: Progress | None = None
) -> Turns:
    """Turns in time, the last of them kept; a ramp of the deflection comes before them."""
    drive, period = machine.drive(), TURN / abs(machine.speed)
    equilibrium, standing = initial_equilibrium(machine, drive)
    if not equilibrium.complete:
        return Turns(standing, equilibrium, equilibrium.time, 1, 0, math.nan)
    assembly, points = machine.assemble(drive), FINER * settings.points_per_turn
    integration = settings.integration(period)
    ramp_turns = math.ceil(_ramp_duration(drive.deflection) / period - 1e-9)
    most = ramp_turns + settings.most_turns
    pose = replace(equilibrium.last, velocity=assembly.start.velocity)
    turns_run, change, kept = 0, math.nan, list[SpatialTrajectory]()
    while turns_run < most and not (
        len(kept) > settings.turns and change <= settings.repeat_tolerance
    ):
        count = max(ramp_turns, 1) if turns_run == 0 else 1

        def report_progress(share: float, begun: int = turns_run, count: int = count) -> None:
            if progress is not None:
                progress((begun + share * count) / most)

        piece = solve_dynamics(
            assembly.spatial,
            pose,
            count * period,
            integration,
            records=count * points,
            progress=report_progress,
            begin=turns_run * period,
        )
        if kept and piece.complete:
            change = change_between(
                assembly, kept[-1].contact_results[-points:], piece.contact_results[1:]
            )
            if not assembly.guided:
                inner = assembly.inner
                places = kept[-1].position[-points:, inner], piece.position[1:, inner]
                change = max(change, place_change(*places))
        kept.append(piece)
        turns_run += count
        if not piece.complete:
            break
        pose = piece.last
    last = kept[-settings.turns :] if kept[-1].complete else kept[-1:]
    computed = joined([last[0], *(part.since(1) for part in last[1:])], [equilibrium, *kept])
    angles = machine.speed * (computed.time - computed.time[0])
    return Turns(assembly, computed, angles, len(last), turns_run, change)


def change_between(assembly: JointAssembly, before: Rows, after: Rows) -> float:
    """The largest difference of two courses of the track forces, over the largest force."""
    first, second = (
        contact_results["normal_force"][:, assembly.tracks] for contact_results in (before, after)
    )
    largest = float(second.max(initial=0.0))
    return float(np.abs(second - first).max()) / largest if largest > 0 else math.nan


def place_change(before: Floats, after: Floats) -> float:
    """The largest difference of two courses of the inner race's place, over the largest range: one
    that is hardly held sideways comes to rest long after the forces have."""
    largest = float(np.ptp(after, axis=0).max())
    return float(np.abs(after - before).max()) / largest if largest > 0 else 0.0


def initial_equilibrium(
    machine: CvJoint, drive: JointDrive
) -> tuple[SpatialTrajectory, JointAssembly]:
    """The equilibrium at time zero of what a drive begins with."""
    assembly = machine.assemble(_drive_at_rest(machine, drive))
    return solve_statics(assembly.spatial, assembly.start, np.zeros(1)), assembly


def _drive_at_rest(machine: CvJoint, drive: JointDrive) -> JointDrive:
    """Everything held as it is at time zero. An inner race that is free stays where it starts:
    without friction nothing else would hold it along its axis."""
    assembly = machine.assemble(drive)
    axis = matrix_of(assembly.start.rotation[assembly.housing])[:, 2]
    return replace(
        drive,
        angles={name: _initial_value(angle) for name, angle in drive.angles.items()},
        torques={name: _initial_value(torque) for name, torque in drive.torques.items()},
        deflection=_initial_value(drive.deflection),
        plunge=constant(float(axis @ assembly.start.position[assembly.inner])),
    )


def _initial_value(function: Function) -> Function:
    return constant(value_at(function, 0.0)[0])


def _ramp_duration(deflection: Function) -> float:
    """The time that a ramp takes, zero without one."""
    return deflection.duration if deflection.kind == RISE else 0.0


def joint_warnings(
    machine: CvJoint, computed: Turns, tolerance: float, mode: str, values: Values
) -> list[str]:
    """What speaks against relying on a joint's turns."""
    plunge = machine.drive().plunge
    warnings = [] if mode == "dynamic" else _static_warnings(computed, plunge)
    if computed.trajectory.complete and mode == "dynamic" and not computed.change <= tolerance:
        what = "track forces" if computed.assembly.guided else "track forces or the race's place"
        warnings.append(
            f"The last turn changes {what} by {computed.change:.2%} of the largest against "
            f"the one before, after {computed.turns_run} turns: {_remedy(machine, plunge)}."
        )
    warnings += figure_warnings(values)
    if computed.trajectory.complete and values and _figure(values, "peak_window_force") == 0.0:
        warnings.append(
            "No ball touches the cage, which floats: its angle means nothing. Tracks alone hold "
            "the balls; narrow cage.window_clearance, or raise the torque."
        )
    return warnings


def figure_warnings(values: Values) -> list[str]:
    """What the figures of any run in time speak against: energy lost, pressure too high."""
    warnings = []
    remainder = _figure(values, "energy_remainder")
    if abs(remainder) > LARGEST_REMAINDER:
        warnings.append(
            f"The integration lost {remainder:.2%} of the energy that goes through the joint: use "
            "a smaller step or error_tolerance."
        )
    pressure = _figure(values, "peak_pressure")
    if pressure > LARGEST_PRESSURE:
        warnings.append(
            f"The Hertz pressure reaches {pressure / 1e6:.0f} MPa; even hardened steel yields "
            "above 4200 MPa (ISO 76)."
        )
    return warnings


def _remedy(machine: CvJoint, plunge: Function | None) -> str:
    """More turns, unless the plunge swings out of step with them and none can repeat."""
    if plunge is not None and plunge.kind == HARMONIC:
        swings = 2 * math.pi / abs(machine.speed) / plunge.duration
        if abs(swings - round(swings)) > 1e-6 * swings:
            return (
                f"the plunge swings {swings:.4g} times in a turn, so that no turn repeats another"
            )
    return (
        "use more most_turns and, where balls chatter because friction falls with speed, more "
        "contact.damping"
    )


def _static_warnings(computed: Turns, plunge: Function | None) -> list[str]:
    model, sentences = computed.assembly.model, list[str]()
    if np.any(model.contacts["friction_form"][: model.counts[CONTACTS]] != FRICTION_NONE):
        sentences.append(
            "Friction acts through sliding velocity and has no part in equilibria; set mode to "
            "'dynamic' to see it."
        )
    if plunge is None or plunge.kind == HARMONIC:
        sentences.append(
            "Equilibria hold the inner race where its plunge begins; set mode to 'dynamic' to let "
            "it move along its axis."
        )
    return sentences


def _figure(values: Values, name: str) -> float:
    return number(values.get(name, 0.0))
