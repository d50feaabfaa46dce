"""The general cradle machine: where a point of a blade's edge is in the frame of the work.

    r_w = Rz(-ψ) Tz(-X_D) Ry(γ_m) Tx(X_B) Ty(E_m) Rx(-q) Tz(S_r) Rx(j) Rz(i) Rx(-θ) r_edge

The cutter's axis is x, from the tip plane to the head; r_edge lies at the angle θ = 0. The work's
axis is z, from the crossing point to the heel. Rotations are right-handed, and apply to points
(columns). With the cradle at q = q_0 + Δq

    ψ = R_a (Δq - C Δq² - D Δq³ - ...) - (θ - θ_0) z_0/z,

the last for face hobbing, whose work turns by z_0 teeth in a turn of the cutter, so that the
generating gear and the cutter roll on each other from outside (extended epicycloid). Sliding base,
blank offset and radial setting may follow Δq by series of their own.

Settings are those of a left-hand member. A right-hand one is cut by the same numbers on the machine
seen in a mirror, y -> -y: all angles but the root angle, and E_m, change their signs.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flank.arrays import Floats
from flank.errors import SpecError
from flank.geometry.bevel.blade import Blade
from flank.geometry.bevel.jets import Jet, Slopes, X, Y, Z

THETA, CRADLE = 1, 2
"""Numbers of the parameters after the first, the arc length of the edge."""


@dataclass(frozen=True)
class CradleSettings:
    """Of one machine, in m and rad. Series are derivatives by Δq from the first on, as Taylor's:
    `helical_motion` = (dX_B/dΔq, d²X_B/dΔq², ...). `modified_roll` is (C, D, ...)."""

    radial: float  # S_r
    cradle_angle: float  # q_0
    root_angle: float  # γ_m
    ratio_of_roll: float  # R_a, work per cradle; zero: formate, no generating motion
    blank_offset: float = 0.0  # E_m
    sliding_base: float = 0.0  # X_B
    centre_to_back: float = 0.0  # X_D
    swivel: float = 0.0  # j
    tilt: float = 0.0  # i
    modified_roll: tuple[float, ...] = ()
    helical_motion: tuple[float, ...] = ()
    vertical_motion: tuple[float, ...] = ()
    radial_motion: tuple[float, ...] = ()
    indexing: float = 0.0  # z_0/z, face hobbing
    indexing_origin: float = 0.0  # θ_0
    lead_angle: float = 0.0  # ν, of the plane of the edge, face hobbing
    lead_radius: float = 0.0  # where that plane crosses the cutter's radius, r_c0

    def __post_init__(self) -> None:
        if self.ratio_of_roll == 0 and (
            self.modified_roll or self.helical_motion or self.vertical_motion or self.radial_motion
        ):
            raise SpecError(
                "A formate cut has no generating motion, so modified roll, helical, vertical and "
                "radial motion have nothing to follow; leave them out or give a ratio of roll."
            )

    @property
    def formate(self) -> bool:
        return self.ratio_of_roll == 0


def settings_of_vector_sum(
    radial: float,
    cradle_angle: float,
    root_angle: float,
    ratio_of_roll: float,
    blank_offset: float = 0.0,
    vector_sum: float = 0.0,
) -> CradleSettings:
    """Litvin's settings: the vector sum L_m of centre to back and sliding base lies in the machine
    plane, along the root line, and the cradle angle counts the other way."""
    return CradleSettings(
        radial=radial,
        cradle_angle=-cradle_angle,
        root_angle=root_angle,
        ratio_of_roll=ratio_of_roll,
        blank_offset=blank_offset,
        sliding_base=vector_sum * math.tan(root_angle),
        centre_to_back=-vector_sum / math.cos(root_angle),
    )


def edge_in_work(settings: CradleSettings, blade: Blade, parameters: Floats) -> Jet:
    """r_w at the parameters (points, 2 or more): s, θ and Δq, of a left-hand member.

    Where there are no more than s and θ, as for a formate cut, the cradle rests.
    """
    s, theta = parameters[:, 0], parameters[:, 1]
    cradle = parameters[:, 2] if not settings.formate else np.zeros_like(s)
    roll = CRADLE if not settings.formate else None
    jet = _edge(settings, blade, s, parameters.shape[1])
    jet = jet.turned(X, -theta, {THETA: -1.0})
    jet = jet.turned(Z, settings.tilt).turned(X, settings.swivel)
    jet = jet.moved(Z, *_series(settings.radial, settings.radial_motion, cradle, roll))
    jet = jet.turned(X, -settings.cradle_angle - cradle, {roll: -1.0} if roll else {})
    jet = jet.moved(Y, *_series(settings.blank_offset, settings.vertical_motion, cradle, roll))
    jet = jet.moved(X, *_series(settings.sliding_base, settings.helical_motion, cradle, roll))
    jet = jet.turned(Y, settings.root_angle).moved(Z, -settings.centre_to_back)
    angle, slopes, bends = _series(0.0, _roll_derivatives(settings), cradle, roll)
    slopes[THETA] = settings.indexing
    angle = angle + settings.indexing * (theta - settings.indexing_origin)
    return jet.turned(Z, angle, slopes, bends)


def _roll_derivatives(settings: CradleSettings) -> list[float]:
    """Of -ψ by Δq."""
    ratio = -settings.ratio_of_roll
    return [ratio] + [
        -ratio * factor * math.factorial(n)
        for n, factor in enumerate(settings.modified_roll, start=2)
    ]


def _series(
    start: float, derivatives: Sequence[float], x: Floats, variable: int | None
) -> tuple[Floats, Slopes, Slopes]:
    """start + Σ derivative_n x^n/n!, its slope and its bend by the variable."""
    value, slope, bend = np.full_like(x, start), np.zeros_like(x), np.zeros_like(x)
    if variable is None or not any(derivatives):
        return value, {}, {}
    for n, derivative in enumerate(derivatives, start=1):
        value += derivative * x**n / math.factorial(n)
        slope += derivative * x ** (n - 1) / math.factorial(n - 1)
        if n > 1:
            bend += derivative * x ** (n - 2) / math.factorial(n - 2)
    return value, {variable: slope}, {variable: bend}


def _edge(settings: CradleSettings, blade: Blade, s: Floats, variables: int) -> Jet:
    """The edge at θ = 0; its plane is turned by the lead angle where the cutter has one."""
    position, tangent, bend = blade(s)
    cosine, sine = math.cos(settings.lead_angle), math.sin(settings.lead_angle)

    def placed(edge: Floats, radius: float) -> Floats:
        across = edge[..., 1] - radius
        return np.stack([edge[..., 0], -across * sine, radius + across * cosine], axis=-1)

    first = np.zeros((variables, len(s), 3))
    second = np.zeros((variables, variables, len(s), 3))
    first[0], second[0, 0] = placed(tangent, 0.0), placed(bend, 0.0)
    return Jet(placed(position, settings.lead_radius), first, second)
