"""Figures of docs/benchmarks.md and the README's ratios, all from one run on one machine.

    python benchmarks/run.py [COMMIT]     prints all tables, then writes both pages

The first table is this checkout against COMMIT, in turns: the commit before if none is given, the
last one where something is not committed yet.

Times are processor times of one thread; compare ratios, not microseconds. What needs EXUDYN is
left out where it cannot be installed.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import against
import bevel_contact
import gear_elements
import numpy as np
import rolling
import units
from gears import teeth_near_mesh, total_teeth
from joint import maps, turns
from page import Table, shown, write_pages
from peer import peer_python, run_peer
from planetary import mesh_models
from reducer import loops, roller_forms
from stage import ARCSEC, STAGE, run_stage

from flank.analyses import transmission_error
from flank.geometry.curve import Cycloid, equal_arc_length_points
from flank.machines.registry import machine_from_mapping

TABLES: list[Table] = []
"""All that was measured, in the page's order."""


def table(title: str, header: list[str], rows: list[list]) -> None:
    TABLES.append(shown(title, header, rows))
    print(f"\n{TABLES[-1].as_markdown()}", flush=True)


def against_before() -> None:
    """What the change that is looked at costs."""
    commit = sys.argv[1] if len(sys.argv) > 1 else _commit_before()
    rows = list(against.compared(against.checkout_of(commit), repeats=3))
    table("Whole analyses against the commit before", ["analysis", *against.HEADER[1:]], rows)


def _commit_before() -> str:
    git = ["git", "-C", str(against.HERE), "status", "--porcelain", "--", "src"]
    changed = subprocess.run(git, capture_output=True, text=True, check=True).stdout
    return "HEAD" if changed else "HEAD^"


def against_peer() -> None:
    ours = run_stage()
    rows = [
        ["Flank, smooth profile", "-", *_columns(ours), 1.0],
    ]
    python = peer_python()
    for segments in (100, 200, 400) if python else ():
        figures = run_peer(python, segments_per_lobe=segments)
        rows.append(
            [
                "EXUDYN 1.13.6, curve contact",
                figures["segments"],
                figures["us_per_step_cpu"],
                figures["newton_per_step"],
                figures["te_pp_arcsec"],
                figures["te_mean_arcsec"],
                figures["us_per_step_cpu"] / ours["microseconds_per_step"],
            ]
        )
    header = ["one stage, h = 0.1 ms", "segments", "µs/step", "Newton/step"]
    table(
        "Against EXUDYN on the same planar stage",
        [*header, "TE p-p, arcsec", "wind-up, arcsec", "time ratio"],
        rows,
    )


def step_refinement() -> None:
    """With a little contact damping: without any, the error rings at the mesh's own frequency."""
    rows = []
    for step in (1e-4, 5e-5, 2.5e-5, 1.25e-5, 6.25e-6):
        figures = run_stage({"contact.damping": "2 s/m"}, step=step, repeats=1)
        rows.append([step * 1e3, *_columns(figures)])
    static = transmission_error.run(machine_from_mapping(STAGE))["peak_to_peak"] * ARCSEC
    rows.append(["static", "-", "-", static, "-"])
    table(
        "The same stage with smaller time steps, contact damping 2 s/m",
        ["step, ms", "µs/step", "Newton/step", "TE p-p, arcsec", "wind-up, arcsec"],
        rows,
    )


def pins() -> None:
    rows, first = [], None
    for count in (20, 40, 80, 160):
        scale = count / 40
        changes = {
            "pins.count": count,
            "pins.circle_radius": 64e-3 * scale,
            "operation.torque": 200 * scale**2,
        }
        figure = run_stage(changes)["microseconds_per_step"]
        first = first or figure / count
        rows.append([count, figure, figure / count / first])
    table("Number of pins", ["pins", "µs/step", "cost per pin against 20 pins"], rows)


def fineness() -> None:
    profile = Cycloid(40, 64e-3, 3e-3, 1.3e-3, 10e-6, 10e-6)
    rows, first = [], None
    with tempfile.TemporaryDirectory() as folder:
        for count in (4000, 16000, 64000):
            path = Path(folder) / f"{count}.csv"
            np.savetxt(path, equal_arc_length_points(profile, count), fmt="%.17g")
            changes = {
                "discs.profile": "measured",
                "discs.points_file": str(path),
                "discs.equidistant": None,
                "discs.radial": None,
            }
            figures = run_stage(changes, repeats=5)
            first = first or figures["microseconds_per_step"]
            ratio = figures["microseconds_per_step"] / first
            rows.append([count, *_columns(figures), ratio])
    header = ["points", "µs/step", "Newton/step", "TE p-p, arcsec", "wind-up, arcsec"]
    table("Fineness of a measured profile", [*header, "cost against 4,000"], rows)


def reducer() -> None:
    header = ["loop of `rv-320`, friction on", "s", "points", "K_T, N·m/arcmin"]
    table("Hysteresis of an RV reducer", [*header, "LM, arcmin", "BL, arcmin"], loops())
    table(
        "Rollers of the RV reducer, dynamic, h = 0.1 ms",
        ["rollers", "coordinates", "µs/step", "cost against inside"],
        roller_forms(),
    )


def planetary() -> None:
    table(
        "Planetary stage of 500 kW, six bodies, h = 0.05 ms",
        ["mesh", "steps/s", "Newton/step"],
        mesh_models(),
    )


def rolling_gears() -> None:
    for each in (*gear_elements.tables(), *rolling.tables()):
        table(*each)


def involute_gears() -> None:
    header = ["one flank of", "pairs looked at", "µs, apart", "against the first"]
    table(
        "Number of teeth",
        [*header, "pairs touching, pressed", "µs, pressed", "µs more for each that touches"],
        total_teeth(),
    )
    table(
        "Teeth near the mesh, one flank of 60/62",
        ["pairs looked at", "pairs touching", "µs", "cost per pair against 5"],
        teeth_near_mesh(),
    )


def bevel_gears() -> None:
    table(bevel_contact.TITLE, bevel_contact.HEADER, bevel_contact.positions())


def joint() -> None:
    table(
        "Ball joint at 300 rpm, 2000 N·m, 2° with friction, 12 bodies, 48 contacts",
        ["preset", "s/turn", "steps/turn", "Newton/step", "µs/iteration"],
        turns(),
    )
    table(
        "Map of a ball joint, 4 x 4 points, two turns each",
        ["cores", "s, wall", "against one core"],
        maps(),
    )


def unit_steps() -> None:
    table("A step of a unit (FMU)", units.HEADER, units.steps())
    table("A call of a force module (FMU)", units.MODULE_HEADER, units.modules())


def whole_process() -> None:
    """Wall time of `flank run`, with empty and with filled kernel cache."""
    flank = str(shutil.which("flank", path=str(Path(sys.executable).parent)))
    for arguments in (
        ["cycloidal-drive"],
        ["planetary-500kw", "--analysis", "load-sharing"],
        ["cv-joint"],
    ):
        rows = []
        with tempfile.TemporaryDirectory() as folder:
            environment = os.environ | {"FLANK_CACHE_DIR": str(Path(folder) / "cache")}
            command = [flank, "run", *arguments, "--out", str(Path(folder) / "out")]
            for name in ("first, compiling", "second", "third"):
                start = time.perf_counter()
                subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
                rows.append([name, time.perf_counter() - start])
        title = f"`flank run {' '.join(arguments)}`, pictures and report included"
        table(title, ["process", "s"], rows)


def _columns(figures: dict) -> list:
    names = ("microseconds_per_step", "newton_per_step", "transmission_error", "wind_up")
    return [figures[name] for name in names]


if __name__ == "__main__":
    against_before()
    against_peer()
    step_refinement()
    pins()
    fineness()
    reducer()
    planetary()
    rolling_gears()
    involute_gears()
    bevel_gears()
    joint()
    unit_steps()
    whole_process()
    write_pages(TABLES)
