"""`flank check` on machines changed at random: one sentence or an answer, in time, no file."""

import os

import pytest
from fuzzed import faults, names_below
from mutations import check_case, seed

CASES = 2000
AT_ONCE = 100
SEED = seed()


@pytest.mark.parametrize("first", range(0, CASES, AT_ONCE))
def test_odd_machines_are_answered_or_refused(first, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    failed = []
    for number in range(first, first + AT_ONCE):
        case = check_case(SEED, number)
        for name, content in case.files.items():
            (tmp_path / name).write_bytes(content)
        fault = faults(("check", *case.words), statuses=(0, 2))
        if names_below(tmp_path) != set(case.files):
            fault = f"{fault} wrote {names_below(tmp_path) - set(case.files)}"
        if fault:
            failed.append(f"case {number}: flank check {' '.join(case.words)[:300]!r} {fault}")
        for name in case.files:
            os.remove(name)
    assert not failed, f"with FLANK_FUZZ_SEED={SEED}:\n" + "\n".join(failed)
