"""Speed sweeps and dwells of cycloidal drives, whose pins take the place of teeth."""

import math

import numpy as np
import pytest

import flank
from flank.analyses.runs import solve_along_crank
from flank.dynamics.functions import constant, linear
from flank.errors import SpecError
from flank.machines.base import Drive
from flank.machines.carried import (
    carrier_names,
    net_forces,
    separated,
    single_forces,
    transmission_errors,
)

RPM = math.pi / 30
PLAY = {"discs.equidistant": "3 um"}


@pytest.fixture(scope="module")
def still():
    """Equilibria over a pin pitch, without friction: the drive, its model and the path."""
    drive = flank.preset("cycloidal-drive", PLAY)
    torque = drive.load_torque
    assembly = drive.assemble(Drive.of_ends(linear(1.0), constant(torque))).frictionless()
    angles = np.linspace(0.0, 2 * math.pi / 40, 25)
    return drive, assembly, solve_along_crank(drive, assembly, angles)


def test_forces_of_discs_make_up_the_torque_of_the_output(still):
    """Σ F e z_c = -T, whatever the distribution: pins do no work on discs that roll. It is exact of
    rigid ones; what gives way leaves 2e-4."""
    drive, assembly, path = still
    assert carrier_names(assembly) == ["disc 1", "disc 2"]
    lever = drive.spec.eccentricity * drive.lobes
    together = net_forces(assembly, path).sum(axis=1) * lever
    assert together == pytest.approx(np.full(len(together), -drive.load_torque), rel=5e-4)


def test_the_error_of_discs_is_their_windup_at_the_largest_lever(still):
    """Of discs pressed against pins; the output is turned a little more, by its rollers."""
    drive, assembly, path = still
    errors = transmission_errors(assembly, path) / (drive.spec.eccentricity * drive.lobes)
    errors -= drive.ideal_pose(0.0)[list(drive.discs), 2]
    output = path.angle(assembly.output_shaft) - path.time / drive.ratio
    assert np.all(np.sign(errors) == np.sign(drive.load_torque))
    assert np.all(np.abs(errors) < np.abs(output)[:, None])
    assert np.all(np.abs(errors) > 0.3 * np.abs(output)[:, None])


def test_single_pins_add_up_to_more_than_their_resultant(still):
    drive, assembly, path = still
    pins, forces = single_forces(assembly, path)
    assert 5 < len(pins) < drive.spec.pins.count
    assert np.all(forces.sum(axis=1) > np.abs(net_forces(assembly, path)[:, 0]))
    assert not separated(assembly, path).any()


def test_contact_is_lost_where_no_pin_of_a_disc_carries():
    drive = flank.preset("cycloidal-drive", {"discs.equidistant": "30 um"})
    assembly = drive.assemble(Drive.of_ends(linear(1.0), constant(0.0))).frictionless()
    path = solve_along_crank(drive, assembly, np.array([0.0, 0.01]))
    assert separated(assembly, path).all()
    assert np.all(net_forces(assembly, path) == 0.0)


@pytest.fixture(scope="module")
def sweep():
    """Past the first natural frequency, with a tenth of the usual damping."""
    drive = flank.preset("cycloidal-drive", {**PLAY, "contact.damping": "1 s/m"})
    settings = {"speeds": 5, "settling_periods": 50, "periods": 4, "steps_per_period": 96}
    speeds = {"lowest": "11000 rpm", "highest": "13000 rpm", "direction": "up"}
    return flank.run(drive, "speed-sweep", **settings, **speeds)


def test_a_drive_resonates_where_its_pins_pass_at_a_natural_frequency(sweep):
    """At 12,054 rpm 40 pins pass at 8,036 Hz, the first natural frequency of the loaded drive."""
    critical = float(sweep["critical_speed"].values[0])
    assert critical * 40 / (2 * math.pi) == pytest.approx(
        float(sweep["natural_frequency"].values[0]), rel=1e-12
    )
    assert float(sweep["resonance_speed"]) == pytest.approx(critical, rel=0.02)
    error = sweep["error_rms"].values[0]
    assert error.max() > 2.5 * max(error[0], error[-1])
    assert list(sweep.data["mesh"].values) == ["disc 1", "disc 2"]


def test_the_natural_frequency_is_that_of_the_analysis_of_modes(sweep):
    drive = flank.preset("cycloidal-drive", {**PLAY, "contact.damping": "1 s/m"})
    modes = flank.run(drive, "natural-frequencies", torque=drive.load_torque)
    found = np.sort(modes["frequency"].values)
    first = float(sweep["natural_frequency"].values[0])
    assert np.min(np.abs(found / first - 1)) < 1e-6


def test_mean_forces_of_a_sweep_carry_the_torque(sweep):
    drive = flank.preset("cycloidal-drive", PLAY)
    lever = drive.spec.eccentricity * drive.lobes
    carried = sweep["force_mean"].values[0].sum(axis=1) * lever
    assert carried == pytest.approx(np.full(5, abs(drive.load_torque)), rel=0.01)


def test_a_dwell_shows_single_pins():
    drive = flank.preset("cycloidal-drive", PLAY)
    short = {"approach_periods": 10, "settling_periods": 20, "periods": 8, "branch": "up"}
    result = flank.run(drive, "speed-dwell", speed="3000 rpm", **short)
    assert result.complete
    pins = result["tooth_force"].values[0]
    largest = pins.max(axis=0)
    assert 8 <= len(largest) < 40
    assert largest.max() > 0.5 * result["mesh_force"].values.max() / 10
    assert int(result["repeats_after"].values[0]) == 1


def test_machines_without_teeth_or_pins_are_refused():
    with pytest.raises(SpecError, match="needs a rated torque"):
        flank.run(flank.preset("cv-joint"), "speed-sweep")


def test_sweeps_of_machines_with_gears_tell_natural_frequencies_too():
    pair = flank.preset("gear-pair")
    short = {"speeds": 2, "settling_periods": 2, "periods": 1, "direction": "up"}
    result = flank.run(pair, "speed-sweep", **short)
    speeds = result["critical_speed"].values
    assert len(speeds) > 2
    assert np.all(np.diff(speeds) > 0)
