"""What a sensitivity reports: effects of every error, of every kind, and of all together."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from flank.analyses.result import Quantity
from flank.machines.base import ErrorParameter

SHOWN_STEPS = {"m": 1e-6, "rad": np.deg2rad(0.001)}
"""Errors of a handy size: 1 um, or 0.001 deg, which is as much at a radius of 57 mm."""

MEASURES = {
    "torsional_stiffness": ("N*m/rad", "N*m/arcmin", "Torsional stiffness"),
    "lost_motion": ("rad", "arcsec", "Lost motion"),
    "backlash": ("rad", "arcsec", "Backlash"),
    "transmission_error": ("rad", "arcsec", "TE of the error alone, peak to peak"),
}
"""Units and titles of what is differentiated."""


def nominal(figures: Sequence[float], peak: float, load: float) -> dict[str, Quantity]:
    """The figures of the machine as it is, in the order of MEASURES."""
    found = {
        "torque": Quantity((), peak, "N*m", "N*m", "Peak torque of the loop"),
        "load_torque": Quantity((), load, "N*m", "N*m", "Torque of the transmission error"),
    }
    titles = ("Torsional stiffness", "Lost motion", "Backlash", "Transmission error, peak to peak")
    for (name, (unit, shown, _)), value, title in zip(
        MEASURES.items(), figures, titles, strict=True
    ):
        found[name] = Quantity((), value, unit, shown, f"{title}, as specified")
    return found


def by_error(
    errors: Sequence[ErrorParameter], effects: dict[str, NDArray], turn: NDArray
) -> dict[str, Quantity]:
    """Effects of a handy step and of one tolerance of every error."""
    tolerance = np.array([error.tolerance for error in errors])
    step = np.array([SHOWN_STEPS[error.unit] for error in errors])
    found = {}
    for name, (unit, shown, title) in MEASURES.items():
        for size, word, text in (
            (step, "step", "1 um or 0.001 deg"),
            (tolerance, "tolerance", "one tolerance"),
        ):
            values = effects[name] * size
            found[f"{name}_per_{word}"] = Quantity(
                ("parameter",), values, unit, shown, f"{title}, for {text}"
            )
    found["transmission_error_curve"] = Quantity(
        ("parameter", "crank_angle"),
        turn * tolerance[:, None],
        "rad",
        "arcsec",
        "First-order transmission error of one tolerance alone",
    )
    return found


def by_kind(errors: Sequence[ErrorParameter], effects: dict[str, NDArray]) -> dict[str, Quantity]:
    """Root of the sum of squares over the errors of one kind, and over all."""
    kinds = _kinds(errors)
    tolerance = np.array([error.tolerance for error in errors])
    members = np.array([[error.kind == kind for error in errors] for kind in kinds])
    found = {
        "kind_count": Quantity(("kind",), members.sum(axis=1), "", "", "Number"),
    }
    for name, (unit, shown, title) in MEASURES.items():
        squares = (effects[name] * tolerance) ** 2
        short = "TE" if name == "transmission_error" else title
        found[f"{name}_of_kind"] = Quantity(
            ("kind",), np.sqrt(members @ squares), unit, shown, short
        )
        found[f"{name}_of_all"] = Quantity(
            (), np.sqrt(squares.sum()), unit, shown, f"{title}, all tolerances, root of squares"
        )
    return found


def _kinds(errors: Sequence[ErrorParameter]) -> list[str]:
    return list(dict.fromkeys(error.kind for error in errors))


def labels(errors: Sequence[ErrorParameter], angles: NDArray) -> dict[str, Quantity]:
    def texts(words: Sequence[str], dimension: str, title: str) -> Quantity:
        return Quantity((dimension,), np.array(words, dtype=str), "", "", title)

    return {
        "parameter": texts([error.name for error in errors], "parameter", "Error"),
        "parameter_title": texts([error.title for error in errors], "parameter", "Error"),
        "parameter_kind": texts([error.kind for error in errors], "parameter", "Kind of error"),
        "parameter_unit": texts([error.unit for error in errors], "parameter", "Unit of the error"),
        "parameter_tolerance": Quantity(
            ("parameter",), [error.tolerance for error in errors], "", "", "Tolerance, m or rad"
        ),
        "kind": texts(_kinds(errors), "kind", "Kind of error"),
        "crank_angle": Quantity(("crank_angle",), angles, "rad", "deg", "Crank angle"),
    }
