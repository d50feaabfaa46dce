"""Results do not depend on how many threads BLAS has."""

import pytest
import scipy.linalg
import xarray
from threadpoolctl import threadpool_limits

import flank
from flank.blas import blas_in_use, one_blas_thread
from flank.elasticity import plate
from flank.machines.crank_reducer import structure


def threads() -> set[int]:
    return {int(found["threads"]) for found in blas_in_use()}


def test_one_thread_inside_and_as_before_after_it():
    assert scipy.linalg is not None  # brings a BLAS of its own
    with threadpool_limits(2, user_api="blas"):
        before = threads()
        with one_blas_thread():
            with one_blas_thread():
                assert threads() == {1}
            assert threads() == {1}
        assert threads() == before


@pytest.mark.parametrize("name", ["rv-320", "planetary-500kw"])
def test_a_result_is_the_same_for_any_number_of_threads(name, monkeypatch):
    monkeypatch.setattr(structure, "kept_numbers", lambda _kind, _inputs, compute: compute())
    found = []
    for count in (1, 4):
        plate._unit_compliance.cache_clear()
        with threadpool_limits(count, user_api="blas"):
            found.append(flank.run(flank.preset(name), "natural-frequencies"))
    xarray.testing.assert_identical(found[0].dataset.drop_attrs(), found[1].dataset.drop_attrs())
