"""Results of finite elements on disk, found again by everything that they follow from.

A file has the arrays of one result. Its name is a hash of what was asked; its directory names the
sources that compute it, so no edit of them leaves old numbers behind. What is computed tells who
listens how far it has come.
"""

import functools
import io
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np

from flank.arrays import AnyArray
from flank.cache_files import DIGEST, CacheUnusable, cache_directory, read_checked, write_checked

Arrays = dict[str, AnyArray]

listeners: list[Callable[[str, float], None]] = []
"""Told the kind of what is computed and the share that is done, from zero to one."""

_kinds: list[str] = []
"""Of what is computed now."""

_FLANK = Path(__file__).parents[2]
_SOURCES = ("elasticity/finite_elements", "elasticity/tooth_beam.py", "geometry")


def told(steps: range) -> Iterator[int]:
    """The steps of a computation, those who listen told of each."""
    for k in steps:
        yield k
        _tell((k + 1 - steps.start) / (len(steps) + 1))


def _tell(share: float) -> None:
    for listener in listeners if _kinds else ():
        listener(_kinds[-1], share)


def _computed(kind: str, compute: Callable[[], Arrays]) -> Arrays:
    _kinds.append(kind)
    try:
        _tell(0.0)
        return compute()
    finally:
        _tell(1.0)
        _kinds.pop()


def stored(kind: str, inputs: object, compute: Callable[[], Arrays]) -> Arrays:
    """The arrays of `compute`, from the disk if they were computed before.

    `inputs` is all that they follow from, told in full by its repr.
    """
    try:
        directory = cache_directory(f"elements-{numbers_version()}")
    except CacheUnusable as reason:
        complain(str(reason))
        return _computed(kind, compute)
    path = directory / f"{kind}-{DIGEST(repr((kind, inputs)).encode()).hexdigest()[:32]}.npz"
    found = _read(path)
    if found is not None:
        return found
    arrays = _computed(kind, compute)
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


def numbers_version() -> str:
    """Hash of the sources whose numbers are kept."""
    return version_of(_SOURCES)


@functools.cache
def version_of(places: tuple[str, ...]) -> str:
    """Hash of sources: files, and all in folders, of the package."""
    digest = DIGEST()
    for place in places:
        path = _FLANK / place
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            digest.update(file.relative_to(_FLANK).as_posix().encode() + file.read_bytes())
    return digest.hexdigest()[:16]


@functools.cache
def complain(reason: str) -> None:
    """Say once why results are not kept."""
    print(
        f"Results of finite elements cannot be kept: {reason}; every run computes them anew. "
        "Name a directory of your own with FLANK_CACHE_DIR.",
        file=sys.stderr,
    )
