"""The numbers that the findings compare: closed forms, and figures of what was computed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.polynomial import Polynomial

from flank.arrays import Floats
from flank.machines.cv_joint.figures import cage_force, track_force
from flank.reproduce.cv_joint.computing import (
    BY_HERTZ,
    CASES,
    DRIVEN,
    DRIVING,
    FRICTION,
    PAPER,
    PAPERS,
    SOFTER,
    STIFFNESSES,
    TORQUE,
    CagePath,
    ForcePath,
    Stiffness,
    Turned,
    joint,
)
from flank.reproduce.study import Finding

CLEARANCES = (0.0, 5e-6)
"""m on either side of a ball in its window."""

ORDERS: list[int] = CASES["orders"]

UNFINISHED = Finding(
    "Not every computation completed; the tables show which, and nothing is concluded."
)

TurnsOverFriction = Mapping[float, Turned]
CagePaths = Mapping[tuple[Stiffness, float], CagePath]
ForcePaths = Mapping[tuple[Stiffness, float, int], ForcePath]
"""By stiffness, clearance of the window on either side in m, and sign of the torque."""


@dataclass(frozen=True)
class Evidence:
    """All that was computed: paths at rest, revolutions by friction, at the paper's friction, with
    the inner race free to slide, with one that nothing guides sideways either, by contact angle in
    degrees and with one thing changed, ramps, and N/m along the axis."""

    cages: CagePaths
    forces: ForcePaths
    turns: Mapping[Stiffness, TurnsOverFriction]
    at_friction: Mapping[Stiffness, Turned]
    free: Mapping[str, Turned]
    unguided: Mapping[str, Turned]
    angles: Mapping[float, Turned]
    changed: Mapping[str, Turned]
    ramps: CagePaths
    axial: Mapping[str, float]

    def parts(self) -> Iterator[Any]:
        """Everything that the findings take numbers from."""
        for turns in self.turns.values():
            yield from turns.values()
        groups: tuple[Mapping[Any, Any], ...] = (
            *(self.at_friction, self.free, self.unguided, self.angles),
            *(self.cages, self.forces, self.ramps),
        )
        for group in groups:
            yield from group.values()


def regression(torques: Mapping[float, float]) -> Polynomial:
    """T₂ = c₀ + c₁ μ + c₂ μ² in N·m of torques by their friction, by least squares."""
    return Polynomial.fit(list(torques), list(torques.values()), 2).convert()


def regressions(turns: TurnsOverFriction) -> dict[str, Polynomial]:
    """Parabolas of the driven race: of low friction, and of all."""
    low: float = PAPER.published["low_frictions"]
    torques = {mu: turn.secondary[DRIVEN] for mu, turn in turns.items() if turn.complete}
    lowest = {mu: torque for mu, torque in torques.items() if mu <= low}
    return {f"0 to {low:g}": regression(lowest), f"0 to {max(turns):g}": regression(torques)}


def bounds(friction: float) -> tuple[float, float]:
    """T tan(β/2) ∓ 2 μ T/(π sin α) in N·m, if every ball slides along both of its tracks."""
    machine = joint(PAPERS)
    ideal = machine.torque * math.tan(0.5 * machine.deflection)
    sliding = 2 * friction * machine.torque / math.pi / math.sin(machine.spec.tracks.contact_angle)
    return ideal - sliding, ideal + sliding


def sliding_loss(friction: float) -> float:
    """(4/π) μ T Ω tan(β/2)/sin α in W, under the same assumption."""
    machine = joint(PAPERS)
    power = friction * machine.torque * machine.speed
    power /= math.sin(machine.spec.tracks.contact_angle)
    return 4 / math.pi * power * math.tan(0.5 * machine.deflection)


def rigid_track_force(torque: float) -> float:
    """Force in N of one loaded flank of rigid tracks, to all orders of the inclinations:
    T = m PCD/2 F (sin α_ca cos α ± cos α_ca sin α sin β)."""
    spec = joint(PAPERS).spec
    angle, race = spec.tracks.contact_angle, spec.geometry.outer
    beside = math.cos(angle) * math.sin(race.skew) * math.sin(race.inclination)
    arm = math.sin(angle) * math.cos(race.skew) + math.copysign(beside, torque)
    return abs(torque) / (spec.balls.count * spec.pitch_radius * arm)


def longest_fixed_point_step(stiffness: Stiffness) -> float:
    """s below which the fixed-point iteration of the trapezoidal rule contracts, 2/ω of a ball
    between its two loaded contacts."""
    machine = joint(stiffness)
    constant = machine.contacts.stiffness(machine.contacts.outer_track)
    slope = 1.5 * constant ** (2 / 3) * track_force(machine.spec, TORQUE) ** (1 / 3)
    return 2 / math.sqrt(2 * slope / machine.masses.ball.mass)


def largest_friction() -> float:
    """The peak of μ_3 with the preset's coefficients."""
    return float(
        np.max(joint(PAPERS).contacts.friction_coefficient(np.geomspace(1e-5, 1.0, 20_001)))
    )


class FlankForces(NamedTuple):
    """Extremes of one ball's force on its inner track, over Eq. 23, and degrees where they are."""

    largest: float
    largest_at: float
    least: float
    least_at: float
    opposite: float


def flank_forces(turn: Turned, force: float) -> FlankForces:
    angle, forces = turn.centred(turn.of_ball("track_force") / force)
    loaded, other = forces[:, turn.loaded], forces[:, 1 - turn.loaded]
    high, low = int(loaded.argmax()), int(loaded.argmin())
    return FlankForces(loaded[high], angle[high], loaded[low], angle[low], float(other.max()))


def other_side(turn: Turned, smooth: Turned) -> float:
    """Percent of the time that balls press against the side of their window that they leave alone
    without friction."""
    preferred = smooth.curves["window_force"][:-1].mean(axis=0).argmax(axis=-1)
    force = turn.curves["window_force"][:-1]
    against = np.take_along_axis(force, (1 - preferred)[None, :, None], axis=-1)
    return 100 * float((against > 0).mean())


def axial_values(turn: Turned) -> list[float]:
    """Peak to peak in µm, and the amplitudes of the orders."""
    orders, amplitudes = turn.amplitudes("axial_place")
    places = [int(np.argmin(np.abs(orders - n))) for n in ORDERS]
    return [1e6 * float(np.ptp(turn.curves["axial_place"])), *(1e6 * amplitudes[places])]


def findings(evidence: Evidence) -> list[Finding]:
    """In the order of the figures; nothing but what completed is spoken of."""
    if not all(part.complete for part in evidence.parts()):
        return [UNFINISHED, *replace(PAPER, findings=[]).judged(closed_forms())]
    return PAPER.judged(
        closed_forms()
        | _cage(evidence)
        | _forces(evidence)
        | _secondary(evidence)
        | _tracks(evidence)
        | _ball(evidence.at_friction[PAPERS], evidence.angles)
        | _axial(evidence)
        | _unguided(evidence.unguided)
    )


def closed_forms() -> dict[str, Any]:
    """Numbers that need no run."""
    spec = joint(PAPERS).spec
    ideal = track_force(spec, TORQUE)
    return {
        "rigid_share": rigid_track_force(TORQUE) / ideal,
        "rigid_share_reversed": rigid_track_force(-TORQUE) / ideal,
        "steps": [1e6 * longest_fixed_point_step(each) for each in STIFFNESSES],
        "reversed_cage": cage_force(spec, -TORQUE) / cage_force(spec, TORQUE),
        "largest_friction": largest_friction(),
    }


def _cage(evidence: Evidence) -> dict[str, Any]:
    paths = {key: 100 * (path.at_load_case() - 1) for key, path in evidence.cages.items()}
    lag = [100 * (1 - evidence.at_friction[s].cage_ratio) for s in STIFFNESSES]
    torques = sorted({torque for _, torque in paths})
    growth = [np.diff([paths[s, torque] for torque in torques]) for s in STIFFNESSES]
    off = [paths[s, TORQUE] for s in STIFFNESSES]
    return {
        "cage_off": off,
        "cage_lag": lag,
        "cage_growth": np.min(growth),
        "cage_contrast": abs(lag[1] / lag[0]),
        "cage_moved": np.add(off, lag),
        "cage_ramps": min(
            abs(1 - evidence.ramps[SOFTER, torque].at_rest())
            / abs(1 - evidence.ramps[PAPERS, torque].at_rest())
            for torque in torques
        ),
    }


def _forces(evidence: Evidence) -> dict[str, Any]:
    spec = joint(PAPERS).spec
    ideal = track_force(spec, TORQUE)
    tight, open_window = CLEARANCES
    window = evidence.forces[PAPERS, open_window, 1]
    soft = evidence.forces[BY_HERTZ, open_window, 1]
    most = int(window.counter.argmax())
    return {
        "track_share": evidence.forces[PAPERS, tight, 1].at("loaded", TORQUE) / ideal,
        "track_share_hertz": evidence.forces[BY_HERTZ, tight, 1].at("loaded", TORQUE) / ideal,
        "limit_torque": window.limit_torque(),
        "limit_hertz": soft.limit_torque(),
        "below_hertz": soft.first_torque(),
        "cage_500": window.at("cage", 500.0),
        "equation_24": cage_force(spec, 500.0),
        "opposite_share": window.counter[most] / window.loaded[most],
        "reversed_first": evidence.forces[PAPERS, open_window, -1].first_torque(),
    }


def _secondary(evidence: Evidence) -> dict[str, Any]:
    stiff, hertz = evidence.turns[PAPERS], evidence.turns[BY_HERTZ]
    low, every = regressions(stiff).values()
    most, at = max(stiff), stiff[FRICTION]
    driven = stiff[most].secondary[DRIVEN]
    beyond = [
        max(bounds(mu)[0] - turn.secondary[race], turn.secondary[race] - bounds(mu)[1])
        for turns in (stiff, hertz)
        for mu, turn in turns.items()
        if mu > 0
        for race in (DRIVEN, DRIVING)
    ]
    sums = [turn.secondary[DRIVEN] + turn.secondary[DRIVING] for turn in stiff.values()]
    return {
        "share": 100 * at.secondary[DRIVEN] / TORQUE,
        "driving": at.secondary[DRIVING],
        "bounds": bounds(FRICTION),
        "beyond": max(beyond),
        "astray": 100 * max(abs(total / sum(bounds(0.0)) - 1) for total in sums),
        "low": low,
        "most": most,
        "by_low": low(most),
        "driven_at_most": driven,
        "off_parabola": 100 * (driven / low(most) - 1),
        "linear": every.coef[1],
        "hertz_at_most": hertz[most].secondary[DRIVEN],
        "loss": at["loss"],
        "loss_sliding": sliding_loss(FRICTION),
    }


def _tracks(evidence: Evidence) -> dict[str, Any]:
    turns, force = evidence.turns[PAPERS], track_force(joint(PAPERS).spec, TORQUE)
    flanks = {mu: flank_forces(turn, force) for mu, turn in turns.items()}
    sides = {mu: other_side(turn, turns[0.0]) for mu, turn in turns.items()}
    return {
        "peaks": [flank.largest for flank in flanks.values()],
        "peaks_at": [flank.largest_at for flank in flanks.values()],
        "smooth": flanks[0.0],
        "rough": flanks[FRICTION],
        "roughest": flanks[max(turns)],
        "first_wrong": min((mu for mu, side in sides.items() if side > 0), default=math.nan),
        "wrong_side": sides[FRICTION],
        "wrong_side_at_most": sides[max(turns)],
    }


def largest_spins(turn: Turned) -> Floats:
    """rad/s about x, y and z of its inner track, of the first ball."""
    return np.asarray(np.abs(turn.of_ball("ball_spin")).max(axis=0))


def _ball(turn: Turned, by_angle: Mapping[float, Turned]) -> dict[str, Any]:
    spins = largest_spins(turn)
    ratios = {angle: largest_spins(each) for angle, each in sorted(by_angle.items())}
    ratio = {angle: float(spin[0] / spin[1]) for angle, spin in ratios.items()}
    cardan = turn.of_ball("ball_cardan")
    amplitude = 500 * np.ptp(turn.of_ball("ball_place")[:, 2])
    circle = 2e3 * joint(PAPERS).spec.pitch_radius
    return {
        "amplitude": amplitude,
        "stroke": 2 * amplitude,
        "pitch_circle": circle * PAPER.published["ball_stroke"] / amplitude,
        "drilling": turn["largest_drilling"],
        "drift": math.degrees(cardan[-1, 0] - cardan[0, 0]),
        "spins": spins,
        "spin_ratio": spins[0] / spins[1],
        "spin_ratios": list(ratio.values()),
        "dominant_from": min(
            (angle for angle, each in ratio.items() if each > 1), default=math.nan
        ),
    }


def _axial(evidence: Evidence) -> dict[str, Any]:
    motions = {name: axial_values(turn) for name, turn in evidence.free.items()}
    orders = dict(zip(ORDERS, motions["6e12"][1:], strict=True))
    forbidden = max(orders[n] for n in PAPER.published["forbidden_orders"])
    named = min(orders[n] for n in PAPER.published["axial_orders"])
    return {
        "axial": {name: values[0] for name, values in motions.items()},
        "forbidden_share": forbidden / orders[4],
        "named_share": named / orders[4],
        "rates": {name: abs(1e-6 * rate) for name, rate in evidence.axial.items()},
    }


def _unguided(turns: Mapping[str, Turned]) -> dict[str, Any]:
    motions = {name: axial_values(turn) for name, turn in turns.items()}
    orders = dict(zip(ORDERS, motions["nothing"][1:], strict=True))
    ranges = {name: values[0] for name, values in motions.items()}
    return {
        "unguided": ranges,
        "unguided_named": min(orders[n] for n in PAPER.published["axial_orders"]) / orders[4],
        "unguided_forbidden": max(orders[n] for n in (1, 2, 8, 16)) / orders[4],
        "over_deflection": [ranges[name] for name in ("deflection 1°", "nothing", "deflection 4°")],
        "first_doubled": ranges["nothing"] / ranges["deflection 1°"],
        "doubled": ranges["deflection 4°"] / ranges["nothing"],
        "over_speed": [
            ranges[name] for name in ("speed 150 rpm", "nothing", "speed 600 rpm", "speed 1500 rpm")
        ],
        "faster": ranges["speed 600 rpm"] / ranges["nothing"],
    }
