"""How sections of contact lines share a load when some of them touch in part.

A point i stands for a section of its contact line, of length l_i. Across it the penetration of the
undeformed bodies changes by the spread v_i, from d_i - v_i/2 to d_i + v_i/2 (Wagner, Schumann,
Schlecht 2022). Think of the section as many points side by side that share its curvature and its
compliance B_ii, and know of each other nothing else. With all else of the bodies' compliance B

    g_i = d_i - Σ_{j≠i} B_ij F_j,
    F_i = Φ_i(g_i) = ∫ φ_i(g_i + v_i x) dx  over |x| < 1/2,

where φ_i(δ), zero below zero, is the force of the section if all of it were pressed by δ: the
inverse of δ = B_ii F + l-wise line contact, F'(P_i + l_i B_ii - Q ln F'), F' = F/l_i. With U_i the
energy ∫ φ_i dδ, in closed form,

    Φ(g) = [U(g + v/2) - U(g - v/2)]/v,     Φ'(g) = [φ(g + v/2) - φ(g - v/2)]/v.

φ is continuous, so Φ is C1, and even in v; it is nowhere negative and rises wherever it is not
zero. For a straight law φ = δ/C it is w (g + (1 - w) v/2)/C with the proportion in contact
w = 1/2 + g/v between 0 and 1. As v goes to zero this is the problem of `load_distribution`.

**One answer.** φ' = 1/(w' + B_ii) < 1/B_ii, w' > 0 the slope of the line contact law, so the mean
Φ' of φ' is below 1/B_ii as well. The conditions are those of the least of

    E(F) = Σ ∫ Φ_i⁻¹ dF_i + ½ Σ_{i≠j} F_i B_ij F_j - Σ d_i F_i,     F >= 0,

whose Hessian B + diag(1/Φ' - B_ii) is that of a matrix without negative directions and a positive
diagonal: E is strictly convex. Its least place is the only answer, and C1 in all that is given.

**Solving it.** Newton's method in g. Where a section bears, (1/Φ' + B_ij) dF = -r with the matrix
above, symmetric and positive. A step that does not bring the residual down is halved, then given up
for sweeps in which each section is settled in its turn: each is the least of E along one
coordinate, so that sweeps alone converge. Where bodies are so soft that this takes long, spreads
are first taken wider than they are, which makes all Φ smoother, and narrowed in stages, each from
the forces of the last.
"""

import math
from typing import NamedTuple

import numpy as np

from flank.arrays import Floats, Integers
from flank.contact.laws.line import line_contact
from flank.contact.load_distribution import (
    ROUND_OFF,
    SOLVED,
    STALLED,
    TOLERANCE,
    factor_loaded,
    solve_loaded,
)
from flank.elasticity.line_contact import LEAST_W
from flank.kernel import kernel

STEPS = 25
WIDENINGS = 40
"""Stages in which spreads shrink to what they are, by NARROWING, from the greatest depth on."""

NARROWING = 0.35
HALVINGS = 4
SWEEPS = 3
"""In which each section is settled in its turn, where Newton's method fails."""

NARROW = 0.02
"""Spread over penetration: below it Φ is a sum of three points, right to round-off."""

GAUSS = 0.5 * math.sqrt(0.6)
"""Of the spread: from the middle to the outer points of Gauss's rule of three."""

(
    ENERGY,
    FORCE,
    BY_SPREAD,
    BY_CONSTANT,
    BY_SEAT,
    FORCE_BY_SPREAD,
    FORCE_BY_CONSTANT,
    TWICE_SPREAD,
    SPREAD_BY_CONSTANT,
    TWICE_CONSTANT,
) = range(10)
"""Entries of `section_energy`."""

BEARING = 1e-13
"""Of the largest stiffness: a section that has less of it counts as open in Newton's method."""


class SectionPoints(NamedTuple):
    """What is given of m sections, for kernels."""

    compliance: Floats  # m/N, (m, m): B
    depth: Floats  # m, d
    spread: Floats  # m, v; its sign does not matter
    constant: Floats  # 1/Pa, P with all that is known of curvature
    slope: Floats  # 1/Pa, Q; zero: a straight law
    length: Floats  # m


class SectionWork(NamedTuple):
    """Answers, and scratch."""

    force: Floats  # N: where a solution begins and ends
    seat: Floats  # m, g
    give: Floats  # m/N, 1/Φ' - B_ii of what bears
    stiffness: Floats  # N/m, Φ'
    residual: Floats
    step: Floats
    move: Floats  # of g
    trial: Floats  # of g
    factor: Floats  # (m, m)
    active: Integers  # numbers of sections that bear


def section_points(count: int) -> SectionPoints:
    """Room for so many sections."""
    return SectionPoints(np.zeros((count, count)), *np.zeros((5, count)))


def section_work(count: int) -> SectionWork:
    """Scratch for so many sections, none of them pressed."""
    return SectionWork(
        force=np.zeros(count),
        seat=np.zeros(count),
        give=np.zeros(count),
        stiffness=np.zeros(count),
        residual=np.zeros(count),
        step=np.zeros(count),
        move=np.zeros(count),
        trial=np.zeros(count),
        factor=np.zeros((count, count)),
        active=np.zeros(count, dtype=np.int64),
    )


@kernel(internal=True)
def pressed(depth, constant, slope):
    """Load per length, its slope by the depth, and the energy per length; see `line_contact`."""
    if depth <= 0.0:
        return 0.0, 0.0, 0.0
    if slope == 0.0:
        return depth / constant, 1.0 / constant, 0.5 * depth * depth / constant
    return line_contact(depth, constant, slope, 1.0, 1.0)


@kernel(internal=True)
def section_force(seat, spread, constant, slope, length):
    """Φ, and its derivative by g; the constant of the section's law has l B_ii in it."""
    width = abs(spread)
    high = seat + 0.5 * width
    if high <= 0.0:
        return 0.0, 0.0
    if width < NARROW * high:  # Gauss's rule: differences of energies would lose digits
        away = GAUSS * width
        load, stiffness, _energy = pressed(seat, constant, slope)
        up, stiff_up, _energy = pressed(seat + away, constant, slope)
        down, stiff_down, _energy = pressed(seat - away, constant, slope)
        share = length / 18.0
        return (
            share * (8.0 * load + 5.0 * (up + down)),
            share * (8.0 * stiffness + 5.0 * (stiff_up + stiff_down)),
        )
    load_high, _stiffness, energy_high = pressed(high, constant, slope)
    load_low, _stiffness, energy_low = pressed(seat - 0.5 * width, constant, slope)
    share = length / width
    return share * (energy_high - energy_low), share * (load_high - load_low)


@kernel(internal=True)
def section_energy(seat, spread, constant, slope, out):
    """Ψ = ∫ Φ dg per length and all its derivatives up to the second by g, v and P in `out`
    (10,): Ψ, Φ, Ψ_v/v, Ψ_P, Φ_g, Φ_v, Φ_P, Ψ_vv, Ψ_vP, Ψ_PP."""
    width = abs(spread)
    high = seat + 0.5 * width
    if high <= 0.0:
        for i in range(10):
            out[i] = 0.0
        return
    if width < NARROW * high:
        _narrow_energy(seat, width, constant, slope, out)
        return
    f, _k, u, w, u_p, w_p, w_pp = _integrals(high, constant, slope)
    f_low, _k, u_low, w_low, u_p_low, w_p_low, w_pp_low = _integrals(
        seat - 0.5 * width, constant, slope
    )
    over = 1.0 / width
    out[ENERGY] = over * (w - w_low)
    out[FORCE] = over * (u - u_low)
    out[BY_CONSTANT] = over * (w_p - w_p_low)
    out[BY_SEAT] = over * (f - f_low)
    out[FORCE_BY_CONSTANT] = over * (u_p - u_p_low)
    out[TWICE_CONSTANT] = over * (w_pp - w_pp_low)
    by_spread = over * (0.5 * (u + u_low) - out[ENERGY])
    out[BY_SPREAD] = over * by_spread
    out[FORCE_BY_SPREAD] = over * (0.5 * (f + f_low) - out[FORCE])
    out[SPREAD_BY_CONSTANT] = over * (0.5 * (u_p + u_p_low) - out[BY_CONSTANT])
    out[TWICE_SPREAD] = over * (0.25 * (f - f_low) - 2.0 * by_spread)


@kernel(internal=True)
def _narrow_energy(seat, width, constant, slope, out):
    """The same by Gauss's rule of three points."""
    f, k, u, _w, u_p, _w_p, _w_pp = _integrals(seat, constant, slope)
    away = GAUSS * width
    f_up, k_up, u_up, _w, u_p_up, _w_p, _w_pp = _integrals(seat + away, constant, slope)
    f_down, k_down, u_down, _w, u_p_down, _w_p, _w_pp = _integrals(seat - away, constant, slope)
    g = _reached(f, constant, slope)
    g_up = _reached(f_up, constant, slope)
    g_down = _reached(f_down, constant, slope)
    middle = 8.0 / 18.0
    side = 5.0 / 18.0
    out[ENERGY] = middle * u + side * (u_up + u_down)
    out[FORCE] = middle * f + side * (f_up + f_down)
    out[BY_CONSTANT] = middle * u_p + side * (u_p_up + u_p_down)
    out[BY_SEAT] = middle * k + side * (k_up + k_down)
    out[FORCE_BY_CONSTANT] = -middle * g * k - side * (g_up * k_up + g_down * k_down)
    out[TWICE_CONSTANT] = middle * g * k * (2.0 * g - f)
    out[TWICE_CONSTANT] += side * g_up * k_up * (2.0 * g_up - f_up)
    out[TWICE_CONSTANT] += side * g_down * k_down * (2.0 * g_down - f_down)
    out[TWICE_SPREAD] = side * GAUSS * GAUSS * (k_up + k_down)
    out[BY_SPREAD] = out[TWICE_SPREAD]
    if width > 1e-5 * seat:
        out[BY_SPREAD] = side * GAUSS * (f_up - f_down) / width
    out[FORCE_BY_SPREAD] = side * GAUSS * (k_up - k_down)
    out[SPREAD_BY_CONSTANT] = -side * GAUSS * (g_up * k_up - g_down * k_down)


@kernel(internal=True)
def _reached(load, constant, slope):
    """The load, or that at which the law of line contact ends."""
    return min(load, math.exp(constant / slope - LEAST_W)) if slope > 0.0 else load


@kernel(internal=True)
def _integrals(depth, constant, slope):
    """Per length at a depth: load f, its slope, U = ∫ f dδ, W = ∫ U dδ, and U_P, W_P, W_PP at the
    fixed depth. With δ = Q f w, w = P/Q - ln f: f_P = -f f', U_P = -f²/2, U_PP = f² f', and

        W = Q² f³/6 (w² - 5w/6 + 2/9),   W_P = -Q f³/6 (w - 2/3),   W_PP = f³/3;

    beyond the end of the law, f = g, straight with the slope 1/Q."""
    load, stiffness, energy = pressed(depth, constant, slope)
    if load == 0.0:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    g = _reached(load, constant, slope)
    cube = g * g * g
    if slope == 0.0:
        twice = constant * constant * cube / 6.0
        return load, stiffness, energy, twice, -0.5 * g * g, -constant * cube / 6.0, cube / 3.0
    w = constant / slope - math.log(g)
    twice = slope * slope * cube / 6.0 * (w * w - 5.0 / 6.0 * w + 2.0 / 9.0)
    by_constant = -slope * cube / 6.0 * (w - 2.0 / 3.0)
    curved = cube / 3.0
    past = load - g
    if past > 0.0:
        twice += slope * slope * (0.25 * g * g * past + (load * load * load - cube) / 6.0)
        by_constant -= 0.5 * slope * g * past * load
        curved += 0.5 * g * past * (3.0 * g - load)
    return load, stiffness, energy, twice, -g * (load - 0.5 * g), by_constant, curved


@kernel
def distribute_sections(points, count, work):
    """Forces of the first `count` sections, from and into work.force; returns status and steps."""
    deepest = 0.0
    for i in range(count):
        reach = points.depth[i] + 0.5 * abs(points.spread[i])
        if not abs(reach) < math.inf:
            return STALLED, 0
        deepest = max(deepest, reach)
    if deepest == 0.0:
        for i in range(count):
            work.force[i] = 0.0
            work.seat[i] = points.depth[i]
            work.stiffness[i] = 0.0
        return SOLVED, 0
    status, steps = _settle(points, count, deepest, 0.0, work)
    if status == SOLVED:
        return status, steps
    least = deepest
    for _ in range(WIDENINGS):
        _status, taken = _settle(points, count, deepest, least, work)
        steps += taken
        least *= NARROWING
    status, taken = _settle(points, count, deepest, 0.0, work)
    return status, steps + taken


@kernel(internal=True)
def _settle(points, count, deepest, least, work):
    """Newton's method, with no spread below `least`; returns status and steps."""
    for i in range(count):
        if not work.force[i] < math.inf:
            work.force[i] = 0.0
    for i in range(count):
        work.seat[i] = points.depth[i] - _others(points, count, i, work.force)
    error = _residuals(points, count, least, work.seat, work)
    for step in range(STEPS):
        if error <= TOLERANCE * deepest:
            return SOLVED, step
        _newton_move(points, count, work)
        accepted, error = _advance(points, count, error, least, work)
        if not accepted:
            error = _sweep(points, count, least, work)
        if not error < math.inf:
            break
    return STALLED, STEPS


@kernel(internal=True)
def section_constant(points, i):
    """P + l B_ii, of a section that bears its own part of the bodies' compliance by itself."""
    return points.constant[i] + points.length[i] * points.compliance[i, i]


@kernel(internal=True)
def _force_at(points, i, least, seat):
    constant = section_constant(points, i)
    spread = max(abs(points.spread[i]), least)
    return section_force(seat, spread, constant, points.slope[i], points.length[i])


@kernel(internal=True)
def _others(points, count, i, force):
    """What all other sections press this one away by."""
    give = 0.0
    for j in range(i):
        give += points.compliance[i, j] * force[j]
    for j in range(i + 1, count):
        give += points.compliance[i, j] * force[j]
    return give


@kernel(internal=True)
def _residuals(points, count, least, seat, work):
    """Forces, stiffness and residuals at g; returns the largest residual beyond round-off."""
    for i in range(count):
        work.force[i], work.stiffness[i] = _force_at(points, i, least, seat[i])
    error = 0.0
    for i in range(count):
        give = _others(points, count, i, work.force)
        work.residual[i] = seat[i] + give - points.depth[i]
        size = abs(seat[i]) + abs(points.depth[i])
        for j in range(count):  # what the round-off of g makes of forces counts, too
            rounded = work.force[j] + work.stiffness[j] * abs(seat[j])
            size += abs(points.compliance[i, j]) * rounded
        off = abs(work.residual[i]) - ROUND_OFF * size
        error = max(error, off) if off < math.inf else math.inf
    return error


@kernel(internal=True)
def find_bearing(points, count, work):
    """Sections with stiffness into work.active, and work.give for `factor_loaded`; how many."""
    stiffest = 0.0
    for i in range(count):
        stiffest = max(stiffest, work.stiffness[i])
    bearing = 0
    for i in range(count):
        if work.stiffness[i] > BEARING * stiffest:
            work.give[i] = 1.0 / work.stiffness[i] - points.compliance[i, i]
            work.active[bearing] = i
            bearing += 1
    return bearing


@kernel(internal=True)
def _newton_move(points, count, work):
    """Newton's step of g in work.move."""
    bearing = find_bearing(points, count, work)
    for row in range(bearing):
        work.step[row] = -work.residual[work.active[row]]
    factor_loaded(points, bearing, work)
    solve_loaded(work.factor, bearing, work.step)
    for i in range(count):
        move = -work.residual[i]
        for row in range(bearing):
            move -= points.compliance[i, work.active[row]] * work.step[row]
        work.move[i] = move
    for row in range(bearing):
        i = work.active[row]
        work.move[i] = work.step[row] / work.stiffness[i]


@kernel(internal=True)
def _advance(points, count, error, least, work):
    """As much of the step as brings the residual down; returns whether there is such, and it."""
    share = 1.0
    for _ in range(HALVINGS):
        for i in range(count):
            work.trial[i] = work.seat[i] + share * work.move[i]
        reached = _residuals(points, count, least, work.trial, work)
        if reached < (1.0 - 0.25 * share) * error:
            for i in range(count):
                work.seat[i] = work.trial[i]
            return True, reached
        share *= 0.5
    return False, error


@kernel(internal=True)
def _sweep(points, count, least, work):
    """Settle each section in its turn, from g as it was; returns the residual."""
    for i in range(count):
        work.force[i], work.stiffness[i] = _force_at(points, i, least, work.seat[i])
    for _ in range(SWEEPS):
        for i in range(count):
            work.seat[i] = points.depth[i] - _others(points, count, i, work.force)
            work.force[i], work.stiffness[i] = _force_at(points, i, least, work.seat[i])
    return _residuals(points, count, least, work.seat, work)
