"""What `flank design planetary` prints."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from flank.errors import SpecError, suggestion
from flank.geometry.planetary_design import DRIVES, Search, designs, ratio_limits
from flank.geometry.willis import MEMBERS, Member
from flank.texts import echo

if TYPE_CHECKING:
    from flank.geometry.planetary_design import Design

FEWEST_TEETH = 4
MOST_TEETH = 2000
MOST_PLANETS = 20


def parse_held(text: str) -> Member:
    """The held member by its name."""
    for member in MEMBERS:
        if text == member:
            return member
    raise SpecError(
        f"--held is one of ring, sun and carrier, not '{echo(text)}'{suggestion(text, MEMBERS)}"
    )


def parse_planets(text: str) -> tuple[int, ...]:
    """'3,4,5' as numbers."""
    try:
        counts = tuple(sorted({int(word) for word in text.split(",")}))
    except ValueError:
        raise SpecError(
            f"--planets are whole numbers with commas between, as in 3,4,5, not '{echo(text)}'."
        ) from None
    wrong = [count for count in counts if not 1 <= count <= MOST_PLANETS]
    if wrong:
        raise SpecError(f"--planets lie between 1 and {MOST_PLANETS}, not at {wrong[0]}.")
    return counts


def check_search(search: Search) -> None:
    """SpecError with every reason why nothing can be found."""
    problems = [
        *_wrong_ratio(search),
        *_outside("--tolerance", search.tolerance, 0.0, 0.5),
        *_outside("--shift", search.shift, 0.0, 5.0),
        *_outside("--clearance", search.clearance, 0.0, math.inf),
        *_outside("--teeth-min", search.least_teeth, FEWEST_TEETH, MOST_TEETH),
        *_outside("--sun-max", search.most_sun_teeth, search.least_teeth, MOST_TEETH),
        *_outside("--ring-max", search.most_ring_teeth, search.least_teeth, MOST_TEETH),
    ]
    if problems:
        raise SpecError(problems)


def design_planetary(search: Search, rows: int) -> None:
    """Search and print; SpecError where the input is wrong or nothing is found."""
    if rows < 1:
        raise SpecError(f"--limit is at least 1, not {rows}.")
    check_search(search)
    matching = designs(search)
    if not matching:
        raise SpecError(
            f"No tooth numbers give {search.ratio:g} within {100 * search.tolerance:.3g} % with "
            f"{_listed(search.planets)} planets, at least {search.least_teeth} teeth, a sun of "
            f"at most {search.most_sun_teeth} and a ring of at most {search.most_ring_teeth}; "
            "try a larger --tolerance, --shift, --sun-max or --ring-max, or other --planets."
        )
    _print(search, matching, rows)


def _wrong_ratio(search: Search) -> list[str]:
    limits = [ratio_limits(search.held, count) for count in search.planets]
    if any(low < search.ratio < high for low, high in limits):
        return []
    low, high = min(low for low, _ in limits), max(high for _, high in limits)
    fast, slow = DRIVES[search.held]
    bounds = f"between {low:.4g} and {high:.4g}" if high < math.inf else f"above {low:.4g}"
    return [
        f"--ratio is {search.ratio:g}, but with the {search.held} held the {fast} turns {bounds} "
        f"times as fast as the {slow} for {_listed(search.planets)} planets; try another ratio, "
        "fewer planets, or another member held."
    ]


def _outside(option: str, value: float, low: float, high: float) -> list[str]:
    if low <= value <= high:
        return []
    bounds = f"at least {low:g}" if high == math.inf else f"between {low:g} and {high:g}"
    return [f"{option} is {bounds}, not {value:g}."]


def _listed(numbers: Sequence[int]) -> str:
    words = [str(number) for number in numbers]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _print(search: Search, matching: list[Design], rows: int) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    fast, slow = DRIVES[search.held]
    table = Table(
        box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 0), pad_edge=False, header_style="bold"
    )
    for name in ("sun", "planet", "ring", "N", "ratio", "off %", "shift", "gap"):
        table.add_column(name, justify="right", no_wrap=True)
    for name in ("phasing", "hunting", "excites"):
        table.add_column(name, no_wrap=True)
    for design in matching[:rows]:
        table.add_row(*_cells(design))
    typer.echo(
        f"{search.held.capitalize()} held; ratio of {fast} to {slow} near {search.ratio:g}:\n"
    )
    Console(highlight=False, markup=False).print(table)
    if len(matching) > rows:
        typer.echo(f"\n{len(matching) - rows} more; see them with --limit {len(matching)}.")
    typer.echo(
        "\nshift    modules that profile shift makes up between the meshes of sun and ring\n"
        "gap      between tips of neighbouring planets, modules\n"
        "phasing  of neighbouring planets, step in mesh cycles\n"
        "hunting  every tooth meets every tooth; else factors shared by sun and planet,\n"
        "         planet and ring\n"
        "excites  modes that the mesh frequency excites"
    )


def _cells(design: Design) -> list[str]:
    factors = design.common_factors
    return [
        *(str(number) for number in design.teeth),
        str(design.planets),
        f"{float(design.ratio):.4f}",
        f"{round(100 * design.deviation, 2) + 0.0:+.2f}",
        f"{float(design.shift):g}",
        "-" if math.isinf(design.gap) else f"{design.gap:.1f}",
        design.phasing + (f" {design.step}" if design.phasing == "sequential" else ""),
        "yes" if factors == (1, 1) else f"{factors[0]}, {factors[1]}",
        design.excites or "-",
    ]
