"""What the ways of the papers cost that can be chosen beside ours: the tables of
docs/theory/other_ways.md.

    python benchmarks/choices.py
"""

import itertools
import time
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

import flank
from flank.analyses.runs import ideal_velocity, loaded_equilibrium
from flank.dynamics.functions import constant, linear
from flank.dynamics.run import ContinuedRun, DynamicSettings, settings_for
from flank.dynamics.stability import stable_step
from flank.dynamics.trajectory import Trajectory
from flank.machines.base import Drive

REPEATS = 5

KEPT = {
    "cycloidal-drive": 2e-5,
    "monocrank": 2e-5,
    "rv-80": 1e-5,
    "rv-320": 1e-5,
    "few-teeth-60": 1e-5,
    "planetary-500kw": 5e-5,
    "planetary-lin-parker": 2e-5,
}
"""Time steps by preset."""

EXPLICIT = ("planetary-500kw", "planetary-lin-parker", "gear-pair", "cycloidal-drive", "rv-80")

OUTPUT = 4
"""The body of the cycloidal drive's carrier."""

DAMPINGS = {
    "hunt-crossley, 10 s/m": {},
    "approach, 500 N*s/m": {"damping_form": "approach", "damping": "500 N*s/m"},
    "viscous, 500 N*s/m": {"damping_form": "viscous", "damping": "500 N*s/m"},
}


class Stand:
    """A machine at its operating point: input at its speed, output under its load."""

    def __init__(self, preset: str, changes: dict | None = None) -> None:
        machine = flank.preset(preset, changes or {})
        equilibrium, _ = loaded_equilibrium(machine, 0.0, machine.load_torque)
        drive = Drive.of_ends(linear(machine.input_speed), constant(machine.load_torque))
        self.model = machine.assemble(drive).planar
        self.start = np.asarray(equilibrium.last)
        self.velocity = machine.input_speed * ideal_velocity(machine, 0.0)

    def run(self, settings: DynamicSettings, duration: float) -> tuple[Trajectory, float]:
        """The run, and the least processor time of some, without a look at its stability."""
        given = self.model, self.start, self.velocity
        ContinuedRun(*given).advance(3 * settings.step, settings)  # compile
        times = []
        for _ in range(REPEATS):
            going = ContinuedRun(*given)
            begin = time.process_time()
            found = going.advance(duration, settings)
            times.append(time.process_time() - begin)
        return found, min(times)


def apart(first: Trajectory, second: Trajectory) -> float:
    """Largest difference of a contact force over the largest one; of positions without contacts."""
    if first.contact_results.shape[1]:
        a, b = (run.contact_results["normal_force"] for run in (first, second))
    else:
        a, b = first.position, second.position
    return float(np.abs(a - b).max() / np.abs(a).max())


def kept_table() -> Iterator[str]:
    yield (
        "| preset | contacts | steps/s, iterations a step | kept: steps/s, iterations, tangents "
        "| faster | largest difference |"
    )
    yield "|---|---|---|---|---|---|"
    for preset, step in KEPT.items():
        stand = Stand(preset)
        plain = settings_for(stand.model, step)
        runs = [stand.run(replace(plain, keeps_tangent=kept), 200 * step) for kept in (False, True)]
        (one, one_time), (other, other_time) = runs
        rates = [found.counters["steps"] / spent for found, spent in runs]
        turns = [found.counters["newton_iterations"] / found.counters["steps"] for found, _ in runs]
        tangents = other.counters["tangents"] / other.counters["steps"]
        yield (
            f"| {preset} | {one.contact_results.shape[1]} | {rates[0]:.0f}, {turns[0]:.2f} "
            f"| {rates[1]:.0f}, {turns[1]:.2f}, {tangents:.2f} "
            f"| {100 * (one_time / other_time - 1):+.0f} % | {apart(one, other):.0e} |"
        )


def explicit_table() -> Iterator[str]:
    yield (
        "| preset | fastest motion, rad/s | longest stable step, µs | explicit: steps/s "
        "| implicit: steps/s | explicit over implicit error in ten steps a period of it |"
    )
    yield "|---|---|---|---|---|---|"
    for preset in EXPLICIT:
        stand = Stand(preset)
        limit = stable_step(stand.model, stand.start, stand.velocity)
        step = 0.1 * 2 * np.pi / limit.rate
        whole = {"discontinuity_tolerance": np.inf, "penetration_tolerance": np.inf}
        implicit = DynamicSettings(step, spectral_radius=1.0, **whole)
        explicit = DynamicSettings(step, method="runge-kutta")
        exact = replace(explicit, step=step / 16)
        runs = [stand.run(settings, 64 * step) for settings in (explicit, implicit)]
        truth = stand.run(exact, 64 * step)[0].position[::16]
        off = [np.abs((found.position - truth) * stand.model.weights).max() for found, _ in runs]
        rates = [found.counters["steps"] / spent for found, spent in runs]
        yield (
            f"| {preset} | {limit.rate:.3g} | {limit.step * 1e6:.3g} | {rates[0]:.0f} "
            f"| {rates[1]:.0f} | {off[0] / off[1]:.2g} |"
        )


def damping_table() -> Iterator[str]:
    """The drive at its operating point, its output set on faster by a percent of its speed."""
    yield "| damping | steps/s | iterations a step | contacts that switched | swing left |"
    yield "|---|---|---|---|---|"
    for name, contact in DAMPINGS.items():
        stand = Stand("cycloidal-drive", {f"contact.{key}": v for key, v in contact.items()})
        mean = stand.velocity[OUTPUT, 2]
        stand.velocity[OUTPUT, 2] *= 1.01
        found, spent = stand.run(settings_for(stand.model, 1e-5), 4e-3)
        counters, steps = found.counters, found.counters["steps"]
        swing = np.abs(found.velocity[:, OUTPUT, 2] / mean - 1)
        yield (
            f"| {name} | {steps / spent:.0f} | {counters['newton_iterations'] / steps:.2f} "
            f"| {counters['contact_switches']} | {100 * swing[-50:].max() / swing.max():.1f} % |"
        )


if __name__ == "__main__":
    tables = damping_table(), explicit_table(), kept_table()
    print("\n".join(itertools.chain(*((*table, "") for table in tables))))
