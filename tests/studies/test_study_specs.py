"""What is wrong with a study is told in one sentence, before anything is computed."""

import re
from contextlib import nullcontext
from pathlib import Path

import pytest
from studies_made import PINS

import flank
from flank.api import check_study
from flank.errors import SpecError
from flank.units import as_written


def refusal(changes, **varies):
    data = {**PINS, **changes}
    if varies:
        data["varies"] = {name.replace("__", "."): each for name, each in varies.items()}
    with pytest.raises(SpecError) as caught:
        check_study(as_written(data)).limits  # noqa: B018
    return "\n".join(caught.value.problems)


@pytest.mark.parametrize(
    ("varies", "words"),
    [
        ({"errors__pin_radiall": {}}, "did you mean 'pin_radial'?"),
        ({"pin_radial": {}}, "did you mean 'errors.pin_radial'?"),
        ({"eccentricty": {}}, "did you mean 'eccentricity'?"),
        ({"pins__diameter": {}}, "give pins.radius"),
        ({"errors__pin_radial__41": {}}, "numbered 1 to 40"),
        ({"errors__pin_radial__0": {}}, "counted from 1"),
        ({"title": {}}, "only numbers vary"),
        ({"pins__count": {"low": 39, "high": 41}}, "use a discrete distribution"),
        ({"eccentricity": {}}, "low is missing"),
        ({"eccentricity": {"distribution": "normal"}}, "deviation is missing"),
        ({"errors__pin_radial": {"deviation": "1 um"}}, "deviation does nothing in a uniform"),
        (
            {"errors__pin_radial": {"distribution": "gaussian"}},
            "'gaussian' is not one of the choices",
        ),
        ({"errors__pin_radial": {"low": "2 um", "high": "1 um"}}, "low must be less"),
        ({"errors__pin_radial": {"low": "-2 N"}}, "is a force; a length is needed"),
        ({"errors__pin_radial": {"distribution": "normal", "deviation": "-1 um"}}, "more than 0"),
        ({"errors__pin_radial": {"spread": "1 um"}}, "spread is not a key"),
        ({"errors__pin_radial": {"within": "disc"}}, "within is 'disc'; here it may be pin"),
        (
            {"errors__pin_radial": {}, "errors__pin_radial__3": {}},
            "errors.pin_radial.3 would be drawn twice",
        ),
        (
            {"errors__pin_radial": {"distribution": "measured", "file": "no.csv", "column": "x"}},
            "no.csv does not exist",
        ),
        (
            {
                "errors__pin_radial": {
                    "distribution": "discrete",
                    "values": [1e-6],
                    "weights": [1, 2],
                }
            },
            "give one weight for every value",
        ),
    ],
    ids=lambda value: "",
)
def test_what_varies(varies, words):
    assert words in refusal({}, **varies)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"asks": {"hysteresys": {}}}, "did you mean 'hysteresis'?"),
        ({"asks": {"joint-turns": {}}}, "joint-turns needs balls in tracks"),
        ({"asks": {"hysteresis": {"point_per_stage": 5}}}, "did you mean 'points_per_stage'?"),
        ({"asks": {}}, "asks is empty"),
        ({"keeps": ["loop_angel"]}, "did you mean 'loop_angle'?"),
        ({"limits": {"lost_moton": {"at_most": "1 arcmin"}}}, "did you mean 'lost_motion'?"),
        ({"limits": {"lost_motion": {"at_most": "1 mm"}}}, "is a length; an angle is needed"),
        ({"limits": {"lost_motion": {}}}, "at_most is missing"),
        ({"limits": {"lost_motion": {"at_most": 1}}}, "1 rad; did you mean '1 arcmin'?"),
        (
            {"limits": {"lost_motion": {"at_most": "1 arcmin", "at_least": "2 arcmin"}}},
            "at_least is 2 arcmin and at_most 1 arcmin, so no sample could keep it",
        ),
        ({"sampling": "corners"}, "samples does nothing with corners"),
        ({"sampling": "sobol-indices"}, "a power of two with sobol-indices, as 32"),
        ({"sample": 5}, "did you mean 'samples'?"),
        ({"samples": None}, "samples is missing"),
        ({"confidence": 1.0}, "between 0 and 1"),
        ({"machine": "cycloidal-drve"}, "cycloidal-drve"),
        ({"changes": {"eccentricty": "1 mm"}}, "did you mean 'eccentricity'?"),
    ],
    ids=lambda value: "",
)
def test_what_is_asked(changes, words):
    assert words in refusal(changes)


def test_the_share_of_refused_draws_is_told_beforehand():
    """15.9 % of a normal distribution lie more than a deviation below its mean."""
    varies = {"friction__pins": {"distribution": "normal", "mean": 0.05, "deviation": 0.05}}
    words = refusal({}, **varies)
    assert "friction.pins: 0.159 of its draws leave what is allowed, at least 0" in words
    assert "allow_refused: true" in words
    data = {
        **PINS,
        "varies": {"friction.pins": varies["friction__pins"]},
        "allow_refused": True,
    }
    study = check_study(data)
    assert "0.159 of the samples" in study.refusals[0]
    refused = sum(outcome.status == 3 for outcome in study.sampler.outcomes(0, 24))
    assert 0 < refused < 12


def test_errors_of_many_parts_refuse_more_samples_than_draws():
    varies = {"errors__pin_radial": {"distribution": "normal", "deviation": "0.2 mm"}}
    assert "0.0124 of its draws" in (words := refusal({}, **varies))
    assert "about 0.393 of the samples" in words


def test_a_distribution_that_is_never_allowed_refuses_all_samples():
    words = refusal({}, friction__pins={"low": -2, "high": -1})
    assert "all of its draws leave" in words
    assert "so all of the samples would be refused" in words
    nearly = {"distribution": "normal", "mean": -0.5, "deviation": 0.1}
    assert "so nearly all of the samples would be" in refusal({}, friction__pins=nearly)


def test_a_tolerance_that_varies_would_do_nothing():
    words = refusal({}, tolerances__pin_radial={"low": "1 um", "high": "2 um"})
    assert "a tolerance changes no machine" in words
    assert "vary errors.pin_radial" in words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty; its first line names the columns"),
        ("radius\n3\n-2\n", "has no unit, so its numbers are m, which none of them can be, as 3"),
    ],
    ids=["empty", "without a unit"],
)
def test_measured_columns(text, words, tmp_path):
    (file := tmp_path / "pins.csv").write_text(text)
    given = {"distribution": "measured", "file": str(file), "column": "radius"}
    (sentence,) = refusal({}, errors__pin_radius=given).splitlines()
    assert words in sentence


WIDE = {"low": "1.2 mm", "high": "3 mm"}


def test_the_share_refused_by_rules_between_keys_is_told_with_its_interval():
    """From an eccentricity of 1.48 mm on pins undercut the flank, from 1.6 mm on it crosses
    itself; the first is 1.52 / 1.8 of this range."""
    for eccentricity in (1.47e-3, 1.48e-3):
        accepted = eccentricity < 1.475e-3
        with nullcontext() if accepted else pytest.raises(SpecError, match="undercuts"):
            flank.preset("cycloidal-drive", {"eccentricity": eccentricity})
    (sentence,) = refusal({"samples": 1000}, eccentricity=WIDE).splitlines()
    told = re.fullmatch(
        r"varies: ([0-9]+) of 100 samples that were tried would be refused, so ([0-9.]+) to "
        r"([0-9.]+) of all \(95% confidence\); most often.*: (.*); narrow what varies, or say "
        r"allow_refused: true",
        sentence,
    )
    count, low, high = map(float, told.groups()[:3])
    assert low <= 1.52 / 1.8 <= high
    assert low < count / 100 < high < 1
    assert "less than 1.6 mm" in told.group(4)


def test_refused_samples_that_are_allowed_are_told_and_counted():
    study = check_study({**PINS, "varies": {"eccentricity": WIDE}, "allow_refused": True})
    (sentence,) = study.refusals
    refused = sum(outcome.status == 3 for outcome in study.sampler.outcomes(0, 24))
    assert f"{refused} of 24 samples that were tried would be refused" in sentence


def test_a_grid_is_tried_from_end_to_end():
    """Its first samples would all be allowed."""
    wide = {**WIDE, "points": 400}
    assert "of 100 samples" in refusal({"sampling": "grid", "samples": None}, eccentricity=wide)


def test_files_among_the_examples_are_studies():
    folder = Path(__file__).parents[2] / "examples"
    samples = {file.stem: check_study(file).samples for file in folder.glob("*.yaml")}
    assert samples == {"study": 200, "rv_pins": 200}


def test_a_machine_that_fails_by_itself_is_refused():
    words = refusal({"asks": {"hysteresis": {"torque": "1e9 N*m", "points_per_stage": 5}}})
    assert "the machine itself, with nothing varied, fails" in words
