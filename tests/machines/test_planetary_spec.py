"""What a spec of a planetary gearbox says, and what is refused before anything is computed."""

import math

import numpy as np
import pytest

import flank
from flank.errors import SpecError
from flank.io.spec_files import read_spec_text, write_yaml
from flank.machines.planetary.spec import PlanetaryGearboxSpec
from flank.machines.round_parts import hollow
from flank.presets import preset_text

PRESETS = ("planetary-paper", "planetary-500kw", "planetary-lin-parker")


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_valid_and_come_back_equal(name):
    spec = PlanetaryGearboxSpec.from_mapping(read_spec_text(preset_text(name), name))
    assert spec.title
    assert spec.source
    assert spec.assumptions
    again = PlanetaryGearboxSpec.from_mapping(read_spec_text(write_yaml(spec.to_mapping())))
    assert again == spec


def test_numbers_of_the_500_kw_stage():
    """Working angles, tip radii, contact ratios and the ratio of the published geometry."""
    machine = flank.preset(
        "planetary-500kw", {"sun.edge_radius": 0, "planets.edge_radius": 0, "ring.edge_radius": 0}
    )
    sun, ring = machine.sun_pair(0).pair, machine.ring_pair(0).pair
    assert sun.tight_centre_distance == pytest.approx(0.284005, abs=1e-6)
    assert ring.tight_centre_distance == pytest.approx(0.284004, abs=1e-6)
    assert math.degrees(sun.working_angle) == pytest.approx(24.509, abs=1e-3)
    assert math.degrees(ring.working_angle) == pytest.approx(22.113, abs=2e-3)
    assert sun.contact_ratio == pytest.approx(1.343, abs=1e-3)
    assert ring.contact_ratio == pytest.approx(1.509, abs=1e-3)
    assert 1 / machine.ratio == pytest.approx(5.55)
    assert machine.tooth_load * math.cos(sun.working_angle) == pytest.approx(90.7e3, rel=1e-3)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"operation.output": "carrier"}, "choose two different members"),
        ({"sun.support": {"kind": "bearing"}}, "stiffness is missing: a bearing needs it"),
        ({"sun.support": {"stiffness": 1e8}}, "stiffness does nothing with a rigid support"),
        ({"planets.support": {"kind": "floating"}}, "planets cannot float"),
        ({"planets.count": 2, "sun.support.kind": "floating"}, "2 planets do not centre"),
        ({"planets.angles": [0, 1]}, "angles has 2 values for 3 planets"),
        ({"rigid_sharing": "first"}, "rigid_sharing does nothing"),
        (
            {"sun_mesh": {"model": "table", "slices": 1}, "sun.crowning": "5 um"},
            "sun_mesh.slices: 1 slice knows nothing of crowning",
        ),
        ({"held": {"damping": 3}}, "damping does nothing where a member is held rigidly"),
        ({"sun.material": "stel"}, "'stel' is not a material; did you mean 'steel'"),
        ({"sun.bore_radius": "90 mm"}, "less than the root radius of 87.5 mm"),
        ({"ring.outer_radius": "500 mm"}, "exceed the root radius of 512.5 mm"),
        ({"errors.pin_radial": {4: 1e-6}}, "there is no such planet; they are numbered 1 to 3"),
        ({"errors.pin_radial": {0: 1e-6}}, "planets are counted from 1, up to 3"),
        ({"errors.sun_thickness": {1: 1e-6}}, "write the error without a number"),
        ({"errors.planet_eccentricity": "2 mm"}, "at most 500"),
        ({"sun_mesh.model": "ridgid"}, "did you mean 'rigid'"),
        ({"planets.teeth": 41}, "sun and planet mesh at 305 mm, planet and ring at 295 mm"),
        ({"planets.count": 7}, "does not fit"),
        ({"planets.count": 5}, "tip circles of neighbouring planets overlap"),
        ({"planets.angles": [0, 2, 4]}, "place the planets at whole multiples of 3 deg"),
        ({"sun.teeth": 8, "planets.teeth": 46, "planets.count": 2}, "undercut"),
        ({"ring.teeth": 30}, "ring.teeth is 30; a sun with 20 and planets with 40 teeth inside it"),
        ({"centre_distance": "290 mm"}, "sun, planets: tips of the sun reach"),
        ({"planets.count": 7}, "planets.angles: planet"),
        ({"centre_distance": "290 mm"}, "too thick for each other's spaces"),
        ({"centre_distance": "100 mm"}, "no common tangent"),
        ({"ring.profile_shift": 3}, "mesh without backlash at no centre distance"),
    ],
)  # fmt: skip
def test_refused(changes, sentence):
    with pytest.raises(SpecError) as caught:
        flank.preset("planetary-paper", changes)
    assert sentence in " ".join(caught.value.problems)


def test_masses_by_hand_and_from_dimensions():
    plain = {
        f"{part}.{key}": None
        for part in ("sun", "ring", "planets", "carrier")
        for key in ("mass", "inertia")
    }
    masses = flank.preset("planetary-paper", plain).masses
    assert masses.sun == pytest.approx((24.66, 0.1233), rel=1e-3)  # the discs of Table 1b
    assert masses.planet == pytest.approx((98.65, 1.973), rel=1e-3)
    assert masses.ring == pytest.approx(hollow(0.5375, 0.5, 0.1, 7850.0))
    bored = flank.preset("planetary-paper", plain | {"sun.bore_radius": "50 mm"}).masses
    assert bored.sun[0] == pytest.approx(0.75 * masses.sun[0])
    heavy = flank.preset("planetary-paper", plain | {"sun.mass": 50}).masses
    assert heavy.sun == pytest.approx((50.0, 0.5 * 50 * 0.1**2))


def test_a_draw_is_written_out_among_the_errors():
    machine = flank.preset("planetary-paper", {"errors.seed": 3, "tolerances.pin_radial": "7 um"})
    drawn = machine.errors
    assert np.abs(drawn["pin_radial"]).max() <= 7e-6
    assert np.abs(drawn["planet_eccentricity_direction"]).max() > 0.02
    again = flank.preset("planetary-paper", {"errors": machine.spec.to_mapping()["errors"]})
    for name, values in drawn.items():
        assert again.errors[name] == pytest.approx(values)
    assert machine.spec.errors.drawn_from == 3


def test_teeth_too_thick_by_their_errors_are_refused():
    """Where a mesh knows backlash, here 188 and 187 um along the lines of action."""
    with pytest.raises(SpecError) as caught:
        flank.preset("planetary-500kw", {"errors.planet_thickness": {"2": "400 um"}})
    assert [one.split(":")[0] for one in caught.value.problems] == 2 * ["errors.planet_thickness.2"]
    thick = flank.preset("planetary-500kw", {"errors.planet_thickness": {"2": "220 um"}})
    codes = [finding.code for finding in thick.findings()]
    assert codes == 2 * ["negative-backlash"] + 2 * ["body-assumed"]
    flank.preset("planetary-paper", {"errors.planet_thickness": {"2": "400 um"}})
