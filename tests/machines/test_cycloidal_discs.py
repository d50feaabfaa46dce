"""Discs of cycloidal drives as elastic plates: equilibria, limits, derivatives, bad specs."""

from dataclasses import replace

import numpy as np
import pytest

import flank
from flank.analyses import natural_frequencies, stiffness_split
from flank.analyses.runs import assemble_locked
from flank.analyses.sensitivity import angle_derivatives, stations
from flank.contact import plate_modes
from flank.dynamics.run import solve_statics
from flank.errors import SpecError
from flank.machines.cycloidal import disc_plates
from flank.machines.cycloidal.disc_plates import modes_of_discs
from flank.machines.cycloidal.drive import CycloidalDrive

RATED = 412.0
UNMODIFIED = {"discs.equidistant": 0, "discs.radial": 0}
NEEDLES = {"count": 24, "radius": "2.5 mm", "length": "9 mm", "clearance": 0}
ON_NEEDLES = {"eccentric": {"bearing": "needles", "needles": NEEDLES}}
ROLLING = {"pins.mounting": "rolling", "pins.groove_radius": "3.01 mm"}


def drive(**changes):
    machine = flank.preset("cycloidal-drive", {"discs.body": "elastic", **UNMODIFIED, **changes})
    assert isinstance(machine, CycloidalDrive)
    return machine


def loaded(machine, torques=(0.25, 0.5, 0.75, 1.0)):
    assembly = assemble_locked(machine, 0.3)
    run = solve_statics(assembly.model, machine.ideal_pose(0.3), RATED * np.array(torques))
    assert run.complete
    return assembly, run


def stored(machine, run, record):
    """Energy of the plates at one record."""
    modes = modes_of_discs(machine.spec)
    rows = machine.spec.discs.count * len(modes) // 3
    z = run.position[record][-rows:].reshape(machine.spec.discs.count, -1)
    return float(0.5 * (modes.stiffness * z**2).sum())


@pytest.mark.parametrize("bearing", [{}, ON_NEEDLES], ids=["joint", "needles"])
def test_a_disc_that_gives_way_turns_by_at_least_what_its_plate_stores(bearing):
    """By 2 U/T, and by what uneven pins and rollers then give way to more."""
    turned = []
    for body in ("rigid", "elastic"):
        machine = drive(**bearing, **{"discs.body": body})
        assembly, run = loaded(machine)
        turned.append(abs(run.angle(assembly.output_shaft)[-1]))
    energy = 2 * stored(machine, run, -1) / RATED
    more = abs(turned[1] - turned[0])
    assert energy < more < 1.3 * energy


def test_on_very_stiff_plates_pins_carry_as_on_rigid_discs(monkeypatch):
    whole = plate_modes.plate_modes

    def stiff(body):
        modes = whole(body)
        return replace(modes, stiffness=1e4 * modes.stiffness)

    monkeypatch.setattr(disc_plates, "plate_modes", stiff)
    assembly, run = loaded(drive())
    rigid, on_rigid = loaded(drive(**{"discs.body": "rigid"}))
    for group in ("pin", "roller"):
        expected = on_rigid.force(rigid.groups[group])[-1]
        force = run.force(assembly.groups[group])[-1]
        assert force == pytest.approx(expected, abs=2e-3 * expected.max())


def test_rolling_pins_press_on_the_plate():
    assembly, run = loaded(drive(**ROLLING))
    held, on_held = loaded(drive())
    force = run.force(assembly.groups["pin"])[-1]
    assert force.max() == pytest.approx(on_held.force(held.groups["pin"])[-1].max(), rel=0.15)


@pytest.mark.parametrize("name", ["pin_radius.11", "hole_radius.1/2", "eccentricity.1"])
def test_implicit_derivatives_are_those_of_drives_solved_again(name):
    machine, torques = drive(), (1.0, 0.5)
    base, path = loaded(machine, torques)
    step = 1e-8
    changed = [assemble_locked(machine.with_error(name, s * 1e-12), 0.3).planar for s in (1, -1)]
    found = angle_derivatives(stations(base, path), 1e-12, *changed)
    angles = []
    for sign in (1, -1):
        again, run = loaded(machine.with_error(name, sign * step), torques)
        angles.append(run.angle(again.output_shaft))
    wanted = (angles[0] - angles[1]) / (2 * step)
    assert found == pytest.approx(wanted, rel=2e-3, abs=1e-3 * np.abs(found).max())


def test_discs_are_a_part_of_the_split_and_parts_add_up():
    result = stiffness_split.run(drive())
    assert "discs" in result["part"].values
    assert abs(result["closure"]) < 2e-3
    assert any(note.startswith("Contacts and discs only") for note in result.notes)


def test_natural_frequencies_fall_as_discs_give_way():
    rigid, elastic = (
        natural_frequencies.run(drive(**{"discs.body": body})) for body in ("rigid", "elastic")
    )
    assert elastic["unstable_count"] == 0
    assert elastic["frequency"].values[0] < rigid["frequency"].values[0]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"output": {"kind": "disc"}}, "needs output rollers: where a disc is the output"),
        ({"discs.body": "rigid", "discs.damping": "1e-6 s"}, "damping does nothing with rigid"),
        ({"discs.bore_radius": "35 mm"}, "needs walls of 1.4925 mm and more in the discs"),
    ],
)
def test_discs_that_cannot_be_plates_are_refused_in_a_sentence(changes, sentence):
    with pytest.raises(SpecError, match=sentence) as refused:
        drive(**changes)
    assert len(refused.value.problems) == 1
