"""A page a preset and the gallery, written when the site is built.

    python pages/presets.py      writes docs/presets/ and docs/moving/

Git does not know them: they say what the code says now. Verdicts and figures are those of
`flank check`, drawings those of a run over a turn.
"""

import itertools
import shutil
from collections.abc import Iterator
from pathlib import Path

import moving

import flank
from flank.analyses.registry import ANALYSES
from flank.design.verdict import Verdict
from flank.io.shown import count_text, factor, number_text, prose, unit_text
from flank.machines.base import Machine
from flank.presets import preset_names, preset_text
from flank.report.verdict import judgement_of

FOLDER = Path(__file__).parent.parent / "docs" / "presets"
GALLERY = "gallery.md"

KINDS = {
    "cycloidal-drive": ("Cycloidal drives", "cycloidal_drive"),
    "rv-reducer": ("RV reducers", "rv_reducer"),
    "few-teeth-reducer": ("Few-teeth reducers", "few_teeth_reducer"),
    "planetary-gearbox": ("Planetary gearboxes", "planetary_gearbox"),
    "gear-pair": ("Gear pairs", "gear_pair"),
    "cv-joint": ("Constant-velocity joints", "cv_joint"),
    "bevel-pair": ("Bevel pairs", "bevel_pair"),
    "hypoid-pair": ("Hypoid pairs", "bevel_pair"),
    "spatial-gear-pair": ("Involute pairs in space", "bevel_pair"),
}
"""Heading and page of equations by machine, in the order of the gallery."""

USUAL = "Every length may carry"
"""With this sentence the comment above a preset ends: it is about all of them."""


def about(name: str) -> str:
    """What the comment above a preset says of it."""
    lines = itertools.takewhile(lambda line: line.startswith("#"), preset_text(name).splitlines())
    text = " ".join(line.lstrip("# ") for line in lines)
    return text.partition(USUAL)[0].strip()


def cell(text: str) -> str:
    """Of a table."""
    return prose(" ".join(text.split())).replace("|", "&#124;").replace("<", "&lt;")


def figures(verdict: Verdict) -> Iterator[str]:
    """All that `flank check` prints, a table a group."""
    for group, own in itertools.groupby(verdict.figures.shown(), key=lambda each: each.group):
        yield f"| {group} | | |\n|---|--:|---|"
        for each in own:
            value = each.value * factor(each.unit, each.shown_unit)
            text = number_text(value) if each.shown_unit else count_text(value)
            yield f"| {cell(each.title)} | {text} | {unit_text(each.shown_unit)} |"
        yield ""


def said(verdict: Verdict) -> Iterator[str]:
    """The light, and every finding with its way out."""
    judged = judgement_of(verdict)
    yield "No rule knows this kind." if judged is None else f"**{prose(judged.headline)}**"
    if verdict.findings:
        yield "\n| finding | | what to change |\n|---|---|---|"
        for each in verdict.findings:
            told = cell(each.message), cell(each.told_remedy)
            yield f"| `{each.code}` ({each.severity}) | {' | '.join(told)} |"


def asked(name: str, machine: Machine) -> Iterator[str]:
    """Analyses that fit it."""
    yield "| ask | to learn |\n|---|---|"
    for analysis in ANALYSES.values():
        if analysis.fits(machine):
            link = f"[`{analysis.name}`](../reference/analyses.md#{analysis.name})"
            yield f"| {link} | {cell(analysis.summary)} |"
    yield f"\n    flank run {name} --analysis {first(machine)} --out {name}"


def first(machine: Machine) -> str:
    """The analysis that is asked if none is named."""
    from flank.analyses.registry import default_analysis

    return default_analysis(machine).name


def page(name: str, machine: Machine) -> str:
    """One preset."""
    spec = machine.spec
    theory = f"[theory](../theory/{KINDS[spec.machine][1]}.md)"
    assumed = [f"- {cell(each)}" for each in spec.assumptions]
    parts = [
        f"# {prose(machine.title)}",
        f"Preset `{name}`, machine `{spec.machine}` ({theory}). {prose(about(name))}",
        f"![{prose(machine.title)}, turning](../moving/{name}.png)",
        "## Where it is from",
        cell(spec.source or "An example of our own."),
        *(["Assumed, as no source gives it:", "\n".join(assumed)] if assumed else []),
        "## Whether it is good",
        f"By `flank check {name}` ([rules](../checks.md)).",
        "\n".join(said(verdict := flank.check(machine))),
        "## Its figures",
        "\n".join(figures(verdict)).strip(),
        "## What can be asked of it",
        "\n".join(asked(name, machine)),
        "## Its spec",
        f"`flank new {name} --out my.yaml` writes it; keys are explained in the "
        f"[reference](../reference/spec.md#{spec.machine}).",
        f"```yaml\n{preset_text(name).strip()}\n```",
    ]
    return "\n\n".join(parts) + "\n"


def gallery(machines: dict[str, Machine]) -> str:
    """All presets in motion, by machine."""
    parts = [
        "# Gallery",
        "Every machine that comes with Flank, turning under its load, to scale. Drag to move one, "
        "in space to turn it, and use the buttons to zoom; arrows are contact forces, colours are "
        "Hertz pressures. Each has a page with its source, its verdict and its spec. Without "
        "script these are still pictures.",
    ]
    for kind, (heading, _) in KINDS.items():
        own = {name: each for name, each in machines.items() if each.spec.machine == kind}
        parts.append(f"## {heading}")
        for name, machine in own.items():
            parts += [
                f"### {prose(machine.title)}",
                f"![{prose(machine.title)}, turning](../moving/{name}.png)",
                f"[`{name}`]({name}.md): {prose(about(name))}",
            ]
    return "\n\n".join(parts) + "\n"


def main() -> None:
    for folder in (FOLDER, moving.FOLDER):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    moving.write_module()
    machines = {name: flank.preset(name) for name in preset_names()}
    for name, machine in machines.items():
        moving.write(name, machine)
        (FOLDER / f"{name}.md").write_text(page(name, machine), encoding="utf-8")
    (FOLDER / GALLERY).write_text(gallery(machines), encoding="utf-8")
    print(f"{len(machines)} presets and the gallery written to {FOLDER}")


if __name__ == "__main__":
    main()
