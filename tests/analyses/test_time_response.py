"""Time response: published tables, energy, jumps of torque, and chains with known answers."""

import numpy as np
import pytest

import flank
from flank.analyses import time_response
from flank.analyses.settings import TorquePoint, jumps, torque_between, value_after
from flank.analyses.time_response import TimeResponseSettings
from flank.errors import SpecError

TORQUES = {"carrier": [[0, -4], [2, -4], [2, 0]]}
RIGID = {"sun_mesh": {"model": "rigid"}, "ring_mesh": {"model": "rigid"}}


def response(changes, **settings):
    machine = flank.preset("planetary-paper", changes)
    asked = {"duration": 5, "step": 5e-3, "initial_speed": 0, "torques": TORQUES}
    return flank.run(machine, "time-response", **(asked | settings))


def planets(count):
    """With one planet the carrier is a bar about its end."""
    return {"planets.count": count} | ({"carrier.inertia": 0.42} if count == 1 else {})


@pytest.mark.parametrize(
    ("count", "rigid", "flexible"),
    [(1, -100.92, -100.25), (2, -58.73, -58.40), (3, -41.17, -40.96), (4, -31.69, -31.54)],
)
def test_table_1c(count, rigid, flexible):
    stiff = response(RIGID | planets(count), step=1e-2)
    soft = response(planets(count))
    assert np.degrees(stiff["final_input_angle"]) == pytest.approx(rigid, abs=0.005)
    assert np.degrees(soft["final_input_angle"]) == pytest.approx(flexible, abs=0.015)


@pytest.mark.parametrize(("damping", "angle"), [(0, -41.127), (30, -41.157), (60, -41.164)])
def test_damping_table(damping, angle):
    mesh = {"model": "spring", "stiffness": 5000, "damping": damping, "separation": False}
    result = response({"sun_mesh": mesh, "ring_mesh": mesh}, step=2e-3, spectral_radius=1)
    assert np.degrees(result["final_input_angle"]) == pytest.approx(angle, abs=0.003)
    assert (result["lost_energy"] > 1e-4) == (damping > 0)


@pytest.mark.parametrize("sharing", ["equal", "first"])
def test_rigid_angle_is_the_closed_form(sharing):
    """8 T/I_eff, whichever planets mesh with the sun."""
    result = response(RIGID | {"rigid_sharing": sharing}, step=1e-2)
    inertia = 0.15 + 3 * (98.75 * 0.3**2 + 1.97 * (1 - 100 / 40) ** 2) + 0.123 * (1 + 100 / 20) ** 2
    assert result["final_input_angle"] == pytest.approx(-8 * 4 / inertia, rel=1e-6)
    sun, ring = result["mesh_force"].values[50, [0, -1]]
    share = 3 if sharing == "equal" else 1
    speedup = -4 / inertia  # of the carrier; the sun's inertia is all that its teeth push
    assert abs(sun) == pytest.approx(0.123 * 6 * abs(speedup) / (share * 0.1 * np.cos(np.pi / 9)))
    assert sun * ring < 0


def test_rigid_forces_of_one_planet():
    result = response(RIGID | planets(1), step=1e-2)
    assert result["mesh_force"].values[50] == pytest.approx([1.729, -5.191], abs=5e-4)


def test_energy_is_kept_at_the_order_of_the_integrator():
    lost = [
        np.abs(response({}, step=step, spectral_radius=1)["lost_energy_course"].values).max()
        for step in (1e-2, 5e-3, 2.5e-3)
    ]
    largest = response({}, step=5e-3, spectral_radius=1)["kinetic_energy"].values.max()
    assert lost[0] / lost[1] == pytest.approx(4.0, rel=0.2)
    assert lost[1] / lost[2] == pytest.approx(4.0, rel=0.2)
    assert lost[2] < 1e-6 * largest


def test_a_jump_is_met_exactly():
    """A step that does not divide the time of the jump changes nothing."""
    even, odd = (response({}, step=step)["final_input_angle"] for step in (5e-3, 5.3e-3))
    assert even == pytest.approx(odd, rel=2e-6)


def test_courses_between_jumps():
    points = [TorquePoint(time=t, torque=y) for t, y in ((0, 0), (1, 2), (1, 5), (3, 7))]
    assert jumps({"a": points}, 5.0) == [1.0]
    assert jumps({"a": points}, 1.0) == []
    assert torque_between(points, 0.0, 1.0).points == ((0.0, 0.0), (1.0, 2.0))
    assert torque_between(points, 1.0, 5.0).points == ((0.0, 5.0), (2.0, 7.0), (4.0, 7.0))
    assert value_after(points, 1.0) == 5.0
    assert torque_between(points, 3.0, 5.0).offset == 7.0


def test_a_chain_under_a_constant_torque(chain):
    """Two springs in series: momentum grows by the torques, energy by their work."""

    machine = chain()
    settings = TimeResponseSettings.from_mapping(
        {"torques": {"output": 7.0}, "duration": 0.02, "step": 1e-5, "initial_speed": 0.0}
    )
    result = time_response.run(machine, settings)
    assert result.complete
    momentum = result["speed"].values[-1] @ np.array(machine.INERTIAS)
    assert momentum == pytest.approx(7.0 * 0.02, rel=1e-5)
    assert abs(result["lost_energy"]) < 1e-3


def test_at_a_speed_the_input_keeps_it():
    result = response({}, drive="speed", initial_speed="2 rpm", torques={"sun": -0.5})
    speed = result["speed"].sel(body="carrier").values
    assert speed == pytest.approx(2 * np.pi / 30, rel=1e-6)
    assert result["mean_mesh_force"].values[0] == pytest.approx(-0.5 / 3 / 0.09397, rel=0.02)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"torques": {"ring": 3}}, "no torque can act there"),
        ({"torques": {"sun": [[1, 2], [0, 3]]}}, "must not fall"),
        ({"torques": {"sun": [[1, 2], [1, 3], [1, 4]]}}, "a jump needs two"),
        ({"torques": {"sun": []}}, "has no points"),
        ({"torques": {"input": 2}, "drive": "speed"}, "does nothing where it has its speed"),
        ({"step": 10}, "step is longer than duration"),
    ],
)
def test_refused(settings, sentence):
    with pytest.raises(SpecError, match=sentence):
        response({}, **settings)


def test_steps_too_long_for_the_teeth_are_warned_of():
    gearbox = flank.preset("planetary-500kw")
    result = flank.run(gearbox, "time-response", duration="0.2 s", step="20 ms")
    assert any("does not resolve the mesh order" in warning for warning in result.warnings)
    result = flank.run(gearbox, "time-response", duration="2 ms")
    assert not result.warnings


def test_an_input_that_friction_stops_is_warned_of():
    reducer = flank.preset("few-teeth-60", {"mesh.model": "rigid", "friction.teeth": 0})
    result = flank.run(reducer, "time-response", duration="0.05 s")
    assert any("do not keep it going" in warning for warning in result.warnings)
