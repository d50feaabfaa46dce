"""What is read of loaded flanks adds up, and torques are held."""

import numpy as np
import pytest
from loaded_flanks import TOOTH_LENGTH, VIRTUAL, bevel_pair

from flank.contact.spatial.flank_sections import FlankLoading
from flank.contact.spatial.loaded_flanks import LoadedFlanks
from flank.elasticity.material import STEEL
from flank.elasticity.tooth_plate import ToothPlate


def loaded(method="proportion", carrier=0, sections=20):
    plates = [ToothPlate(gear, STEEL, TOOTH_LENGTH) for gear in VIRTUAL]
    loading = FlankLoading(
        bevel_pair(), (plates[0], plates[1]), (STEEL, STEEL), sections=sections, carrier=carrier
    )
    return LoadedFlanks(loading, method)


@pytest.mark.parametrize("carrier", [0, 1])
def test_a_torque_is_held_and_passed_on_by_the_ratio(carrier):
    load = loaded(carrier=carrier).under(0.1, 969.0)
    assert load.torque == pytest.approx(969.0, rel=1e-9)
    assert load.torque / load.first_torque == pytest.approx(3.0, rel=3e-3)


def test_points_of_a_position_are_those_of_two_teeth_and_more():
    points = loaded().under(0.1, 969.0)
    bearing = points.force > 0
    assert len(set(points.tooth[bearing])) >= 2
    assert points.force.min() >= 0
    inside = points.edge_distance > 0.1e-3
    assert 0.3e9 < points.pressure[inside].max() < 3e9  # on edges it is more
    assert np.all(points.length[bearing] > 0.5e-3)
    np.testing.assert_allclose(points.edge_distance < 0, points.places[:, [0, 2]].max(axis=1) > 1)
    along = points.spread[inside] / np.sin(points.flank_angle[inside])
    thickness = (94.15e-3 - 68.33e-3) / 20  # of a section; lines of equal height cross it aslant
    assert np.all((along > thickness) & (along < 1.5 * thickness))


def test_deletion_shows_who_was_deleted():
    points = loaded("deletion").under(0.1, 969.0)
    assert np.nanmin(points.steps[0]) < 0
    last = points.steps[-1]
    np.testing.assert_allclose(last[points.force > 0], points.force[points.force > 0], rtol=1e-6)
    assert np.isnan(last[points.force == 0]).all()


def test_unknown_methods_are_refused():
    with pytest.raises(ValueError, match="there are proportion, deletion, proportion-printed"):
        loaded("guess")
