"""Discs of reducers as polylines and from measured points, and holes that are polylines."""

import math

import numpy as np
import pytest

import flank
from flank.analyses import hysteresis, load_distribution, transmission_error
from flank.errors import SpecError
from flank.geometry.curve import equal_arc_length_points
from flank.geometry.polyline import Polyline
from flank.geometry.spline import ClosedSpline

UNMODIFIED = {"discs.equidistant": 0, "discs.radial": 0}
FRICTIONLESS = {
    "friction.pins": 0,
    "friction.turning_arm": 0,
    "friction.supports": 0,
    **UNMODIFIED,
}
UNMODIFIED = {"discs.equidistant": None, "discs.radial": None}
COARSE = hysteresis.HysteresisSettings(points_per_stage=8)
PIN_CIRCLE = 119.5e-3


def rv(changes=None):
    return flank.preset("rv-320", FRICTIONLESS | (changes or {}))


@pytest.fixture(scope="module")
def points(tmp_path_factory):
    """Files of points of a flank of rv-320 with modifications of its own, by their number."""
    folder = tmp_path_factory.mktemp("points")

    def write(count, name="disc.csv", turned=0.0, **modified):
        changes = {f"discs.{key}": value for key, value in modified.items()}
        rows = equal_arc_length_points(rv(UNMODIFIED | changes).profile, count)
        cosine, sine = math.cos(turned), math.sin(turned)
        rows = rows @ np.array([[cosine, sine], [-sine, cosine]])
        np.savetxt(folder / name, rows, fmt="%.17g", delimiter=",")
        return str(folder / name)

    return write


def measured(path):
    return UNMODIFIED | {"discs.profile": "measured", "discs.points_file": path}


def loop(machine):
    return hysteresis.run(machine, COARSE)


def test_a_measured_rv_disc_is_the_analytic_one(points):
    """Of 4,000 points: K_T within 0.1 %, backlash within 0.2 µm at the pin circle."""
    modified = {"discs.equidistant": "6 um", "discs.radial": "3 um"}
    path = points(4000, equidistant="6 um", radial="3 um")
    exact, found = loop(rv(modified)), loop(rv(measured(path)))
    assert found["torsional_stiffness"] == pytest.approx(exact["torsional_stiffness"], rel=1e-3)
    assert exact["backlash"] > loop(rv(UNMODIFIED))["backlash"] + 1e-5
    assert abs(found["backlash"] - exact["backlash"]) * PIN_CIRCLE < 0.2e-6


def test_every_disc_has_its_own_points(points):
    """{} stands for the disc's number; two turns of flanks are those of the errors `angular`."""
    turn = 4e-5
    for disc, sign in ((1, 1), (2, -1)):
        path = points(8000, f"disc {disc}.csv", sign * turn)
    own = rv(measured(path.replace("disc 2", "disc {}")) | {"discs.points_fit": "none"})
    exact = rv(UNMODIFIED | {"errors.angular": {1: turn, 2: -turn}})
    forces = [load_distribution.run(m)["pin_force"].values for m in (own, exact)]
    assert forces[0].max() > 100
    np.testing.assert_allclose(forces[0], forces[1], rtol=0, atol=1e-3 * forces[1].max())


def test_a_polyline_of_an_rv_disc_tends_to_its_flank(points):
    exact = load_distribution.run(rv())["wind_up"]
    errors = []
    for segments in (100, 400):
        changes = {"discs.profile": "polyline", "discs.segments_per_lobe": segments}
        machine = rv(changes)
        assert isinstance(machine.flank(0), Polyline)
        assert len(machine.flank_points(1)) == segments * machine.lobes
        errors.append(abs(load_distribution.run(machine)["wind_up"] / exact - 1))
    assert errors[1] < 0.2 * errors[0] < 1e-2


def test_a_measured_disc_is_drawn_and_checked(points):
    machine = rv(measured(points(4000)))
    assert isinstance(machine.flank(0), ClosedSpline)
    assert machine.findings() == ()
    radii = np.hypot(*machine.flank_points(0).T)
    root = machine.spec.root_radius
    assert radii.min() == pytest.approx(root, abs=1e-6)
    assert radii.max() == pytest.approx(root + 2 * machine.spec.eccentricity, abs=1e-6)


def test_a_disc_that_is_too_large_for_its_pins_is_a_doubt(points):
    machine = rv(measured(points(4000, equidistant="-8 um")))
    (finding,) = machine.findings()
    assert (finding.code, finding.severity) == ("negative-clearance", "warning")
    assert finding.value == pytest.approx(-8e-6, rel=0.02)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"discs.points_file": "no.csv"}, "discs.points_file does nothing with a smooth profile"),
        ({"discs.profile": "measured"}, "discs.points_file is missing: a measured profile needs"),
        ({"discs.segments_per_lobe": 9}, "segments_per_lobe does nothing with a smooth profile"),
        (
            measured("no.csv") | {"errors.angular": "3 arcsec"},
            "errors.angular does nothing with a measured profile; remove it",
        ),
        (
            {"discs.profile": "polyline", "discs.segments_per_lobe": 10_001},
            "discs.segments_per_lobe",
        ),
        ({"discs.hole_segments": 50}, "discs.hole_segments does nothing with a round hole"),
        (
            {"discs.hole_profile": "polyline"},
            "discs.hole_profile 'polyline' needs turning_arm.elements 'bodies'",
        ),
        (
            {
                "discs.hole_profile": "polyline",
                "discs.hole_segments": 20,
                "turning_arm.elements": "bodies",
            },
            "discs.hole_segments is 20: chords take",
        ),
    ],
)
def test_what_does_nothing_or_cannot_be_is_refused(changes, sentence):
    with pytest.raises(SpecError) as error:
        rv(changes)
    assert sentence in str(error.value)


@pytest.mark.parametrize(
    ("spoilt", "sentence"),
    [
        (lambda rows: rows * 1e3, "they seem to be in mm"),
        (lambda rows: rows[::-1][np.r_[0:900, 901, 900, 902:4000]], "turn back and the profile"),
        (lambda rows: rows[40:], "there is a gap of"),
    ],
    ids=["millimetres", "two exchanged", "a gap"],
)
def test_spoilt_points_are_told_in_one_sentence(points, tmp_path, spoilt, sentence):
    rows = np.loadtxt(points(4000), delimiter=",")
    path = tmp_path / "disc.csv"
    np.savetxt(path, spoilt(rows), fmt="%.17g")
    with pytest.raises(SpecError) as error:
        load_distribution.run(rv(measured(str(path))))
    assert len(error.value.problems) == 1
    assert error.value.problems[0].startswith("discs.points_file: ")
    assert sentence in error.value.problems[0]


def test_rollers_in_polyline_holes_tend_to_round_ones():
    """Of the output of a cycloidal drive, at the second order of the chords."""
    settings = transmission_error.TransmissionErrorSettings(points_per_turn=20)

    def error(changes):
        machine = flank.preset("monocrank", {"friction.rollers": 0, "friction.pins": 0} | changes)
        result = transmission_error.run(machine, settings)
        assert result.complete
        return result["transmission_error"].values

    exact, polyline = error({}), {"output.rollers.hole_profile": "polyline"}
    found = [error(polyline | {"output.rollers.hole_segments": n}) for n in (400, 1600)]
    far = [np.abs(each - exact).max() for each in found]
    assert far[1] < 0.1 * far[0] < 2e-6


def test_rollers_of_a_turning_arm_run_in_polylines():
    """Chords take R (1 - cos π/n) off the clearance c, and 2 c/R_c of the play with it."""
    bodies = {"turning_arm.elements": "bodies", "supports.clearance": 0}
    round_hole, polyline = rv(bodies), {"discs.hole_profile": "polyline"}
    lost = []
    for segments in (400, 1600):
        machine = rv(bodies | polyline | {"discs.hole_segments": segments})
        lost.append(loop(round_hole)["backlash"] - loop(machine)["backlash"])
    size = round_hole.size
    height = size.turning_arm.bore_radius * (1 - math.cos(math.pi / 400))
    expected = 2 * height / round_hole.spec.cranks.circle_radius
    assert lost[0] == pytest.approx(expected, rel=0.1)
    assert lost[1] == pytest.approx(expected / 16, rel=0.2)


def test_polyline_holes_are_drawn_as_they_are():
    machine = flank.preset(
        "monocrank", {"output.rollers.hole_profile": "polyline", "output.rollers.hole_segments": 30}
    )
    holes = [each for each in machine.outlines() if each.kind == "hole" and len(each.points) == 30]
    assert len(holes) == machine.spec.output.rollers.count * machine.spec.discs.count
