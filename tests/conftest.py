"""Property tests draw the same examples in every run; `make nightly` draws new ones.

Whoever starts workers first builds the library of kernels, once for all of them. What takes
longest comes first, so that no worker is left with it at the end, and none takes over half of its
tests.
"""

import os

import pytest
from hypothesis import settings

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
