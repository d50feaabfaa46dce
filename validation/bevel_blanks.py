"""Blanks of the four samples of ISO 23509:2016, annex F, against their printed digits.

Not to the last digit: c_ham of sample 1 is printed too short for the addenda printed with it; β_e
and β_i of sample 2 and R_m1 of sample 4 are printed from other steps of their loops.
"""

import math
from collections.abc import Iterator

from cases import Case

from flank.geometry.bevel.blank import pair_blanks
from flank.geometry.bevel.pitch_cones import PairData, depth_factors

MM = 1e-3
R = math.radians

SAMPLES = [
    PairData(
        (14, 39),
        25.4 * MM,
        176.893 * MM,
        R(35),
        114.3 * MM,
        **depth_factors(0.24737, 2, 0.125, 0.0915),
        outer_normal_backlash=0.127 * MM,
        addendum_angle=R(2.1342),
        dedendum_angle=R(6.4934),
    ),
    PairData(
        (13, 42),
        30 * MM,
        170 * MM,
        R(50),
        63.5 * MM,
        1,
        15 * MM,
        limit_angle_factor=1,
        **depth_factors(0.35, 2, 0.125, 0.1),
        outer_transverse_backlash=0.2 * MM,
        addendum_angle=R(1),
        dedendum_angle=R(4),
    ),
    PairData(
        (9, 34),
        26 * MM,
        146.7 * MM,
        R(21.009),
        76 * MM,
        2,
        31.75 * MM,
        blade_groups=13,
        limit_angle_factor=1,
        **depth_factors(0.275, 2, 0.125, 0.1),
        outer_transverse_backlash=0.2 * MM,
    ),
    PairData(
        (12, 49),
        60 * MM,
        400 * MM,
        R(30),
        135 * MM,
        3,
        40 * MM,
        blade_groups=5,
        pressure_angles=(R(19), R(21)),
        profile_shift=0.2,
        thickness_factor=0.031,
    ),
]

LENGTHS = {
    "mean_distance": [(81.273, 81.273), (73.519, 76.337), (61.186, 82.168), (159.10, 181.074)],
    "mean_diameter": [(54.918, 152.987), (53.383, 141.877), (51.258, 146.7), (99.38, 343.151)],
    "mean_addendum": [(4.836, 1.591), (3.432, 1.848), (5.840, 2.215), (7.278, 4.852)],
    "mean_dedendum": [(2.394, 5.639), (2.508, 4.092), (3.222, 6.847), (6.368, 8.794)],
    "thickness": [(6.465, 3.511), (4.922, 3.241), (7.969, 4.524), (10.786, 8.268)],
    "outside_diameter": [
        (75.324, 178.288),
        (73.528, 171.560),
        (74.909, 171.907),
        (133.730, 403.102),
    ],
    "outer_width": [(12.7, 12.7), (16.089, 15.131), (15.569, 13.0), (32.860, 29.998)],
    "inner_width": [(12.7, 12.7), (15.822, 14.869), (15.569, 13.0), (33.140, 30.002)],
    "apex_beyond": [(0.0, 0.0), (-1.225, 1.576), (-12.618, 11.836), (-16.530, 8.315)],
}
ANGLES = {
    "face_angle": [(26.240, 72.387), (25.232, 69.323), (24.765, 63.212), (18.200, 71.360)],
    "root_angle": [(17.613, 63.760), (20.303, 64.324), (24.765, 63.212), (18.200, 71.360)],
    "spiral_angle": [(35, 35), (49.998, 38.609), (44.990, 21.009), (42.922, 30)],
    "outer_spiral_angle": [
        (36.846, 36.846),
        (57.544, 47.674),
        (52.576, 31.334),
        (51.622, 39.966),
    ],
    "inner_spiral_angle": [(33.946, 33.946), (44.879, 30.826), (36.388, 8.159), (34.412, 19.426)],
}

DIGIT = 0.00065
"""Half of the last printed digit, and the rounding of what was rounded before."""

EXCEPTIONS = {
    (0, "mean_addendum"): 0.0013,
    (0, "mean_dedendum"): 0.0013,
    (0, "thickness"): 0.0016,
    (0, "outside_diameter"): 0.0020,
    (1, "mean_diameter"): 0.0011,
    (1, "outer_spiral_angle"): 0.0022,
    (1, "inner_spiral_angle"): 0.0023,
    (2, "apex_beyond"): 0.0012,
    (3, "mean_distance"): 0.0125,
    (3, "mean_diameter"): 0.0036,
    (3, "outside_diameter"): 0.0015,
    (3, "outer_width"): 0.0016,
    (3, "inner_width"): 0.0016,
    (3, "inner_spiral_angle"): 0.0008,
}


def blank_cases() -> Iterator[Case]:
    """Some of what is printed; tests have the rest."""
    for number, sample in enumerate(SAMPLES):
        blanks = pair_blanks(sample)
        for k, (member, blank) in enumerate((("pinion", blanks.pinion), ("wheel", blanks.wheel))):
            for name in ("mean_distance", "thickness", "outside_diameter", "spiral_angle"):
                table, unit, symbol = (
                    (LENGTHS, MM, "mm") if name in LENGTHS else (ANGLES, R(1), "°")
                )
                printed = table[name][number][k]
                allowed = EXCEPTIONS.get((number, name), DIGIT)
                yield Case(
                    f"sample {number + 1}, {member}, {name.replace('_', ' ')}",
                    "ISO 23509, annex F",
                    printed,
                    getattr(blank, name) / unit,
                    symbol,
                    allowed / printed,
                )
