"""Pictures of joints: what they show, of whole and of incomplete results."""

import functools
import struct

import numpy as np
import pytest

import flank
from flank.analyses.result import Result
from flank.io.results import read_result, write_result
from flank.plots import PICTURES, figures
from flank.plots.force_arrows import track_arrows

STATIC = {"mode": "static", "points_per_turn": 24}


@functools.cache
def turns(mode, plunge="held"):
    joint = flank.preset("cv-joint", {"operation.plunge.kind": plunge})
    if mode == "static":
        return flank.run(joint, **STATIC)
    return flank.run(joint, points_per_turn=24, most_turns=2)


@functools.cache
def mapped(torques, angles, frictions):
    joint = flank.preset("cv-joint", {"contact.friction": None})
    chosen = {"torques": torques, "angles": angles, "frictions": frictions}
    return flank.run(joint, "joint-map", points_per_turn=16, most_turns=2, **chosen)


def texts(picture):
    found = []
    for axes in picture.axes:
        found += [axes.get_xlabel(), axes.get_ylabel(), axes.get_title(loc="left")]
    return "\n".join(found)


def check(pictures, names):
    assert list(pictures) == list(names)
    for picture in pictures.values():
        assert picture.caption.endswith(".")
        width, height = struct.unpack(">II", picture.png()[16:24])
        assert 600 < width < 1400
        assert 300 < height < 900
        assert len(picture.png()) < 400_000


def test_turns_in_time_have_all_pictures():
    pictures = figures(turns("dynamic"))
    check(pictures, PICTURES["joint-turns"].names)
    assert "Angle of the outer race (°)" in texts(pictures["track-forces"])
    assert "Velocity (mm/s)" in texts(pictures["ball-motion"])
    assert "Cardan angles (°)" in texts(pictures["ball-motion"])
    assert "Secondary torque (N·m)" in texts(pictures["secondary-torque"])
    assert len(pictures["axial-orders"].axes) == 2


def test_a_free_race_has_its_motion_drawn():
    pictures = figures(turns("dynamic", "free"))
    assert "Place (µm)" in texts(pictures["axial-orders"])
    assert len(pictures["axial-orders"].axes) == 4


def test_equilibria_have_pictures_without_motion():
    moving = ("ball-motion", "rolling-and-sliding", "friction", "losses")
    names = [name for name in PICTURES["joint-turns"].names if name not in moving]
    check(figures(turns("static")), names)


def test_an_incomplete_turn_is_drawn_as_far_as_it_goes():
    data, drawing = turns("dynamic").dataset, turns("dynamic").drawing
    scalars = [name for name, variable in data.data_vars.items() if variable.ndim == 0]
    part = data.drop_vars(scalars).drop_dims(["order", "energy", "named_order"])
    part = part.isel(angle=slice(0, 5)).assign_attrs(complete=0, outcome="It stopped.")
    expected = {name for name in PICTURES["joint-turns"].names} - {"axial-orders", "losses"}
    assert set(figures(Result.from_xarray(part, drawing))) == expected
    assert figures(Result.from_xarray(part.isel(angle=slice(0, 1)), drawing)) == {}


def test_arrows_of_the_tracks_balance_the_torque():
    """Without friction their torque about the outer race's axis is what the joint transmits."""
    result = turns("static")
    joint = flank.preset("cv-joint")
    arrows = track_arrows(result, result.drawing, "outer")
    along = arrows.tip - arrows.tail
    longest = 0.5 * joint.spec.pitch_radius
    scale = float(result["track_force"].values[0].max()) / longest
    tip = arrows.tip
    moment = scale * (tip[:, 0] * along[:, 1] - tip[:, 1] * along[:, 0]).sum()
    assert moment == pytest.approx(2000, rel=0.01)


def test_a_run_shows_what_the_joint_is_put_through_and_what_comes_of_it():
    result = flank.run(flank.preset("cv-joint"), "joint-run", duration="10 ms", points=20)
    pictures = figures(result)
    check(pictures, PICTURES["joint-run"].names)
    assert "Deflection (°)" in texts(pictures["joint-run"])
    assert "Secondary (N·m)" in texts(pictures["joint-run-forces"])
    held = pictures["joint-run"].axes[-1].get_lines()[0].get_ydata()
    assert not held.any()  # a race that is held is shown without its round-off
    for axes in pictures["joint-run-forces"].axes:
        if (legend := axes.get_legend()) is not None:
            renderer = pictures["joint-run-forces"].canvas.get_renderer()
            assert legend.get_window_extent(renderer).y0 >= axes.bbox.y1 - 10.0
    part = Result.from_xarray(result.dataset.isel(time=slice(0, 1)), result.drawing)
    assert "joint-run" not in figures(part)


def test_friction_is_drawn_over_the_sliding_speed():
    picture = figures(turns("dynamic"))["friction"]
    above, below = picture.axes
    _, coefficients = above.get_lines()[0].get_data()
    assert coefficients.max() == pytest.approx(0.0492, abs=1e-4)  # below the static 0.05
    assert coefficients[-1] == pytest.approx(0.03, rel=1e-3)
    assert below.get_xscale() == "log"
    assert sum(bar.get_height() for bar in below.patches) == pytest.approx(100)


@pytest.mark.parametrize(
    ("torques", "angles", "frictions", "pictures"),
    [
        ((500, 2000), ("1 deg", "2 deg"), (0,), ["joint-map"]),
        ((500, 2000), ("1 deg",), (0,), ["joint-map"]),
        ((500,), ("1 deg",), (0,), ["joint-map"]),
        ((500,), ("1 deg", "2 deg"), (0, 0.01), ["joint-map"]),
        ((500, 600), ("1 deg", "30 deg"), (0, 0.01), ["joint-map", "joint-map-last"]),
    ],
)
def test_maps_over_one_two_or_three_things(torques, angles, frictions, pictures):
    found = figures(mapped(torques, angles, frictions))
    check(found, [*pictures, "joint"])
    assert "Largest Hertz pressure (MPa)" in texts(found["joint-map"])
    crosses = "Crosses are points that failed." in found["joint-map"].caption
    assert crosses == ("30 deg" in angles)


def test_a_map_without_values_has_no_pictures():
    assert figures(mapped((500,), ("30 deg",), (0,))) == {}


@pytest.mark.parametrize(
    "made", [lambda: turns("dynamic"), lambda: mapped((500,), ("1 deg",), (0,))]
)
def test_results_of_joints_come_back_equal(tmp_path, made):
    result = made()
    write_result(result, tmp_path / "r.nc")
    again = read_result(tmp_path / "r.nc")
    assert again.dataset.identical(result.dataset)
    assert flank.summary(again) == flank.summary(result)


def test_a_report_of_a_joint_is_written(tmp_path):
    folder = flank.save(turns("dynamic"), tmp_path / "out")
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "Energy over the turns" in page
    assert page.count("<figure") == len(PICTURES["joint-turns"].names)
    assert np.isfinite(flank.read(folder)["efficiency"])
