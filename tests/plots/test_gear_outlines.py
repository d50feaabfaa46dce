"""Gears are drawn where they stand, and drawn gears do not overlap."""

import math

import numpy as np
from matplotlib.figure import Figure
from matplotlib.path import Path

from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair
from flank.geometry.planetary import PlanetarySet, equal_directions
from flank.plots.gear_outlines import draw_planetary, gear_points


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
    axes = Figure().add_subplot()
    draw_planetary(axes, gears, 0.13, 0.5)
    ring, sun, *planets = (c.get_paths()[0].vertices * 1e-3 for c in axes.collections)
    assert len(planets) == 3
    bore = Path(ring[np.hypot(*ring.T) < 0.49])
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


def test_points_of_a_gear_follow_its_pose():
    gear = planetary().sun_planet.first
    points = gear_points(gear, np.array([1.0, 2.0, 0.3]))
    radii = np.hypot(*(points - [1.0, 2.0]).T)
    assert abs(radii.min() - gear.root_radius) < 1e-9
    assert abs(radii.max() - gear.tip_radius) < 1e-9
    tip = [1.0 + gear.tip_radius * math.cos(0.3), 2.0 + gear.tip_radius * math.sin(0.3)]
    assert np.min(np.hypot(*(points - tip).T)) < 1e-9
