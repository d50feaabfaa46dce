"""Compile the kernels once, in parallel, before workers of the tests begin.

    python tests/helpers/warm_up.py NAME      compiles those of one kind of model

Kernels are compiled for each kind of model apart (with or without beams, gear meshes, tables of
teeth, in space). Workers that begin with an empty cache would compile the same ones side by side.
"""

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

PRESETS = {
    "contacts": ("cycloidal-drive", {}),
    "mesh springs": ("planetary-lin-parker", {}),
    "mesh tables": ("planetary-500kw", {}),
    "teeth": ("planetary-500kw", {f"{name}_mesh.model": "contact" for name in ("sun", "ring")}),
}
"""A preset with changes for each kind of planar model that machines make."""

FLEXIBLE = {"beams and mesh springs": "rv-320", "beams and teeth": "few-teeth-60"}
"""Presets whose cranks may be beams; they are asked for equilibria only."""

QUICK = {
    "transmission-error": {"points_per_turn": 8},
    "natural-frequencies": {"count": 3},
    "time-response": {"duration": 5e-4, "step": 5e-5, "points": 10},
}


def warm_up(workers: int) -> None:
    """Compile what the cache lacks; a kind that fails is left to the tests, which tell more."""
    from flank.native.compiling import cache_directory, kernel_target

    directory = cache_directory()
    if directory is None:
        return
    mark = directory / f"warm-{kernel_target().replace(' ', '-').replace('/', '-')}"
    if mark.exists():
        return
    started = time.monotonic()
    print(f"compiling kernels of {len(JOBS)} kinds of models, {workers} at a time", flush=True)
    with ThreadPoolExecutor(workers) as pool:
        if not any(pool.map(_compile, JOBS)):
            mark.touch()
    print(f"compiled in {time.monotonic() - started:.0f} s", flush=True)


def _compile(name: str) -> int:
    command = [sys.executable, str(Path(__file__)), name]
    return subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode


def _machine(preset: str, changes: dict[str, str]) -> None:
    import flank

    machine = flank.preset(preset, changes)
    for analysis, settings in QUICK.items():
        flank.run(machine, analysis, **settings)


def _flexible(preset: str) -> None:
    import flank

    machine = flank.preset(preset, {"cranks.shaft": "ancf"})
    flank.run(machine, "load-distribution")


def _beams() -> None:
    import numpy as np

    from flank.dynamics.builder import ModelBuilder
    from flank.dynamics.flexible import add_shaft
    from flank.dynamics.linearize import linearize
    from flank.dynamics.run import DynamicSettings, solve_dynamics, solve_statics
    from flank.elasticity.section import Section

    builder = ModelBuilder(0.5)
    nodes = add_shaft(builder, "shaft", (0, 0, 0), (0.5, 0, 0), 1, Section(2e8, 2e4, 5.0))
    builder.clamp(nodes[0])
    model, pose = builder.build(), builder.pose()
    solve_statics(model, pose, np.zeros(1))
    solve_dynamics(model, pose, 2e-6, DynamicSettings(step=1e-6))
    linearize(model, pose)


def _space() -> None:
    import flank

    joint = flank.preset("cv-joint")
    flank.run(joint, "joint-turns", mode="static", points_per_turn=16)
    flank.run(joint, "joint-turns", most_turns=2, points_per_turn=16)
    flank.run(joint, "natural-frequencies", count=3)


JOBS = {
    "space": _space,
    "beams": _beams,
    **{name: partial(_machine, *PRESETS[name]) for name in PRESETS},
    **{name: partial(_flexible, FLEXIBLE[name]) for name in FLEXIBLE},
}
"""The longest first."""


if __name__ == "__main__":
    JOBS[sys.argv[1]]()
