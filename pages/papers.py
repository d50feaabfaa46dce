"""What of a paper stands where, and what checks it: a table for each file in pages/papers/.

    python pages/papers.py        writes docs/papers.md

Rows are data; `problems` tells those whose code, test, validation group or finding is not there any
more, and a test keeps it empty.
"""

import ast
import importlib
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from marked import write_marked

from flank.io.spec_files import read_spec_text
from flank.reproduce.registry import REPRODUCTIONS
from flank.reproduce.study import read_paper

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "papers.md"
FOLDER = Path(__file__).parent / "papers"

FINDING = "reproduce "
NOTHING = "–"
HEADINGS = ("part", "section", "where it stands", "what checks it", "what differs, and why")


@cache
def papers() -> dict[str, dict[str, Any]]:
    """What each file says, by its name."""
    return {
        path.stem: read_spec_text(path.read_text(encoding="utf-8"))
        for path in sorted(FOLDER.glob("*.yaml"))
    }


def as_pages() -> str:
    """The sections of all papers, one table each."""
    return "\n\n".join(_section(paper) for paper in papers().values())


def _section(paper: Mapping[str, Any]) -> str:
    lines = [f"| {' | '.join(HEADINGS)} |", "|" + "---|" * len(HEADINGS)]
    lines += [_row(row) for row in paper["rows"]]
    count, missing = len(paper["rows"]), sum("stands" not in row for row in paper["rows"])
    told = f"{count} parts, of which {count - missing} stand and {missing} do not."
    more = f"{paper['source']}. [Theory]({paper['page']})."
    return "\n".join([f"## {paper['title']}", "", more, "", told, "", *lines])


def _row(row: Mapping[str, Any]) -> str:
    code = [_code(name.removeprefix("flank.")) for name in _names(row, "stands")]
    checks = [each if each.startswith(FINDING) else _code(each) for each in _names(row, "checked")]
    cells = (
        row["part"],
        str(row["section"]),
        ", ".join(code) or NOTHING,
        ", ".join(checks) or NOTHING,
        row.get("differs", "as in the paper"),
    )
    return f"| {' | '.join(cells)} |"


def _code(name: str) -> str:
    """A name that may go on in the next line behind its dots and bars: five columns of
    long names leave no room for what differs."""
    parted = re.sub(r"(::|[./_])", r"\1<wbr>", name).replace("_", "&#95;")
    return f"<code>{parted}</code>"


def _names(row: Mapping[str, Any], key: str) -> list[str]:
    given = row.get(key, [])
    return [given] if isinstance(given, str) else list(given)


def problems() -> Iterator[str]:
    """A sentence for everything that a row names and that is not there."""
    for name, paper in papers().items():
        if not (ROOT / "docs" / paper["page"]).exists():
            yield f"{name}: there is no page {paper['page']}"
        for row in paper["rows"]:
            if ("stands" in row) != ("checked" in row):
                yield f"{name}, {row['part']}: what stands is checked, and the other way round"
            for code in _names(row, "stands"):
                if not _is_code(code):
                    yield f"{name}, {row['part']}: there is no {code}"
            for check in _names(row, "checked"):
                if not _is_check(check):
                    yield f"{name}, {row['part']}: there is no {check}"


def _is_code(dotted: str) -> bool:
    """Whether a module has it, or a class in it."""
    parts = dotted.split(".")
    for split in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:split]))
        except ModuleNotFoundError:
            continue
        for part in parts[split:]:
            found = getattr(found, part, None)
        return found is not None
    return False


def _is_check(check: str) -> bool:
    if check.startswith(FINDING):
        study, _, place = check.removeprefix(FINDING).partition(": ")
        return study in REPRODUCTIONS and place in _places(study)
    file, _, function = check.partition("::")
    path = ROOT / file
    return path.exists() and (not function or function in _functions(path))


@cache
def _places(study: str) -> frozenset[str]:
    package = REPRODUCTIONS[study].package
    return frozenset(finding.get("place", "") for finding in read_paper(package).findings)


@cache
def _functions(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


if __name__ == "__main__":
    wrong = list(problems())
    if wrong:
        raise SystemExit("\n".join(wrong))
    write_marked(PAGE, "papers", as_pages())
