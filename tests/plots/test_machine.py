"""The drawing of a machine, and that pictures know no machine."""

import ast
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import flank
import flank.plots
from flank.analyses import load_distribution
from flank.analyses.drawing import Drawing
from flank.machines.outlines import KINDS, Outline
from flank.plots import figures, why_no_drawing
from flank.plots.machine import FILLED, LINES, MARKS, machine_picture
from flank.plots.style import styled

PLOTS = Path(flank.plots.__file__).parent
MACHINES = ("cycloidal", "crank_reducer", "rv", "few_teeth", "gear_pair", "planetary")


@pytest.mark.parametrize("folder", ["plots", "report"])
def test_pictures_and_reports_import_no_machine(folder):
    for file in (PLOTS.parent / folder).glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [node.module] if isinstance(node, ast.ImportFrom) else []
            names += [one.name for one in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                machine = str(name).startswith("flank.machines")
                general = name in ("flank.machines.outlines", "flank.machines.base")
                assert not machine or general, f"{file.name}: {name}"


def test_nothing_that_pictures_need_loads_a_machine():
    modules = ", ".join(f"flank.plots.{file.stem}" for file in PLOTS.glob("[!_]*.py"))
    code = f"import sys, {modules}; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "flank.plots.machine" in loaded
    forbidden = {f"flank.machines.{name}" for name in MACHINES}
    forbidden |= {"flank.machines.registry", "flank.machines.cv_joint.joint"}
    assert not forbidden & set(loaded)


def test_every_kind_has_a_look_or_is_for_forces():
    drawn = {*FILLED, *LINES, *MARKS, "hole"}
    assert set(KINDS) - drawn == {"line of action", "track section"}


def square(half, kind, **more):
    corners = half * np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])
    return Outline(kind, 0, corners, kind, **more)


def plain(*outlines, pose=(0.0, 0.0, 0.0)):
    one = np.zeros(1)
    return Drawing(outlines, np.zeros(1, int), np.zeros(1, int), one, np.array([[pose]]))


def painted(drawing):
    """Whether points of the machine are filled, looked up in the paths of a picture."""
    result = flank.run(flank.preset("planetary-500kw"), "mesh-phasing")
    with styled():
        axes = machine_picture(result, drawing).axes[0]
    return axes, [path for one in axes.collections for path in one.get_paths()]


@pytest.mark.parametrize("direction", [1, -1])
def test_holes_stay_empty_whichever_way_outlines_run(direction):
    parts = [square(0.02, "body"), square(0.01, "hole")]
    parts = [replace(one, points=one.points[::direction]) for one in parts]
    _, (path,) = painted(plain(*parts))
    areas = []
    for corners in (path.vertices[:4], path.vertices[-5:-1]):
        (x, y), (after_x, after_y) = corners.T, np.roll(corners, -1, axis=0).T
        areas.append(np.sum(x * after_y - y * after_x))
    assert areas[0] > 0 > areas[1]


def test_a_part_is_drawn_where_its_body_stands():
    axes, (path,) = painted(plain(square(0.01, "pin"), pose=(0.03, -0.02, np.pi / 4)))
    corner = 1e3 * np.array([0.03, -0.02 + 0.01 * np.sqrt(2)])
    assert np.linalg.norm(path.vertices - corner, axis=1).min() < 1e-9
    assert axes.get_xlim()[1] > 30 + 14.1


def test_a_machine_of_marks_alone_has_room_for_them():
    mark = Outline("machine", 0, np.zeros((1, 2)), "axis", closed=False)
    axes, _ = painted(plain(mark))
    assert axes.get_xlim()[1] > 0
    away = replace(mark, points=np.array([[0.04, 0.01]]))
    axes, _ = painted(plain(mark, away))
    assert axes.get_xlim()[1] > 40


def test_a_drawing_of_kinds_of_a_later_version_alone_has_no_picture():
    result = flank.run(flank.preset("planetary-500kw"), "mesh-phasing")
    later = replace(result, drawn=plain(square(0.05, "belt")))
    assert set(figures(later)) == {"mesh-phasing"}
    assert len(machine_picture(later, later.drawing).png()) > 0


def test_a_kind_of_a_later_version_is_left_out():
    _, paths = painted(plain(square(0.02, "body"), square(0.05, "belt")))
    assert len(paths) == 1


def test_layers_have_a_panel_each():
    layers = [square(0.02, "body", layer=name) for name in ("first disc", "second disc")]
    axes, _ = painted(plain(*layers, square(0.03, "pin")))
    panels = axes.figure.axes
    assert [one.get_title(loc="left") for one in panels] == ["First disc", "Second disc"]
    assert [len(one.collections) for one in panels] == [2, 2]


class Bare:
    """A machine that tells no outlines; all else is another's."""

    def __init__(self, machine):
        self.machine = machine

    def __getattr__(self, name):
        if name in ("outlines", "machine"):
            raise AttributeError(name)
        return getattr(self.machine, name)


def test_a_machine_without_outlines_is_not_drawn():
    result = load_distribution.run(Bare(flank.preset("monocrank")))
    assert result.complete
    assert result.drawing is None
    assert set(figures(result)) == {"contact-loads"}
    assert why_no_drawing(result).startswith("There is no drawing of the machine")
