"""The rules of good design on their page, from the code.

python pages/checks.py      writes the tables of docs/checks.md
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from marked import write_marked

from flank.design.processes import PROCESSES as DESIGNED
from flank.design.registry import KINDS
from flank.design.rule import Rule
from flank.io.shown import count_text, factor, number_text, unit_text
from flank.machines.materials import KNOWN_MATERIALS
from flank.machines.processes import PROCESSES

PAGE = Path(__file__).parent.parent / "docs" / "checks.md"
SIGNS = {"at_least": "≥", "at_most": "≤"}


def limit_text(kind: str, rule: Rule) -> str:
    """A number in the figure's unit, or what the limit is in words."""
    if callable(rule.limit):
        return rule.limit_is
    figure = KINDS[kind].figures.declared()[rule.figure]
    if not figure.shown_unit:
        return count_text(rule.limit)
    shown = number_text(rule.limit * factor(figure.unit, figure.shown_unit))
    return f"{shown} {unit_text(figure.shown_unit)}"


HEAD = (
    "| finding | kept where | else | what to change | limit from |",
    "|---|---|---|---|---|",
)


def _lines(rules: Iterable[tuple[str, Rule]]) -> Iterator[str]:
    for kind, rule in rules:
        title = KINDS[kind].figures.declared()[rule.figure].title
        kept = f"{title} {SIGNS[rule.relation]} {limit_text(kind, rule)}"
        ways = "; or ".join(each.words for each in rule.remedies)
        word = {"error": "**error**: ", "warning": "", "note": "note: "}[rule.severity]
        yield f"| `{rule.code}` | {kept} | {word}{rule.sentence} | {ways} | {rule.source} |"


def rules() -> str:
    """A table a kind of machine; what several share stands once."""
    shared: dict[int, tuple[str, Rule]] = {
        id(rule): (kind, rule)
        for kind, entry in KINDS.items()
        for rule in entry.rules
        if _kinds(rule) > 1
    }
    parts = ["\n".join(["### Shared by several machines", "", *HEAD, *_lines(shared.values())])]
    parts += [
        _table(f"`{kind}`", kind, [rule for rule in entry.rules if _kinds(rule) == 1])
        for kind, entry in KINDS.items()
        if len({id(rule) for rule in entry.rules if _kinds(rule) == 1})
    ]
    return "\n\n".join(parts)


def _kinds(rule: Rule) -> int:
    return sum(any(each is rule for each in entry.rules) for entry in KINDS.values())


def _table(heading: str, kind: str, rules: list[Rule]) -> str:
    rows = _lines((kind, rule) for rule in rules)
    return "\n".join([f"### {heading}", "", *HEAD, *rows])


def counts() -> str:
    lines = ["| machine | rules |", "|---|---|"]
    lines += [f"| `{kind}` | {len(entry.rules)} |" for kind, entry in KINDS.items()]
    return "\n".join(lines)


def processes() -> str:
    lines = [
        "| process | what it is | clearance, µm | of holes, µm | position, µm | Rq, µm | wall, mm "
        "| from | usual material | pressure, MPa | from |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for name, each in PROCESSES.items():
        lengths = each.clearance, each.hole_clearance, each.position, each.roughness
        shown = " | ".join(f"{length * 1e6:.3g}" for length in lengths)
        wall = f"{each.least_wall * 1e3:.3g}"
        usual = DESIGNED.get(name)
        made_of = "– | – | –"
        if usual:
            made_of = f"`{usual.material}` | {usual.pressure / 1e6:.4g} | {each.usual_source}"
        made = f"{shown} | {wall} | {each.source} | {made_of}"
        lines.append(f"| `{name}` | {each.title} | {made} |")
    return "\n".join(lines)


def strengths() -> str:
    lines = [
        "| material | pressure | yield | fatigue | pressure × speed | from |",
        "|---|---|---|---|---|---|",
    ]
    for name, known in KNOWN_MATERIALS.items():
        spec = known.spec
        values = spec.pressure, spec.yield_strength, spec.fatigue_strength, spec.pressure_speed
        shown = " | ".join("–" if each is None else f"{each / 1e6:.4g}" for each in values)
        lines.append(f"| `{name}` | {shown} | {known.strength_source} |")
    return "\n".join(lines)


PLACES = {"counts": counts, "rules": rules, "processes": processes, "strengths": strengths}


def main() -> None:
    for name, write in PLACES.items():
        write_marked(PAGE, name, write())


if __name__ == "__main__":
    main()
