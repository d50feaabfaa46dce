"""Assembly, phases and speeds of planetary gears against constructions that know no formula."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair
from flank.geometry.planetary import (
    PlanetarySet,
    assembles,
    check_planetary,
    equal_directions,
    excited_modes,
    least_mesh_angle,
    nearest_directions,
    neighbour_gap,
    phase_step,
    phasing,
)
from flank.geometry.willis import MEMBERS, ToothNumbers, mesh_frequency, ratio, speeds

ALPHA = math.radians(20)
NORDTANK = ToothNumbers(20, 35, 91)


def gear(teeth, module, shift=0.0, internal=False, **more):
    return Gear(teeth, module * 1e-3, ALPHA, shift, internal, **more)


THREE = equal_directions(3)


def planetary(directions=THREE, thinner=5e-6):
    """The 500 kW stage, on its carrier of 284.005 mm, with a little backlash."""
    more = {"thickness_deviation": -thinner}
    sun = gear(20, 10, 0.582, tip_shortening=0.1005)
    planet = gear(35, 10, 0.419, tip_shortening=0.1005, **more)
    ring = gear(91, 10, -0.840, True, tip_shortening=0.1)
    a = GearPair(sun, planet).centre_distance
    return PlanetarySet(GearPair(sun, planet, a), GearPair(planet, ring, a), directions)


def unshifted(directions):
    """20/40/100, which assembles with 3, 4, 5 and 6 planets."""
    sun, planet = gear(20, 10), gear(40, 10)
    ring = gear(100, 10, internal=True, tip_shortening=0.2)
    return PlanetarySet(GearPair(sun, planet), GearPair(planet, ring), directions)


def codes(findings):
    return [(f.code, f.severity) for f in findings]


def flank_on_line(gear, tooth, flank, foot, along):
    """Distance from `foot` to where a polyline along the involute crosses the line, refined.

    Involute by its definition: a string of length ρ unwound from the base circle.
    """
    low, high = 0.0, 1.2 * gear.roll_length(gear.tip_radius)
    for _ in range(4):
        roll = np.linspace(low, high, 4001)
        turn = tooth + flank * (gear.base_half_angle - roll / gear.base_radius)
        points = (gear.base_radius + 1j * flank * roll) * np.exp(1j * turn)
        off = ((points - foot) * np.conj(along)).imag
        crossings = np.nonzero(np.diff(np.sign(off)))[0]
        assert len(crossings) == 1
        k = crossings[0]
        low, high = roll[k], roll[k + 1]
    share = off[k] / (off[k] - off[k + 1])
    crossing = points[k] + share * (points[k + 1] - points[k])
    return float(((crossing - foot) * np.conj(along)).real)


@pytest.mark.parametrize("flank", [1, -1])
@pytest.mark.parametrize("n", [0, 1, 2])
def test_mesh_positions_against_polylines_on_the_line_of_action(n, flank):
    """To 1e-9 mm, for the sun's and the ring's mesh, with backlash."""
    gears = planetary(thinner=60e-6)
    sun_angle, direction = 0.05 + gears.directions[n] + 0.01 * n, gears.directions[n]
    planet_angle = gears.loaded_planet_angle(n, sun_angle, flank)
    found = gears.mesh_positions(n, sun_angle, flank)
    for pair, side, tooth, position in (
        (gears.sun_planet, flank, sun_angle, found[0]),
        (gears.planet_ring, -flank, planet_angle, found[1]),
    ):
        # The tooth near the mesh, and the common tangent of the base circles on its side.
        one = pair.first
        tooth -= one.pitch_angle * round((tooth - direction) / one.pitch_angle)
        spoke = np.exp(1j * (direction - side * pair.working_angle))
        length = flank_on_line(one, tooth, side, one.base_radius * spoke, side * 1j * spoke)
        from_pitch_point = length - one.base_radius * math.tan(pair.working_angle)
        apart = math.remainder(from_pitch_point - position * pair.base_pitch, pair.base_pitch)
        assert abs(apart) < 1e-12
        assert pair.roll(side, tooth, direction) == pytest.approx(length, abs=1e-12)


def test_roll_length_is_the_arc_of_the_reference():
    """s_1 = r_b (θ + π/2Z + 2x tan α_0/Z + inv α_0 + α_w)."""
    pair = planetary().sun_planet
    one, theta = pair.first, 0.0321
    inv = math.tan(ALPHA) - ALPHA
    shift = 2 * one.profile_shift * math.tan(ALPHA) / one.teeth
    s1 = one.base_radius * (theta + math.pi / 40 + shift + inv + pair.working_angle)
    assert pair.roll(1, theta) == pytest.approx(s1, abs=1e-15)


def test_phases_of_the_planets():
    """Behind by Z_s ψ_n/2π at the sun, ahead by Z_r ψ_n/2π at the ring; 0, 2/3, 1/3 for Z_s 20."""
    gears = planetary()
    assert gears.sun_mesh_phases() == pytest.approx([0, 2 / 3, 1 / 3])
    assert gears.ring_mesh_phases() == pytest.approx([0, 1 / 3, 2 / 3])
    start = gears.mesh_positions(0, 0.02)
    for n in range(3):
        sun, ring = gears.mesh_positions(n, 0.02)
        lag = gears.sun_mesh_phases()[n]
        assert math.remainder(sun - start[0] + lag, 1) == pytest.approx(0, abs=1e-9)
        lead = gears.ring_mesh_phases()[n]
        assert math.remainder(ring - start[1] - lead, 1) == pytest.approx(0, abs=1e-9)


def test_phase_between_sun_and_ring_does_not_depend_on_the_position():
    gears = planetary()
    shift = gears.mesh_phase_shift()
    for n, sun in ((0, 0.3), (1, -0.7), (2, 1.9)):
        inner, outer = gears.mesh_positions(n, sun)
        assert math.remainder(outer - inner - shift, 1) == pytest.approx(0, abs=1e-9)


def gaps(gears, n, sun, planet, ring):
    """Gaps on both flanks at the sun and at the ring, of the teeth that are nearest to touching."""
    direction = gears.directions[n]
    return [
        [
            # The next tooth of either gear is one base pitch away.
            math.remainder(pair.gap(flank, first, second, direction), pair.base_pitch)
            for flank in (1, -1)
        ]
        for pair, first, second in (
            (gears.sun_planet, sun, planet),
            (gears.planet_ring, planet, ring),
        )
    ]


@pytest.mark.parametrize("sun", [0.0, 0.4, -1.3])
def test_planets_stand_in_the_middle_of_their_backlash(sun):
    gears = planetary(thinner=80e-6)
    ring = gears.ring_tooth_angle(sun)
    for n in range(3):
        fit = gears.planet_tooth_angle(n, sun, ring)
        assert fit.mismatch == pytest.approx(0, abs=1e-12)
        assert fit.interference == 0
        for sides, pair in zip(
            gaps(gears, n, sun, fit.tooth_angle, ring),
            (gears.sun_planet, gears.planet_ring),
            strict=True,
        ):
            assert sides == pytest.approx([0.5 * pair.normal_backlash] * 2, abs=1e-12)


def test_mismatch_is_taken_up_by_backlash():
    """Both meshes are then off the middle by the same part of their backlash."""
    gears = planetary(thinner=80e-6)
    plays = gears.sun_planet.normal_backlash, gears.planet_ring.normal_backlash
    room = 0.5 * sum(plays)
    per_angle = gears.planet_ring.second.base_radius
    for part in (0.4, 0.99):
        ring = gears.ring_tooth_angle() + part * room / per_angle
        fit = gears.planet_tooth_angle(0, 0.0, ring)
        assert fit.mismatch == pytest.approx(part * room, rel=1e-9)
        assert fit.interference == 0
        for sides, play in zip(gaps(gears, 0, 0.0, fit.tooth_angle, ring), plays, strict=True):
            middle = 0.5 * play
            assert sorted(sides) == pytest.approx([middle * (1 - part), middle * (1 + part)])
    fit = gears.planet_tooth_angle(0, 0.0, gears.ring_tooth_angle() + 1.5 * room / per_angle)
    assert fit.interference == pytest.approx(0.5 * room)


def test_assembly():
    assert assembles(NORDTANK, 3)
    assert not assembles(NORDTANK, 4)
    assert [f.code for f in check_planetary(planetary())] == []
    found = list(check_planetary(planetary(equal_directions(4))))
    assert codes(found) == [("no-assembly", "error")]
    assert "3.2432 deg" in found[0].remedy
    assert "0.0000, 90.8108, 181.6216, 269.1892 deg" in found[0].remedy


def test_unequal_spacing_at_multiples_of_the_least_angle():
    wanted = nearest_directions(NORDTANK, equal_directions(4))
    assert codes(check_planetary(planetary(wanted))) == []
    assert least_mesh_angle(NORDTANK) == pytest.approx(2 * math.pi / 111)
    near = (*wanted[:3], wanted[3] + 0.3 * least_mesh_angle(NORDTANK))
    found = list(check_planetary(planetary(near)))
    assert codes(found) == [("no-assembly", "error")]
    assert found[0].message.startswith("planet 4 of 4")
    assert "sum" not in found[0].remedy  # tooth numbers are not at fault


def test_neighbours():
    tip, a = unshifted(()).planet_ring.first.tip_radius, 0.3
    six = equal_directions(6)
    assert neighbour_gap(six, a, tip) == pytest.approx(2 * a * math.sin(math.pi / 6) - 2 * tip)
    assert neighbour_gap((0.0,), a, tip) == math.inf
    centres = a * np.exp(1j * np.array([0.1, 2.0, 6.2]))
    apart = min(abs(centres[i] - centres[j]) for i in range(3) for j in range(i))
    assert neighbour_gap((0.1, 2.0, 6.2), a, 0.0) == pytest.approx(apart)
    assert codes(check_planetary(unshifted(equal_directions(4)))) == []
    found = codes(check_planetary(unshifted(six)))
    assert found == [("planets-collide", "error")]


def test_coaxial():
    gears = planetary()
    for off, expected in ((9e-6, []), (11e-6, [("not-coaxial", "error")])):
        outer = replace(gears.planet_ring, centre_distance=gears.planet_ring.centre_distance - off)
        found = check_planetary(replace(gears, planet_ring=outer))
        assert [c for c in codes(found) if c[0] != "negative-backlash"] == expected


def test_findings_of_the_planet_are_not_said_twice():
    gears = planetary()
    thin = gears.planet_ring.first.with_tip_radius(0.1945)
    pairs = replace(gears.sun_planet, second=thin), replace(gears.planet_ring, first=thin)
    found = [f.code for f in check_planetary(PlanetarySet(*pairs, gears.directions))]
    assert found.count("thin-tip") == 1


TEETH = [NORDTANK, ToothNumbers(20, 40, 100), ToothNumbers(17, 31, 79)]


@pytest.mark.parametrize("teeth", TEETH)
def test_willis_relations_are_exact(teeth):
    for held in MEMBERS:
        driver = next(m for m in MEMBERS if m != held)
        found = speeds(teeth, {held: 0, driver: Fraction(7, 3)})
        s, r, c, p = found
        assert getattr(found, held) == 0
        assert teeth.sun * s + teeth.ring * r == (teeth.sun + teeth.ring) * c
        assert (p - c) * teeth.planet == -(s - c) * teeth.sun
        if 2 * teeth.planet == teeth.ring - teeth.sun:
            # Pitch points move alike on both gears: unshifted radii are tooth numbers.
            assert teeth.sun * s + teeth.planet * p == (teeth.sun + teeth.planet) * c
    assert ratio(teeth, "sun", "carrier") == 1 + Fraction(teeth.ring, teeth.sun)
    assert ratio(teeth, "ring", "carrier") == 1 + Fraction(teeth.sun, teeth.ring)
    assert ratio(teeth, "sun", "ring") == -Fraction(teeth.ring, teeth.sun)


def test_speeds_of_paper_003():
    """Carrier 1: planet -1.5 and sun 6 with the ring held."""
    found = speeds(ToothNumbers(20, 40, 100), {"ring": 0, "carrier": 1})
    assert found == (6, 0, 1, Fraction(-3, 2))
    assert mesh_frequency(ToothNumbers(20, 40, 100), found.sun, found.carrier) == 100
    with pytest.raises(ValueError, match="two of sun, ring, carrier"):
        speeds(NORDTANK, {"sun": 1})


def test_planet_turned_by_willis_stays_in_mesh():
    """Sun forward by an angle, planet and direction by the Willis relations: no gap opens."""
    gears = planetary()
    turn = 0.37
    found = speeds(gears.teeth, {"ring": 0.0, "sun": turn})
    ring = gears.ring_tooth_angle()
    moved = replace(gears, directions=tuple(d + found.carrier for d in gears.directions))
    for n in range(3):
        start = gears.planet_tooth_angle(n, 0.0, ring).tooth_angle
        end = moved.planet_tooth_angle(n, turn, ring)
        assert end.mismatch == pytest.approx(0, abs=1e-12)
        pitch = gears.planet_ring.first.pitch_angle
        apart = math.remainder(end.tooth_angle - start - found.planet, pitch)
        assert apart == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("planets", [3, 4, 5, 6])
@pytest.mark.parametrize("sun", [20, 21, 22, 23, 24])
def test_modes_excited_by_the_sum_of_mesh_forces(planets, sun):
    """Unit forces along the tangents, with the phases of the meshes, summed over the planets."""
    teeth = ToothNumbers(sun, 40, 100)
    psi = np.array(equal_directions(planets))
    for harmonic in (1, 2, 3):
        force = np.exp(1j * harmonic * sun * psi)
        torque = abs(force.sum()) > 1e-9
        pull = max(abs((force * np.cos(psi)).sum()), abs((force * np.sin(psi)).sum())) > 1e-9
        expected = "rotational" if torque else "translational" if pull else "planet"
        assert excited_modes(teeth, planets, harmonic) == expected
    assert excited_modes(teeth, 2) is None


def test_phasing():
    assert [phasing(ToothNumbers(z, 40, 100), 4) for z in (20, 21, 22)] == [
        "in phase",
        "sequential",
        "counter phase",
    ]
    assert phase_step(NORDTANK, 3) == Fraction(2, 3)
