"""A search gives the same shortlist whatever the order of its candidates, each design of which
loads, passes `flank check` and runs."""

import random

import pytest

import flank
from flank.design.candidate import Fallen
from flank.design.designable import DESIGNABLE
from flank.design.designing import best_of_each, find_designs
from flank.design.falls import Falls
from flank.design.kinds.cycloidal import CycloidalDesigner
from flank.design.requirements import CycloidalRequirements
from flank.errors import SpecError
from flank.machines.registry import machine_from_mapping

WANTED = {
    "ratio": 11,
    "torque": "20 N*m",
    "outer_diameter": "120 mm",
    "tolerance": "8 um",
    "designs": 2,
    "draws": 3,
}


class Quick(CycloidalDesigner):
    """Few trials; candidates in an order of chance."""

    heads, evaluations, order = 3, 7, 0

    def candidates(self, falls):
        found = list(super().candidates(falls))
        random.Random(self.order).shuffle(found)
        return found


class Shuffled(Quick):
    order = 1


def wanted(**more):
    return CycloidalRequirements.from_mapping(WANTED | more)


@pytest.fixture(scope="module")
def shortlist():
    return find_designs(Quick(wanted()))


def test_neither_the_order_of_candidates_nor_a_killed_search_matters(shortlist):
    def kill(share, words):
        if words == "refining":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        find_designs(Shuffled(wanted()), kill)
    again = find_designs(Shuffled(wanted()))
    assert again.specs == shortlist.specs
    assert list(again.falls) == list(shortlist.falls)


def test_designs_differ_in_whole_numbers_and_are_ranked(shortlist):
    assert len(shortlist.designs) == 2
    assert len({design.candidate.numbers for design in shortlist.designs}) == 2
    volumes = [design.measured.envelope.volume for design in shortlist.designs]
    assert volumes == sorted(volumes)
    assert max(design.measured.envelope.diameter for design in shortlist.designs) <= 0.12


def test_every_design_loads_and_passes_check(shortlist):
    for spec, design in zip(shortlist.specs, shortlist.designs, strict=True):
        machine = machine_from_mapping(spec)
        assert flank.check(machine).light == "green"
        assert machine.ratio == -11
        assert design.verification.passed
        assert design.verification.complete == 3


def test_limits_are_kept_by_the_solves_of_an_analysis():
    asked = wanted(backlash="16 arcmin", rank="play", designs=1, draws=0)
    (design,) = find_designs(Quick(asked)).designs
    loop = flank.run(design.machine, "hysteresis")
    assert float(loop["backlash"]) <= asked.backlash
    assert float(loop["largest_pin_pressure"]) <= asked.allowed_pressure


def test_candidates_that_fall_are_counted_by_reason(shortlist):
    assert shortlist.enumerated == shortlist.falls.total + len(shortlist.designs)
    falls = Falls()
    for words, excess in (("b", 1.3), ("a", 1.1), ("c", 1.2)):
        Fallen("too-large", excess, words).tell(falls)
    ((code, reason),) = falls
    assert (code, reason.count, reason.nearest, reason.words) == ("too-large", 3, 1.1, "a")


def test_the_first_of_every_set_of_whole_numbers_is_its_head():
    found = sorted(CycloidalDesigner(wanted()).candidates(Falls()), key=lambda each: each.order)
    heads = best_of_each(found)
    assert len({each.numbers for each in heads}) == len(heads)
    assert heads[0] is found[0]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"ratio": 29.4}, "nearest are 29 and 30"),
        ({"ratio": 2}, "nearest is 5"),
        ({"ratio": 400}, "nearest is 119"),
        ({"outer_diameter": "20 mm"}, "no design found; .*across needed"),
        ({"length": "4 mm"}, "envelope"),
        ({"bore": "70 mm", "outer_diameter": "80 mm"}, "no design found"),
    ],
)
def test_what_cannot_be_is_refused_with_what_limits_it(given, sentence):
    with pytest.raises(SpecError, match=sentence):
        find_designs(Quick(wanted(**given)))


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"input_speed": "100 rpm", "output_speed": "10 rpm"}, "leave one of the three out"),
        ({"bore": "130 mm"}, "the hole must be smaller"),
        ({"peak_torque": "10 N*m"}, "less than the rated torque"),
        ({"operating_torque": "60 N*m"}, "rate it for what it runs on with"),
        ({"torque": "50 mm"}, "torque"),
        ({"tolerance": "IT99"}, "tolerance: 'IT99' is given; grades"),
        ({"tolerance": "fine"}, "give a length as 10 um, or a grade as IT6"),
        ({"ratio": None}, "ratio is missing"),
        ({"rotio": 3}, "rotio"),
        ({"output_speed": "0 rpm"}, "a machine that stands has no ratio"),
    ],
)
def test_requirements_that_contradict_each_other_are_refused(given, sentence):
    given = {name: value for name, value in (WANTED | given).items() if value is not None}
    with pytest.raises(SpecError, match=sentence):
        CycloidalRequirements.from_requirements(given, "cycloidal")


@pytest.mark.parametrize("rank", ["play", "stiffness"])
def test_drives_ranked_by_play_or_stiffness_fill_their_envelope(rank):
    first = {}
    for by in ("size", rank):
        found = CycloidalDesigner(wanted(rank=by)).candidates(Falls())
        first[by] = min(found, key=lambda each: each.order).values[0]
    assert first["size"] < 0.8 * first[rank]
    assert 0.045 < first[rank] < 0.06


@pytest.mark.parametrize("kind", DESIGNABLE)
def test_contradicting_requirements_of_every_kind_are_refused(kind):
    needed = {"torque": "20 N*m"}
    needed |= {"deflection": "4 deg"} if kind == "cv-joint" else {"ratio": 4}
    for given, sentence in (
        ({"peak_torque": "10 N*m"}, "less than the rated torque"),
        ({"bore": "130 mm", "outer_diameter": "120 mm"}, "the hole must be smaller"),
        ({"torqe": "3 N*m"}, f"a requirement of {kind}"),
    ):
        with pytest.raises(SpecError, match=sentence):
            DESIGNABLE[kind].designer_of(needed | given, kind)


def test_speeds_make_a_ratio():
    given = {name: value for name, value in WANTED.items() if name != "ratio"}
    speeds = {"input_speed": "330 rpm", "output_speed": "-30 rpm"}
    assert CycloidalRequirements.from_mapping(given | speeds).wanted_ratio == pytest.approx(11)


def test_a_designed_drive_names_the_process_by_whose_guides_it_is_judged():
    given = {name: value for name, value in WANTED.items() if name != "tolerance"}
    asked = CycloidalRequirements.from_mapping(given | {"process": "machined"})
    designer = CycloidalDesigner(asked)
    candidate = min(designer.candidates(Falls()), key=lambda each: each.order)
    spec = designer.spec(candidate, candidate.values)
    assert spec["making"] == {"process": "machined"}
    assert asked.deviation == machine_from_mapping(spec).spec.making.guides.position
