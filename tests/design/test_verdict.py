"""A verdict: light, order, what the machine finds itself, and plain data for programs."""

import json
import math

import pytest

import flank
from flank.design.registry import KINDS, figures_of
from flank.design.remedy import changed, rounded


def test_what_the_machine_finds_itself_is_part_of_the_verdict():
    drive = flank.preset("cycloidal-drive", {"discs.equidistant": "-8 um"})
    verdict = flank.check(drive)
    finding = verdict.found("negative-clearance")
    assert finding is not None
    assert finding.key == "discs.equidistant"
    mended = flank.check(changed(drive, finding.changes))
    assert mended.found("negative-clearance") is None


def test_the_worst_stands_first_and_sets_the_light():
    good = flank.check(flank.preset("cycloidal-drive"))
    assert good.light == "green"
    assert good.findings == ()
    doubtful = flank.check(flank.preset("cycloidal-drive", {"pins.radius": "4.2 mm"}))
    assert doubtful.light == "amber"
    bad = flank.check(flank.preset("cycloidal-drive", {"discs.width": "0.5 mm"}))
    assert bad.light == "red"
    order = [each.severity for each in bad.findings]
    assert order == sorted(order, key=["error", "warning", "note"].index)
    assert order[0] == "error"


def test_a_peak_torque_that_nobody_gave_makes_no_error():
    breaks = {"rated_torque": "2000 N*m"}
    assumed = flank.check(flank.preset("cycloidal-drive", breaks))
    given = flank.check(flank.preset("cycloidal-drive", breaks | {"peak_torque": "5000 N*m"}))
    assert assumed.found("static-pin-pressure").severity == "warning"
    assert given.found("static-pin-pressure").severity == "error"
    assert (assumed.light, given.light) == ("amber", "red")


def test_margins_tell_how_far_rules_are_kept():
    verdict = flank.check(flank.preset("cycloidal-drive"))
    shares = [margin.share for margin in verdict.margins]
    assert shares == sorted(shares)
    (disc,) = [margin for margin in verdict.margins if margin.rule.code == "thin-disc"]
    assert disc.share == pytest.approx((9 / 64 - 0.06) / 0.06)


def test_a_remedy_asks_for_no_more_than_it_takes_where_a_figure_jumps():
    """Pressure leaps once an edge bears: what is proposed lies near the leap."""
    spec = {"peak_torque": "2000 N*m"}
    finding = flank.check(flank.preset("bevel-pair", spec)).found("dented-flanks")
    assert finding is not None
    mended = flank.check(flank.preset("bevel-pair", finding.changes))
    assert mended.found("dented-flanks") is None
    pair = flank.preset("bevel-pair", finding.changes)
    assert pair.spec.peak_torque > 1.5 * pair.rated_torque


def test_a_clearance_of_round_off_is_none():
    assert figures_of(flank.preset("monocrank")).value("hole_clearance") == 0.0


def test_plain_data_for_programs_knows_no_nan():
    drive = flank.preset("cycloidal-drive", {"discs.equidistant": "500 um"})
    data = json.loads(json.dumps(flank.check(drive).to_mapping(), allow_nan=False))
    (finding,) = [each for each in data["findings"] if each["code"] == "too-much-clearance"]
    mended = flank.check(flank.preset("cycloidal-drive", finding["changes"]))
    assert mended.found("too-much-clearance") is None


def test_a_machine_without_rules_has_a_verdict_of_its_own_findings(monkeypatch):
    monkeypatch.delitem(KINDS, "cv-joint")
    verdict = flank.check(flank.preset("cv-joint"))
    assert verdict.margins == ()
    assert list(verdict.figures.shown()) == []


def test_found_values_are_rounded_away_from_the_limit():
    assert rounded(9.3312, up=True) == pytest.approx(9.34)
    assert rounded(9.3312, up=False) == pytest.approx(9.33)
    assert rounded(-2.7512, up=True) == pytest.approx(-2.75)
    assert rounded(0.0, up=True) == 0.0


def test_figures_of_a_drive_agree_with_closed_forms():
    """K1, the pitch chord, and the stiffness that a loop reads."""
    drive = flank.preset("cycloidal-drive")
    figures = flank.check(drive).figures
    assert figures.shortening == pytest.approx(1.3 * 40 / (64 - 0.005))
    assert figures.pin_gap == pytest.approx(2 * 0.064 * math.sin(math.pi / 40) - 0.006)
    loop = flank.run(drive, "hysteresis", points_per_stage=20).dataset
    assert figures.stiffness == pytest.approx(float(loop.torsional_stiffness), rel=0.01)
    assert figures.lost_motion == pytest.approx(float(loop.lost_motion), rel=0.02)
    assert figures.backlash == pytest.approx(float(loop.backlash), rel=0.02)
