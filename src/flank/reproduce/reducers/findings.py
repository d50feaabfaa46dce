"""Sentences with the figures that were computed."""

from collections.abc import Sequence
from typing import NamedTuple

from flank.reproduce.reducers.conditions import PUBLISHED, Figures

Course = Sequence[Figures]
"""Figures at each δc."""

PAPER = PUBLISHED["δc = 0 µm"]
PAPER_WIDEST = PUBLISHED["δc = 20 µm"]

CLASS = (
    "The class: 3200 N·m and pins on a circle of 239 mm are those of a 320-class reducer (RV-320E: "
    "3136 N·m, body 283.5 mm); an RV-40E has 412 N·m. The paper's 'typical range' of 1100 to 1400 "
    "N·m/arcmin for an RV-40E has no support."
)
RATIO = (
    "Fig. 8: the paper prints no figures for its curves, and its post-processing uses a ratio of "
    "117 = 3·39 where this reducer has 3·51 from input to discs; they may show another reducer."
)


class Slow(NamedTuple):
    """The nominal loop in time, each stage `stage` seconds long."""

    stage: float
    figures: Figures


def findings(static: Course, smooth: Course, slow: Slow, fast: Course, script: Course) -> list[str]:
    """From the static loops with and without friction, and the ramps of both models."""
    return [
        CLASS,
        _gaps(static[0], smooth[0]),
        _ramp(static[0], slow, fast),
        _stiffness(static[0], script[0]),
        _friction(static[0], smooth[0]),
        RATIO,
    ]


def _gap(figures: Figures) -> float:
    return figures.lost_motion - figures.backlash


def _gaps(static: Figures, smooth: Figures) -> str:
    return (
        "BL above LM: clearance alone gives LM = BL + the wind-up between ±3 % of the torque, so "
        f"that LM is the larger. Here LM - BL is {_gap(static):+.3f} arcmin ({_gap(smooth):+.3f} "
        f"without friction); in the paper it is {_gap(PAPER):+.3f} to {_gap(PAPER_WIDEST):+.3f}."
    )


def _ramp(static: Figures, slow: Slow, fast: Course) -> str:
    return (
        f"The ramp: with stages of 0.01 s LM drops from {static.lost_motion:.3f} to "
        f"{fast[0].lost_motion:.3f} arcmin (paper: {PAPER.lost_motion:.3f}) and BL, "
        f"{fast[0].backlash:.3f}, comes out above it; at δc = 20 µm LM is "
        f"{fast[-1].lost_motion:.3f} (paper: {PAPER_WIDEST.lost_motion:.3f}). With stages of "
        f"{slow.stage:g} s LM is {slow.figures.lost_motion:.3f}; the paper's text gives 0.5 s. The "
        "paper's LM is thus most likely a rate effect. Its BL of "
        f"{PAPER.backlash:.3f} is not met by any of these runs."
    )


def _stiffness(static: Figures, script: Figures) -> str:
    return (
        "The stiffness: rigid parts and the script's contact constant, taken as 1e9 N/m^(10/9) for "
        f"all contacts, give {script.stiffness:.0f} N·m/arcmin at its ramp (paper: "
        f"{PAPER.stiffness:.0f}); the material's contacts and elastic parts give "
        f"{static.stiffness:.0f}. The paper's K_T is of the size that chosen constants give; it is "
        "no prediction."
    )


def _friction(static: Figures, smooth: Figures) -> str:
    return (
        "Friction: Coulomb friction vanishes with the load and does not widen the loop at zero "
        f"torque. BL is {static.backlash:.3f} arcmin with it and {smooth.backlash:.3f} without: a "
        "small torque takes a frictionless output to the very end of its play, and friction can "
        "stop it short of that."
    )
