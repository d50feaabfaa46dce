"""Courses over time: files and functions as points, and smooth motion through points."""

import pickle

import numpy as np
import pytest

from flank.analyses.courses import smooth_motion, turning
from flank.analyses.rolling_run import RollingRunSettings
from flank.dynamics.packing import value_at
from flank.errors import SpecError

POINTS = [(0.0, 0.0), (1.0, 1.0), (2.0, 1.0), (3.0, 0.2), (3.5, 3.0)]


def test_smooth_motion_meets_its_points_and_overshoots_none():
    course = smooth_motion(POINTS, 10.0)
    assert [course.at(t) for t, _ in POINTS] == pytest.approx([y for _, y in POINTS])
    fine = np.linspace(0, 3.5, 3001)
    values = np.array([course.at(t) for t in fine])
    rates = np.diff(values) / np.diff(fine)
    assert (values.min(), values.max()) == pytest.approx((0.0, 3.0))
    assert (rates[fine[:-1] < 1] >= -1e-9).all()
    np.testing.assert_allclose(values[(fine > 1) & (fine < 2)], 1.0)
    assert np.abs(np.diff(rates)).max() < 0.05 * np.abs(rates).max()  # no jump of the speed


def test_a_wave_is_followed_as_it_is():
    time = np.linspace(0, 1, 257)
    course = smooth_motion(list(zip(time, np.sin(2 * np.pi * time), strict=True)), 1.0)
    fine = np.linspace(0, 1, 1001)
    values = [course.at(t) for t in fine]
    np.testing.assert_allclose(values, np.sin(2 * np.pi * fine), atol=2e-6)
    assert course.rate[0] == pytest.approx(2 * np.pi, rel=1e-3)


def test_pieces_of_a_course_are_the_course():
    course = smooth_motion(POINTS, 10.0)
    piece = course.between(0.7, 3.2)
    for t in (0.7, 1.3, 2.4, 3.2):
        assert value_at(piece, t - 0.7)[0] == pytest.approx(course.at(t), abs=1e-12)
    angle = turning([(0.0, 10.0), (2.0, 30.0)])
    assert angle.at(2.0) == pytest.approx(40.0)
    assert value_at(angle.between(1.0, 2.0), 1.0) == pytest.approx((40.0, 30.0))


def test_files_and_functions_become_points_and_stay_as_they_were_written(tmp_path):
    path = tmp_path / "run.csv"
    path.write_text("time [ms], torque [kNm], speed [rpm]\n0,1,60\n20,2,120\n")
    given = {
        "torque": {"file": str(path)},
        "speed": {"function": "rise", "from": "60 rpm", "to": "120 rpm", "duration": "20 ms"},
    }
    settings = RollingRunSettings.from_mapping(given)
    assert [(p.time, p.torque) for p in settings.torque] == [(0.0, 1000.0), (0.02, 2000.0)]
    assert settings.speed[64].speed == pytest.approx(3 * np.pi)
    written = settings.to_mapping()
    assert (written["torque"], written["speed"]) == (given["torque"], given["speed"])
    assert RollingRunSettings.from_mapping(written) == settings
    assert pickle.loads(pickle.dumps(settings)).to_mapping() == written


@pytest.mark.parametrize(
    ("torque", "sentence"),
    [
        ({"function": "rais"}, "'rais' is no function; did you mean 'rise'"),
        ({"function": "rise", "to": 1}, "'duration' is missing; the keys are function, from, to"),
        ({"function": "ramp", "to": 1, "duration": 1, "at": 2}, "'at' is unknown here"),
        ({"function": "ramp", "to": 1, "duration": 0}, "duration must be more than zero"),
        ({"function": "sine", "amplitude": "1 m", "frequency": 1, "duration": 1}, "is a length"),
        ({"function": "sine", "amplitude": 1, "frequency": 1e6, "duration": 1}, "500 at most"),
        ({"file": "nowhere.csv"}, "torque: nowhere.csv does not exist"),
        ({}, "Give 'file', or 'function'"),
    ],
)
def test_what_is_no_course_is_refused(torque, sentence):
    with pytest.raises(SpecError, match=sentence):
        RollingRunSettings.from_settings({"torque": torque}, "rolling-run")
