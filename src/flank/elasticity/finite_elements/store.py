"""Results of finite elements on disk, found again by everything that they follow from.

A file has the arrays of one result. Its name is a hash of what was asked; its directory names the
sources that compute it, so no edit of them leaves old numbers behind.
"""

import functools
import io
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np

from flank.arrays import AnyArray
from flank.cache_files import DIGEST, CacheUnusable, cache_directory, read_checked, write_checked

Arrays = dict[str, AnyArray]

_FLANK = Path(__file__).parents[2]
_SOURCES = ("elasticity/finite_elements", "elasticity/tooth_beam.py", "geometry")


def stored(kind: str, inputs: object, compute: Callable[[], Arrays]) -> Arrays:
    """The arrays of `compute`, from the disk if they were computed before.

    `inputs` is all that they follow from, told in full by its repr.
    """
    try:
        directory = cache_directory(f"elements-{numbers_version()}")
    except CacheUnusable as reason:
        complain(str(reason))
        return compute()
    path = directory / f"{kind}-{DIGEST(repr((kind, inputs)).encode()).hexdigest()[:32]}.npz"
    found = _read(path)
    if found is not None:
        return found
    arrays = compute()
    content = io.BytesIO()
    np.savez(content, allow_pickle=False, **arrays)
    try:
        write_checked(path, content.getvalue())
    except CacheUnusable as reason:
        complain(str(reason))
    return arrays


def _read(path: Path) -> Arrays | None:
    try:
        with np.load(io.BytesIO(read_checked(path)), allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except OSError:
        return None
    except Exception:  # whatever a damaged file leads to
        print(f"{path} is damaged; what it held is computed anew.", file=sys.stderr)
        with suppress(OSError):
            path.unlink()
        return None


@functools.cache
def numbers_version() -> str:
    """Hash of the sources whose numbers are kept."""
    digest = DIGEST()
    for place in _SOURCES:
        path = _FLANK / place
        for file in sorted(path.glob("*.py")) if path.is_dir() else [path]:
            digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()[:16]


@functools.cache
def complain(reason: str) -> None:
    """Say once why results are not kept."""
    print(
        f"Results of finite elements cannot be kept: {reason}; every run computes them anew. "
        "Name a directory of your own with FLANK_CACHE_DIR.",
        file=sys.stderr,
    )
