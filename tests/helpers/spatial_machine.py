"""A small machine with everything in it: a shaken tray in which balls roll.

A rotor, driven up to speed, shakes a tray on a bushing by another that joins them off the rotor's
axis; a flyer hangs on the rotor by a cross joint. One ball lies in a V of the tray, one in a bore,
tied to the rotor by a soft spring. `turn` and `shift` place all of it elsewhere in space.
"""

import numpy as np

from flank.contact.spatial import (
    PowerLaw,
    SpatialSurface,
    Sphere,
    StickFriction,
    sphere_in_cylinder,
    sphere_on_plane,
)
from flank.dynamics.functions import constant, run_up
from flank.dynamics.spatial.builder import SpatialBuilder
from flank.dynamics.spatial.quaternions import rotation_about

BALL, BALL_MASS = 0.01, 0.033
ROUND = np.full(3, 0.4 * BALL_MASS * BALL**2)
LAW = SpatialSurface(PowerLaw(1e8, 1.5), 0.5, StickFriction(0.1, 0.15, 0.1, 0.01), 1e-4)
SLOPE = np.sqrt(0.5)
GRAVITY = 9.81


def shaken_tray(turn=None, shift=(0.0, 0.0, 0.0), leaf=True) -> SpatialBuilder:
    turn = np.eye(3) if turn is None else turn
    shift = np.asarray(shift, dtype=float)

    def place(*point):
        return turn @ np.array(point) + shift

    b = SpatialBuilder(0.05)
    rotor = b.body("rotor", 0.5, (2e-4, 2e-4, 3e-4), place(0, 0, 0.2), turn)
    tray = b.body("tray", 0.8, (1e-3, 2e-3, 2.5e-3), place(0, 0, 0), turn)
    lean = rotation_about((1, 0, 0), 0.3)
    flyer = b.body("flyer", 0.1, (1e-5, 2e-5, 2e-5), place(0, 0, 0.3), turn @ lean)
    b.revolute(0, rotor, turn[:, 2], at_a=place(0, 0, 0.2))
    b.rotation(0, rotor, run_up(60.0, 0.05), turn[:, 2])
    b.universal(rotor, flyer, (1, 0, 0), (0, 1, 0), at_a=(0, 0, 0.1))
    b.bushing(
        0, tray, (2e4, 3e4, 4e4), (40, 50, 60), (20, 20, 20), (0.05,) * 3, shift, frame=turn.T
    )
    b.bushing(rotor, tray, (500,) * 3, at_a=(0.01, 0, 0), at_b=(0, 0, 0.2), damping=(1, 1, 1))
    b.bushing(0, flyer, turning_stiffness=(0.5,) * 3, turning_damping=(1e-4,) * 3, frame=turn.T)
    in_v = b.body("in the V", BALL_MASS, ROUND, place(0.03, 0, 2**0.5 * BALL), turn, leaf=leaf)
    in_bore = b.body("in the bore", BALL_MASS, ROUND, place(-0.03, 0, BALL), turn, leaf=leaf)
    for side in (1, -1):
        normal = (0, side * SLOPE, SLOPE)
        b.contact(sphere_on_plane(tray, (0.03, 0, 0), normal, Sphere(in_v, BALL), LAW))
        end = (0.03 - side * (BALL + 1e-4), 0, 0)
        b.contact(sphere_on_plane(tray, end, (side, 0, 0), Sphere(in_v, BALL), LAW))
    b.contact(sphere_on_plane(tray, (-0.03, 0, 0), (0, 0, 1), Sphere(in_bore, BALL), LAW))
    b.contact(
        sphere_in_cylinder(tray, (-0.03, 0, 0), (0, 0, 1), BALL + 2e-4, Sphere(in_bore, BALL), LAW)
    )
    b.bushing(rotor, in_bore, (5, 5, 5), at_a=(-0.03, 0.02, -0.15))
    for body, mass in enumerate((0.5, 0.8, 0.1, BALL_MASS, BALL_MASS), start=1):
        b.force(body, turn @ np.array([0, 0, -GRAVITY]), constant(mass))
    return b
