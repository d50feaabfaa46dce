"""A ball joint drawn to scale in its deflected position: from the side and along its axis."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from flank.analyses.joint_contacts import SIDES
from flank.analyses.result import Result
from flank.dynamics.functions import constant
from flank.dynamics.spatial.quaternions import matrix_of
from flank.dynamics.trajectory import SpatialPose
from flank.geometry.ball_joint import about_y
from flank.io.shown import quantity_text
from flank.machines.cv_joint.assembly import INNER, OUTER, JointAssembly
from flank.machines.cv_joint.joint import CvJoint
from flank.machines.registry import machine_from_mapping
from flank.plots.force_arrows import Arrows, draw_arrows
from flank.plots.outlines import (
    MILLIMETRE,
    circles,
    closed_path,
    dotted_circle,
    fill,
)
from flank.plots.style import BODY, MAIN, QUIET, SECOND, WIDE, Picture

BALL = "#c9ced6"
CAGE = "#cfe0ee"
COLOURS = {OUTER: MAIN, INNER: SECOND}

LONGEST_ARROW = 0.5
"""Length of the largest force over the pitch radius."""

REACH = 0.62
"""What a view shows to each side, over the outer diameter."""

FROM_THE_SIDE = (2, 0)
ALONG_THE_AXIS = (0, 1)
"""Axes of space to the right and upwards."""


@dataclass(frozen=True)
class Drawn:
    """The rigid joint at the angle zero, where all pictures begin."""

    joint: CvJoint
    assembly: JointAssembly
    pose: SpatialPose

    def frames(self, race: int) -> NDArray:
        """x, y, z of the race's tracks along the axes of space, (ball, axis, 3)."""
        body = (self.assembly.outer, self.assembly.inner)[race]
        return self.joint.geometry.frames(race) @ matrix_of(self.pose.rotation[body]).T

    @property
    def centres(self) -> NDArray:
        return self.pose.position[self.assembly.balls]


def drawn_joint(joint: CvJoint) -> Drawn:
    """The joint of an operating point, at rest at the angle zero."""
    still = replace(
        joint.drive(),
        angles={"outer": constant(0.0)},
        deflection=constant(joint.deflection),
        plunge=constant(joint.spec.operation.plunge.at),
    )
    return Drawn(joint, joint.assemble(still), joint.pose_under(still, 0.0))


def joint_picture(result: Result) -> Picture:
    """Both views at the first angle of the result."""
    joint = machine_from_mapping(result.spec)
    assert isinstance(joint, CvJoint)
    drawn = drawn_joint(joint)
    force = quantity_text(float(result["track_force"][0].max()), "N", "N")
    picture = Picture(
        WIDE,
        4.7,
        "The joint to scale at the angle zero. Left: races and cage cut in the plane of the "
        "shafts, balls and the axes of their tracks (blue: outer race, orange: inner race) as seen "
        "from the side. Right: along the outer race's axis, with the forces of the tracks on the "
        f"balls; the longest is {force}.",
    )
    side = picture.add_axes((0.07, 0.11, 0.42, 0.84))
    front = picture.add_axes((0.56, 0.11, 0.42, 0.84))
    _side_view(side, drawn)
    _front_view(front, drawn, result)
    reach = REACH * joint.spec.outer.outer_diameter * MILLIMETRE
    for axes, names in ((side, ("z", "x")), (front, ("x", "y"))):
        axes.set_xlim(-reach, reach)
        axes.set_ylim(-reach, reach)
        axes.set_aspect("equal")
        axes.grid(visible=False)
        axes.set_xlabel(f"{names[0]} (mm)")
        axes.set_ylabel(f"{names[1]} (mm)")
    return picture


def _side_view(axes: Axes, drawn: Drawn) -> None:
    spec, assembly, deflection = drawn.joint.spec, drawn.assembly, drawn.joint.deflection
    outer, inner, cage = spec.outer, spec.inner, spec.cage
    parts = (
        (assembly.outer, 0.0, outer.bore_diameter, outer.outer_diameter, outer.width, BODY),
        (assembly.inner, 1.0, inner.bore_diameter, inner.outer_diameter, inner.width, BODY),
        (assembly.cage, 0.5, cage.inner_diameter, cage.outer_diameter, cage.width, CAGE),
    )
    for body, share, inside, outside, width, colour in parts:
        turned = about_y(share * deflection)
        cut = _section(0.5 * inside, 0.5 * outside, width) @ turned.T + drawn.pose.position[body]
        fill(axes, [closed_path(corners[:, FROM_THE_SIDE]) for corners in cut], colour, QUIET)
    circles(axes, drawn.centres[:, FROM_THE_SIDE], spec.ball_radius, BALL)
    for race, colour in COLOURS.items():
        along = 1.2 * spec.ball_radius * drawn.frames(race)[:, 2]
        ends = MILLIMETRE * np.stack([drawn.centres - along, drawn.centres + along])
        axes.plot(ends[..., 2], ends[..., 0], color=colour, linewidth=1.1)
    length = REACH * outer.outer_diameter * MILLIMETRE
    for share, sign, colour in ((0.0, -1.0, MAIN), (1.0, 1.0, SECOND)):
        tip = sign * length * about_y(share * deflection)[:, 2]
        axes.plot([0.0, tip[2]], [0.0, tip[0]], color=colour, linestyle="-.", linewidth=0.9)


def _section(inside: float, outside: float, width: float) -> NDArray:
    """Corners of a ring cut through its axis, (2, 4, 3)."""
    corners = np.array([[inside, -1], [outside, -1], [outside, 1], [inside, 1]])
    found = np.zeros((2, 4, 3))
    found[..., 0] = corners[:, 0] * np.array([[1.0], [-1.0]])
    found[..., 2] = 0.5 * width * corners[:, 1]
    return found


def _front_view(axes: Axes, drawn: Drawn, result: Result) -> None:
    spec = drawn.joint.spec
    for diameter in (spec.outer.outer_diameter, spec.pitch_circle_diameter):
        dotted_circle(axes, np.zeros(2), 0.5 * diameter)
    circles(axes, drawn.centres[:, ALONG_THE_AXIS], spec.ball_radius, BALL)
    for race, colour in COLOURS.items():
        draw_arrows(axes, track_arrows(drawn, result, race), colour, MILLIMETRE)
    for number, centre in enumerate(drawn.centres * MILLIMETRE):
        axes.text(centre[0], centre[1], str(number), ha="center", va="center", fontsize=8)


def track_arrows(drawn: Drawn, result: Result, race: int) -> Arrows:
    """Forces of a race's tracks on the balls at the first angle, tips where they touch."""
    force = result["track_force"].values[0, :, race]
    angle = np.nan_to_num(result["contact_angle"].values[0, :, race])
    x, y, _ = np.moveaxis(drawn.frames(race), 1, 0)
    out = np.cos(angle)[..., None] * x[:, None] + (SIDES * np.sin(angle))[..., None] * y[:, None]
    tip = drawn.centres[:, None] + drawn.joint.spec.ball_radius * out
    largest = float(result["track_force"].values[0].max()) or 1.0
    length = LONGEST_ARROW * drawn.joint.spec.pitch_radius / largest
    tail = tip + (length * force)[..., None] * out
    carries = force > 0
    flat = (tip[carries][:, ALONG_THE_AXIS], tail[carries][:, ALONG_THE_AXIS])
    return Arrows(*flat, np.full(int(carries.sum()), np.nan))
