"""Machines say which of their orders are passings, and analyses go by that."""

import copy
import pickle

import pytest
from daily import DAILY

import flank
from flank.analyses.orders import default_points, has_teeth, natural_shaft, tooth_order
from flank.engine import ModelBuilder, Orders, plain_machine
from flank.machines.orders import CAGE, PINS, STAGE, TEETH, USUAL


def shaft(orders):
    builder = ModelBuilder(length_scale=0.1)
    for name in ("input", "output"):
        builder.body(name, 1.0, 0.01)
    return plain_machine(builder, "input", "output", 1.0, orders=orders)


def test_names_decide_only_where_nobody_says_otherwise():
    usual = shaft({"mesh": 50, "pin": 40})
    assert usual.orders.of_kind(TEETH, PINS) == {"mesh": 50, "pin": 40}
    said = shaft(Orders({"mesh": 50, "lobe": 100}, {"lobe": TEETH}))
    assert said.orders.of_kind(TEETH) == {"lobe": 100}
    assert said.orders["input"] == 1.0
    assert (tooth_order(usual), tooth_order(said)) == (50, 100)
    assert (default_points(usual, 1.0), default_points(said, 1.0)) == (32 * 50, 32 * 100)


def test_teeth_come_before_those_of_a_stage_and_these_before_pins():
    orders = {"input": 1.0, "pin": 40, "stage": 7, "tooth": 50}
    assert list(Orders(orders).of_kind(TEETH, STAGE, PINS)) == ["tooth", "stage", "pin"]
    assert not has_teeth(shaft(Orders({"pin": 40})))
    assert natural_shaft(shaft(Orders({"pin": 40, "tooth": 0.5}, {"pin": PINS}))) == "input"


@pytest.mark.parametrize("preset", DAILY)
def test_machines_say_what_the_usual_names_mean(preset):
    orders = flank.preset(preset).orders
    assert isinstance(orders, Orders)
    assert orders.kinds == {name: USUAL[name] for name in orders if name in USUAL}
    assert set(orders.kinds.values()) <= {TEETH, PINS, STAGE, CAGE}
    for same in (pickle.loads(pickle.dumps(orders)), copy.deepcopy(orders)):
        assert (same, same.kinds) == (orders, orders.kinds)
