"""The outlines of a ball joint: races and cage cut through their axes, balls, tracks, shafts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from flank.arrays import Floats
from flank.machines.cv_joint.assembly import INNER, OUTER
from flank.machines.outlines import FEWEST_POINTS, Kind, Outline, circle, track_section

if TYPE_CHECKING:
    from flank.machines.cv_joint.joint import CvJoint

OUTER_RACE, INNER_RACE, CAGE, FIRST_BALL = 1, 2, 4, 5
"""Body numbers; the third is the housing."""

SIDE, FRONT = "side", "front"
"""Views: across both shafts, and along the outer race's axis."""

SHAFT = 0.62
"""Length of a drawn shaft over the outer diameter, from the joint's centre."""

TRACK = 1.2
"""Half the length of a drawn track over the ball's radius."""


def joint_outlines(joint: CvJoint) -> list[Outline]:
    """From the parts behind to those in front."""
    spec = joint.spec
    circles = {
        "outer diameter": 0.5 * spec.outer.outer_diameter,
        "pitch circle": spec.pitch_radius,
    }
    return [
        *_guides(circles),
        *_cuts(joint),
        *_balls(joint),
        *_tracks(joint, OUTER, OUTER_RACE, "outer"),
        *_tracks(joint, INNER, INNER_RACE, "inner"),
        _shaft("outer shaft", OUTER_RACE, -SHAFT * spec.outer.outer_diameter),
        _shaft("inner shaft", INNER_RACE, SHAFT * spec.outer.outer_diameter),
    ]


def _guides(circles: dict[str, float]) -> Iterator[Outline]:
    for name, radius in circles.items():
        flat = circle(radius)
        points = np.column_stack((flat, np.zeros(len(flat))))
        yield Outline(name, OUTER_RACE, points, "guide", layer=FRONT)


def _cuts(joint: CvJoint) -> Iterator[Outline]:
    """Meridians of races and cage."""
    outer, inner, cage = joint.spec.outer, joint.spec.inner, joint.spec.cage
    parts: tuple[tuple[str, int, float, float, float, Kind], ...] = (
        ("outer race", OUTER_RACE, outer.bore_diameter, outer.outer_diameter, outer.width, "race"),
        ("inner race", INNER_RACE, inner.bore_diameter, inner.outer_diameter, inner.width, "race"),
        ("cage", CAGE, cage.inner_diameter, cage.outer_diameter, cage.width, "cage"),
    )
    for name, body, inside, outside, width, kind in parts:
        points = 0.5 * np.array(
            [[inside, 0, -width], [outside, 0, -width], [outside, 0, width], [inside, 0, width]]
        )
        yield Outline(name, body, points, kind, layer=SIDE, revolved=True)


def _balls(joint: CvJoint) -> Iterator[Outline]:
    angle = np.linspace(-0.5 * np.pi, 0.5 * np.pi, FEWEST_POINTS + 1)
    half = np.column_stack((np.cos(angle), np.zeros_like(angle), np.sin(angle)))
    for k in range(joint.geometry.balls):
        points = joint.spec.ball_radius * half
        yield Outline(f"ball {k + 1}", FIRST_BALL + k, points, "ball", revolved=True)


def _tracks(joint: CvJoint, race: int, body: int, word: str) -> Iterator[Outline]:
    """Axes of a race's tracks, and where balls may touch across them."""
    radius = joint.spec.ball_radius
    kind: Kind = "outer track" if race == OUTER else "inner track"
    pairs = zip(joint.geometry.origins, joint.geometry.frames(race), strict=True)
    for k, (origin, frame) in enumerate(pairs):
        name = f"{word} track {k + 1}"
        ends = origin + TRACK * radius * np.array([-frame[2], frame[2]])
        yield Outline(name, body, ends, kind, closed=False, layer=SIDE)
        yield track_section(name, body, origin, frame, radius)


def _shaft(name: Kind, body: int, length: float) -> Outline:
    points: Floats = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, length]])
    return Outline(name, body, points, name, closed=False, layer=SIDE)
