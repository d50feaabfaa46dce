"""Gears of few and coarse elements, and a cache of their own."""

import pytest


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("FLANK_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
