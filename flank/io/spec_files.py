"""Spec files: YAML in, plain data out, and back.

The dialect is narrower than YAML 1.1 and what people expect: `1e9` is a number, `no` and `1:30`
and `2024-01-01` are text, and a key given twice is refused.
"""

import re
from collections.abc import Hashable, Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from flank.errors import SpecError

_SCALARS = (
    ("tag:yaml.org,2002:null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("tag:yaml.org,2002:bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    ("tag:yaml.org,2002:int", r"[-+]?[0-9]+", list("-+0123456789")),
    (
        "tag:yaml.org,2002:float",
        r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+)(?:[eE][-+]?[0-9]+)?"
        r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
        list("-+.0123456789"),
    ),
    ("tag:yaml.org,2002:merge", r"<<", ["<"]),
)


class _Loader(yaml.SafeLoader):
    """A safe loader with the resolvers above and no double keys."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[Hashable] = set()
        for key_node, _ in node.value:
            merges = key_node.tag == "tag:yaml.org,2002:merge"
            key = key_node.value if merges else self.construct_object(key_node, deep=True)
            if isinstance(key, Hashable) and key in seen:
                problem = f"the key '{key}' is given twice; keep one of them"
                raise yaml.constructor.ConstructorError(None, None, problem, key_node.start_mark)
            seen.add(key if isinstance(key, Hashable) else id(key_node))
        return super().construct_mapping(node, deep=deep)

    def construct_decimal_integer(self, node: yaml.ScalarNode) -> int:
        # YAML 1.1 reads 010 as eight.
        return int(self.construct_scalar(node))


_Loader.add_constructor("tag:yaml.org,2002:int", _Loader.construct_decimal_integer)


class _Dumper(yaml.SafeDumper):
    """Quotes what either dialect would take for something else than text."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


for _tag, _pattern, _first in _SCALARS:
    _expression = re.compile(rf"^(?:{_pattern})$")
    _Loader.add_implicit_resolver(_tag, _expression, _first)
    _Dumper.add_implicit_resolver(_tag, _expression, _first)


def read_spec_file(path: str | Path) -> dict[str, Any]:
    """The data of a spec file; SpecError names the file, the line and the remedy."""
    name = str(path)
    try:
        text = Path(path).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise SpecError(f"{name} does not exist; give the path of a spec file") from None
    except UnicodeDecodeError:
        raise SpecError(f"{name} is not a text file in UTF-8; give a YAML spec file") from None
    except OSError as error:
        raise SpecError(f"{name} cannot be read: {error.strerror}") from None
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
    try:
        return yaml.load(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"{name}, line {mark.line + 1}" if mark else name
        raise SpecError(f"{where}: {_problem(error)}") from None
    except yaml.YAMLError as error:
        raise SpecError(f"{name} is not readable YAML: {str(error).splitlines()[0]}") from None
    except (RecursionError, ValueError) as error:
        raise SpecError(f"{name} is not readable YAML: {error}") from None


def _problem(error: yaml.MarkedYAMLError) -> str:
    problem = error.problem or error.context or "this is not readable YAML"
    if "given twice" in problem:
        return problem
    if "\\t" in problem or "\t" in problem:
        return "a tab is given; indent with spaces"
    return f"{problem}; write 'key: value' lines and indent blocks with spaces"


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
            problems.append(f"'{assignment}' is not a change; write 'key=value', {_EXAMPLE}")
        elif key in changes:
            problems.append(f"{key} is changed twice; keep one of them")
        else:
            changes[key] = _load(text, f"the value of {key}")
    if problems:
        raise SpecError(problems)
    return changes


_EXAMPLE = "for example 'eccentricity=1.31 mm'"
