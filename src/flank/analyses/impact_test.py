"""Impact test: frequency and damping of the teeth's vibration, from a pulse at fixed positions.

At every position of the mesh cycle the machine stands loaded, its input free under the torque that
holds it. For a moment the torques on the gears of the first mesh are larger, or those on input and
output where the gears are no shafts; then it swings freely. What is seen of that mesh, its
transmission error along the line of action, is a sum of damped swings,

    x(t) = Σ a_j exp(s_j t),    f = |s|/2π,   ζ = -Re s/|s|,

whose s_j follow from the samples without a guess (matrix pencil: the eigenvalues of the shift
between two Hankel matrices of one rank). Told is the largest swing near the natural frequency of
the mode that moves the teeth most. No damping comes from the trapezoidal rule, which integrates,
nor from friction, which is left out: it brakes small swings more than large ones.
"""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple

import numpy as np

from flank.analyses.natural_frequencies import by_body, modes_of
from flank.analyses.orders import tooth_order
from flank.analyses.quantities import MORE, Declared, Quantities, Values
from flank.analyses.result import Result, make_result
from flank.analyses.runs import linearize_at, loaded_equilibrium
from flank.analyses.settings import LoadTorque
from flank.analyses.warnings import contact_warnings, load_warnings
from flank.arrays import Floats
from flank.dynamics.functions import constant
from flank.dynamics.run import DynamicSettings, Progress, solve_dynamics
from flank.dynamics.trajectory import AnyTrajectory, Trajectory
from flank.errors import SpecError
from flank.machines.base import Assembly, Drive, Reducer
from flank.machines.mesh_forces import gears_of, mesh_errors, net_forces
from flank.machines.quantities import WholeNumber, quantity
from flank.machines.spec import Spec, key

QUANTITIES = Quantities(
    "impact-test",
    {
        "torque": Declared("Output torque", "N*m"),
        "mean_frequency": Declared("Mean frequency over the mesh cycle", "1/s", "Hz"),
        "lowest_frequency": Declared("Lowest frequency", "1/s", "Hz", better=MORE),
        "highest_frequency": Declared("Highest frequency", "1/s", "Hz"),
        "mean_damping": Declared("Mean damping ratio", "", "percent"),
        "frequency": Declared("Frequency", "1/s", "Hz", "position"),
        "damping_ratio": Declared("Damping ratio", "", "percent", "position"),
        "response": Declared("Error of the first mesh after the pulse", "m", "um", "position time"),
    },
    {
        "position": Declared("Position in the mesh cycle", over="position"),
        "input_angle": Declared("Input angle", "rad", "deg", "position"),
        "time": Declared("Time after the pulse", "s", "ms", "time"),
    },
    {"Over the mesh cycle": ("position", "input_angle", "frequency", "damping_ratio")},
)

STEPS_PER_SWING = 100
"""Steps in a period of the mode that moves the teeth most: the frequency is right to 0.03 %."""

SAMPLES_PER_SWING = 20

LEAST_SINGULAR = 1e-5
"""Of the largest singular value, below which a swing is taken for noise."""

MOST_SWINGS = 6
"""Pairs of roots that a response is taken apart into."""

NEAR = 1.6
"""Ratio of frequencies of the mode that moves the teeth most at two positions, at most: it goes
with the root of the stiffness, which two pairs of teeth have twice."""

TINY = 1e-7
"""m and rad, of the difference that tells how teeth move with a coordinate."""

Pulse = Annotated[float, quantity("", "percent", positive=True, maximum=1.0)]


class ImpactTestSettings(Spec):
    """Where and how hard the machine is hit."""

    positions: Annotated[int, WholeNumber(minimum=2, maximum=1000)] = key(
        "the number of positions in the mesh cycle", default=24
    )
    pulse: Pulse = key("what is added to the torques for one step", "40 percent", default=0.4)
    swings: Annotated[int, WholeNumber(minimum=3, maximum=200)] = key(
        "periods of the natural frequency that are looked at", default=8
    )
    torque: LoadTorque = None


DEFAULTS = ImpactTestSettings()


class Swing(NamedTuple):
    """One part of a response."""

    frequency: float  # Hz
    damping_ratio: float
    amplitude: float  # m


@dataclass(frozen=True)
class Hit:
    """A loaded machine at one position, its input held by a torque and no longer by its angle."""

    machine: Reducer
    torque: float
    equilibrium: AnyTrajectory
    assembly: Assembly  # with the input locked

    def response(
        self, share: float, swings: int, frequency: float
    ) -> tuple[AnyTrajectory, Assembly]:
        """How it swings after a pulse, sampled from its end on."""
        step = 1 / (STEPS_PER_SWING * frequency)
        settings = DynamicSettings(step, method="trapezoid")
        hit, free = self._under(self._pulse(share)), self._under({})
        pulse = solve_dynamics(hit.model, self.equilibrium.last, step, settings)
        swinging = solve_dynamics(
            free.model,
            pulse.last,
            swings / frequency,
            settings,
            pulse.velocity[-1],
            stride=STEPS_PER_SWING // SAMPLES_PER_SWING,
        )
        return swinging, free

    def _pulse(self, share: float) -> dict[str, float]:
        """A share of what the first mesh asks of its gears, where they are shafts; else of what is
        on the machine's ends."""
        assembly = self.assembly
        names = {shaft.body: name for name, shaft in assembly.shafts.items()}
        force = float(net_forces(assembly, self.equilibrium)[0, 0])
        gears, radii = gears_of(assembly, assembly.meshes[0])
        torques = {
            names[gear.body]: share * force * radius
            for gear, radius in zip(gears, radii, strict=True)
            if gear.body in names
        }
        return torques or {name: share * torque for name, torque in self._ends.items()}

    @property
    def _ends(self) -> dict[str, float]:
        """What holds the machine."""
        held = float(self.equilibrium.torque(self.assembly.input_shaft)[0])
        return {self.assembly.input: held, self.assembly.output: self.torque}

    def _under(self, more: Mapping[str, float]) -> Assembly:
        """The frictionless machine, free under its torques and some more."""
        total = Counter(self._ends)
        total.update(more)
        torques = {name: constant(torque) for name, torque in total.items()}
        return self.machine.assemble(Drive(torques=torques, in_time=True)).frictionless()


def run(
    machine: Reducer, settings: ImpactTestSettings = DEFAULTS, progress: Progress | None = None
) -> Result:
    """Frequency and damping ratio over the mesh cycle."""
    torque = machine.load_torque if settings.torque is None else settings.torque
    _refuse(machine, torque)
    positions = np.arange(settings.positions) / settings.positions
    angles = positions * 2 * math.pi / tooth_order(machine)
    swings: list[Swing] = []
    responses: list[Floats] = []
    runs: list[AnyTrajectory] = []
    reference = 0.0
    for number, angle in enumerate(angles):
        equilibrium, assembly = loaded_equilibrium(machine, float(angle), torque)
        runs.append(equilibrium)
        if not equilibrium.complete:
            break
        reference = reference or tooth_frequency(assembly, equilibrium)
        hit = Hit(machine, torque, equilibrium, assembly)
        swinging, free = hit.response(settings.pulse, settings.swings, reference)
        runs.append(swinging)
        if not swinging.complete:
            break
        at_rest = mesh_errors(free, equilibrium)[0, 0]
        responses.append(mesh_errors(free, swinging)[:, 0] - at_rest)
        interval = float(swinging.time[1] - swinging.time[0])
        swings.append(largest_swing(responses[-1], interval, reference))
        if progress is not None:
            progress((number + 1) / len(angles))
    counters: Counter[str] = Counter()
    for one in runs:
        counters.update(one.counters)
    values: Values = {}
    if len(swings) == len(angles):
        values = _values(swings, torque) | {
            "response": np.array(responses),
            "position": positions,
            "input_angle": angles,
            "time": swinging.time,
        }
    warnings = contact_warnings(assembly, runs[-1], static=False)
    warnings += load_warnings(machine, assembly, torque, runs[0])
    ended = replace(runs[-1], counters=dict(counters))
    return make_result(QUANTITIES, machine, settings, ended, values, warnings)


def _refuse(machine: Reducer, torque: float) -> None:
    """SpecError where no teeth would swing."""
    if torque == 0:
        raise SpecError("torque is zero; teeth must be loaded to swing, as by the rated torque")
    first = machine.assemble(Drive()).meshes[0]
    if first.model == "rigid":
        raise SpecError(
            f"the mesh {first.name} is rigid, so its teeth do not swing; set its model to "
            "'spring', 'table', 'contact' or 'fe'"
        )


def tooth_frequency(assembly: Assembly, equilibrium: AnyTrajectory) -> float:
    """Natural frequency of the mode that answers most to a force between the first mesh's teeth:
    of unit modal mass, the one whose shape moves them most."""
    assert isinstance(equilibrium, Trajectory)
    modes = modes_of(assembly, linearize_at(assembly, equilibrium, 0), input_free=True)
    shapes = by_body(assembly.model, modes.shapes)
    moved = np.concatenate((equilibrium.position, equilibrium.position + TINY * shapes))
    trial = replace(equilibrium, position=moved, time=np.zeros(len(moved)))
    errors = mesh_errors(assembly, trial)[:, 0]
    motion = np.where(modes.eigenvalues > 0, np.abs(errors[1:] - errors[0]), 0.0)
    if not motion.max(initial=0.0) > 0:
        raise SpecError("no natural mode moves the teeth of the first mesh against each other")
    return float(modes.frequencies[int(np.argmax(motion))])


def largest_swing(samples: Floats, interval: float, frequency: float) -> Swing:
    """The damped swing with the largest amplitude near a frequency, in evenly spaced samples;
    unknown numbers where there is none."""
    near = (
        swing
        for swing in swings_in(samples, interval)
        if frequency / NEAR < swing.frequency < frequency * NEAR
    )
    none = Swing(math.nan, math.nan, 0.0)
    return max(near, key=lambda swing: swing.amplitude, default=none)


def swings_in(samples: Floats, interval: float) -> list[Swing]:
    """All damped swings in evenly spaced samples, by the matrix pencil."""
    scale = float(np.abs(samples).max())
    values = samples / scale
    rows = len(values) // 2
    hankel = np.lib.stride_tricks.sliding_window_view(values, rows)
    _, singular, right = np.linalg.svd(hankel, full_matrices=False)
    rank = min(int(np.sum(singular > LEAST_SINGULAR * singular[0])), 2 * MOST_SWINGS)
    space = right[:rank].T
    shift = np.linalg.lstsq(space[:-1], space[1:], rcond=None)[0]
    roots = np.linalg.eigvals(shift).astype(complex)
    powers = roots[None, :] ** np.arange(len(values))[:, None]
    parts = np.linalg.lstsq(powers, values.astype(complex), rcond=None)[0]
    exponents = np.log(roots) / interval
    return [
        Swing(abs(s) / (2 * math.pi), float(-s.real / abs(s)), float(2 * scale * abs(part)))
        for s, part in zip(exponents, parts, strict=True)
        if s.imag > 0
    ]


def _values(swings: list[Swing], torque: float) -> Values:
    frequency = np.array([swing.frequency for swing in swings])
    damping = np.array([swing.damping_ratio for swing in swings])
    return {
        "torque": torque,
        "mean_frequency": frequency.mean(),
        "lowest_frequency": frequency.min(),
        "highest_frequency": frequency.max(),
        "mean_damping": damping.mean(),
        "frequency": frequency,
        "damping_ratio": damping,
    }
