"""The mesh model `curve`: k sampled from `table` gives its forces; files, steps, all machines."""

import numpy as np
import pytest

import flank
from flank.analyses.runs import solve_along_crank
from flank.dynamics.functions import constant, linear
from flank.errors import SpecError
from flank.machines.base import Drive
from flank.machines.mesh_forces import mesh_parts, net_forces
from flank.machines.meshes import stiffness_table

STEP_WIDTH = 2e-5
NEAR_STEP = 1e-4
"""m of roll length: farther from a step its spreading has no part in the mesh, nor in others."""


def static_meshes(machine, angles):
    assembly = machine.assemble(Drive.of_ends(linear(1.0), constant(machine.load_torque)))
    path = solve_along_crank(machine, assembly, angles)
    assert path.complete
    return net_forces(assembly, path), mesh_parts(assembly, path)


def sampled(meshed):
    """Of a table without tip edges, K/(1 + c K) with K the sum of pairs on the path, and its two
    steps: where a pair comes, the start of the path, and where one goes."""
    table, pitch = stiffness_table(meshed), meshed.pair.base_pitch
    start, end = table.rolls[0], table.rolls[-1]
    leaves = end - pitch * np.floor((end - start) / pitch)
    points = []
    for first, last in ((start, leaves), (leaves, start + pitch)):
        inside = np.linspace(first, last, 301)
        near = np.clip(inside, first + 1e-9, last - 1e-9)
        pairs = near[:, None] + pitch * np.arange(4)
        on_path = np.where(pairs <= end, np.interp(pairs, table.rolls, table.stiffness), 0.0)
        total = on_path.sum(axis=1)
        points += np.column_stack((inside, total / (1 + table.common * total))).tolist()
    return points, (start, leaves)


@pytest.fixture(scope="module")
def stage():
    mesh = {"model": "table", "tip_edge_contact": False}
    return flank.preset("planetary-500kw", {"sun_mesh": mesh, "ring_mesh": mesh})


@pytest.fixture(scope="module")
def curved(stage, tmp_path_factory):
    """The same by curves, that of the ring from a file."""
    points = sampled(stage.sun_pair(0))[0]
    path = tmp_path_factory.mktemp("curves") / "ring.csv"
    rows = [f"{1e3 * roll!r};{1e-6 * k!r}" for roll, k in sampled(stage.ring_pair(0))[0]]
    path.write_text("\n".join(["roll length [mm]; stiffness [N/um]", *rows]))
    curves = {"points": points}, {"file": str(path)}
    meshes = [{"model": "curve", "curve": curve | {"step_width": STEP_WIDTH}} for curve in curves]
    return flank.preset("planetary-500kw", {"sun_mesh": meshes[0], "ring_mesh": meshes[1]})


def test_k_sampled_from_a_table_gives_its_forces(stage, curved):
    angles = 2 * np.pi / 91 * np.arange(60) / 60
    (forces, parts), (by_curve, _) = (static_meshes(each, angles) for each in (stage, curved))
    off = np.abs(by_curve - forces).max(axis=1) / np.abs(forces).mean()
    steps = [sampled(each)[1] for each in (stage.sun_pair(0), stage.ring_pair(0))]
    pitch = stage.sun_pair(0).pair.base_pitch
    to_step = np.array(
        [
            np.min([np.abs(np.remainder(roll - s + pitch / 2, pitch) - pitch / 2) for s in of])
            for roll, of in zip(parts.roll.T.ravel(), np.repeat(steps, 3 * 60, axis=0), strict=True)
        ]
    )
    clear = (to_step.reshape(6, 60) > NEAR_STEP).all(axis=0)
    assert clear.sum() > 40
    assert np.ptp(forces) > 0.3 * np.abs(forces).mean()  # planets share by their stiffness
    assert off[clear].max() < 1e-3


def test_spread_steps_are_told(curved):
    told = [finding for finding in curved.findings() if finding.code == "step-spread"]
    assert len(told) == 2
    assert "steps 2 times" in told[0].message
    assert told[0].value == STEP_WIDTH


CURVE = {"points": [["26 mm", "4e9 N/m"], ["40 mm", "3e9 N/m"]]}


@pytest.mark.parametrize(
    ("preset", "mesh", "points"),
    [
        ("gear-pair", "mesh", [[0.0, 4e8], [4e-3, 3e8]]),
        ("planetary-500kw", "sun_mesh", [[0.026, 4e9], [0.04, 3e9]]),
        ("few-teeth-38", "mesh", [[0.0, 4e8], [4e-3, 3e8]]),
        ("rv-generic", "first_stage.mesh", [[0.0, 4e8], [2e-3, 3e8]]),
    ],
)
def test_every_machine_with_a_mesh_takes_a_curve(preset, mesh, points):
    curve = {"model": "curve", "curve": {"points": points}}
    gone = {"first_stage.stiffness": None} if "first" in mesh else {}
    rubbing = {"friction.teeth": 0.0} if "few" in preset else {}
    machine = flank.preset(preset, {mesh: curve} | gone | rubbing)
    assert not [finding for finding in machine.findings() if finding.severity == "error"]
    pairs = machine.tooth_pairs().values()
    meshed = next(each for each in pairs if each.form.model == "curve")
    assert min(points)[1] > meshed.mean_stiffness > max(points)[1]
    assert "curve" in {each.model for each in machine.assemble(Drive()).meshes}


@pytest.mark.parametrize(
    ("mesh", "sentence"),
    [
        ({"model": "curve"}, "curve is missing"),
        ({"model": "table", "curve": CURVE}, "curve does nothing with the model 'table'"),
        ({"model": "curve", "curve": {}}, "points or file: none is given"),
        ({"model": "curve", "curve": CURVE | {"file": "a.csv"}}, "points or file: both are given"),
        ({"model": "curve", "curve": CURVE, "slices": 3}, "slices do nothing with the curve of a"),
        ({"model": "contact", "damping_acts": "always"}, "damping_acts cannot be 'always'"),
        ({"damping_acts": "always"}, "sun_mesh.damping_acts does nothing without damping"),
    ],
)
def test_a_mesh_says_what_does_not_go_together(mesh, sentence):
    with pytest.raises(SpecError, match=sentence):
        flank.preset("planetary-500kw", {"sun_mesh": mesh})


def test_a_curve_that_is_none_is_refused_with_its_file_and_line(tmp_path):
    path = tmp_path / "k.csv"
    path.write_text("roll length [mm], stiffness [N/m]\n26, 4e9\n24, 3e9\n")
    curve = {"model": "curve", "curve": {"file": str(path)}}
    for mesh in ("sun_mesh", "ring_mesh"):
        sentence = rf"{mesh}\.curve: .*k\.csv: the roll lengths are not sorted: line 3"
        with pytest.raises(SpecError, match=sentence):
            flank.preset("planetary-500kw", {mesh: curve})


@pytest.mark.parametrize(
    ("preset", "mesh"),
    [("gear-pair", "mesh"), ("few-teeth-38", "mesh"), ("few-teeth-38", "first_stage.mesh")],
)
def test_damping_that_always_acts_needs_some(preset, mesh):
    changes = {f"{mesh}.damping_acts": "always", f"{mesh}.damping": 0.0, f"{mesh}.model": "table"}
    changes |= {"friction.teeth": 0.0} if "few" in preset else {"damping_ratio": None}
    with pytest.raises(SpecError, match=f"{mesh}.damping_acts does nothing without damping"):
        flank.preset(preset, changes)


def test_a_damping_ratio_is_damping():
    changes = {"mesh.damping_acts": "always", "damping_ratio": "5 percent", "mesh.damping": 0.0}
    assert flank.preset("spur-bruzzone", changes).spec.mesh.damping_acts == "always"
