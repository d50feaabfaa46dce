"""What `flank run PRESET` warns of, machines as shipped: their own physics and nothing else."""

import pytest

import flank
from flank.presets import preset_names

PHYSICS = {
    "planetary-paper": [
        "pressed 4.73 mm into each other"
    ],  # the paper's stiffness is that of rubber
    "rv-paper": ["acts through sliding velocity"],  # the script's friction, in a static run
}
"""What else speaks against relying on a preset's default run."""


@pytest.mark.parametrize("preset", preset_names())
def test_a_default_run_warns_of_nothing_but_the_preset_itself(preset):
    machine = flank.preset(preset)
    result = flank.run(machine)
    assert result.complete, result.outcome
    own = result.warnings[len(machine.findings()) :]
    expected = PHYSICS.get(preset, [])
    assert len(own) == len(expected), own
    assert all(part in warning for part, warning in zip(expected, own, strict=True))


@pytest.mark.parametrize("preset", ["rv-320", "rv-80", "few-teeth-38"])
def test_pins_and_teeth_are_read_by_default(preset):
    """A turn of the crank holds whole periods of them, which a turn of the input does not."""
    machine = flank.preset(preset)
    result = flank.run(machine, points_per_turn=160)
    assert result["shaft_angle"].attrs["long_name"] == "Crank angle"
    assert {"pin", "tooth"} & set(result["named_order"].values.tolist())
    leaking = flank.run(machine, points_per_turn=160, turns_of="input")
    assert any("holds no whole number of periods" in w for w in leaking.warnings)


def test_orders_of_turning_parts_matter_where_there_are_errors():
    wheel = {"errors.planet_eccentricity": {"1": "20 um"}}
    true, off = (
        flank.run(flank.preset("planetary-lin-parker", changes), points_per_turn=160)
        for changes in ({}, wheel)
    )
    assert true.warnings == []
    assert any("periods of ring, planet, sun" in w for w in off.warnings)


def test_the_disc_that_is_not_comparable_says_so():
    disc = flank.preset("single-disc")
    (finding,) = disc.findings()
    assert finding.value == pytest.approx(-6.4e-6, abs=1e-9)
    assert any("not comparable with the published" in line for line in disc.spec.assumptions)
