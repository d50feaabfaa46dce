"""What `flank list` prints: of all machines, of one, of an analysis, of the materials."""

import functools
import textwrap
from collections.abc import Iterator
from typing import Any

from flank.analyses.registry import ANALYSES, ENDS, Analysis, default_analysis, find_analysis
from flank.api import preset
from flank.errors import SpecError, suggestion
from flank.io.spec_files import read_spec_text
from flank.machines.materials import KNOWN_MATERIALS, defined_as
from flank.machines.registry import MACHINES, title_of
from flank.machines.spec import Spec
from flank.machines.spec_keys import Block, Key, keys_of
from flank.presets import preset_names, preset_text
from flank.texts import echo, joined

EXAMPLES = ("cycloidal-drive", "planetary-500kw", "spur-bruzzone", "hypoid-pair", "cv-joint")
"""Presets of which one at least fits every analysis."""

WIDTH = 100
"""Columns."""

MORE = (
    "More of one: flank list MACHINE tells the keys of its spec, flank list ANALYSIS its settings "
    "and the quantities of its results, flank list materials the materials."
)

QUANTITIES_LEAD = (
    "Quantities of its results, as far as a machine has them, in the units that Flank shows; names "
    "in braces are those of the machine's groups of contacts and of their dimensions."
)


def listing() -> str:
    """Presets with their titles, machine by machine, and analyses."""
    width = max(map(len, (*ANALYSES, *preset_names())))
    lines: list[str] = []
    for machine in MACHINES:
        lines += [f"Presets of {machine}", *titled_lines(preset_titles(machine), width), ""]
    analyses = [(name, _described_analysis(analysis)) for name, analysis in ANALYSES.items()]
    lines += ["Analyses", *titled_lines(analyses, width), ""]
    return "\n".join([*lines, *wrapped(MORE)])


def preset_titles(machine: str) -> list[tuple[str, str]]:
    """Names and titles of the presets of a machine."""
    return [
        (name, title_of(spec)) for name, spec in _presets().items() if spec["machine"] == machine
    ]


@functools.cache
def _presets() -> dict[str, dict[str, Any]]:
    return {name: read_spec_text(preset_text(name), name) for name in preset_names()}


def _described_analysis(analysis: Analysis) -> str:
    """Its summary, and what it needs of a machine besides what almost all have."""
    needs = [need for need in analysis.needs if need != ENDS]
    return analysis.summary + (f" (needs {joined(needs, 'and')})" if needs else "")


def named_listing(name: str) -> str:
    """What there is to know of an analysis, a machine, or the machine that a preset is one of."""
    if name in ANALYSES:
        return analysis_listing(name)
    if name == "materials":
        return material_listing()
    if name in preset_names():
        name = _presets()[name]["machine"]
    if name in MACHINES:
        return machine_listing(name)
    known = (*MACHINES, *preset_names(), *ANALYSES, "materials")
    raise SpecError(
        f"'{echo(name)}' is neither a machine nor a preset nor an analysis"
        f"{suggestion(name, known)} Machines: {', '.join(MACHINES)}; flank list tells presets and "
        "analyses"
    )


def analysis_listing(name: str) -> str:
    """The settings of one analysis, with what holds if they are not given, and its quantities."""
    analysis = find_analysis(name)
    fields = analysis.settings.model_fields
    settings = analysis.settings()
    defaults = Spec.to_mapping(settings)  # also of what the default mode does not use
    pairs = [
        (key, _described(field.description, defaults.get(key))) for key, field in fields.items()
    ]
    example = next(
        f"{key}='{field.examples[0]}'" for key, field in fields.items() if field.examples
    )
    preset = _example_preset(analysis)
    return "\n".join(
        [
            f"{name}: {_described_analysis(analysis)}",
            *titled_lines(pairs),
            "",
            f"Give them as in: flank run {preset} --analysis {name} --option {example}",
            "",
            *wrapped(QUANTITIES_LEAD),
            *titled_lines(_quantities(analysis)),
        ]
    )


def _quantities(analysis: Analysis) -> list[tuple[str, str]]:
    """Names, with meaning and unit."""
    return [
        (name, declared.meaning + (f" ({declared.units})" if declared.units else ""))
        for name, declared in analysis.quantities.items()
    ]


def _example_preset(analysis: Analysis) -> str:
    """A preset that the analysis fits."""
    return next(name for name in EXAMPLES if analysis.fits(preset(name)))


def _described(description: str | None, default: object) -> str:
    return f"{description or ''}" + ("" if default is None else f" (default: {default})")


def machine_listing(name: str) -> str:
    """The keys of a machine's spec, block by block, what can be asked of it, its presets."""
    keys = list(keys_of(MACHINES[name].spec))
    presets = preset_titles(name)
    example = next(key for key in keys if key.unit and key.example)
    lead = (
        f"{name}: the {len(keys)} keys of its spec, each with its meaning, what may be given, and "
        "what holds if it is not. Units are those that Flank shows; others of the kind are read "
        "too."
    )
    lines = wrapped(lead)
    lines += _key_lines(keys)
    lines += ["", f"Analyses of {name} (settings of one: flank list ANALYSIS)"]
    lines += titled_lines(_analyses(name))
    lines += ["", f"Presets of {name} (as a file to edit: flank new PRESET --out my.yaml)"]
    lines += titled_lines(presets)
    change = f"--set {example.path}='{example.example}'"
    lines += ["", f"Change a key as in: flank check {presets[0][0]} {change}"]
    return "\n".join(lines)


def _analyses(name: str) -> list[tuple[str, str]]:
    """Those that fit one of its presets, with what some of them lack."""
    machines = [preset(known) for known, _ in preset_titles(name)]
    default = default_analysis(machines[0])
    answers = []
    for analysis in ANALYSES.values():
        fitting = [analysis.fits(machine) for machine in machines]
        only = "" if all(fitting) else f"{analysis.needs[-1]} needed"
        if any(fitting):
            answers.append((analysis.name, analysis.answers(analysis is default, only)))
    return answers


def _key_lines(keys: list[Key]) -> Iterator[str]:
    opened: set[Block] = set()
    block, width = None, 0
    for key in keys:
        if key.block != block:
            block = key.block
            width = max(len(each.path) for each in keys if each.block == block)
            yield ""
            if block.path and block not in opened:
                yield from _heading(block)
            opened.add(block)
        yield from _entry(key, width)


def _heading(block: Block) -> list[str]:
    left_out = "" if block.required else " (may be left out)"
    return wrapped(f"{block.path}: {block.meaning}{left_out}")


def _entry(key: Key, width: int) -> list[str]:
    """The key and its meaning, below it what may be given."""
    indent = " " * (width + 4)
    room = WIDTH - len(indent)
    texts = wrapped(key.meaning, room) + wrapped(_given(key), room)
    return [f"  {key.path:<{width}}  {texts[0]}", *(indent + text for text in texts[1:])]


def _given(key: Key) -> str:
    allowed = ", ".join(filter(None, (key.unit, key.allowed)))
    example = f", as in {key.example}" if key.example and key.example != key.default else ""
    if key.required:
        return f"{allowed}; required{example}"
    return f"{allowed}; " + (f"default {key.default}" if key.default else f"optional{example}")


def material_listing() -> str:
    """The materials that need no definition, and how to define another."""
    from flank.io.tables import Column, table
    from flank.report.text import table_lines

    known = KNOWN_MATERIALS.values()
    columns = [
        Column("material", KNOWN_MATERIALS),
        Column("E, GPa", [each.spec.youngs_modulus / 1e9 for each in known], ".4g"),
        Column("ν", [each.spec.poisson_ratio for each in known], ".4g"),
        Column("ρ, kg/m³", [each.spec.density for each in known], ".4g"),
        Column("what it is", [each.title for each in known]),
    ]
    return "\n".join(
        [
            *table_lines(table("Materials that a spec may name; typical values at 23 °C", columns))[
                1:
            ],
            "",
            "Name one as in: flank check cycloidal-drive --set discs.material=POM",
            f"Define one in a spec as in: {defined_as('my_bronze')}",
        ]
    )


def wrapped(text: str, width: int = WIDTH) -> list[str]:
    """A text in lines; names with hyphens stay whole."""
    return textwrap.wrap(text, width, break_on_hyphens=False)


def titled_lines(pairs: list[tuple[str, str]], width: int = 0) -> list[str]:
    """Names and texts side by side, long texts going on below themselves."""
    width = width or max(len(name) for name, _ in pairs)
    lines = []
    for name, text in pairs:
        first, *more = wrapped(text, WIDTH - width - 4)
        lines += [f"  {name:<{width}}  {first}", *(" " * (width + 4) + line for line in more)]
    return lines
