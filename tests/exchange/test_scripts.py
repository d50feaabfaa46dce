"""Scripts for openTorsion and ROSS: what they hold, read without Flank, has Flank's frequencies.

The programs themselves run them in `validation/other_programs.py`; here their elements stand in,
written by their documentation.
"""

import math
import sys
import types

import numpy as np
import pytest
from scipy import linalg

import flank
from flank.errors import SpecError
from flank.exchange.export import export_model
from flank.exchange.train import torsional

RIGID = {"kind": "rigid"}
MACHINES = {
    "gear-pair": {f"{gear}.support": RIGID for gear in ("pinion", "wheel")},
    "spur-bruzzone": {},
    "planetary-500kw": {},
    "planetary-lin-parker": {
        f"{part}.support": RIGID for part in ("sun", "planets", "ring", "carrier")
    },
    "planetary-paper": {},
}
TABLES = ("gear-pair", "spur-bruzzone", "planetary-500kw")
"""Whose stiffness changes along the path, which adds to K what a train does not hold."""


class Shaft:
    def __init__(self, nl, nr, k, I, c):  # noqa: E741
        self.nl, self.nr, self.k = nl, nr, k

    def K(self):
        return self.k * np.array([[1.0, -1.0], [-1.0, 1.0]])


class Disk:
    def __init__(self, node, I, c, k):  # noqa: E741
        self.node, self.inertia, self.k = node, I, k


class ElasticGear:
    """The child's stiffness is in N·m/rad at its parent."""

    def __init__(self, node, I, R, k=None, c=None, parent=None):  # noqa: E741
        self.node, self.inertia, self.radius, self.k, self.parent = node, I, R, k, parent


class Assembly:
    def __init__(self, shafts, discs, elastic_gear_elements=()):
        count = len(discs)
        self.M, self.K = np.zeros((count, count)), np.zeros((count, count))
        for disc in discs:
            self.M[disc.node, disc.node] += disc.inertia
            self.K[disc.node, disc.node] += disc.k
        for shaft in shafts:
            assert shaft.nl < shaft.nr
            self.K[np.ix_((shaft.nl, shaft.nr), (shaft.nl, shaft.nr))] += shaft.K()
        for gear in elastic_gear_elements:
            self.M[gear.node, gear.node] += gear.inertia
            if gear.parent is not None:
                arms = np.array([1.0, gear.radius / gear.parent.radius])
                nodes = gear.parent.node, gear.node
                self.K[np.ix_(nodes, nodes)] += gear.k * np.outer(arms, arms)


@pytest.fixture
def opentorsion(monkeypatch):
    for name, contents in {
        "opentorsion": {},
        "opentorsion.assembly": {"Assembly": Assembly},
        "opentorsion.elements": {},
        "opentorsion.elements.disk_element": {"Disk": Disk},
        "opentorsion.elements.elastic_gear_element": {"ElasticGear": ElasticGear},
        "opentorsion.elements.shaft_element": {"Shaft": Shaft},
        "opentorsion.excitation": {"PeriodicExcitation": Excitation},
    }.items():
        module = types.ModuleType(name)
        vars(module).update(contents)
        monkeypatch.setitem(sys.modules, name, module)


class Excitation:
    def __init__(self, nodes, omegas):
        self.U = np.zeros((nodes, len(omegas)), complex)

    def add_sines(self, node, omegas, amplitudes, phases):
        self.U[node] += amplitudes * np.exp(1j * np.asarray(phases))


def run(path):
    names = {"__name__": "script"}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), names)
    return names


@pytest.mark.parametrize("name", MACHINES)
def test_a_script_for_opentorsion_has_the_frequencies_of_flank(name, opentorsion, tmp_path):
    machine = flank.preset(name, MACHINES[name])
    path, _ = export_model(machine, tmp_path / "train.py", "opentorsion", {})
    script = run(path)
    for case, held in (("free", ()), ("locked", (script["INPUT"],))):
        found = flank.run(machine, "natural-frequencies", input=case, count=60)
        turning = [
            frequency
            for frequency, motion in zip(
                found["frequency"].values, found["motion"].values, strict=True
            )
            if "turn" in str(motion) and frequency > 1e-2 * max(found["frequency"].values)
        ]
        ours = [f for f in script["frequencies"](held) if f > 1e-2 * max(turning)]
        assert ours == pytest.approx(turning, rel=7e-4 if name in TABLES else 1e-6)
        told = script["FLANK"]["input free" if case == "free" else "input held"]
        assert script["frequencies"](held) == pytest.approx(told, rel=1e-6, abs=0.05)


def test_meshes_excite_at_their_order_and_leave_the_whole_at_rest(opentorsion, tmp_path):
    machine = flank.preset("gear-pair", MACHINES["gear-pair"])
    path, _ = export_model(machine, tmp_path / "train.py", "opentorsion", {})
    script = run(path)
    assert script["MESH_ORDER"] == 25.0
    torques = script["mesh_excitation"](155.0).U
    arms = script["ARMS"]["mesh"]
    nodes = list(arms)
    assert torques[nodes[0]] / arms[nodes[0]] == pytest.approx(torques[nodes[1]] / arms[nodes[1]])
    error = np.array(script["TRANSMISSION_ERROR"]["mesh"])
    force = np.mean(script["STIFFNESS"]["mesh"]) * np.abs(np.fft.rfft(error)[1]) * 2 / len(error)
    assert abs(torques[nodes[0]][0]) == pytest.approx(force * arms[nodes[0]])


def test_tables_of_a_mesh_are_those_of_a_static_equilibrium():
    machine = flank.preset("spur-bruzzone")
    train = torsional(machine)
    mesh = train.meshes[0]
    force = machine.load_torque / machine.meshed.base_radii[1]
    wind_up = mesh.error - mesh.error.mean()
    assert np.ptp(wind_up) < 0.5 * abs(force) / mesh.cycle.min()
    assert mesh.cycle.max() / mesh.cycle.min() > 1.1
    assert train.mesh_order == machine.spec.pinion.teeth


def constants(path):
    """What stands in a script before its model, read without the program."""
    text = path.read_text(encoding="utf-8").replace("import ross\n", "")
    names = {}
    exec(text[: text.index("light = ross")], names)
    return names


def lateral_torsional(given):
    """Frequencies of two gears on isotropic bearings, their shafts' ends and the mesh, in Hz: x, y
    and θ of either gear, then θ of either end."""
    alpha = given["WORKING_ANGLE"]
    line = np.array([math.sin(alpha), math.cos(alpha)])
    mass, stiffness = np.zeros(8), np.zeros((8, 8))
    arms = np.zeros(8)
    for k, name in enumerate(("PINION", "WHEEL")):
        gear, bearing = given[name], given[f"{name}_BEARING"]
        shaft = given[("INPUT_SHAFT", "OUTPUT_SHAFT")[k]]
        at = slice(3 * k, 3 * k + 2)
        mass[at], mass[3 * k + 2], mass[6 + k] = gear["mass"], gear["inertia"], shaft["inertia"]
        stiffness[at, at] += bearing["stiffness"] * np.eye(2)
        ends = np.ix_((3 * k + 2, 6 + k), (3 * k + 2, 6 + k))
        stiffness[ends] += shaft["stiffness"] * np.array([[1.0, -1.0], [-1.0, 1.0]])
        arms[at], arms[3 * k + 2] = (1 - 2 * k) * line, gear["base_radius"]
    stiffness += given["MESH_STIFFNESS"] * np.outer(arms, arms)
    squares = linalg.eigh(stiffness, np.diag(mass), eigvals_only=True)
    return np.sqrt(np.maximum(squares, 0.0)) / (2 * math.pi)


@pytest.mark.parametrize("changes", [{}, MACHINES["gear-pair"]])
def test_a_script_for_ross_holds_two_rotors_with_flanks_frequencies(changes, tmp_path):
    machine = flank.preset("gear-pair", changes)
    path, _ = export_model(machine, tmp_path / "rotors.py", "ross", {})
    given = constants(path)
    told = np.array(given["FLANK"])
    found = lateral_torsional(given)[: len(told)]
    assert found[1:] == pytest.approx(told[1:], rel=4e-4)
    compile(path.read_text(encoding="utf-8"), "rotors.py", "exec")


def test_a_script_for_ross_says_which_ross_it_needs(monkeypatch, tmp_path):
    older = types.ModuleType("ross")
    older.__version__, older.Material = "2.3.0", lambda *_, **__: None
    monkeypatch.setitem(sys.modules, "ross", older)
    path, _ = export_model(flank.preset("gear-pair"), tmp_path / "rotors.py", "ross", {})
    with pytest.raises(SystemExit, match=r"needs ROSS 3\.1.*here is ROSS 2\.3\.0"):
        run(path)


@pytest.mark.parametrize(
    ("name", "changes", "format", "said"),
    [
        ("cycloidal-drive", {}, "opentorsion", "no train of gears"),
        ("cv-joint", {}, "opentorsion", "no train of gears"),
        ("planetary-500kw", {}, "ross", "is no gear pair"),
        ("gear-pair", {"mesh.model": "rigid", "damping_ratio": None}, "ross", "a spring; set it"),
        ("gear-pair", {"operation.torque": 0}, "opentorsion", "carry nothing under|no equilibrium"),
        (
            "gear-pair",
            {"wheel.internal": True, "pinion.profile_shift": 0, "wheel.profile_shift": 0,
             "centre_distance": None, "wheel.body": None, "wheel.tip_relief": None},
            "ross",
            "the wheel of this pair is internal",
        ),
    ],
)  # fmt: skip
def test_machines_that_a_program_cannot_hold_are_refused(name, changes, format, said, tmp_path):
    with pytest.raises(SpecError, match=said):
        export_model(flank.preset(name, changes), tmp_path / "model.py", format, {})
    assert not list(tmp_path.iterdir())
