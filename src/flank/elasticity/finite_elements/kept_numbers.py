"""Few numbers that take long to find, on disk: those found last, in one small file a kind.

Where `store.py` keeps arrays, a file for each question and for as long as they are
used, this keeps some hundred answers of a few numbers. So a check that is repeated, or varied in
something else, finds them, and a search among thousands of machines leaves no thousands of files.
Processes that write at the same time lose some of each other's answers, never a digit.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

from flank.cache_files import DIGEST, CacheUnusable, cache_directory, read_checked, write_checked
from flank.elasticity.finite_elements.store import complain, version_of

MOST = 400
"""Answers that are kept of a kind."""

SOURCES = ("elasticity", "geometry", "arrays.py")
"""What the numbers follow from, beside what is asked."""

Numbers = tuple[float, ...]


def kept_numbers(kind: str, inputs: object, compute: Callable[[], Numbers]) -> Numbers:
    """The numbers of `compute`, from the disk if they were computed before.

    `inputs` is all that they follow from, told in full by its repr.
    """
    known, name = _known(kind), DIGEST(repr(inputs).encode()).hexdigest()[:32]
    if (found := known.get(name)) is not None:
        return found
    known[name] = compute()
    for oldest in list(known)[:-MOST]:
        del known[oldest]
    if (path := _path(kind)) is not None:
        try:
            write_checked(path, json.dumps(dict(known)).encode())
        except CacheUnusable as reason:
            complain(str(reason))
    return known[name]


@cache
def _known(kind: str) -> dict[str, Numbers]:
    """Answers by the hash of what was asked, the oldest first; none where a file is damaged."""
    path = _path(kind)
    with suppress(OSError, ValueError, AttributeError, TypeError):
        if path is not None:
            stored = json.loads(read_checked(path))
            return {name: tuple(map(float, numbers)) for name, numbers in stored.items()}
    return {}


@cache
def _path(kind: str) -> Path | None:
    try:
        return cache_directory(f"numbers-{version_of(SOURCES)}") / f"{kind}.json"
    except CacheUnusable as reason:
        complain(str(reason))
        return None
