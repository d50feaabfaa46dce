"""Natural frequencies of a chain with known ones, and the modes of drives in words."""

import numpy as np
import pytest
from scipy import linalg

import flank
from flank.analyses import natural_frequencies
from flank.analyses.natural_frequencies import NaturalFrequenciesSettings, modes_of
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.functions import constant
from flank.dynamics.linearize import linearize
from flank.dynamics.tables import GROUND
from flank.machines.base import Assembly


def stiffness_of(chain):
    a, b = chain.STIFFNESSES
    return np.array([[a, -a, 0.0], [-a, a + b, -b], [0.0, -b, b]])


@pytest.mark.parametrize("held", ["locked", "free"])
def test_chain_of_two_springs(chain, held):
    result = natural_frequencies.run(chain(), NaturalFrequenciesSettings(input=held))
    first = 1 if held == "locked" else 0
    squares = linalg.eigh(stiffness_of(chain)[first:, first:], np.diag(chain.INERTIAS[first:]))[0]
    wanted = np.sqrt(squares[squares > 1.0]) / (2 * np.pi)
    assert len(wanted) == 2
    assert result["frequency"].values == pytest.approx(wanted, rel=1e-7)
    assert result["free_count"] == (0 if held == "locked" else 1)
    assert result["unstable_count"] == 0
    assert result["lowest_frequency"] == pytest.approx(wanted[0])


def test_shapes_are_modes_and_shares_add_up(chain):
    result = natural_frequencies.run(chain())
    turning = result["mode_shape"].values[:, 2:, 2]
    inner, inertias = stiffness_of(chain)[1:, 1:], np.array(chain.INERTIAS[1:])
    for shape, square in zip(turning, result["eigenvalue"].values, strict=True):
        assert inner @ shape == pytest.approx(square * inertias * shape, rel=1e-6)
    share = result["energy_share"].values
    assert share.sum(axis=1) == pytest.approx(1.0)
    assert share[:, :2] == pytest.approx(0.0, abs=1e-12)
    assert share[:, 2:] == pytest.approx(turning**2 * inertias, rel=1e-6)
    assert str(result["motion"].values[0]).startswith("output turns (")


def test_count_limits_the_modes(chain):
    result = natural_frequencies.run(chain(), NaturalFrequenciesSettings(count=1))
    assert result.dataset.sizes["mode"] == 1


def inverted(pull):
    """A pole on a hinge under a dead load on its top, with a spring too weak or not: k - F l."""
    builder = ModelBuilder(0.1)
    builder.body("pole", 1.0, 0.01)
    builder.revolute(GROUND, 1)
    builder.torsion_spring(GROUND, 1, 10.0)
    builder.force(1, (0.0, -1.0), constant(pull), at=(0.0, 0.2))
    pose = builder.pose()
    return Assembly.of(builder, pose, {})


@pytest.mark.parametrize("pull", [20.0, 100.0])
def test_an_unstable_equilibrium_is_told(pull):
    assembly = inverted(pull)
    modes = modes_of(assembly, linearize(assembly.model, assembly.pose))
    assert modes.eigenvalues == pytest.approx([(10.0 - 0.2 * pull) / 0.01], rel=1e-9)
    assert (modes.frequencies[0] > 0) == (pull < 50.0)
    warnings = natural_frequencies.modes_warnings(modes, assembly)
    assert any("unstable" in w for w in warnings) == (pull > 50.0)


def test_drive_without_load_has_free_motions():
    result = flank.run(flank.preset("monocrank"), "natural-frequencies", torque=0)
    assert result.complete
    assert result["free_count"] >= 1
    assert any("nothing resists" in w for w in result.warnings)


def test_rolling_pins_that_carry_nothing_are_counted_not_listed():
    result = flank.run(flank.preset("single-disc"), "natural-frequencies")
    assert result["free_count"] > 60  # every pin spins, unloaded ones also move
    assert result.dataset.sizes["mode"] == 10
    assert (np.diff(result["frequency"].values) >= 0).all()
    assert any("more bodies" in w for w in result.warnings)


def test_modes_of_a_drive_against_two_masses():
    """Discs and carrier about the torsional stiffness: the lowest mode of the rigid-eccentric drive
    lies near √(K/J) of the stiffness split, with J of the carrier."""
    drive = flank.preset("cycloidal-drive")
    lowest = flank.run(drive, "natural-frequencies")["lowest_frequency"]
    stiffness = flank.run(drive, "load-distribution")["torsional_stiffness"]
    inertia = drive.masses.carrier[1]
    single = np.sqrt(stiffness / inertia) / (2 * np.pi)
    assert 0.5 * single < lowest < single
