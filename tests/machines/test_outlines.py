"""Outlines of machines: whole, in the right frames, and where contacts are found."""

import math

import numpy as np
import pytest
from matplotlib.path import Path

import flank
from flank.geometry.curve import evaluate, period
from flank.machines.outlines import CHORD_ERROR, KINDS, circle, flank_points

MACHINES = (
    "cycloidal-drive",
    "monocrank",
    "single-disc",
    "rv-320",
    "few-teeth-38",
    "few-teeth-60",
    "gear-pair",
    "planetary-500kw",
    "cv-joint",
)


def from_polygon(points, polygon):
    """Distance (n,) of points from a closed polygon."""
    start, along = polygon, np.roll(polygon, -1, axis=0) - polygon
    to_point = points[:, None] - start
    square = np.maximum(np.sum(along**2, axis=1), 1e-30)
    share = np.clip(np.sum(to_point * along, axis=2) / square, 0.0, 1.0)
    return np.linalg.norm(to_point - share[..., None] * along, axis=2).min(axis=1)


@pytest.mark.parametrize("preset", MACHINES)
def test_every_machine_tells_its_outlines(preset):
    machine = flank.preset(preset)
    outlines = machine.outlines()
    pose = machine.ideal_pose(0.0)
    pose = pose.position if preset == "cv-joint" else pose
    axes = 3 if preset == "cv-joint" else 2
    assert outlines[0].kind != "hole"
    for before, one in zip([None, *outlines], outlines, strict=False):
        assert one.name
        assert one.kind in KINDS
        assert 0 <= one.body < len(pose)
        assert one.points.shape[1] == axes
        assert np.isfinite(one.points).all()
        assert len(one.points) >= (3 if one.closed else 1)
        if one.kind == "hole":
            assert one.name == before.name


@pytest.mark.parametrize("preset", ["cycloidal-drive", "rv-320", "few-teeth-60"])
def test_holes_lie_inside_their_discs(preset):
    outlines = flank.preset(preset).outlines()
    for disc in (1, 2):
        edge, *holes = [one for one in outlines if one.name == f"disc {disc}"]
        holes = [one for one in holes if one.kind == "hole"]
        assert len(holes) > 3
        for hole in holes:
            assert Path(edge.points).contains_points(hole.points).all()


@pytest.mark.parametrize(
    ("preset", "group"),
    [("cycloidal-drive", "pin"), ("cycloidal-drive", "roller"), ("rv-320", "pin")],
)
def test_contacts_lie_on_the_outlines_of_both_parts(preset, group):
    """Loaded contacts of the first disc, on its flank or holes and on their pins."""
    result = flank.run(flank.preset(preset), "load-distribution", crank_angle="77 deg")
    drawing, data = result.drawing, result.dataset
    points = np.column_stack([data[f"{group}_{axis}"].values[0] for axis in "xy"])
    loaded = np.isfinite(points[:, 0])
    assert loaded.sum() >= 3
    name = {"pin": "pin", "roller": "output roller"}[group]
    near = 3 * CHORD_ERROR + 20e-6  # polygons, and parts that press into each other
    for number in np.flatnonzero(loaded):
        pin = next(one for one in drawing.outlines if one.name == f"{name} {number + 1}")
        assert from_polygon(points[number, None], drawing.placed(pin))[0] < near
    disc = [drawing.placed(one) for one in drawing.in_layer("first disc") if one.name == "disc 1"]
    away = np.min([from_polygon(points[loaded], polygon) for polygon in disc], axis=0)
    assert away.max() < near


def test_rollers_without_a_body_stand_where_those_with_one_do():
    """A cage that is no body turns between crank and carrier as rolling has it."""
    placed = {}
    for elements in ("inside", "bodies"):
        machine = flank.preset("rv-320", {"turning_arm.elements": elements})
        result = flank.run(machine, "load-distribution", crank_angle="200 deg")
        drawing = result.drawing
        rollers = [one for one in drawing.outlines if one.kind == "roller"]
        placed[elements] = np.array([drawing.placed(one).mean(axis=0) for one in rollers])
    assert len(placed["inside"]) == 2 * 3 * flank.preset("rv-320").size.turning_arm.count
    assert np.abs(placed["inside"] - placed["bodies"]).max() < 150e-6  # clearance and slip


@pytest.mark.parametrize("radius", [1e-4, 2e-3, 0.1, 2.0])
def test_polygons_of_circles_are_as_fine_as_they_say(radius):
    points = circle(radius, (0.3, -0.2)) - (0.3, -0.2)
    assert np.allclose(np.hypot(*points.T), radius)
    middle = 0.5 * (points + np.roll(points, -1, axis=0))
    assert radius - np.hypot(*middle.T).min() <= CHORD_ERROR * (1 + 1e-9)
    assert len(points) <= max(24, 1 + math.pi / math.sqrt(2 * CHORD_ERROR / radius))


@pytest.mark.parametrize(("radius", "most"), [(0.0, 24), (1e-9, 24), (1e4, 1571)])
def test_circles_of_no_size_and_of_any_have_some_points(radius, most):
    points = circle(radius)
    assert len(points) == most
    assert np.allclose(np.hypot(*points.T), radius)


def test_points_left_out_of_a_flank_are_near_its_polygon():
    drive = flank.preset("cycloidal-drive")
    count = 500 * drive.lobes
    fine = evaluate(drive.flank(0), np.arange(count) * (period(drive.flank(0)) / count))[:, :2]
    polygon = flank_points(drive.flank(0), drive.lobes)
    assert len(polygon) < 60 * drive.lobes
    assert from_polygon(fine[: 3 * 500], polygon).max() < 3 * CHORD_ERROR


def test_a_ball_touches_its_track_section():
    """Half circles about the balls' centres, with the bottom of the track in their middle."""
    joint = flank.preset("cv-joint")
    sections = [one for one in joint.outlines() if one.kind == "track section"]
    assert len(sections) == 2 * joint.geometry.balls
    for race, word in enumerate(("outer", "inner")):
        own = [one for one in sections if one.name.startswith(word)]
        for one, origin, frame in zip(
            own, joint.geometry.origins, joint.geometry.frames(race), strict=True
        ):
            assert np.allclose(np.linalg.norm(one.points - origin, axis=1), joint.spec.ball_radius)
            bottom = one.points[len(one.points) // 2] - origin
            assert np.allclose(bottom, joint.spec.ball_radius * frame[0])
