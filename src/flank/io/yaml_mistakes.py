"""Finds, in a text that is not YAML, the line where a person went wrong, and says so plainly.

A parser stops where it can go on no more, which is often below the mistake: a line without its
colon is the beginning of a text until the next line has one. The lines are therefore gone through
from the top once more, by the few rules that a spec follows.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from flank.texts import echo


class Mistake(NamedTuple):
    """The line, counted from one, and what is wrong with it."""

    line: int
    words: str


class _Line(NamedTuple):
    number: int
    indent: int
    content: str  # without indentation and comment

    @property
    def key(self) -> str | None:
        """The key before a colon, None for a line that has none."""
        match = _KEY.match(self.content)
        return match[1] if match else None

    @property
    def value(self) -> str:
        match = _KEY.match(self.content)
        return self.content[match.end() :].strip() if match else self.content


_KEY = re.compile(
    r"((?:- +)*(?!- )(?:\"[^\"]*\"|'[^']*'|[^\s\[{\"'#&*!|>%@`:,][^:#]*?))\s*:(?=\s|$)"
)
_NO_SPACE = re.compile(r"(?:- +)*[A-Za-z_][\w.-]*:\S")
_COMMENT = re.compile(r"(?:^|\s)#.*$")
_OPENING = ("'", '"', "[", "{")
_WRONG_ESCAPE = re.compile(
    r"\\(?:x(?![\da-fA-F]{2})|u(?![\da-fA-F]{4})|U(?![\da-fA-F]{8})|[^0abtnvfre \"/\\N_LPxuU\t])"
)


def mistake(text: str, reported: int) -> Mistake | None:
    """The first line that breaks a rule, up to where the parser stopped; None if all look right."""
    return next(_mistakes(text.splitlines()[:reported]), None)


def _mistakes(lines: list[str]) -> Iterator[Mistake]:
    for number, line in enumerate(lines, start=1):
        if "\t" in line[: len(line) - len(line.lstrip())]:
            yield Mistake(number, "a tab is given; indent with spaces")
    yield from _keys_and_values(_joined(_content(lines)))


def _content(lines: list[str]) -> Iterator[_Line]:
    """Lines with something in them; those of texts after '|' or '>' are left out."""
    block: int | None = None  # indentation of a key whose text follows
    for number, line in enumerate(lines, start=1):
        indent = len(line) - len(line.lstrip())
        if not line.strip() or (block is not None and indent > block):
            continue
        before = _COMMENT.sub("", line.strip())
        content = line.strip() if _quoted(before) else before  # a # in quotes begins no comment
        if content:
            block = indent if re.search(r"(?:^|\s)[|>][+-]?\d?$", content) else None
            yield _Line(number, indent, content)


def _quoted(line: str) -> bool:
    return '"' in line or "'" in line


def _joined(lines: Iterator[_Line]) -> Iterator[_Line | Mistake]:
    """Values in quotes or brackets over several lines as one; a mistake where they do not end."""
    opened: _Line | None = None
    open_ends = ""
    for line in lines:
        if opened is not None and line.key and line.indent <= opened.indent:
            yield _not_closed(opened, open_ends)
        elif opened is not None:
            open_ends = _open_ends(line.content, open_ends)
            opened = opened if open_ends else None
            continue
        value = line.value.removeprefix("- ")
        open_ends = _open_ends(value) if value[:1] in _OPENING else ""
        opened = line if open_ends else None
        yield line
    if opened is not None:
        yield _not_closed(opened, open_ends)


def _not_closed(line: _Line, open_ends: str) -> Mistake:
    what = "quote" if open_ends[0] in "'\"" else "bracket"
    return Mistake(line.number, f"the {what} {open_ends[0]} is not closed")


def _open_ends(value: str, before: str = "") -> str:
    """Quotes and brackets that a value opens, or others `before` it, and does not close."""
    ends = list(before)
    for character in re.sub(r"\\.", "", value):
        if ends and ends[-1] in "'\"":
            if character == ends[-1]:
                ends.pop()
        elif character in _OPENING:
            ends.append(character)
        elif character in "]}" and ends:
            ends.pop()
    return "".join(ends)


def _keys_and_values(lines: Iterator[_Line | Mistake]) -> Iterator[Mistake]:
    above: _Line | None = None  # the last line with a key
    waiting: _Line | None = None  # a line without a colon that may be the text of the key above
    indents: list[int] = []
    marks: set[str] = set()
    for line in lines:
        if isinstance(line, Mistake):
            yield line
        elif line.content in ("---", "..."):
            if above is not None:
                yield Mistake(line.number, "'---' begins a second spec; a file holds one")
        elif line.key is not None:
            if waiting is not None and line.indent >= waiting.indent:
                yield _without_key(waiting)
            yield from _indentation(line, above, indents)
            yield from _value(line, marks)
            above, waiting = line, None
        elif above is None or line.indent <= above.indent:
            if not line.content.startswith(("- ", *_OPENING)):
                yield _without_key(line)
        elif not above.value:
            waiting = line


def _without_key(line: _Line) -> Mistake:
    if _NO_SPACE.match(line.content):
        return Mistake(line.number, f"a space is missing after the colon of '{echo(line.content)}'")
    return Mistake(
        line.number, f"a colon is missing in '{echo(line.content)}'; write lines of 'key: value'"
    )


def _indentation(line: _Line, above: _Line | None, indents: list[int]) -> Iterator[Mistake]:
    while indents and indents[-1] > line.indent:
        indents.pop()
    if above is None or line.indent == above.indent or (indents and indents[-1] == line.indent):
        pass
    elif line.indent < above.indent:
        yield Mistake(
            line.number,
            f"this line is indented less than line {above.number}, but like none of the lines "
            "above it; indent the lines of a block alike",
        )
    elif above.value and not above.content.startswith("- ") and above.value[0] not in "&!":
        yield Mistake(
            line.number,
            f"this line is indented more than line {above.number}, which has a value of its own; "
            "indent both alike",
        )
    if not indents or indents[-1] != line.indent:
        indents.append(line.indent)


def _value(line: _Line, marks: set[str]) -> Iterator[Mistake]:
    """`marks` are the names given by '&' so far."""
    value = line.value
    marks.update(re.findall(r"&(\S+)", value))
    if value[:1] == '"' and (wrong := _WRONG_ESCAPE.search(value)):
        yield Mistake(
            line.number,
            f"in double quotes '{echo(wrong[0][:2])}' has no meaning; use single quotes for a text "
            "with a backslash",
        )
    if not value or value[0] in _OPENING:
        return
    if re.search(r":(?:\s|$)", value):
        yield Mistake(line.number, f"the value '{echo(value)}' has a colon in it; put it in quotes")
    unknown = value[0] == "*" and value[1:] not in marks
    if unknown or value[0] in "@`%":
        yield Mistake(
            line.number,
            f"the value '{echo(value)}' begins with '{value[0]}'; put it in quotes if it is text",
        )
