"""Remedies of one verdict get on with each other."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

import flank
from flank.design.company import Others, Trials
from flank.design.figure import Figures
from flank.design.registry import figures_of
from flank.design.remedy import Answer, changed, remedy_of
from flank.design.rule import Move
from flank.design.rules_of_reducers import lower_rating


@dataclass
class Told:
    """A finding that is mended by some changes, or by nothing else."""

    code: str
    changes: Mapping[str, Any]
    kept: bool = True

    def question(self, figures: Any) -> Answer:
        return Answer(self.kept)


@pytest.fixture(scope="module")
def trials() -> Trials:
    return Trials(figures_of(flank.preset("cycloidal-drive")), ())


def test_two_findings_ask_for_one_value_of_a_key() -> None:
    """Interference and load concentration of the single disc, both by the flank."""
    verdict = flank.check(flank.preset("single-disc"))
    first, second = (verdict.found(code) for code in ("negative-clearance", "load-concentration"))
    assert first is not None
    assert second is not None
    assert first.changes == second.changes != {}


@pytest.mark.parametrize("preset", ["single-disc", "planetary-lin-parker", "rv-80"])
def test_all_that_a_verdict_says_can_be_done_at_once(preset: str) -> None:
    """Nothing that is mended by a value comes back with the other values."""
    machine = flank.preset(preset)
    mended = [each for each in flank.check(machine).findings if each.changes]
    together = {key: value for each in mended for key, value in each.changes.items()}
    left = flank.check(changed(machine, together))
    assert [each.code for each in mended if left.found(each.code)] == []


def test_what_is_enlarged_for_one_is_not_reduced_for_another(trials: Trials) -> None:
    others = Others(trials, [Told("first", {"discs.width": "12 mm"})])
    assert others.forbids(Move("make it narrower", ("discs.width",), up=False))
    assert not others.forbids(Move("make it wider", ("discs.width",), up=True))
    assert not others.forbids(Move("use thinner pins", ("pins.radius",), up=False))


def test_a_value_that_is_told_before_is_tried_first(trials: Trials) -> None:
    told = {"rated_torque": "200 N*m", "operation.torque": "200 N*m"}
    others = Others(trials, [Told("first", told), Told("second", {"discs.width": "12 mm"})])
    lower = Move("rate it lower", ("rated_torque",), up=False, caps=("operation.torque",))
    assert list(others.taken(lower)) == [told]
    assert list(others.taken(Move("rate it higher", ("rated_torque",), up=True))) == []
    assert others.held("operation.torque") == pytest.approx(200.0)
    assert others.held("rated_torque") == pytest.approx(200.0)


def test_what_breaks_a_rule_that_is_kept_is_told(trials: Trials) -> None:
    alone = Others(trials, [])
    assert "thin-disc" in alone.trips({"discs.width": "2 mm"})
    assert alone.trips({"discs.width": "10 mm"}) == ()
    undone = Others(trials, [Told("first", {"discs.width": "12 mm"}, kept=False)])
    assert undone.trips({"discs.width": "10 mm"}) == ("first",)
    assert undone.trips({"pins.radius": "3.01 mm"}) == ()


@pytest.mark.parametrize(("load", "taken"), [("412 N*m", True), ("200 N*m", False)])
def test_a_rating_takes_the_load_with_it(load: str, taken: bool) -> None:
    """A lower rating alone would leave an operating point above it."""
    figures = figures_of(flank.preset("cycloidal-drive", {"operation.torque": load}))

    def question(asked: Figures) -> Answer:
        rated = asked.machine.rated_torque
        return Answer(rated <= 300.0, rated / 300.0)

    changes = remedy_of(figures, (lower_rating(1.0),), question).changes
    assert changes["rated_torque"] == "299 N*m"
    assert changes.get("operation.torque") == (changes["rated_torque"] if taken else None)


def test_a_remedy_that_breaks_another_rule_says_so() -> None:
    """Other teeth of a planetary stage overload its sun."""
    finding = flank.check(flank.preset("planetary-grc")).found("no-hunting-teeth-sun-mesh")
    assert finding is not None
    assert "weak-sun" in finding.change.trips
    assert "weak-sun" in finding.remedy
