"""Gears are drawn where they stand, and drawn gears do not overlap."""

import math

import numpy as np
from matplotlib.path import Path

from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair
from flank.geometry.planetary import PlanetarySet, equal_directions
from flank.machines.outlines import gear_points


def planetary():
    def gear(teeth, shift, internal=False):
        return Gear(
            teeth, 10e-3, math.radians(20), shift, internal, tip_shortening=0.1, edge_radius=2e-4
        )

    sun, planet, ring = gear(20, 0.582), gear(35, 0.419), gear(91, -0.84, True)
    pairs = GearPair(sun, planet), GearPair(planet, ring)
    return PlanetarySet(*pairs, equal_directions(3))


def test_teeth_of_drawn_gears_stand_in_each_others_spaces():
    gears = planetary()
    turn = 0.13
    ring_angle = gears.ring_tooth_angle(turn)
    bore = Path(gear_points(gears.planet_ring.second, ring_angle))
    sun = gear_points(gears.sun_planet.first, turn)
    planets = []
    for n, psi in enumerate(gears.directions):
        tooth = gears.planet_tooth_angle(n, turn, ring_angle).tooth_angle
        place = gears.sun_planet.centre_distance * np.array([math.cos(psi), math.sin(psi)])
        points = place + gear_points(gears.planet_ring.first, tooth)
        planets.append(np.vstack((points, points[:1])))
    assert len(planets) == 3
    for outline in planets:
        # Without backlash flanks touch; a polyline of 8 points a flank is coarse to 20 um.
        centre = outline[:-1].mean(axis=0)
        shrunk = centre + (outline - centre) * (1 - 40e-6 / 0.18)
        assert bore.contains_points(shrunk).all()
        assert not Path(sun).contains_points(shrunk).any()
        half_pitch = math.pi / 35
        turned = outline - centre
        c, s = math.cos(half_pitch), math.sin(half_pitch)
        turned = centre + turned @ np.array([[c, s], [-s, c]])
        assert Path(sun).contains_points(turned).any()
        assert not bore.contains_points(turned).all()


def test_points_of_a_gear_follow_the_angle_of_its_tooth():
    gear = planetary().sun_planet.first
    points = gear_points(gear, 0.3)
    radii = np.hypot(*points.T)
    assert abs(radii.min() - gear.root_radius) < 1e-9
    assert abs(radii.max() - gear.tip_radius) < 1e-9
    tip = [gear.tip_radius * math.cos(0.3), gear.tip_radius * math.sin(0.3)]
    assert np.min(np.hypot(*(points - tip).T)) < 1e-9
