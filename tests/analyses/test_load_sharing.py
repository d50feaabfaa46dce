"""Load sharing against its closed form, and what the analysis reports and refuses."""

import math

import numpy as np
import pytest

import flank
from flank.analyses.load_sharing import _equilibria
from flank.errors import SpecError

GUIDED = {
    "held": None,
    "carrier.support": {"kind": "rigid"},
    "ring.support": {"kind": "rigid"},
    "planets.support": {"kind": "rigid"},
}
STIFFNESS, ANGLE = 5e8, math.radians(24.6)
PATH = 4 * math.cos(ANGLE) ** 2 * STIFFNESS / 2
"""κ: two equal meshes in series, each met at cos α, on both sides of the pin."""


def gearbox(count, sun, changes=None):
    support = {"planets.count": count, "sun.support": {"kind": sun}}
    return flank.preset("planetary-lin-parker", GUIDED | support | (changes or {}))


def projector(count, sun):
    """P of the closed form: what rotation, and a floating sun, cannot even out."""
    psi = 2 * np.pi * np.arange(count) / count
    modes = [np.ones(count)] + ([np.cos(psi), np.sin(psi)] if sun == "floating" else [])
    basis = np.linalg.qr(np.array(modes).T)[0]
    return np.eye(count) - basis @ basis.T


@pytest.mark.parametrize("sun", ["rigid", "floating"])
@pytest.mark.parametrize("count", [3, 4, 5, 6])
def test_one_pin_error_is_the_closed_form(count, sun):
    error = 1e-8  # so small that the geometry is linear to 1e-7
    machine = gearbox(count, sun)
    torque = -1e-3  # the sun pushes on counter-clockwise: a planet ahead carries less
    base = _equilibria(machine, torque, np.array([0.0]), lambda share: None)
    moved = _equilibria(
        machine.with_error("pin_tangential.1", error), torque, np.array([0.0]), lambda s: None
    )
    change = (moved.loads.pin - base.loads.pin)[0] / (PATH * error)
    assert change == pytest.approx(-projector(count, sun)[0], abs=1e-6)
    assert base.loads.pin[0] == pytest.approx(1e-3 / (count * 0.0884), abs=1e-7)


def test_published_patterns():
    assert projector(4, "floating")[0] == pytest.approx([0.25, -0.25, 0.25, -0.25])
    five = [0.4, -0.3236, 0.1236, 0.1236, -0.3236]
    assert projector(5, "floating")[0] == pytest.approx(five, abs=1e-4)


def test_share_factor_over_the_error():
    """K_γ = 1 + N a κ |e| P_11/T on the loaded side; the mean pin load is T/(N a)."""
    machine = gearbox(4, "rigid")
    torque = 50e3  # so much that no error of the range takes a planet's load away
    result = flank.run(
        machine, "load-sharing", torque=-torque, points=2, largest_error="10 um", error_points=3
    )
    pin_load = torque / (4 * 0.0884)
    assert result["pin_load"] == pytest.approx(pin_load, rel=1e-3)
    change = PATH * 10e-6 * 0.75 / pin_load
    shares = result["share_by_error"].values[:, 0]
    assert sorted(shares) == pytest.approx([1 - change, 1.0, 1 + change], rel=5e-3)
    assert result["factor_by_error"].values.max() == pytest.approx(1 + change, rel=5e-3)
    assert result["mesh_load_factor"] == pytest.approx(1.0, abs=1e-3)


def test_rigid_first_planet_carries_the_sun():
    rigid = {
        "sun_mesh": {"model": "rigid"},
        "ring_mesh": {"model": "rigid"},
        "rigid_sharing": "first",
    }
    machine = flank.preset("planetary-paper", rigid)
    result = flank.run(machine, "load-sharing", points=2, error_points=0)
    assert result["sun_force"].values[0, 1:] == pytest.approx(0.0, abs=1e-9)
    assert result["mean_share"].values == pytest.approx([3.0, 0.0, 0.0], abs=1e-6)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"torque": 0}, "nothing is shared"),
        ({"error": "pin_tangental.1"}, "did you mean 'pin_tangential.1'"),
        ({"error_points": 0, "largest_error": 1e-6}, "does nothing with error_points 0"),
    ],
)
def test_refused(settings, sentence):
    with pytest.raises(SpecError, match=sentence):
        flank.run(gearbox(3, "rigid"), "load-sharing", **settings)


def test_other_machines_are_told_what_to_ask():
    with pytest.raises(SpecError, match="has none that would share its load; what fits it: "):
        flank.run(flank.preset("single-disc"), "load-sharing")


def test_an_eccentric_planet_loads_and_unloads_itself_in_turn():
    """e cos(θ_p - θ_c) across the pin is a pin error that turns; it starts where it points."""
    error, count = 1e-8, 4
    machine = gearbox(count, "rigid", {"errors.planet_eccentricity_direction": {1: "90 deg"}})
    turned = machine.orders["planet"]
    angles = np.array([0.0, 0.25, 0.5]) * 2 * np.pi / turned  # of the planet against the carrier
    torque = -1e-3
    base = _equilibria(machine, torque, angles, lambda share: None)
    eccentric = machine.with_error("planet_eccentricity.1", error)
    moved = _equilibria(eccentric, torque, angles, lambda share: None)
    change = (moved.loads.pin - base.loads.pin) / (PATH * error)
    pattern = projector(count, "rigid")[0]
    # At first the teeth stand ahead of the pin by e, later off it outward, then behind it.
    for found, ahead in zip(change, (1.0, 0.0, -1.0), strict=True):
        assert np.abs(found) == pytest.approx(np.abs(ahead) * np.abs(pattern), abs=1e-4)
    assert change[0] == pytest.approx(-change[2], abs=1e-4)
    assert change[0, 0] < 0


@pytest.mark.parametrize("preset", ["rv-320", "few-teeth-38"])
def test_the_cranks_of_a_reducer_carry_the_torque(preset):
    """The bearings of a crank are its planet's pin: their loads make the torque of the output."""
    machine = flank.preset(preset)
    result = flank.run(machine, "load-sharing", points=2, error_points=3)
    assert result.complete
    torque = result["planet_load"].values.sum(axis=1) * machine.spec.cranks.circle_radius
    assert torque == pytest.approx(abs(machine.load_torque), rel=1e-3)
    assert result["share"].values.mean(axis=1) == pytest.approx(1.0)
    assert "ring_force" not in result.dataset
    sun = result["sun_force"].values.sum(axis=1) * machine.spec.first_stage.module / 2
    input_torque = sun * machine.spec.first_stage.sun_teeth * np.cos(np.deg2rad(20))
    assert input_torque == pytest.approx(abs(machine.load_torque / machine.ratio), rel=0.05)
    assert result["error"].attrs["long_name"].startswith("Error, tangential position of crank")
