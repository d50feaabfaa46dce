"""A key that a spec does not have is answered with the one that was meant."""

import pytest

import flank
from flank.errors import SpecError
from flank.io.spec_files import read_spec_text
from flank.machines.registry import machine_from_mapping
from flank.presets import preset_text


def problem(name, changes):
    with pytest.raises(SpecError) as caught:
        flank.preset(name, changes)
    assert len(caught.value.problems) == 1
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "changes", "hint"),
    [
        ("cycloidal-drive", {"pin_count": 30}, "did you mean 'pins.count'?"),
        ("cycloidal-drive", {"pin_radius": "3 mm"}, "did you mean 'pins.radius'?"),
        ("cycloidal-drive", {"speed": "3 rpm"}, "did you mean 'operation.input_speed'?"),
        ("cycloidal-drive", {"pins.cuont": 30}, "did you mean 'count'?"),
        ("cycloidal-drive", {"pins.diameter": "6 mm"}, "give pins.radius: 3 mm, half of it."),
        ("cycloidal-drive", {"pins.diameter": "big"}, "give pins.radius, half of it."),
        (
            "cycloidal-drive",
            {"pins.circle_diameter": "128 mm"},
            "give pins.circle_radius: 64 mm, half of it.",
        ),
        ("cv-joint", {"balls.radius": "8 mm"}, "give balls.diameter: 16 mm, twice of it."),
        ("cycloidal-drive", {"ratio": 29}, "follows from pins.count: for 29 give pins.count: 30"),
        ("cycloidal-drive", {"ratio": "x"}, "follows from pins.count, one more than the ratio"),
        ("cycloidal-drive", {"discs.lobes": 29}, "for 29 give pins.count: 30"),
        ("rv-320", {"ratio": 121}, "follows from pins.count and the first stage"),
        ("few-teeth-60", {"gear_ratio": 30}, "follows from discs.teeth / (ring.teeth"),
        ("planetary-500kw", {"ratio": 5}, "1 + ring.teeth / sun.teeth"),
        ("cv-joint", {"ratio": 1}, "both races of a joint turn alike"),
        ("rv-320", {"first_stage.sun.teeth": 18}, "did you mean 'sun_teeth'?"),
        ("rv-320", {"sun.teeth": 18}, "did you mean 'first_stage.sun_teeth'?"),
        ("planetary-500kw", {"module": "3 mm"}, "did you mean 'rack.normal_module'?"),
        ("planetary-500kw", {"sun_mesh.separation": "maybe"}, "true or false is needed"),
        ("cycloidal-drive", {"qqqq": 1}, "is not a key of the spec. Allowed: machine"),
    ],
)
def test_hint(name, changes, hint):
    assert hint in problem(name, changes)


def test_the_key_that_was_meant_is_not_missing_too():
    data = read_spec_text(preset_text("cycloidal-drive"))
    data["pins"]["diameter"] = data["pins"].pop("radius")
    with pytest.raises(SpecError) as caught:
        machine_from_mapping(data)
    assert len(caught.value.problems) == 1
    assert "give pins.radius: 1.5 mm, half of it" in str(caught.value)


def test_a_block_without_its_colons():
    data = read_spec_text(preset_text("cycloidal-drive")) | {"pins": "count:40"}
    with pytest.raises(SpecError, match="each key followed by a colon and a space"):
        machine_from_mapping(data)


@pytest.mark.parametrize("machine", [["x"], {"a": 1}, 3, True, "\x1b"])
def test_what_is_no_machine(machine):
    with pytest.raises(SpecError, match="is not a machine"):
        machine_from_mapping({"machine": machine})


def test_many_unknown_keys_are_told_in_short():
    data = {"machine": "cycloidal-drive", **{f"key{k}": 1 for k in range(50_000)}}
    with pytest.raises(SpecError) as caught:
        machine_from_mapping(data)
    assert len(caught.value.problems) == 21
    assert caught.value.problems[-1].startswith("... and ")


@pytest.mark.parametrize(
    ("name", "changes", "words"),
    [
        ("planetary-500kw", {"sun.mass": 1e300}, "sun.mass: 1e+300 is given; it must be at most"),
        ("cv-joint", {"outer.outer_diameter": "1e300 mm"}, "it must be at most 1e+06 mm"),
        ("rv-40", {"cranks.circle_radius": "2000 m"}, "it must be at most 1e+06 mm"),
        ("rv-40", {"pins.radius": "1e-30 mm"}, "it must be at least 1e-06 mm"),
        ("rv-320", {"pins.count": 10**7}, "10000000 is given; at most 1000"),
        ("rv-320", {"pins.count": 10**400}, "a number of very many digits is given"),
        ("rv-320", {"turning_arm.count": None, "turning_arm.radius": "1 um"}, "would fill the"),
        ("rv-320", {"main_bearings.ball_radius": "1 um"}, "balls would fill the bearing"),
        (
            "cycloidal-drive",
            {
                "pins.count": 300,
                "eccentricity": "0.1 mm",
                "pins.radius": "0.2 mm",
                "discs.profile": "polyline",
                "discs.segments_per_lobe": 9000,
            },
            "which is 2691000 in all; with 299 lobes use at most 3344",
        ),
        ("rv-320", {"title": "a\0b"}, "'a\\x00b' has the character \\x00"),
        ("rv-320", {"title": "x" * 300}, "title has 300 characters; use at most 200"),
    ],
)
def test_bounds(name, changes, words):
    assert words in problem(name, changes)
