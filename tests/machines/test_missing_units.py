"""First problem first: a missing unit is asked for, and what follows from it is not told."""

import pytest

import flank
from flank.errors import SpecError
from flank.io.spec_files import parse_assignments
from flank.presets import preset_text


def problems(name, *assignments):
    with pytest.raises(SpecError) as caught:
        flank.preset(name, parse_assignments(assignments))
    return caught.value.problems


@pytest.mark.parametrize(
    ("name", "assignment", "sentence"),
    [
        (
            "cycloidal-drive",
            "eccentricity=1.3",
            "eccentricity: 1.3 without a unit is 1.3 m; did you mean '1.3 mm'?",
        ),
        (
            "cycloidal-drive",
            "eccentricity=0.75",
            "eccentricity: 0.75 without a unit is 0.75 m; did you mean '0.75 mm'?",
        ),
        ("cycloidal-drive", "pins={count: 40, circle_radius: 64, radius: 3 mm}", "pins.circle_rad"),
        ("cycloidal-drive", "discs.equidistant=5", "discs.equidistant: 5 without a unit is 5 m"),
        ("rv-320", "eccentricity='2.2'", "eccentricity: 2.2 without a unit is 2.2 m"),
        ("rv-320", "first_stage.pressure_angle=20", "did you mean '20 deg'?"),
        ("cv-joint", "balls.diameter=17.5", "balls.diameter: 17.5 without a unit is 17.5 m"),
        (
            "rv-320",
            "operation.input_speed=1815",
            "operation.input_speed: 1815 without a unit would be 1815 rad/s = 17332 rpm; "
            "write '1815 rpm'",
        ),
        ("cv-joint", "operation.speed=300", "write '300 rpm'"),
    ],
)
def test_one_sentence_about_the_unit(name, assignment, sentence):
    found = problems(name, assignment)
    assert len(found) == 1
    assert sentence in found[0]


def test_a_file_is_asked_too(tmp_path):
    (tmp_path / "my.yaml").write_text(
        preset_text("cycloidal-drive").replace("eccentricity: 1.3 mm", "eccentricity: 0.9")
    )
    with pytest.raises(SpecError) as caught:
        flank.load(tmp_path / "my.yaml")
    assert caught.value.problems == [
        "eccentricity: 0.9 without a unit is 0.9 m; did you mean '0.9 mm'?"
    ]


def test_independent_mistakes_are_both_told():
    found = problems("cycloidal-drive", "eccentricity=0.75", "discs.material=stel")
    assert len(found) == 2
    assert found[0].startswith("eccentricity: 0.75 without a unit")
    assert found[1].startswith("discs.material: 'stel' is not a material")
    assert len(problems("cycloidal-drive", "eccentricity=1.3", "pins.count=2")) == 2


@pytest.mark.parametrize(
    ("name", "assignment", "key"),
    [
        ("cycloidal-drive", "eccentricity=13 mm", "eccentricity is 13 mm"),
        ("rv-320", "eccentricity=22 mm", "eccentricity is 22 mm"),
        ("rv-320", "cranks.pin_radius=225 mm", "cranks.circle_radius 63 mm plus the disc hole"),
        ("cv-joint", "pitch_circle_diameter=6 mm", "pitch_circle_diameter is 6 mm"),
    ],
)
def test_what_follows_from_a_wrong_number_is_not_told(name, assignment, key):
    found = problems(name, assignment)
    assert len(found) == 1
    assert found[0].startswith(key)


def test_numbers_in_si_are_read():
    changes = parse_assignments(["eccentricity=0.0012", "operation.input_speed=0"])
    assert flank.preset("cycloidal-drive", changes).spec.eccentricity == 0.0012


def test_numbers_out_of_python_are_si():
    drive = flank.preset(
        "cycloidal-drive", {"operation.input_speed": 157.0, "eccentricity": 0.0012}
    )
    assert drive.spec.operation.input_speed == 157.0
    with pytest.raises(SpecError, match=r"eccentricity is 1300 mm; it must be less than 1\.6"):
        flank.preset("cycloidal-drive", {"eccentricity": 1.3})
    mapping = drive.spec.to_mapping(units=False)
    assert type(drive.spec).from_mapping(mapping) == drive.spec
