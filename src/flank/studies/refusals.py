"""Which share of a study's samples would be refused, told before anything is computed.

A key's own bounds tell the share of a distribution that leaves them exactly (`variables`). Rules
between keys, and findings about a whole machine, can only be tried: some of the study's own samples
are made, though not computed, and the interval of their share is that of any proportion.
"""

from __future__ import annotations

import re
import time
from collections import Counter

import numpy as np

from flank.errors import SpecError
from flank.studies import statistics
from flank.studies.samples import Sampler

TRIED, FEWEST_TRIED = 100, 10
SECONDS_TO_TRY = 3.0
"""After which no more than the fewest are made: some machines take long."""


def refused_sentence(sampler: Sampler, confidence: float) -> str:
    """What came of trying samples; nothing if none was refused."""
    sentences, tried = _tried(sampler)
    if not sentences:
        return ""
    share = statistics.proportion(len(sentences), tried, confidence)
    kinds = Counter(map(without_numbers, sentences))
    commonest = next(
        each for each in sentences if without_numbers(each) == kinds.most_common(1)[0][0]
    )
    often = f", {kinds.most_common(1)[0][1]} times" if len(kinds) > 1 else ""
    return (
        f"varies: {len(sentences)} of {tried} samples that were tried would be refused, so "
        f"{share.low:.2g} to {share.high:.2g} of all ({confidence:.0%} confidence); most often"
        f"{often}: {commonest}; narrow what varies, or say allow_refused: true"
    )


def _tried(sampler: Sampler) -> tuple[list[str], int]:
    """Sentences of the samples that were refused, and how many were tried, from the first to the
    last of the study."""
    numbers = np.linspace(0, sampler.plan.samples - 1, min(TRIED, sampler.plan.samples))
    # Any few of them stand for all: in an order of their own, so that time may end it anywhere.
    order = np.random.default_rng(0).permutation(numbers.astype(int))
    sentences, started = [], time.monotonic()
    for tried, number in enumerate(order.tolist(), start=1):
        try:
            sampler.machine_of(number)
        except SpecError as error:
            sentences.append("; ".join(error.problems))
        if tried >= FEWEST_TRIED and time.monotonic() - started > SECONDS_TO_TRY:
            break
    return sentences, tried


def without_numbers(sentence: str) -> str:
    """Without its numbers, which every sample has for itself."""
    return re.sub(r"[-+]?[0-9][0-9.e+-]*", "", sentence)
