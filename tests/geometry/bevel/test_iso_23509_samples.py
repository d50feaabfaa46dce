"""The four samples of ISO 23509:2016, annex F, to their printed digits; `bevel_blanks` has them."""

import math
from dataclasses import replace

import pytest
from bevel_blanks import ANGLES, DIGIT, EXCEPTIONS, LENGTHS, MM, SAMPLES, R

from flank.errors import SpecError
from flank.geometry.bevel.blank import pair_blanks
from flank.geometry.bevel.pitch_cones import PairData, pitch_cones

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
