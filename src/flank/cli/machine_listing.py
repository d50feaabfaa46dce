"""What `flank list MACHINE` prints: every key of its spec, its analyses and its presets."""

from collections.abc import Iterator

from flank.analyses.registry import ANALYSES, default_analysis
from flank.api import preset
from flank.cli.listing import WIDTH, preset_titles, titled_lines, wrapped
from flank.machines.registry import MACHINES
from flank.machines.spec_keys import Block, Key, keys_of


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
            width = max(len(one.path) for one in keys if one.block == block)
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
