"""Flank: how gears, reducers and joints transmit motion, from explicit contact geometry.

    import flank

    drive = flank.preset("cycloidal-drive")
    result = flank.run(drive, "hysteresis")
    print(flank.summary(result))
    flank.save(result, "out")

Everything is imported when it is first used.
"""

from typing import TYPE_CHECKING, Any

from flank._version import __version__

if TYPE_CHECKING:
    from flank.api import (
        allocate,
        check,
        compare,
        design,
        dossier,
        export,
        export_fmu,
        load,
        optimize,
        preset,
        read,
        run,
        save,
        study,
        summary,
    )

__all__ = [
    "__version__",
    "allocate",
    "check",
    "compare",
    "design",
    "dossier",
    "export",
    "export_fmu",
    "load",
    "optimize",
    "preset",
    "read",
    "run",
    "save",
    "study",
    "summary",
]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from flank import api

        return getattr(api, name)
    raise AttributeError(f"module 'flank' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
