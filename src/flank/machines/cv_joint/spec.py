"""The spec of a constant-velocity ball joint: two races with crossed tracks, balls, a cage."""

from collections.abc import Iterable
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
from flank.machines.materials import MATERIALS_MEANING, MaterialSpec, find_material
from flank.machines.quantities import PositiveLength
from flank.machines.spec import Spec


class CvJointSpec(Spec):
    """A constant-velocity ball joint. The properties give what a key that was left out stands
    for."""

    machine: Literal["cv-joint"] = Field(description="the kind of machine", examples=["cv-joint"])
    title: str = Field(default="", description="a name for people", examples=["8 balls"])
    source: str = Field(default="", description="where the numbers come from", examples=["..."])
    assumptions: tuple[str, ...] = Field(
        default=(), description="what the source does not give", examples=["[ball diameter]"]
    )
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

    def cross_checks(self) -> Iterable[str]:
        return problems_of(self)

    ratio_is: ClassVar[str] = "both races of a joint turn alike"

    def material(self, name: str) -> MaterialSpec:
        """The material called `name` in this spec."""
        return find_material(name, self.materials)

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
        tracks = self.tracks
        return TrackSection(
            self.ball_radius, tracks.conformity, tracks.contact_angle, tracks.clearance
        )

    @property
    def window_half_width(self) -> float:
        """From the middle of a window to its sides, along the axis."""
        return self.ball_radius + 0.5 * self.cage.window_clearance
