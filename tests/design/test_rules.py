"""Every rule trips on a machine that breaks it and on none that keeps it, and its remedy, applied
as it is written, passes."""

import functools

import pytest

import flank
from flank.design.registry import KINDS, all_rules
from flank.design.remedy import changed
from tests.helpers.broken_designs import BROKEN, broken, good

SLOW = ("hypoid-pair", "spatial-gear-pair")
"""Kinds that have rules and figures in common with another one."""

MANY_SOLVES = ("bevel-pair", "edge-bears"), ("bevel-pair", "mesh-resonance")
"""Rules whose remedies are sought by a dozen loaded contacts."""

CASES = [
    pytest.param(*case, marks=pytest.mark.nightly if case[0] in SLOW or case in MANY_SOLVES else ())
    for case in BROKEN
]


@functools.cache
def verdict_on_good(preset):
    return flank.check(good(preset))


def test_every_rule_has_a_machine_that_breaks_it():
    ruled = {(kind, rule.code) for kind, rule in all_rules()}
    assert ruled == set(BROKEN)


@pytest.mark.parametrize(("kind", "code"), CASES)
def test_a_rule_trips_where_it_is_broken_and_its_remedy_passes(kind, code):
    machine = broken(BROKEN[kind, code])
    finding = flank.check(machine).found(code)
    assert finding is not None
    assert finding.changes, "no change keeps the rule"
    mended = flank.check(changed(machine, finding.changes))
    assert mended.found(code) is None
    assert any(margin.rule.code == code and margin.kept for margin in mended.margins)


@pytest.mark.parametrize(("kind", "code"), CASES)
def test_a_rule_keeps_silent_about_a_good_machine(kind, code):
    preset, _ = BROKEN[kind, code]
    verdict = verdict_on_good(preset)
    assert verdict.found(code) is None
    assert any(margin.rule.code == code and margin.kept for margin in verdict.margins)


@pytest.mark.parametrize("kind", KINDS)
def test_rules_name_figures_that_are_declared_and_codes_once(kind):
    rules = KINDS[kind].rules
    assert {rule.figure for rule in rules} <= set(KINDS[kind].figures.declared())
    assert len({rule.code for rule in rules}) == len(rules)
    for rule in rules:
        assert rule.source
        assert rule.limit_is or not callable(rule.limit)
