"""What people gave, as a sentence may show it: printable, and no longer than it need be."""

import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

LONGEST_ECHO = 80
"""Characters of a given text that a sentence shows."""

LONGEST_LIST = 24
"""Names that a sentence lists."""


STEERING = ("Cc", "Cs")
"""Categories of control characters and of halves of characters, which no text has on purpose."""

INVISIBLE = (*STEERING, "Cf", "Zl", "Zp")
"""With those that turn the direction of writing or break lines."""


def _shown(character: str) -> str:
    """What steers a terminal or cannot be seen is spelt out, the rest stays."""
    if unicodedata.category(character) not in INVISIBLE:
        return character
    code = ord(character)
    if code < 0x100:
        return {"\n": "\\n", "\t": "\\t", "\r": "\\r"}.get(character, f"\\x{code:02x}")
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def printable(text: str, kept: str = "") -> str:
    """The text with control characters and the like spelt out, but for those `kept`."""
    if text.isprintable():
        return text
    return "".join(c if c in kept else _shown(c) for c in text)


def shortened(text: str, longest: int = LONGEST_ECHO) -> str:
    return text if len(text) <= longest else f"{text[: longest - 3]}..."


def echo(given: object) -> str:
    """What was given, as a sentence repeats it: printable, on one line, 80 characters at most."""
    text = given if isinstance(given, str) else describe(given)
    # Cut before it is spelt out as well: a text may have a million characters.
    return shortened(printable(text[: LONGEST_ECHO + 1]))


def echo_path(path: object) -> str:
    """A path as a sentence repeats it: printable, its end kept, which tells files apart."""
    text = printable(str(path)[-LONGEST_ECHO - 1 :])
    return text if len(text) <= LONGEST_ECHO else f"...{text[3 - LONGEST_ECHO :]}"


def describe(value: Any) -> str:
    """A given value as a sentence names it: short values themselves, others by their kind."""
    if isinstance(value, Mapping):
        return "a block of keys"
    if isinstance(value, (list, tuple, set)):
        return "a list"
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and abs(value) >= 10**LONGEST_ECHO:
        return "a number of very many digits"  # which Python may refuse to spell
    if isinstance(value, str):
        return f"'{shortened(printable(value[:LONGEST_ECHO]), LONGEST_ECHO - 2)}'"
    return repr(value) if isinstance(value, (int, float)) else with_article(type(value).__name__)


def with_article(noun: str) -> str:
    """'a dict', 'an rv-reducer': as it is spoken."""
    return f"{'an' if noun[0] in 'aeiou' or noun.startswith('rv') else 'a'} {noun}"


def joined(names: Iterable[object], word: str) -> str:
    """Names with commas between them and `word` before the last, as in 'a, b or c'."""
    *first, last = map(str, names)
    return f"{', '.join(first)} {word} {last}" if first else last


def counted(number: int, noun: str) -> str:
    """'1 sample', '24 samples'."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def as_in_specs(value: Any, levels: int = 3) -> str:
    """A value as one writes it on one line of a spec: '{kind: free, shaft_mass: 2.5 kg}'; what is
    nested deeper than specs are is left out, since YAML can put a list into itself."""
    if isinstance(value, (Mapping, list, tuple)) and not levels:
        return "..."
    if isinstance(value, Mapping):
        inside = (f"{key}: {as_in_specs(each, levels - 1)}" for key, each in value.items())
        return f"{{{', '.join(inside)}}}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(as_in_specs(each, levels - 1) for each in value)}]"
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)


def listed(names: Iterable[object]) -> str:
    """Names with commas between them, the first two dozen of many."""
    shown = [echo(str(name)) for name in names]
    more = len(shown) - LONGEST_LIST
    return ", ".join(shown[:LONGEST_LIST]) + (f" and {more} more" if more > 0 else "")


def hidden_character(text: str) -> str | None:
    """The first control character of a text, spelt out; line breaks and tabs may be."""
    if text.isprintable():
        return None
    steering = (c for c in text if c not in "\n\t" and unicodedata.category(c) in STEERING)
    return next(map(_shown, steering), None)


def mm(length: float, digits: int = 6) -> str:
    """A length in m as sentences tell it."""
    return f"{length * 1e3:.{digits}g} mm"


def um(length: float, digits: int = 6) -> str:
    """The same of a small one."""
    return f"{length * 1e6:.{digits}g} um"


def short_length(length: float) -> str:
    """A small one in um, a larger one in mm, with three digits."""
    return um(length, 3) if length < 1e-3 else mm(length, 3)
