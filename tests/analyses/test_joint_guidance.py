"""What guides the inner race sideways decides how far it goes along its axis."""

import functools

import numpy as np
import pytest

import flank
from flank.analyses.joint_turns import place_change

ONE_FRICTION = {
    "contact.friction.static": None,
    "contact.friction.static_velocity": None,
    "contact.friction.sliding": 0.03,
}


@functools.cache
def turned(kind, stiffness=None):
    guidance = {"kind": kind} | ({"stiffness": stiffness} if stiffness else {})
    changes = {**ONE_FRICTION, "operation.plunge.kind": "free", "operation.guidance": guidance}
    machine = flank.preset("cv-joint-marter", changes)
    return flank.run(machine, points_per_turn=90, most_turns=3)


def amplitude(result, order):
    orders = result["order"].values
    return float(result["axial_place_amplitude"].values[np.argmin(np.abs(orders - order))])


@pytest.mark.parametrize(("kind", "range_um"), [("rigid", 5.8), ("free", 31.0)])
def test_axial_motion_of_the_reference_joint(kind, range_um):
    """Both figures were computed independently by statics, to two digits."""
    assert 1e6 * turned(kind)["axial_place_range"] == pytest.approx(range_um, rel=0.03)
    assert abs(turned(kind)["energy_remainder"]) < 0.005


def test_a_free_race_keeps_the_orders_of_the_symmetry():
    result = turned("free")
    main = amplitude(result, 4)
    for order in (1, 2, 8, 16):
        assert amplitude(result, order) < 0.01 * main
    for order in (12, 20, 28):
        assert amplitude(result, order) > 1e-3 * main


def test_the_secondary_torque_does_not_ask_who_guides():
    free, rigid = turned("free"), turned("rigid")
    for race in ("outer", "inner"):
        name = f"secondary_torque_{race}"
        assert free[name] == pytest.approx(rigid[name], rel=5e-3)


def test_a_stiffness_leads_from_free_to_rigid():
    """Soft springs do nothing, hard ones hold as the rigid shaft does."""
    ranges = [
        turned(*given)["axial_place_range"]
        for given in (("elastic", "1e4 N/m"), ("elastic", "1e10 N/m"), ("elastic", "1e13 N/m"))
    ]
    assert ranges[0] == pytest.approx(turned("free")["axial_place_range"], rel=1e-3)
    assert ranges[0] > ranges[1] > ranges[2]
    assert ranges[2] == pytest.approx(turned("rigid")["axial_place_range"], rel=5e-3)


def test_sideways_motion_is_told_where_there_is_any():
    assert "sideways_place" not in turned("rigid").dataset
    result = turned("free")
    course = result["sideways_place"].values
    assert course.shape[1] == 2
    assert 0 < np.ptp(course, axis=0).max() <= result["sideways_range"] * (1 + 1e-12)


def test_turns_of_a_free_race_repeat_where_its_place_does():
    """Forces repeat after three turns; the race, hardly held, still creeps, and this is told."""
    assert any("the race's place by" in text for text in turned("free").warnings)
    before = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 2.0]])
    assert place_change(before, before + np.array([0, 0, 0.5])) == 0.25
