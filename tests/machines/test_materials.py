"""The materials that are always there, how one is defined, and the page that tells of them."""

from pathlib import Path

import pytest

import flank
from flank.errors import SpecError
from flank.io.spec_files import read_spec_text
from flank.machines.materials import BUILT_IN_MATERIALS, KNOWN_MATERIALS, unknown_material

PAGE = Path(__file__).parents[2] / "docs" / "materials.md"


def test_steel_is_what_it_was():
    steel = BUILT_IN_MATERIALS["steel"]
    assert (steel.youngs_modulus, steel.poisson_ratio, steel.density) == (206e9, 0.3, 7850.0)


def test_there_are_eight_and_more_each_within_its_range():
    assert len(KNOWN_MATERIALS) >= 8
    for name, known in KNOWN_MATERIALS.items():
        low, high = known.moduli
        assert low <= known.spec.youngs_modulus / 1e9 <= high, name
        assert known.title, name
        assert known.source, name


@pytest.mark.parametrize("name", KNOWN_MATERIALS)
def test_a_part_may_be_of_each(name):
    drive = flank.preset("cycloidal-drive", {"discs.material": name})
    assert drive.spec.material(drive.spec.discs.material) is KNOWN_MATERIALS[name].spec


def test_a_softer_disc_winds_up_more():
    stiffness = [
        flank.run(
            flank.preset("cycloidal-drive", {"discs.material": name}),
            "hysteresis",
            points_per_stage=10,
        )["torsional_stiffness"]
        for name in ("steel", "EN-AW-7075", "POM")
    ]
    assert stiffness == sorted(stiffness, reverse=True)


def test_the_refusal_lists_them_and_its_example_works():
    with pytest.raises(SpecError) as error:
        flank.preset("cycloidal-drive", {"discs.material": "unobtainium"})
    sentence = str(error.value)
    assert sentence.startswith("discs.material: 'unobtainium' is not a material. Known: steel, ")
    assert all(name in sentence for name in KNOWN_MATERIALS)
    materials = read_spec_text(sentence.partition("as in ")[2])["materials"]
    (name,) = materials
    drive = flank.preset("cycloidal-drive", {"materials": materials, "discs.material": name})
    assert drive.spec.material(name).youngs_modulus == 110e9


@pytest.mark.parametrize(
    ("given", "meant"),
    [("bronze", "CuSn12"), ("pom", "POM"), ("PA66", "PA66-dry"), ("18CrNiMo7-6", "16MnCr5")],
)
def test_a_common_name_leads_to_the_material(given, meant):
    assert f"; did you mean '{meant}'?" in unknown_material(given, {})


def test_a_material_of_one_s_own_may_have_a_known_name():
    own = {"POM": {"youngs_modulus": "2.6 GPa", "poisson_ratio": 0.4, "density": 1420}}
    drive = flank.preset("cycloidal-drive", {"materials": own, "discs.material": "POM"})
    assert drive.spec.material("POM").youngs_modulus == 2.6e9


def test_the_page_tells_the_values_of_the_code():
    rows = [
        f"| `{name}` | {known.title} | {known.spec.youngs_modulus / 1e9:.4g} | "
        f"{known.moduli[0]:g} to {known.moduli[1]:g} | {known.spec.poisson_ratio:g} | "
        f"{known.spec.density:g} | {known.source} |"
        for name, known in KNOWN_MATERIALS.items()
    ]
    page = PAGE.read_text(encoding="utf-8")
    assert [line for line in page.splitlines() if line.startswith("| `")] == rows


def test_the_page_s_definition_works():
    page = PAGE.read_text(encoding="utf-8")
    block = read_spec_text(page.partition("```yaml\n")[2].partition("```")[0])
    drive = flank.preset(
        "cycloidal-drive",
        {"materials": block["materials"], "discs.material": block["discs"]["material"]},
    )
    assert drive.spec.material("my_bronze").density == 8800.0
