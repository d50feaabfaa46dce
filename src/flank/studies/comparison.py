"""Who computed a sample, and how far a GPU's are from the processor's.

Processors agree to the last bit, threads or cluster, so only a GPU leaves a mark: with each sample
it computed, in the same chunk, whoever goes on with the study later. What they add up to is read
from there, and the verdict with it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from flank.arrays import Floats, Integers

BY_PROCESSOR, BY_GPU, BY_GPU_COMPARED, BY_GPU_OTHERWISE, FOR_GPU = range(5)
"""A sample is the processor's; a GPU's; a GPU's that the processor has computed as well, and found
to end alike, or otherwise; the processor's, since the GPU did not finish it."""

AGREEMENT = 1e-9
"""Of their range, that figures of a GPU should be from the processor's at most."""

UNEXPLAINED = 1e-6
"""Beyond which they are not to be relied on. Between the two lies what the solver's tolerance of
forces leaves open: with a tenth of it, figures of one processor move by up to 5e-8 (rv-320)."""


def difference(
    ours: Mapping[str, float], theirs: Mapping[str, float], sizes: Mapping[str, float]
) -> float:
    """The largest of all figures, over the size of each; `sizes` are those of figures, by their
    short names, that are not their own."""
    largest = 0.0
    for name, value in theirs.items():
        size = sizes.get(name.rpartition(".")[2], abs(value)) or 1.0
        apart = abs(ours.get(name, math.nan) - value) / size
        largest = apart if not apart <= largest else largest
    return largest


@dataclass(frozen=True)
class Comparison:
    """What a GPU's samples of a study add up to."""

    by: Integers  # (sample)
    apart: Floats  # (sample), where it was compared
    known: int  # samples, of whomever

    def count(self, *codes: int) -> int:
        return int(np.isin(self.by, codes).sum())

    @property
    def by_gpu(self) -> int:
        return self.count(BY_GPU, BY_GPU_COMPARED, BY_GPU_OTHERWISE)

    @property
    def compared(self) -> int:
        return self.count(BY_GPU_COMPARED, BY_GPU_OTHERWISE)

    @property
    def worst(self) -> int:
        """The sample that differs most of those that ended alike; a difference that is no number
        counts most."""
        apart = np.where(self.by == BY_GPU_COMPARED, np.nan_to_num(self.apart, nan=np.inf), -1.0)
        return int(np.argmax(apart))

    def _within(self, limit: float) -> bool:
        """Of all that was compared; nothing was, nothing is known."""
        within = bool(np.all(self.apart[self.by == BY_GPU_COMPARED] <= limit))
        return within and self.compared > 0 and not self.count(BY_GPU_OTHERWISE)

    @property
    def agrees(self) -> bool:
        """Whether all that was compared is as it should be."""
        return self._within(AGREEMENT)

    @property
    def reliable(self) -> bool:
        """Whether nothing that was compared is worse than the solver's tolerance explains."""
        return self._within(UNEXPLAINED)

    @property
    def counts(self) -> dict[str, int]:
        """For the manifest."""
        return {
            "cuda": self.by_gpu,
            "processor": self.known - self.by_gpu,
            "compared": self.compared,
        }

    @property
    def sentence(self) -> str:
        """For the report; nothing where no GPU took part."""
        if not self.by_gpu and not self.count(FOR_GPU):
            return ""
        told = f"{self.by_gpu} samples are a GPU's"
        if rescued := self.count(FOR_GPU):
            told += f", {rescued} that it did not finish the processor's"
        return f"{told}. {self._verdict} Findings and warnings of a GPU's are not looked for."

    @property
    def _verdict(self) -> str:
        if not self.compared:
            return "None of them was computed again on the processor: nothing says that they agree."
        told = f"{self.compared} were computed again on the processor"
        if alike := self.count(BY_GPU_COMPARED):
            largest, worst = float(self.apart[self.worst]), self.worst
            beyond = alike - int(np.sum(self.apart[self.by == BY_GPU_COMPARED] <= AGREEMENT))
            limit = f"{beyond} of them NOT within" if beyond else "within"
            told += f": figures of {alike} differ by at most {largest:.1e} of their range (sample "
            told += f"{worst}), {limit} the {AGREEMENT:.0e} that they should"
        if otherwise := np.flatnonzero(self.by == BY_GPU_OTHERWISE).tolist():
            told += f"; {len(otherwise)} ended otherwise there, the first of them sample "
            told += str(otherwise[0])
        return f"{told}." if self.reliable else f"{told}: do not rely on this study."
