"""The tables of the study."""

from collections.abc import Sequence

from flank.io.shown import Table, factor
from flank.reproduce.reducers.computing import Error, Traced
from flank.reproduce.reducers.conditions import (
    CLEARANCES,
    CRANK_CIRCLE,
    PUBLISHED,
    SIDES_OF_A_NEEDLE,
    Condition,
    Figures,
)
from flank.reproduce.text import NOTE

MISSING = "-"
BACKLASH_PER_CLEARANCE = 2 / CRANK_CIRCLE
"""Closed form of dBL/dc in rad/m for a radial clearance c between the races."""


def hysteresis_table(
    rows: Sequence[Condition], found: Sequence[Traced], marks: dict[str, str]
) -> Table:
    """Table 10 beside ours."""
    cells = []
    for condition, traced in zip(rows, found, strict=True):
        paper, here = condition.published, traced.figures
        row = [condition.printed, condition.applied]
        row += [f"{paper.stiffness:.2f}", f"{here.stiffness:.1f}"]
        row += [_signed(100 * (here.stiffness / paper.stiffness - 1), 1)]
        for one, other in zip(paper[1:], here[1:], strict=True):
            row += [f"{one:.4f}", f"{other:.3f}", _signed(other - one, 3)]
        row += [_signed(figures.lost_motion - figures.backlash, 3) for figures in (paper, here)]
        cells.append([*row, marks[condition.note]])
    headings = ["condition", "applied here", "K_T paper", "K_T here", "diff. %"]
    headings += [f"{name} {what}" for name in ("LM", "BL") for what in ("paper", "here", "diff.")]
    headings += ["LM-BL paper", "LM-BL here", NOTE]
    title = "Table 10 and ours: K_T in N·m/arcmin, LM and BL in arcmin"
    return Table(title, headings, _words(headings), cells)


def change_table(rows: Sequence[Condition], found: Sequence[Traced], nominal: Traced) -> Table:
    """What each error changes, against the nominal reducer of the same column."""
    cells = []
    for condition, traced in zip(rows, found, strict=True):
        if not condition.changes:
            continue
        row = [condition.printed, condition.applied]
        pairs = (
            (condition.published, PUBLISHED[condition.nominal]),
            (traced.figures, nominal.figures),
        )
        row += [_signed(100 * (new.stiffness / old.stiffness - 1), 2) for new, old in pairs]
        for k in (1, 2):
            row += [_signed(new[k] - old[k], 3) for new, old in pairs]
        cells.append(row)
    headings = ["condition", "applied here"]
    headings += [f"{name} {who}" for name in ("K_T", "LM", "BL") for who in ("paper", "here")]
    title = "What each error changes: K_T in %, LM and BL in arcmin"
    return Table(title, headings, _words(headings), cells)


def clearance_table(courses: dict[str, Sequence[Figures]]) -> Table:
    """Slope of backlash over clearance of several courses, beside the closed form."""
    arcmin_per_micrometre = factor("rad", "arcmin") * 1e-6
    closed = BACKLASH_PER_CLEARANCE * arcmin_per_micrometre
    cells = [["closed form, 2/R_crank", *[f"{closed * SIDES_OF_A_NEEDLE:.4f}"] * 2]]
    cells[0] += [f"{closed:.4f}", "1.000"]
    for title, course in courses.items():
        slopes = [
            (course[k + 1].backlash - course[k].backlash) / (CLEARANCES[k + 1] - CLEARANCES[k])
            for k in (0, 1)
        ]
        mean = sum(slopes) / 2 / SIDES_OF_A_NEEDLE
        row = [title, *(f"{slope:.4f}" for slope in slopes), f"{mean:.4f}", f"{mean / closed:.3f}"]
        cells.append(row)
    headings = ["source", "per µm of δc, 0 to 10", "per µm of δc, 10 to 20"]
    headings += ["per µm between the races", "over the closed form"]
    title = "Backlash over clearance, dBL/dc in arcmin/µm"
    return Table(title, headings, [True, *[False] * 4], cells)


def origin_table(courses: dict[str, Sequence[Figures]]) -> Table:
    """K_T, LM and BL at the three clearances, of several models and ramps."""
    names = ("K_T", "LM", "BL")
    headings = ["model and ramp", *(f"{name} {size}" for name in names for size in CLEARANCES)]
    cells = []
    for title, course in courses.items():
        row = [title]
        for k, form in enumerate((".1f", ".3f", ".3f")):
            row += [f"{figures[k]:{form}}" for figures in course]
            row += [MISSING] * (len(CLEARANCES) - len(course))
        cells.append(row)
    title = "Origins of the paper's figures: K_T, LM and BL at δc of 0, 10 and 20 µm"
    return Table(title, headings, [True, *[False] * 9], cells)


def error_table(rows: Sequence[Condition], found: Sequence[Error], torque: float) -> Table:
    """Peak to peak and mean of the transmission errors."""
    arcsecond = factor("rad", "arcsec")
    nominal = next(
        error for condition, error in zip(rows, found, strict=True) if not condition.changes
    )
    cells = [
        [
            condition.printed if condition.changes else "nominal",
            condition.applied if condition.changes else "",
            f"{error.peak_to_peak * arcsecond:.3f}",
            f"{error.peak_to_peak / nominal.peak_to_peak:.2f}",
            f"{error.mean * arcsecond:.1f}",
        ]
        for condition, error in zip(rows, found, strict=True)
    ]
    headings = ["condition", "applied here", "peak to peak", "over nominal", "mean"]
    title = f"Transmission error over one crank turn at {torque:.0f} N·m, arcsec (Fig. 8)"
    return Table(title, headings, _words(headings), cells)


def _signed(value: float, digits: int) -> str:
    """With its sign; what rounds to nothing has none, so that round-off does not show."""
    text = f"{value:+.{digits}f}"
    return text if float(text) else text[1:]


def _words(headings: list[str]) -> list[bool]:
    return [heading in ("condition", "applied here") for heading in headings]
