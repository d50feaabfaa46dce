"""What laying measured points onto their nominal parts found, as tables to be looked over."""

from collections.abc import Sequence

import numpy as np

from flank.machines.base import DataRow, DataTable
from flank.machines.measured.pins import MeasuredPins
from flank.machines.measured.points import MeasuredFlank


def flank_tables(flanks: Sequence[MeasuredFlank]) -> list[DataTable]:
    """How the points of every disc lie on its nominal flank; nothing where none are measured."""
    fits = [flank.fit for flank in flanks]
    if not fits or any(fit is None for fit in fits):
        return []
    known = [fit for fit in fits if fit is not None]
    lengths = {
        "centre x": [fit.placement.x for fit in known],
        "centre y": [fit.placement.y for fit in known],
        "deviation, mean": [fit.mean for fit in known],
        "deviation, rms": [fit.rms for fit in known],
        "deviation, largest": [fit.largest for fit in known],
    }
    numbers = tuple(float(len(fit.distances.rows)) for fit in known)
    counts = DataRow("points on flanks", numbers, "", "", 4)
    turn = DataRow("turned by", tuple(fit.placement.angle for fit in known), "rad", "deg", 4)
    rows = [DataRow(title, tuple(values), "m", "um", 3) for title, values in lengths.items()]
    note = f"Laid onto the nominal flank by {_words(flanks[0].kind)}; positive stands out."
    columns = tuple(f"disc {disc + 1}" for disc in range(len(flanks)))
    return [DataTable("Measured flanks", columns, (counts, turn, *rows), (note,))]


def pin_tables(pins: MeasuredPins | None) -> list[DataTable]:
    """How measured pins lie on their ring."""
    if pins is None:
        return []
    titles = {
        "pin_radius": "radius",
        "pin_radial": "outward position",
        "pin_tangential": "tangential position",
    }
    rows = []
    for kind, values in pins.errors.items():
        numbers = (np.mean(values), np.sqrt(np.mean(values**2)), values.min(), values.max())
        rows.append(DataRow(titles[kind], tuple(map(float, numbers)), "m", "um", 3))
    notes: tuple[str, ...] = ()
    if (placed := pins.placement) is not None:
        notes = (
            f"Laid onto the nominal ring by {_words(pins.kind)}: turned by "
            f"{np.degrees(placed.angle):.5g} deg, centre at {placed.x * 1e6:.4g} um, "
            f"{placed.y * 1e6:.4g} um.",
        )
    columns = ("mean", "rms", "least", "most")
    return [DataTable("Measured pins, errors", columns, tuple(rows), notes)]


def _words(kind: str) -> str:
    return "nothing, their frame is kept" if kind == "none" else kind
