"""One preset a machine for what is asked of every preset; the others are asked by night."""

from collections.abc import Callable, Iterable

import pytest

DAILY = (
    "bevel-pair",
    "cv-joint",
    "cycloidal-drive",
    "few-teeth-38",
    "gear-pair",
    "helical-in-space",
    "hypoid-pair",
    "planetary-500kw",
    "rv-40",
)
"""Of each machine the preset that is quickest and still has all its parts."""


def daily(names: Iterable[str], preset_of: Callable[[str], str] = str) -> list:
    """Names as parameters of a test: those of other presets are left to `make nightly`."""
    return [
        name if preset_of(name) in DAILY else pytest.param(name, marks=pytest.mark.nightly)
        for name in names
    ]
