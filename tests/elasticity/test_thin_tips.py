"""Teeth whose tips are thin, and short teeth whose load line leaves them through the tip."""

import math
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "validation"))

from plane_tooth import PlaneTooth

from flank.elasticity.material import STEEL
from flank.elasticity.tooth import PAST, tooth_compliance
from flank.elasticity.tooth_beam import beam_parts, held_radius, load_line
from flank.geometry.gear import Gear
from flank.geometry.gear_checks import check_gear, least_profile_shift
from flank.geometry.tooth_outline import half_outline

ANGLE = math.radians(20)


def gear(teeth, shift=0.0, **options):
    return Gear(teeth, 10e-3, ANGLE, shift, edge_radius=0.2e-3, **options)


@cache
def shifts(teeth, count=8):
    """From the least one without undercut to the last one whose tip is not pointed."""
    low = least_profile_shift(gear(teeth))
    high = low + 2
    for _ in range(40):
        middle = 0.5 * (low + high)
        pointed = any(f.severity == "error" for f in check_gear(gear(teeth, middle)))
        low, high = (low, middle) if pointed else (middle, high)
    return np.linspace(least_profile_shift(gear(teeth)), low, count)


@pytest.mark.parametrize("teeth", [*range(8, 21), 25, 30])
def test_every_tooth_between_undercut_and_a_pointed_tip_computes(teeth):
    """Compliance is positive, rises towards the tip once the force bends the tooth the usual way,
    and has no jump: third differences of 73 nodes stay small against the whole."""
    for shift in shifts(teeth):
        shape = gear(teeth, shift)
        table = tooth_compliance(shape, STEEL)
        assert np.all(table.values > 0)
        outward = np.array([load_line(shape, roll)[0] > 0 for roll in table.rolls[:-1]])
        assert np.all(np.diff(table.values)[outward] > 0)
        assert np.max(np.abs(np.diff(table.values, 3))) < 0.02 * np.max(table.values)


@pytest.mark.parametrize(("teeth", "shift"), [(10, 0.45), (12, 0.5), (17, 0.8), (20, 0.9)])
def test_table_of_a_thin_tip_is_read_well_up_to_the_end_of_the_flank(teeth, shift):
    shape = gear(teeth, shift)
    table = tooth_compliance(shape, STEEL)
    form, edge = half_outline(shape).form_roll, shape.edge_roll_length
    assert table.rolls[PAST] == pytest.approx(form, rel=1e-9)
    assert table.rolls[-PAST - 1] == pytest.approx(edge, rel=1e-12)
    rolls = np.linspace(form, edge, 50)
    exact = np.sum(beam_parts(shape, STEEL, rolls), axis=0)
    np.testing.assert_allclose(table.at(rolls), exact, rtol=2e-4)


def test_compliance_is_smooth_in_the_profile_shift():
    """From the end of undercut on, past where flanks imagined beyond the tip would cross."""
    x = np.linspace(0.42, 0.62, 21)
    found = []
    for shift in x:
        shape = gear(10, shift)
        rolls = np.linspace(half_outline(shape).form_roll, shape.edge_roll_length, 5)
        found.append(tooth_compliance(shape, STEEL).at(rolls))
    rough = np.abs(np.diff(found, 3, axis=0))
    assert np.max(rough / np.max(found, axis=0)) < 1e-3


@pytest.mark.parametrize("shape", [gear(10, 0.45), gear(14, 0.6)])
def test_thin_teeth_against_finite_elements(shape):
    """As close as other teeth, next to the end of the flank too."""
    finite, table = PlaneTooth(shape, held_radius(shape)), tooth_compliance(shape, STEEL)
    rolls = np.linspace(half_outline(shape).form_roll, shape.edge_roll_length, 17)[[8, 12, 14, 15]]
    truth = np.array([finite.structure(roll) for roll in rolls])
    off = table.at(rolls) / truth - 1
    assert np.all(off > 0.0)
    assert np.all(off < 0.03)


def stub():
    """Turned down until at the foot of the flank the force leaves through the tip."""
    whole = gear(8, 0.5, held_radius=0.015)
    return whole.with_tip_radius(1.05 * whole.base_radius)


def test_force_that_leaves_through_the_tip_bends_a_prism_beyond_it():
    """Value and slope go on where x_0 passes the end of the flank."""
    shape = stub()
    outline = half_outline(shape)
    tip = complex(outline.flank.point(np.array(shape.edge_roll_length))).real
    rolls = np.linspace(outline.form_roll, shape.edge_roll_length, 401)
    heights = np.array([shape.base_radius / math.cos(load_line(shape, r)[0]) for r in rolls])
    beyond = heights > tip
    assert np.any(beyond)
    assert np.any(~beyond)
    parts = beam_parts(shape, STEEL, rolls)[:3]
    assert np.all(parts[:2] > 0)
    slopes = np.diff(parts, axis=1)
    assert np.max(np.abs(np.diff(slopes, axis=1))) < 0.02 * np.max(np.abs(slopes))


def test_prism_beyond_a_short_tip_is_close_to_the_tooth_that_was_cut_off():
    short = stub()
    longer = replace(short, tip_shortening=short.tip_shortening - 0.1)
    roll = np.array([half_outline(short).form_roll])
    one, other = (np.sum(beam_parts(g, STEEL, roll)[:3]) for g in (short, longer))
    assert one == pytest.approx(other, rel=0.01)
