"""What made a result: when, from which spec, by which code on which libraries."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from flank._version import __version__
from flank.blas import blas_in_use
from flank.kernel import SOURCES_HASH, kernel_target

LIBRARIES = ("numpy", "scipy", "numba", "llvmlite", "xarray")
"""Those whose version can move a digit."""


def provenance(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Plain data that two runs share, the date apart, if nothing can make them differ."""
    return {
        "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "spec_hash": spec_hash(spec),
        "kernel_hash": SOURCES_HASH,
        "kernel_target": kernel_target(),
        "versions": {
            "flank": __version__,
            "python": platform.python_version(),
            **{name: version(name) for name in LIBRARIES},
        },
        "blas": blas_in_use(),
    }


def spec_hash(spec: Mapping[str, Any]) -> str:
    """Equal for equal machines, whatever order their keys were written in."""
    text = json.dumps(spec, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
