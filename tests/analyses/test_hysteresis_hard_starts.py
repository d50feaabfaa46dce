"""Loops of machines that are hard to begin with: no torque, errors of a drawing, contacts barely
touching."""

from flank.api import check_study
from flank.studies.samples import COMPLETE

HARD = (36, 161, 263, 894, 1705)
"""Samples that were not found once: without a torque no load can be raised, and at a
millionth of it contacts are met to a picometre."""


def test_loops_begin_and_cross_zero_where_contacts_barely_touch():
    spec = {
        "machine": "cycloidal-drive",
        "asks": {"hysteresis": {"points_per_stage": 5}},
        "samples": 2000,
        "seed": 1,
    }
    kinds = check_study({**spec, "varies": {"errors.pin_radius": {}}}).machine.spec.error_kinds
    varies = {f"errors.{kind}": {"distribution": "truncated-normal"} for kind in kinds}
    sampler = check_study({**spec, "varies": varies}).sampler
    outcomes = [sampler.outcomes(number, 1)[0] for number in HARD]
    complete = sum(each.status == COMPLETE for each in outcomes)
    assert complete >= 4  # another processor may round one of them away


def test_a_braced_reducer_is_found_without_a_torque():
    """Drawn pins press against each other; from the ideal pose the search takes 130 steps."""
    spec = {
        "machine": "rv-320",
        "asks": {"hysteresis": {"points_per_stage": 5}},
        "samples": 13,
        "seed": 1,
        "varies": {"errors.pin_radial": {}, "errors.pin_tangential": {}},
    }
    (outcome,) = check_study(spec).sampler.outcomes(12, 1)
    assert outcome.status == COMPLETE
