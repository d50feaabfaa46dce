"""What a spec of a ball joint says, what follows from it, and what is refused before any run."""

import math

import pytest

import flank
from flank.contact import FRICTIONLESS
from flank.contact.table import FRICTION_NONE
from flank.elasticity.elliptic_contact import contact_stiffness
from flank.errors import SpecError
from flank.io.spec_files import read_spec_text, write_yaml
from flank.machines.base import Drive
from flank.machines.cv_joint.figures import track_moments
from flank.machines.cv_joint.spec import CvJointSpec
from flank.presets import preset_text

PRESETS = ("cv-joint", "cv-joint-marter")


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_valid_and_come_back_equal(name):
    spec = CvJointSpec.from_mapping(read_spec_text(preset_text(name), name))
    assert spec.title
    assert spec.source
    assert spec.assumptions
    assert CvJointSpec.from_mapping(read_spec_text(write_yaml(spec.to_mapping()))) == spec
    assert flank.preset(name).findings() == ()


def test_presets_differ_in_stiffness_and_damping_alone():
    hertz, marter = map(flank.preset, PRESETS)
    changed = hertz.spec.with_changes({"contact.stiffness": 6e12, "contact.damping": 100})
    named = {key: getattr(marter.spec, key) for key in ("title", "source", "assumptions")}
    assert changed.with_changes(named | {"assumptions": list(named["assumptions"])}) == marter.spec


def test_figures_of_the_reference_joint():
    """Closed forms and Hertz stiffnesses, computed independently."""
    figures = {one.key: one.value for one in flank.preset("cv-joint").derived()}
    expected = {
        "contact stiffness, outer track": 5.056e10,
        "contact stiffness, inner track": 5.056e10,
        "contact stiffness, window": 1.4375e10,
        "mass of the ball": 21.885e-3,
        "moment of inertia of the ball": 6.673e-7,
        "force of a loaded flank (Eq. 23)": 11785.1,
        "force of cage and ball (Eq. 24)": 1176.9,
        "force of cage and ball, torque reversed": 3507.8,
        "secondary torque, T tan(β/2)": 34.910,
        "stroke of a ball, peak to peak": 1.047304e-3,
        "deflection where tracks turn parallel": math.radians(17.877),
    }
    for key, value in expected.items():
        assert figures[key] == pytest.approx(value, rel=2e-4), key


def test_cage_force_of_tracks_with_skew_alone():
    """Without an inclination both directions of torque press alike."""
    joint = flank.preset("cv-joint", {"outer.skew": "6 deg", "outer.inclination": 0})
    figures = {one.key: one.value for one in joint.derived()}
    forward = figures["force of cage and ball (Eq. 24)"]
    assert forward == pytest.approx(1751.7, rel=1e-4)
    assert figures["force of cage and ball, torque reversed"] == forward


def test_theories_and_an_explicit_stiffness():
    for theory in ("exact", "hamrock-brewe-1983", "brewe-hamrock-1977"):
        contacts = flank.preset("cv-joint", {"contact.theory": theory}).contacts
        for contact in (contacts.outer_track, contacts.window):
            assert contacts.stiffness(contact) == contact_stiffness(contact, theory)
    marter = flank.preset("cv-joint-marter").contacts
    assert marter.stiffness(marter.window) == marter.stiffness(marter.outer_track) == 6e12


def test_drilling_arm_of_a_circle():
    """Of a ball on a flat window: the torque of Hertz's pressure is 3π/16 μ F a."""
    contacts = flank.preset("cv-joint").contacts
    radius = contacts.spec.ball_radius
    a = (0.75 * radius / contacts.window.modulus) ** (1 / 3)
    assert contacts.drilling_length(contacts.window) == pytest.approx(3 * math.pi / 16 * a)
    without = flank.preset("cv-joint", {"contact.friction.drilling": False}).contacts
    assert without.law(without.window).drilling_length == 0.0


def test_laws_with_and_without_friction():
    contacts = flank.preset("cv-joint").contacts
    law = contacts.law(contacts.outer_track)
    assert (law.friction.sliding, law.friction.static) == (0.03, 0.05)
    smooth = flank.preset("cv-joint", {"contact.friction": {}}).contacts
    assert smooth.law(smooth.outer_track).friction == FRICTIONLESS
    bare = flank.preset("cv-joint").assemble(Drive()).frictionless()
    assert bare.friction_left_out
    assert (bare.model.contacts["friction_form"] == FRICTION_NONE).all()
    plain = flank.preset("cv-joint", {"contact.friction": {"sliding": 0.1}}).contacts.friction
    assert (plain.static, plain.static_velocity, plain.stick_velocity) == (0.1, 0.1, 1e-3)
    assert flank.preset("cv-joint", {"contact.friction": {}}).contacts.friction is None


def test_a_track_takes_a_part_of_a_circle():
    d, r = 0.030, 0.009
    whole = math.pi * r**2, math.pi * r**2 * (d**2 + 0.5 * r**2)
    assert track_moments(d, r, 0.0, 1.0) == pytest.approx(whole, rel=1e-12)
    inside, outside = track_moments(d, r, 0.0, 0.027), track_moments(d, r, 0.027, 1.0)
    # The lens of two circles, in closed form.
    x = (d**2 + r**2 - 0.027**2) / (2 * d)
    lens = r**2 * math.acos(x / r) - x * math.sqrt(r**2 - x**2)
    y = d - x
    lens += 0.027**2 * math.acos(y / 0.027) - y * math.sqrt(0.027**2 - y**2)
    assert inside[0] == pytest.approx(lens, rel=1e-4)
    assert inside[0] + outside[0] == pytest.approx(whole[0], rel=1e-4)
    assert inside[1] + outside[1] == pytest.approx(whole[1], rel=1e-4)
    assert track_moments(d, r, 0.04, 0.05) == (0.0, 0.0)


def test_masses_from_dimensions_and_by_hand():
    """Those of the dimensions are those given to two digits; moments go with them."""
    given = flank.preset("cv-joint").masses
    drawn = flank.preset(
        "cv-joint", {f"{part}.mass": None for part in ("outer", "inner", "cage")}
    ).masses
    assert drawn.outer.mass == pytest.approx(0.85, rel=0.02)
    assert drawn.inner.mass == pytest.approx(0.24, rel=0.02)
    assert drawn.cage.mass == pytest.approx(0.11, rel=0.03)
    for one, other in zip(given, drawn, strict=True):
        assert one.axial / one.mass == pytest.approx(other.axial / other.mass)
        assert one.transverse / one.axial == pytest.approx(other.transverse / other.axial)
    heavy = flank.preset("cv-joint", {"inner.inertia": 2e-4, "balls.mass": "30 g"}).masses
    assert (heavy.inner.mass, heavy.inner.axial) == (0.24, 2e-4)
    assert heavy.ball.axial == pytest.approx(0.4 * 0.03 * 8.731e-3**2)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"balls.count": 7}, "balls.count is 7; it must be even"),
        ({"balls.count": 2}, "at least 4 is needed"),
        ({"balls.diametr": "17 mm"}, "did you mean 'diameter'?"),
        ({"balls.diameter": "25 mm"}, "balls of 25 mm are larger than the windows"),
        ({"cage.window_length": "15 mm"}, "balls of 17.462 mm are larger than the windows"),
        ({"cage.window_clearance": "-0.2 mm"}, "balls of 17.462 mm are larger than the windows"),
        ({"cage.window_length": "23 mm"}, "no bars between them unless it is less than 21.5984 mm"),
        ({"cage.width": "17 mm"}, "windows of 17.462 mm leave nothing of it"),
        ({"cage.inner_diameter": "66 mm"}, "less than the outer diameter of 65 mm"),
        ({"cage.inner_diameter": "61 mm"}, "must lie inside the wall of the cage"),
        ({"tracks.conformity": 1}, "conformity is 1; it must be more"),
        ({"tracks.conformity": 0.98}, "it must be at least 1"),
        ({"tracks.conformity": 2.1, "tracks.section": "elliptical"}, "unless it is less than 2:"),
        (
            {"tracks": {"section": "elliptical", "conformity": 1.001, "contact_angle": "45 deg",
                        "clearance": "-50 um"}},
            "is narrower than the ball",
        ),
        ({"tracks.contact_angle": "85 deg"}, "at most 80 deg"),
        ({"tracks.clearance": "200 um"}, "must be less than 174.6 um"),
        ({"tracks.clearance": "-100 um"}, "pressed by at most 87.31 um"),
        ({"tracks.section": "eliptical"}, "did you mean 'elliptical'?"),
        ({"tracks.length": "1 mm"}, "at a deflection of 2 deg balls run off the tracks"),
        ({"outer.skew": 0, "outer.inclination": 0}, "outer.skew: the tracks of outer and inner"),
        ({"inner.skew": "-8 deg", "inner.inclination": "-4 deg"}, "do not hold the balls along"),
        ({"outer.skew": "50 deg"}, "outer.skew is 50 deg; a track may be inclined by at most 45"),
        ({"contact.stiffness": "1e5 N/m^1.5"}, "presses balls 240 mm into tracks of 1e+05 N/m^1.5"),
        ({"materials.bearing steel.youngs_modulus": "210 kPa"}, "check the unit"),
        ({"operation.deflection": 2}, "2 is given, which is 114.592 deg; it must be at most 60"),
        ({"outer.mass": "-1 kg"}, "outer.mass: '-1 kg' is given; it must be more than 0 kg"),
        ({"outer.bore_diameter": "93 mm"}, "less than the outer diameter of 92 mm"),
        ({"outer.bore_diameter": "64 mm"}, "the cage of 65 mm must fit into it"),
        ({"outer.outer_diameter": "77 mm"}, "tracks reach out to 77.462 mm and leave no wall"),
        ({"inner.bore_diameter": "43 mm"}, "tracks reach in to 42.538 mm and leave no wall"),
        ({"inner.outer_diameter": "56 mm"}, "must fit into the cage"),
        ({"inner.material": "stel"}, "'stel' is not a material; did you mean 'steel'"),
        ({"contact.stiffness": "6e12 N/m"}, "contact.stiffness: '6e12 N/m' is a stiffness"),
        ({"contact.theory": "exakt"}, "did you mean 'exact'?"),
        ({"contact.friction.static": 0.01}, "must be at least the sliding 0.03"),
        ({"contact.friction": {"static_velocity": 1}}, "does nothing without static friction"),
        ({"contact.friction": {"stick_velocity": 1}}, "does nothing without friction"),
        ({"operation.deflection": "27 deg"}, "deflect by less than 26.7 deg"),
        ({"operation.deflection": "-2 deg"}, "at least 0 deg"),
        ({"operation.ramp": {"start": "30 deg", "duration": 1}}, "hit the ends of the cage's"),
        ({"operation.plunge.at": "40 mm"}, "even in the straight joint balls run off the tracks"),
        ({"operation.plunge": {"kind": "prescribed"}}, "amplitude is missing: a prescribed plunge"),
        ({"operation.plunge.amplitude": "1 mm"}, "does nothing with a plunge that is held"),
        ({"operation.plunge.shaft_mass": "1 kg"}, "does nothing with a plunge that is held"),
        ({"operation.guidance.kind": "elastic"}, "stiffness is missing: an elastic guidance needs"),
        ({"operation.guidance.damping": "1 N*s/m"}, "nothing with a guidance that is rigid"),
        ({"cage.inner_guide": {"radius": "40 mm", "clearance": "50 um"}}, "between 13.5 mm and"),
        ({"cage.outer_guide": {"radius": "20 mm", "clearance": "50 um"}}, "between 27.5 mm and"),
        ({"cage.inner_guide": {"radius": "27 mm", "clearance": 0}}, "it must be more than 0 um"),
        (
            {
                "cage.inner_guide": {"radius": "27 mm", "clearance": "50 um"},
                "operation.plunge.at": "1 mm",
            },
            "does not let it plunge by 1 mm",
        ),
        ({"balls.count": 10, "cage.window_length": "17.5 mm"}, "no bars between them"),
        (
            {"balls.count": 12, "cage.window_length": "14 mm", "balls.diameter": "14 mm",
             "pitch_circle_diameter": "54.05 mm", "cage.inner_diameter": "54 mm",
             "operation.deflection": 0},
            "balls.diameter: even in the straight joint neighbouring balls overlap by 0.0108 mm",
        ),
    ],
)  # fmt: skip
def test_refused(changes, sentence):
    with pytest.raises(SpecError) as caught:
        flank.preset("cv-joint", changes)
    assert sentence in " ".join(caught.value.problems)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"operation.plunge.at": "3 mm"}, "axes-miss"),
        ({"inner.skew": "7 deg"}, "axes-miss"),
        ({"operation.deflection": "17 deg"}, "tracks-nearly-parallel"),
        ({"operation.deflection": "20 deg"}, "tracks-cross-the-other-way"),
    ],
)
def test_doubtful(changes, code):
    assert code in [finding.code for finding in flank.preset("cv-joint", changes).findings()]
