"""REXS out and in: ids of the standard, the same machine again, files of others, refusals."""

import csv
import json
import math
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from rexs_by_hand import ByHand, industrial, planetary

import flank
from flank.errors import SpecError
from flank.exchange.rexs_reader import import_rexs
from flank.exchange.rexs_writer import REST, rexs_of

PRESETS = (
    "gear-pair",
    "spur-bruzzone",
    "planetary-500kw",
    "planetary-grc",
    "planetary-lin-parker",
    "planetary-paper",
)


@pytest.fixture(scope="module", params=PRESETS)
def machine(request):
    return flank.preset(request.param)


def written(text, folder, name="given.rexs"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


STANDARD = {
    (row["component"], row["attribute"]): row["unit"]
    for row in csv.DictReader(
        (Path(__file__).parent / "rexs_1_6.csv").read_text(encoding="utf-8").splitlines()
    )
}
"""What the database of REXS 1.6 allows: an excerpt."""


def test_all_that_is_written_is_in_the_standard(machine):
    model = ElementTree.fromstring(rexs_of(machine))
    assert model.attrib.keys() == {"version", "applicationId", "applicationVersion", "date"}
    kinds = {row.get("id"): row.get("type") for row in model.iter("component")}
    for row in model.iter("component"):
        for cell in row:
            name = cell.get("id")
            if not name.startswith("custom_"):
                assert STANDARD[row.get("type"), name] == cell.get("unit"), (row.get("type"), name)
    for row in model.iter("relation"):
        for ref in row:
            assert kinds[ref.get("id")] == ref.get("hint")


RELATIONS = {
    ("assembly", "gear_unit", "shaft"),
    ("assembly", "shaft", "cylindrical_gear"),
    ("flank", "ring_gear", "cylindrical_gear_flank"),
    ("stage", "cylindrical_stage", "cylindrical_gear"),
    ("planet_pin", "planetary_stage", "shaft"),
    ("manufacturing_step", "cylindrical_gear_flank", "rack_shaped_tool"),
}


def test_a_planetary_gearbox_has_the_relations_of_the_standard():
    model = ElementTree.fromstring(rexs_of(flank.preset("planetary-grc")))
    found = {
        (row.get("type"), row[0].get("hint"), row[1].get("hint")) for row in model.iter("relation")
    }
    assert found >= RELATIONS
    ids = [row.get("id") for row in model.find("relations")]
    assert len(ids) == len(set(ids))


def figures(machine):
    """The tables of gears and meshes that `flank check` prints, whose numbers have four digits."""
    return [repr(table) for table in machine.gear_data()]


def test_a_machine_goes_out_and_comes_back_with_its_figures(machine, tmp_path):
    back = import_rexs(written(rexs_of(machine), tmp_path)).machine
    assert type(back) is type(machine)
    for here, there in zip(figures(machine), figures(back), strict=True):
        assert _numbers(there) == pytest.approx(_numbers(here), rel=1e-8, abs=1e-12)
    mine, other = machine.spec.to_mapping(units=False), back.spec.to_mapping(units=False)
    for key in ("mesh", "sun_mesh", "held", "operation", "rated_torque", "motion", "errors"):
        assert _close(mine.get(key), other.get(key)), key
    for gear in ("pinion", "wheel", "sun", "planets", "ring"):
        if gear in mine:
            assert mine[gear].keys() - other[gear].keys() <= {"tip_radius"}  # that of the rack
            assert _close(
                {key: mine[gear].get(key, 0) for key in other[gear] if key in mine[gear]},
                {key: other[gear][key] for key in other[gear] if key in mine[gear]},
            ), gear


def _numbers(text):
    return [float(each) for each in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", text)]


def _close(a, b):
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_close(a[key], b[key]) for key in a)
    if isinstance(a, float) and isinstance(b, float):
        return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-13)
    return a == b


def test_what_was_changed_in_another_program_holds(tmp_path):
    text = rexs_of(flank.preset("gear-pair"))
    changed = text.replace('id="face_width" unit="mm">45.0<', 'id="face_width" unit="mm">44.5<')
    assert import_rexs(written(changed, tmp_path)).machine.spec.pinion.face_width == 0.0445


def test_a_file_of_another_program_is_read(tmp_path):
    found = import_rexs(written(industrial().text(), tmp_path))
    spec = found.machine.spec
    assert (spec.pinion.teeth, spec.wheel.teeth) == (27, 51)
    assert spec.rack.helix_angle == pytest.approx(math.radians(21))
    assert spec.pinion.profile_shift == 0.231415
    assert spec.centre_distance == 0.19
    assert spec.pinion.support.stiffness == 3e8
    assert spec.wheel.support.kind == "rigid"
    assert spec.pinion.tip_relief.exponent == 1.0
    assert spec.pinion.tip_relief.amount == pytest.approx(12e-6)
    assert spec.operation.input_speed == pytest.approx(543 * 2 * math.pi / 60)
    assert spec.operation.torque == pytest.approx(567 * 51 / 27)
    told = "\n".join(found.account.lines())
    assert "33014" in told
    assert "radial_stiffness" in told
    assert "Ignored: lubricant" in told


def test_a_planetary_stage_of_another_program_is_read(tmp_path):
    spec = import_rexs(written(planetary().text(), tmp_path)).machine.spec
    assert (spec.sun.teeth, spec.planets.teeth, spec.ring.teeth) == (17, 22, 61)
    assert spec.planets.count == 3
    assert spec.evenly_spaced
    assert spec.carrier_radius == 0.078
    assert spec.rack.fillet_radius == 0.25
    assert (spec.operation.input, spec.operation.output) == ("sun", "carrier")
    assert spec.operation.torque == pytest.approx(1591.5494309189535 * (1 + 61 / 17))


def test_a_spec_that_was_read_is_written_with_units_and_loads_again(tmp_path):
    from flank.io.spec_files import write_yaml

    found = import_rexs(written(industrial().text(), tmp_path))
    path = written(write_yaml(found.spec), tmp_path, "given.yaml")
    assert "face_width: 50 mm" in path.read_text(encoding="utf-8")
    assert flank.load(path).spec == found.machine.spec


def test_load_takes_a_rexs_file(tmp_path):
    path = written(rexs_of(flank.preset("gear-pair")), tmp_path)
    assert flank.load(path, {"pinion.profile_shift": 0.1}).spec.pinion.profile_shift == 0.1


def test_one_of_several_stages_is_chosen(tmp_path):
    path = written(industrial(stages=2).text(), tmp_path)
    with pytest.raises(SpecError, match=r"stages 19 .* 20 .*choose one with --stage"):
        import_rexs(path)
    with pytest.raises(SpecError, match="no stage 7; it has 19"):
        import_rexs(path, stage=7)
    assert import_rexs(path, stage=20).machine.spec.wheel.teeth == 51


def test_what_a_file_lacks_is_asked_for_and_may_be_given(tmp_path):
    text = industrial().text().replace("torque_around_u_axis", "something_else")
    path = written(text, tmp_path)
    with pytest.raises(SpecError, match=r"operation\.torque is missing") as refusal:
        import_rexs(path)
    assert "operation.input_speed" not in str(refusal.value)
    spec = import_rexs(path, changes={"operation.torque": "300 N*m"}).machine.spec
    assert spec.operation.torque == spec.rated_torque == 300.0


BOMB = """<?xml version='1.0'?><!DOCTYPE m [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>
<model version='1.4'>&b;</model>"""
OUTSIDE = """<?xml version='1.0'?><!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/passwd">]>
<model version='1.4'>&x;</model>"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BOMB, "has a document type or entities"),
        (OUTSIDE, "has a document type or entities"),
        ("<model", "is no XML"),
        ("<?xml version='1.0' encoding='klingon'?><model/>", "is no XML: unknown encoding"),
        ("<model version='1.4'>" + "<a>" * 100_000 + "</a>" * 100_000 + "</model>", "neither"),
        ("<model version='3.0'/>", "is of REXS 3.0; Flank reads 1.0 to 1.7"),
        ("<spec/>", "is no REXS file"),
        ("<model version='1.4'/>", "neither a cylindrical nor a planetary stage"),
        ('{"model": {}}', "is REXS as JSON"),
        ("PK\x03\x04", "is an archive"),
        (industrial().text().replace("unit='mm'>50", "unit=''>50"), "face_width .* has no unit"),
        (industrial().text().replace("unit='mm'>50", "unit='ell'>50"), "has the unit 'ell'"),
        (industrial().text().replace(">50<", ">wide<"), "is 'wide', which is no number"),
        (industrial().text().replace(">50<", ">nan<"), "give a finite number"),
        (industrial().text().replace("id='34' type", "id='33' type"), "two components with the id"),
        (industrial().text().replace("id='33' role", "id='99' role"), "relation to component 99"),
        (industrial().text().replace("id='19' type", "id='x' type"), "a whole number is needed"),
        (industrial().text().replace(">0.231415<", ">0.3<", 1), "the two flanks of .* differ"),
        (industrial().text().replace(">4.5<", ">4.6<", 1), "differ in their normal module"),
        (rexs_of(flank.preset("gear-pair")).replace('none">{', 'none">'), "is damaged"),
    ],
)  # fmt: skip
def test_what_is_no_good_file_is_told_in_a_sentence(text, said, tmp_path):
    with pytest.raises(SpecError, match=said) as refusal:
        import_rexs(written(text, tmp_path))
    assert len(refusal.value.problems) == 1


def test_a_ring_whose_profile_shift_has_the_other_sign_is_seen_by_its_root(tmp_path):
    text = rexs_of(flank.preset("planetary-500kw"))
    other = text.replace(">-0.84<", ">0.84<")
    found = import_rexs(written(other, tmp_path))
    assert found.machine.spec.ring.profile_shift == -0.84
    assert any("the other sign" in sentence for sentence in found.account.assumed)


def test_machines_that_rexs_has_no_parts_for_are_refused():
    with pytest.raises(SpecError, match="gear pairs and planetary gearboxes"):
        rexs_of(flank.preset("cycloidal-drive"))


def test_nothing_of_others_is_overwritten(tmp_path):
    path = tmp_path / "pair.rexs"
    machine = flank.preset("gear-pair")
    flank.export(machine, path)
    flank.export(machine, path)
    path.write_text(path.read_text().replace(">25<", ">24<"))
    with pytest.raises(SpecError, match="changed since"):
        flank.export(machine, path)


def test_what_rexs_has_no_name_for_goes_along_as_json():
    model = ElementTree.fromstring(rexs_of(flank.preset("gear-pair")))
    (cell,) = (cell for cell in model.iter("attribute") if cell.get("id") == REST)
    rest = json.loads(cell.text)
    assert rest["damping_ratio"] == 0.04
    assert "teeth" not in rest["pinion"]


def test_positions_put_planets_on_their_circle():
    machine = flank.preset("planetary-500kw")
    model = ElementTree.fromstring(rexs_of(machine))
    places = [
        [float(c.text) for c in cell.iter("c")]
        for row in model.iter("component")
        if row.get("name", "").startswith("planet ") and row.get("type") == "cylindrical_gear"
        for cell in row
        if cell.get("id") == "support_vector"
    ]
    radii = [np.hypot(*place[1:]) for place in places]
    assert radii == pytest.approx([1e3 * machine.spec.carrier_radius] * 3, rel=1e-9)


def test_an_empty_file_by_hand_names_no_stage(tmp_path):
    with pytest.raises(SpecError, match="neither"):
        import_rexs(written(ByHand().text(), tmp_path))
