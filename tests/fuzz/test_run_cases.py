"""`flank run` on machines changed at random: an answer, an outcome or a sentence, no traceback."""

import os

import pytest
from fuzzed import faults, names_below
from mutations import run_case, seed

SEED = seed()
CASES = 400 if os.environ.get("FLANK_HYPOTHESIS") == "searching" else 40
AT_ONCE = 10
SECONDS = 60.0
"""Processor time that a coarse run may take, kernels compiled."""


@pytest.fixture(autouse=True, scope="module")
def _compiled(tmp_path_factory):
    """Nothing is timed while kernels are compiled."""
    folder = str(tmp_path_factory.mktemp("first"))
    for name in ("cycloidal-drive", "rv-320", "few-teeth-60", "planetary-500kw"):
        words = ("run", name, "--analysis", "load-distribution", "--out", folder)
        assert not faults(words, statuses=(0,), seconds=600.0)
    words = ("run", "cv-joint", "--option", "mode=static", "--option", "points_per_turn=16")
    assert not faults((*words, "--out", folder), statuses=(0,), seconds=600.0)


@pytest.mark.parametrize("first", range(0, CASES, AT_ONCE))
def test_odd_machines_run_or_say_why_not(first, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    failed = []
    for number in range(first, first + AT_ONCE):
        words = run_case(SEED, number)
        before = names_below(tmp_path)
        fault = faults(("run", *words, "--out", f"out-{number}"), (0, 1, 2), SECONDS)
        written = names_below(tmp_path) - before
        if any(not name.startswith(f"out-{number}") for name in written):
            fault = f"{fault} wrote {sorted(written)[:5]}"
        if fault:
            failed.append(f"case {number}: flank run {' '.join(words)!r} {fault}")
    assert not failed, f"with FLANK_FUZZ_SEED={SEED}:\n" + "\n".join(failed)
