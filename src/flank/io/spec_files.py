"""Spec files: YAML in, plain data out, and back.

The dialect is narrower than YAML 1.1 and what people expect: `1e9` is a number, `no` and `1:30`
and `2024-01-01` are text, and a key given twice is refused.
"""

import itertools
import re
from collections.abc import Hashable, Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from flank import units
from flank.errors import SpecError
from flank.io.yaml_mistakes import mistake
from flank.plain_files import NotReadable, decoded, read_plain_file
from flank.texts import echo, echo_path, hidden_character

LARGEST_FILE = 100_000
"""Bytes of a spec, read within a second; with every error of every part listed it has a tenth."""

_TAG = "tag:yaml.org,2002:"
_SCALARS = (
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    ("int", r"[-+]?[0-9]+", list("-+0123456789")),
    (
        "float",
        r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+)(?:[eE][-+]?[0-9]+)?"
        r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
        list("-+.0123456789"),
    ),
    ("merge", r"<<", ["<"]),
)
_PATTERNS = {f"{_TAG}{kind}": re.compile(rf"(?:{pattern})") for kind, pattern, _ in _SCALARS}
_TAGS = {*_PATTERNS, *(f"{_TAG}{kind}" for kind in ("str", "map", "seq"))}

MOST_BRACKETS = 100
"""Levels of lists and blocks in brackets; a spec has two or three."""

MOST_DIGITS = 300
"""Of a whole number, which then still is a double."""


class _Loader(yaml.SafeLoader):
    """A safe loader with the resolvers above, no double keys and nothing that no one can see."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        if node.tag not in _TAGS:
            tag = echo(node.tag.replace(_TAG, "!!"))
            raise _refused(f"the tag '{tag}' has no place in a spec; remove it", node)
        if isinstance(node, yaml.ScalarNode):
            _check_scalar(node)
        return super().construct_object(node, deep=deep)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[Hashable] = set()
        for key_node, _ in node.value:
            merges = key_node.tag == "tag:yaml.org,2002:merge"
            if not isinstance(key_node, yaml.ScalarNode):
                raise _refused("a key is a word or a number, not a list or a block", key_node)
            key = key_node.value if merges else self.construct_object(key_node, deep=True)
            if key in seen:
                raise _refused(f"the key '{echo(key)}' is given twice; keep one of them", key_node)
            seen.add(key)
        return super().construct_mapping(node, deep=deep)

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        """Merged blocks lie in one another a few levels deep, or a billion entries wide: a key
        that comes several times is kept once, the last as a mapping would."""
        super().flatten_mapping(node)
        last = {_identity(key): (key, value) for key, value in node.value}
        node.value = list(last.values())

    def construct_decimal_integer(self, node: yaml.ScalarNode) -> int:
        # YAML 1.1 reads 010 as eight.
        text = self.construct_scalar(node)
        if len(text) > MOST_DIGITS:
            raise _refused(f"a number of {len(text)} digits is given; that is too large", node)
        return int(text)


_Loader.add_constructor("tag:yaml.org,2002:int", _Loader.construct_decimal_integer)


def _identity(node: yaml.Node) -> Hashable:
    return (node.tag, node.value) if isinstance(node, yaml.ScalarNode) else id(node)


def _refused(problem: str, node: yaml.Node) -> yaml.MarkedYAMLError:
    return yaml.constructor.ConstructorError(None, None, problem, node.start_mark)


def _check_scalar(node: yaml.ScalarNode) -> None:
    pattern = _PATTERNS.get(node.tag)
    if pattern is not None and not pattern.fullmatch(node.value):
        kind = node.tag.removeprefix(_TAG)
        raise _refused(f"'{echo(node.value)}' is no {kind}; remove the '!!{kind}'", node)
    if hidden := hidden_character(node.value):
        raise _refused(f"a text has the character {hidden}, which cannot be seen; remove it", node)


class _Dumper(yaml.SafeDumper):
    """Quotes what either dialect would take for something else than text."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


for _kind, _pattern, _first in _SCALARS:
    _expression = re.compile(rf"^(?:{_pattern})$")
    _Loader.add_implicit_resolver(f"{_TAG}{_kind}", _expression, _first)
    _Dumper.add_implicit_resolver(f"{_TAG}{_kind}", _expression, _first)


def read_spec_file(path: str | Path) -> dict[str, Any]:
    """The data of a spec file; SpecError names the file, the line and the remedy."""
    name = echo_path(path)
    try:
        text = decoded(read_plain_file(path, LARGEST_FILE))
    except NotReadable as error:
        remedy = error.remedy or "give the path of a YAML spec file"
        raise SpecError(f"{name} {error}; {remedy}") from None
    return read_spec_text(text, name)


def read_spec_text(text: str, name: str = "the spec") -> dict[str, Any]:
    """The data of a spec held as text; `name` stands for it in sentences."""
    data = _load(text, name)
    if data is None:
        raise SpecError(f"{name} is empty; a spec begins with a line such as 'machine: ...'")
    if not isinstance(data, dict):
        kind = "a list" if isinstance(data, list) else "a single value"
        raise SpecError(
            f"{name}, line 1: {kind} is given; a spec is lines of 'key: value', "
            "for example 'eccentricity: 1.3 mm'"
        )
    return data


def _load(text: str, name: str) -> Any:
    if _depth(text) > MOST_BRACKETS:
        raise SpecError(f"{name} {_TOO_DEEP}")
    try:
        return yaml.load(text, Loader=_Loader)
    except yaml.constructor.ConstructorError as error:
        raise SpecError(f"{_where(name, error)}: {error.problem}") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        cause = mistake(text, mark.line + 1 if mark else 1)
        if cause is not None:
            raise SpecError(f"{name}, line {cause.line}: {cause.words}") from None
        raise SpecError(
            f"{_where(name, error)}: this cannot be read; write 'key: value' lines and indent "
            "blocks with spaces"
        ) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        character = echo(chr(error.character) if isinstance(error.character, int) else "")
        raise SpecError(
            f"{name} is not readable YAML: line {line} has the character {character}, which "
            "cannot be seen; remove it"
        ) from None
    except RecursionError:
        raise SpecError(f"{name} {_TOO_DEEP}") from None


_TOO_DEEP = "is not readable YAML: its blocks and lists lie too deep in one another"


def _depth(text: str) -> int:
    """How deep brackets lie in one another; the parser's time grows with its square."""
    steps = (1 if c in "[{" else -1 for c in re.findall(r"[][{}]", text))
    return max(itertools.accumulate(steps), default=0)


def _where(name: str, error: yaml.MarkedYAMLError) -> str:
    mark = error.problem_mark or error.context_mark
    return f"{name}, line {mark.line + 1}" if mark else name


def write_yaml(mapping: Mapping[str, Any]) -> str:
    """The mapping as YAML text that `read_spec_text` reads back as equal data."""
    return yaml.dump(dict(mapping), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)


def parse_assignments(assignments: Iterable[str]) -> dict[str, Any]:
    """Changes such as 'eccentricity=1.31 mm' as {dotted key: value}, each value read as YAML.

    Nothing after the equals sign, like null, takes the key away.
    """
    changes: dict[str, Any] = {}
    problems: list[str] = []
    for assignment in assignments:
        key, equals, text = (part.strip() for part in assignment.partition("="))
        if not key or not equals:
            problems.append(f"'{echo(assignment)}' is not a change; write 'key=value', {_EXAMPLE}")
        elif key in changes:
            problems.append(f"{echo(key)} is changed twice; keep one of them")
        else:
            changes[key] = units.as_written(_load(text, f"the value of {echo(key)}"))
    if problems:
        raise SpecError(problems)
    return changes


_EXAMPLE = "for example 'eccentricity=1.31 mm'"
