"""CONTRIBUTING names places that exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PLACES = sorted(set(re.findall(r"`([a-z_]+/[a-z_/]*(?:\.\w+)?)`", TEXT)))


def test_places_are_found():
    assert {"contact/kinds/", "analyses/registry.py", "tests/helpers/daily.py"} <= set(PLACES)


@pytest.mark.parametrize("place", PLACES)
def test_every_place_is_there(place):
    assert (ROOT / place).exists() or (ROOT / "src" / "flank" / place).exists()


def test_every_make_target_is_there():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"^    make (\w[\w-]*)", TEXT, flags=re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, flags=re.MULTILINE), target


def test_links_lead_somewhere():
    for target in re.findall(r"\]\(([^)#]+)\)", TEXT):
        assert (ROOT / target).exists(), target
