"""All numbers of a document as a workbook and as JSON."""

import json
import re

import pytest
from workbooks import read_workbook

import flank
from flank.errors import SpecError
from flank.io.tables import Column, table
from flank.report import writers
from flank.report.document import RUN, Document
from flank.report.spreadsheet import as_number, sheets_of, workbook


def document(*tables, **more):
    shown = {each.title: each for each in tables}
    return Document(RUN, "Loop", "A drive", "", "", shown, {}, {}, **more)


def test_numbers_are_numbers_and_words_are_words():
    given = table(
        "Parts", [Column("part", ["=1+1", "-", "pins"]), Column("N", [1.5, 2e-7, -3.0], ".12g")]
    )
    (rows,) = read_workbook(workbook(document(given))).values()
    assert rows == [["part", "N"], ["=1+1", 1.5], ["-", 2e-7], ["pins", -3.0]]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1,801", 1801),
        ("-3.5e-6", -3.5e-6),
        ("12 kN", None),
        ("-", None),
        ("1,5", None),
        ("", None),
    ],
)
def test_what_is_a_number(text, number):
    assert as_number(text) == number


def test_names_of_sheets_are_short_plain_and_different():
    long = "Where the compliance sits: one part after the other [all]"
    tables = [table(f"{long} {k}", [Column("a", ["b"])]) for k in range(3)]
    names = list(read_workbook(workbook(document(*tables))))
    assert len(set(names)) == 3
    assert all(len(name) <= 31 and not re.search(r"[\[\]:*?/\\]", name) for name in names)


def test_equal_documents_are_equal_files():
    given = document(table("Parts", [Column("part", ["pins"])]))
    assert workbook(given) == workbook(given)


def test_a_run_has_both_formats(tmp_path):
    result = flank.run(flank.preset("cycloidal-drive"), "load-distribution")
    flank.save(result, tmp_path / "out", ["xlsx", "json"])
    sheets = read_workbook((tmp_path / "out" / "tables.xlsx").read_bytes())
    assert "summary" in sheets
    assert len(sheets["by-disc-pin"]) == 1 + 2 * 40
    numbers = json.loads((tmp_path / "out" / "numbers.json").read_text(encoding="utf-8"))
    assert numbers["kind"] == "run"
    torque = next(row for row in numbers["summary"] if row["quantity"] == "Output torque")
    assert torque == {"quantity": "Output torque", "value": 200.0, "unit": "N·m"}
    flank.save(result, tmp_path / "out", ["xlsx"])  # replaces its own
    assert not (tmp_path / "out" / "numbers.json").exists()


def test_a_missing_library_is_told_before_anything_is_computed(monkeypatch):
    monkeypatch.setattr(writers, "find_spec", lambda name: None)
    with pytest.raises(SpecError, match=r"needs the library xlsxwriter: pip install 'flank\[tab"):
        writers.writers_of(RUN, ["xlsx"])
    assert "xlsx" not in {w.suffix for w in writers.writers_of("dossier")}


def test_parts_of_a_document_are_sheets_too():
    inner = document(table("Inner", [Column("a", ["b"])]), short="hysteresis")
    names = [name for name, _ in sheets_of(document(parts=(inner,)))]
    assert names == ["hysteresis Inner"]
