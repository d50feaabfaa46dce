"""The study from beginning to end: what is computed, tables and pictures."""

from __future__ import annotations

from itertools import product
from typing import Any

from flank.dynamics.run import Progress
from flank.reproduce.spur import pictures
from flank.reproduce.spur.computing import (
    CASES,
    COARSE,
    DWELL_SECONDS,
    FINE,
    PAPER,
    PRESET,
    Case,
    Fineness,
    dwelled,
    impacts,
    loaded,
    machine_of,
    swept,
)
from flank.reproduce.spur.findings import Evidence, MapRow, numbers_of, tables
from flank.reproduce.spur.same_gears import formulations
from flank.reproduce.spur.table_1 import COARSE as COARSE_GEAR
from flank.reproduce.spur.table_1 import FINE as FINE_GEAR
from flank.reproduce.spur.table_1 import table_1
from flank.reproduce.study import Study, StudyRuns

MAPPED: tuple[dict[str, Any], ...] = (
    {},
    {"edges": False},
    {"bore": 60.0},
    {"edges": False, "bore": 60.0},
)
"""What the map changes, in its columns; rows change all else."""

STARTS = {"below": 900.0, "above": 3400.0}
"""Hz from which a frequency is reached."""


def run(coarse: bool = False, progress: Progress | None = None) -> Study:
    """Everything the command prints and writes."""
    fine = COARSE if coarse else FINE
    runs = runs_of(fine, progress)
    return study_of(compute(runs), runs.complete)


def runs_of(fine: Fineness, progress: Progress | None = None) -> StudyRuns:
    """For the progress bar with the number of computations."""
    count = 20 + len(CASES["sweeps"]) + len(CASES["torque_levels"])
    return StudyRuns(fine, count + len(MAPPED) * len(_map_rows(fine)), progress)


def _map_rows(fine: Fineness) -> list[MapRow]:
    axes = CASES["reliefs"], CASES["restitutions"], fine.dampings, fine.torques
    return [MapRow(*each) for each in product(*axes)]


def study_of(evidence: Evidence, complete: bool) -> Study:
    drawn = {
        "assurance": pictures.assurance_picture(evidence.gear),
        "mesh-stiffness": pictures.stiffness_picture(evidence.loaded),
        "impacts": pictures.impact_picture(evidence.impacts),
        "sweeps": pictures.sweep_picture(evidence.sweeps),
        "by-torque": pictures.torque_picture(evidence.by_torque),
        "jump-map": pictures.map_picture(evidence.map),
        "loss-map": pictures.loss_picture(evidence.map),
        "motions": pictures.motion_picture(evidence.dwelling, "all three"),
    }
    spec, computed = machine_of(PRESET).spec.to_mapping(), numbers_of(evidence)
    return PAPER.study(tables(evidence), PAPER.judged(computed), drawn, spec, complete, computed)


def compute(runs: StudyRuns) -> Evidence:
    fine: Fineness = runs.fineness
    once, torques = runs.once, CASES["torque_levels"]
    hertz = (PAPER.published["primary"], PAPER.published["secondary"])
    tested = {"rigid bodies": Case(), "bodies vibrate": Case(modes=24)}
    return Evidence(
        gear=once(table_1, COARSE_GEAR if fine == COARSE else FINE_GEAR),
        loaded={edges: once(loaded, Case(edges=edges), fine.points) for edges in (True, False)},
        impacts={
            (name, torque): once(impacts, _under(case, torque), fine.places)
            for name, case in tested.items()
            for torque in (CASES["impact_torques"] if not case.modes else [case.torque])
        },
        sweeps={
            name: once(swept, Case(**changes), fine.sweep)
            for name, changes in CASES["sweeps"].items()
        },
        by_torque={
            torque: once(swept, Case(**CASES["by_torque"], torque=torque), fine.sweep)
            for torque in torques
        },
        map={
            row: [
                once(swept, Case(**row._asdict(), **changes), fine.map_sweep) for changes in MAPPED
            ]
            for row in _map_rows(fine)
        },
        dwelling={
            (name, frequency, side): once(
                dwelled, Case(**changes), frequency, start, DWELL_SECONDS[fine]
            )
            for name, changes in CASES["dwelling"].items()
            for frequency in hertz
            for side, start in STARTS.items()
        },
        formulations=once(formulations, fine.dense_modes),
    )


def _under(case: Case, torque: float) -> Case:
    return Case(modes=case.modes, torque=torque)
