"""Gears with elastic bodies in the engine: against the rolling formulation, the same meshes without
modes, and influence numbers between all teeth of a ring."""

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np
from cases import Case

import flank
from flank.analyses.natural_frequencies import modes_of
from flank.analyses.rolled_pair import line_load
from flank.analyses.runs import assemble_locked, ideal_velocity, linearize_at, loaded_equilibrium
from flank.arrays import Floats
from flank.contact.flexible_gear import amplitudes
from flank.contact.gear_loading import elastic_loading
from flank.contact.load_distribution import LoadPoints, distribute_total, line_depth, load_work
from flank.dynamics.functions import constant, linear
from flank.dynamics.rolling_mesh import RollingPair
from flank.dynamics.run import DynamicSettings, solve_dynamics, solve_statics
from flank.elasticity.finite_elements.influence import FlankGrid, flank_influence
from flank.elasticity.finite_elements.sector_mesh import GearBody, MeshDensity
from flank.machines.base import Drive
from flank.machines.gear_pair.machine import GearPairMachine
from flank.machines.gear_pair.rolling import gear_loading
from flank.machines.mesh_forces import mesh_errors
from flank.machines.planetary.gearbox import PlanetaryGearbox

ROLLING, SAME = "gears that roll, the same modes", "the same mesh without modes"
ELEMENTS = {"model": "fe", "slices": 1}
MODES, SETTLED, STEPS, PLACES = 12, 0.2, 100, 16
LOWEST, NEAR, FINE_STEPS = 6, 700.0, 400
"""Frequencies of the pair on bearings, a mesh frequency in Hz near its second one, 735 Hz, and
steps of a mesh period there, in which it swings six times at its sixth."""
BEDDING = 2e9
BEARING = {"kind": "bearing", "stiffness": "1e8 N/m", "damping": "600 N*s/m"}

RING = {
    "ring.mass": None,
    "ring.inertia": None,
    "ring.support": None,
    "held": None,
    "ring.outer_radius": "125 mm",
    "ring.bedding": "2e9 N/m^3",
    "ring_mesh": ELEMENTS,
    "planets.count": 4,
}


@cache
def flexible_pair(flexible: bool = True, sprung: bool = False) -> GearPairMachine:
    """The spur pair with little damping of its mesh: in the engine it acts on flanks, in the
    rolling formulation on shafts. Centres may stand on bearings."""
    changes: dict = {"mesh": ELEMENTS, "damping_ratio": "1 percent"}
    if flexible:
        for name in ("pinion", "wheel"):
            changes |= {f"{name}.flexible": True, f"{name}.modes": MODES}
    if sprung:
        changes |= {f"{name}.support": BEARING for name in ("pinion", "wheel")}
    machine = flank.preset("spur-bruzzone", changes)
    assert isinstance(machine, GearPairMachine)
    return machine


@cache
def gearbox(modes: int) -> PlanetaryGearbox:
    """Four planets in a thin ring; rigid between its meshes without modes."""
    changes = RING | ({"ring.flexible": True, "ring.modes": modes} if modes else {})
    machine = flank.preset("planetary-lin-parker", changes)
    assert isinstance(machine, PlanetaryGearbox)
    return machine


def flexible_pair_cases() -> Iterator[Case]:
    machine = flexible_pair()
    still, moved = (_wheel_angle(flexible_pair(flexible)) for flexible in (False, True))
    yield Case("flexible pair at rest, angle of the wheel", SAME, still, moved, "rad", 1e-6)
    pitch = 2 * math.pi / machine.spec.pinion.teeth
    engine = [_engine_frequency(machine, pitch * place / PLACES) for place in range(PLACES)]
    rolling = _rolling_frequencies(machine)
    for extreme, of in (("lowest", min), ("highest", max)):
        name = f"flexible pair, {extreme} torsional frequency within a pitch"
        yield Case(name, ROLLING, of(rolling), of(engine), "Hz", 1e-3)
    pair = machine.rolling_pair(400, None, 0, 0.01)
    for frequency in (2000.0, 3700.0):
        name = f"flexible pair at {frequency:.0f} Hz, RMS of the transmission error"
        expected, computed = _rolled(machine, pair, frequency), _marched(machine, frequency)
        yield Case(name, ROLLING, 1e6 * expected, 1e6 * computed, "um", 1e-2)
    yield Case(
        "flexible pair, amplitudes over a pitch, largest RMS variation of one of 12 modes",
        "0 if taken as constant",
        0.0,
        _variation(machine),
        "",
        0.1,
    )


def sprung_pair_cases() -> Iterator[Case]:
    """The same on elastic bearings, with bodies that vibrate and without."""
    for flexible, bodies in ((False, "rigid bodies"), (True, "12 modes a gear")):
        machine = flexible_pair(flexible, sprung=True)
        pair = machine.rolling_pair(400, None, 0, 0.01)
        place, loading = 100, gear_loading(machine, None)
        angle = loading.turned(loading.pair.base_pitch * place / 400)
        load = line_load(machine, machine.load_torque, 0.0)
        engine = _engine_frequencies(machine, angle)[:LOWEST]
        off = np.abs(_rolling_spectrum(pair, place, load)[:LOWEST] / engine - 1).max()
        name = f"pair on bearings, {bodies}: {LOWEST} lowest frequencies, largest difference"
        yield Case(name, "engine, `fe`", 0.0, float(off), "", 5e-3)
        expected, computed = _rolled(machine, pair, NEAR), _marched(machine, NEAR, FINE_STEPS)
        name = f"pair on bearings, {bodies}, at {NEAR:.0f} Hz, RMS of the transmission error"
        yield Case(name, "gears that roll", 1e6 * expected, 1e6 * computed, "um", 1e-2)


def _wheel_angle(machine: GearPairMachine, angle: float = 0.0) -> float:
    return float(loaded_equilibrium(machine, angle, machine.load_torque)[0].last[2, 2])


def _engine_frequency(machine: GearPairMachine, angle: float) -> float:
    """The second: the first is the shaft's."""
    return float(_engine_frequencies(machine, angle)[1])


def _engine_frequencies(machine: GearPairMachine, angle: float) -> Floats:
    assembly = assemble_locked(machine, angle)
    torque = np.array([machine.load_torque])
    path = solve_statics(assembly.model, machine.ideal_pose(angle), torque)
    return modes_of(assembly, linearize_at(assembly, path, 0)).frequencies


def _rolling_frequencies(machine: GearPairMachine) -> list[float]:
    """Of the modes with the mesh as it stands under the load, place by place."""
    pair = machine.rolling_pair(PLACES, None, 0, 0.01)
    load = machine.load_torque / machine.output_base_radius
    return [float(_rolling_spectrum(pair, place, load)[1]) for place in range(PLACES)]


def _rolling_spectrum(pair: RollingPair, place: int, load: float) -> Floats:
    """Hz, of all modes with the mesh at a place."""
    mesh, modes, count = pair.mesh, pair.modes, int(pair.mesh.points[place])
    shape, stiff = mesh.shape[place, :count], modes.frequency > 0
    give = np.where(stiff, 1 / np.where(stiff, modes.frequency, 1.0) ** 2, 0.0)
    rows = [getattr(mesh, name)[place, :count] for name in ("constant", "slope", "length")]
    compliance = mesh.compliance[place, :count, :count]
    gap = mesh.gap[place, :count] - shape @ (give * modes.load * load)
    points = LoadPoints(compliance + (shape * give) @ shape.T, gap, np.ones(count), *rows)
    work = load_work(count)
    distribute_total(points, count, load, 0.0, work)
    on = work.force > 0
    laws = zip(work.force[on], *(row[on] for row in rows), strict=True)
    own = compliance[np.ix_(on, on)] + np.diag([line_depth(*law)[1] for law in laws])
    stiffness = np.diag(modes.frequency**2) + shape[on].T @ np.linalg.solve(own, shape[on])
    return np.asarray(np.sqrt(np.linalg.eigvalsh(stiffness)) / (2 * math.pi))


def _rolled(machine: GearPairMachine, pair: RollingPair, frequency: float) -> float:
    load = machine.load_torque / machine.output_base_radius
    periods = round(SETTLED * frequency)
    state = pair.at_rest(load)
    times, loads = np.full(periods, 1 / frequency), np.full(periods, load)
    record = pair.rolled(times, loads, state, keep=_looked_at(frequency))
    assert record is not None
    return float(np.std(record[:, :, 0]))


def _marched(machine: GearPairMachine, frequency: float, steps: int = STEPS) -> float:
    speed = 2 * math.pi * frequency / machine.spec.pinion.teeth
    torque = machine.load_torque
    assembly = machine.assemble(Drive.of_ends(linear(speed), constant(torque), in_time=True))
    start, _ = loaded_equilibrium(machine, 0.0, torque)
    step = DynamicSettings(1 / frequency / steps, "trapezoid")
    velocity = speed * ideal_velocity(machine, 0.0)
    run = solve_dynamics(assembly.model, start.last, SETTLED, step, velocity=velocity)
    late = run.time > SETTLED - _looked_at(frequency) / frequency
    return float(np.std(mesh_errors(assembly, run)[late, 0]))


def _looked_at(frequency: float) -> int:
    """Mesh periods in a whole swing of the shaft, at 146 Hz."""
    return round(frequency / 146)


def _variation(machine: GearPairMachine) -> float:
    meshed, modes = machine.meshed, machine.modes[0]
    assert modes is not None
    loading = elastic_loading(meshed.pair, meshed.materials, meshed.strips, meshed.bodies)
    return _spread(loading, False, modes, meshed.load)


def _spread(loading, second, modes, load) -> float:
    places = loading.pair.base_pitch * np.arange(32) / 32
    rows = amplitudes(loading, second, modes, load, places)[:, np.unique(modes.number)]
    mean = rows.mean(axis=0)
    return float(np.max(np.sqrt(np.mean(np.abs(rows - mean) ** 2, axis=0)) / np.abs(mean)))


def flexible_ring_cases() -> Iterator[Case]:
    machine = gearbox(24)
    result = flank.run(machine, "natural-frequencies", count=60)
    families, frequencies = result["family"].values, result["frequency"].values
    ring = machine.ring_modes
    assert ring is not None
    lowest = ring.frequency[ring.harmonic == 2].min() / (2 * math.pi)
    alone = float(frequencies[families == "ring"][0])
    name = "elastic ring, four planets: its mode of two waves that no planet touches"
    yield Case(name, "the ring without meshes", float(lowest), alone, "Hz", 1e-6)
    paired = frequencies[families == "translational"].reshape(-1, 2)
    apart = float(np.max(paired[:, 1] / paired[:, 0] - 1))
    yield Case("its translational modes come in pairs, largest distance", "0", 0, apart, "", 1e-4)
    mixed = float(np.sum(families == "mixed"))
    yield Case("its modes outside all families", "Wu and Parker 2008", 0.0, mixed, "", 0.0)
    for modes, tolerance in ((24, 0.05), (48, 0.01)):
        expected, computed = _through_the_rim(modes)
        name = f"what three planets do to the ring at the fourth, {modes} modes"
        source = "influence numbers between all teeth"
        yield Case(name, source, 1e6 * expected, 1e6 * computed, "um", tolerance)
    pair = machine.ring_pair(0)
    elements = pair.pair, pair.materials, pair.strips, pair.bodies
    loading = elastic_loading(*elements, supports=pair.supports)
    varied = _spread(loading, True, ring, pair.load)
    name = "elastic ring, amplitudes over a pitch, largest RMS variation of one of 24 modes"
    yield Case(name, "0 if taken as constant", 0.0, varied, "", 0.1)


def _through_the_rim(modes: int) -> tuple[float, float]:
    """Along the line of action: by influence numbers, and by how far the carrier yields more than
    where meshes do not feel each other."""
    machine = gearbox(modes)
    carrier = [
        loaded_equilibrium(box, 0.0, box.load_torque)[0].last[3, 2] for box in (gearbox(0), machine)
    ]
    pair = machine.ring_pair(0).pair
    ring = replace(pair.second, held_radius=None)
    held = pair.second.held_radius
    assert held is not None
    body, grid = GearBody(pair.face_width, held), FlankGrid(face=1, teeth=None)
    material = machine.ring_pair(0).materials[1]
    numbers = flank_influence(ring, body, material, grid, MeshDensity(), BEDDING)
    middle, others = len(numbers.roll) // 2, np.isin(numbers.neighbours, (-60, -30, 30))
    moved = float(np.sum(numbers.compliance[others, middle, middle])) * machine.tooth_load
    radii = machine.spec.sun_gear.base_radius + ring.base_radius
    return moved, abs(carrier[1] - carrier[0]) * radii
