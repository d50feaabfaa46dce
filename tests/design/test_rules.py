"""Every rule trips on a machine that breaks it and on none that keeps it, and its remedy, applied
as it is written, passes."""

import pytest

from flank.design.registry import KINDS, all_rules, figures_of, rules_of
from flank.design.remedy import asked_by, changed, remedy_of
from tests.helpers.broken_designs import CASES

SLOW = ("hypoid-pair", "spatial-gear-pair")
"""Kinds that have rules and figures in common with another one."""

MANY_SOLVES = ("bevel-pair", "edge-bears"), ("bevel-pair", "mesh-resonance")
"""Rules whose remedies are sought by a dozen loaded contacts."""

DAILY = [
    pytest.param(*case, marks=pytest.mark.nightly if case[0] in SLOW or case in MANY_SOLVES else ())
    for case in CASES
]


def ruled(machine, code):
    """The rule, the machine's figures, and the figure with its limit."""
    (rule,) = [rule for rule in rules_of(machine) if rule.code == code]
    figures = figures_of(machine)
    return rule, figures, figures.value(rule.figure), rule.limit_of(figures)


def test_every_rule_has_a_machine_that_breaks_it():
    """A rule that several kinds of machine share is broken once."""
    broken = {
        id(rule)
        for (_, code), case in CASES.items()
        for rule in rules_of(case.good_machine())
        if rule.code == code
    }
    assert [(kind, rule.code) for kind, rule in all_rules() if id(rule) not in broken] == []


@pytest.mark.parametrize(("preset", "code"), DAILY)
def test_a_rule_keeps_silent_about_a_good_machine(preset, code):
    rule, _, value, limit = ruled(CASES[preset, code].good_machine(), code)
    assert value is not None
    assert limit is not None
    assert value == value  # known
    assert rule.kept(value, limit)
    assert rule.margin(value, limit) >= 0


@pytest.mark.parametrize(("preset", "code"), DAILY)
def test_a_rule_trips_where_it_is_broken_and_its_remedy_passes(preset, code):
    machine = CASES[preset, code].broken_machine()
    rule, figures, value, limit = ruled(machine, code)
    assert not rule.kept(value, limit)
    assert rule.margin(value, limit) < 0
    change = remedy_of(figures, rule.remedies, asked_by(rule))
    assert change.changes
    rule, _, value, limit = ruled(changed(machine, change.changes), code)
    assert value is not None
    assert rule.kept(value, limit)


@pytest.mark.parametrize("kind", KINDS)
def test_rules_name_figures_that_are_declared_and_codes_once(kind):
    rules = KINDS[kind].rules
    assert {rule.figure for rule in rules} <= set(KINDS[kind].figures.declared())
    assert len({rule.code for rule in rules}) == len(rules)
    for rule in rules:
        assert rule.source
        assert rule.limit_is or not callable(rule.limit)
        assert rule.remedies


@pytest.mark.parametrize("kind", ["cycloidal-drive", "few-teeth-reducer", "rv-reducer"])
def test_there_are_thirty_rules_and_more_of_each_kind(kind):
    assert len(KINDS[kind].rules) >= 30
