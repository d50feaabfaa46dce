"""Machines whose gears vibrate: statics of the same mesh without modes, families of modes, planets
that feel each other through the rim, and what is refused."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import flank
from flank.analyses.natural_frequencies import modes_of
from flank.analyses.runs import assemble_locked, linearize_at
from flank.dynamics.run import solve_statics
from flank.elasticity.finite_elements.influence import FlankGrid, flank_influence
from flank.elasticity.finite_elements.sector_mesh import GearBody
from flank.elasticity.material import STEEL
from flank.errors import SpecError
from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair
from flank.machines.gear_spec import MeshSpec
from flank.machines.meshed_pair import MeshedPair, body_modes
from flank.machines.wheel_spec import FlexibleSpec

ELEMENTS = {"model": "fe", "slices": 1}
RING = {
    "ring.mass": None,
    "ring.inertia": None,
    "ring.support": None,
    "held": None,
    "ring.outer_radius": "125 mm",
    "ring_mesh": ELEMENTS,
    "planets.count": 4,
}
VIBRATING = {"ring.flexible": True, "ring.modes": 24, "ring.bedding": "2e9 N/m^3"}

pytestmark = pytest.mark.usefixtures("coarse_elements")


@cache
def spur_pair(flexible):
    wheels = {f"{name}.flexible": flexible for name in ("pinion", "wheel")}
    return flank.preset("spur-bruzzone", {"mesh": ELEMENTS} | wheels)


def gearbox(changes):
    return flank.preset("planetary-lin-parker", RING | changes)


def equilibrium(machine, angle=0.0):
    assembly = assemble_locked(machine, angle)
    path = solve_statics(assembly.model, machine.ideal_pose(angle), np.array([machine.load_torque]))
    assert path.complete
    return assembly, path


def test_a_pair_at_rest_stands_as_without_modes():
    """Approach along the line of action, within what the splines of both maps differ by."""
    for angle in np.linspace(0, 2 * np.pi / 50, 4):
        wheel = [equilibrium(spur_pair(f), angle)[1].last[2, 2] for f in (False, True)]
        backlash = spur_pair(False).meshed.pair.normal_backlash / 70.48e-3
        approach = abs(wheel[0] + angle) - 0.5 * backlash
        assert abs(wheel[1] - wheel[0]) < 3e-5 * abs(approach)


def test_every_analysis_sees_the_modes_of_a_pair():
    """The torsional frequency falls from where the mesh alone has it, and modes come with it."""
    stiff, flexible = (
        flank.run(spur_pair(f), "natural-frequencies", count=8) for f in (False, True)
    )
    assert len(stiff["frequency"].values) == 2
    lowest = [run["frequency"].values[1] for run in (stiff, flexible)]
    assert 0.8 < lowest[1] / lowest[0] < 1.1
    assert any("modes" in name for name in flexible["motion"].values)
    result = flank.run(spur_pair(True), "time-response", duration=5e-4, step=2e-6, points=50)
    assert result.complete


def test_the_mass_of_a_body_is_that_of_its_elements():
    machine = spur_pair(True)
    total = np.sum(assemble_locked(machine, 0.0).model.mass[1:3], axis=0)
    shares = sum(np.sum(modes.coupling**2, axis=0) for modes in machine.modes)
    masses = np.sum(machine.masses, axis=0)
    assert (total + shares)[[0, 2]] == pytest.approx(masses)
    assert masses[0] == pytest.approx(np.sum(spur_pair(False).masses, axis=0)[0], rel=0.02)


def test_modes_of_an_elastic_ring_join_the_families():
    """Wu and Parker: with four even planets rotational modes are single, translational come twice,
    planet modes N - 3 times; where n is a multiple of two, one of each pair of the ring is its
    alone, at the frequency that it has without meshes."""
    machine = gearbox(VIBRATING)
    result = flank.run(machine, "natural-frequencies", count=60)
    families, frequencies = result["family"].values, result["frequency"].values
    assert set(families) == {"rotational", "translational", "planet", "ring"}
    paired = frequencies[families == "translational"].reshape(-1, 2)
    assert paired[:, 0] == pytest.approx(paired[:, 1], rel=1e-4)
    for family in ("rotational", "planet"):
        own = frequencies[families == family]
        assert np.all(np.diff(own) > 1e-3 * own[1:])
    ring = machine.ring_modes
    first = (ring.imaginary == 0) & (ring.harmonic > 0)
    alone = ring.frequency[first & (ring.harmonic % 2 == 0)] / (2 * np.pi)
    assert frequencies[families == "ring"] == pytest.approx(np.sort(alone), rel=1e-6)


def test_a_ring_vibrates_as_it_does_alone_where_no_tooth_touches():
    machine = gearbox(VIBRATING | {"planets.thickness_deviation": "-60 um"})
    assembly = assemble_locked(machine, 0.0)
    path = solve_statics(assembly.model, machine.ideal_pose(0.0), np.array([0.0]))
    found = modes_of(assembly, linearize_at(assembly, path, 0)).frequencies
    for frequency in machine.ring_modes.frequency / (2 * np.pi):
        assert np.min(np.abs(found - frequency)) < 1e-6 * frequency


def test_planets_feel_each_other_through_the_rim(coarse_elements):
    """The carrier yields besides by what the loads of three planets do to the ring at the fourth,
    by influence numbers between all its teeth."""
    rim = {"ring.bedding": "2e9 N/m^3"}
    alone, together = gearbox(rim), gearbox(VIBRATING)
    carrier = [equilibrium(machine)[1].last[3, 2] for machine in (alone, together)]
    pair = together.ring_pair(0).pair
    ring = replace(pair.second, held_radius=None)
    body = GearBody(pair.face_width, pair.second.held_radius)
    numbers = flank_influence(
        ring, body, STEEL, FlankGrid(face=1, teeth=None), coarse_elements, 2e9
    )
    middle = len(numbers.roll) // 2
    apart = np.isin(numbers.neighbours, (-60, -30, 30))
    moved = np.sum(numbers.compliance[apart, middle, middle]) * together.tooth_load
    way = abs(carrier[1] - carrier[0]) * (together.spec.sun_gear.base_radius + ring.base_radius)
    assert way == pytest.approx(moved, rel=0.05)
    assert moved > 0.1 * numbers.compliance[60, middle, middle] * together.tooth_load


def test_a_soft_rim_shares_evener():
    """One pin is 30 um ahead."""
    error = {"errors.pin_tangential": {"1": "30 um"}, "operation.torque": "2000 N*m"}
    error |= {"rated_torque": "2000 N*m"}
    shares = [
        flank.run(machine, "load-sharing")["mesh_load_factor"]
        for machine in (gearbox(error), gearbox(VIBRATING | error))
    ]
    stiff, soft = (float(np.max(share)) for share in shares)
    assert 1.0 < soft < stiff - 0.02


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"ring_mesh": {"model": "table"}}, "ring.flexible needs the ring_mesh model 'fe', not"),
        ({"ring.mass": "2 kg"}, "ring.mass is that of the elements of a flexible body"),
        ({"ring.flexible": False}, "ring.modes does nothing on a rigid body"),
        ({"ring.outer_radius": None}, "ring.outer_radius is missing: finite elements"),
        ({"operation.output": "ring"}, "ring.bedding ties the ring to a housing that stands"),
        ({"held": {"stiffness": "1e7"}}, "ring.bedding holds the ring by itself"),
        ({"ring.modes": 61}, "ring.modes"),
    ],
)
def test_what_makes_no_sense_is_refused(changes, sentence):
    with pytest.raises(SpecError, match=sentence):
        flank.preset("planetary-lin-parker", RING | VIBRATING | changes)


def test_more_modes_than_there_are_is_told():
    """Twelve teeth have up to five waves."""
    pair = GearPair(Gear(12, 2e-3, 0.35, 0.3), Gear(20, 2e-3, 0.35), face_width=0.01)
    meshed = MeshedPair(pair, (STEEL, STEEL), MeshSpec(**ELEMENTS), 1e3)
    with pytest.raises(SpecError, match=r"pinion.modes is 60; the lowest .* ask for at most \d+"):
        body_modes("pinion", FlexibleSpec(flexible=True, modes=60), meshed, second=False)
