"""The tables of the study, column by column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from flank.arrays import Floats
from flank.io.tables import Column
from flank.reproduce.planetary.computing import (
    PAPER,
    PUBLISHED,
    PULSE,
    STAGE,
    STAGE_FORCES,
    TABLE_1C,
    TABLE_10A,
    Periods,
    StageRun,
    StageRuns,
    Swing,
    Swings,
    gearbox,
    mesh_name,
)
from flank.reproduce.planetary.findings import Evidence, differences, largest_force, rigid_angle
from flank.reproduce.planetary.switching import Offset, phases

Columns = list[Column]


def tables(evidence: Evidence) -> dict[str, Columns]:
    """All of them by name."""
    rigid, text = evidence.rigid, evidence.text
    return {
        "angles": angles(rigid, text),
        "damping": damping(evidence.damped, rigid[3].angle),
        "stiffness": stiffness({
            "500 N/m, base radius": (text, "text stiffness"),
            "1000 N/m, base radius": (evidence.caption, "caption stiffness"),
            "500 N/m, working radius": (evidence.working, "working radius"),
        }),
        "periods": periods(evidence.periods),
        "areas": areas(rigid[1], text[1]),
        "peaks": peaks(evidence.damped),
        "stage": stage(evidence.first_stage, evidence.stages),
        "switching": switching(evidence.offsets),
        "phases": mesh_phases(),
    }  # fmt: skip


def _deviation(angle: Floats, rigid: Floats | float) -> Floats:
    return 100 * (1 - angle / rigid)


def angles(rigid: Swings, flexible: Swings) -> Columns:
    """Table 1c beside ours."""
    paper = np.array([TABLE_1C[count].rigid for count in TABLE_1C])
    soft_paper = np.array([TABLE_1C[count].flexible for count in TABLE_1C])
    stiff, soft = (np.array([each[n].angle for n in TABLE_1C]) for each in (rigid, flexible))
    return [
        Column("planets", TABLE_1C, "d"),
        Column("rigid paper", paper, ".2f"),
        Column("closed form", map(rigid_angle, TABLE_1C), ".4f"),
        Column("rigid here", stiff, ".4f"),
        Column("rigid diff.", stiff - paper, "+.4f"),
        Column("flexible paper", soft_paper, ".2f"),
        Column("flexible here", soft, ".4f"),
        Column("flexible diff.", soft - soft_paper, "+.4f"),
        Column("ε paper", _deviation(soft_paper, paper), ".2f"),
        Column("ε here", _deviation(soft, stiff), ".2f"),
        PAPER.cited(["angles"] * len(TABLE_1C)),
    ]


def damping(damped: Swings, rigid: float) -> Columns:
    """The table of Fig. 10a beside ours; ε here is against our rigid model."""
    paper = np.array(list(TABLE_10A.values()))
    here = np.array([damped[each].angle for each in TABLE_10A])
    return [
        Column("damping, N·s/m", TABLE_10A, "d"),
        Column("paper", paper, ".3f"),
        Column("here", here, ".4f"),
        Column("diff.", here - paper, "+.4f"),
        Column("ε paper", PUBLISHED["table_10a_deviations"].values(), ".3f"),
        Column("ε of its angles", _deviation(paper, rigid), ".3f"),
        Column("ε here", _deviation(here, rigid), ".3f"),
        PAPER.cited(["damping"] * len(TABLE_10A)),
    ]


def stiffness(readings: Mapping[str, tuple[Swings, str]]) -> Columns:
    """Differences from Table 1c under several readings of stiffness and radius."""
    off = np.array(
        [
            [swings[count].angle - paper.flexible for count, paper in TABLE_1C.items()]
            for swings, _ in readings.values()
        ]
    )
    return [
        Column("stiffness and radius", readings),
        *(Column(f"N = {count}", off[:, k], "+.3f") for k, count in enumerate(TABLE_1C)),
        Column("largest", np.abs(off).max(axis=1), ".3f"),
        PAPER.cited(note for _, note in readings.values()),
    ]


def periods(found: Mapping[tuple[int, float], Periods]) -> Columns:
    """Natural periods beside what the paper calls half of one."""
    first = np.array([each.first for each in found.values()])
    half_periods = PUBLISHED["half_periods"]
    return [
        Column("planets", [count for count, _ in found], "d"),
        Column("stiffness, N/m", [each for _, each in found], "g"),
        Column("paper, 'half period'", [half_periods[each] for _, each in found], ".2f"),
        Column("period here", first, ".3f"),
        Column("half of it", first / 2, ".3f"),
        Column("second period", [each.second for each in found.values()], ".3f"),
        PAPER.cited(["periods"] * len(found)),
    ]


def areas(rigid: Swing, flexible: Swing) -> Columns:
    """∫ F dt over the whole run, and the rigid force under load, with one planet."""
    paper: dict[str, str] = PUBLISHED["areas"]
    stiff, soft = (np.array([area(each, mesh) for mesh in paper]) for each in (rigid, flexible))
    return [
        Column("mesh", paper),
        Column("rigid force, normal, N", [under_load(rigid, "normal", m) for m in paper], ".3f"),
        Column("tangential, N", [under_load(rigid, "tangential", m) for m in paper], ".3f"),
        Column("rigid area, N·s", stiff, ".3f"),
        Column("flexible area, N·s", soft, ".3f"),
        Column("deviation paper", paper.values()),
        Column("here, %", 100 * (soft / stiff - 1), "+.1f"),
        PAPER.cited(["areas"] * len(paper)),
    ]


def area(swing: Swing, mesh: str) -> float:
    """∫ F dt of the tangential force in N·s."""
    if not swing.complete:
        return np.nan
    return float(np.trapezoid(swing.tangential[mesh], swing.time))


def under_load(swing: Swing, kind: str, mesh: str) -> float:
    """A force in the middle of the pulse of torque."""
    if not swing.complete:
        return np.nan
    return float(np.interp(0.5 * PULSE, swing.time, getattr(swing, kind)[mesh]))


def peaks(damped: Swings) -> Columns:
    """Largest forces with three planets, and what is left of them after four seconds."""
    columns = [Column("damping, N·s/m", damped, "d")]
    swings = damped.values()
    for kind in ("sun", "ring"):
        mesh = mesh_name(kind, 1)
        late = [each.normal[mesh][each.time > 4.0] if each.normal else None for each in swings]
        forces = {
            "normal": [each.normal.get(mesh) for each in swings],
            "tangential": [each.tangential.get(mesh) for each in swings],
            "normal after 4 s": late,
        }
        columns += [
            Column(f"{kind}, {name}", map(largest_force, each), ".3f")
            for name, each in forces.items()
        ]
    return columns


def stage(first: StageRun, stages: StageRuns) -> Columns:
    """Mean tangential forces of all meshes beside Fig. 14."""
    rows = {"rigid, planet 1 alone": ("rigid", first, "first")}
    for (model, coefficient), run in stages.items():
        form = f"{coefficient:.0e} N·s/m".replace("e+04", "e4") if coefficient else "equal shares"
        rows[f"{model}, {form}"] = ("flexible", run, "shared")
    runs = [run for _, run, _ in rows.values()]
    columns = [Column("model", rows)]
    for k, kind in enumerate(("sun", "ring")):
        paper = [STAGE_FORCES[like][k] for like, _, _ in rows.values()]
        off = [differences(kind, run, force) for run, force in zip(runs, paper, strict=True)]
        columns += [
            Column(f"{kind} paper", paper, ".0f"),
            *(
                Column(f"{kind} {n}", [run.mean_force(mesh_name(kind, n)) for run in runs], "+.2f")
                for n in (1, 2, 3)
            ),
            Column(f"{kind} diff. %", [max(each, key=abs, default=None) for each in off], "+.2f"),
        ]
    swings = [run.deviation.get(mesh_name("sun", 1), np.nan) / 1e3 for run in runs]
    return [
        *columns,
        Column("std. dev. of sun 1", swings, ".2f"),
        Column("std. dev. of I_s θ̈_s", [run.inertia_torque / 1e3 for run in runs], ".2f"),
        Column("angle", [run.angle for run in runs], ".3f"),
        PAPER.cited(note for _, _, note in rows.values()),
    ]


def switching(offsets: Sequence[Offset]) -> Columns:
    """Eqs. 17 to 20 beside geometry."""
    return [
        Column("gears", [offset.gears for offset in offsets]),
        Column("equation", [offset.equation for offset in offsets], "d"),
        Column("s_1 paper, mm", [offset.paper * 1e3 for offset in offsets], ".3f"),
        Column("s_1 geometry, mm", [offset.geometry * 1e3 for offset in offsets], ".3f"),
        Column("off with a tooth, pitches", [offset.tooth for offset in offsets], "+.3f"),
        Column("off with a space, pitches", [offset.space for offset in offsets], "+.3f"),
        PAPER.cited(["switching"] * len(offsets)),
    ]


def mesh_phases() -> Columns:
    """When the planets' sun meshes switch, in pitches after the first."""
    rows = {f"Table 1, N = {count}, x = 0": phases(count) for count in TABLE_1C}
    rows["500 kW, N = 3, shifted"] = gearbox(STAGE, {}).mesh_phases().sun
    values = np.full((len(rows), max(TABLE_1C)), np.nan)
    for k, each in enumerate(rows.values()):
        values[k, : len(each)] = np.round(each, 9) % 1.0
    together = np.nanmax(values, axis=1) - np.nanmin(values, axis=1) < 5e-4
    return [
        Column("gearbox", rows),
        *(Column(f"planet {n + 1}", values[:, n], ".3f") for n in range(max(TABLE_1C))),
        Column("all at once", ["yes" if each else "no" for each in together]),
        PAPER.cited(["phases"] * len(rows)),
    ]
