"""The formulas of the docs, and what KaTeX says of them.

    python pages/formulas.py      reads every formula of docs/; needs node

They are taken from the Markdown as the site's `arithmatex` takes them.
"""

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"

CODE = re.compile(r"^(```|~~~).*?^\1|(`+)(?!`).+?(?<!`)\2(?!`)", re.DOTALL | re.MULTILINE)
FORMULA = re.compile(
    r"(?<![\\$])\$\$(?P<block>.+?)\$\$|(?<![\\$])\$(?!\s)(?P<inline>[^$]+?)(?<![\s\\])\$(?!\$)",
    re.DOTALL,
)


@dataclass(frozen=True)
class Formula:
    """One formula in TeX, the page and line where it starts, and whether it stands alone."""

    page: str
    line: int
    source: str
    display: bool


def formulas(text: str, page: str = "") -> list[Formula]:
    """All formulas of a page in Markdown, those in code left out."""
    text = without_code(text)
    return [
        Formula(
            page,
            text.count("\n", 0, found.start()) + 1,
            found["block"] or found["inline"],
            found["block"] is not None,
        )
        for found in FORMULA.finditer(text)
    ]


def without_code(text: str) -> str:
    """The same lines with blanks instead of code."""
    return CODE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def stray_dollars(text: str) -> list[int]:
    """Lines with a dollar that opens or closes nothing: the site would show it."""
    rest = FORMULA.sub(lambda found: "\n" * found[0].count("\n"), without_code(text))
    return [k for k, line in enumerate(rest.splitlines(), 1) if re.search(r"(?<!\\)\$", line)]


def all_formulas() -> list[Formula]:
    """Every formula of every page."""
    return [
        formula
        for page in sorted(DOCS.rglob("*.md"))
        for formula in formulas(page.read_text(encoding="utf-8"), str(page.relative_to(DOCS)))
    ]


def problems(asked: list[Formula]) -> list[str]:
    """What the site's own KaTeX, run by node, cannot read or has no sign for."""
    program = str(Path(__file__).with_name("read_formulas.js"))
    given = json.dumps([[one.source, one.display] for one in asked])
    done = subprocess.run(
        ["node", program], input=given, capture_output=True, text=True, check=True, encoding="utf-8"
    )
    return [
        f"{one.page}:{one.line}: {said}"
        for one, said in zip(asked, json.loads(done.stdout), strict=True)
        if said
    ]


if __name__ == "__main__":
    every = all_formulas()
    found = problems(every)
    print("\n".join(found) or f"KaTeX reads all {len(every)} formulas.")
    sys.exit(1 if found else 0)
