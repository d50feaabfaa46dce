"""Quantities are declared before any run, and nothing else comes into a result."""

import numpy as np
import pytest

import flank
from flank.analyses.load_distribution import DEFAULTS
from flank.analyses.quantities import Declared, Quantities, Read
from flank.analyses.registry import ANALYSES
from flank.analyses.result import Ending, make_result
from flank.dynamics.grouping import ContactGroup
from flank.io.shown import factor

TABLE = Quantities(
    "load-distribution",
    {
        "torque": Declared("Output torque", "N*m"),
        "{group}_force": Declared("Force on {group}", "N", "{N or kN}", "time {group}"),
    },
    {"time": Declared("Time", "s", over="time")},
    {"Times": ("time", "late"), "Torques": ("time", "torque")},
)


def made(**values):
    machine = flank.preset("cycloidal-drive")
    return make_result(TABLE, machine, DEFAULTS, Ending("Completed.", True, {}), values)


def test_a_name_that_is_not_declared_is_refused():
    with pytest.raises(ValueError, match="declares no quantity 'twist'; add it to QUANTITIES"):
        made(torque=1.0, twist=2.0)


def test_a_group_of_contacts_fills_name_title_and_dimensions():
    group = ContactGroup("pin", "the pins", ("pin",), np.arange(2))
    force = Read(np.zeros((3, 2)), {"N or kN": "kN"}, group)
    data, coordinates = TABLE.variables({"pin_force": force, "time": np.arange(3.0)})
    dimensions, _, attributes = data["pin_force"]
    assert dimensions == ("time", "pin")
    assert attributes == {"units": "N", "shown_unit": "kN", "long_name": "Force on the pins"}
    assert list(coordinates) == ["time"]


def test_a_word_that_the_run_does_not_give_is_missed():
    group = ContactGroup("pin", "the pins", ("pin",), np.arange(2))
    with pytest.raises(KeyError, match="N or kN"):
        TABLE.variables({"pin_force": Read(np.zeros((3, 2)), group=group)})


def test_tables_have_the_columns_that_a_run_has_values_for():
    assert made(time=np.arange(3.0), torque=1.0).tables == {"Torques": ["time", "torque"]}


@pytest.mark.parametrize("name", ANALYSES)
def test_every_analysis_declares_under_its_name(name):
    declared = ANALYSES[name].quantities
    assert declared.analysis == name
    names = [quantity for quantity, _ in declared.items()]
    assert len(set(names)) == len(names)
    assert all({*columns} <= {*names} for columns in declared.tables.values())
    for quantity, one in declared.items():
        assert one.title, quantity
        if "{" not in one.unit + one.shown_unit and one.shown_unit:
            assert factor(one.unit, one.shown_unit) > 0, quantity
