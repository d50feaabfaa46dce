"""The cycloidal drive's spec: what goes together and what is refused."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flank.errors import SpecError
from flank.machines.cycloidal.spec import CycloidalDriveSpec
from flank.machines.materials import STEEL

DRIVE = CycloidalDriveSpec.from_mapping(
    {
        "machine": "cycloidal-drive",
        "rated_torque": "412 N*m",
        "eccentricity": "1.3 mm",
        "pins": {"count": 40, "circle_radius": "64 mm", "radius": "3 mm"},
        "discs": {"count": 2, "width": "9 mm", "bore_radius": "25 mm"},
        "output": {
            "kind": "rollers",
            "rollers": {"count": 8, "circle_radius": "42 mm", "radius": "5 mm"},
        },
        "operation": {"input_speed": "1500 rpm", "torque": "200 N*m"},
    }
)
NEEDLES = {"count": 24, "radius": "2.5 mm", "length": "9 mm", "clearance": "5 um"}
POLYMER = {"youngs_modulus": "2.5 GPa", "poisson_ratio": 0.36, "density": 1240}


def test_defaults():
    assert DRIVE.lobe_count == 39
    assert DRIVE.pins.mounting == "fixed"
    assert DRIVE.contact.law == "hertz"
    assert DRIVE.contact.damping == 0.0
    assert DRIVE.friction.pins == 0.0
    assert DRIVE.friction.regularization_velocity is None
    assert DRIVE.friction.full_velocity == 1e-3
    assert DRIVE.pin_length == DRIVE.roller_length == 0.009
    assert DRIVE.roller_hole_radius == pytest.approx(0.0063)
    assert DRIVE.generating_circle_radius == 0.064
    assert DRIVE.generating_pin_radius == 0.003
    assert DRIVE.root_radius == pytest.approx(0.0597)
    assert DRIVE.segments_per_lobe == 200
    assert DRIVE.eccentric_radius == 0.025
    assert DRIVE.material("steel") == STEEL


def test_the_form_of_damping_decides_on_its_unit():
    drive = DRIVE.with_changes({"contact": {"damping_form": "approach", "damping": "2e4 N*s/m"}})
    assert drive.contact.damping == 2e4
    assert drive.to_mapping()["contact"]["damping"] == "20000 N*s/m"
    assert CycloidalDriveSpec.from_mapping(drive.to_mapping()) == drive
    assert "damping_form" not in DRIVE.to_mapping()["contact"]
    named = DRIVE.with_changes({"contact": {"damping_form": "hunt-crossley", "damping": 0.2}})
    assert named.to_mapping()["contact"]["damping"] == "0.2 s/m"


def test_given_values_replace_the_defaults():
    drive = DRIVE.with_changes(
        {
            "pins.mounting": "rolling",
            "pins.groove_radius": "3.01 mm",
            "pins.length": "10 mm",
            "discs.generating_circle_radius": "64.02 mm",
            "discs.generating_pin_radius": "3.01 mm",
            "discs.profile": "polyline",
            "discs.segments_per_lobe": 50,
            "output.rollers.hole_radius": "6.31 mm",
            "output.rollers.length": "8 mm",
            "eccentric": {"bearing": "needles", "needles": NEEDLES},
        }
    )
    assert drive.pin_length == 0.010
    assert drive.generating_circle_radius == 0.06402
    assert drive.root_radius == pytest.approx(0.06402 - 0.00301 - 0.0013)
    assert drive.segments_per_lobe == 50
    assert drive.roller_hole_radius == 0.00631
    assert drive.roller_length == 0.008
    assert drive.eccentric_radius == pytest.approx(0.019995)


REFUSED = [
    ({"machine": "cycloid-drive"}, "machine: 'cycloid-drive' is not one of the choices; did you"),
    ({"rated_torque": 0}, "rated_torque: 0 is given; it must be more than 0 N*m"),
    ({"rated_torque": "412 N"}, "rated_torque: '412 N' is a force; a torque is needed"),
    ({"pins.count": 2}, "pins.count: 2 is given; a whole number of at least 3"),
    ({"discs.count": 3}, "discs.count: 3 is given; a whole number from 1 to 2"),
    ({"discs.widht": "9 mm"}, "discs.widht is not a key of discs; did you mean 'width'?"),
    ({"pins.count": None}, "pins.count is missing: give the number of pins, for example 'count: 4"),
    ({"operation.input_speed": "50 Hz"}, "operation.input_speed: '50 Hz' is a frequency; an ang"),
    ({"pins.mounting": "rolling"}, "pins.groove_radius is missing: rolling pins need it"),
    ({"pins.groove_radius": "4 mm"}, "pins.groove_radius does nothing with fixed pins"),
    ({"pins.length": "9 mm"}, "pins.length does nothing with fixed pins"),
    ({"errors.pin_radius": {4: "0.4 mm"}}, "errors.pin_radius.4 is 400 um, above a tenth of"),
    (
        {"pins.mounting": "rolling", "pins.groove_radius": "3 mm"},
        "pins.groove_radius must exceed pins.radius",
    ),
    ({"errors.pin_radius": {41: "1 um"}}, "errors.pin_radius.41: there is no such pin; they are"),
    ({"errors.pin_radial": {-1: "1 um"}}, "errors.pin_radial.-1: there is no such pin"),
    ({"errors.pin_radial": {0: "1 um"}}, "errors.pin_radial.0: pins are counted from 1, up to 40"),
    (
        {"pins.radius_errors": {0: "5 um", 3: "1 um"}},
        "pins.radius_errors is not a key of pins; it is errors.pin_radius now, pins counted from "
        "1: {1: 5 um, 4: 1 um}",
    ),
    ({"pins.radial_errors.7": "5 um"}, "pins.radial_errors is not a key of pins; it is errors."),
    ({"errors.groove_radius": "5 um"}, "errors.groove_radius does nothing with fixed pins"),
    ({"tolerances.bore_radius": "5 um"}, "tolerances.bore_radius does nothing with a rigid"),
    ({"errors.pin_tangential.99": 0}, "errors.pin_tangential.99: there is no such pin"),
    ({"discs.segments_per_lobe": 9}, "discs.segments_per_lobe does nothing with a smooth profile"),
    ({"discs.points_file": "a.csv"}, "discs.points_file does nothing with a smooth profile"),
    ({"discs.profile": "measured"}, "discs.points_file is missing: a measured profile needs it"),
    ({"eccentric.needles": NEEDLES}, "eccentric.needles does nothing with a rigid bearing"),
    ({"eccentric.bearing": "needles"}, "eccentric.needles is missing: give the block"),
    ({"output.kind": "disc"}, "output.rollers does nothing when the disc is the output"),
    ({"output.rollers": None}, "output.rollers is missing: give the block"),
    (
        {"contact.law": "herz"},
        "contact.law: 'herz' is not one of the choices; did you mean 'hertz'",
    ),
    ({"contact.stiffness": "1e9 N/m"}, "contact.stiffness: this does nothing with the law 'hertz'"),
    ({"contact.exponent": 1.5}, "contact.exponent does nothing with the law 'hertz'"),
    ({"contact.law": "penalty"}, "contact.exponent is missing: the law 'penalty' needs it"),
    ({"contact.law": "foundation"}, "contact.stiffness is missing: the law 'foundation' needs it"),
    (
        {"contact": {"law": "penalty", "exponent": 1.5}},
        "contact.stiffness is missing: the law 'penalty' needs it, for example 'stiffness: 1e9 N/m",
    ),
    (
        {"contact": {"law": "penalty", "stiffness": 1e9}},
        "contact.stiffness: its unit depends on the exponent",
    ),
    (
        {"contact": {"law": "penalty", "exponent": 0.5, "stiffness": 1e9}},
        "contact.exponent: 0.5 is given; it must be at least 1",
    ),
    (
        {"contact": {"law": "penalty", "exponent": 1.5, "stiffness": "1e9 N/m"}},
        "contact.stiffness: '1e9 N/m' is a stiffness; a quantity in N/m^1.5 is needed",
    ),
    (
        {"contact": {"law": "penalty", "exponent": 1.5, "stiffness": 0}},
        "contact.stiffness: 0 is given; it must be more than 0 N/m^1.5",
    ),
    (
        {"contact": {"law": "foundation", "stiffness": "1e9 N/m"}},
        "contact.stiffness: '1e9 N/m' is a stiffness; a pressure is needed",
    ),
    ({"contact.damping": -1}, "contact.damping: -1 is given; it must be at least 0 s/m"),
    (
        {"contact": {"damping_form": "viscous", "damping": -1}},
        "contact.damping: -1 is given; it must be at least 0 N*s/m",
    ),
    (
        {"contact": {"damping_form": "approach", "damping": "0.2 s/m"}},
        "contact.damping: '0.2 s/m' is ",
    ),
    (
        {"contact.damping": "1e5 N*s/m"},
        "contact.damping: 1e5 N*s/m is a constant coefficient; add 'damping_form: approach' or "
        "'damping_form: viscous', or give Hunt and Crossley's damping in s/m",
    ),
    (
        {"contact.damping_form": "viscous"},
        "contact.damping_form does nothing without damping; add damping in N*s/m, or remove it",
    ),
    ({"contact.damping_form": "kelvin"}, "contact.damping_form"),
    (
        {"contact": {"law": "palmgren"}, "discs.contact_depth": "5 mm"},
        "discs.contact_depth does nothing with the law 'palmgren'",
    ),
    ({"friction.pins": -0.1}, "friction.pins: -0.1 is given; it must be at least 0"),
    ({"friction.grooves": 0.1}, "friction.grooves does nothing with fixed pins"),
    (
        {"friction.rollers": 0.1, "output": {"kind": "disc"}},
        "friction.rollers does nothing without output rollers",
    ),
    ({"friction.regularization_velocity": 0}, "friction.regularization_velocity: 0 is given"),
    (
        {"friction.form": "elastic", "friction.regularization_velocity": "2 mm/s"},
        "friction.regularization_velocity does nothing with the form 'elastic'",
    ),
    ({"discs.material": "stel"}, "discs.material: 'stel' is not a material; did you mean 'steel'?"),
    ({"output.rollers.material": ""}, "output.rollers.material: '' is not a material. Known"),
    (
        {"materials.soft": {**POLYMER, "poisson_ratio": 0.6}},
        "materials.soft.poisson_ratio: 0.6 is given; it must be at most 0.5",
    ),
    ({"eccentricity": "1.6 mm"}, "eccentricity is 1.6 mm; it must be less than 1.6 mm"),
    (
        {"discs.generating_circle_radius": "50 mm", "output": {"kind": "disc"}},
        "eccentricity is 1.3 mm; it must be less than 1.25 mm (discs.generating_circle_radius",
    ),
    (
        {"pins.radius": "5.1 mm"},
        "pins.radius is 5.1 mm; neighbouring pins touch at 5.02138 mm",
    ),
    (
        {"discs.bore_radius": "60 mm", "output": {"kind": "disc"}},
        "discs.bore_radius is 60 mm; it must be less than the flank's root radius of 59.7 mm",
    ),
    (
        {"output.rollers.hole_radius": "6 mm"},
        "output.rollers.hole_radius is 6 mm; the roller needs 6.3 mm",
    ),
    ({"output.rollers.circle_radius": "54 mm"}, "output.rollers: the holes reach out to 60.3 mm"),
    ({"output.rollers.circle_radius": "31 mm"}, "output.rollers: the holes reach in to 24.7 mm"),
    ({"output.rollers.count": 21}, "output.rollers: neighbouring holes overlap"),
    (
        {"eccentric": {"bearing": "needles", "needles": {**NEEDLES, "count": 29}}},
        "eccentric.needles.count is 29; at most 28 of this radius fit",
    ),
    (
        {"eccentric": {"bearing": "needles", "needles": {**NEEDLES, "radius": "12 mm"}}},
        "eccentric.needles.radius: discs.bore_radius leaves an eccentric of radius 0.995 mm",
    ),
    (
        {"discs.equidistant": "2.7 mm"},
        "discs.equidistant and discs.radial take 2.7 mm off the flank: its tips pass all pins",
    ),
]


@pytest.mark.parametrize(("changes", "sentence"), REFUSED)
def test_refuses_with_one_sentence(changes, sentence):
    with pytest.raises(SpecError) as caught:
        DRIVE.with_changes(changes)
    assert len(caught.value.problems) == 1
    assert caught.value.problems[0].startswith(sentence)


@pytest.mark.parametrize(
    "changes",
    [
        {"pins.mounting": "rolling", "pins.groove_radius": "3.01 mm", "friction.grooves": 0.05},
        {"output": {"kind": "disc"}},
        {"eccentric": {"bearing": "needles", "needles": NEEDLES}},
        {"discs.profile": "measured", "discs.points_file": "disc.csv"},
        {"discs.contact_depth": "10 mm"},
        {"contact": {"law": "palmgren"}},
        {"contact": {"law": "foundation", "stiffness": "1e10 N/m^2"}},
        {"contact": {"law": "penalty", "exponent": 1, "stiffness": "1e9 N/m"}},
        {"contact": {"law": "penalty", "exponent": "10/9", "stiffness": "8e10 N/m^(10/9)"}},
        {"materials.soft": POLYMER, "discs.material": "soft"},
        {"output.rollers.hole_radius": "6.299 mm"},
        {"output.rollers.count": 20},
        {"errors.pin_radius": {1: "1 um", 40: "-1 um"}, "errors.pin_radial.8": "3 um"},
    ],
)
def test_accepts_and_comes_back_equal(changes):
    drive = DRIVE.with_changes(changes)
    assert drive != DRIVE
    assert CycloidalDriveSpec.from_mapping(drive.to_mapping()) == drive
    assert CycloidalDriveSpec.from_mapping(drive.to_mapping(units=False)) == drive


def test_penalty_stiffness_does_not_depend_on_the_unit_it_is_written_in():
    contact = {"law": "penalty", "exponent": 1.5}
    in_metres = DRIVE.with_changes({"contact": {**contact, "stiffness": "1e9 N/m^1.5"}})
    in_millimetres = DRIVE.with_changes(
        {"contact": {**contact, "stiffness": f"{1e9 / 1000.0**1.5!r} N/mm^1.5"}}
    )
    assert in_metres.contact.stiffness == 1e9
    assert in_millimetres.contact.stiffness == pytest.approx(1e9, rel=1e-15)
    assert in_metres.to_mapping()["contact"]["stiffness"] == "1e9 N/m^1.5"


def test_own_steel_replaces_the_built_in_one():
    drive = DRIVE.with_changes({"materials.steel": {**POLYMER, "youngs_modulus": "210 GPa"}})
    assert drive.material("steel").youngs_modulus == 210e9
    with pytest.raises(SpecError, match="'stell' is not a material; did you mean 'steel'"):
        drive.material("stell")


@given(
    st.floats(1e-6, 1.59e-3),
    st.floats(0.0, 10.0),
    st.dictionaries(st.integers(1, 40).map(str), st.floats(-1e-4, 1e-4), max_size=5),
    st.floats(1.0, 3.0),
    st.floats(1.0, 1e15),
)
def test_round_trip_is_exact(eccentricity, damping, errors, exponent, stiffness):
    contact = {
        "law": "penalty",
        "exponent": exponent,
        "stiffness": stiffness,
        "damping": damping,
    }
    drive = DRIVE.with_changes(
        {"eccentricity": eccentricity, "errors.pin_radius": errors, "contact": contact}
    )
    assert drive.eccentricity == eccentricity
    assert drive.contact.stiffness == stiffness
    assert CycloidalDriveSpec.from_mapping(drive.to_mapping()) == drive


def test_every_key_says_what_it_is():
    def undescribed(model):
        for name, field in model.model_fields.items():
            if not field.description:
                yield f"{model.__name__}.{name}"

    blocks = [CycloidalDriveSpec, *map(type, dict(DRIVE).values()), type(STEEL)]
    found = [
        key for block in blocks if hasattr(block, "model_fields") for key in undescribed(block)
    ]
    assert found == []


def test_import_stays_light():
    heavy = ("numba", "xarray", "matplotlib", "pint")
    program = (
        "import sys, flank.machines.cycloidal.spec; "
        f"sys.exit(any(name in sys.modules for name in {heavy!r}))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
