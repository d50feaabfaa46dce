"""The spec of a study: which machine, what varies, what is asked, what is kept and what is allowed.

Amounts of a variable have the unit of the key that it varies, so they stay as they were written
until that key is known (`studies/variables.py`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator

from flank.machines.quantities import Fraction, Seed, WholeNumber, quantity
from flank.machines.spec import Spec, key, optional
from flank.texts import describe, joined

MOST_SAMPLES = 10_000_000
"""Of one study; at a thousand a second it takes three hours."""

LEAST_CHUNK, LARGEST_CHUNK = 10, 1000

EXACT_PART, FEWEST_EXACT = 20, 500
"""An assisted study computes one sample in so many whatever the map says, but so many at least."""

Sampling = Literal["random", "latin-hypercube", "sobol", "sobol-indices", "corners", "grid"]

USES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "uniform": ((), ("low", "high")),
    "normal": ((), ("mean", "deviation")),
    "truncated-normal": ((), ("mean", "deviation", "low", "high")),
    "triangular": ((), ("mode", "low", "high")),
    "measured": (("file", "column"), ("unit",)),
    "discrete": (("values",), ("weights",)),
}
"""By distribution, keys that it needs and further ones that it knows."""

_ALL_USED = tuple(dict.fromkeys(name for sets in USES.values() for names in sets for name in names))
AS_THE_KEY = "as the key"


def _several(value: Any) -> Any:
    return [value] if isinstance(value, str) or not isinstance(value, (list, tuple)) else value


def _amount(meaning: str, example: str) -> Any:
    return optional(meaning, example, unit=AS_THE_KEY)


class VariableSpec(Spec):
    """How one key, or one kind of errors, varies from sample to sample."""

    distribution: Literal[
        "uniform", "normal", "truncated-normal", "triangular", "measured", "discrete"
    ] = key("what is drawn from", "normal", default="uniform")
    mean: Any = _amount("the mean; nothing for an error, the spec's value for any other", "2 um")
    deviation: Any = _amount("the standard deviation; a third of the tolerance if absent", "2 um")
    low: Any = _amount("the lowest value; the drawing's tolerance below if absent", "-5 um")
    high: Any = _amount("the highest value; the drawing's tolerance above if absent", "5 um")
    mode: Any = _amount("the most likely value; half-way between the ends if absent", "1 um")
    values: Annotated[tuple[Any, ...], BeforeValidator(_several)] = key(
        "values of a discrete distribution", "[1 um, 2 um]", default=(), unit=AS_THE_KEY
    )
    weights: tuple[float, ...] = key("how likely each of them is", "[0.9, 0.1]", default=())
    file: str | None = optional("a CSV file with measured values", "pins.csv")
    column: str | None = optional("the heading of their column", "radius")
    unit: str | None = optional("the unit of the column; SI if absent", "um")
    share: Fraction = key(
        "share of the variance that all parts of a batch have in common", 0.5, default=0.0
    )
    within: str | None = optional("the part that a batch belongs to; one batch if absent", "disc")
    points: Annotated[int, WholeNumber(minimum=2, maximum=1000)] = key(
        "values of a grid from end to end", default=5
    )

    def cross_checks(self) -> Iterable[str]:
        needed, known = USES[self.distribution]
        for name in needed:
            if getattr(self, name) in (None, ()):
                yield f"{name} is missing; a {self.distribution} distribution needs it"
        for name in _ALL_USED:
            if name not in needed + known and getattr(self, name) not in (None, ()):
                yield f"{name} does nothing in a {self.distribution} distribution; remove it"
        if self.weights and len(self.weights) != len(self.values):
            yield (
                f"weights are {len(self.weights)} and values {len(self.values)}; give one weight "
                "for every value"
            )
        if any(not 0.0 < weight < math.inf for weight in self.weights):
            yield "weights must be more than 0; leave out values that are never drawn"


class LimitSpec(Spec):
    """What a figure may be."""

    at_most: Any = optional("the highest value that is allowed", "1 arcmin", unit="of the figure")
    at_least: Any = optional("the lowest value that is allowed", "3 N*m", unit="of the figure")

    def cross_checks(self) -> Iterable[str]:
        if self.at_most is None and self.at_least is None:
            yield "at_most is missing, and so is at_least; give one of them"


class GradeSpec(Spec):
    """A tolerance that can be had, and what it costs."""

    tolerance: Any = key(
        "half the width that is allowed, or a grade of ISO 286-1", "2 um", unit=AS_THE_KEY
    )
    cost: Annotated[float, quantity("", "", minimum=0.0)] = key(
        "of all parts of the kind, in whatever money", 12.5
    )


class AllocationSpec(Spec):
    """Which yield is to be kept, and which grades there are."""

    at_least: Annotated[float, quantity("", "", positive=True, maximum=1.0)] = key(
        "the yield of all limits together", 0.95
    )
    grades: dict[str, tuple[GradeSpec, ...]] = key(
        "by kind of errors that varies, tolerances with their costs"
    )
    pilot: Annotated[int, WholeNumber(minimum=50, maximum=100_000)] = key(
        "samples over all grades, of which the map is made", default=400
    )


class StudySpec(Spec):
    """A study, as its file writes it."""

    machine: Any = key("a preset, the file of a spec, or a spec itself", "rv-320")
    title: str = key("a name for people", "Pins of supplier A", default="")
    changes: dict[str, Any] = key(
        "keys of the machine's spec that are changed", "{friction.pins: 0.06}", default={}
    )
    varies: dict[str, VariableSpec] = key(
        "by key of the machine's spec, how it varies; a kind of errors stands for all its parts"
    )
    asks: dict[str, dict[str, Any]] = key(
        "by name, the analyses that every sample is asked, with their settings"
    )
    keeps: Annotated[tuple[str, ...], BeforeValidator(_several)] = key(
        "curves that are kept, in single precision, and single numbers of arrays, as frequency.3; "
        "figures always are",
        "[loop_angle]",
        default=(),
    )
    limits: dict[str, LimitSpec] = key(
        "by figure, or by a number of an array as frequency.3, what it may be", default={}
    )
    sampling: Sampling = key("how samples are chosen", default="random")
    samples: Annotated[int, WholeNumber(minimum=1, maximum=MOST_SAMPLES)] | None = optional(
        "how many there are; rows of sobol-indices; grids and corners count by themselves", 1000
    )
    seed: Seed = key("by which samples are drawn", default=0)
    chunk: Annotated[int, WholeNumber(minimum=1, maximum=100_000)] | None = optional(
        "samples that are written together; a hundredth of all if absent, 10 to 1000", 100
    )
    method: Literal["exact", "assisted"] = key(
        "whether every sample is computed, or a linear map tells of most", default="exact"
    )
    exact: Annotated[int, WholeNumber(minimum=50, maximum=MOST_SAMPLES)] | None = optional(
        "samples that an assisted study computes whatever the map says; a twentieth of all if "
        "absent, at least 500",
        2000,
    )
    confidence: Annotated[float, Fraction.__metadata__[0]] = key(
        "that intervals hold what they say", default=0.95
    )
    allocate: AllocationSpec | None = optional(
        "grades of tolerances for `flank study allocate`", "{at_least: 0.95, grades: ...}"
    )
    allow_refused: bool = key(
        "whether draws that a spec refuses may be, and count as failed", default=False
    )

    def cross_checks(self) -> Iterable[str]:
        counted = self.sampling in ("corners", "grid")
        if self.samples is None and not counted:
            yield "samples is missing; say how many there are, for example 1000"
        if self.samples is not None and counted:
            yield f"samples does nothing with {self.sampling}, which count by themselves; remove it"
        for name, given in (("varies", self.varies), ("asks", self.asks)):
            if not given:
                example = {"varies": "errors.pin_radius: {}", "asks": "hysteresis: {}"}[name]
                yield f"{name} is empty; give at least one, for example {example}"
        if self.sampling == "sobol-indices" and self.samples and self.samples & (self.samples - 1):
            power = 2 ** round(math.log2(self.samples))
            yield f"samples must be a power of two with sobol-indices, as {power}"
        if self.method == "exact" and self.exact is not None:
            yield "exact does nothing unless the method is assisted; remove it"
        if self.method == "assisted" and self.sampling != "random":
            yield (
                f"method: assisted needs random sampling, as its intervals do, not {self.sampling}"
            )
        if not 0.0 < self.confidence < 1.0:
            yield f"confidence is {describe(self.confidence)}; it lies between 0 and 1"
        if self.sampling in ("corners", "grid"):
            between = [name for name, each in self.varies.items() if 0.0 < each.share < 1.0]
            if between:
                yield (
                    f"varies.{joined(between, 'and')}: a share between 0 and 1 has no "
                    f"{self.sampling}; give 0, each part by itself, or 1, all together"
                )

    def exact_count(self, samples: int) -> int:
        """Samples that are computed whatever the map says."""
        if self.method == "exact":
            return samples
        return min(self.exact or max(samples // EXACT_PART, FEWEST_EXACT), samples)

    def chunk_size(self, samples: int) -> int:
        return self.chunk or min(max(samples // 100, LEAST_CHUNK), LARGEST_CHUNK)
