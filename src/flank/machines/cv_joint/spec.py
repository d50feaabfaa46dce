"""The spec of a constant-velocity ball joint: two races with crossed tracks, balls, a cage."""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar, Literal

from flank.geometry.ball_joint import BallJoint, TrackAngles
from flank.geometry.track_section import TrackSection
from flank.machines.cv_joint.parts import (
    BallsSpec,
    CageSpec,
    InnerRaceSpec,
    JointContactSpec,
    JointOperationSpec,
    OuterRaceSpec,
    TracksSpec,
)
from flank.machines.error_kinds import ARCSECOND, Counts, ErrorKind, Kinds, distance
from flank.machines.machine_spec import MachineSpec
from flank.machines.materials import MATERIALS_MEANING, MaterialSpec
from flank.machines.mistakes import first_causes
from flank.machines.quantities import PositiveLength
from flank.machines.spec import key
from flank.texts import mm, um

RACES = ("outer", "inner")

LARGEST_INTERFERENCE = 0.01
"""Over the ball's radius: up to it a tight window or track is preload, beyond nothing assembles."""


_PITCH_CIRCLE = distance("radius of the pitch circle", "pitch_radius")


def _track_kinds(race: str) -> Kinds:
    """Moved along itself a straight track stays where it is: two directions are enough."""
    over = (f"{race} track",)
    return {
        f"{race}_track_radial": ErrorKind(
            "outward position of {}", over, 10e-6, size=_PITCH_CIRCLE
        ),
        f"{race}_track_tangential": ErrorKind(
            "tangential position of {}", over, 10e-6, size=_PITCH_CIRCLE
        ),
        f"{race}_track_clearance": ErrorKind("gap at each flank of {}", over, 5e-6),
        f"{race}_track_skew": ErrorKind("skew of {}", over, 60 * ARCSECOND, "rad"),
        f"{race}_track_inclination": ErrorKind("inclination of {}", over, 60 * ARCSECOND, "rad"),
    }


KINDS: Kinds = {
    "ball_diameter": ErrorKind(
        "diameter of {}", ("ball",), 1e-6, size=distance("diameter of a ball", "balls.diameter")
    ),
    **_track_kinds("outer"),
    **_track_kinds("inner"),
    "window_width": ErrorKind(
        "width of {}", ("window",), 10e-6, size=distance("width of a window", "window_width")
    ),
    "window_offset": ErrorKind("axial position of {}", ("window",), 10e-6),
    "outer_guide_clearance": ErrorKind("clearance of the cage's outer guide", (), 10e-6),
    "inner_guide_clearance": ErrorKind("clearance of the cage's inner guide", (), 10e-6),
}
"""Tolerances are assumed: balls of grade 28 sorted by diameter, ground tracks and windows."""


class CvJointSpec(MachineSpec, kinds=KINDS):
    """A constant-velocity ball joint. The properties give what a key that was left out stands
    for."""

    machine: Literal["cv-joint"] = key("the kind of machine", "cv-joint")
    pitch_circle_diameter: PositiveLength = key(
        "the diameter of the circle of ball centres in the straight joint", "60 mm"
    )
    balls: BallsSpec = key("the balls")
    tracks: TracksSpec = key("the tracks of both races")
    outer: OuterRaceSpec = key("the outer race")
    inner: InnerRaceSpec = key("the inner race")
    cage: CageSpec = key("the cage")
    contact: JointContactSpec = key(
        "force law and friction of all contacts", default=JointContactSpec()
    )
    materials: dict[str, MaterialSpec] = key(MATERIALS_MEANING, default={})
    operation: JointOperationSpec = key("the operating point")

    ratio_is: ClassVar[str] = "both races of a joint turn alike"

    @property
    def counts(self) -> Counts:
        parts = ("ball", "window", *(f"{race} track" for race in RACES))
        return dict.fromkeys(parts, self.balls.count)

    @property
    def absent_errors(self) -> Mapping[str, str]:
        return {
            f"{name}_clearance": f"without cage.{name}"
            for name in ("outer_guide", "inner_guide")
            if getattr(self.cage, name) is None
        }

    @property
    def ball_radius(self) -> float:
        return 0.5 * self.balls.diameter

    @property
    def window_width(self) -> float:
        """Along the axis, as designed."""
        return self.balls.diameter + self.cage.window_clearance

    @property
    def pitch_radius(self) -> float:
        return 0.5 * self.pitch_circle_diameter

    @property
    def geometry(self) -> BallJoint:
        """Track axes of both races."""
        outer, inner = self.outer, self.inner
        return BallJoint(
            self.balls.count,
            self.pitch_radius,
            TrackAngles(outer.skew, outer.inclination),
            TrackAngles(
                outer.skew if inner.skew is None else inner.skew,
                outer.inclination if inner.inclination is None else inner.inclination,
            ),
        )

    @property
    def section(self) -> TrackSection:
        """Of all tracks as designed."""
        return self.section_with(0.0)

    def section_with(self, error: float) -> TrackSection:
        """Of a track that leaves `error` more than designed at each flank of a nominal ball."""
        tracks = self.tracks
        clearance = tracks.clearance + error
        return TrackSection(self.ball_radius, tracks.conformity, tracks.contact_angle, clearance)

    @property
    def window_half_width(self) -> float:
        """From the middle of a window to its sides, along the axis."""
        return self.ball_radius + 0.5 * self.cage.window_clearance

    def cross_checks(self) -> Iterable[str]:
        yield from self.material_problems(("balls", "outer", "inner", "cage"))
        yield from self._track_problems()
        yield from first_causes(self._cage(), self._room(), self._walls(), self._guides())
        wrong = list(self.error_problems())
        yield from wrong or self._deviating()

    def _track_problems(self) -> Iterator[str]:
        tracks, radius = self.tracks, self.ball_radius
        room = (tracks.conformity - 1) * radius
        if tracks.clearance >= room:
            yield (
                f"tracks.clearance is {um(tracks.clearance, 4)}; with this conformity it "
                f"must be less than {um(room, 4)}, or the ball does not touch two flanks"
            )
        elif tracks.clearance < -LARGEST_INTERFERENCE * radius:
            yield (
                f"tracks.clearance is {um(tracks.clearance, 4)}; balls of {mm(2 * radius)} "
                f"can be pressed by at most {um(LARGEST_INTERFERENCE * radius, 4)}"
            )
        elif tracks.section == "elliptical":
            yield from self._ellipse()

    def _ellipse(self) -> Iterator[str]:
        tracks, radius = self.tracks, self.ball_radius
        if not self.section.has_ellipse:
            yield (
                f"tracks.conformity is {tracks.conformity:.6g}; no ellipse touches the ball at "
                f"{math.degrees(tracks.contact_angle):.4g} deg unless it is less than "
                f"{self.section.largest_conformity:.4g}: use a larger contact angle, or a gothic "
                "arch"
            )
        elif min(self.section.ellipse[:2]) <= radius:
            yield (
                f"tracks.clearance is {um(tracks.clearance, 4)}; an ellipse that fits so "
                "tightly is narrower than the ball: use less preload, a larger conformity or a "
                "gothic arch"
            )

    def _cage(self) -> Iterator[str]:
        cage, ball = self.cage, self.balls.diameter
        if cage.inner_diameter >= cage.outer_diameter:
            yield (
                f"cage.inner_diameter is {mm(cage.inner_diameter)}; it must be less than the outer "
                f"diameter of {mm(cage.outer_diameter)}"
            )
        tightest = -LARGEST_INTERFERENCE * self.ball_radius
        if cage.window_clearance < tightest:
            yield (
                f"cage.window_clearance is {um(cage.window_clearance, 4)}: balls of "
                f"{mm(ball)} are larger than the windows; they can be pressed in by at most "
                f"{um(-tightest, 4)}"
            )
        if cage.window_length < ball:
            yield (
                f"cage.window_length is {mm(cage.window_length)}: balls of {mm(ball)} are larger "
                "than the windows; use longer windows or smaller balls"
            )
        window = 2 * self.window_half_width + 2 * abs(cage.window_offset)
        if window >= cage.width:
            yield f"cage.width is {mm(cage.width)}; windows of {mm(window)} leave nothing of it"
        around = math.pi * cage.inner_diameter
        if self.balls.count * cage.window_length >= around:
            most = around / self.balls.count
            yield (
                f"cage.window_length is {mm(cage.window_length)}; {self.balls.count} windows leave "
                f"no bars between them unless it is less than {mm(most)}"
            )

    def _room(self) -> Iterator[str]:
        """From the shaft outwards: inner race, cage, outer race."""
        cage, outer, inner = self.cage, self.outer, self.inner
        pitch = self.pitch_circle_diameter
        if not cage.inner_diameter < pitch < cage.outer_diameter:
            yield (
                f"pitch_circle_diameter is {mm(pitch)}; it must lie inside the wall of the cage, "
                f"from {mm(cage.inner_diameter)} to {mm(cage.outer_diameter)}"
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

    def _walls(self) -> Iterator[str]:
        """What balls that lie half in each race leave of them."""
        outer, inner = self.outer, self.inner
        pitch, track = self.pitch_circle_diameter, self.balls.diameter
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

    def _guides(self) -> Iterator[str]:
        """Spheres that guide the cage lie between it and the race they run on."""
        cage = self.cage
        for name, face, inside, outside in (
            ("outer_guide", "the cage", cage.inner_diameter, self.outer.outer_diameter),
            ("inner_guide", "the inner race", self.inner.bore_diameter, cage.outer_diameter),
        ):
            guide = getattr(cage, name)
            if guide is not None and not inside < 2 * guide.radius < outside:
                yield (
                    f"cage.{name}.radius is {mm(guide.radius)}; the outer face of {face} lies "
                    f"between {mm(0.5 * inside)} and {mm(0.5 * outside)}"
                )

    def _deviating(self) -> Iterator[str]:
        """Whether balls, tracks and windows with their errors still go together."""
        errors, radius = self.error_values({}), self.ball_radius
        larger, tightest = 0.5 * errors["ball_diameter"], -LARGEST_INTERFERENCE * radius
        widest = (self.tracks.conformity - 1) * radius
        for race in ("outer", "inner"):
            made = self.tracks.clearance + errors[f"{race}_track_clearance"]
            for k, gap in enumerate(made - larger):
                if not (tightest <= gap and made[k] < widest and larger[k] < widest):
                    yield (
                        f"errors.{race}_track_clearance: ball {k + 1} has a gap of {um(gap)} at "
                        f"each flank of its {race} track; it must lie between {um(tightest)} and "
                        f"{um(widest)}, check the unit"
                    )
                elif self.tracks.section == "elliptical" and not self._fits_ellipse(race, k):
                    yield (
                        f"errors.{race}_track_clearance: an ellipse that leaves ball {k + 1} "
                        f"{um(gap)} at each flank is narrower than the ball or not there; use "
                        "smaller errors"
                    )
        for k, gap in enumerate(self.cage.window_clearance + errors["window_width"] - 2 * larger):
            if gap < tightest:
                yield (
                    f"errors.window_width: window {k + 1} is {um(-gap)} narrower than its ball, "
                    f"which can be pressed in by at most {um(-tightest)}"
                )

    def _fits_ellipse(self, race: str, ball: int) -> bool:
        errors = self.error_values({})
        section = self.section_with(float(errors[f"{race}_track_clearance"][ball]))
        radius = self.ball_radius + 0.5 * float(errors["ball_diameter"][ball])
        return section.has_ellipse and min(section.ellipse[:2]) > radius
