"""What `flank list` prints."""

from flank.analyses.registry import ANALYSES, DEFAULT_ANALYSES, Kind, find_analysis
from flank.io.spec_files import read_spec_text
from flank.machines.spec import Spec
from flank.presets import preset_names, preset_text

EXAMPLES: dict[Kind, str] = {"reducer": "cycloidal-drive", "joint": "cv-joint"}
"""A preset of each kind of machine."""


def listing() -> str:
    """Presets with their titles and, kind by kind of machine, analyses with their summaries."""
    presets = [
        (name, str(read_spec_text(preset_text(name), name).get("title", "")))
        for name in preset_names()
    ]
    width = max(len(name) for name in (*ANALYSES, *(name for name, _ in presets)))
    lines = ["Presets", *_lines(presets, width)]
    for kind, default in DEFAULT_ANALYSES.items():
        analyses = [
            (name, analysis.summary + (" (default)" if name == default else ""))
            for name, analysis in ANALYSES.items()
            if analysis.kind == kind
        ]
        lines += ["", f"Analyses of {kind}s", *_lines(analyses, width)]
    return "\n".join(lines)


def settings_listing(name: str) -> str:
    """The settings of one analysis, with what holds if they are not given."""
    analysis = find_analysis(name)
    fields = analysis.settings.model_fields
    settings = analysis.settings()
    defaults = Spec.to_mapping(settings)  # also of what the default mode does not use
    pairs = [
        (key, _described(field.description, defaults.get(key))) for key, field in fields.items()
    ]
    width = max(len(key) for key, _ in pairs)
    example = next(
        f"{key}='{field.examples[0]}'" for key, field in fields.items() if field.examples
    )
    return "\n".join(
        [
            f"{name}: {analysis.summary}",
            *_lines(pairs, width),
            "",
            f"Give them as in: flank run {EXAMPLES[analysis.kind]} --analysis {name} "
            f"--option {example}",
        ]
    )


def _described(description: str | None, default: object) -> str:
    return f"{description or ''}" + ("" if default is None else f" (default: {default})")


def _lines(pairs: list[tuple[str, str]], width: int) -> list[str]:
    return [f"  {name:<{width}}  {text}".rstrip() for name, text in pairs]
