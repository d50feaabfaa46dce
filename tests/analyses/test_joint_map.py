"""Maps of a ball joint: points as single runs make them, ranges, and points that fail."""

import math

import numpy as np
import pytest
from joint_paths import joint

import flank
from flank.errors import SpecError

STATIC = {"mode": "static", "points_per_turn": 16}


@pytest.fixture(scope="module")
def static_map():
    angles = ["1 deg", "2 deg", "30 deg"]
    return flank.run(joint(), "joint-map", torques=["500 N*m", 2000], angles=angles, **STATIC)


def test_a_point_is_what_a_single_run_finds(static_map):
    machine = joint({"operation.torque": 500, "operation.deflection": "2 deg"})
    single = flank.run(machine, **STATIC)
    point = static_map.dataset.sel(torque=500).isel(angle=1, friction=0)
    for name in ("mean_track_force", "peak_pressure", "secondary_torque_inner"):
        assert float(point[name]) == pytest.approx(single[name], rel=1e-9), name


def test_points_are_listed_in_a_table(static_map):
    (columns,) = static_map.tables.values()
    assert columns[:3] == ["point_torque", "point_angle", "point_friction"]
    listed = static_map["point_mean_track_force"].values
    np.testing.assert_array_equal(listed, static_map["mean_track_force"].values.ravel())


def test_a_point_that_cannot_be_built_stays_open_and_says_why(static_map):
    """At 30 deg balls hit the ends of their windows."""
    assert not static_map.complete
    assert static_map.outcome.startswith("2 of 6 points failed, the first so: operation.defl")
    broken = static_map.dataset.isel(angle=2)
    assert np.isnan(broken["mean_track_force"]).all()
    assert "windows" in str(broken["outcome"].values[0, 0])
    assert np.isfinite(static_map["mean_track_force"].values[:, :2]).all()
    assert str(static_map["outcome"].values[0, 0, 0]) == "Completed."


def test_frictions_of_a_map_are_those_of_its_points():
    """Friction takes energy and raises the secondary torque of the driven side."""
    result = flank.run(
        joint(), "joint-map", torques="2000 N*m", angles="2 deg", frictions=[0, 0.03],
        points_per_turn=24,
    )  # fmt: skip
    assert result.complete, result.outcome
    loss = result["loss"].values.ravel()
    assert 0 <= loss[0] < 1e-3 * loss[1]
    ideal = 2000 * math.tan(math.radians(1))
    secondary = result["secondary_torque_inner"].values.ravel()
    assert secondary[0] == pytest.approx(ideal, rel=5e-3)
    assert secondary[1] > 1.5 * ideal
    assert (np.abs(result["energy_remainder"].values) < 0.005).all()


def test_static_friction_keeps_its_ratio():
    rough = joint().at(1000.0, 0.02, 0.06).spec
    assert rough.operation.torque == 1000.0
    assert rough.contact.friction.static == pytest.approx(0.1)
    assert rough.contact.friction.stick_velocity == joint().spec.contact.friction.stick_velocity
    smooth = joint().at(1000.0, 0.02, 0.0)
    assert smooth.friction == 0
    assert smooth.contacts.friction is None


def test_ranges_and_defaults():
    result = flank.run(
        joint(), "joint-map", torques={"from": "500 N*m", "to": "2 kN*m", "points": 4}, **STATIC
    )
    np.testing.assert_allclose(result["torque"], [500, 1000, 1500, 2000])
    np.testing.assert_allclose(np.degrees(result["angle"]), [0.5, 1, 1.5, 2])
    np.testing.assert_allclose(result["friction"], [0.0])


def test_any_number_of_the_spec_may_vary():
    """A wider contact angle carries the torque with less force; a point is what its spec gives."""
    over = {"tracks.contact_angle": ["40 deg", "45 deg"], "balls.count": [6, 8]}
    result = flank.run(joint(), "joint-map", torques=2000, angles="2 deg", over=over, **STATIC)
    force = result["mean_track_force"]
    assert force.dims[3:] == ("tracks_contact_angle", "balls_count")
    np.testing.assert_allclose(np.degrees(result["tracks_contact_angle"]), [40, 45])
    assert (force.values[0, 0, 0, 0] > force.values[0, 0, 0, 1]).all()
    changed = joint({"tracks.contact_angle": "40 deg", "balls.count": 6})
    single = flank.run(changed, **STATIC)
    assert force.values[0, 0, 0, 0, 0] == pytest.approx(single["mean_track_force"], rel=1e-9)
    assert str(result["point_varied"].values[0]) == "40 deg, 6"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"over": {"tracks.contact_angel": [1]}}, "did you mean 'tracks.contact_angle'"),
        ({"over": {"tracks.section": ["elliptical"]}}, "tracks.section is no number of the spec"),
        ({"over": {"operation.torque": [1]}}, "use 'torques'"),
        ({"over": {"pitch_circle_diameter": ["3 deg"]}}, "'3 deg' is an angle; a length is needed"),
        ({"over": {"balls.count": [7.5]}}, "7.5 is given; a whole number"),
        ({"torques": {"from": 1, "to": 2}}, "it has from, to and points"),
        ({"torques": {"from": 1, "to": "2 mm", "points": 3}}, "torques"),
        ({"angles": {"from": 0, "to": 1, "points": 1}}, "a whole number from 2 to 1000"),
        ({"angles": ["1 N"]}, "angles"),
        ({"angles": [2, 4]}, "2 is given, which is 114.592 deg; it must be at most 60 deg"),
        ({"torques": []}, "torques: nothing is given; give one value or more, or leave it out"),
        ({"frictions": [-0.1]}, "frictions"),
        ({"mode": "static", "frictions": [0.1]}, "frictions does nothing in static mode"),
        (
            {
                "torques": {"from": 1, "to": 2, "points": 200},
                "angles": {"from": 0, "to": 1, "points": 200},
            },
            "make 40000 points",
        ),
    ],
)
def test_wrong_settings_are_refused(options, sentence):
    with pytest.raises(SpecError, match=sentence):
        flank.run(joint(), "joint-map", **options)


def test_progress_is_told_to_its_end():
    shares = []
    flank.run(
        joint(), "joint-map", progress=shares.append, torques=[500, 2000], angles="1 deg", **STATIC
    )
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
