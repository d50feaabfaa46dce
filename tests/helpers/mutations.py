"""Specs that went wrong: presets with a key, a value or a line of text changed at random.

Every case follows from a seed and its number alone, so that one that failed can be made again.
"""

import os
import random
from dataclasses import dataclass, field
from functools import cache

from flank.io.spec_files import read_spec_text
from flank.presets import preset_names, preset_text

FIXED_SEED = 20261116

NUMBERS = (
    *("0", "-1", "1", "2", "3", "7", "1e7", "10000000", "1e300", "-1e300", "1e-300", "5e-324"),
    *("1e400", ".nan", ".inf", "-.inf", "nan", "0x10", "1_000", "010", "1:30", "9" * 30),
    *("9" * 400, "9" * 5000, "0.1", "1.3", "1,3", "1/3", "1/0", "1e9"),
)
QUANTITIES = (
    *("0 mm", "1 mm", "-1 mm", "1e300 mm", "1e-300 mm", "1e-30 mm", "1 nm", "1 km", "1e9 m"),
    *("1 deg", "1e15 deg", "400 deg", "1 N", "1e300 N*m", "1e-300 N*m", "-5 N*m", "1500 1/min"),
    *("1500 U/min", "1e300 rpm", "1e300 kg", "1 GPa", "1e300 Pa", "3±0.01 mm", "3 mm mm", "3 mmm"),
    *("1/0 mm", "1,3 mm", "mm", "3 m^1e9", "3 m**9**9**9", "1e400 mm", "3 mm; 4 mm", "1 m*m"),
)
TEXTS = (
    *("", "null", "~", "true", "false", "maybe", "yes", "steel", "stel", "all", "none", "x: y"),
    *("[]", "{}", "[1, 2]", "[[1, 2], [3]]", "{a: 1}", "{all: 3 um}", "{1: 3 um}", "{0/1: 5 um}"),
    *(
        "{-1: 1 um}",
        "{from: 0, to: 1, points: 5}",
        "[1",
        "{a",
        "'",
        '"',
        "!!bool maybe",
        "!!set {a}",
    ),
    *("!!python/object:x {}", "&a [*a]", "*x", "@x", "`x", "%x", "|", "- 1", "? a", "--- 1", "#"),
    *('"\\0"', '"\\e]0;x\\a"', '"\\ud800"', "\x1b[31m", "\x00", "\u202e", "ä µ 漢 😀", "/dev/zero"),
    *("/etc/passwd", ".", "x" * 5000, "y " * 3000, "1" * 90 + " mm", "../../x", "C:\\new"),
)
KEYS = (
    *("ratio", "pin_count", "diameter", "pins.diameter", "pins", "pins.count.x", "x", "a.b.c.d"),
    *("first_stage.sun.teeth", "sun.tooth", "module", "", ".", "pins.", "..", "machine", "title"),
    *("x" * 5000, "é", "\x1b[31m", "pins\x00count", "materials.a", "errors.seed", "1", "-"),
)
SCALES = (1e-3, 0.01, 0.1, 0.5, 0.8, 0.95, 1.05, 1.2, 2.0, 10.0, 100.0, 1e3)


@dataclass(frozen=True)
class Case:
    """The words after `flank check`, and the files that they name."""

    words: tuple[str, ...]
    files: dict[str, bytes] = field(default_factory=dict)


def seed() -> int:
    """The seed of this session: fixed, a new one for a search, or the one of a case to repeat."""
    if "FLANK_FUZZ_SEED" in os.environ:
        return int(os.environ["FLANK_FUZZ_SEED"])
    searching = os.environ.get("FLANK_HYPOTHESIS") == "searching"
    return int.from_bytes(os.urandom(4)) if searching else FIXED_SEED


def check_case(seed: int, number: int, presets: tuple[str, ...] = ()) -> Case:
    """One wrong, odd or harmless machine, of the presets in turn."""
    draw = random.Random(f"{seed}/{number}")
    names = presets or tuple(preset_names())
    name = names[number % len(names)]
    if draw.random() < 0.3:
        return Case((f"{name}.yaml",), {f"{name}.yaml": mutated_file(draw, name)})
    return Case((name, *set_words(draw, name)))


def set_words(draw: random.Random, name: str) -> list[str]:
    """One to three changes of a preset's keys."""
    words: list[str] = []
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        words += ["--set", _assignment(draw, name)]
    return words


def _assignment(draw: random.Random, name: str) -> str:
    key, value = draw.choice(leaves(name))
    chance = draw.random()
    if chance < 0.1:
        key = draw.choice((*KEYS, misspelt(draw, key)))
    if chance > 0.97:
        return draw.choice((key, f"{key}=", f"={value}", f"{key}==", f"{key} {value}"))
    return f"{key}={mutated_value(draw, value)}"


def mutated_value(draw: random.Random, value: str) -> str:
    """The value scaled, without its unit, or something else altogether."""
    number, _, unit = value.partition(" ")
    chance = draw.random()
    try:
        scaled = f"{float(number) * draw.choice(SCALES):.6g}"
    except ValueError:
        return draw.choice((*TEXTS, value[:-1], value.upper()))
    if chance < 0.45:
        return f"{scaled} {unit}".strip()
    if chance < 0.55:
        return draw.choice((number, scaled, f"-{number} {unit}".strip()))
    return draw.choice(draw.choice((NUMBERS, QUANTITIES, TEXTS)))


def misspelt(draw: random.Random, key: str) -> str:
    at = draw.randrange(len(key))
    return draw.choice((key[:at] + key[at + 1 :], key[:at] + key[at] + key[at:], key.upper()))


@cache
def leaves(name: str) -> list[tuple[str, str]]:
    """Dotted keys of a preset's numbers, choices and texts, with what stands there."""
    found: list[tuple[str, str]] = []
    rest: list[tuple[str, object]] = [("", read_spec_text(preset_text(name), name))]
    while rest:
        above, value = rest.pop()
        if isinstance(value, dict):
            rest += [(f"{above}.{key}".strip("."), inner) for key, inner in value.items()]
        elif above not in ("source", "assumptions"):
            found.append((above, str(value)))
    return sorted(found)


def mutated_file(draw: random.Random, name: str) -> bytes:
    """A preset's text after an accident."""
    lines = preset_text(name).splitlines()
    for _ in range(draw.choice((1, 1, 2))):
        at = draw.randrange(len(lines))
        lines[at : at + 1] = draw.choice(_ACCIDENTS)(draw, lines[at])
        lines = lines or [""]
    return _encoded(draw, "\n".join(lines) + "\n")


def _other_value(draw: random.Random, line: str) -> list[str]:
    key, colon, value = line.partition(":")
    return [f"{key}{colon} {mutated_value(draw, value.strip())}"]


def _other_character(draw: random.Random, line: str) -> list[str]:
    at = draw.randrange(len(line) + 1)
    wrong = draw.choice("\t\x00\x1b:'\"[]{}#&*!|>%@`- \u00e9\u202e")
    return [line[:at] + wrong + line[at + draw.choice((0, 1)) :]]


_ACCIDENTS = (
    _other_value,
    _other_value,
    _other_character,
    lambda draw, line: [],
    lambda draw, line: [line, line],
    lambda draw, line: [draw.choice((" ", "  ", "\t")) + line],
    lambda draw, line: [line.removeprefix(" ")],
    lambda draw, line: [line.replace(":", "", 1)],
    lambda draw, line: [line.replace(": ", ":", 1)],
    lambda draw, line: [line, draw.choice(("---", "...", "x: 1", "- 1", "<<: {a: 1}", "? x"))],
)


def _encoded(draw: random.Random, text: str) -> bytes:
    if draw.random() < 0.85:
        return text.encode("utf-8", errors="replace")
    whole = text.encode(draw.choice(("utf-16", "latin-1", "utf-8-sig", "cp1252")), errors="replace")
    return draw.choice((whole, whole[: draw.randrange(len(whole))], whole + b"\xff\x00"))


COARSE = {
    "load-distribution": (),
    "transmission-error": ("points_per_turn=24",),
    "hysteresis": ("points_per_stage=5",),
    "stiffness-split": ("points=3",),
    "efficiency": ("loads=[1.0]", "points=8"),
    "natural-frequencies": ("count=4",),
    "joint-turns": ("mode=static", "points_per_turn=16"),
}
OPTIONS = ("torque", "crank_angle", "points_per_turn", "turns", "count", "points", "mode", "x")


def run_case(seed: int, number: int) -> tuple[str, ...]:
    """The words after `flank run`: a machine changed a little, asked something coarsely."""
    draw = random.Random(f"run/{seed}/{number}")
    names = preset_names()
    name = names[number % len(names)]
    joint = name.startswith("cv-joint")
    analysis = "joint-turns" if joint else draw.choice([*COARSE][:-1])
    words = [name, "--analysis", analysis]
    for option in COARSE[analysis]:
        words += ["--option", option]
    for _ in range(draw.choice((1, 2, 3))):
        words += ["--set", _small_change(draw, name)]
    if draw.random() < 0.3:
        value = draw.choice((*NUMBERS[:12], *QUANTITIES[9:20]))
        words += ["--option", f"{draw.choice(OPTIONS)}={value}"]
    return tuple(words)


def _small_change(draw: random.Random, name: str) -> str:
    """Mostly one that still can be built, so that something is computed."""
    key, value = draw.choice(leaves(name))
    number, _, unit = value.partition(" ")
    try:
        scaled = float(number) * draw.choice((0.9, 0.99, 1.01, 1.1, 1.5, *SCALES[::3]))
    except ValueError:
        return f"{key}={value}"
    return f"{key}={round(scaled)}" if not unit and scaled > 3 else f"{key}={scaled:.6g} {unit}"
