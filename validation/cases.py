"""One check of a model against something known: a closed form, a definition, a published value."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from case_pictures import with_pictures

from flank.io.files import write_file


@dataclass(frozen=True)
class Case:
    """`computed` must meet `expected` within `tolerance`, relative unless `expected` is zero."""

    name: str
    source: str
    expected: float
    computed: float
    unit: str
    tolerance: float
    rate: tuple[tuple[float, float], ...] = ()
    """Of an order of convergence: steps, and the errors that it is read from."""

    @property
    def error(self) -> float:
        difference = abs(self.computed - self.expected)
        return difference / abs(self.expected) if self.expected else difference

    @property
    def holds(self) -> bool:
        return self.error <= self.tolerance


def as_table(cases: list[Case]) -> str:
    """Markdown table of cases."""
    lines = [
        "| check | source | known | computed | unit | error | allowed | |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for case in cases:
        mark = "holds" if case.holds else "**does not hold**"
        lines.append(
            f"| {case.name} | {case.source} | {case.expected:.6g} | {case.computed:.6g} "
            f"| {case.unit} | {case.error:.1e} | {case.tolerance:.1e} | {mark} |"
        )
    return "\n".join(lines)


def finish(page: Path, text: str, cases: list[Case]) -> NoReturn:
    """Write a page with its pictures and leave with 1 if a case does not hold."""
    rates = {case.name: (case.expected, case.rate) for case in cases if case.rate}
    write_file(page, with_pictures(page, text, rates))
    failed = [case.name for case in cases if not case.holds]
    print(f"{len(cases)} cases, {len(failed)} do not hold; wrote {page}")
    sys.exit(1 if failed else 0)
