"""Joint resonance: orders in which a ball joint excites its driveline, against natural frequencies.

The axial force of the joint has half the number of balls and its odd multiples as orders (theory of
the joint); at the speed Ω the order n excites with n Ω/2π. Natural frequencies are those of the
joint about its loaded equilibrium, the inner race free along its axis with the shaft that slides
along, guided sideways as the spec has it, and those of the driveline that are given. The order n
meets the frequency f at the critical speed 60 f/n. The margin of a speed to it is

    f/f_n - 1,        f_n = n Ω/2π,

the share by which the speed would have to change to be critical.

A mode is excited by an axial force as far as the inner race moves along its axis in it: with unit
modal mass, a force that does not vary displaces the race by φ²/ω² in the mode, which is the mode's
share of the race's axial compliance. Modes with no share to speak of are left out.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from flank.analyses.natural_frequencies import Modes, body_names, energy_shares, modes_of
from flank.analyses.natural_frequencies import motion_name as motion_of
from flank.analyses.quantities import MORE, Declared, Quantities, Values
from flank.analyses.result import Result, make_result
from flank.analyses.runs import assemble_locked, linearize_at
from flank.analyses.warnings import contact_warnings
from flank.arrays import Flags, Floats
from flank.dynamics.run import Progress, solve_statics
from flank.dynamics.spatial.quaternions import matrix_of
from flank.dynamics.trajectory import SpatialTrajectory
from flank.errors import SpecError
from flank.machines.cv_joint.assembly import JointAssembly
from flank.machines.cv_joint.joint import CvJoint
from flank.machines.cv_joint.parts import Frequency
from flank.machines.quantities import Angle, Fraction, WholeNumber
from flank.machines.spec import Spec, key

NEUTRAL = 0.01
"""Share of the race's motion along its axis in modes that nothing holds, from which on the race
counts as free."""

LEAST_SHARE = 1e-3
"""Of the race's axial compliance, from which a mode is looked at."""

QUANTITIES = Quantities(
    "joint-resonance",
    {
        "speed": Declared("Speed", "rad/s", "rpm"),
        "axial_stiffness": Declared("Stiffness that holds the inner race along its axis", "N/m"),
        "least_margin": Declared("Least margin of an order", "", "percent", better=MORE),
        "nearest_critical_speed": Declared("Nearest critical speed", "rad/s", "rpm"),
        "order": Declared("Order", over="order"),
        "excitation": Declared("Frequency", "1/s", "Hz", "order"),
        "nearest": Declared("Nearest natural frequency", "1/s", "Hz", "order"),
        "nearest_name": Declared("of", over="order"),
        "margin": Declared("Margin", "", "percent", "order"),
        "verdict": Declared("Margin kept", over="order"),
        "frequency": Declared("Natural frequency", "1/s", "Hz", "source"),
        "source": Declared("Of", over="source"),
        "axial_share": Declared("Share of the axial compliance", "", "percent", "source"),
        "critical_speed": Declared("Critical speed", "rad/s", "rpm", "source order"),
        "main_critical_speed": Declared(
            "Critical for the first order at", "rad/s", "rpm", "source"
        ),
    },
    {},
    {
        "Orders at the speed": (
            "order",
            "excitation",
            "nearest",
            "nearest_name",
            "margin",
            "verdict",
        ),
        "Natural frequencies": ("source", "frequency", "axial_share", "main_critical_speed"),
    },
)


class JointResonanceSettings(Spec):
    """Which frequencies are looked at, and what margin is wanted."""

    driveline: dict[str, Frequency] = key(
        "natural frequencies of the driveline by name",
        "{propeller shaft, bending: 130 Hz}",
        default={},
    )
    orders: Annotated[int, WholeNumber(minimum=1, maximum=50)] = key(
        "how many orders: half the number of balls and its odd multiples", default=4
    )
    margin: Fraction = key("the least margin wanted", "20 percent", default=0.2)
    rotation: Angle = key("the angle of the outer race", "30 deg", default=0.0)

    def cross_checks(self) -> Iterable[str]:
        if any(not name.strip() for name in self.driveline):
            yield "driveline: a frequency has no name; give it one"


DEFAULTS = JointResonanceSettings()


@dataclass(frozen=True)
class Axial:
    """Modes that an axial force on the inner race moves: frequencies in Hz, shares of the race's
    axial compliance, and who moves in them; the stiffness that holds it in N/m, zero and no modes
    where nothing does to speak of."""

    frequency: Floats
    share: Floats
    names: list[str]
    stiffness: float


def run(
    machine: CvJoint,
    settings: JointResonanceSettings = DEFAULTS,
    progress: Progress | None = None,
) -> Result:
    """Orders, natural frequencies, critical speeds and margins."""
    if machine.speed == 0:
        raise SpecError("operation.speed is zero, and a joint at rest excites nothing; give one")
    assembly = assemble_locked(machine, settings.rotation)
    start = machine.ideal_pose(settings.rotation)
    torque = np.array([machine.load_torque])
    trajectory = solve_statics(assembly.model, start, torque, progress=progress)
    warnings = contact_warnings(assembly, trajectory, static=True)
    values: Values = {}
    if trajectory.complete:
        assert isinstance(assembly, JointAssembly)
        assert isinstance(trajectory, SpatialTrajectory)
        axial = axial_modes(assembly, trajectory)
        values = _values(machine, settings, axial)
        warnings += _warnings(values, settings)
    return make_result(QUANTITIES, machine, settings, trajectory, values, warnings)


def axial_modes(assembly: JointAssembly, trajectory: SpatialTrajectory) -> Axial:
    """Of the joint with its inner race let go along its axis, where it was held in equilibrium."""
    at = linearize_at(assembly, trajectory, 0)
    released = np.delete(at.constraints, assembly.plunge, axis=0)
    modes = modes_of(assembly, replace(at, constraints=released))
    axis = matrix_of(trajectory.rotation[0, assembly.housing])[:, 2]
    rows = 6 * (assembly.inner - 1) + np.arange(3)
    swinging = modes.eigenvalues > 0
    drifting = np.hstack((axis @ modes.free[rows], axis @ modes.shapes[rows][:, ~swinging]))
    if assembly.spatial.mass[assembly.inner] * float(drifting @ drifting) > NEUTRAL:
        return Axial(np.zeros(0), np.zeros(0), [], 0.0)
    along = axis @ modes.shapes[rows]
    compliance = np.where(swinging, along**2 / np.where(swinging, modes.eigenvalues, 1.0), 0.0)
    total = float(compliance.sum())
    seen = np.flatnonzero(compliance > LEAST_SHARE * total)
    names = _names(assembly, modes, seen.tolist())
    return Axial(modes.frequencies[seen], compliance[seen] / total, names, 1 / total)


def _names(assembly: JointAssembly, modes: Modes, chosen: list[int]) -> list[str]:
    shares = energy_shares(assembly.model, modes.mass, modes.shapes[:, chosen])
    bodies = body_names(assembly)
    return [f"joint: {motion_of(share, bodies)}" for share in shares]


def axial_orders(balls: int, count: int) -> Floats:
    """Half the number of balls and its odd multiples."""
    return np.asarray(balls // 2 * (2.0 * np.arange(count) + 1))


def _values(machine: CvJoint, settings: JointResonanceSettings, axial: Axial) -> Values:
    orders = axial_orders(machine.spec.balls.count, settings.orders)
    frequency = np.concatenate((axial.frequency, list(settings.driveline.values())))
    names = [*axial.names, *settings.driveline]
    if not len(frequency):
        return {"speed": abs(machine.speed), "axial_stiffness": axial.stiffness}
    excitation = orders * abs(machine.speed) / (2 * math.pi)
    margins = frequency[:, None] / excitation - 1
    nearest = np.abs(margins).argmin(axis=0)
    margin = margins[nearest, np.arange(len(orders))]
    critical = 2 * math.pi * frequency[:, None] / orders
    least = int(np.abs(margin).argmin())
    kept = np.where(_kept(margin, settings.margin), "yes", "no")
    shares = np.concatenate((axial.share, np.full(len(settings.driveline), math.nan)))
    return {
        "speed": abs(machine.speed),
        "axial_stiffness": axial.stiffness,
        "least_margin": float(np.abs(margin[least])),
        "nearest_critical_speed": float(critical[nearest[least], least]),
        "order": orders,
        "excitation": excitation,
        "nearest": frequency[nearest],
        "nearest_name": np.array([names[k] for k in nearest.tolist()], dtype=str),
        "margin": margin,
        "verdict": kept.astype(str),
        "frequency": frequency,
        "source": np.array(names, dtype=str),
        "axial_share": shares,
        "critical_speed": critical,
        "main_critical_speed": critical[:, 0],
    }


def _warnings(values: Values, settings: JointResonanceSettings) -> list[str]:
    sentences = []
    if values["axial_stiffness"] == 0.0:
        sentences.append(
            "Nothing holds the inner race along its axis to speak of: it follows the joint at any "
            "speed and has no natural frequency of its own."
        )
    if "margin" not in values:
        return [*sentences, "No frequency is there to compare the orders with; give 'driveline'."]
    margin, orders = np.asarray(values["margin"]), np.asarray(values["order"])
    return sentences + [
        f"Order {order:g} is {share:+.1%} from a natural frequency, less than the "
        f"{settings.margin:.0%} wanted: change the speed, the mass that slides along or what "
        "guides it."
        for order, share in zip(orders, margin, strict=True)
        if not _kept(share, settings.margin)
    ]


def _kept(margin: Floats, wanted: float) -> Flags:
    """A margin that is just the one wanted is kept, whatever its last digit."""
    return np.asarray(np.abs(margin) >= wanted * (1 - 1e-9))
