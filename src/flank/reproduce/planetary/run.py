"""The study from beginning to end: what is computed, tables and pictures."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from flank.arrays import Floats
from flank.dynamics.run import Progress
from flank.reproduce.planetary import pictures
from flank.reproduce.planetary.computing import (
    CAPTION_STIFFNESS,
    COARSE,
    FINE,
    MESH_MODELS,
    PAPER,
    PRESET,
    PUBLISHED,
    PULSE,
    STAGE,
    STAGE_DAMPING,
    STAGE_FORCES,
    STIFFER,
    TABLE_1C,
    TABLE_10A,
    TEXT_STIFFNESS,
    GearboxRuns,
    StageRun,
    Swing,
    Swings,
    gearbox,
    mesh_name,
    meshes,
)
from flank.reproduce.planetary.findings import Evidence, differences, findings, rigid_angle
from flank.reproduce.planetary.switching import mesh_contacts, offsets, phases
from flank.reproduce.planetary.turbulence import SEED, TurbulentRun, series, turbulent_run
from flank.reproduce.study import Numbers, Study, largest

COMPUTATIONS = 39
"""Computations of the study, for the progress bar."""

SHOWN_TIME = 0.3
"""s of Fig. 12."""


def run(coarse: bool = False, progress: Progress | None = None) -> Study:
    """Everything the command prints and writes."""
    runs = GearboxRuns(COARSE if coarse else FINE, COMPUTATIONS, progress)
    return study_of(compute(runs), runs.complete)


def study_of(evidence: Evidence, complete: bool) -> Study:
    time = np.linspace(0.0, SHOWN_TIME, 3001)
    table = {damping: evidence.stages["table", damping] for damping in STAGE_DAMPING}
    drawn = {
        "tooth-forces": pictures.swing_picture(evidence.rigid, evidence.text),
        "damped-forces": pictures.damping_picture(evidence.rigid[3], evidence.damped),
        "switching": pictures.switching_picture(time, mesh_contacts(time)),
        "stage-forces": pictures.stage_picture(evidence.first_stage, table),
        "stiffness-over-path": pictures.stiffness_picture(evidence.turbulent[STAGE_DAMPING[0]]),
        "turbulent-torque": pictures.torque_picture(series(SEED, FINE.stage_duration)),
        "spring-and-damper": pictures.parts_picture(evidence.turbulent[STAGE_DAMPING[0]]),
        "accelerations": pictures.inertia_picture(evidence.turbulent),
    }
    spec = gearbox(PRESET, {}).spec.to_mapping()
    return PAPER.study(tables(evidence), findings(evidence), drawn, spec, complete)


def compute(runs: GearboxRuns) -> Evidence:
    angle = gearbox(PRESET, {}).layout.gears.sun_planet.working_angle

    def flexible(stiffness: float) -> Swings:
        return {count: runs.flexible(count, stiffness) for count in TABLE_1C}

    periods = [*((count, TEXT_STIFFNESS) for count in TABLE_1C), (3, STIFFER)]
    return Evidence(
        rigid={count: runs.rigid(count) for count in TABLE_1C},
        text=flexible(TEXT_STIFFNESS),
        caption=flexible(CAPTION_STIFFNESS),
        working=flexible(TEXT_STIFFNESS / math.cos(angle) ** 2),
        damped={damping: runs.flexible(3, STIFFER, damping) for damping in TABLE_10A},
        periods={key: runs.periods(*key) for key in periods},
        first_stage=runs.first_stage(),
        stages={
            (model, damping): runs.stage(model, damping)
            for model in MESH_MODELS
            for damping in ([0.0] if model == "rigid" else STAGE_DAMPING)
        },
        resting=runs.resting("table"),
        turbulent={damping: _turbulent(runs, damping) for damping in STAGE_DAMPING},
        offsets=offsets(),
    )


def _turbulent(runs: GearboxRuns, damping: float) -> TurbulentRun:
    """Of the mesh model that has Fig. 7's kind of stiffness."""
    fine, form = runs.fineness, meshes({"model": "table", "damping": damping})
    return runs.once(turbulent_run, form, fine.stage_duration, fine.stage_step)


def tables(evidence: Evidence) -> dict[str, Sequence[Numbers]]:
    """The rows of all of them by name."""
    rigid, text, damped = evidence.rigid, evidence.text, evidence.damped
    deviations, half_periods = PUBLISHED["table_10a_deviations"], PUBLISHED["half_periods"]
    return {
        "angles": [
            {"planets": n, "paper": paper, "closed": rigid_angle(n)}
            | {"rigid": rigid[n], "flexible": text[n]}
            for n, paper in TABLE_1C.items()
        ],
        "damping": [
            {"damping": d, "paper": paper, "deviation": deviations[d]}
            | {"here": damped[d], "rigid": rigid[3]}
            for d, paper in TABLE_10A.items()
        ],
        "stiffness": [
            _reading("500 N/m, base radius", text, "text stiffness"),
            _reading("1000 N/m, base radius", evidence.caption, "caption stiffness"),
            _reading("500 N/m, working radius", evidence.working, "working radius"),
        ],
        "periods": [
            {"planets": n, "stiffness": k, "paper": half_periods[k], "here": here}
            for (n, k), here in evidence.periods.items()
        ],
        "areas": [_areas(mesh, rigid[1], text[1]) for mesh in PUBLISHED["areas"]],
        "peaks": [
            {"damping": d, "sun": _peaks(swing, "sun"), "ring": _peaks(swing, "ring")}
            for d, swing in damped.items()
        ],
        "stage": _stage_rows(evidence),
        "turbulence": [
            {"damping": damping, "run": run}
            | {kind: abs(run.mean.get(mesh_name(kind, 1), math.nan)) / 1e3
               for kind in ("sun", "ring")}
            | {"damper": [100 * run.damper_share(kind) for kind in ("sun", "ring")]}
            for damping, run in evidence.turbulent.items()
        ],
        "switching": [offset._asdict() for offset in evidence.offsets],
        "phases": _phase_rows(),
    }  # fmt: skip


def _reading(name: str, swings: Swings, note: str) -> Numbers:
    """Differences from Table 1c under a reading of stiffness and radius."""
    off = [swings[count].angle - paper.flexible for count, paper in TABLE_1C.items()]
    return {"reading": name, "off": off, "largest": largest(off), "note": note}


def _areas(mesh: str, rigid: Swing, flexible: Swing) -> Numbers:
    """∫ F dt of the tangential force in N·s over the run, and the rigid force in the middle of the
    pulse of torque, with one planet."""

    def area(swing: Swing) -> float:
        return float(np.trapezoid(swing.tangential.get(mesh, [np.nan]), swing.time))

    def under_load(forces: Mapping[str, Floats]) -> float:
        return float(np.interp(0.5 * PULSE, rigid.time, forces[mesh])) if forces else math.nan

    return {
        "mesh": mesh,
        "paper": PUBLISHED["areas"][mesh],
        "normal": under_load(rigid.normal),
        "tangential": under_load(rigid.tangential),
        "rigid": area(rigid),
        "flexible": area(flexible),
    }


def _peaks(swing: Swing, kind: str) -> list[float]:
    """Largest normal and tangential force with three planets, and normal after four seconds."""
    mesh = mesh_name(kind, 1)
    normal, tangential = (
        forces.get(mesh, swing.time) for forces in (swing.normal, swing.tangential)
    )
    return [largest(each) for each in (normal, tangential, normal[swing.time > 4.0])]


def _stage_rows(evidence: Evidence) -> list[Numbers]:
    """Mean tangential forces of all meshes beside Fig. 14."""
    rows = [
        _stage_row("rigid, planet 1 alone", STAGE_FORCES["rigid"], evidence.first_stage, "first")
    ]
    for (model, damping), run in evidence.stages.items():
        form = f"{damping:.0e} N·s/m".replace("e+04", "e4") if damping else "equal shares"
        rows.append(_stage_row(f"{model}, {form}", STAGE_FORCES["flexible"], run, "shared"))
    return rows


def _stage_row(name: str, paper: Sequence[float], run: StageRun, note: str) -> Numbers:
    off = [differences(kind, run, paper[k]) for k, kind in enumerate(("sun", "ring"))]
    return {
        "model": name,
        "paper": paper,
        "run": run,
        "sun": [run.mean_force(mesh_name("sun", n)) for n in (1, 2, 3)],
        "ring": [run.mean_force(mesh_name("ring", n)) for n in (1, 2, 3)],
        "off": [max(each, key=abs, default=None) for each in off],
        "deviation": run.deviation.get(mesh_name("sun", 1), math.nan) / 1e3,
        "note": note,
    }


def _phase_rows() -> list[Numbers]:
    """When the planets' sun meshes switch, in pitches after the first."""
    gearboxes = {f"Table 1, N = {count}, x = 0": phases(count) for count in TABLE_1C}
    gearboxes["500 kW, N = 3, shifted"] = gearbox(STAGE, {}).mesh_phases().sun
    rows: list[Numbers] = []
    for name, each in gearboxes.items():
        shown = np.round(each, 9) % 1.0
        together = "yes" if np.ptp(shown) < 5e-4 else "no"
        missing = [math.nan] * (max(TABLE_1C) - len(shown))
        rows.append({"gearbox": name, "phases": [*shown, *missing], "together": together})
    return rows
