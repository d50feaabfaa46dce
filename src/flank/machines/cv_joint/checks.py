"""What must hold between the parts of a ball joint before anything is computed.

Whether its balls stay in tracks and windows as the joint turns is a finding of the geometry.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from flank.machines.problems import first_causes, mm, um

if TYPE_CHECKING:
    from flank.machines.cv_joint.spec import CvJointSpec

LARGEST_INTERFERENCE = 0.01
"""Over the ball's radius: up to it a tight window or track is preload, beyond nothing assembles."""


def problems_of(spec: CvJointSpec) -> Iterator[str]:
    """Every sentence about the joint as a whole."""
    yield from spec.material_problems(("balls", "outer", "inner", "cage"))
    yield from _tracks(spec)
    yield from first_causes(_cage(spec), _room(spec), _walls(spec), _guides(spec))
    wrong = list(spec.error_problems())
    yield from wrong or _deviating(spec)


def _tracks(spec: CvJointSpec) -> Iterator[str]:
    tracks, radius = spec.tracks, spec.ball_radius
    room = (tracks.conformity - 1) * radius
    if tracks.clearance >= room:
        yield (
            f"tracks.clearance is {tracks.clearance * 1e6:.4g} um; with this conformity it must be "
            f"less than {room * 1e6:.4g} um, or the ball does not touch two flanks"
        )
    elif tracks.clearance < -LARGEST_INTERFERENCE * radius:
        yield (
            f"tracks.clearance is {tracks.clearance * 1e6:.4g} um; balls of {mm(2 * radius)} can "
            f"be pressed by at most {LARGEST_INTERFERENCE * radius * 1e6:.4g} um"
        )
    elif tracks.section == "elliptical":
        yield from _ellipse(spec)


def _ellipse(spec: CvJointSpec) -> Iterator[str]:
    tracks, radius = spec.tracks, spec.ball_radius
    if not spec.section.has_ellipse:
        yield (
            f"tracks.conformity is {tracks.conformity:.6g}; no ellipse touches the ball at "
            f"{math.degrees(tracks.contact_angle):.4g} deg unless it is less than "
            f"{spec.section.largest_conformity:.4g}: use a larger contact angle, or a gothic arch"
        )
    elif min(spec.section.ellipse[:2]) <= radius:
        yield (
            f"tracks.clearance is {tracks.clearance * 1e6:.4g} um; an ellipse that fits so tightly "
            "is narrower than the ball: use less preload, a larger conformity or a gothic arch"
        )


def _cage(spec: CvJointSpec) -> Iterator[str]:
    cage, ball = spec.cage, spec.balls.diameter
    if cage.inner_diameter >= cage.outer_diameter:
        yield (
            f"cage.inner_diameter is {mm(cage.inner_diameter)}; it must be less than the outer "
            f"diameter of {mm(cage.outer_diameter)}"
        )
    tightest = -LARGEST_INTERFERENCE * spec.ball_radius
    if cage.window_clearance < tightest:
        yield (
            f"cage.window_clearance is {cage.window_clearance * 1e6:.4g} um: balls of {mm(ball)} "
            f"are larger than the windows; they can be pressed in by at most "
            f"{-tightest * 1e6:.4g} um"
        )
    if cage.window_length < ball:
        yield (
            f"cage.window_length is {mm(cage.window_length)}: balls of {mm(ball)} are larger "
            "than the windows; use longer windows or smaller balls"
        )
    window = 2 * spec.window_half_width + 2 * abs(cage.window_offset)
    if window >= cage.width:
        yield f"cage.width is {mm(cage.width)}; windows of {mm(window)} leave nothing of it"
    around = math.pi * cage.inner_diameter
    if spec.balls.count * cage.window_length >= around:
        most = around / spec.balls.count
        yield (
            f"cage.window_length is {mm(cage.window_length)}; {spec.balls.count} windows leave "
            f"no bars between them unless it is less than {mm(most)}"
        )


def _room(spec: CvJointSpec) -> Iterator[str]:
    """From the shaft outwards: inner race, cage, outer race."""
    cage, outer, inner = spec.cage, spec.outer, spec.inner
    pitch = spec.pitch_circle_diameter
    if not cage.inner_diameter < pitch < cage.outer_diameter:
        yield (
            f"pitch_circle_diameter is {mm(pitch)}; it must lie inside the wall of the cage, from "
            f"{mm(cage.inner_diameter)} to {mm(cage.outer_diameter)}"
        )
    if inner.outer_diameter > cage.inner_diameter:
        yield (
            f"inner.outer_diameter is {mm(inner.outer_diameter)}; it must fit into the cage, "
            f"whose inner diameter is {mm(cage.inner_diameter)}"
        )
    if outer.bore_diameter < cage.outer_diameter:
        yield (
            f"outer.bore_diameter is {mm(outer.bore_diameter)}; the cage of "
            f"{mm(cage.outer_diameter)} must fit into it"
        )


def _walls(spec: CvJointSpec) -> Iterator[str]:
    """What balls that lie half in each race leave of them."""
    outer, inner = spec.outer, spec.inner
    pitch, track = spec.pitch_circle_diameter, spec.balls.diameter
    if outer.outer_diameter <= pitch + track:
        yield (
            f"outer.outer_diameter is {mm(outer.outer_diameter)}; tracks reach out to "
            f"{mm(pitch + track)} and leave no wall"
        )
    if inner.bore_diameter >= pitch - track:
        yield (
            f"inner.bore_diameter is {mm(inner.bore_diameter)}; tracks reach in to "
            f"{mm(pitch - track)} and leave no wall"
        )


def _guides(spec: CvJointSpec) -> Iterator[str]:
    """Spheres that guide the cage lie between it and the race they run on."""
    cage = spec.cage
    if (guide := cage.outer_guide) and not (
        cage.inner_diameter < 2 * guide.radius < spec.outer.outer_diameter
    ):
        yield (
            f"cage.outer_guide.radius is {mm(guide.radius)}; the outer face of the cage lies "
            f"between {mm(0.5 * cage.inner_diameter)} and {mm(0.5 * spec.outer.outer_diameter)}"
        )
    if (guide := cage.inner_guide) and not (
        spec.inner.bore_diameter < 2 * guide.radius < cage.outer_diameter
    ):
        yield (
            f"cage.inner_guide.radius is {mm(guide.radius)}; the outer face of the inner race "
            f"lies between {mm(0.5 * spec.inner.bore_diameter)} and "
            f"{mm(0.5 * cage.outer_diameter)}"
        )


def _deviating(spec: CvJointSpec) -> Iterator[str]:
    """Whether balls, tracks and windows with their errors still go together."""
    errors, radius = spec.error_values({}), spec.ball_radius
    larger, tightest = 0.5 * errors["ball_diameter"], -LARGEST_INTERFERENCE * radius
    widest = (spec.tracks.conformity - 1) * radius
    for race in ("outer", "inner"):
        made = spec.tracks.clearance + errors[f"{race}_track_clearance"]
        for k, gap in enumerate(made - larger):
            if not (tightest <= gap and made[k] < widest and larger[k] < widest):
                yield (
                    f"errors.{race}_track_clearance: ball {k + 1} has a gap of {um(gap)} at each "
                    f"flank of its {race} track; it must lie between {um(tightest)} and "
                    f"{um(widest)}, check the unit"
                )
            elif spec.tracks.section == "elliptical" and not _fits_ellipse(spec, race, k):
                yield (
                    f"errors.{race}_track_clearance: an ellipse that leaves ball {k + 1} {um(gap)} "
                    "at each flank is narrower than the ball or not there; use smaller errors"
                )
    for k, gap in enumerate(spec.cage.window_clearance + errors["window_width"] - 2 * larger):
        if gap < tightest:
            yield (
                f"errors.window_width: window {k + 1} is {um(-gap)} narrower than its ball, which "
                f"can be pressed in by at most {um(-tightest)}"
            )


def _fits_ellipse(spec: CvJointSpec, race: str, ball: int) -> bool:
    errors = spec.error_values({})
    section = spec.section_with(float(errors[f"{race}_track_clearance"][ball]))
    radius = spec.ball_radius + 0.5 * float(errors["ball_diameter"][ball])
    return section.has_ellipse and min(section.ellipse[:2]) > radius
