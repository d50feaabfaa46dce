"""Property tests draw the same examples in every run; `make nightly` draws new ones."""

import os

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("searching", deadline=None)
settings.load_profile(os.environ.get("FLANK_HYPOTHESIS", "repeatable"))
