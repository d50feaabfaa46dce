"""Studies that are killed (kill -9) at random moments and gone on with equal an undisturbed one."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from studies_made import PINS, files_of

import flank

SCRIPT = Path(__file__).parents[1] / "helpers" / "killed_study.py"


def killed(data, folder, kills, samples, seed):
    """Numbers of chunks after each kill."""
    file = folder / "study.yaml"
    file.write_text(json.dumps(data))
    arguments = [str(file), str(folder), str(kills), str(samples), str(seed)]
    run = subprocess.run(
        [sys.executable, SCRIPT, *arguments], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    return [int(count) for count in run.stdout.split()]


def test_a_small_study_killed_ten_times(tmp_path):
    data = {**PINS, "samples": 120, "chunk": 3}
    counts = killed(data, tmp_path, kills=10, samples=20, seed=16)
    assert counts == sorted(counts)
    assert counts[-1] > counts[0]  # some were stopped amid their work
    undisturbed = flank.study(data, tmp_path / "undisturbed")
    assert files_of(tmp_path / "study.zarr") == files_of(undisturbed.store.path)


@pytest.mark.nightly
def test_ten_thousand_reducers_killed_ten_times(tmp_path):
    errors = [f"errors.{kind}" for kind in flank.preset("rv-320").spec.error_kinds]
    data = {
        "machine": "rv-320",
        "varies": {name: {"distribution": "truncated-normal"} for name in errors},
        "asks": {"hysteresis": {"points_per_stage": 15}},
        "samples": 10_000,
        "seed": 1,
    }
    killed(data, tmp_path, kills=10, samples=1500, seed=2)
    undisturbed = flank.study(data, tmp_path / "undisturbed")
    assert files_of(tmp_path / "study.zarr") == files_of(undisturbed.store.path)
