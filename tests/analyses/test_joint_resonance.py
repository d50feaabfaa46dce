"""Orders of a joint against natural frequencies: closed forms, margins, what is told."""

import math

import numpy as np
import pytest

import flank
from flank.analyses.joint_resonance import axial_orders
from flank.errors import SpecError
from flank.plots import figures

SLIDING = {"operation.plunge": {"kind": "free", "shaft_mass": "2.5 kg"}}
DRIVELINE = {"tunnel": "24 Hz", "propeller shaft": "130 Hz"}


def resonance(changes=None, **settings):
    machine = flank.preset("cv-joint-marter", SLIDING | (changes or {}))
    return machine, flank.run(machine, "joint-resonance", **settings)


@pytest.fixture(scope="module")
def driven():
    return resonance(driveline=DRIVELINE)


def test_the_axial_mode_is_that_of_a_mass_on_the_joint(driven):
    """6.5 N/um were computed independently by statics; balls and cage go half as far."""
    machine, result = driven
    assert result["axial_stiffness"] == pytest.approx(6.5e6, rel=0.01)
    parts = machine.masses
    mass = parts.inner.mass + 2.5 + 0.25 * (parts.cage.mass + 8 * parts.ball.mass)
    alone = math.sqrt(result["axial_stiffness"] / mass) / (2 * math.pi)
    assert result["frequency"].values[0] == pytest.approx(alone, rel=2e-3)
    assert result["axial_share"].values[0] == pytest.approx(1.0, abs=1e-3)


def test_margins_and_critical_speeds_follow_from_orders(driven):
    _, result = driven
    np.testing.assert_allclose(result["order"], [4, 12, 20, 28])
    np.testing.assert_allclose(result["excitation"], [20, 60, 100, 140])
    np.testing.assert_allclose(result["margin"], [0.2, -0.6, 0.3, -10 / 140], rtol=1e-9)
    assert list(result["verdict"].values) == ["yes", "yes", "yes", "no"]
    critical = result["critical_speed"].values[1] * 30 / math.pi
    np.testing.assert_allclose(critical, 60 * 24 / np.array([4, 12, 20, 28]))
    assert sum("from a natural frequency" in text for text in result.warnings) == 1


def test_a_race_without_guidance_is_nearly_neutral():
    _, result = resonance({"operation.guidance.kind": "free"})
    assert result["axial_stiffness"] < 0.01e6
    assert any("has no natural frequency of its own" in text for text in result.warnings)
    assert "margin" not in result.dataset


def test_orders_of_other_joints_and_pictures(driven):
    np.testing.assert_allclose(axial_orders(6, 3), [3, 9, 15])
    assert list(figures(driven[1])) == ["joint-resonance", "joint"]


def test_the_lowest_of_joint_and_driveline_are_both_in_the_picture(driven):
    result = driven[1]
    picture = figures(result)["joint-resonance"]
    end = picture.axes[0].get_ylim()[1]
    own = result["frequency"].values[np.isfinite(result["axial_share"].values)]
    assert own.min() > 140  # above the highest order and the driveline
    assert end > own.min()
    higher = int((result["frequency"].values > end).sum())
    assert ("of the table" in picture.caption) == (higher > 0)


@pytest.mark.parametrize(
    ("changes", "settings", "sentence"),
    [
        ({"operation.speed": 0}, {}, "a joint at rest excites nothing"),
        ({}, {"driveline": {"": "3 Hz"}}, "a frequency has no name"),
        ({}, {"driveline": {"shaft": "3 mm"}}, "'3 mm' is a length; a frequency is needed"),
    ],
)
def test_wrong_questions_are_refused(changes, settings, sentence):
    with pytest.raises(SpecError, match=sentence):
        resonance(changes, **settings)
