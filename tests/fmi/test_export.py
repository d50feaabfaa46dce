"""Units are written whole or not at all, replace nothing of the user's, and say what is wrong."""

import dataclasses
import os
import shutil
import zipfile

import pytest
from commands import run_command
from units_at_work import machine_of, needs_binary, unit_of

import flank
from flank.errors import SpecError
from flank.fmi import export
from flank.fmi.block import BlockSettings, two_shaft_block
from flank.io.ownership import is_our_unit
from flank.native import library
from flank.native.unit_binary import UnitBinary

PRESET = "gear-pair"


@needs_binary
def test_a_unit_holds_what_it_should_and_is_written_the_same_again(tmp_path):
    path = flank.export_fmu(machine_of(PRESET), tmp_path / "my pair.fmu")
    with zipfile.ZipFile(path) as unit:
        names = unit.namelist()
        page = unit.read("documentation/index.html").decode()
        spec = unit.read("documentation/spec.yaml").decode()
        assert "resources/unit.bin" in names
        assert b'modelIdentifier="my_pair"' in unit.read("modelDescription.xml")
    assert any(name.startswith("binaries/") and "/my_pair." in name for name in names)
    for text in ("Fixed at export", "Platforms", "pinion_bearing.damping", "N.s/m", "no Python"):
        assert text in page
    assert "teeth: 25" in spec
    before = path.read_bytes()
    assert is_our_unit(path)
    assert flank.export_fmu(machine_of(PRESET), path).read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["my pair.fmu"]


@needs_binary
def test_the_command_writes_a_unit_and_says_what_is_in_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    line = "export gear-pair --fmu pair.fmu --version 3 --option drive=speed --option step='50 us'"
    ended = run_command(line + " --set operation.input_speed='1000 rpm'")
    assert ended.status == 0, ended.stderr
    for text in ("inputs      input.speed, output.torque", "pinion_bearing.damping", "FMI 3"):
        assert text in ended.stdout
    with zipfile.ZipFile("pair.fmu") as unit:
        assert b'fmiVersion="3.0"' in unit.read("modelDescription.xml")


@needs_binary
def test_a_unit_that_somebody_changed_is_not_replaced(tmp_path):
    path = flank.export_fmu(machine_of(PRESET), tmp_path / "pair.fmu")
    with zipfile.ZipFile(path, "a") as unit:
        unit.writestr("extra/notes.txt", "mine")
    with pytest.raises(SpecError, match="is not a unit that Flank wrote, or was changed since"):
        flank.export_fmu(machine_of(PRESET), path)


REFUSED = {
    "--fmu pair.zip": "is no name of a unit; give one that ends in .fmu",
    "--fmu none/pair.fmu": "cannot be written: there is no folder none",
    "--fmu folder.fmu": "cannot be written: it is a folder",
    "--fmu mine.fmu": "mine.fmu is not a unit that Flank wrote, or was changed since;",
    "--fmu other.fmu": "other.fmu is not a unit that Flank wrote, or was changed since;",
    "--fmu pair.fmu --version 1": "version 1 of FMI cannot be written; give 2 or 3",
    "--fmu pair.fmu --option step=0": "settings of a unit: step",
    "--fmu pair.fmu --option stp=1": "stp is not a setting; did you mean 'step'?",
    "--fmu pair.fmu --option drive=angle": "settings of a unit: drive",
    "--fmu pair.fmu --contents forces": "cannot hold 'forces'; did you mean 'force'? Give one of",
    "--fmu pair.fmu --contents force": "needs gears whose teeth touch in space, and 'Helical",
    "--fmu pair.fmu --contents force --option step=1": "has no settings; leave out step",
}


@needs_binary
@pytest.mark.parametrize(("words", "sentence"), REFUSED.items())
def test_a_refused_export_is_told_and_leaves_everything(tmp_path, monkeypatch, words, sentence):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.fmu").mkdir()
    (tmp_path / "mine.fmu").write_text("my own")
    with zipfile.ZipFile("other.fmu", "w") as other:
        other.writestr("modelDescription.xml", '<fmiModelDescription generationTool="Other 1"/>')
    before = {path.name: path.is_file() and path.read_bytes() for path in tmp_path.iterdir()}
    ended = run_command(f"export gear-pair {words}")
    assert ended.status == 2
    assert sentence in ended.stderr
    assert before == {
        path.name: path.is_file() and path.read_bytes() for path in tmp_path.iterdir()
    }


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write")
def test_a_folder_without_permission_is_told(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(SpecError, match="cannot be written: Permission denied"):
        flank.export_fmu(machine_of(PRESET), tmp_path / "pair.fmu")


@needs_binary
def test_a_full_disk_leaves_the_earlier_unit(tmp_path, monkeypatch):
    path = flank.export_fmu(machine_of(PRESET), tmp_path / "pair.fmu")
    before = path.read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("flank.io.files.write_through", full)
    with pytest.raises(SpecError, match="No space left on device"):
        flank.export_fmu(machine_of(PRESET), path)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["pair.fmu"]


def test_without_a_library_there_is_a_remedy(tmp_path, monkeypatch):
    monkeypatch.setattr(library, "FOLDER", tmp_path)
    ended = run_command(f"export gear-pair --fmu {tmp_path}/pair.fmu")
    assert ended.status == 2
    assert ended.stderr == (
        "no unit can be written: the library of kernels was not built; `make native` builds it "
        "with a C compiler, and wheels of Flank hold it\n"
    )
    assert list(tmp_path.iterdir()) == []


@needs_binary
def test_a_damaged_binary_is_told(tmp_path, monkeypatch):
    built = tmp_path / "built"
    shutil.copytree(library.FOLDER, built)
    (binary,) = built.glob("unit.*")
    binary.write_bytes(binary.read_bytes()[:-1])
    monkeypatch.setattr(library, "FOLDER", built)
    with pytest.raises(SpecError, match=f"no unit can be written: {binary.name} is damaged; `make"):
        flank.export_fmu(machine_of(PRESET), tmp_path / "pair.fmu")


BINARY = UnitBinary(b"", "0" * 16, "linux-x86_64", frozenset())


def test_models_that_the_kernels_do_not_know_are_refused():
    with pytest.raises(SpecError, match="contact kinds or force laws that are not Flank's own"):
        export.check_types(unit_of(PRESET), BINARY, "a pair")


def test_platforms_have_the_names_of_the_standard():
    assert export.binary_folder("linux-x86_64", 2) == "linux64"
    assert export.binary_folder("linux-aarch64", 3) == "aarch64-linux"
    with pytest.raises(SpecError, match="FMI 2 has no name for the platform linux-aarch64; give"):
        export.binary_folder("linux-aarch64", 2)
    with pytest.raises(SpecError, match=r"FMI 3 has no name for the platform plan9-mips$"):
        export.binary_folder("plan9-mips", 3)


def test_the_oldest_c_library_is_read_from_the_binary():
    content = b"GLIBC_2.2.5\0GLIBC_2.29\0GLIBC_2.14"
    assert dataclasses.replace(BINARY, content=content).needs == "glibc 2.29"
    assert BINARY.needs == ""


class NoShafts:
    title = "a bearing"


def test_a_machine_without_two_shafts_is_refused():
    with pytest.raises(SpecError, match="needs an input and an output, and 'a bearing' has none"):
        two_shaft_block(NoShafts())


def test_a_load_that_nothing_carries_is_refused():
    with pytest.raises(SpecError, match="has no equilibrium under 1e\\+09 N·m to begin from"):
        two_shaft_block(machine_of("cycloidal-drive"), BlockSettings(torque=1e9))


def test_names_are_no_machines(tmp_path):
    with pytest.raises(SpecError, match="make the machine first"):
        flank.export_fmu(PRESET, tmp_path / "pair.fmu")


@pytest.mark.parametrize(
    ("name", "identifier"), [("rv-320", "rv_320"), ("3 pins", "unit_3_pins"), ("été", "unit__t_")]
)
def test_identifiers_are_names_in_c(tmp_path, name, identifier):
    assert export.identifier_of(tmp_path / f"{name}.fmu") == identifier
