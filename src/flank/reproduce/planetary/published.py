"""What the paper prints: Table 1, the table in Fig. 10, areas and periods in its text, Fig. 14.

Jørgensen, Pedersen, Sørensen, "Comparison and Implementation of a Rigid and a Flexible Multibody
Planetary Gearbox Model".
"""

from typing import NamedTuple


class Angles(NamedTuple):
    """Final carrier angles of the rigid and the flexible model in degrees."""

    rigid: float
    flexible: float


TABLE_1C = {
    1: Angles(-100.92, -100.25),
    2: Angles(-58.73, -58.40),
    3: Angles(-41.17, -40.96),
    4: Angles(-31.69, -31.54),
}
"""By the number of planets."""

TABLE_10A = {
    0: -41.127,
    10: -41.143,
    20: -41.152,
    30: -41.157,
    40: -41.160,
    50: -41.162,
    60: -41.164,
}
"""Final carrier angle in degrees by damping in N·s/m; three planets, 5000 N/m."""

TABLE_10A_DEVIATIONS = {0: 0.104, 10: 0.067, 20: 0.044, 30: 0.031, 40: 0.023, 50: 0.019, 60: 0.015}
"""ε in % by damping, against the rigid model."""

RIGID_TOLERANCE, FLEXIBLE_TOLERANCE, DAMPED_TOLERANCE = 0.005, 0.015, 0.003
"""How far ours may be from the printed angles, in degrees."""

CAPTION_STIFFNESS, TEXT_STIFFNESS, STIFFER = 1000.0, 500.0, 5000.0
"""N/m: in the caption of Table 1a, in the text, and in section 3.1.2."""

HALF_PERIODS = {TEXT_STIFFNESS: 1.75, STIFFER: 0.55}
"""What section 3.1.2 calls half a period, in s, by stiffness."""

AREAS = {"sun/planet 1": "around 5 %", "planet 1/ring": "approx. 1 %"}
"""Deviation of the areas under the forces of one planet, section 3.1.1."""

LAST_FORCE = 2.3
"""N in all meshes at the end with 60 N·s/m, section 3.1.2."""

STAGE_FORCES = {"rigid": (-272.0, 277.0), "flexible": (-91.0, 93.0)}
"""Mean tangential forces sun/planet 1 and planet 1/ring in kN, Fig. 14."""

STAGE_TOLERANCE = 2.0
"""How far ours may be from the printed mean forces, in %."""

STAGE_DAMPING = (2e4, 4e4)
"""N·s/m, Fig. 14."""
