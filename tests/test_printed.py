"""The reading of figures on pages: strict but for the last digit."""

import pytest
from printed import shown

PAGE = "| disc | 1.25 | 30 |\n| ring | 1374 |\n| carrier | 2.0e-04 | 30 |\n"


@pytest.mark.parametrize(
    ("told", "holds"),
    [
        ("| disc | 1.25 | 30 |", True),
        ("| disc | 1.26 | 30 |", True),
        ("| disc | 1.27 | 30 |", False),
        ("| disc | 1.25 | 31 |", False),
        ("| carrier | 1.9e-04 | 30 |", True),
        ("| carrier | 1.8e-04 | 30 |", False),
        ("| ring | 1375 |", True),
        ("| ring | 1376 |", False),
        ("| pin | 1.25 | 30 |", False),
    ],
)
def test_one_unit_of_the_last_digit(told, holds):
    assert shown(PAGE, told) is holds
