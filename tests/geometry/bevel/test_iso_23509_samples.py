"""The four samples of ISO 23509:2016, annex F, to their printed digits.

Not to the last digit: c_ham of sample 1 is printed too short for the addenda printed with it; β_e
and β_i of sample 2 and R_m1 of sample 4 are printed from other steps of their loops.
"""

import math
from dataclasses import replace

import pytest

from flank.errors import SpecError
from flank.geometry.bevel.blank import pair_blanks
from flank.geometry.bevel.pitch_cones import PairData, depth_factors, pitch_cones

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

BLANKS = [pair_blanks(data) for data in SAMPLES]


@pytest.mark.parametrize("name", [*LENGTHS, *ANGLES])
@pytest.mark.parametrize("sample", range(4))
def test_printed_digits(sample, name):
    table, unit = (LENGTHS, MM) if name in LENGTHS else (ANGLES, R(1))
    blanks = BLANKS[sample].pinion, BLANKS[sample].wheel
    for blank, printed in zip(blanks, table[name][sample], strict=True):
        away = abs(getattr(blank, name) / unit - printed)
        assert away <= EXCEPTIONS.get((sample, name), DIGIT)


@pytest.mark.parametrize(
    ("sample", "module", "limit", "angles"),
    [
        (0, 3.213, 0.0, (20, 20)),
        (1, 2.640, -2.253, (17.747, 22.253)),
        (2, 4.028, -4.132, (15.868, 24.132)),
        (3, 6.065, -1.731, (19, 21)),
    ],
)
def test_module_and_pressure_angles(sample, module, limit, angles):
    blanks = BLANKS[sample]
    assert abs(blanks.normal_module / MM - module) <= DIGIT
    assert abs(math.degrees(blanks.limit_pressure_angle) - limit) <= DIGIT
    for angle, printed in zip(blanks.pressure_angles, angles, strict=True):
        assert abs(math.degrees(angle) - printed) <= DIGIT


def test_a_small_offset_is_nearly_none():
    """Method 1 goes to method 0 where both spiral angles and the cones do."""
    data = PairData((14, 39), 25.4 * MM, 176.9 * MM, R(35), 114.3 * MM)
    plain = pitch_cones(data)
    hypoid = pair_blanks(PairData((14, 39), 25.4 * MM, 176.9 * MM, R(35), 114.3 * MM, 1, 0.5 * MM))
    assert abs(hypoid.wheel.spiral_angle - plain.spiral_angles[1]) < R(0.6)
    assert abs(hypoid.wheel.mean_diameter / plain.mean_diameters[1] - 1) < 0.01


@pytest.mark.parametrize("shaft_angle", [90, 75, 100])
@pytest.mark.parametrize("data", SAMPLES)
def test_mean_points_of_both_members_touch(data, shaft_angle):
    """Apex offsets place both pitch cones so that their calculation points are one point: with the
    wheel's axis z and the pinion's axis (sin Σ, 0, cos Σ) through y = a."""
    angle = R(shaft_angle)
    blanks = pair_blanks(replace(data, shaft_angle=angle))
    along1, radius1 = blanks.pinion.mean_point
    along2, radius2 = blanks.wheel.mean_point
    x = (along1 - along2 * math.cos(angle)) / math.sin(angle)
    y = math.sqrt(max(radius2**2 - x**2, 0.0))
    across = along2 * math.sin(angle) - x * math.cos(angle)
    assert abs(math.hypot(y - data.offset, across) - radius1) < 0.02 * MM


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"teeth": (2, 40)}, "The pinion has 2 teeth"),
        ({"method": 4}, "no method 4"),
        ({"offset": 5 * MM}, "Method 0 is for pairs without offset"),
        ({"method": 1}, "needs an offset above zero"),
        ({"method": 3, "offset": 5 * MM}, "give the number of blade groups"),
        ({"method": 1, "offset": 150 * MM}, "No pitch cones exist"),
    ],
)
def test_refusals(changes, words):
    with pytest.raises(SpecError, match=words):
        pair_blanks(replace(SAMPLES[0], **changes))
