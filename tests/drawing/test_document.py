"""The document of a drawing: what a browser reads is what the result holds."""

import functools
import json
import re

import numpy as np
import pytest

import flank
from flank.drawing import document_of, document_text, module, script, style
from flank.drawing.packing import STEPS, exact, numbers, stepped, unpacked

LARGEST_MODULE = 150_000
"""Bytes of script and style together."""


@functools.cache
def result_of(preset="monocrank", analysis="transmission-error", **settings):
    return flank.run(flank.preset(preset), analysis, **settings)


def test_arrays_come_back_as_they_were_packed():
    values = np.array([[0.1, -2.5], [np.nan, 7.0]])
    assert unpacked(exact(values)) == pytest.approx(values, rel=1e-7, nan_ok=True)
    assert unpacked(stepped(values)) == pytest.approx(values, abs=9.5 / STEPS, nan_ok=True)
    assert unpacked(numbers([1, 70_000])).tolist() == [1, 70_000]
    assert numbers([1, 2])["type"] == "uint16"
    assert unpacked(stepped([3.0, 3.0])).tolist() == [3.0, 3.0]


def test_the_mechanism_is_that_of_the_result():
    result = result_of()
    shown = document_of(result)["mechanism"]
    drawing, given = result.drawing, shown["outlines"]
    counts = unpacked(shown["polygons"]["count"])
    polygons = np.split(unpacked(shown["polygons"]["point"]), np.cumsum(counts)[:-1])
    for k, outline in enumerate(drawing.outlines):
        points = polygons[unpacked(given["polygon"])[k]] + unpacked(given["place"])[k]
        assert points == pytest.approx(outline.points, abs=1e-7)
        assert given["name"]["names"][given["name"]["of"][k]] == outline.name
    assert len(polygons) < len(drawing.outlines) / 2
    assert unpacked(shown["poses"]) == pytest.approx(drawing.poses, rel=1e-6, abs=1e-9)


def test_arrows_are_the_forces_that_the_result_tells():
    """Every pin's force in every frame, of the run's own record."""
    result = result_of()
    forces, drawing = result.drawing.forces, result.drawing
    pins = forces.groups.index("pins")
    told = result.data["pin_force"].values
    for frame in (0, 77, 179):
        entries = forces.of_frame(frame)
        contacts = forces.contact[entries]
        ours = forces.group[contacts] == pins
        numbers_there = forces.number[contacts][ours] - 1
        expected = told[drawing.record[frame], 0, numbers_there]
        assert forces.size[entries][ours] == pytest.approx(expected, rel=1e-12)
    assert forces.size.max() == pytest.approx(
        max(result["largest_pin_force"], result["largest_roller_force"]), rel=0.02
    )


def test_forces_on_a_disc_balance_what_drives_it():
    """The torque of all arrows about the centre is the load: pins and rollers hold a disc between
    housing and output, and the arrows of the rollers alone carry the output's torque."""
    result = result_of("cycloidal-drive", "load-distribution")
    forces = result.drawing.forces
    rollers = forces.group[forces.contact] == forces.groups.index("output rollers")
    arm, force = forces.point[rollers], forces.force[rollers]
    torque = np.sum(arm[:, 0] * force[:, 1] - arm[:, 1] * force[:, 0])
    assert abs(torque) == pytest.approx(abs(result["torque"]), rel=0.03)
    total = forces.force[~rollers].sum(axis=0)
    assert np.linalg.norm(total) < forces.size.sum()


@pytest.mark.parametrize(
    ("preset", "model", "near"),
    [("bevel-pair", "spring", 1e-3), ("beveloid-pair", "spring", 1e-3), ("bevel-pair", None, 0.04)],
)
def test_the_arrow_of_a_pair_in_space_turns_its_wheel_with_the_output_torque(preset, model, near):
    """About the wheel's axis, as placed; where flanks are made out, they touch beside their middle,
    where the arrow stands (2.8 % of the lever)."""
    machine = flank.preset(preset, {"mesh.model": model} if model else {})
    result = flank.run(machine, "load-distribution")
    drawing = result.drawing
    wheel = next(each for each in drawing.outlines if each.name.startswith("wheel")).body
    axis = drawing.rotations[0, wheel][:, 2]
    (point,), (force,) = drawing.forces.point, drawing.forces.force
    torque = np.cross(point - drawing.poses[0, wheel, :3], force) @ axis
    assert drawing.forces.groups == ("teeth",)
    assert point == pytest.approx(machine.contact.point, abs=1e-9)
    assert abs(torque) == pytest.approx(abs(result["torque"]), rel=near)


def test_frames_tell_where_they_are_on_their_curves():
    result = result_of()
    document = document_of(result)
    frames = document["mechanism"]["frames"]
    assert (frames["title"], frames["unit"]) == ("Input angle", "°")
    angle = np.degrees(result.data["crank_angle"].values)
    assert unpacked(frames["values"]) == pytest.approx(angle[result.drawing.record], abs=1e-4)
    curve = document["curves"][0]
    assert curve["x"]["along"] == frames["along"]
    error = result.data["transmission_error"].values * 180 / np.pi * 3600
    assert unpacked(curve["lines"][0]["values"]) == pytest.approx(error, rel=1e-6, abs=1e-6)
    assert unpacked(frames["places"]) == pytest.approx(result.drawing.record)


def test_modes_move_the_farthest_point_by_a_twentieth():
    result = result_of("planetary-lin-parker", "natural-frequencies")
    modes = document_of(result)["mechanism"]["modes"]
    frequencies = [float(re.search(r": ([\d.]+) Hz", mode["title"])[1]) for mode in modes]
    assert frequencies == sorted(frequencies)
    assert len(set(frequencies)) == len(frequencies)
    drawing = result.drawing
    size = max(np.ptp(np.vstack([drawing.placed(o) for o in drawing.outlines]), axis=0))
    for mode in modes:
        farthest = 0.0
        for outline in drawing.outlines:
            x, y, turn = unpacked(mode["motion"])[outline.body]
            arm = drawing.placed(outline) - drawing.poses[0, outline.body, :2]
            moved = np.column_stack((x - turn * arm[:, 1], y + turn * arm[:, 0]))
            farthest = max(farthest, np.linalg.norm(moved, axis=1).max())
        assert farthest == pytest.approx(0.05 * size, rel=1e-3)


def test_no_text_can_leave_the_element_of_the_document():
    text = document_text({"title": "</script><script>alert(1)</script>&<!--"})
    assert not re.search("[<>&]", text)
    assert json.loads(text)["title"].startswith("</script>")


def test_the_module_is_small_and_has_no_name_twice():
    assert len(script().encode()) + len(style().encode()) < LARGEST_MODULE
    names = re.findall(r"^(?:async )?(?:function|class|const|let) (\w+)", script(), re.MULTILINE)
    assert len(names) == len(set(names))
    foreign = re.compile(r"^import |\beval\b|new Function|\bfetch\(|XMLHttp", re.MULTILINE)
    for text in (script(), module()):
        assert not foreign.search(text)
    assert module().rstrip().endswith("export { mount };")
