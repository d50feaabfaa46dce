"""RV reducers are sized by what they bear, and come out as large as published ones."""

import pytest

import flank
from flank.design.designing import find_designs
from flank.design.falls import Falls
from flank.design.kinds import rv
from flank.design.kinds.cycloid_loads import along_share, largest_pressure, largest_radius
from flank.design.kinds.rv import RvDesigner
from flank.design.requirements import RvRequirements
from flank.errors import SpecError

PUBLISHED = {412: (121, 64e-3), 784: (153, 77.5e-3), 3136: (121, 119.5e-3)}
"""By rated torque in N·m: ratio, and radius of the pin circle of the published set of its class."""


def designer(torque, ratio, **more):
    given = {"torque": float(torque), "ratio": ratio, "ratio_tolerance": 1e-6, **more}
    return RvDesigner(RvRequirements.from_mapping(given))


@pytest.mark.parametrize("torque", [412])
def test_closed_forms_give_a_circle_somewhat_below_the_published(torque, monkeypatch):
    """Ideal flanks share the load more evenly than modified ones, which static solves tell of."""
    monkeypatch.setattr(rv, "CRANKS", (2,))
    monkeypatch.setattr(rv, "PINS", range(40, 42, 2))
    ratio, radius = PUBLISHED[torque]
    found = sorted(designer(torque, ratio).candidates(Falls()), key=lambda each: each.order)
    assert 0.75 * radius < found[0].values[0] < radius


@pytest.mark.nightly
@pytest.mark.parametrize("torque", PUBLISHED)
def test_the_pin_circle_is_that_of_the_published_set_within_15_percent(torque):
    ratio, radius = PUBLISHED[torque]
    for design in find_designs(designer(torque, ratio, ratio_tolerance=0.01)).designs:
        assert design.machine.spec.pins.circle_radius == pytest.approx(radius, rel=0.15)
        assert flank.check(design.machine).light == "green"
        assert design.verification.passed


def test_the_ideal_load_is_that_of_the_closed_forms():
    """Of 40 pins on 64 mm F_max is 1.9724 N per N·m; pressures go with √T and R^(-3/2)."""
    zp, circle, k1 = 40, 64e-3, 0.8125
    assert 4 / (k1 * (zp - 1) * circle) == pytest.approx(1.9724, rel=1e-4)
    small, large = (largest_pressure(zp, circle, k1, 3e-3, 9e-3, t, 1.15e11) for t in (1.0, 4.0))
    assert large == pytest.approx(2 * small)
    scaled = largest_pressure(zp, 2 * circle, k1, 6e-3, 18e-3, 8.0, 1.15e11)
    assert scaled == pytest.approx(small)  # T/R³ alone counts
    assert 0 < along_share(k1) < 1
    assert largest_radius(zp, circle, k1, 1.0, 1.0) == pytest.approx(4.6117e-3, rel=1e-4)


def test_planets_are_keyed_alike_and_the_ratio_is_kept(monkeypatch):
    monkeypatch.setattr(rv, "CRANKS", (3,))
    monkeypatch.setattr(rv, "PINS", range(40, 42, 2))
    made = designer(784, 153)
    (first, *_) = made.candidates(Falls())
    stage = made.spec(first, first.values)["first_stage"]
    assert (stage["sun_teeth"] + stage["planet_teeth"]) % 3 == 0
    assert 1 + 40 * stage["planet_teeth"] / stage["sun_teeth"] == pytest.approx(153)


@pytest.mark.parametrize(
    ("ratio", "sentence"),
    [(10, "from 25 to 321"), (1000, "from 25 to 321"), (120.77, "the nearest that an RV reducer")],
)
def test_a_ratio_that_no_reducer_has_is_refused_with_the_nearest(ratio, sentence):
    with pytest.raises(SpecError, match=sentence):
        find_designs(designer(412, ratio))


def test_an_envelope_that_is_too_small_says_what_asks_for_more():
    with pytest.raises(SpecError, match="across needed because of"):
        find_designs(designer(412, 121, outer_diameter="60 mm"))
