"""The notebooks of the docs: without outputs in the repository, and every cell runs."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import matplotlib
import pytest
from matplotlib import pyplot

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "notebooks"
NAMES = sorted(path.stem for path in FOLDER.glob("*.ipynb"))
SLOW = {"design_a_drive", "gear_pair_resonance", "measured_disc", "tolerance_study"}
"""Of some seconds and more: by night; the docs build executes all."""

ASKED = {
    "design_a_drive",
    "read_a_loop",
    "tolerance_study",
    "measured_disc",
    "own_mechanism",
    "gear_pair_resonance",
}


def cells(name, kind):
    notebook = json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))
    return [cell for cell in notebook["cells"] if cell["cell_type"] == kind]


def sources(name):
    return ["".join(cell["source"]) for cell in cells(name, "code")]


def run_cell(source, space):
    """What a notebook shows of a cell: the value of its last line, if that is an expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), space)
    if last is None:
        return None
    return eval(compile(ast.Expression(last.value), "cell", "eval"), space)


def test_the_six_are_there():
    assert set(NAMES) >= ASKED


@pytest.mark.parametrize("name", NAMES)
def test_the_repository_has_no_outputs(name):
    for cell in cells(name, "code"):
        assert cell["outputs"] == []
        assert cell["execution_count"] is None


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=pytest.mark.nightly) if n in SLOW else n for n in NAMES],
)
def test_every_cell_runs_and_what_it_shows_can_be_shown(name, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    space = {"__name__": "__main__"}
    with matplotlib.rc_context():
        shown = [run_cell(source, space) for source in sources(name)]
    pictures = [one for one in shown if isinstance(one, matplotlib.figure.Figure)]
    assert pictures or pyplot.get_fignums()
    pyplot.close("all")
    for one in shown:
        if hasattr(one, "_repr_html_"):
            assert one._repr_html_() is None or len(one._repr_html_()) > 100
    assert list(tmp_path.iterdir()) == []


def test_code_of_notebooks_is_as_tidy_as_all_other():
    asked = [[sys.executable, "-m", "ruff", *words] for words in (["check"], ["format", "--check"])]
    files = sorted(FOLDER.glob("*.ipynb"))
    for words in asked:
        ended = subprocess.run([*words, *files], capture_output=True, text=True, cwd=ROOT)
        assert ended.returncode == 0, ended.stdout


def output(kind, **data):
    return {"output_type": kind, **data}


def test_outputs_become_text_tables_and_pictures(script):
    notebooks = script("notebooks")
    notebook = {
        "cells": [
            {"cell_type": "markdown", "source": "# Title\n\nWords."},
            {"cell_type": "markdown", "source": "## Part"},
            {
                "cell_type": "code",
                "source": "show()",
                "outputs": [
                    output("stream", text="one\n"),
                    output("execute_result", data={"text/html": "<table>\n\n<tr></tr></table>"}),
                    output("display_data", data={"image/png": "iVBO", "text/plain": "Figure"}),
                    output("execute_result", data={"text/plain": "42"}),
                ],
            },
        ]
    }
    text, pictures = notebooks.page("name", notebook)
    assert text.startswith("# Title\n\n*The notebook: [name.ipynb](name.ipynb),")
    assert "```python\nshow()\n```" in text
    assert "```text\none\n```" in text
    assert "<div class='output'>\n<table>\n<tr></tr></table>\n</div>" in text
    assert "```text\n42\n```" in text
    ((file, content),) = pictures.items()
    assert f"![Part]({file})" in text
    assert content.startswith(b"\x89PN")
