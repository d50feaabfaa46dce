"""Torsional supports of every central member, and runs that start away from equilibrium."""

import math

import numpy as np
import pytest

import flank
from flank.errors import SpecError

INERTIA = 44.538
"""kg m² of the gearbox of Table 1 with three planets, as its carrier feels it (closed form)."""

RATIO = 6.0
RIGID = {"sun_mesh": {"model": "rigid"}, "ring_mesh": {"model": "rigid"}}


@pytest.mark.parametrize("motion", ["planar", "spatial"])
@pytest.mark.parametrize(("member", "turns"), [("carrier", 1.0), ("sun", RATIO)])
def test_a_torsional_support_is_felt_through_the_ratio(member, turns, motion):
    support = {"torsional_stiffness": 100.0}
    machine = flank.preset(
        "planetary-paper", RIGID | {f"{member}.support": support, "motion": motion}
    )
    result = flank.run(machine, "natural-frequencies", input="free", torque=0.0, count=1)
    expected = math.sqrt(100.0 * turns**2 / INERTIA) / (2 * math.pi)
    assert result["frequency"].values[0] == pytest.approx(expected, rel=1e-4)


def test_torsional_damping_slows_a_member_down():
    """The carrier, free at a speed: dω/dt = -d ω/I."""
    damping = 20.0
    support = {"carrier.support": {"torsional_damping": damping}}
    machine = flank.preset("planetary-paper", RIGID | support)
    still = {"carrier": 0.0, "sun": 0.0}
    result = flank.run(
        machine, "time-response", duration=2.0, step=5e-3, initial_speed=1.0, torques=still
    )
    speed = math.exp(-damping * 2.0 / INERTIA)
    assert float(result["final_input_speed"]) == pytest.approx(speed, rel=1e-4)


def test_a_support_of_the_member_that_is_held_rigidly_is_refused():
    with pytest.raises(SpecError, match="do nothing on the ring, which is held rigidly"):
        flank.preset("planetary-paper", {"ring.support": {"torsional_stiffness": 1e3}})
    flank.preset(
        "planetary-paper",
        {"ring.support": {"torsional_stiffness": 1e3}, "held.stiffness": 1e6},
    )


@pytest.mark.parametrize("motion", ["planar", "spatial"])
def test_a_planet_turned_away_stores_the_energy_of_both_its_springs(motion):
    machine = flank.preset("planetary-paper", {"motion": motion})
    turned, still = math.radians(2.0), {"carrier": 0.0, "sun": 0.0}
    result = flank.run(
        machine,
        "time-response",
        duration=1.0,
        step=5e-3,
        initial_speed=0.0,
        torques=still,
        spectral_radius=1.0,
        start_offsets={"planet 1": turned},
    )
    stored = 500.0 * (machine.spec.planet_gear.base_radius * turned) ** 2
    energy = result["kinetic_energy"].values + result["stored_energy"].values
    assert energy[0] == pytest.approx(stored, rel=1e-9)
    assert energy == pytest.approx(stored, rel=1e-3)
    assert np.ptp(result["stored_energy"].values) > 0.5 * stored


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("planet 9", "there is no such body"),
        ("ring", "keeps it from turning"),
    ],
)
def test_bodies_that_cannot_be_turned_away_are_named(name, sentence):
    with pytest.raises(SpecError, match=sentence):
        flank.run(flank.preset("planetary-paper"), "time-response", start_offsets={name: "1 deg"})
