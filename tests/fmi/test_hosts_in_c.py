"""A host without Python loads units, and the functions of the standard are all there, as it has
them."""

import ctypes
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from units_at_work import (
    binary_of,
    module_of,
    needs_binary,
    token_of,
    unit_of,
    unpacked,
)

from flank.native.unit_binary import SOURCES

COMPILER = shutil.which("cc") or shutil.which("gcc")
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")
STEP, STEPS = 1e-4, 20


@pytest.fixture(scope="module")
def host(tmp_path_factory):
    made = tmp_path_factory.mktemp("host") / "host"
    source = Path(__file__).parent / "host.c"
    subprocess.run([COMPILER, "-o", made, source, "-ldl", "-lm"], check=True)
    return made


def run_host(host, folder, version, values, references=(1, 3)):
    """Rows that the host prints, by their first word; `references` of what is set and read."""
    resources = folder / "resources"
    place = resources.as_uri() if version == 2 else f"{resources}/"
    words = [host, binary_of(folder), place, token_of(folder), version, STEPS, STEP]
    words += [references[0], *map(repr, values), references[1]]
    done = subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    assert "failed" not in done.stdout
    assert "their tokens differ" in done.stdout
    return {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines()}


def assert_independent_and_restored(host, folder, version, values, references=(1, 3)):
    rows = run_host(host, folder, version, values, references)
    assert rows["first"] == rows["again"]
    assert rows["first"] != rows["second"]
    swapped = run_host(host, folder, version, values[::-1], references)
    assert (swapped["first"], swapped["second"]) == (rows["second"], rows["first"])
    return rows


@needs_binary
@needs_compiler
@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("preset", ["cycloidal-drive", "cv-joint", "gear-pair", "bevel-pair"])
def test_two_instances_run_side_by_side_and_are_restored(host, preset, version):
    torque = unit_of(preset).listed[1].start
    values = torque, 0.5 * torque
    assert_independent_and_restored(host, unpacked(preset, version), version, values)


@needs_binary
@needs_compiler
@pytest.mark.parametrize("version", [2, 3])
def test_two_force_modules_are_independent_and_restored(host, version):
    """The wheel is turned into its mate by the z of its quaternion, more and less."""
    folder, unit = unpacked("bevel-pair", version, "force"), module_of("bevel-pair")
    names = [variable.name for variable in unit.listed]
    references = names.index("wheel.rotation.z"), names.index("pinion.force.x")
    turns = [unit.listed[references[0]].start + half for half in (1e-3, 1.2e-3)]
    rows = assert_independent_and_restored(host, folder, version, turns, references)
    assert all(abs(float(rows[name][0])) > 1.0 for name in ("first", "second"))


@needs_binary
def test_a_binary_needs_the_c_library_only():
    """Nothing of Python, and no name of a kernel, is in the table of its symbols."""
    content = binary_of(unpacked("gear-pair")).read_bytes()
    for word in (b"Py_", b"_Py", b"NRT_", b"flank_march", b"libpython"):
        assert word not in content


def headers():
    fmpy = pytest.importorskip("fmpy", reason="FMPy has the headers of the standard")
    return Path(fmpy.__file__).parent / "c-code"


@needs_compiler
@pytest.mark.parametrize("version", [2, 3])
def test_functions_are_those_of_the_standards_headers(version):
    """A compiler refuses a function that differs from its declaration."""
    command = [COMPILER, "-std=gnu11", "-fsyntax-only", "-Werror", f"-I{headers()}"]
    command += ["-include", f"fmi{version}Functions.h", str(SOURCES / f"fmi{version}.c")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@needs_binary
@pytest.mark.parametrize("version", [2, 3])
def test_all_functions_of_the_standard_are_there(version):
    text = (headers() / f"fmi{version}Functions.h").read_text()
    names = set(re.findall(rf"\b(fmi{version}\w+)TYPE\b", text))
    assert len(names) > 40
    library = ctypes.CDLL(str(binary_of(unpacked("gear-pair", version))))
    assert [name for name in sorted(names) if not hasattr(library, name)] == []
