"""Involute geometry of published gear sets, mesh phases and speeds against constructions."""

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np
from cases import Case
from gear_stand import ANGLE

from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair
from flank.geometry.pair_checks import tip_margin, tip_overlap_number
from flank.geometry.planetary import PlanetarySet, equal_directions
from flank.geometry.willis import ToothNumbers, speeds


def gear(teeth: int, module: float, shift: float = 0.0, internal: bool = False, **more) -> Gear:
    """`module` in mm; edges sharp, as the published figures have them."""
    return Gear(teeth, module * 1e-3, ANGLE, shift, internal, **more)


def few_teeth(
    first: int, second: int, module: float, shift: float, addendum: float, clearance: float
) -> GearPair:
    """A gear in a ring whose shift is counted outward and whose tips follow the distance."""
    heights = {"addendum": addendum, "dedendum": addendum + clearance}
    inner = gear(first, module, **heights)
    ring = gear(second, module, -shift, True, **heights)
    angle = GearPair(inner, ring).tight_angle
    longer = shift - 0.5 * (second - first) * (math.cos(ANGLE) / math.cos(angle) - 1)
    return GearPair(inner, replace(ring, tip_shortening=-longer))


FEW_TEETH = {
    # teeth, module, shift of the ring, addendum, clearance: α', a, ε_α, G_s
    (60, 62, 4.0, 0.25, 0.64, 0.5): (36.808, 4.6947, 1.205, 0.010),
    (98, 100, 2.5, 0.2, 0.64, 0.5): (34.807, 2.8611, 1.222, -0.129),
    (38, 40, 2.0, 0.0, 1.0, 0.25): (20.0, 2.0, 2.22, -4.9),
    (38, 40, 2.0, 0.6, 0.7, 0.25): (46.03, 2.7071, 1.203, 0.716),
}
CLOSE_TIPS = few_teeth(60, 62, 4.0, 0.25, 0.64, 0.5)

NREL_5_MW = (
    # module, tooth numbers, shifts, helix, centre distances
    (45, (19, 17, 56), (0.617, 0.802, -0.501), 0, (862.996, 862.991)),
    (21, (18, 36, 93), (0.389, 0.504, 0.117), 0, (584.002, 584.000)),
    (14, (24, 95), (0.480, 0.669), 10, (860.999,)),
)

STAGE = ToothNumbers(20, 35, 91)


def stage_pairs(thinner: float = 0.0) -> tuple[GearPair, GearPair]:
    """Sun/planet and planet/ring of the 500 kW stage, each where it has no backlash."""
    sun = gear(20, 10, 0.582).with_tip_radius(114.815e-3)
    planet = gear(35, 10, 0.419, thickness_deviation=-thinner).with_tip_radius(188.185e-3)
    ring = gear(91, 10, -0.840, True).with_tip_radius(454.40e-3)
    return GearPair(sun, planet), GearPair(planet, ring)


def stage_cases() -> Iterator[Case]:
    """Printed to 1 µm, 1e-3 degrees and 1e-3 of contact ratio."""
    names = ("sun/planet", "planet/ring")
    known = ((284.005, 24.509, 1.343), (284.004, 22.113, 1.509))
    for name, pair, figures in zip(names, stage_pairs(), known, strict=True):
        distance, angle, ratio = figures
        found = math.degrees(pair.working_angle)
        stage = f"500 kW stage, {name}"
        source = "CAD of the gearbox, derived anew"
        yield Case(f"{stage}: distance", source, distance, pair.centre_distance * 1e3, "mm", 4e-6)
        yield Case(f"{stage}: working angle", source, angle, found, "deg", 3e-5)
        yield Case(f"{stage}: contact ratio", source, ratio, pair.contact_ratio, "", 4e-4)


def nrel_cases() -> Iterator[Case]:
    for module, teeth, shifts, helix, distances in NREL_5_MW:
        gears = [
            gear(z, module, x, internal=k == 2, helix_angle=math.radians(helix))
            for k, (z, x) in enumerate(zip(teeth, shifts, strict=True))
        ]
        for k, distance in enumerate(distances):
            yield Case(
                f"NREL 5 MW, {teeth[k]}/{teeth[k + 1]}, m_n {module}: distance",
                "Nejad et al. 2016, recomputed to 1 µm",
                distance,
                GearPair(gears[k], gears[k + 1]).centre_distance * 1e3,
                "mm",
                1e-6,
            )


def few_teeth_cases() -> Iterator[Case]:
    for given, (angle, distance, ratio, overlap) in FEW_TEETH.items():
        pair = few_teeth(*given)
        name = f"{given[0]}/{given[1]}, m {given[2]}, x {given[3]}"
        source = "computed independently"
        found = math.degrees(pair.working_angle)
        yield Case(f"{name}: working angle", source, angle, found, "deg", 1e-4)
        yield Case(f"{name}: distance", source, distance, pair.centre_distance * 1e3, "mm", 2e-5)
        yield Case(f"{name}: contact ratio", source, ratio, pair.contact_ratio, "", 2e-3)
        number = tip_overlap_number(pair)
        tolerance = 0.01 if overlap < -1 else 6e-4 / abs(overlap)
        yield Case(f"{name}: tip interference number G_s", source, overlap, number, "", tolerance)
    margin = tip_margin(CLOSE_TIPS) * 1e3
    source = "computed independently, to 1 µm"
    yield Case("60/62: room between tips", source, 0.020, margin, "mm", 0.03)


def phase_cases() -> Iterator[Case]:
    """The tooth that touches, found where a polyline along its involute meets the line of action.

    Sun and ring meshes of three planets, both flanks, with backlash.
    """
    inner, outer = stage_pairs(thinner=60e-6)
    distance = inner.tight_centre_distance
    gears = PlanetarySet(
        replace(inner, centre_distance=distance),
        replace(outer, centre_distance=distance),
        equal_directions(3),
    )
    worst = {"sun": 0.0, "ring": 0.0}
    for n in range(3):
        for flank in (1, -1):
            for member, off in _phase_errors(gears, n, flank):
                worst[member] = max(worst[member], abs(off))
    for member, off in worst.items():
        yield Case(
            f"500 kW stage: phase of the {member} meshes",
            "polylines of 4000 points, four times refined",
            0.0,
            off * 1e3,
            "mm",
            1e-9,
        )


def _phase_errors(gears: PlanetarySet, n: int, flank: int) -> Iterator[tuple[str, float]]:
    direction = gears.directions[n]
    sun_angle = 0.05 + direction + 0.01 * n
    teeth = sun_angle, gears.loaded_planet_angle(n, sun_angle, flank)
    pairs = gears.sun_planet, gears.planet_ring
    positions = gears.mesh_positions(n, sun_angle, flank)
    for k, (member, pair) in enumerate(zip(("sun", "ring"), pairs, strict=True)):
        side, one, tooth = (flank, -flank)[k], pair.first, teeth[k]
        tooth -= one.pitch_angle * round((tooth - direction) / one.pitch_angle)
        spoke = np.exp(1j * (direction - side * pair.working_angle))
        length = _crossing(one, tooth, side, one.base_radius * spoke, side * 1j * spoke)
        from_pitch_point = length - one.base_radius * math.tan(pair.working_angle)
        yield (
            member,
            math.remainder(from_pitch_point - positions[k] * pair.base_pitch, pair.base_pitch),
        )


def _crossing(one: Gear, tooth: float, flank: int, foot: complex, along: complex) -> float:
    """Way from `foot` to where the involute crosses the line, by string and polyline alone."""
    low, high = 0.0, 1.2 * one.roll_length(one.tip_radius)
    for _ in range(4):
        roll = np.linspace(low, high, 4001)
        turn = tooth + flank * (one.base_half_angle - roll / one.base_radius)
        points = (one.base_radius + 1j * flank * roll) * np.exp(1j * turn)
        off = ((points - foot) * np.conj(along)).imag
        k = int(np.nonzero(np.diff(np.sign(off)))[0][0])
        low, high = roll[k], roll[k + 1]
    share = off[k] / (off[k] - off[k + 1])
    crossing = points[k] + share * (points[k + 1] - points[k])
    return float(((crossing - foot) * np.conj(along)).real)


def willis_cases() -> Iterator[Case]:
    """In whole fractions, so that nothing is rounded."""
    for held, driven in (("ring", "carrier"), ("carrier", "sun"), ("sun", "ring")):
        s, r, c, p = speeds(STAGE, {held: 0, driven: Fraction(7, 3)})
        central = STAGE.sun * s + STAGE.ring * r - (STAGE.sun + STAGE.ring) * c
        at_sun = (p - c) * STAGE.planet + (s - c) * STAGE.sun
        off = float(abs(central) + abs(at_sun))
        name = f"20/35/91, {held} held, {driven} driven: Willis relations"
        yield Case(name, "exact", 0.0, off, "", 0.0)
