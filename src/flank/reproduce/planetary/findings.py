"""The numbers that the findings compare: closed forms, and figures of what was computed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from flank.geometry.willis import ToothNumbers
from flank.machines.meshed_pair import MeshedPair
from flank.machines.meshes import stiffness_table
from flank.machines.planetary.gearbox import PlanetaryGearbox
from flank.reproduce.planetary.computing import (
    DURATION,
    PAPER,
    PRESET,
    PUBLISHED,
    PULSE,
    STAGE,
    STAGE_DAMPING,
    STAGE_FORCES,
    STIFFER,
    TABLE_1C,
    TABLE_10A,
    TEXT_STIFFNESS,
    TORQUE,
    Periods,
    RestingSwing,
    StageRun,
    StageRuns,
    Swings,
    gearbox,
    mesh_name,
    planets,
)
from flank.reproduce.planetary.switching import Offset, phases
from flank.reproduce.planetary.turbulence import TurbulentRun
from flank.reproduce.study import Finding, largest
from flank.texts import joined


@dataclass(frozen=True)
class Evidence:
    """All that was computed: swings by planets, rigid and flexible with the stiffness of the text,
    of the caption and by the working radius, or by damping; and the 500 kW stage, under a constant
    torque by mesh model, and under one like that of turbulent wind by damping."""

    rigid: Swings
    text: Swings
    caption: Swings
    working: Swings
    damped: Swings
    periods: Mapping[tuple[int, float], Periods]
    first_stage: StageRun
    stages: StageRuns
    resting: RestingSwing
    offsets: Sequence[Offset]
    turbulent: Mapping[float, TurbulentRun]


class Ratios(NamedTuple):
    """Speeds of planets and sun over the carrier's, the ring held."""

    planet: float
    sun: float


def willis(teeth: ToothNumbers) -> Ratios:
    """(ω_p - ω_c) z_p = -ω_c z_r, (ω_s - ω_c) z_s = ω_c z_r."""
    return Ratios(1 - teeth.ring / teeth.planet, 1 + teeth.ring / teeth.sun)


def as_printed(teeth: ToothNumbers) -> Ratios:
    """Where the deflection of Eq. 9, read with its plus sign for planet and ring, stays zero."""
    planet = 1 + teeth.ring / teeth.planet
    return Ratios(planet, 1 - teeth.planet / teeth.sun * (planet - 1))


def rigid_angle(count: int, ratios: Ratios | None = None) -> float:
    """Final carrier angle in degrees, T t₁ (t₂ - t₁/2)/I_eff for a torque until t₁.

    I_eff = I_c + N (m_p a² + I_p i_p²) + I_s i_s², i the speeds over the carrier's.
    """
    machine = gearbox(PRESET, planets(count))
    speeds = ratios or willis(machine.kinematics.teeth)
    masses, radius = machine.masses, machine.spec.carrier_radius
    mass, inertia = masses.planet
    total = masses.carrier[1] + count * (mass * radius**2 + inertia * speeds.planet**2)
    total += masses.sun[1] * speeds.sun**2
    return math.degrees(TORQUE * PULSE * (DURATION - 0.5 * PULSE) / total)


class MeshFrequencies(NamedTuple):
    """Hz of the sun's and the ring's meshes."""

    sun: float
    ring: float


def mesh_frequencies(machine: PlanetaryGearbox) -> MeshFrequencies:
    """Of both meshes, by angles against the carrier."""
    each = machine.orders["mesh"] * abs(machine.input_speed) / (2 * math.pi)
    return MeshFrequencies(each, each)


def frequencies_by_equation_13(machine: PlanetaryGearbox) -> MeshFrequencies:
    """From θ̄_1 = (θ_1 - r_b2/r_b1 θ_2)/2 with the angles themselves, as Eq. 13 is printed."""
    teeth = machine.kinematics.teeth
    turns = willis(teeth)
    sun = 0.5 * (turns.sun - teeth.planet / teeth.sun * turns.planet)
    planet = 0.5 * turns.planet  # the ring stands still
    speed = abs(machine.input_speed) / (2 * math.pi)
    return MeshFrequencies(abs(sun) * teeth.sun * speed, abs(planet) * teeth.planet * speed)


def steady_acceleration(force: float, count: int) -> float:
    """rad/s² of a sun on which `count` planets push with this tangential force, nothing else."""
    machine = gearbox(PRESET, planets(count))
    radius = machine.layout.gears.sun_planet.working_radii[0]
    return count * force * radius / machine.masses.sun[1]


def reflected_inertia(printed: float) -> float:
    """kg·m² at the generator that the sun feels as `printed`, through 81/20 and 72/29."""
    return printed / (81 / 20 * 72 / 29) ** 2


def differences(kind: str, run: StageRun, paper: float) -> list[float]:
    """Means of one kind of mesh over the paper's force (kN), less one, in %; loaded meshes only."""
    forces = [run.mean.get(mesh_name(kind, planet), 0.0) for planet in (1, 2, 3)]
    top = max(map(abs, forces))
    return [100 * (force / (1e3 * paper) - 1) for force in forces if abs(force) > 1e-6 * top]


def findings(evidence: Evidence) -> list[Finding]:
    """The agreement first, then the paper's mistakes."""
    return PAPER.judged(
        _angles(evidence)
        | _stage(evidence)
        | _turbulence(evidence)
        | _speeds()
        | _offsets(evidence.offsets)
        | _phases()
        | _vibrations(evidence)
        | _inertias()
    )


def _angles(evidence: Evidence) -> dict[str, Any]:
    def flexible_off(swings: Swings) -> float:
        return largest(swings[n].angle - paper.flexible for n, paper in TABLE_1C.items())

    rigid, damped = evidence.rigid, evidence.damped
    deviation = 100 * (1 - TABLE_10A[60] / rigid_angle(3))
    return {
        "rigid_off": largest(rigid[n].angle - paper.rigid for n, paper in TABLE_1C.items()),
        "flexible_off": flexible_off(evidence.text),
        "caption_off": flexible_off(evidence.caption),
        "damped_off": largest(damped[d].angle - paper for d, paper in TABLE_10A.items()),
        "rigid_angle_3": rigid_angle(3),
        "last_deviation_here": deviation,
    }


def _stage(evidence: Evidence) -> dict[str, Any]:
    stages, first = evidence.stages, evidence.first_stage
    complete = all(run.complete for run in stages.values())
    off = [
        value
        for run in stages.values()
        for kind, paper in zip(("sun", "ring"), STAGE_FORCES["flexible"], strict=True)
        for value in differences(kind, run, paper)
    ]
    rigid = stages["rigid", 0.0]
    apart = [
        100 * (run.mean.get(mesh, math.nan) / force - 1)
        for run in stages.values()
        for mesh, force in rigid.mean.items()
    ]
    suns = [rigid.mean_force(mesh_name("sun", planet)) for planet in (1, 2, 3)]
    tables = [stages["table", damping] for damping in STAGE_DAMPING]
    swings = [run.deviation.get(mesh_name("sun", 1), math.nan) / 1e3 for run in tables]
    sun, ring = STAGE_FORCES["rigid"]
    gears = gearbox(STAGE, {}).layout.gears
    angles = gears.planet_ring.working_angle, gears.sun_planet.working_angle
    return {
        "stage_off": largest(off) if complete else math.nan,
        "stage_sun": abs(STAGE_FORCES["flexible"][0]),
        "stage_ring": abs(STAGE_FORCES["flexible"][1]),
        "models_apart": largest(apart),
        "shares": [suns[1] / suns[0], suns[2] / suns[0]],
        "rigid_sun": abs(suns[0]),
        "rigid_ring": abs(rigid.mean_force(mesh_name("ring", 1))),
        "swings": swings,
        "half_swing": 0.5 * swings[0],
        "inertia_torques": [run.inertia_torque / 1e3 for run in tables],
        "resting": evidence.resting.deviation / 1e3,
        "printed_sun": abs(sun),
        "printed_ring": abs(ring),
        "printed_ratio": abs(ring / sun),
        "angles": [math.degrees(angle) for angle in angles],
        "cosines": math.cos(angles[0]) / math.cos(angles[1]),
        "normal": abs(first.normal.get(mesh_name("sun", 1), math.nan)) / 1e3,
    }


def _turbulence(evidence: Evidence) -> dict[str, Any]:
    machine, runs = gearbox(STAGE, {}), [evidence.turbulent[each] for each in STAGE_DAMPING]
    pairs = {"sun": machine.sun_pair(0), "ring": machine.ring_pair(0)}
    torque, radius = runs[0].mean_torque, machine.spec.carrier_radius
    even = torque / (2 * machine.planet_count * radius) / 1e3
    means = [abs(runs[0].mean.get(mesh_name(kind, 1), math.nan)) / 1e3 for kind in pairs]
    return {
        "stiffness_ratios": [
            stiffness_ratio(kind, meshed, runs[0]) for kind, meshed in pairs.items()
        ],
        "bare_ratios": [bare_ratio(meshed) for meshed in pairs.values()],
        "contact_ratios": [meshed.pair.contact_ratio for meshed in pairs.values()],
        "damper_shares": [100 * runs[0].damper_share(kind) for kind in pairs],
        "turbulent_swings": [run.swing / 1e3 for run in runs],
        "mean_of_both": 0.5 * sum(means),
        "even_shares": [0.99 * even, 1.01 * even],
    }


def stiffness_ratio(kind: str, meshed: MeshedPair, run: TurbulentRun) -> float:
    """Of a mesh in a run: with two pairs of teeth over that with one, middle values."""
    if not run.complete:
        return math.nan
    record, limit = run.meshes[kind], meshed.pair.path[1] - meshed.pair.base_pitch
    two = record.roll < limit
    return float(np.median(record.stiffness[two]) / np.median(record.stiffness[~two]))


def bare_ratio(meshed: MeshedPair) -> float:
    """The same of teeth alone, on bodies that do not give way."""
    table, (start, end), pitch = stiffness_table(meshed), meshed.pair.path, meshed.pair.base_pitch
    rolls = np.linspace(start, start + pitch, 1001)
    ahead = np.where(
        rolls + pitch <= end, np.interp(rolls + pitch, table.rolls, table.stiffness), 0
    )
    total, two = np.interp(rolls, table.rolls, table.stiffness) + ahead, ahead > 0
    return float(np.median(total[two]) / np.median(total[~two]))


def _speeds() -> dict[str, Any]:
    """What signs and angles as printed would give."""
    teeth = gearbox(PRESET, {}).kinematics.teeth
    stage = gearbox(STAGE, {})
    return {
        "right": willis(teeth),
        "wrong": as_printed(teeth),
        "wrong_angle": rigid_angle(3, as_printed(teeth)),
        "mesh_frequency": mesh_frequencies(stage).sun,
        "printed_frequencies": list(frequencies_by_equation_13(stage)),
    }


def _offsets(offsets: Sequence[Offset]) -> dict[str, Any]:
    """In pitches: between equations that should agree, and from the geometry."""
    plain = {offset.equation: offset.tooth for offset in offsets if "x = 0" in offset.gears}
    shifted = [offset for offset in offsets if "shifted" in offset.gears]
    return {
        "equations_apart": [
            abs(math.remainder(plain[a] - plain[b], 1)) for a, b in ((17, 19), (18, 20))
        ],
        "shifted_off": [min(abs(offset.tooth), abs(offset.space)) for offset in shifted],
        "by_chance": abs(plain[17]),
    }


def _phases() -> dict[str, Any]:
    """Which gearboxes of Table 1 switch all planets at once."""
    distinct = {n: len(set(np.round(phases(n), 6) % 1.0)) for n in TABLE_1C}
    thirds = {0.0: "0", 0.333: "1/3", 0.667: "2/3"}
    three = np.round(phases(3) % 1.0, 3)
    return {
        "distinct": list(distinct.values()),
        "together": joined((n for n, number in distinct.items() if number == 1), "and"),
        "apart": joined((n for n, number in distinct.items() if number > 1), "and"),
        "phases_of_three": ", ".join(thirds.get(value, f"{value:g}") for value in three),
    }


def _vibrations(evidence: Evidence) -> dict[str, Any]:
    soft = [p.first for (_, k), p in evidence.periods.items() if k == TEXT_STIFFNESS]
    stiff = evidence.periods[3, STIFFER].first
    damped = evidence.damped[60]
    late = (force[damped.time > 4.0] for force in damped.tangential.values())
    return {
        "soft_periods": [max(soft), min(soft)],
        "soft_halves": [max(soft) / 2, min(soft) / 2],
        "stiff_period": stiff,
        "stiff_half": stiff / 2,
        "left": max(map(largest, late), default=math.nan),
        "acceleration": steady_acceleration(PUBLISHED["last_force"], 3),
    }


def _inertias() -> dict[str, Any]:
    machine = gearbox(STAGE, {})
    mass, printed = machine.masses.planet
    sun = machine.masses.sun[1]
    disc = 0.5 * mass * machine.spec.planet_gear.reference_radius**2
    return {
        "planet_mass": mass,
        "planet_inertia": printed,
        "disc_inertia": disc,
        "at_carrier": mass * 0.2775**2,
        "sun_inertia": sun,
        "generator": reflected_inertia(sun),
    }
