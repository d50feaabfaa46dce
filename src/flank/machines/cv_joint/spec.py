"""The spec of a constant-velocity ball joint: two races with crossed tracks, balls, a cage."""

from collections.abc import Iterable, Mapping
from typing import ClassVar, Literal

from pydantic import Field

from flank.geometry.ball_joint import BallJoint, TrackAngles
from flank.geometry.track_section import TrackSection
from flank.machines.cv_joint.checks import problems_of
from flank.machines.cv_joint.contact_spec import JointContactSpec
from flank.machines.cv_joint.operation import JointOperationSpec
from flank.machines.cv_joint.parts import (
    BallsSpec,
    CageSpec,
    InnerRaceSpec,
    OuterRaceSpec,
    TracksSpec,
)
from flank.machines.error_kinds import (
    ARCSECOND,
    Counts,
    ErrorKind,
    ErrorsSpec,
    Kinds,
    TolerancesSpec,
)
from flank.machines.machine_spec import MachineSpec
from flank.machines.materials import MATERIALS_MEANING, MaterialSpec
from flank.machines.quantities import PositiveLength

RACES = ("outer", "inner")


def _track_kinds(race: str) -> Kinds:
    """Moved along itself a straight track stays where it is: two directions are enough."""
    over = (f"{race} track",)
    return {
        f"{race}_track_radial": ErrorKind("outward position of {}", over, 10e-6),
        f"{race}_track_tangential": ErrorKind("tangential position of {}", over, 10e-6),
        f"{race}_track_clearance": ErrorKind("gap at each flank of {}", over, 5e-6),
        f"{race}_track_skew": ErrorKind("skew of {}", over, 60 * ARCSECOND, "rad"),
        f"{race}_track_inclination": ErrorKind("inclination of {}", over, 60 * ARCSECOND, "rad"),
    }


KINDS: Kinds = {
    "ball_diameter": ErrorKind("diameter of {}", ("ball",), 1e-6),
    **_track_kinds("outer"),
    **_track_kinds("inner"),
    "window_width": ErrorKind("width of {}", ("window",), 10e-6),
    "window_offset": ErrorKind("axial position of {}", ("window",), 10e-6),
    "outer_guide_clearance": ErrorKind("clearance of the cage's outer guide", (), 10e-6),
    "inner_guide_clearance": ErrorKind("clearance of the cage's inner guide", (), 10e-6),
}
"""Tolerances are assumed: balls of grade 28 sorted by diameter, ground tracks and windows."""


class JointErrorsSpec(ErrorsSpec, kinds=KINDS):
    """Errors of every kind, by instance."""


class JointTolerancesSpec(TolerancesSpec, kinds=KINDS):
    """Drawing tolerances of every kind."""


class CvJointSpec(MachineSpec):
    """A constant-velocity ball joint. The properties give what a key that was left out stands
    for."""

    machine: Literal["cv-joint"] = Field(description="the kind of machine", examples=["cv-joint"])
    pitch_circle_diameter: PositiveLength = Field(
        description="the diameter of the circle of ball centres in the straight joint",
        examples=["60 mm"],
    )
    balls: BallsSpec = Field(description="the balls")
    tracks: TracksSpec = Field(description="the tracks of both races")
    outer: OuterRaceSpec = Field(description="the outer race")
    inner: InnerRaceSpec = Field(description="the inner race")
    cage: CageSpec = Field(description="the cage")
    contact: JointContactSpec = Field(
        default=JointContactSpec(), description="force law and friction of all contacts"
    )
    materials: dict[str, MaterialSpec] = Field(default={}, description=MATERIALS_MEANING)
    operation: JointOperationSpec = Field(description="the operating point")
    errors: JointErrorsSpec = Field(default=JointErrorsSpec(), description="deviations")
    tolerances: JointTolerancesSpec = Field(
        default=JointTolerancesSpec(), description="drawing tolerances"
    )

    def cross_checks(self) -> Iterable[str]:
        return problems_of(self)

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
