"""What others cite and write to us: the version is the package's, and forms are complete."""

from pathlib import Path

import pytest
import yaml

import flank

ROOT = Path(__file__).parent.parent
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))


def test_the_citation_names_the_version_of_the_package():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == flank.__version__
    assert citation["license"] == "Apache-2.0"
    assert citation["authors"]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.stem)
def test_forms_have_a_name_and_ask_for_something(form):
    asked = yaml.safe_load(form.read_text(encoding="utf-8"))
    assert {"name", "description", "body"} <= set(asked)
    names = [field["id"] for field in asked["body"]]
    assert len(set(names)) == len(names)
    assert all(field["attributes"]["label"] for field in asked["body"])
