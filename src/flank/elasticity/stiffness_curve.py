"""Stiffness of a mesh over the path of contact, given by hand instead of computed.

A curve of a mesh is that of all its teeth together over one base pitch, after which it comes again;
a curve of a pair is that of one pair of teeth from where it comes into contact to where it leaves,
and pairs one base pitch apart share the load. Places are roll lengths of the first gear, which are
the lengths of arc on its base circle. Between points the stiffness is linear.

Where k steps, teeth that run over the step gain or lose energy from nowhere: a potential k(s) δ²/2
has the force -k' δ²/2 along the path, which has no end in a step. So a step is refused, or spread
over a width in which k rises as 3t² - 2t³. Steps are two points at one place, or so near to each
other that the table cannot follow; where a curve of a mesh does not come back to its first value;
and the ends of a curve of a pair, unless it begins and ends with no stiffness.
"""

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from flank.arrays import Floats
from flank.elasticity.mesh_stiffness import PairTable
from flank.texts import mm

CELLS = 512
"""Of the table in a base pitch."""

CELLS_IN_STEP = 16
"""At least, in the width of a step that is spread."""

MOST_CELLS = 8192

UNLIKE = 0.01
"""Share of the largest stiffness by which two neighbouring points must differ to be a step."""

SEAM = 0.381966
"""Of a base pitch beyond the first point, where the table of a mesh begins: two of its cells meet
there, which no usual position of the teeth hits."""


class Step(NamedTuple):
    """A jump of the stiffness at a roll length."""

    at: float
    before: float
    after: float


@dataclass(frozen=True)
class StiffnessCurve:
    """Points (roll length in m, stiffness in N/m) in rising order; ValueError has one sentence."""

    of: Literal["mesh", "pair"]
    points: tuple[tuple[float, float], ...]
    pitch: float  # base pitch, m
    step_width: float | None = None  # m

    def __post_init__(self) -> None:
        rolls = [roll for roll, _ in self.points]
        if len(self.points) < 2 or rolls[-1] <= rolls[0]:
            raise ValueError(f"a curve of {len(self.points)} points is given; it needs two or more")
        if any(after < before for before, after in itertools.pairwise(rolls)):
            raise ValueError("the roll lengths of a curve must rise; sort its points")
        if any(first == third for first, third in zip(rolls, rolls[2:], strict=False)):
            raise ValueError("three points of a curve have one roll length; a step needs two")
        if max(stiffness for _, stiffness in self.points) <= 0:
            raise ValueError("the stiffness of a curve is nowhere above zero")
        self._refuse_span(rolls[-1] - rolls[0])
        self._refuse_steps()

    def _refuse_span(self, span: float) -> None:
        if self.of == "mesh" and span > self.pitch * (1 + 1e-6):
            raise ValueError(
                f"the points reach over {mm(span)}; a mesh is as before after its base pitch of "
                f"{mm(self.pitch)}, so give those of one pitch, or set of to 'pair'"
            )
        if self.of == "mesh" and min(stiffness for _, stiffness in self.points) <= 0:
            raise ValueError("a mesh without stiffness somewhere on its path carries nothing there")
        if self.of == "pair" and span < self.pitch:
            raise ValueError(
                f"the points reach over {mm(span)}, less than the base pitch of {mm(self.pitch)}: "
                "between two pairs of teeth nothing would touch; give the whole path of a pair"
            )

    def _refuse_steps(self) -> None:
        if not self.steps:
            return
        first = self.steps[0]
        if self.step_width is None:
            raise ValueError(
                f"the stiffness steps from {first.before:.4g} to {first.after:.4g} N/m at the roll "
                f"length {mm(first.at)}; give step_width, over which steps are spread, or points "
                "that rise"
            )
        places = [step.at for step in self.steps]
        if self.of == "mesh":
            places.append(places[0] + self.pitch)
        least = min(np.diff(places), default=np.inf)
        if self.step_width >= least:
            raise ValueError(
                f"step_width is {mm(self.step_width)} and two steps lie {mm(float(least))} apart; "
                "make it less"
            )

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """Where the stiffness jumps, in rising order; that at the seam of a mesh comes last."""
        points = self._closed
        unlike = UNLIKE * max(stiffness for _, stiffness in points)
        near = 0.25 * self.pitch / CELLS
        return tuple(
            Step(0.5 * (a + b), before, after)
            for (a, before), (b, after) in itertools.pairwise(points)
            if b - a <= near and abs(after - before) > unlike
        )

    @property
    def _closed(self) -> list[tuple[float, float]]:
        """The points with those that close the curve: back to the first, or down to nothing."""
        points = list(self.points)
        (first, begins), last = points[0], points[-1][0]
        if self.of == "mesh":
            return [*points, (first + self.pitch, begins)]
        return [(first, 0.0), *points, (last, 0.0)]

    def at(self, rolls: Floats) -> Floats:
        """N/m."""
        points = np.array(self._closed)
        if self.of == "mesh":
            rolls = points[0, 0] + np.mod(rolls - points[0, 0], self.pitch)
        values = self._between(points, rolls)
        for step in self.steps:
            values += self._spread(points, step, rolls)
        return values

    @staticmethod
    def _between(points: Floats, rolls: Floats) -> Floats:
        """Linear, at a step the value after it, nothing outside."""
        later = np.clip(np.searchsorted(points[:, 0], rolls, side="right"), 1, len(points) - 1)
        a, b = points[later - 1], points[later]
        share = (rolls - a[:, 0]) / np.where(b[:, 0] > a[:, 0], b[:, 0] - a[:, 0], 1.0)
        outside = (rolls < points[0, 0]) | (rolls > points[-1, 0])
        return np.where(outside, 0.0, a[:, 1] + np.clip(share, 0, 1) * (b[:, 1] - a[:, 1]))

    def _spread(self, points: Floats, step: Step, rolls: Floats) -> Floats:
        """What spreading a step over its width adds to the curve with the step."""
        width = self.step_width or 0.0
        period = self.pitch if self.of == "mesh" else np.inf
        off = rolls - step.at
        if self.of == "mesh":
            off = np.remainder(off + 0.5 * period, period) - 0.5 * period
        share = np.clip(off / width + 0.5, 0.0, 1.0)
        smooth = share * share * (3 - 2 * share)
        sharp = np.where(off >= 0, 1.0, 0.0)
        return np.where(np.abs(off) < 0.5 * width, (smooth - sharp) * (step.after - step.before), 0)

    @property
    def mean(self) -> float:
        """Of the mesh over a base pitch, all pairs on the path in contact."""
        table = self.table()
        return float(np.trapezoid(table.stiffness, dx=table.step) / self.pitch)

    def table(self) -> PairTable:
        """One that a spring of a mesh reads; of a mesh it is one pitch long, so that always one
        entry of it counts."""
        first, last = self.points[0][0], self.points[-1][0]
        over = 0.5 * (self.step_width or 0.0) if self.steps else 0.0
        if self.of == "mesh":
            start, length = first + SEAM * self.pitch, self.pitch
        else:
            start, length = first - over, last - first + 2 * over
        least = self.pitch / CELLS
        if self.steps and self.step_width:
            least = min(least, self.step_width / CELLS_IN_STEP)
        cells = min(int(np.ceil(length / least)), MOST_CELLS)
        rolls = start + length / cells * np.arange(cells + 1, dtype=float)
        stiffness = np.maximum(self.at(rolls), 0.0)
        if self.of == "mesh":
            stiffness[-1] = stiffness[0]
        return PairTable(start, length / cells, stiffness, np.zeros(cells + 1), 0.0)
