"""What designs of involute gears share: modules, racks, profile shifts, sizes by closed form."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from flank.design.candidate import Fallen
from flank.design.kinds.rounding import rounded
from flank.design.processes import PROCESSES
from flank.texts import mm

if TYPE_CHECKING:
    from flank.design.requirements import GearedRequirements

MODULES = (
    0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.125, 1.25, 1.375, 1.5, 1.75, 2.0, 2.25, 2.5, 2.75, 3.0, 3.5,
    4.0, 4.5, 5.0, 5.5, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 14.0, 16.0, 18.0, 20.0,
)  # fmt: skip
"""mm, both series of ISO 54."""

FLANK_FACTOR = 1.4
"""Roughly K_A K_V K_Hβ K_Hα of first sizing; the rating of `flank check` decides."""

SAFETY = 1.2
"""Of flanks in first sizing."""

ZONE, ELASTIC = 2.3, 190.0e3
"""Z_H Z_ε, and Z_E of steel pairs in Pa^(1/2)."""

THINNER, LEAST_THINNER = 0.02, 60e-6
"""Modules, and m at least, by which teeth are thinner at their reference circle: what tolerances of
thickness, run-out and centre distance do not take up."""


def thinner(module: float) -> float:
    """In m, of teeth of this module in m."""
    return rounded(max(THINNER * module, LEAST_THINNER), 1e-6, up=True)


def flank_stress(force: float, width: float, pinion: float, ratio: float) -> float:
    """σ_H of ISO 6336-2 with rough factors, in Pa; `pinion` is its reference diameter, `ratio` u
    without sign, of a ring with a minus."""
    nominal = force * FLANK_FACTOR / (width * pinion) * (ratio + 1) / ratio
    return ZONE * ELASTIC * math.sqrt(nominal)


WIDTHS = (6.0, 16.0)
"""Face width over the module."""

FORM, ROOT_LIMIT = 4.3, 1000e6 / 1.4
"""Y_F Y_S, and Pa that roots of case-hardened teeth bear with the safety of `flank check`."""


def root_width(force: float, module: float, share: float = 1.0) -> float:
    """Face width in modules that tooth roots ask for, `share` of their strength being left."""
    return force * FLANK_FACTOR * FORM / (module**2 * share * ROOT_LIMIT)


def refuse_larger(wanted: GearedRequirements, outer: float) -> None:
    """Fallen where the outer diameter that is wanted is less."""
    limit = wanted.outer_diameter
    if limit is not None and outer > limit:
        raise Fallen("envelope-diameter", outer / limit, f"{mm(outer, 4)} across")


def least_width(
    wanted: GearedRequirements,
    force: float,
    module: float,
    pinion: float,
    ratio: float,
    share: float = 1.0,
) -> float:
    """In modules, that flanks and roots ask for, `share` of the roots' strength being left; Fallen
    where that is too wide. `pinion` is the smaller gear's reference diameter, `ratio` its mate's
    over it."""
    stress = flank_stress(force, module, pinion, ratio)
    width = max((stress / limit_stress(wanted)) ** 2, root_width(force, module, share))
    if width > WIDTHS[1]:
        raise Fallen("face-width", width / WIDTHS[1], f"{width:.3g} modules of face width")
    width = max(width, WIDTHS[0])
    length = width * module
    if wanted.length is not None and length > wanted.length:
        raise Fallen("envelope-length", length / wanted.length, f"{mm(length, 4)} long")
    return width


def limit_stress(wanted: GearedRequirements) -> float:
    """What flanks of the process bear with SAFETY."""
    allowed: float = wanted.pressure or PROCESSES[wanted.process].pressure
    return allowed / SAFETY
