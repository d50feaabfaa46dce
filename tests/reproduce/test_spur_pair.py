"""The paper's pair on a small gear: its rows, its static answer, and its hand-over."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.linalg import spsolve

from flank.elasticity.finite_elements.reduction import reduce_body
from flank.elasticity.finite_elements.sector_mesh import GearBody, MeshDensity
from flank.errors import SpecError
from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair
from flank.reproduce.spur.finite_gear import MATERIAL, contact_nodes, craig_bampton, whole_gear
from flank.reproduce.spur.paper_pair import PAIR, contacts, rolling_body, teeth_in_mesh
from flank.reproduce.spur.witness import Damping, RollingPair, roll

GEAR = Gear(22, 5e-3, math.radians(20))
SMALL = GearPair(GEAR, GEAR, face_width=10e-3)
DENSITY = MeshDensity(tooth=2, flank=3, space=1, layers=2, growth=0.8, element="hexahedron-8")
POSITIONS, SPRING, TORQUE = 9, 4e8, 40.0


@pytest.fixture(scope="module")
def whole():
    return whole_gear(GEAR, GearBody(10e-3, 25e-3), MATERIAL, DENSITY, added_inertia=1e-4)


@pytest.fixture(scope="module")
def gears(whole):
    """Reduced on all nodes of the flanks, of which static answers are exact."""
    pieces = []
    for way in (1, -1):
        nodes = contact_nodes(whole, teeth_in_mesh(SMALL, way))
        reduction = craig_bampton(whole, nodes, 12)
        pieces.append((whole, reduction, rolling_body(whole, reduction, way)))
    return tuple(pieces)


@pytest.fixture(scope="module")
def pair(gears):
    springs = contacts(SMALL, gears, SPRING, POSITIONS, strips=2)
    return RollingPair(gears[0][2], gears[1][2], springs, TORQUE, Damping(2e-6, 50.0))


def test_teeth_in_mesh_go_ahead_of_the_one_that_comes():
    assert teeth_in_mesh(PAIR, 1) == (0, 1)
    assert teeth_in_mesh(PAIR, -1) == (0, -1)
    assert PAIR.contact_ratio == pytest.approx(1.75467, abs=1e-4)
    assert PAIR.normal_backlash == pytest.approx(0.125e-3, rel=1e-4)


def test_all_rows_have_the_arm_of_the_base_circle(pair):
    assert pair.contacts.rows.shape[:2] == (POSITIONS, 4)
    for z in range(POSITIONS):
        arms = pair.contacts.rows[z] @ pair.rotations(z)
        np.testing.assert_allclose(arms, GEAR.base_radius, rtol=1e-9)
    present = pair.contacts.stiffness[0, :, ::2] > 0
    share = present.sum() / POSITIONS
    assert share == pytest.approx(SMALL.contact_ratio, abs=1.5 / POSITIONS)


def test_rest_is_that_of_both_full_gears(whole, pair):
    """Springs between two full gears, one held at its bore, the other turned by the torque."""
    start = SMALL.path[0]
    for z in (0, 7):
        sides = []
        for way, along in ((1, lambda roll: roll), (-1, lambda roll: SMALL.action_length - roll)):
            rolls = start + SMALL.base_pitch * (np.arange(2) + z / POSITIONS)
            rows = [
                whole.approach(way * k, along(np.minimum(rolls[[k]], SMALL.path[1])), 2)
                for k in (0, 1)
            ]
            sides.append(sparse.vstack(rows))
        rows = sparse.hstack(sides).tocsr()
        springs = pair.contacts.stiffness[0, z]
        both = sparse.block_diag((whole.stiffness, whole.stiffness))
        both = (both + rows.T @ sparse.diags(springs) @ rows).tocsc()
        size = len(whole.rotation)
        free = np.setdiff1d(np.arange(2 * size), [2 * size - 1])
        force = np.zeros(2 * size)
        force[size - 1] = TORQUE
        motion = np.zeros(2 * size)
        motion[free] = spsolve(both[free][:, free], force[free])
        error = GEAR.base_radius * motion[size - 1]
        state = pair.at_rest(z)
        assert pair.transmission @ state.displacement == pytest.approx(error, rel=1e-4)
        assert state.force.sum() == pytest.approx(TORQUE / GEAR.base_radius, rel=1e-9)


def test_hand_over_leaves_the_loaded_gears_as_they_are(gears, pair):
    """At the end of the cycle only the tooth that came first is loaded; the next one becomes it."""
    state = pair.at_rest(POSITIONS - 1)
    after = pair.turned(state)
    row = pair.transmission
    assert row @ after.displacement == pytest.approx(row @ state.displacement, rel=1e-9)
    np.testing.assert_array_equal(after.connected, (False, False, True, True))
    whole, reduction, body = gears[0]
    q = body.rotated(-(POSITIONS - 1) / POSITIONS) @ state.displacement[: body.size]
    kept = whole.sorting(1) @ (reduction.basis @ q)
    lack = kept - reduction.basis @ (body.hand_over @ q)
    assert abs(lack).max() < 1e-6 * abs(kept).max()


def test_rolling_slowly_goes_from_rest_to_rest(pair):
    """Overdamped, each cycle is like the one before, and static where no tooth has come lately."""
    damped = replace(pair, damping=Damping(5e-6, 1e5))
    slow = roll(damped, np.full(4 * POSITIONS, 1e-4))
    before, found = slow.transmission_error.reshape(4, POSITIONS)[-2:]
    np.testing.assert_allclose(found, before, rtol=0.01)
    for z in (3, 4):
        static = damped.transmission @ damped.at_rest(z).displacement
        assert found[z] == pytest.approx(static, rel=0.03)
    assert slow.forces.min() >= 0


def test_a_rolling_gear_keeps_its_angle_first(whole):
    nodes = contact_nodes(whole, (0, 1))
    masters = (3 * nodes[:, None] + np.arange(3)).ravel()
    reduction = reduce_body(whole.mass, whole.stiffness, masters)
    with pytest.raises(SpecError, match="keeps the angle of its centre node, first"):
        rolling_body(whole, reduction, 1)
