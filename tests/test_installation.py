"""What `make` installs: exact versions, and a package that is found from every folder."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PINS = dict(
    line.split("==")
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
)
VERSIONS = {canonicalize_name(name): version for name, version in PINS.items()}


def requirements():
    extras = PROJECT["project"]["optional-dependencies"]
    return [
        *PROJECT["project"]["dependencies"],
        *PROJECT["build-system"]["requires"],
        *(one for extra in extras.values() for one in extra),
        "pip",
    ]


@pytest.mark.parametrize("text", requirements())
def test_everything_that_is_needed_has_a_version_that_fits(text):
    """`make constraints` takes them anew."""
    needed = Requirement(text)
    assert VERSIONS[canonicalize_name(needed.name)] in needed.specifier


def test_make_installs_these_versions():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    makefile, _, renewal = makefile.partition("\nconstraints:")
    rest = renewal.partition("\nclean:")[2]
    commands = re.findall(r".*-m pip install.*", makefile + rest)
    assert commands
    assert all("--constraint constraints.txt" in command for command in commands)


def test_flank_is_found_from_the_folder_above_a_clone(tmp_path):
    """There the clone itself looks like a package without a file."""
    (tmp_path / "flank").symlink_to(ROOT, target_is_directory=True)
    done = subprocess.run(
        [sys.executable, "-c", "import flank; print(flank.preset('monocrank').title)"],
        cwd=tmp_path,
        env={"PATH": ""},
        capture_output=True,
        text=True,
    )
    assert done.stdout.startswith("Monocrank"), done.stderr
