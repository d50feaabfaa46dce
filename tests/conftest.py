"""Property tests draw the same examples in every run; `make nightly` draws new ones.

Whoever starts workers first compiles the kernels, once for all of them.
"""

import os

import pytest
from hypothesis import settings
from warm_up import warm_up

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("searching", deadline=None)
settings.load_profile(os.environ.get("FLANK_HYPOTHESIS", "repeatable"))


def pytest_configure(config: pytest.Config) -> None:
    workers = config.getoption("numprocesses", None)
    if workers and not hasattr(config, "workerinput") and not config.option.collectonly:
        warm_up(workers)
