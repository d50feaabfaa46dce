"""What a machine is called: the user's name for it, or its data as they are."""

import pytest

import flank
from flank.io.spec_files import read_spec_text
from flank.machines.registry import LONGEST_CHANGES, title_of
from flank.presets import preset_names, preset_text
from flank.texts import as_in_specs


@pytest.mark.parametrize("name", preset_names())
def test_a_list_and_the_machine_itself_say_the_same(name):
    assert title_of(read_spec_text(preset_text(name), name)) == flank.preset(name).title


@pytest.mark.parametrize(
    ("name", "changes", "title"),
    [
        ("cycloidal-drive", {}, "Cycloidal drive, 40 pins, 412 N*m"),
        ("cycloidal-drive", {"pins.count": 30}, "Cycloidal drive, 30 pins, 412 N*m"),
        ("cycloidal-drive", {"rated_torque": "0.05 kN*m"}, "Cycloidal drive, 40 pins, 50 N*m"),
        ("single-disc", {}, "Single-disc cycloidal drive, 60 rolling pins, 1100 N*m"),
        ("few-teeth-60", {"rated_torque": 900}, "Few-teeth reducer, 60/62 teeth, 900 N*m"),
        ("rv-320", {"title": None}, "RV reducer, 40 pins, 3136 N*m"),
        (
            "planetary-500kw",
            {"title": None},
            "Planetary gearbox, 20/35/91 teeth, 3 planets, 28090 N*m",
        ),
        ("gear-pair", {"title": None}, "Gear pair, 25/77 teeth, 700 N*m"),
        ("cv-joint", {"title": None}, "Constant-velocity joint, 8 balls on 60 mm"),
    ],
)
def test_a_title_that_nobody_gave_follows_the_data(name, changes, title):
    assert flank.preset(name, changes).title == title


def test_a_preset_s_name_says_that_it_was_changed():
    name = flank.preset("monocrank").title
    one = flank.preset("monocrank", {"pins.radius": "3.4 mm"})
    assert one.title == f"{name} (changed: pins.radius 3.4 mm)"
    many = {"pins.radius": "3.4 mm", "discs.equidistant": "40 um", "operation.torque": "20 N*m"}
    assert len(", ".join(f"{key} {value}" for key, value in many.items())) > LONGEST_CHANGES
    assert flank.preset("monocrank", many).title == f"{name} (changed)"


def test_a_title_has_blocks_and_lists_as_specs_do():
    block = {"operation.plunge": {"kind": "free", "shaft_mass": "2.5 kg"}}
    title = flank.preset("cv-joint", block).title
    assert title.endswith("(changed: operation.plunge {kind: free, shaft_mass: 2.5 kg})")
    assert as_in_specs([True, None, {"a": [1, 2.5]}]) == "[true, null, {a: [1, 2.5]}]"


def test_a_title_stays_on_its_line():
    title = flank.preset("monocrank", {"source": "a\nb\tc"}).title
    assert title.isprintable()


def test_a_title_of_one_s_own_is_kept(tmp_path):
    changes = {"pins.radius": "3.4 mm"}
    assert flank.preset("monocrank", {**changes, "title": "Mine"}).title == "Mine"
    file = tmp_path / "my.yaml"
    file.write_text(preset_text("cycloidal-drive") + "title: Mine\n", encoding="utf-8")
    assert flank.load(file, {"pins.count": 30}).title == "Mine"


def test_the_title_reaches_result_text_and_page(tmp_path):
    machine = flank.preset("cycloidal-drive", {"pins.count": 30, "eccentricity": "1.2 mm"})
    result = flank.run(machine, "load-distribution")
    assert result.title == "Cycloidal drive, 30 pins, 412 N*m"
    assert flank.summary(result).startswith("Cycloidal drive, 30 pins, 412 N·m: load distribution")
    folder = flank.save(result, tmp_path / "out")
    assert flank.read(folder).title == result.title
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "<h1>Cycloidal drive, 30 pins, 412 N·m</h1>" in page
    assert flank.load(folder / "spec.yaml", {"pins.count": 31}).title.startswith(
        "Cycloidal drive, 31 pins"
    )


@pytest.mark.parametrize("name", preset_names())
def test_a_machine_prints_in_one_line(name):
    machine = flank.preset(name)
    text = repr(machine)
    assert machine.title in text
    assert machine.spec.machine in text
    assert len(text) < 120
    assert ("ratio" in text.removeprefix(f"<{machine.spec.machine} '{machine.title}'")) == hasattr(
        machine, "ratio"
    )
