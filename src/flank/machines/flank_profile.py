"""How specs give the flanks of discs: as generated, as polylines, or by measured points."""

from collections.abc import Iterable
from typing import Annotated, ClassVar, Literal

from flank.geometry.findings import MEASURED_CODES
from flank.machines.measured.points import PointsFit, unit_problem
from flank.machines.quantities import WholeNumber
from flank.machines.spec import Spec, optional

SEGMENTS_PER_LOBE = 200

MOST_SEGMENTS = 1_000_000
"""Segments of a whole flank, some tenths of a micron each."""

MODIFICATIONS = ("equidistant", "radial", "angular")
"""Modifications of a flank, and kinds of their errors."""

DISC_NUMBER = "{}"
"""In the name of a file of points: the number of the disc, counted from 1."""

MEASURED_KEYS = dict.fromkeys(
    (*MEASURED_CODES, "points-fitted", "points-off-centre"), "discs.points_file"
)
"""Of the spec, by finding about measured points."""


class FlankProfileSpec(Spec):
    """The flanks of discs; blocks of discs add what they are else."""

    idle_if_measured: ClassVar[tuple[str, ...]] = ()
    """Keys of the block that do nothing where flanks are measured; how they are generated else is
    what points are laid onto and compared with."""

    profile: Literal["smooth", "polyline", "measured"] | None = optional(
        "how the flank is represented; smooth if absent", "smooth"
    )
    segments_per_lobe: Annotated[int, WholeNumber(minimum=1, most=10_000)] | None = optional(
        "segments of a polyline; 200 if absent", SEGMENTS_PER_LOBE
    )
    points_file: str | None = optional(
        "the file of measured points, one for all discs; {} in its name stands for the number of "
        "the disc where every disc has its own",
        "disc.csv",
    )
    points_unit: str | None = optional(
        "the unit of x and y in that file, where its headings do not tell; m if absent", "mm"
    )
    points_fit: PointsFit | None = optional(
        "how points are laid onto the nominal flank: turned and moved, turned only with their "
        "centre kept, or not at all; 'angle and centre' if absent",
        "angle",
    )

    @property
    def measured(self) -> bool:
        return self.profile == "measured"

    @property
    def own_points(self) -> bool:
        """Whether every disc has a file of its own."""
        return DISC_NUMBER in (self.points_file or "")

    def points_of(self, disc: int) -> str:
        """The file of the points of one disc, counted from 0."""
        return (self.points_file or "").replace(DISC_NUMBER, str(disc + 1))

    @property
    def laying(self) -> str:
        """How points are laid onto the nominal flank."""
        return self.points_fit or "angle and centre"

    def cross_checks(self) -> Iterable[str]:
        yield from super().cross_checks()
        profile = self.profile or "smooth"
        if self.segments_per_lobe is not None and profile != "polyline":
            yield f"segments_per_lobe does nothing with a {profile} profile; remove it"
        for name in ("points_file", "points_unit", "points_fit"):
            if getattr(self, name) is not None and not self.measured:
                yield f"{name} does nothing with a {profile} profile; remove it"
        if problem := unit_problem(self.points_unit):
            yield f"points_unit: {problem}"
        if self.measured:
            if self.points_file is None:
                yield "points_file is missing: a measured profile needs it"
            for name in self.idle_if_measured:
                if getattr(self, name, None):
                    yield f"{name} does nothing with a measured profile; remove it"

    def segment_problems(self, lobes: int) -> Iterable[str]:
        """Whether a polyline is finer than any flank."""
        segments = self.segments_per_lobe or SEGMENTS_PER_LOBE
        if self.profile == "polyline" and lobes * segments > MOST_SEGMENTS:
            yield (
                f"discs.segments_per_lobe is {segments}, which is {lobes * segments} in all; "
                f"with {lobes} lobes use at most {MOST_SEGMENTS // lobes}"
            )
