"""The library and Numba compute the same bytes, and a wheel runs every preset without Numba."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import flank
from flank.dynamics.functions import constant, linear
from flank.dynamics.run import DynamicSettings, solve_dynamics, solve_statics
from flank.machines.base import Drive
from flank.native import library
from flank.presets import preset_names

ROOT = Path(__file__).parents[2]
STEPS, STEP = 100, 1e-5


def digest(name: str) -> str:
    """Of everything that three equilibria and the first steps of a preset leave behind."""
    machine = flank.preset(name)
    load = 0.5 * getattr(machine, "load_torque", 100.0)
    assembly = machine.assemble(Drive.of_ends(linear(0.01), constant(load), in_time=True))
    still = solve_statics(assembly.model, assembly.pose, np.array([0.0, 0.1, 0.2]))
    run = solve_dynamics(assembly.model, assembly.pose, STEPS * STEP, DynamicSettings(step=STEP))
    content = b"".join(
        np.ascontiguousarray(getattr(trajectory, field)).tobytes()
        for trajectory in (still, run)
        for field in ("position", "velocity", "multipliers", "contact_results")
    )
    return f"{hashlib.sha256(content).hexdigest()} {still.counters} {run.counters}"


def all_digests() -> dict[str, str]:
    return {name: digest(name) for name in preset_names()}


@pytest.mark.skipif(not library.library(), reason="no library of kernels was built")
def test_library_and_numba_give_the_same_bytes():
    code = "import json, test_same_bytes; print(json.dumps(test_same_bytes.all_digests()))"
    path = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | {"FLANK_NATIVE": "0", "PYTHONPATH": path}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert all_digests() == json.loads(done.stdout)


RUN = """
import shutil, sys
sys.modules["numba"] = sys.modules["llvmlite"] = None
import flank
from flank.presets import preset_names
assert flank.__file__.startswith(sys.argv[1]), flank.__file__
for name in preset_names():
    result = flank.run(flank.preset(name))
    assert result.outcome, name
    print(name)
shutil.which = None  # no compiler is looked for
flank.export_fmu(flank.preset("monocrank"), f"{sys.argv[1]}/unit.fmu")
"""


@pytest.mark.nightly
def test_a_wheel_runs_every_preset_and_exports_without_numba(tmp_path):
    wheel, place = tmp_path / "wheel", tmp_path / "installed"
    pip = [sys.executable, "-m", "pip", "--quiet"]
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", wheel, ROOT], check=True)
    (file,) = wheel.iterdir()
    assert "-py3-none-" in file.name
    assert not file.name.endswith("-any.whl")
    subprocess.run([*pip, "install", "--no-deps", "--target", place, file], check=True)
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(place)],
        env=os.environ | {"PYTHONPATH": str(place)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == list(preset_names())
    assert done.stderr == ""
    assert (place / "unit.fmu").exists()
