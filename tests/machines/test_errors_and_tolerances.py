"""Errors that a drawing would not let pass are findings of every machine."""

import numpy as np
import pytest

import flank
from flank.cli.check import check
from flank.errors import SpecError
from tests.helpers.daily import DAILY


def _excesses(machine):
    return [each for each in machine.findings() if each.code == "error-beyond-tolerance"]


def test_an_error_beyond_its_tolerance_is_told_with_both_and_its_instance():
    changes = {"errors.eccentricity": {"2/1": "-20 um"}, "tolerances.eccentricity": "3 um"}
    (finding,) = _excesses(flank.preset("rv-320", changes))
    assert finding.severity == "warning"
    assert (finding.value, finding.limit) == pytest.approx((-20e-6, 3e-6))
    assert "eccentricity, crank 2, disc 1 is off by -20 um" in finding.message
    assert "± 3 um" in finding.message
    assert "tolerances.eccentricity" in finding.remedy


def test_the_worst_of_a_kind_stands_for_all_that_exceed():
    errors = {"1": "4 um", "5": "-9 um", "7": "1 um", "all": "0.5 um"}
    changes = {"errors.pin_radius": errors, "tolerances.pin_radius": "2 um"}
    (finding,) = _excesses(flank.preset("cycloidal-drive", changes))
    assert "radius of pin 5 is off by -8.5 um" in finding.message
    assert "2 of its kind exceed it" in finding.message


def test_a_grade_is_named():
    errors = {"errors.pin_radius": {"3": "2.2 um"}}
    finer = flank.preset("cycloidal-drive", errors | {"tolerances.pin_radius": "IT6"})
    (finding,) = _excesses(finer)
    assert "± 2 um (IT6)" in finding.message
    assert not _excesses(flank.preset("cycloidal-drive", errors | {"tolerances.pin_radius": "IT7"}))


def test_assumed_tolerances_are_looked_at_by_a_check_alone(capsys):
    """Results of a study of errors need not hear of a drawing that nobody gave."""
    drive = flank.preset("rv-320", {"errors.eccentricity": {"1/1": "20 um"}})
    assert not _excesses(drive)
    (doubt,) = [each for each in drive.doubts() if each.code == "error-beyond-tolerance"]
    assert "± 3 um (assumed)" in doubt.message
    check("rv-320", ["errors.eccentricity.1/1=20 um"])
    assert "error-beyond-tolerance" in capsys.readouterr().out


def test_angles_are_compared_as_angles():
    changes = {"errors.eccentric_phase": {"1/1": "120 arcsec"}, "tolerances.eccentric_phase": 1e-4}
    (finding,) = _excesses(flank.preset("rv-320", changes))
    assert "120 arcsec" in finding.message
    assert finding.unit == "rad"


@pytest.mark.parametrize("preset", DAILY)
def test_every_machine_warns_of_what_exceeds_and_not_of_what_keeps_to_it(preset):
    machine = flank.preset(preset)
    for name, kind in list(machine.spec.error_kinds.items())[:3]:
        if kind.direction:
            continue
        first = kind.key(next(iter(kind.instances(machine.spec.counts))))
        limit = 1e-6 if kind.unit == "m" else 1e-5
        given = {f"tolerances.{name}": limit}
        kept = machine.spec.with_changes(given | {f"errors.{name}": {first: -limit}})
        assert not list(kept.excesses())
        (excess,) = machine.spec.with_changes(
            given | {f"errors.{name}": {first: -1.01 * limit}}
        ).excesses()
        assert (excess.name, excess.count) == (name, 1)


def test_a_draw_within_tolerances_exceeds_none():
    assert not _excesses(flank.preset("cycloidal-drive", {"errors.seed": 11}))


@pytest.mark.parametrize(
    ("distribution", "deviation"),
    [("uniform", 3**-0.5), ("triangular", 6**-0.5), ("truncated-normal", 0.9866 / 3)],
)
def test_draws_follow_their_distribution(distribution, deviation):
    """Of 120 places of pins within ± 4 µm, over three seeds; deviations in tolerances."""
    drawn = []
    for seed in (1, 2, 3):
        errors = {"errors.seed": seed, "errors.distribution": distribution}
        machine = flank.preset("rv-320", errors)
        assert machine.spec.errors.distribution == distribution
        drawn += [machine.errors[kind] / 4e-6 for kind in ("pin_radial", "pin_tangential")]
    values = np.concatenate(drawn)
    assert np.abs(values).max() <= 1.0
    assert np.std(values) == pytest.approx(deviation, rel=0.12)


def test_a_distribution_without_a_draw_is_refused():
    with pytest.raises(SpecError, match="give a seed"):
        flank.preset("rv-320", {"errors.distribution": "triangular"})
