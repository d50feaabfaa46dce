"""Finite elements with a cache of their own, and with one thread, as analyses have them."""

import pytest

from flank.blas import one_blas_thread


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("FLANK_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
    with one_blas_thread():
        yield
