"""One check of a model against something known: a closed form, a definition, a published value."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """`computed` must meet `expected` within `tolerance`, relative unless `expected` is zero."""

    name: str
    source: str
    expected: float
    computed: float
    unit: str
    tolerance: float

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
