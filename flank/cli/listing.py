"""What `flank list` prints."""

from flank.analyses.registry import ANALYSES, DEFAULT_ANALYSIS
from flank.io.spec_files import read_spec_text
from flank.presets import preset_names, preset_text


def listing() -> str:
    """Presets with their titles and analyses with their summaries."""
    presets = [
        (name, str(read_spec_text(preset_text(name), name).get("title", "")))
        for name in preset_names()
    ]
    analyses = [
        (name, analysis.summary + (" (default)" if name == DEFAULT_ANALYSIS else ""))
        for name, analysis in ANALYSES.items()
    ]
    width = max(len(name) for name, _ in (*presets, *analyses))
    lines = ["Presets", *_lines(presets, width), "", "Analyses", *_lines(analyses, width)]
    return "\n".join(lines)


def _lines(pairs: list[tuple[str, str]], width: int) -> list[str]:
    return [f"  {name:<{width}}  {text}".rstrip() for name, text in pairs]
