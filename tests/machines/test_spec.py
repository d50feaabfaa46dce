"""The base of all specs: sentences, round trips and dotted changes, on a small spec of its own."""

import pickle
from typing import Annotated, Literal

import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from flank.errors import SpecError, nearest, suggestion
from flank.machines.quantities import (
    LARGEST,
    SMALLEST_LENGTH,
    Angle,
    AngularSpeed,
    Deviation,
    Fraction,
    Index,
    Length,
    PositiveLength,
    WholeNumber,
)
from flank.machines.spec import Spec

Count = Annotated[int, WholeNumber(minimum=1)]


class Wheel(Spec):
    count: Count = Field(description="the number of teeth", examples=[40])
    radius: PositiveLength = Field(description="the radius", examples=["3 mm"])
    finish: Literal["ground", "hobbed"] = "ground"
    errors: dict[Index, Deviation] = {}  # noqa: RUF012 - pydantic copies defaults

    def cross_checks(self):
        if self.finish == "hobbed" and self.errors:
            yield "errors does nothing with hobbed teeth; remove it"
        if self.finish == "hobbed" and self.count > 50:
            yield "count must be at most 50 with hobbed teeth"


class Pair(Spec):
    name: str = "pair"
    notes: tuple[str, ...] = ()
    wheel: Wheel = Field(description="the wheel")
    other: Wheel | None = None
    spare: dict[str, Wheel] = {}  # noqa: RUF012
    offset: Length = 0.0
    pressure_angle: Angle = 0.25
    speed: AngularSpeed | None = None
    share: Fraction = 0.5


DATA = {"wheel": {"count": 40, "radius": "3 mm"}}


def problems(data, model=Pair):
    with pytest.raises(SpecError) as caught:
        model.from_mapping(data)
    assert str(caught.value) == "\n".join(caught.value.problems)
    return caught.value.problems


def wheel(**changes):
    return {"wheel": {**DATA["wheel"], **changes}}


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (
            {"wheel": {"count": 40, "raduis": "3 mm"}},
            "wheel.raduis is not a key of wheel; did you mean 'radius'? "
            "Allowed: count, radius, finish, errors",
        ),
        ({**DATA, "whel": 3}, "whel is not a key of the spec; did you mean 'wheel'? Allowed: name"),
        ({**DATA, "xyz": 3}, "xyz is not a key of the spec. Allowed: name"),
        (
            {"wheel": {"radius": "3 mm"}},
            "wheel.count is missing: give the number of teeth, for example 'count: 40'",
        ),
        (wheel(count=None), "wheel.count is missing: give the number of teeth"),
        ({}, "wheel is missing: give the wheel, a block with the keys count, radius"),
        (
            wheel(finish="grund"),
            "wheel.finish: 'grund' is not one of the choices; did you mean 'ground'? "
            "Choices: 'ground', 'hobbed'",
        ),
        (wheel(finish=3), "wheel.finish: 3 is not one of the choices. Choices: 'ground'"),
        (wheel(radius="3 N"), "wheel.radius: '3 N' is a force; a length is needed"),
        (wheel(radius="0 mm"), "wheel.radius: '0 mm' is given; it must be more than 0 mm"),
        (wheel(radius=-3), "wheel.radius: -3 is given, which is -3000 mm; it must be more"),
        (wheel(radius=True), "wheel.radius: true is given; a length is needed"),
        ({**DATA, "share": 1.5}, "share: 1.5 is given; it must be at most 1"),
        ({**DATA, "share": "-1 %"}, "share: '-1 %' is given; it must be at least 0"),
        (wheel(count=0), "wheel.count: 0 is given; a whole number of at least 1 is needed"),
        (wheel(count=4.5), "wheel.count: 4.5 is given; a whole number"),
        (wheel(count=True), "wheel.count: true is given; a whole number"),
        (wheel(count="many"), "wheel.count: 'many' is given; a whole number"),
        (wheel(errors={"a": "5 um"}), "wheel.errors.a: 'a' is given; a whole number"),
        (wheel(errors={3: "5 N"}), "wheel.errors.3: '5 N' is a force"),
        (wheel(errors=[1]), "wheel.errors: a list is given; a block of keys is needed"),
        ({"wheel": 3}, "wheel: 3 is given; a block of keys is needed"),
        ({**DATA, "name": 3}, "name: 3 is given; text is needed"),
        ({**DATA, "notes": "x"}, "notes: 'x' is given; a list is needed"),
        ({**DATA, "spare": {"a": {"count": 3, "radius": 1, "x": 1}}}, "spare.a.x is not a key of"),
        ({**DATA, 3: 4}, "3: this key is not text"),
        (
            wheel(finish="hobbed", errors={1: "1 um"}),
            "wheel.errors does nothing with hobbed teeth; remove it",
        ),
        ([], "the spec is a list; a block of keys is needed"),
        (None, "the spec is nothing; a block of keys is needed"),
    ],
)
def test_refuses_with_one_sentence(data, sentence):
    found = problems(data)
    assert len(found) == 1
    assert found[0].startswith(sentence)
    assert "\n" not in found[0]


def test_every_problem_is_told_at_once():
    found = problems({"wheel": {"count": 0, "radius": "3 N"}, "share": 2, "shape": 1})
    assert len(found) == 4
    both = wheel(finish="hobbed", errors={1: "1 um"}, count=60)
    assert len(problems(both)) == 2


def test_from_mapping_leaves_its_input_alone():
    data = wheel(errors={3: "5 um"}, finish=None)
    Pair.from_mapping(data)
    assert data == wheel(errors={3: "5 um"}, finish=None)


def test_specs_are_frozen():
    spec = Pair.from_mapping(DATA)
    with pytest.raises(pydantic.ValidationError, match="frozen"):
        spec.offset = 1.0


def test_to_mapping_shows_units_and_leaves_out_what_is_empty():
    spec = Pair.from_mapping({**wheel(errors={3: 5e-6}), "offset": 0.0013, "speed": "1500 rpm"})
    assert spec.to_mapping() == {
        "name": "pair",
        "wheel": {"count": 40, "radius": "3 mm", "finish": "ground", "errors": {3: "5 um"}},
        "offset": "1.3 mm",
        "pressure_angle": "14.32394487827058 deg",
        "speed": "1500 rpm",
        "share": 0.5,
    }
    assert spec.to_mapping(units=False)["offset"] == 0.0013


LENGTHS = st.floats(-LARGEST["m"], LARGEST["m"])
WHEELS = st.builds(
    Wheel,
    count=st.integers(1, 10**6),
    radius=st.floats(SMALLEST_LENGTH, LARGEST["m"]),
    errors=st.dictionaries(st.integers(0, 99), LENGTHS),
)


@given(
    st.builds(
        Pair,
        name=st.text(),
        notes=st.lists(st.text()).map(tuple),
        wheel=WHEELS,
        other=st.none() | WHEELS,
        spare=st.dictionaries(st.text(), WHEELS, max_size=2),
        offset=LENGTHS,
        pressure_angle=st.floats(-10.0, 10.0),
        speed=st.none() | st.floats(-1e6, 1e6),
        share=st.floats(0.0, 1.0),
    ),
    st.booleans(),
)
def test_round_trip_is_exact(spec, with_units):
    assert Pair.from_mapping(spec.to_mapping(units=with_units)) == spec


def test_with_changes_sets_dotted_keys():
    spec = Pair.from_mapping(wheel(errors={3: "5 um"}))
    changed = spec.with_changes(
        {"offset": "1.31 mm", "wheel.count": 41, "wheel.errors.3": "6 um", "wheel.errors.4": 1e-6}
    )
    assert changed.offset == 0.00131
    assert changed.wheel.count == 41
    assert changed.wheel.errors == {3: 6e-6, 4: 1e-6}
    assert spec.wheel.count == 40


def test_with_changes_takes_keys_away():
    spec = Pair.from_mapping({**wheel(errors={3: "5 um"}), "offset": 1.0, "speed": 2.0})
    changed = spec.with_changes(
        {"offset": None, "speed": None, "wheel.errors.3": None, "other": None}
    )
    assert changed == Pair.from_mapping(DATA)


def test_with_changes_does_not_write_into_the_given_block():
    block = {"count": 3, "radius": 1.0}
    changed = Pair.from_mapping(DATA).with_changes({"other": block, "other.count": 4})
    assert changed.other.count == 4
    assert block["count"] == 3


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"wheel.cuont": 3}, "wheel.cuont is not a key of wheel; did you mean 'count'?"),
        ({"wheels.count": 3}, "wheels is not a key of the spec; did you mean 'wheel'?"),
        ({"offzet": None}, "offzet is not a key of the spec; did you mean 'offset'?"),
        ({"offset.x": 3}, "offset.x cannot be set: offset is a value, not a block"),
        ({"wheel..count": 3}, "'wheel..count' is not a key"),
        ({"": 3}, "'' is not a key"),
        ({3: 3}, "3 is not a key of the spec"),
        ({"wheel.radius": None}, "wheel.radius is missing: give the radius"),
        ({"offset": "1 deg"}, "offset: '1 deg' is an angle; a length is needed"),
    ],
)
def test_with_changes_refuses_with_one_sentence(changes, sentence):
    with pytest.raises(SpecError) as caught:
        Pair.from_mapping(DATA).with_changes(changes)
    assert len(caught.value.problems) == 1
    assert str(caught.value).startswith(sentence)


def test_spec_error_survives_a_process_boundary():
    error = pickle.loads(pickle.dumps(SpecError(["one", "two"])))
    assert error.problems == ["one", "two"]
    assert str(error) == "one\ntwo"
    assert SpecError("one").problems == ["one"]


def test_nearest_ignores_case_and_far_words():
    assert nearest("WIDHT", ["count", "width"]) == "width"
    assert nearest("zzz", ["count", "width"]) is None
    assert suggestion("zzz", ["count"]) == "."
