"""The tables of the study, column by column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from flank.io.shown import factor
from flank.io.tables import Column
from flank.reproduce.reducers.computing import Error, Traced
from flank.reproduce.reducers.conditions import (
    CLEARANCES,
    CRANK_CIRCLE,
    PAPER,
    PUBLISHED,
    SIDES_OF_A_NEEDLE,
    Condition,
)
from flank.reproduce.reducers.findings import PRINTED, SMOOTH, STATIC, Course, Evidence

Columns = list[Column]
NAMES, FORMS = ("K_T", "LM", "BL"), (".1f", ".3f", ".3f")
BACKLASH_PER_CLEARANCE = 2 / CRANK_CIRCLE
"""Closed form of dBL/dc in rad/m for a radial clearance c between the races."""


def tables(evidence: Evidence) -> dict[str, Columns]:
    """All of them by name."""
    slopes = {name: evidence.courses[name] for name in (SMOOTH, STATIC, evidence.fast, PRINTED)}
    return {
        "hysteresis": hysteresis(evidence.rows, evidence.loops),
        "changes": changes(evidence.rows, evidence.loops, evidence.nominal),
        "origins": origins(evidence.courses),
        "clearance": clearance(slopes),
        "transmission-error": transmission_errors(evidence.shown, evidence.errors),
    }


def _conditions(rows: Sequence[Condition]) -> Columns:
    return [
        Column("condition", [row.printed for row in rows]),
        Column("applied here", [row.applied for row in rows]),
    ]


def hysteresis(rows: Sequence[Condition], loops: Sequence[Traced]) -> Columns:
    """Table 10 beside ours."""
    paper = np.array([row.published for row in rows])
    here = np.array([loop.figures for loop in loops])
    columns = _conditions(rows)
    columns += [
        Column("K_T paper", paper[:, 0], ".2f"),
        Column("K_T here", here[:, 0], ".1f"),
        Column("diff. %", 100 * (here[:, 0] / paper[:, 0] - 1), "+.1f"),
    ]
    for k in (1, 2):
        columns += [
            Column(f"{NAMES[k]} paper", paper[:, k], ".4f"),
            Column(f"{NAMES[k]} here", here[:, k], ".3f"),
            Column(f"{NAMES[k]} diff.", here[:, k] - paper[:, k], "+.3f"),
        ]
    return [
        *columns,
        Column("LM-BL paper", paper[:, 1] - paper[:, 2], "+.3f"),
        Column("LM-BL here", here[:, 1] - here[:, 2], "+.3f"),
        PAPER.cited(row.note for row in rows),
    ]


def changes(rows: Sequence[Condition], loops: Sequence[Traced], nominal: Traced) -> Columns:
    """What each error changes, against the nominal reducer of the same column."""
    pairs = [pair for pair in zip(rows, loops, strict=True) if pair[0].changes]
    new = {
        "paper": np.array([row.published for row, _ in pairs]),
        "here": np.array([loop.figures for _, loop in pairs]),
    }
    old = {
        "paper": np.array([PUBLISHED[row.nominal] for row, _ in pairs]),
        "here": np.array(nominal.figures)[None, :],
    }
    columns = _conditions([row for row, _ in pairs])
    for who in new:
        stiffer = 100 * (new[who][:, 0] / old[who][:, 0] - 1)
        columns.append(Column(f"K_T {who}", stiffer, "+.2f"))
    for k in (1, 2):
        for who in new:
            columns.append(Column(f"{NAMES[k]} {who}", new[who][:, k] - old[who][:, k], "+.3f"))
    return columns


def clearance(courses: Mapping[str, Course]) -> Columns:
    """Slope of backlash over clearance of several courses, beside the closed form."""
    closed = BACKLASH_PER_CLEARANCE * factor("rad", "arcmin") * 1e-6
    backlash = np.array([[each.backlash for each in course] for course in courses.values()])
    slopes = np.diff(backlash, axis=1) / np.diff(CLEARANCES)
    slopes = np.vstack([np.full(2, closed * SIDES_OF_A_NEEDLE), slopes])
    mean = slopes.mean(axis=1) / SIDES_OF_A_NEEDLE
    return [
        Column("source", ["closed form, 2/R_crank", *courses]),
        Column("per µm of δc, 0 to 10", slopes[:, 0], ".4f"),
        Column("per µm of δc, 10 to 20", slopes[:, 1], ".4f"),
        Column("per µm between the races", mean, ".4f"),
        Column("over the closed form", mean / closed, ".3f"),
    ]


def origins(courses: Mapping[str, Course]) -> Columns:
    """K_T, LM and BL at the three clearances, of several models and ramps."""
    values = np.full((len(courses), len(CLEARANCES), len(NAMES)), np.nan)
    for k, course in enumerate(courses.values()):
        values[k, : len(course)] = course
    return [
        Column("model and ramp", courses),
        *(
            Column(f"{name} {size}", values[:, j, k], FORMS[k])
            for k, name in enumerate(NAMES)
            for j, size in enumerate(CLEARANCES)
        ),
    ]


def transmission_errors(rows: Sequence[Condition], errors: Sequence[Error]) -> Columns:
    """Peak to peak and mean of the transmission errors."""
    arcsecond = factor("rad", "arcsec")
    nominal = next(e for row, e in zip(rows, errors, strict=True) if not row.changes)
    peaks = np.array([error.peak_to_peak for error in errors])
    return [
        Column("condition", [row.printed if row.changes else "nominal" for row in rows]),
        Column("applied here", [row.applied if row.changes else "" for row in rows]),
        Column("peak to peak", peaks * arcsecond, ".3f"),
        Column("over nominal", peaks / nominal.peak_to_peak, ".2f"),
        Column("mean", [error.mean * arcsecond for error in errors], ".1f"),
    ]
