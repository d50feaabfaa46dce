"""How specs give the flanks of discs: as generated, as polylines, or by measured points."""

from collections.abc import Iterable
from typing import Annotated, ClassVar, Literal

from flank.arrays import Floats
from flank.errors import SpecError
from flank.geometry.findings import MEASURED_CODES
from flank.geometry.spline import read_points
from flank.machines.quantities import WholeNumber
from flank.machines.spec import Spec, optional

SEGMENTS_PER_LOBE = 200

MOST_SEGMENTS = 1_000_000
"""Segments of a whole flank, some tenths of a micron each."""

MODIFICATIONS = ("equidistant", "radial", "angular")
"""Modifications of a flank, and kinds of their errors."""

DISC_NUMBER = "{}"
"""In the name of a file of points: the number of the disc, counted from 1."""

MEASURED_KEYS = dict.fromkeys(MEASURED_CODES, "discs.points_file")
"""Of the spec, by finding about measured points."""


def read_profiles(paths: Iterable[str]) -> dict[str, Floats]:
    """Points by the name of their file; SpecError where one cannot be read."""
    try:
        return {path: read_points(path) for path in dict.fromkeys(paths)}
    except (OSError, ValueError) as error:
        raise SpecError(f"discs.points_file: {error}") from error


class FlankProfileSpec(Spec):
    """The flanks of discs; blocks of discs add what they are else."""

    generating_keys: ClassVar[tuple[str, ...]] = MODIFICATIONS
    """Keys of the block that tell how a flank is generated, and nothing of a measured one."""

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

    def cross_checks(self) -> Iterable[str]:
        yield from super().cross_checks()
        profile = self.profile or "smooth"
        if self.segments_per_lobe is not None and profile != "polyline":
            yield f"segments_per_lobe does nothing with a {profile} profile; remove it"
        if self.points_file is not None and not self.measured:
            yield f"points_file does nothing with a {profile} profile; remove it"
        if self.measured:
            if self.points_file is None:
                yield "points_file is missing: a measured profile needs it"
            for name in self.generating_keys:
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
