"""What is solved once for all machines that differ only in what a solve does not read: a remedy is
sought on machines of which one key alone is another."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from flank.machines.spec import Spec

Found = TypeVar("Found")

MOST = 32
"""Results that are kept."""

_kept: dict[tuple[str, str], Any] = {}


def kept(name: str, spec: Spec, without: dict[str, Any], solve: Callable[[], Found]) -> Found:
    """The result of `solve`, named so, of a spec `without` the keys that it does not read."""
    key = name, spec.model_dump_json(exclude=without)
    if key not in _kept:
        if len(_kept) >= MOST:
            del _kept[next(iter(_kept))]
        _kept[key] = solve()
    found: Found = _kept[key]
    return found
