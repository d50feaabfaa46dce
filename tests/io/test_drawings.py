"""Drawings of results on disk: they come back, stay small, and may be missing."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from report_page import report_text

import flank
from flank.analyses.drawing import MOST_FRAMES
from flank.analyses.result import Result
from flank.io.results import read_result, result_bytes, write_result
from flank.plots import figures, why_no_drawing

RUNS = (
    ("monocrank", "load-distribution", {}),
    ("rv-320", "load-distribution", {}),
    ("few-teeth-38", "natural-frequencies", {}),
    ("planetary-500kw", "mesh-phasing", {}),
    ("planetary-500kw", "time-response", {"duration": "1 ms"}),
    ("cv-joint", "joint-turns", {"mode": "static", "points_per_turn": 24}),
)


@pytest.mark.parametrize(("preset", "analysis", "settings"), RUNS)
def test_a_drawing_comes_back_to_single_precision(tmp_path, preset, analysis, settings):
    result = flank.run(flank.preset(preset), analysis, **settings)
    write_result(result, tmp_path / "r.nc")
    first, again = result.drawing, read_result(tmp_path / "r.nc").drawing
    assert len(again.outlines) == len(first.outlines)
    for one, other in zip(first.outlines, again.outlines, strict=True):
        for field in ("name", "body", "kind", "closed", "layer", "revolved"):
            assert getattr(one, field) == getattr(other, field), field
        assert np.abs(one.points - other.points).max() < 1e-6 * np.abs(one.points).max() + 1e-9
    for field in ("bodies", "record", "time"):
        assert np.array_equal(getattr(first, field), getattr(again, field))
    assert np.abs(first.poses - again.poses).max() < 1e-6 * np.abs(first.poses).max()
    assert (first.forces is None) == (again.forces is None)
    if first.forces is not None:
        assert again.forces.layers == first.forces.layers
        assert np.array_equal(again.forces.count, first.forces.count)
        assert np.allclose(again.forces.force, first.forces.force, rtol=1e-6, atol=1e-3)
    assert set(figures(replace(result, drawn=again))) == set(figures(result))


def test_a_drawing_takes_little_of_a_file():
    """Pins and rollers of one shape are kept once."""
    result = flank.run(flank.preset("rv-320"), "load-distribution")
    added = len(result_bytes(result)) - len(result_bytes(replace(result, drawn=None)))
    assert added < 80_000
    numbers = sum(one.points.size for one in result.drawing.outlines)
    assert added < 0.8 * 4 * numbers


def test_of_many_poses_some_are_kept_with_their_times():
    result = flank.run(flank.preset("monocrank"), points_per_turn=720)
    drawing, records = result.drawing, result.dataset.sizes["crank_angle"]
    assert records == 720
    assert drawing.poses.shape[:2] == (MOST_FRAMES, len(drawing.bodies))
    assert drawing.record[0] == 0
    assert drawing.record[-1] == records - 1
    assert set(np.diff(drawing.record)) <= {4, 5}
    turned = drawing.poses[:, list(drawing.bodies).index(1), 2]
    angle = result.dataset["crank_angle"].values[drawing.record]
    assert np.allclose(turned - turned[0], angle - angle[0], atol=1e-6)


@pytest.mark.parametrize(("preset", "analysis", "settings"), RUNS)
def test_a_result_without_a_drawing_shows_all_else_and_says_why(
    tmp_path, preset, analysis, settings
):
    result = flank.run(flank.preset(preset), analysis, **settings)
    write_result(replace(result, drawn=None), tmp_path / "r.nc")
    old = read_result(tmp_path / "r.nc")
    assert old.drawing is None
    left_out = set(figures(result)) - set(figures(old))
    modes = {"mode-motions"} if analysis == "natural-frequencies" else set()
    assert left_out == {"joint" if preset == "cv-joint" else "drive"} | modes
    page = report_text(old, figures(old))
    assert "There is no drawing of the machine" in why_no_drawing(old)
    assert "There is no drawing of the machine" in page
    assert "There is no drawing" not in report_text(result, figures(result))


def test_a_result_is_drawn_whatever_became_of_its_spec(tmp_path):
    """Nothing of the machine is built anew."""
    result = flank.run(flank.preset("monocrank"), "load-distribution")
    moved = result.dataset.assign_attrs(spec='{"machine": "of another time"}')
    write_result(Result.from_xarray(moved, result.drawn), tmp_path / "r.nc")
    again = read_result(tmp_path / "r.nc")
    assert figures(again)["drive"].png()[:4] == b"\x89PNG"


def test_outlines_are_made_where_they_are_looked_at_and_once(monkeypatch):
    machine = flank.preset("monocrank")
    made, outlines = [], type(machine).outlines
    monkeypatch.setattr(type(machine), "outlines", lambda self: made.append(1) or outlines(self))
    result = flank.run(machine, "load-distribution")
    assert not made
    again = pickle.loads(pickle.dumps(result))
    assert len(again.drawing.outlines) == len(result.drawing.outlines)
    assert result.drawing is result.drawing
    assert len(made) == 2
