"""What is read of loaded flanks adds up, and torques are held."""

import numpy as np
import pytest
from loaded_flanks import TOOTH_LENGTH, VIRTUAL, bevel_pair

from flank.contact.spatial.flank_sections import FlankLoading
from flank.contact.spatial.loaded_flanks import LoadedFlanks
from flank.elasticity.material import STEEL
from flank.elasticity.tooth_plate import ToothPlate

PLATES = tuple(ToothPlate(gear, STEEL, TOOTH_LENGTH) for gear in VIRTUAL)


def loaded(method="proportion", carrier=0, sections=20, plates=PLATES):
    loading = FlankLoading(
        bevel_pair(), (plates[0], plates[1]), (STEEL, STEEL), sections=sections, carrier=carrier
    )
    return LoadedFlanks(loading, method)


class ByTooth:
    """A gear whose teeth give way in shares, tooth by tooth."""

    def __init__(self, plate, shares):
        self.plate, self.shares, self.depth = plate, np.asarray(shares), plate.depth

    @property
    def period(self):
        return len(self.shares)

    def depth_at(self, u, v):
        return self.plate.depth_at(u, v)

    def influence(self, u, v, offset, tooth=0):
        moved, pushed = self.shares[(tooth + offset) % self.period], self.shares[tooth]
        return np.sqrt(moved * pushed) * self.plate.influence(u, v, offset)


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


@pytest.mark.parametrize("carrier", [0, 1])
def test_teeth_that_are_alike_given_one_by_one_are_teeth_that_are_alike(carrier):
    one_by_one = ByTooth(PLATES[0], np.ones(4)), ByTooth(PLATES[1], np.ones(6))
    first = loaded(carrier=carrier, sections=9)
    second = loaded(carrier=carrier, sections=9, plates=one_by_one)
    for angle in (0.1, 5.0):
        alike, told = (flanks.under(angle, 969.0) for flanks in (first, second))
        assert told.lag == pytest.approx(alike.lag, rel=1e-12)
        np.testing.assert_allclose(told.force, alike.force, atol=1e-9 * alike.force.max())


@pytest.mark.parametrize("carrier", [0, 1])
def test_a_wheel_with_softer_teeth_errs_once_a_soft_place(carrier):
    """Six soft places around 36 teeth: the lag at the same place of every pitch."""
    soft = 1 + 0.3 * np.cos(2 * np.pi / 6 * np.arange(6))
    plates = PLATES[0], ByTooth(PLATES[1], soft)
    flanks = loaded(carrier=carrier, sections=9, plates=plates)
    pitch, lags = 2 * np.pi / 12, [np.nan]
    for k in range(36):
        lags.append(flanks.under(0.1 + k * pitch, 969.0, lags[-1]).lag)
    waves = np.abs(np.fft.rfft(lags[1:])) / 36
    assert waves[6] > 0.005 * waves[0]
    assert np.delete(waves[1:], 5).max() < 0.1 * waves[6]
    # where it gives way most, it is the soft tooth that carries most
    tooth = np.argmax(lags[1:]) % 6
    load = flanks.under(0.1 + tooth * pitch, 969.0)
    heaviest = max(set(load.tooth), key=lambda number: load.force[load.tooth == number].sum())
    back = flanks.work.base[1]
    wheel_tooth = flanks.mesh.sense * heaviest - back if carrier == 0 else heaviest
    assert min(wheel_tooth % 6, -wheel_tooth % 6) <= 1


def test_the_tangent_knows_teeth_that_differ():
    soft = 1 + 0.3 * np.cos(2 * np.pi / 6 * np.arange(6))
    flanks = loaded(plates=(PLATES[0], ByTooth(PLATES[1], soft)))
    lag, step = flanks.under(1.3, 969.0).lag, 1e-7
    high, low = (flanks.at(1.3, lag + way).torque for way in (step, -step))
    assert flanks.at(1.3, lag).stiffness == pytest.approx((high - low) / (2 * step), rel=1e-5)
