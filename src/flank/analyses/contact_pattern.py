"""Contact pattern: two flanks that roll without load, as they are mounted and beside it.

What marking compound shows on the wheel's flank, the path of contact and lines of contact, the
transmission error of all teeth, and the ease-off: how far the wheel's flank is from the one that
the pinion's would generate.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from flank.analyses.quantities import LESS, Declared, Quantities, Values
from flank.analyses.result import Ending, Result, make_result
from flank.arrays import Floats
from flank.dynamics.run import Progress
from flank.errors import SpecError
from flank.geometry.flank_pair import FlankPair, NoContact
from flank.geometry.relative_curvature import contact_lines
from flank.geometry.unloaded_contact import (
    COMPOUND,
    ContactPattern,
    contact_pattern,
    ease_off,
    hand_over,
)
from flank.machines.base import HasFlanks, Machine
from flank.machines.quantities import WholeNumber, quantity
from flank.machines.spec import Spec, key

LINES = 11
"""Instantaneous lines of contact that are kept, evenly over the pitch."""

COARSE = 24
"""Positions in a pitch for patterns beside the mounting."""

PER_METRE = 1 / 0.1
"""Change of the shaft angle for a shift, in rad/m: of a shift at the end of an arm of 0.1 m."""

QUANTITIES = Quantities(
    "contact-pattern",
    {
        "peak_to_peak": Declared("Transmission error, peak to peak", "rad", "arcsec", better=LESS),
        "surface_peak_to_peak": Declared(
            "The same of surfaces that go on beyond their edges, between crossings of neighbours",
            "rad",
            "arcsec",
            better=LESS,
        ),
        "pattern_area": Declared("Pattern over the wheel's flank", "", "percent"),
        "pattern_face": Declared("Middle of the pattern, from toe to heel", "", "percent"),
        "pattern_height": Declared("Middle of the pattern, from root to tip", "", "percent"),
        "edge_share": Declared(
            "Share of the pitch with contact on an edge", "", "percent", better=LESS
        ),
        "transmission_error": Declared("Transmission error", "rad", "arcsec", "angle"),
        "pair_error": Declared("Transmission error of one pair", "rad", "arcsec", "pair angle"),
        "path_face": Declared("Contact path, from toe to heel", "", "percent", "angle"),
        "path_height": Declared("Contact path, from root to tip", "", "percent", "angle"),
        "on_edge": Declared("Whether an edge touches", over="angle"),
        "line_face": Declared("Lines of contact, from toe to heel", "", "percent", "line end"),
        "line_height": Declared("Lines of contact, from root to tip", "", "percent", "line end"),
        "separation": Declared("Least separation while in mesh", "m", "um", "height face"),
        "ease_off": Declared("Ease-off", "m", "um", "ease_height ease_face"),
        "moved_error": Declared("Transmission error, peak to peak", "rad", "arcsec", "mounting"),
        "moved_area": Declared("Pattern", "", "percent", "mounting"),
        "moved_face": Declared("Its middle from toe", "", "percent", "mounting"),
        "moved_height": Declared("Its middle from root", "", "percent", "mounting"),
        "moved_edge_share": Declared("On an edge", "", "percent", "mounting"),
        "moved_separation": Declared(
            "Least separation while in mesh, misaligned", "m", "um", "mounting height face"
        ),
    },
    {
        "angle": Declared("Angle of the pinion", "rad", "deg", "angle"),
        "pair": Declared("Pair of teeth", over="pair"),
        "face": Declared("From toe to heel", "", "percent", "face"),
        "height": Declared("From root to tip", "", "percent", "height"),
        "ease_face": Declared("From toe to heel", "", "percent", "ease_face"),
        "ease_height": Declared("From root to tip", "", "percent", "ease_height"),
        "mounting": Declared("Mounting", over="mounting"),
    },
    {
        "Misalignments": (
            "mounting",
            "moved_error",
            "moved_area",
            "moved_face",
            "moved_height",
            "moved_edge_share",
        )
    },
    curves=(("angle", "transmission_error"),),
)


class ContactPatternSettings(Spec):
    """Which flanks, how thick the compound, how finely, and what is moved."""

    flank: Literal["driving", "coasting"] = key("the flanks that are looked at", default="driving")
    compound: Annotated[float, quantity("m", "um", minimum=1e-7, maximum=1e-3)] = key(
        "thickness of the marking compound", "6.35 um", default=COMPOUND
    )
    positions: Annotated[int, WholeNumber(minimum=16, maximum=2000)] = key(
        "positions in a pitch", default=96
    )
    misalignment: Annotated[float, quantity("m", "mm", minimum=0.0, maximum=2e-3)] = key(
        "by which E, P and G are moved either way, and the shaft angle by as much at the end of an "
        "arm of 100 mm; none if zero",
        "0.1 mm",
        default=1e-4,
    )


DEFAULTS = ContactPatternSettings()


def run(
    machine: Machine,
    settings: ContactPatternSettings = DEFAULTS,
    progress: Progress | None = None,
) -> Result:
    """Rolling as mounted, then beside it."""
    assert isinstance(machine, HasFlanks)
    try:
        pair = machine.flank_pair(settings.flank == "driving")
        rolled = contact_pattern(pair, settings.compound, settings.positions)
        values = _values(pair, rolled, settings)
    except NoContact as reason:
        raise SpecError(f"The {settings.flank} flanks: {reason}") from None
    moved = _moved(pair, settings, progress)
    values |= _table(moved) if moved else {}
    ending = Ending("Completed.", True, {"positions": settings.positions})
    warnings = [*_differing(machine), *_warnings(rolled, moved)]
    return make_result(QUANTITIES, machine, settings, ending, values, warnings)


def _share(place: Floats) -> Floats:
    """-1 to 1 as 0 to 1."""
    return 0.5 * (place + 1)


def _values(pair: FlankPair, rolled: ContactPattern, settings: ContactPatternSettings) -> Values:
    rolling, relief = rolled.rolling, ease_off(pair)
    touching = rolling.touching
    lines = _share(contact_lines(pair, touching, settings.compound))
    kept = np.unique(np.linspace(0, len(lines) - 1, LINES).round().astype(int))
    values: Values = {
        "peak_to_peak": rolling.peak_to_peak,
        **_figures(rolled),
        "transmission_error": rolling.error,
        "pair_error": rolling.curves,
        "path_face": _share(touching.places[:, 2]),
        "path_height": _share(touching.places[:, 3]),
        "on_edge": rolling.on_edge.astype(int),
        "line_face": lines[kept, :, 0],
        "line_height": lines[kept, :, 1],
        "separation": np.where(np.isfinite(rolled.separation), rolled.separation, np.nan),
        "ease_off": relief.relief,
        "angle": rolling.first_angle - pair.start[0],
        "pair": np.arange(len(rolling.curves)) - len(rolling.curves) // 2,
        "face": _share(rolled.u[0]),
        "height": _share(rolled.v[:, 0]),
        "ease_face": _share(relief.u[0]),
        "ease_height": _share(relief.v[:, 0]),
    }
    with suppress(NoContact):  # curves that do not cross have no such figure
        values["surface_peak_to_peak"] = abs(hand_over(pair)[1])
    return values


def _figures(rolled: ContactPattern) -> dict[str, float]:
    face, height = rolled.centre if rolled.marked.any() else (np.nan, np.nan)
    return {
        "pattern_area": rolled.area,
        "pattern_face": 0.5 * (face + 1),
        "pattern_height": 0.5 * (height + 1),
        "edge_share": float(rolled.rolling.on_edge.mean()),
    }


@dataclass(frozen=True)
class _Move:
    """A misalignment beside the mounting: its name, and what of the mounting it changes."""

    name: str
    key: str
    size: float


def _moves(size: float) -> list[_Move]:
    shift = f"{size * 1e3:g} mm"
    turned = f"{np.degrees(size * PER_METRE) * 60:.3g}'"
    return [
        _Move(f"{name} {sign}{text}", key, value if sign == "+" else -value)
        for name, key, text, value in (
            ("E", "e", shift, size),
            ("P", "p", shift, size),
            ("G", "g", shift, size),
            ("Σ", "alpha", turned, size * PER_METRE),
        )
        for sign in ("+", "-")
    ]


def _moved(
    pair: FlankPair, settings: ContactPatternSettings, progress: Progress | None
) -> dict[str, ContactPattern | None]:
    """Patterns as mounted and beside it; none where flanks do not touch any more."""
    if not settings.misalignment:
        return {}
    patterns: dict[str, ContactPattern | None] = {
        "as mounted": contact_pattern(pair, settings.compound, COARSE)
    }
    moves = _moves(settings.misalignment)
    for number, move in enumerate(moves):
        there = pair.misaligned(**{move.key: getattr(pair.mounting, move.key) + move.size})
        try:
            patterns[move.name] = contact_pattern(there, settings.compound, COARSE)
        except NoContact:
            patterns[move.name] = None
        if progress is not None:
            progress((number + 1) / len(moves))
    return patterns


def _table(moved: Mapping[str, ContactPattern | None]) -> Values:
    rows = np.array([_row(pattern) for pattern in moved.values()])
    columns = "moved_error", "moved_area", "moved_face", "moved_height", "moved_edge_share"
    shape = next(pattern.u.shape for pattern in moved.values() if pattern is not None)
    fields = [
        np.full(shape, np.nan) if pattern is None else pattern.separation
        for pattern in moved.values()
    ]
    separation = np.array(fields)
    return {
        "mounting": np.array(list(moved), dtype=str),
        **dict(zip(columns, rows.T, strict=True)),
        "moved_separation": np.where(np.isfinite(separation), separation, np.nan),
    }


def _row(pattern: ContactPattern | None) -> tuple[float, ...]:
    if pattern is None:
        return (np.nan,) * 5
    return (pattern.rolling.peak_to_peak, *_figures(pattern).values())


def _differing(machine: HasFlanks) -> list[str]:
    if not machine.teeth_differ:
        return []
    return [
        "Teeth of this pair differ; shown is the mean of their flanks at even pitches. "
        "transmission-error, over a turn of the wheel, counts every tooth with its own."
    ]


def _warnings(rolled: ContactPattern, moved: Mapping[str, ContactPattern | None]) -> list[str]:
    sentences = []
    if not rolled.marked.any():
        sentences.append(
            "The compound marks no point of the flank's grid: contact lies on edges, or the "
            "compound is thinner than what lies between the points; use a thicker one."
        )
    lost = [name for name, pattern in moved.items() if pattern is None]
    if lost:
        sentences.append(
            f"With {', '.join(lost)} the flanks touch nowhere near their middles, so there is no "
            "pattern; use a smaller misalignment."
        )
    return sentences
