"""Which uniform numbers a sample has: counter-based, so that its number alone decides.

random            Philox, keyed by the seed and the name of a variable, the sample's number as its
                  counter: a column, a row or one number can be had without any other
latin-hypercube   one sample in each of n equal slices of every variable (scipy.stats.qmc)
sobol             scrambled Sobol points (scipy.stats.qmc), best where their count is a power of two
sobol-indices     rows A, B and, for each entry, A with that entry's numbers of B (Saltelli 2010)
corners, grid     all combinations of ends, or of points from end to end
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from flank.arrays import Floats
from flank.errors import SpecError
from flank.studies.spec import MOST_SAMPLES, StudySpec
from flank.studies.variables import Variables

NEXT_TO_END = 2.0**-53
"""No uniform number is 0 or 1, where a normal number is infinite."""

LARGEST_TABLE = 2**28
"""Numbers of a Latin hypercube, which is made at once: 2 GB."""


@dataclass(frozen=True)
class Plan:
    """The samples of a study: how many, and the uniform numbers of each."""

    sampling: str
    seed: int
    samples: int
    variables: Variables

    @property
    def along(self) -> bool:
        """Whether numbers are shares of the way between ends, and not of a distribution."""
        return self.sampling in ("corners", "grid")

    @property
    def block(self) -> int:
        """Samples that belong to one row of sobol-indices."""
        return len(self.variables.entries) + 2 if self.sampling == "sobol-indices" else 1

    def values(self, first: int, count: int) -> Floats:
        """Values (sample, place) of samples with numbers from `first` on."""
        return self.variables.values(self.uniform(first, count), self.along)

    def uniform(self, first: int, count: int) -> Floats:
        """Uniform numbers (sample, dimension)."""
        match self.sampling:
            case "random":
                names = self.variables.dimensions
                return np.column_stack([uniform(self.seed, n, first, count) for n in names])
            case "latin-hypercube":
                return self._hypercube[first : first + count]
            case "sobol":
                return self._sobol_points(len(self.variables.dimensions), first, count)
            case "sobol-indices":
                return self._exchanged(first, count)
        return self._combinations(first, count)

    @cached_property
    def _hypercube(self) -> Floats:
        from scipy.stats import qmc

        engine = qmc.LatinHypercube(len(self.variables.dimensions), seed=self._generator())
        return _inside(engine.random(self.samples))

    def _generator(self) -> np.random.Generator:
        return np.random.default_rng([int(word) for word in _key(self.seed, self.sampling)])

    def _sobol_points(self, dimensions: int, first: int, count: int) -> Floats:
        from scipy.stats import qmc

        engine: Any = qmc.Sobol(dimensions, seed=self._generator())
        # The first point alone: SciPy warns of a first batch that is no power of two.
        points = [engine.random(1)] if first == 0 else []
        if first > 0:
            engine.fast_forward(first)
        return _inside(np.vstack([*points, engine.random(count - len(points))]))

    def _exchanged(self, first: int, count: int) -> Floats:
        """Of each row A, then B, then A with the numbers of one entry from B."""
        width, owner = len(self.variables.dimensions), np.asarray(self.variables.owner)
        start, stop = first // self.block, -(-(first + count) // self.block)
        rows = self._sobol_points(2 * width, start, stop - start)
        numbers = np.arange(first, first + count)
        row, part = numbers // self.block - start, numbers % self.block
        from_b = (part[:, None] == 1) | (part[:, None] - 2 == owner[None, :])
        return np.where(from_b, rows[row, width:], rows[row, :width])

    def _combinations(self, first: int, count: int) -> Floats:
        levels = _levels(self.sampling, self.variables)
        places = np.unravel_index(np.arange(first, first + count), levels)
        return np.column_stack(
            [place / max(level - 1, 1) for place, level in zip(places, levels, strict=True)]
        )


def make_plan(study: StudySpec, variables: Variables) -> Plan:
    """The plan of a study; SpecError if it would have too many samples."""
    count = study.samples or 0
    width = len(variables.dimensions)
    if study.sampling in ("corners", "grid"):
        count = math.prod(_levels(study.sampling, variables))
        if count > MOST_SAMPLES:
            raise SpecError(
                f"sampling: {study.sampling} of {width} numbers are {float(count):.3g} samples, "
                f"and {MOST_SAMPLES} are the most; let parts vary together with share: 1, or vary "
                "fewer"
            )
    if study.sampling == "sobol-indices":
        count *= len(variables.entries) + 2
    if study.sampling == "latin-hypercube" and count * width > LARGEST_TABLE:
        raise SpecError(
            f"sampling: a Latin hypercube of {count} samples in {width} numbers does not fit the "
            "memory; use random or sobol"
        )
    return Plan(study.sampling, study.seed, count, variables)


def uniform(seed: int, name: str, first: int, count: int) -> Floats:
    """Numbers in (0, 1) of samples from `first` on for the variable `name`."""
    generator = np.random.Philox(key=_key(seed, name))
    generator.advance(first)  # a counter for each sample, which gives four words; one is used
    words = generator.random_raw(4 * count)[::4] >> np.uint64(12)
    return np.asarray((words.astype(np.float64) + 0.5) * 2.0**-52)


def _key(seed: int, name: str) -> Any:
    digest = hashlib.sha256(f"{seed}:{name}".encode()).digest()
    return np.frombuffer(digest[:16], dtype="<u8")


def _levels(sampling: str, variables: Variables) -> list[int]:
    return [2 if sampling == "corners" else level for level in variables.levels]


def _inside(points: Floats) -> Floats:
    return np.clip(points, NEXT_TO_END, 1.0 - NEXT_TO_END)
