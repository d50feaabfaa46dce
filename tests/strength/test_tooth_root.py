"""Critical sections and root factors, against the generated fillet, tables and limits."""

import math
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "validation"))
from strength_examples import ANGLE, ROOT_TABLE, open_program

from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair
from flank.geometry.tooth_outline import half_outline, normal_section
from flank.strength import tooth_root

GEARS = [
    Gear(17, 2e-3, ANGLE, 0.3),
    Gear(25, 3e-3, ANGLE, 0.25, helix_angle=math.radians(16)),
    Gear(103, 8e-3, ANGLE, dedendum=1.4, fillet_radius=0.39, helix_angle=math.radians(15.8)),
    Gear(40, 1e-3, math.radians(25), -0.2, fillet_radius=0.2),
]


@pytest.mark.parametrize("gear", GEARS, ids=lambda gear: str(gear.teeth))
def test_tangent_at_30_degrees_on_the_generated_root(gear):
    """The norm's formulas find the point of our own trochoid where its tangent stands at 30°, and
    its curvature there."""
    fillet = half_outline(normal_section(gear)).fillet
    t = fillet.spread(200001)
    slope, point = fillet.slope(t), fillet.point(t)
    at = int(np.argmin(abs(np.tan(np.angle(slope)) + math.tan(math.radians(30)))))
    section = tooth_root.root_section(gear)
    assert 2 * point[at].imag == pytest.approx(section.thickness, rel=1e-4)
    assert point[at].real == pytest.approx(section.place, rel=1e-4)
    steps = np.diff(np.unwrap(np.angle(slope))) / np.abs(np.diff(point))
    assert abs(1 / steps[at]) == pytest.approx(section.fillet, rel=1e-3)


def test_ring_stands_on_its_arc_at_60_degrees():
    """The tangent of a ring's arc there is at 60° to the middle of the tooth, between flank and
    root."""
    ring = Gear(91, 10e-3, ANGLE, -0.84, internal=True)
    section = tooth_root.root_section(ring)
    fillet = half_outline(ring).fillet
    t = fillet.spread(100001)
    slope, point = fillet.slope(t), fillet.point(t)
    at = int(np.argmin(abs(abs(np.tan(np.angle(slope))) - math.tan(math.radians(60)))))
    assert 2 * point[at].imag == pytest.approx(section.thickness, rel=1e-4)
    assert point[at].real == pytest.approx(section.place, rel=1e-4)
    assert tooth_root.load_at_tip(ring).arm > 0


def test_printed_table_of_root_factors():
    """Y_Fa and Y_Sa of Pu and Ji, table 10-5: read off charts, all within 1.2 %."""
    for teeth, printed in ROOT_TABLE.items():
        load = tooth_root.load_at_tip(Gear(teeth, 1e-3, ANGLE, fillet_radius=0.38))
        assert (load.form, load.correction) == pytest.approx(printed, rel=0.012), teeth


def test_open_program_to_its_digits():
    """s_Fn, ρ_F, h_Fa, Y_Fa and Y_Sa of din3990, example 1, whose θ was iterated to 1e-4."""
    expected = [
        (8.748743, 1.316148, 8.174658, 2.246336, 1.914726),
        (9.239505, 1.325999, 7.834246, 2.161657, 2.008782),
    ]
    pair = open_program()
    for gear, printed in zip((pair.first, pair.second), expected, strict=True):
        load = tooth_root.load_at_tip(gear)
        lengths = load.section.thickness, load.section.fillet, load.arm
        ours = *(1e3 * length for length in lengths), load.form, load.correction
        assert ours == pytest.approx(printed, rel=2e-4)


def test_contact_ratio_of_one_is_load_at_the_tip():
    """With ε_αn → 1 the outer point of single contact is the tip; more overlap lowers the force."""
    low = Gear(30, 2e-3, ANGLE, addendum=0.5)
    one = GearPair(low, Gear(30, 2e-3, ANGLE, addendum=0.45))
    assert tooth_root.normal_contact_ratio(one) < 1
    assert tooth_root.load_of_one_pair(low, one).form == tooth_root.load_at_tip(low).form
    tall = Gear(30, 2e-3, ANGLE)
    pair = GearPair(tall, tall)
    assert tooth_root.load_of_one_pair(tall, pair).arm < 0.8 * tooth_root.load_at_tip(tall).arm
    assert tooth_root.root_contact_ratio_factor(one) == 1.0


def test_rims_and_helices():
    """Y_B is one of solid gears and stiff rims, joins there within 1 %, and grows; Y_β falls to
    0.75."""
    gear, ring = Gear(40, 2e-3, ANGLE), Gear(90, 2e-3, ANGLE, internal=True)
    depth = gear.tip_radius - gear.root_radius
    assert tooth_root.rim_factor(gear, None) == tooth_root.rim_factor(gear, 1.3 * depth) == 1.0
    assert tooth_root.rim_factor(gear, 1.199 * depth) == pytest.approx(1.0, abs=0.01)
    assert tooth_root.rim_factor(gear, 0.6 * depth) > 2.0
    assert tooth_root.rim_factor(ring, 7e-3) == 1.0
    assert tooth_root.rim_factor(ring, 6.99e-3) == pytest.approx(1.0, abs=0.01)
    slanted = replace(gear, helix_angle=math.radians(30))
    assert tooth_root.helix_root_factor(GearPair(slanted, slanted, face_width=0.1)) == 0.75
    assert tooth_root.helix_root_factor(GearPair(gear, gear, face_width=0.1)) == 1.0
