"""A reader of workbooks that knows nothing of the library that writes them."""

import io
import zipfile
from xml.etree import ElementTree

SPACE = {"x": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}


def read_workbook(data):
    """Sheets by name: rows of numbers and texts, by the standard's own files in the archive."""
    with zipfile.ZipFile(io.BytesIO(data)) as book:
        texts = []
        if "xl/sharedStrings.xml" in book.namelist():
            shared = ElementTree.fromstring(book.read("xl/sharedStrings.xml"))
            texts = ["".join(each.itertext()) for each in shared.findall("x:si", SPACE)]
        names = ElementTree.fromstring(book.read("xl/workbook.xml")).findall(
            "x:sheets/x:sheet", SPACE
        )
        sheets = {}
        for number, name in enumerate(names, start=1):
            sheet = ElementTree.fromstring(book.read(f"xl/worksheets/sheet{number}.xml"))
            sheets[name.get("name")] = [
                [_value(cell, texts) for cell in row.findall("x:c", SPACE)]
                for row in sheet.findall("x:sheetData/x:row", SPACE)
            ]
        return sheets


def _value(cell, texts):
    assert cell.find("x:f", SPACE) is None
    value = cell.find("x:v", SPACE).text
    return texts[int(value)] if cell.get("t") == "s" else float(value)
