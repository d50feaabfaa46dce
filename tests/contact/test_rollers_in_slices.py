"""Rollers in slices: straight, with profiles, tilted; against sums that know nothing of the law."""

import numpy as np
import pytest
from scipy.optimize import brentq

import flank
from flank.contact import Disc, LaminaLaw, needle_between
from flank.contact.laws import line_contact
from flank.dynamics.assembly import assemble
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.model import initial_state, workspace
from flank.elasticity.line_contact import Cylinder, LineLaw, line_law, line_load
from flank.elasticity.material import STEEL
from flank.elasticity.roller_bearing import LAMINAE, lamina_loads, lamina_places, peak_load
from flank.elasticity.roller_profile import CROWNED, LOGARITHMIC, RollerProfile
from flank.errors import SpecError

DIAMETER, LENGTH = 8.5e-3, 13.5e-3
ROLLER, INNER, OUTER = (Cylinder(radius, STEEL) for radius in (4.25e-3, 22.5e-3, 31e-3))


def between_races(length=LENGTH) -> LineLaw:
    """Both contacts of a roller in series."""
    first = line_law(INNER, ROLLER, length)
    inner, outer = 1 / (1 / 22.5e-3 + 1 / 4.25e-3), 1 / (1 / 4.25e-3 - 1 / 31e-3)
    return first.in_series(inner, line_law(ROLLER, OUTER, length), outer)


LINE = between_races()
PROFILES = {
    "crowned": RollerProfile(CROWNED, 8e-6),
    "logarithmic": RollerProfile.logarithmic(DIAMETER, LENGTH),
    "logarithmic, slender": RollerProfile.logarithmic(4e-3, LENGTH),
}


@pytest.fixture(scope="module")
def pressed():
    """(force, stiffness, energy) of a roller between races that are `depth` too near."""

    def run(law, depth):
        builder = ModelBuilder(0.02)
        builder.body("crank", 1.0, 1e-3)
        builder.body("disc", 1.0, 1e-3)
        inner, outer = Disc(1, 0.0, 0.0, 22.5e-3), Disc(2, 0.0, 0.0, 31e-3)
        builder.contact(needle_between(inner, outer, 0.0, -depth, law, 0.0))
        model = builder.build()
        state, work = initial_state(model, np.zeros((3, 3))), workspace(model)
        energy, _ = assemble(
            model, state, np.zeros((3, 3)), np.zeros((3, 3)), 0.0, work, 0.0, 1.0, 1.0
        )
        result = state.contact_results[0]
        return float(result["normal_force"]), float(result["stiffness"]), energy

    return run


ENOUGH = 20001
"""Pieces that nobody would call slices."""


def summed(depth, gap, count):
    """∫ F'_line(δ - g(x)) dx by the middles of `count` pieces; `gap` over s = 2x/L."""
    places = 2 * (np.arange(count) + 0.5) / count - 1
    constants = np.full(count, LINE.constant)
    return np.sum(line_load(depth - gap(places), constants, LINE.slope)) * LENGTH / count


@pytest.mark.parametrize("depth", [1e-7, 4e-6, 3e-5])
@pytest.mark.parametrize("shape", [CROWNED, LOGARITHMIC])
def test_straight_roller_is_the_line_law(pressed, depth, shape):
    sliced = pressed(LaminaLaw(LINE, RollerProfile(shape)), depth)
    whole = line_contact(depth, LINE.constant, LINE.slope, LENGTH, 1.0)
    assert sliced[:2] == pytest.approx(whole[:2], rel=1e-12)
    assert pressed(LINE, depth)[:2] == pytest.approx(sliced[:2], rel=1e-12)


@pytest.mark.parametrize("name", PROFILES)
@pytest.mark.parametrize("depth", [3e-6, 8e-6, 2e-5])
def test_profiled_roller_is_its_integral(pressed, name, depth):
    profile = PROFILES[name]
    force, _, _ = pressed(LaminaLaw.of_roller(LINE, profile, 2), depth)
    sums = [summed(depth, lambda s: 2 * profile.depth(s), n) for n in (LAMINAE, ENOUGH)]
    assert force == pytest.approx(sums[0], rel=1e-9)
    assert force == pytest.approx(sums[1], rel=6e-3)  # what 30 slices cost
    assert force < pressed(LINE, depth)[0]


@pytest.mark.parametrize("tilt", [2e-4, 1e-3, 4e-3])
def test_tilted_roller_is_its_integral(pressed, tilt):
    """The first touch is that of the lamina at the end, half a lamina from it."""
    law = LaminaLaw(LINE, RollerProfile(), tilt)
    assert law.lead == pytest.approx(tilt * LENGTH / 2 * (1 - 1 / LAMINAE))
    for middle in (2e-6, 1e-5):
        force, _, _ = pressed(law, middle + law.lead)
        sums = [summed(middle, lambda s: -tilt * s * LENGTH / 2, n) for n in (LAMINAE, ENOUGH)]
        assert force == pytest.approx(sums[0], rel=1e-9)
        assert force == pytest.approx(sums[1], rel=6e-3)


def test_tilt_to_either_side_is_the_same(pressed):
    profile = PROFILES["logarithmic"]
    one, other = (LaminaLaw(LINE, profile, tilt) for tilt in (1e-3, -1e-3))
    for mine, theirs in zip(pressed(one, 6e-6), pressed(other, 6e-6), strict=True):
        assert mine == pytest.approx(theirs)
    assert LaminaLaw(LINE, profile, 1e-12).lead == 0.0
    assert pressed(LaminaLaw(LINE, profile, 1e-12), 6e-6)[0] == pytest.approx(
        pressed(LaminaLaw(LINE, profile), 6e-6)[0], rel=1e-6
    )


@pytest.mark.parametrize("tilt", [0.0, 8e-4])
def test_stiffness_and_energy_belong_to_the_force(pressed, tilt):
    law = LaminaLaw(LINE, PROFILES["crowned"], tilt)
    for depth in (2.3e-6, 9e-6):  # at some, a lamina just touches and the stiffness jumps
        step = 1e-10
        below, at, above = (pressed(law, depth + change) for change in (-step, 0.0, step))
        assert at[1] == pytest.approx((above[0] - below[0]) / (2 * step), rel=1e-5)
    depths = np.linspace(0, 1e-5, 2001)
    forces = [pressed(law, depth)[0] if depth else 0.0 for depth in depths]
    assert pressed(law, 1e-5)[2] == pytest.approx(np.trapezoid(forces, depths), rel=1e-5)


@pytest.mark.parametrize("name", PROFILES)
def test_load_share_is_that_of_the_springs_of_iso_16281(name):
    """Share of every lamina under one force: ours with Hertz's law, theirs with the power 10/9,
    c_L = 35948 L^(8/9) and the norm's profile, solved here by themselves. The powers are nearly
    one, so the shares differ by little."""
    profile, force = PROFILES[name], 4e3
    places = 2 * lamina_places(LENGTH) / LENGTH
    if profile.shape == LOGARITHMIC:
        diameter = DIAMETER if name == "logarithmic" else 4e-3
        slender = max(LENGTH / diameter / 2.5, 1.0)
        inside = np.maximum(np.abs(places) - 1 + 1 / slender, 0) * slender
        drop = 0.5e-3 if slender > 1 else 0.35e-3
        gaps = 2e3 * drop * diameter * np.log(1 / (1 - inside**2))
    else:
        gaps = 2 * 8e-3 * places**2
    spring = 35948 * (1e3 * LENGTH) ** (8 / 9) / LAMINAE

    def norm(depth):
        return spring * np.maximum(depth - gaps, 0) ** (10 / 9)

    theirs = norm(brentq(lambda depth: norm(depth).sum() - force, 0, 1))
    found = lamina_loads(np.array([force]), np.array([1e-3 * gaps]), LENGTH)[0]
    assert found == pytest.approx(theirs, rel=1e-9, abs=1e-9)
    constants = np.full(LAMINAE, LINE.constant)

    def ours(depth):
        local = depth - 2 * profile.depth(places)
        return line_load(local, constants, LINE.slope) * LENGTH / LAMINAE

    mine = ours(brentq(lambda depth: ours(depth).sum() - force, 1e-9, 1e-3))
    assert mine == pytest.approx(theirs, abs=0.03 * theirs.max())


def test_pressure_is_that_of_the_middle():
    """A crown of 8 µm on both races carries 4 kN in its middle with 1.3 to 1.7 times the mean."""
    mean = 4e3 / LENGTH
    assert peak_load(np.array([4e3]), RollerProfile(), LENGTH) == pytest.approx(mean)
    assert 1.3 * mean < peak_load(np.array([4e3]), PROFILES["crowned"], LENGTH)[0] < 1.7 * mean


def stiffness_of(**changes):
    machine = flank.preset("rv-320", {k.replace("__", "."): v for k, v in changes.items()})
    return flank.run(machine, "load-distribution")


def test_reducer_with_profiled_rollers():
    """Softer, and its rollers pressed more in their middle."""
    straight = stiffness_of()
    for profile in ({"profile": "logarithmic"}, {"profile": "crowned", "crown": "5 um"}):
        blocks = ("turning_arm", "supports")
        changes = {f"{block}__{name}": v for block in blocks for name, v in profile.items()}
        sliced = stiffness_of(**changes)
        assert sliced["torsional_stiffness"] < straight["torsional_stiffness"]
        assert sliced["torsional_stiffness"] > 0.9 * straight["torsional_stiffness"]
        peak = "largest_turning_arm_pressure"
        assert sliced[peak] > 1.02 * straight[peak]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"turning_arm.profile": "crowned"}, "crown is missing"),
        ({"turning_arm.crown": "3 um"}, "crown does nothing with the profile 'straight'"),
        ({"supports.profile": "crowned", "supports.crown": "-3 um"}, "must be more than 0"),
        (
            {"supports.profile": "crowned", "supports.crown": "6 mm"},
            "larger than the rollers' radius",
        ),
        ({"supports.profile": "logarithmic", "contact.law": "palmgren"}, "needs the contact law"),
    ],
)
def test_profiles_that_cannot_be_are_refused_in_a_sentence(changes, sentence):
    with pytest.raises(SpecError, match=sentence) as refused:
        flank.preset("rv-320", changes)
    assert len(refused.value.problems) == 1
