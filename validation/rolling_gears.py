"""Gears that roll: what is kept, against a general integrator, the engine, and themselves."""

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np
from cases import Case
from scipy.integrate import solve_ivp

import flank
from flank.analyses.result import Result
from flank.arrays import Floats
from flank.contact.loaded_mesh import loaded_mesh
from flank.dynamics.rolling import (
    APART,
    LOSSES,
    MEAN,
    READ,
    ROLLED,
    SQUARE,
    Modes,
    RollingMesh,
    RollingState,
    roll,
    rolling_state,
    rolling_work,
)
from flank.dynamics.rolling_mesh import RollingPair, rolling_mesh
from flank.dynamics.rolling_structure import HELD, Shaft, Train, body_modes, structure
from flank.machines.gear_pair.machine import GearPairMachine
from flank.machines.gear_pair.rolling import gear_loading, gear_train, held_modes

COMPLIANT = -1.0
"""Restitution of points that come back as elastic bodies do."""

MASS = 0.8
STIFFNESS = 3e8
NATURAL = math.sqrt(STIFFNESS / MASS) / (2 * math.pi)
SHAPE = np.array([[[1 / math.sqrt(MASS)]]])
"""One mass on one spring, kg and N/m, in Hz, and as a mode (place, pair, mode)."""


def mesh_of(stiffness: Floats, shape: Floats, gap: float = 0.0, slope: float = 0.0) -> RollingMesh:
    """Points whose stiffness (place, pair) varies over a base pitch; shape (place, pair, mode)."""
    stiffness = np.asarray(stiffness, dtype=float)
    places, pairs = stiffness.shape
    alike = np.zeros((0, places, pairs))
    return RollingMesh(
        slot=np.broadcast_to(np.arange(pairs), (places, pairs)).copy(),
        points=np.full(places, pairs),
        other_points=np.zeros(places, dtype=np.int64),
        compliance=np.zeros((places, pairs, pairs)),
        gap=np.full((places, pairs), gap),
        constant=1 / stiffness,
        slope=np.full((places, pairs), slope),
        length=np.ones((places, pairs)),
        shape=np.broadcast_to(shape, (places, pairs, np.shape(shape)[-1])).copy(),
        first_deviation=alike,
        second_deviation=alike,
        across=1,
        front_slots=pairs,
        slots=pairs,
        half_back=-math.inf,
    )


def modes_of(
    frequency, decay, error, load, waves=None, pitch: float = 0.0, damping: float = 0.0
) -> Modes:
    """Modes that do not go round; `waves` makes a pair of the last two."""
    count = len(frequency)
    partner, cosine, sine = np.arange(count), np.ones(count), np.zeros(count)
    if waves is not None:
        partner[-2:] = count - 1, count - 2
        cosine[-2:] = math.cos(waves * pitch)
        sine[-2:] = math.sin(waves * pitch), -math.sin(waves * pitch)
    given = (np.asarray(each, dtype=float) for each in (frequency, decay, [error], error, load))
    none = np.zeros(0), np.zeros(0)
    return Modes(*given, partner, cosine, sine, *none, damping)


def one_mass(damping_ratio: float = 0.0) -> Modes:
    rate = damping_ratio * math.sqrt(STIFFNESS / MASS)
    return modes_of([0.0], [rate], SHAPE[0, 0], SHAPE[0, 0])


def rolled(
    mesh: RollingMesh,
    modes: Modes,
    periods: Floats,
    load: float,
    state: RollingState | None = None,
    restitution: float = COMPLIANT,
    kept: int = 0,
) -> tuple[RollingState, Floats, Floats]:
    """State, figures of all cycles, and records of the last ones that are kept."""
    state = rolling_state(modes, mesh) if state is None else state
    figures = np.zeros((len(periods), 6))
    record = np.zeros((kept, len(mesh.points), READ + mesh.slots))
    loads = np.full((len(periods), 1), float(load))
    arguments = (np.ascontiguousarray(periods, dtype=float), loads, restitution, figures, record)
    status, cycles = roll(mesh, modes, state, *arguments, rolling_work(modes, mesh))
    assert (status, cycles) == (ROLLED, len(periods))
    return state, figures, record


def rms(figures: Floats) -> Floats:
    """Of the oscillating transmission error, by cycle."""
    return np.sqrt(np.maximum(figures[:, SQUARE] - figures[:, MEAN] ** 2, 0.0))


def wavy(places: int, depth: float) -> RollingMesh:
    """One mass on a spring whose stiffness varies as a cosine."""
    phase = 2 * np.pi * np.arange(places) / places
    return mesh_of(STIFFNESS * (1 + depth * np.cos(phase))[:, None], SHAPE)


def stepped(places: int = 100) -> RollingMesh:
    """One mass on springs as of one pair of teeth, and of two for three fifths of a cycle."""
    two = np.arange(places) < 0.6 * places
    return mesh_of(STIFFNESS * (1 + 0.3 * two)[:, None], SHAPE)


def energy_cases() -> Iterator[Case]:
    """A mass that bounces on one spring for a thousand cycles, nothing damped."""
    load, raised, source = 1000.0, 1.5e-5, "no damping, 1,000 cycles of 20 steps"
    kinds = (("compliant", COMPLIANT, 5e-3), ("impulses, e = 1", 1.0, 1e-9))
    for name, restitution, allowed in kinds:
        mesh, modes = mesh_of(np.full((20, 1), STIFFNESS), SHAPE), one_mass()
        state = rolling_state(modes, mesh)
        state.position[0] = -raised * math.sqrt(MASS)
        _, _, record = rolled(mesh, modes, np.full(1000, 1e-4), load, state, restitution, kept=1000)
        error, speed, force = (record[..., k].ravel() for k in (0, 1, READ))
        energy = 0.5 * MASS * speed**2 + 0.5 * force**2 / STIFFNESS - load * error
        off = float(np.abs(energy / (load * raised) - 1).max())
        assert np.sum(speed[1:] * speed[:-1] < 0) > 200  # it bounces
        if restitution == COMPLIANT:
            drift = energy[-2000:].mean() / energy[:2000].mean() - 1
            yield Case(f"{name}: drift of the energy", source, 0.0, abs(drift), "", 1e-4)
        yield Case(f"{name}: largest error of the energy", source, 0.0, off, "", allowed)


def between_flanks(mesh: RollingMesh, backlash: float) -> RollingMesh:
    """With points of the other flanks that are like those of the flanks that drive."""
    twice = {
        name: np.concatenate(2 * [getattr(mesh, name)], axis=1)
        for name in ("constant", "slope", "length")
    }
    places, points = mesh.gap.shape
    return mesh._replace(
        slot=np.broadcast_to(np.arange(2 * points), (places, 2 * points)).copy(),
        other_points=mesh.points,
        compliance=np.zeros((places, 2 * points, 2 * points)),
        gap=np.concatenate((mesh.gap, mesh.gap + backlash), axis=1),
        shape=np.concatenate((mesh.shape, -mesh.shape), axis=1),
        slots=2 * mesh.slots,
        half_back=-0.5 * backlash,
        **twice,
    )


def rattle_cases() -> Iterator[Case]:
    """A mass that flies from flank to flank without a load, nothing damped."""
    backlash, speed, source = 2e-5, 0.05, "no damping, 1,000 cycles of 50 steps"
    for name, restitution, allowed in (("compliant", COMPLIANT, 5e-3), ("e = 1", 1.0, 1e-9)):
        mesh = between_flanks(mesh_of(np.full((50, 1), STIFFNESS), SHAPE), backlash)
        state = rolling_state(one_mass(), mesh)
        state.velocity[0] = speed * math.sqrt(MASS)
        _, _, record = rolled(
            mesh, one_mass(), np.full(1000, 1e-4), 0.0, state, restitution, kept=1000
        )
        velocity = record[..., 1].ravel()
        energy = 0.5 * MASS * velocity**2
        energy += 0.5 * (record[..., READ:] ** 2).sum(axis=-1).ravel() / STIFFNESS
        off = float(np.abs(energy / (0.5 * MASS * speed**2) - 1).max())
        name = f"from flank to flank, {name}"
        yield Case(f"{name}: largest error of the energy", source, 0.0, off, "", allowed)
        if restitution == COMPLIANT:
            contact = math.pi * math.sqrt(MASS / STIFFNESS)
            turns = np.sum(velocity[1:] * velocity[:-1] < 0)
            times = 0.1 / (contact + backlash / speed)
            yield Case(f"{name}: impacts in 0.1 s", "closed form", times, turns, "", 0.01)


def momentum_cases() -> Iterator[Case]:
    """Two gears, the first on a shaft, hit each other: both angular momenta change together."""
    inertia, radii = np.array([0.012, 0.03]), np.array([0.07, 0.11])
    approach, output = np.array([0.07, -0.11]), np.array([0.0, 1.0])
    modes = structure(Train(inertia, [Shaft(0, HELD, 2e5)], approach, approach, output)).modes
    mesh = between_flanks(mesh_of(np.full((10, 1), 1e9), modes.error[None, None, :]), 4e-9)

    def angular_velocities(velocity: Floats) -> Floats:
        wheel = modes.output @ velocity
        return np.array([(modes.error @ velocity + radii[1] * wheel) / radii[0], wheel])

    unit = modes.error / np.sum(modes.error**2)
    flanks = (("", -1e-9, 1e-2), ("other flank, ", -3.5e-9, -1e-2))
    for (which, begin, speed), restitution in itertools.product(flanks, (0.0, 0.56, 1.0)):
        state = rolling_state(modes, mesh)
        state.position[:], state.velocity[:] = begin * unit, speed * unit
        before = angular_velocities(state.velocity)
        state, _, _ = rolled(mesh, modes, np.array([1e-7]), 0.0, state, restitution)
        after = angular_velocities(state.velocity)
        impulses = inertia * (after - before) / radii
        balance = abs(impulses.sum()) / np.abs(impulses).max()
        name = f"{which}e = {restitution:g}: impulses on both gears, unbalanced share"
        yield Case(name, "momentum", 0.0, float(balance), "", 1e-6)
        back = -float(modes.error @ state.velocity) / speed
        name = f"{which}e = {restitution:g}: speed of parting over that of approach"
        yield Case(name, "restitution", restitution, back, "", 1e-6)


def hand_over_cases() -> Iterator[Case]:
    """Two pairs that carry the same all the time, on a gear with a wave around it."""
    pitch, waves = 2 * math.pi / 17, 3
    share = np.linspace(0, 1, 50, endpoint=False)[:, None]
    angles = waves * pitch * (share - np.arange(2))
    shape = np.zeros((50, 2, 3))
    shape[..., 0] = 1.1
    shape[..., 1], shape[..., 2] = 0.4 * np.cos(angles), 0.4 * np.sin(angles)
    modes = modes_of([0.0, 6e4, 6e4], [500.0, 900.0, 900.0], [1.1, 0, 0], [1.1, 0, 0], waves, pitch)
    mesh = mesh_of(np.full((50, 2), 1e8), shape)
    state, _, _ = rolled(mesh, modes, np.full(3000, 5e-4), 500.0)
    _, _, record = rolled(mesh, modes, np.full(20, 5e-4), 500.0, state, kept=20)
    error = record[..., 0]
    size = float(error.std() / error.mean())
    name = "a wave handed from tooth to tooth: RMS over the mean deflection"
    yield Case(name, "nothing excites it", 0.0, size, "", 1e-9)


def integrator_cases() -> Iterator[Case]:
    """One degree of freedom, contact lost in every cycle, against SciPy; and its order."""
    period, load = 1 / (0.9 * NATURAL), 2000.0

    def rates(time: float, values: Floats) -> tuple[float, float]:
        now = STIFFNESS * (1 + 0.4 * math.cos(2 * np.pi * time / period))
        damping = 2 * 0.03 * math.sqrt(STIFFNESS * MASS) * values[1]
        return values[1], (load - now * max(values[0], 0.0) - damping) / MASS

    reference = solve_ivp(
        rates, (0, 30 * period), (0.0, 0.0), "DOP853", rtol=1e-9, atol=1e-14, max_step=period / 50
    )
    _, figures, record = rolled(wavy(400, 0.4), one_mass(0.03), np.full(30, period), load, kept=1)
    assert figures[:, LOSSES].sum() > 20
    name = "displacement after 30 cycles, nearly all of which part"
    pair = 1e6 * reference.y[0, -1], 1e6 * record[0, -1, 0]
    yield Case(name, "SciPy, DOP853", *pair, "µm", 3e-3)

    def end(places: int) -> float:
        _, _, record = rolled(wavy(places, 0.1), one_mass(0.05), np.full(5, 8e-4), load, kept=1)
        return float(record[0, -1, 0])

    places = (100, 200, 400, 800)
    ends = [end(count) for count in places]
    rate = tuple(
        (1 / count, abs(coarse - fine))
        for count, (coarse, fine) in zip(places[1:], itertools.pairwise(ends), strict=True)
    )
    order = math.log2(rate[-2][1] / rate[-1][1])
    name = "order of convergence in the step, no contact lost"
    yield Case(name, "theory", 2.0, order, "", 0.02, rate)


def jump(figures: Floats) -> int:
    """The cycle after which the vibration changes most."""
    return int(np.argmax(np.abs(np.diff(np.log(rms(figures))))))


def _settled_sweep(periods: Floats, load: float) -> Floats:
    mesh, modes = stepped(), one_mass(0.03)
    state, _, _ = rolled(mesh, modes, np.full(300, periods[0]), load)
    return rolled(mesh, modes, periods, load, state)[1]


def homogeneity_cases() -> Iterator[Case]:
    """Stiffness that does not know the load: vibration over torque is one curve."""
    up = np.geomspace(1 / (0.6 * NATURAL), 1 / (1.2 * NATURAL), 3000)
    for name, periods in (("up", up), ("down", up[::-1])):
        light, heavy = (_settled_sweep(periods, load) for load in (100.0, 3000.0))
        off = float(np.abs(rms(heavy) / rms(light) * 100 / 3000 - 1).max())
        assert light[:, APART].max() > 0.4
        name = f"sweep {name}, more than 40 % of a cycle apart"
        yield Case(f"{name}: RMS over load", "30 times the load", 0.0, off, "", 1e-6)
        frequencies = (1 / periods[jump(figures)] for figures in (light, heavy))
        yield Case(f"{name}: largest jump", "30 times the load", *frequencies, "Hz", 1e-6)


PLACES = 120
LOWEST, HIGHEST = 2000.0, 2600.0
"""rpm of the short sweeps, off the jumps."""


SPUR_OF_ELEMENTS = {"mesh.model": "fe", "mesh.slices": 1}


@cache
def spur() -> GearPairMachine:
    machine = flank.preset("spur-bruzzone", SPUR_OF_ELEMENTS)
    assert isinstance(machine, GearPairMachine)
    return machine


@cache
def pair_of(places: int = PLACES, modes: int = 0) -> RollingPair:
    return spur().rolling_pair(places, 1, modes, 0.01)


def load() -> float:
    """N along the line of action at the rated torque."""
    return spur().load_torque / spur().output_base_radius


def mesh_periods(lowest: float, highest: float, count: int) -> Floats:
    """Of 50 teeth at input speeds in rpm."""
    return 60 / (50 * np.linspace(lowest, highest, count))


def swept(pair: RollingPair, periods: Floats, state: RollingState | None = None) -> Floats:
    """Figures of cycles, after some that settle at the first period."""
    if state is None:
        state = pair.at_rest(load())
        rolled(pair.mesh, pair.modes, np.full(200, periods[0]), load(), state)
    return rolled(pair.mesh, pair.modes, periods, load(), state)[1]


def of_windows(figures: Floats, cycles: int = 20) -> Floats:
    """RMS of the transmission error in windows of some cycles."""
    means = figures[: len(figures) // cycles * cycles].reshape(-1, cycles, 6).mean(axis=1)
    return rms(means)


def sweep_cases() -> Iterator[Case]:
    """The spur pair of finite elements, one point a tooth, at its rated torque."""
    periods = mesh_periods(LOWEST, HIGHEST, 2000)
    coarse, fine = (of_windows(swept(pair_of(places), periods)) for places in (PLACES, 2 * PLACES))
    off = float(np.abs(fine / coarse - 1).max())
    name = "half the step: RMS over the speeds, largest change"
    yield Case(name, f"{2 * PLACES} steps a cycle", 0.0, off, "", 0.01)
    slow = of_windows(swept(pair_of(), mesh_periods(LOWEST, HIGHEST, 8000)))
    at = len(slow) // 2
    speed = LOWEST + (HIGHEST - LOWEST) * (20 * at + 10) / 8000
    held = of_windows(swept(pair_of(), mesh_periods(speed, speed, 400)))[-1]
    name = f"slow sweep at {50 / 60 * speed:.0f} Hz: RMS of the transmission error"
    yield Case(name, "dwell", 1e6 * held, 1e6 * slow[at], "µm", 2e-3)
    yield from continued_cases(periods)
    yield from engine_cases()


def continued_cases(periods: Floats) -> Iterator[Case]:
    pair = pair_of(PLACES, 12)
    state = pair.at_rest(load())
    parts = [swept(pair, part, state) for part in (periods[:700], periods[700:])]
    at_once = swept(pair, periods, pair.at_rest(load()))
    different = int(np.sum(np.concatenate(parts) != at_once))
    name = "a run continued, 24 modes: figures that differ in any bit"
    yield Case(name, "the same run at once", 0.0, different, "", 0.0)


def engine_cases() -> Iterator[Case]:
    """Contact solved for in every step, and the mesh model `fe` in the engine, through the same
    speeds."""
    speeds = {"lowest": "2000 rpm", "highest": "2030 rpm", "duration": "0.4 s", "direction": "up"}
    mine, engine = (
        flank.run(spur(), "rolling-sweep", points=1, **speeds),
        flank.run(spur(), "speed-sweep", mode="continuous", **speeds),
    )
    at, source = mine["speed"].values[2:-2], "engine, `fe`"
    expected = np.interp(at, engine["speed"].values, _vibration(engine))
    off = float(np.abs(_vibration(mine)[2:-2] / expected - 1).max())
    yield Case("RMS over the speeds, largest difference", source, 0.0, off, "", 0.01)


def _vibration(result: Result) -> Floats:
    return np.asarray(result["mesh_error_rms"].values[0, :, 0])


RUN_OUT = {
    "errors.pinion_eccentricity": "20 um",
    "errors.pinion_eccentricity_direction": "40 deg",
    "errors.wheel_eccentricity": "10 um",
    "errors.wheel_eccentricity_direction": "100 deg",
}
HELICAL = {"mesh.model": "fe", "input_shaft": None, "output_shaft": None, "mesh.slices": 9} | {
    f"{name}.support": {"kind": "rigid"} for name in ("pinion", "wheel")
}


SLOW_PLACES = 256


def slowly(machine: GearPairMachine, cycles: int) -> Floats:
    """Transmission error in m (cycle, place) of gears that hardly vibrate."""
    pair = machine.rolling_pair(SLOW_PLACES, machine.spec.mesh.slices, 0, 0.0)
    force = machine.load_torque / machine.output_base_radius
    damping = math.sqrt(machine.meshed.mean_stiffness * machine.mesh_mass)
    pair = replace(pair, modes=pair.modes._replace(damping=damping))
    periods, forces = np.full(cycles, 0.2), np.full(cycles, force)
    record = pair.rolled(periods, forces, pair.at_rest(force), cycles)
    assert record is not None
    return np.asarray(record[..., 0])


def slow_cases() -> Iterator[Case]:
    """Errors of gears, rolled slowly, against equilibria."""
    free = {"input_shaft": None}
    run_out = flank.preset("spur-bruzzone", SPUR_OF_ELEMENTS | RUN_OUT | free)
    turn = {"errors.misalignment": "80 arcsec", "errors.pinion_lead_slope": "6 um"}
    misaligned = flank.preset("gear-pair", HELICAL | turn)
    cases = (
        ("run-out of 40 and 20 µm", run_out, 50, 1600, 5e-3),
        ("helical, out of line by 16 µm and 6 µm over the face", misaligned, 2, 1600, 0.05),
    )
    for name, machine, cycles, points, allowed in cases:
        assert isinstance(machine, GearPairMachine)
        rolled_error = 1e6 * float(np.ptp(slowly(machine, cycles)))
        engine = flank.run(machine, "transmission-error", points_per_turn=points)
        size = machine.output_base_radius * float(np.ptp(engine["transmission_error"].values))
        name = f"{name}: transmission error, peak to peak"
        yield Case(name, "engine, `fe`", 1e6 * size, rolled_error, "µm", allowed)
    yield from tooth_cases(free)


def tooth_cases(free: dict[str, None]) -> Iterator[Case]:
    """Every tooth with a deviation of its own."""
    teeth = np.arange(50)
    pitch = {
        "pinion.pitch_deviations": (3e-6 * np.sin(2.7 * teeth)).tolist(),
        "wheel.pitch_deviations": (2e-6 * np.cos(1.9 * teeth)).tolist(),
        "pinion.profile_slopes": (2e-6 * np.cos(2.3 * teeth)).tolist(),
    }
    machine = flank.preset("spur-bruzzone", SPUR_OF_ELEMENTS | pitch | free)
    assert isinstance(machine, GearPairMachine)
    found, loading = slowly(machine, 12), gear_loading(machine, 1)
    at_rest = loaded_mesh(loading, np.array([machine.rated_torque]), 320, 13).transmission_error[0]
    places = (np.arange(found.size) + 1) / SLOW_PLACES
    expected = np.interp(places, (np.arange(at_rest.size) + 0.5) / 320, at_rest)
    off = float((found.ravel() - expected).std() / expected.std())
    name = "pitch and profile tooth by tooth: rms of the difference over 12 cycles"
    yield Case(name, "equilibria of the loaded mesh", 0.0, off, "", 0.01)


def body_cases() -> Iterator[Case]:
    """Modes of the bodies: none of the static answer is lost, and stiff ones change nothing."""
    rigid, elastic = pair_of(64), pair_of(64, 12)
    first, second = rigid.at_rest(load()), elastic.at_rest(load())
    source = "bodies without mass"
    moved = (
        1e6 * float(pair.modes.error @ state.position)
        for pair, state in ((rigid, first), (elastic, second))
    )
    yield Case("24 modes: static transmission error", source, *moved, "µm", 2e-3)
    largest = float(np.abs(second.force - first.force).max() / first.force.max())
    yield Case("24 modes: forces at rest, largest change", source, 0.0, largest, "", 0.01)
    periods = mesh_periods(LOWEST, HIGHEST, 2000)
    stiff = stiff_pair(30.0)
    ratio = swept(stiff, periods)[:, SQUARE] / swept(rigid, periods)[:, SQUARE]
    off = float(np.abs(np.sqrt(ratio) - 1).max())
    name = "24 modes thirty times as fast: transmission error, largest change"
    yield Case(name, "rigid bodies", 0.0, off, "", 1e-4)
    still, turning = (
        of_windows(swept(spur().rolling_pair(96, 1, 24, 0.01, frame), periods))
        for frame in (False, True)
    )
    off = float(np.abs(turning / still - 1).max())
    name = "48 modes, Coriolis and centrifugal forces: RMS over the speeds, largest change"
    yield Case(name, "without them", 0.0, off, "", 0.01)
    count = len(rigid.modes.frequency)
    yield Case("modes of the rigid pair on one shaft", "one shaft, one mesh", 2.0, count, "", 0.0)


def stiff_pair(factor: float) -> RollingPair:
    """The spur pair whose bodies have so many times their natural frequencies."""
    machine, loading = spur(), gear_loading(spur(), 1)
    first, second = (
        replace(modes, frequency=factor * modes.frequency) for modes in held_modes(machine, 1, 12)
    )
    bodies = body_modes((first, second), 12, (0.01, 0.01))
    carried = structure(gear_train(machine), bodies)
    return RollingPair(rolling_mesh(loading, carried, 64), carried.modes)
