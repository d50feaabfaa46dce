"""`flank run` on machines changed at random: an answer, an outcome or a sentence, no traceback."""

import os

import pytest
from fuzzed import faults, names_below
from mutations import run_case, seed
from shared import computed_once

SEED = seed()
CASES = 400 if os.environ.get("FLANK_HYPOTHESIS") == "searching" else 40
AT_ONCE = 10
SECONDS = 60.0
"""Processor time that a coarse run may take, kernels compiled."""


FIRST = (
    *(
        (name, "--analysis", "load-distribution")
        for name in ("cycloidal-drive", "rv-320", "few-teeth-60", "planetary-500kw")
    ),
    ("cv-joint", "--option", "mode=static", "--option", "points_per_turn=16"),
)
"""Runs that use every kernel."""


@pytest.fixture(autouse=True, scope="module")
def _compiled(tmp_path_factory):
    """Nothing is timed while kernels are compiled, which one worker does for all."""
    folder = str(tmp_path_factory.mktemp("first"))

    def run_first():
        return [faults(("run", *words, "--out", folder), (0,), 600.0) for words in FIRST]

    assert not any(computed_once(tmp_path_factory, "compiled", run_first))


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
