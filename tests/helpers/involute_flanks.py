"""Involute spur teeth as flanks in space: conjugate, so that what they do in contact is known."""

import numpy as np

from flank.geometry.flank_pair import FlankPair
from flank.geometry.mounting import Mounting
from flank.geometry.spline_surface import SplineSurface

MODULE, PRESSURE_ANGLE, FACE = 4e-3, np.radians(20.0), 30e-3


def involute_grid(teeth, side, crowning=0.0, profile=41, lengthwise=21, centre=0.0):
    """Right (+1) or left (-1) flank of a tooth about the angle `centre`; crowned lengthwise by
    what is taken off at both ends, along the normal in the transverse section."""
    base = 0.5 * teeth * MODULE * np.cos(PRESSURE_ANGLE)
    pitch_point = np.tan(PRESSURE_ANGLE)
    outer = np.sqrt((0.5 * teeth * MODULE + MODULE) ** 2 / base**2 - 1)
    inner = 2 * pitch_point - outer if teeth > 30 else 0.35 * pitch_point
    roll, z = np.meshgrid(np.linspace(inner, outer, profile), np.linspace(-1, 1, lengthwise))
    roll, z = roll.T, z.T
    thinner = crowning * z**2 / base  # a normal shift of an involute is a turn of it
    half = 0.5 * np.pi / teeth + pitch_point - PRESSURE_ANGLE
    angle = side * (half - (roll - np.arctan(roll)) - thinner) + centre
    radius = base * np.hypot(1, roll)
    return np.stack((radius * np.cos(angle), radius * np.sin(angle), 0.5 * FACE * z), axis=-1)


def spur_pair(teeth=(24, 36), side=1, crowning=10e-6, **misalignment):
    """Two spur gears as flanks, the second crowned."""
    distance = 0.5 * sum(teeth) * MODULE
    mounting = Mounting(shaft_angle=0.0, offset=distance, **misalignment)
    # the first gear has its mate in the direction -y of the fixed frame, which is its own +y
    first = involute_grid(teeth[0], side, centre=0.5 * np.pi)
    second = involute_grid(teeth[1], side, crowning, centre=0.5 * np.pi + np.pi / teeth[1])
    return FlankPair((SplineSurface(first), SplineSurface(second)), teeth, mounting)
