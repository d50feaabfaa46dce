"""Property tests draw the same examples in every run; `make nightly` draws new ones.

Whoever starts workers first builds the library of kernels, once for all of them. What takes
longest comes first, so that no worker is left with it at the end, and none takes over half of its
tests.
"""

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

from flank.contact import flexible_gear, gear_loading
from flank.elasticity.finite_elements.sector_mesh import MeshDensity
from flank.native.build import BuildError, build_all
from flank.native.library import FOLDER, Unusable, opened

LONGEST = ("tests/test_validation.py", "tests/reproduce/", "tests/fuzz/")

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("searching", deadline=None)
settings.load_profile(os.environ.get("FLANK_HYPOTHESIS", "repeatable"))


def pytest_configure(config: pytest.Config) -> None:
    workers = config.getoption("numprocesses", None)
    if workers and not hasattr(config, "workerinput") and not config.option.collectonly:
        try:
            build_all()
        except BuildError as error:  # Numba does it then, in every worker
            print(error)
    elif not workers:
        try:
            opened(FOLDER)
        except Unusable:  # after an edit: compile what a few tests need, without a word
            os.environ["FLANK_NATIVE"] = "0"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))


@pytest.fixture(scope="module")
def coarse_elements() -> Iterator[MeshDensity]:
    """Gears of few elements, for what is the same on any mesh; nothing of them stays in memory for
    the tests that come after in the same process."""
    coarse = MeshDensity(tooth=2, flank=4, fillet=1, space=1, layers=1, growth=1.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gear_loading, "_density", lambda _strips: coarse)
        _forget_elements()
        yield coarse
    _forget_elements()


def _forget_elements() -> None:
    for kept in (flexible_gear.gear_modes, gear_loading._elements):
        kept.cache_clear()
