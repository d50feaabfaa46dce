"""Before and after the path of contact, against whole outlines turned into each other."""

import cmath
import math

import numpy as np
import pytest

from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair
from flank.geometry.pair_checks import check_pair
from flank.geometry.pair_gap import LARGEST_DEFLECTION, separation
from flank.geometry.tooth_outline import half_outline

MODULE = 1.75e-3
POINTS = 1500


def gear(teeth, shift=0.0, internal=False, **options):
    return Gear(
        teeth, MODULE, math.radians(20), shift, internal, edge_radius=0.02 * MODULE, **options
    )


NORM = {"dedendum": 1.2}
RV_80 = GearPair(gear(10, **NORM), gear(38, **NORM))
"""The first stage of the preset: a sun of 10 unshifted teeth."""

PAIRS = {
    "rv-80": RV_80,
    "rv-80 driven": GearPair(RV_80.second, RV_80.first),
    "both undercut": GearPair(gear(8), gear(10)),
    "12/60": GearPair(gear(12), gear(60)),
    "undercut, but not where the mate needs it": GearPair(
        gear(14), gear(20).with_tip_radius(gear(20).tip_radius - 0.3 * MODULE)
    ),
    "shifted": GearPair(gear(10, 0.45), gear(38, -0.45)),
    "ring": GearPair(gear(30, 0.3), gear(60, -0.5, True)),
    "ring whose tips the pinion's run over": GearPair(
        gear(48, 0.08, **NORM), gear(102, 1.01, True, **NORM)
    ),
}


def outline(shape):
    """From the root over fillet, flank and edge to the tip."""
    pieces = half_outline(shape)
    parts = [piece.point(piece.spread(POINTS)) for piece in pieces[1:4]]
    return np.concatenate(parts)


def room(line, mates):
    """Least angle by which the mate's points, at the radii of a tooth, lie outside it."""
    radii, angles = np.abs(line), np.angle(line)
    order = np.argsort(radii, kind="stable")
    at = np.abs(mates)
    near = (at > radii.min()) & (at < radii.max()) & (np.abs(np.angle(mates)) < 0.9)
    reached = np.interp(at[near], radii[order], angles[order])
    return float(np.min(np.angle(mates[near]) - reached, initial=1.0))


def touching(pair, roll):
    """Approach at which the outlines of two teeth touch, by bisection."""
    first, second = pair.first, pair.second
    one, other = outline(first), outline(second)
    at_first = roll / first.base_radius - first.base_half_angle - pair.working_angle
    opposite = math.pi if pair.sign > 0 else 0.0
    centres = (0.0, pair.centre_distance) if pair.sign > 0 else (pair.centre_distance, 0.0)
    mirrored = np.conj if pair.sign < 0 else np.asarray  # a ring is touched on its other side

    def apart(approach):
        closed = pair.gap(1, at_first, opposite) + approach
        at_second = opposite + pair.sign * closed / second.base_radius
        turns = cmath.exp(1j * at_first), cmath.exp(1j * at_second)
        on_first = (centres[1] + mirrored(other) * turns[1] - centres[0]) / turns[0]
        on_second = (centres[0] + one * turns[0] - centres[1]) / turns[1]
        return min(room(one, on_first), room(other, mirrored(on_second)))

    low, high = -0.1 * MODULE, 0.2 * MODULE
    for _ in range(36):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if apart(middle) > 0 else (low, middle)
    return 0.5 * (low + high)


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("end", [0, 1])
def test_outlines_touch_where_the_separation_is_used_up(name, end):
    """Corner on flank, then edge on flank; in a ring edge on flank, then edge on edge."""
    pair = PAIRS[name]
    seen = 0
    for past in np.linspace(0.01, 1.2, 60):
        roll = pair.path[end] + (2 * end - 1) * past * pair.base_pitch
        apart = separation(pair, roll)
        if apart > LARGEST_DEFLECTION * MODULE:
            break
        seen += 1
        assert apart > 0
        assert apart == pytest.approx(touching(pair, roll), abs=2e-9)
    assert seen > 4


def test_path_of_an_undercut_gear_begins_at_its_corner():
    """ε_α counts the flank that is there, and the finding says what is not."""
    form = half_outline(RV_80.first).form_roll
    assert RV_80.path == (form, RV_80.first.edge_roll_length)
    assert RV_80.contact_ratio == pytest.approx(1.1065, abs=1e-4)
    codes = [finding.code for finding in check_pair(RV_80, ("sun", "planet"))]
    assert codes == ["undercut", "undercut-flank"]
    turned = PAIRS["rv-80 driven"]
    assert turned.contact_ratio == pytest.approx(RV_80.contact_ratio, rel=1e-12)


def test_separation_of_an_undercut_pair_is_continuous():
    rolls = RV_80.path[0] - RV_80.base_pitch * np.linspace(0, 0.46, 2000)
    apart = np.array([separation(RV_80, roll) for roll in rolls])
    assert apart[0] == 0
    assert np.all(np.abs(np.diff(apart)) < np.abs(np.diff(rolls)))  # no steeper than 45°
    assert np.all(apart >= 0)


def test_little_undercut_costs_little_contact_ratio():
    whole = GearPair(gear(17), gear(40))
    assert half_outline(whole.first).undercut
    touched = whole.action_length - whole.second.edge_roll_length
    assert whole.path[0] == pytest.approx(touched, rel=1e-12)
