"""Flanks under load in space: closed forms, other solvers, symmetries, differences and energy."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from bevel_flanks import FACE, MATE, SPUR, spur_pair
from cases import Case
from scipy.optimize import brentq, nnls

import flank
from flank.arrays import Floats
from flank.contact.iterated_loads import deletion
from flank.contact.partial_contact import SectionPoints, distribute_sections, section_work
from flank.contact.spatial.flank_forces import evaluate_flanks, flank_work
from flank.contact.spatial.flank_sections import FlankLoading
from flank.contact.spatial.flank_tangent import flank_tangent
from flank.contact.spatial.loaded_flanks import FlankLoad, LoadedFlanks
from flank.dynamics.spatial.quaternions import matrix_of
from flank.elasticity.elliptic_contact import EllipticContact, contact_approach, semi_axes
from flank.elasticity.line_contact import DeepBody, line_law, line_load
from flank.elasticity.material import STEEL, contact_modulus
from flank.geometry.flank_pair import FlankPair
from flank.machines.bevel_pair.machine import BevelPairMachine
from flank.reproduce.hypoid.computing import poses_at
from flank.reproduce.hypoid.one_position import sections_of
from flank.reproduce.hypoid.unloaded import mirrored

LAW = {-0.5: 0.0, -0.25: 0.03125, 0.0: 0.125, 0.25: 0.28125, 0.5: 0.5, 1.0: 1.0}
"""Force of a section of unit spread and compliance over its penetration."""

LAG = {"spiral-bevel-nasa": 7e-4, "bevel-pair": 8.5e-4}
"""rad: about 350 N m on the pinion."""


@dataclass(frozen=True)
class Rigid:
    """A gear that gives way only where it is touched, down to a depth."""

    depth: float
    period: int = 1

    def depth_at(self, u: Floats, v: Floats) -> Floats:
        return np.full(len(u), self.depth)

    def influence(self, u: Floats, v: Floats, offset: int, tooth: int = 0) -> Floats:
        return np.zeros((len(u), len(u)))


@cache
def machine(preset: str) -> BevelPairMachine:
    made = flank.preset(preset)
    assert isinstance(made, BevelPairMachine)
    return made


@cache
def loaded(preset: str, points: int = 40, method: str = "proportion") -> LoadedFlanks:
    return machine(preset).loaded_flanks(points=points, method=method)


def loads(flanks: LoadedFlanks, lag: float, count: int = 12) -> list[FlankLoad]:
    """Over a pitch."""
    pair = flanks.loading.pair
    return [
        flanks.at(float(pair.start[0] + pair.pitch * k / count), lag, tangent=False)
        for k in range(count)
    ]


def mean_torque(flanks: LoadedFlanks, lag: float) -> float:
    return float(np.mean([load.first_torque for load in loads(flanks, lag)]))


def spur_flanks(crowning: float, depth: float, sections: int) -> LoadedFlanks:
    """Crowned spur teeth on rigid bodies."""
    rigid = Rigid(depth), Rigid(depth)
    return LoadedFlanks(
        FlankLoading(spur_pair(crowning), rigid, (STEEL, STEEL), sections, apex=None)
    )


def at_start(flanks: LoadedFlanks, lag: float) -> FlankLoad:
    return flanks.at(float(flanks.loading.pair.start[0]), lag, tangent=False)


def curvature(pair: FlankPair) -> float:
    """1/ρ₁ + 1/ρ₂ of the involutes where the pair touches at the start."""
    u, v = pair.start[1:3]
    radius = float(np.hypot(*pair.surfaces[0].points(u, v)[:2]))
    first = SPUR.roll_length(radius)
    both = (SPUR.reference_radius + MATE.reference_radius) * math.sin(SPUR.pressure_angle)
    return 1 / first + 1 / (both - first)


def closed_cases() -> Iterator[Case]:
    """Involute flanks in space as a line contact, and crowned as Hertz's ellipse."""
    flanks = spur_flanks(0.0, 3e-3, 40)
    load, bent = at_start(flanks, 3e-4), curvature(flanks.loading.pair)
    body = DeepBody(3e-3, STEEL)
    law = line_law(body, body, 1.0)
    constant = np.array(law.constant + law.slope * math.log(bent))
    exact = FACE * float(line_load(np.array(load.places[0, 3]), constant, law.slope))
    yield Case("force of uncrowned teeth", "line contact", exact, load.force.sum(), "N", 1e-6)
    for crowning in (2e-6, 10e-6, 40e-6, 100e-6, 300e-6):
        yield from _hertz_cases(crowning)


def _hertz_cases(crowning: float) -> Iterator[Case]:
    """Approach under Hertz's force and force at Hertz's approach, with the depth at which a line
    contact approaches alike in the middle, 2 a e^(ν/2(1-ν)). A tenth in the approach is 1.5 tenths
    in the force, which grows by its power of 3/2."""
    contact = EllipticContact(
        2 * crowning / (0.5 * FACE) ** 2,
        curvature(spur_pair(crowning)),
        contact_modulus(STEEL, STEEL),
    )
    force = 200.0
    axes = sorted(semi_axes(contact, force))
    depth = 2 * axes[1] * math.exp(0.3 / 1.4)
    flanks = spur_flanks(crowning, depth, 100)
    approach = contact_approach(contact, force)
    lag = approach / MATE.base_radius
    found = brentq(lambda at: at_start(flanks, at).force.sum() - force, 0.5 * lag, 2 * lag)
    slenderness = axes[1] / axes[0]
    name = f"crowned teeth, ellipse of 1:{slenderness:.0f}"
    known, computed = 1e6 * approach, 1e6 * found * MATE.base_radius
    yield Case(f"{name}, approach", "Hertz", known, computed, "um", 0.1)
    carried = at_start(flanks, lag).force.sum()
    allowed = 0.1 if slenderness > 30 else 0.15
    yield Case(f"{name}, force", "Hertz", force, carried, "N", allowed)


def law_cases() -> Iterator[Case]:
    """The law of the proportion, and load distributions against other solvers."""
    none, unit = np.zeros(1), np.ones(1)
    for depth, known in LAW.items():
        section = SectionPoints(np.zeros((1, 1)), np.array([depth]), unit, unit, none, unit)
        work = section_work(1)
        distribute_sections(section, 1, work)
        yield Case(f"proportion at g/v = {depth:g}", "closed form", known, work.force[0], "", 1e-12)
    yield from _solver_cases()


def _solver_cases() -> Iterator[Case]:
    flanks = loaded("bevel-pair")
    flanks.at(float(flanks.loading.pair.start[0]), LAG["bevel-pair"], tangent=False)
    points = sections_of(flanks)
    count = len(points.depth)
    straight = points._replace(
        spread=np.zeros(count), slope=np.zeros(count), constant=np.full(count, 6e-11)
    )
    # least of ½ F C F - d F over F >= 0 is that of |L F - L⁻ᵀ d|, C = Lᵀ L
    whole = straight.compliance + np.diag(straight.constant / straight.length)
    root = np.linalg.cholesky(whole).T
    expected, _ = nnls(root, np.linalg.solve(root.T, straight.depth))
    work = section_work(count)
    distribute_sections(straight, count, work)
    apart = float(np.abs(work.force - expected).max() / expected.max())
    source = "bounded least squares"
    yield Case(
        "12/37 with a straight law, largest difference of forces", source, 0.0, apart, "", 1e-8
    )
    few, fine = (_line_total(size) for size in (40, 400))
    yield Case("a contact line on 40 sections, total", "400 points", fine, few, "N", 0.03)


def _line_total(count: int) -> float:
    """Of a line of 25 mm whose penetration falls like a parabola, by sections or, where many, by
    points that touch or do not."""
    x = (np.arange(count) + 0.5) / count
    points = SectionPoints(
        2e-9 * np.exp(-np.abs(x[:, None] - x) / 0.3),
        20e-6 - 120e-6 * (x - 0.4) ** 2,
        -240e-6 * (x - 0.4) / count,
        np.full(count, 1.2e-10),
        np.full(count, 6e-12),
        np.full(count, 25e-3 / count),
    )
    work = section_work(count)
    if count < 100:
        distribute_sections(points, count, work)
    else:
        deletion(points, count, work, np.zeros((0, count)))
    return float(work.force.sum())


def element_cases() -> Iterator[Case]:
    """The force between two bodies in space."""
    for preset, name in (("spiral-bevel-nasa", "12/36"), ("bevel-pair", "12/37")):
        flanks, lag = loaded(preset), LAG[preset]
        pair = flanks.loading.pair
        angle = float(pair.start[0] + 0.13)
        tangent = flanks.at(angle, lag).stiffness
        step = 1e-8
        around = [flanks.at(angle, lag + k * step, tangent=False).torque for k in (-2, -1, 1, 2)]
        slope = (8 * (around[2] - around[1]) - (around[3] - around[0])) / (12 * step)
        yield Case(f"{name}: stiffness", "differences", slope, tangent, "N m/rad", 1e-6)
        yield reaction_case(flanks, name, lag)
        yield _symmetry_case(flanks, name, lag)
        yield _smooth_case(flanks, name, lag)
        backward = [load.torque for load in loads(flanks, lag)]
        again = [
            flanks.at(float(pair.start[0] + pair.pitch * k / 12), lag, tangent=False).torque
            for k in range(11, -1, -1)
        ]
        apart = float(np.abs(np.array(again[::-1]) / backward - 1).max())
        yield Case(
            f"{name}: torque with the pitch walked both ways", "itself", 0.0, apart, "", 1e-6
        )
        least = min(float(load.force.min()) for load in loads(flanks, lag))
        yield Case(f"{name}: a force that pulls", "none", 0.0, min(least, 0.0), "N", 0.0)


def reaction_case(flanks: LoadedFlanks, name: str, lag: float) -> Case:
    """Forces and moments on both bodies, all of it turned and shifted in space."""
    position, matrix = poses_at(flanks, 0.1, lag)
    turn = matrix_of(np.array([0.8, 0.2, -0.4, 0.4]))
    position, matrix = position @ turn.T + [0.1, 0.2, -0.3], np.ascontiguousarray(turn @ matrix)
    work, force = flank_work(flanks.mesh), np.zeros(12)
    evaluate_flanks(flanks.mesh, 0, position, matrix, np.zeros((2, 6)), 0, 1, work, force)
    on = force.reshape(2, 2, 3)
    moments = on[:, 1] + np.cross(position, on[:, 0])
    left = max(np.abs(on[:, 0].sum(axis=0)).max(), np.abs(moments.sum(axis=0)).max())
    size = float(left / np.abs(force).max())
    return Case(f"{name}: forces and moments of both bodies together", "none", 0.0, size, "", 1e-10)


def _symmetry_case(flanks: LoadedFlanks, name: str, lag: float) -> Case:
    """The tangent of all coordinates of both bodies."""
    position, matrix = poses_at(flanks, 0.1, lag)
    work, force, block = flank_work(flanks.mesh), np.zeros(12), np.zeros((12, 12))
    evaluate_flanks(flanks.mesh, 0, position, matrix, np.zeros((2, 6)), 0, 1, work, force)
    flank_tangent(flanks.mesh, position, matrix, 0, 1, 0.0, 1.0, work, block)
    uneven = float(np.abs(block - block.T).max() / np.abs(block).max())
    return Case(f"{name}: tangent less its transpose", "a potential", 0.0, uneven, "", 1e-10)


def _smooth_case(flanks: LoadedFlanks, name: str, lag: float) -> Case:
    """From first touch to the load in steps of about 5 nm: how much the stiffness changes."""
    angle = float(flanks.loading.pair.start[0] + 0.05)
    lags = 0.5 * lag + 6.5e-8 * np.arange(400)
    stiffness = np.array([flanks.at(angle, float(each)).stiffness for each in lags])
    jump = float(np.abs(np.diff(stiffness)).max() / stiffness.mean())
    return Case(f"{name}: stiffness from step to step as points come in", "C1", 0.0, jump, "", 1e-3)


def symmetry_cases() -> Iterator[Case]:
    """Sections about either apex, mirror image, energy over a pitch, few and many points."""
    for preset, name in (("spiral-bevel-nasa", "12/36"), ("bevel-pair", "12/37")):
        flanks, lag = loaded(preset), LAG[preset]
        mean = mean_torque(flanks, lag)
        made, loading = machine(preset), flanks.loading
        apex = -made.teeth.blanks[1].apex_beyond - made.bodies[1].centre
        other = LoadedFlanks(replace(loading, carrier=1, apex=apex))
        found = mean_torque(other, lag)
        yield Case(
            f"{name}: mean torque, sections about the wheel's apex",
            "the pinion's",
            mean,
            found,
            "N m",
            0.01,
        )
        image = LoadedFlanks(replace(loading, pair=mirrored(loading.pair)))
        yield Case(
            f"{name}: mean torque of the mirror image",
            "itself",
            mean,
            mean_torque(image, lag),
            "N m",
            1e-6,
        )
        each = loads(flanks, lag, 480)
        gained = float(
            np.mean([load.first_torque - load.torque * abs(loading.pair.ratio) for load in each])
        )
        yield Case(
            f"{name}: work over a pitch without friction, over that of the pinion",
            "nothing won or lost",
            0.0,
            gained / mean,
            "",
            1e-6,
        )
        fine = mean_torque(loaded(preset, 200, "deletion"), lag)
        yield Case(
            f"{name}: mean torque, proportion on 40 points",
            "deletion on 200",
            fine,
            mean,
            "N m",
            2e-3,
        )
