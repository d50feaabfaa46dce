"""What `flank list` prints of all machines, and of one analysis."""

import functools
import textwrap
from typing import Any

from flank.analyses.registry import ANALYSES, ENDS, Analysis, find_analysis
from flank.errors import SpecError, suggestion
from flank.io.spec_files import read_spec_text
from flank.machines.registry import MACHINES, title_of
from flank.machines.spec import Spec
from flank.presets import preset_names, preset_text
from flank.texts import echo, joined

EXAMPLES = ("cycloidal-drive", "planetary-500kw", "cv-joint")
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
    analyses = [(one.name, _told(one)) for one in ANALYSES.values()]
    lines += ["Analyses", *titled_lines(analyses, width), ""]
    return "\n".join([*lines, *wrapped(MORE)])


def preset_titles(machine: str) -> list[tuple[str, str]]:
    """Names and titles of the presets of a machine."""
    return [(name, title_of(one)) for name, one in _presets().items() if one["machine"] == machine]


@functools.cache
def _presets() -> dict[str, dict[str, Any]]:
    return {name: read_spec_text(preset_text(name), name) for name in preset_names()}


def _told(analysis: Analysis) -> str:
    """Its summary, and what it needs of a machine besides what almost all have."""
    needs = [need for need in analysis.needs if need != ENDS]
    return analysis.summary + (f" (needs {joined(needs, 'and')})" if needs else "")


def named_listing(name: str) -> str:
    """What there is to know of an analysis, a machine, or the machine that a preset is one of."""
    if name in ANALYSES:
        return analysis_listing(name)
    if name == "materials":
        from flank.cli.material_listing import material_listing

        return material_listing()
    if name in preset_names():
        name = read_spec_text(preset_text(name), name)["machine"]
    if name in MACHINES:
        from flank.cli.machine_listing import machine_listing

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
            f"{name}: {_told(analysis)}",
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
    from flank.api import preset

    return next(name for name in EXAMPLES if analysis.fits(preset(name)))


def _described(description: str | None, default: object) -> str:
    return f"{description or ''}" + ("" if default is None else f" (default: {default})")


def wrapped(text: str, width: int = WIDTH) -> list[str]:
    """A text in lines; names with hyphens stay whole."""
    return textwrap.wrap(text, width, break_on_hyphens=False)


def titled_lines(pairs: list[tuple[str, str]], width: int = 0) -> list[str]:
    """Names and texts side by side, long texts going on below themselves."""
    width = width or max(len(name) for name, _ in pairs)
    lines = []
    for name, text in pairs:
        first, *rest = wrapped(text, WIDTH - width - 4)
        lines += [f"  {name:<{width}}  {first}", *(" " * (width + 4) + one for one in rest)]
    return lines
