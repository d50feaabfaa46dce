"""What can be written and asked, generated from the code itself.

    python pages/reference.py      writes the pages of docs/reference/

Commands from the command line's own parser, keys of specs and settings from the fields that check
them, Python from signatures and docstrings.
"""

import ast
import inspect
import re
import textwrap
import types
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import typer
from marked import write_marked

import flank
from flank import api, engine
from flank.analyses.quantities import Quantities
from flank.analyses.registry import ANALYSES
from flank.analyses.result import Figure, Result
from flank.cli.app import app
from flank.errors import SpecError
from flank.machines.registry import MACHINES
from flank.machines.spec_keys import Key, keys_of
from flank.studies.evaluation import Evaluation
from flank.studies.spec import StudySpec
from flank.studies.statistics import Estimate
from flank.studies.study import Pace

TYPE = re.compile(r" (<\w+>|TEXT|FLOAT|INTEGER)$")
"""Behind the name of an option, as some versions of the parser write it and some do not."""

LONGEST = 70
"""Characters of a signature that stands in one line."""

FOLDER = Path(__file__).parent.parent / "docs" / "reference"

CHAPTERS = {
    "Building a model": (
        "ModelBuilder",
        "SpatialBuilder",
        "GROUND",
        "Node",
        "add_shaft",
        "add_ring",
        "Model",
        "SpatialModel",
    ),
    "Functions of time and of angles": (
        "constant",
        "linear",
        "rise",
        "run_up",
        "speeds",
        "harmonic",
        "table",
        "over_time",
        "over_angle",
        "Function",
        "VaryingStiffness",
    ),
    "Contacts in the plane": (
        "Disc",
        "circle_pair",
        "circle_in_hole",
        "circle_on_curve",
        "needle_between",
        "teeth",
        "Circle",
        "Cycloid",
        "ClosedSpline",
        "Polyline",
    ),
    "How a contact answers": (
        "Surface",
        "line_law",
        "LineLaw",
        "PowerLaw",
        "FoundationLaw",
        "LaminaLaw",
        "RollerProfile",
        "Damping",
        "Friction",
        "FRICTIONLESS",
        "Cylinder",
        "DeepBody",
    ),
    "Contacts in space": (
        "Sphere",
        "Place",
        "sphere_on_plane",
        "sphere_on_sphere",
        "sphere_in_sphere",
        "sphere_in_cylinder",
        "ball_in_arc",
        "ball_in_ellipse",
        "SpatialSurface",
        "StickFriction",
    ),
    "Contacts of one's own": (
        "ContactKind",
        "ForceLaw",
        "DistanceField",
        "Field",
        "Gap",
        "Distance",
        "Screen",
        "kernel",
        "contact_row",
        "spatial_row",
        "screened_by",
        "KINDS",
        "LAWS",
        "FIELDS",
        "SCREENS",
    ),
    "Materials and sections": (
        "Material",
        "STEEL",
        "Section",
        "round_section",
        "rectangular_section",
    ),
    "Solving": (
        "solve_statics",
        "solve_dynamics",
        "ContinuedRun",
        "StaticSettings",
        "DynamicSettings",
    ),
    "Reading a run": (
        "Trajectory",
        "SpatialTrajectory",
        "SpatialPose",
        "Status",
        "Forces",
        "ContactStates",
        "kinetic_energy",
        "stored_energy",
    ),
    "Small motions": ("linearize", "Linearization", "mass_matrix", "stable_step", "StableStep"),
    "Bodies out of files": (
        "read_matrices",
        "read_body",
        "reduce_body",
        "natural_modes",
        "compare",
        "auxiliary_nodes",
    ),
    "Analyses of a plain model": ("plain_machine", "PlainMachine", "Orders", "Outline"),
}
"""Names of the engine in the order of its reference."""


def commands() -> str:
    """Every command with its help, arguments and options."""
    root = typer.main.get_command(app)
    return "\n\n".join(_command(command, path) for path, command in _walk(root, "flank"))


def _walk(command: Any, path: str) -> Iterator[tuple[str, Any]]:
    inner = getattr(command, "commands", None)
    if not inner:
        yield path, command
    for name, one in (inner or {}).items():
        yield from _walk(one, f"{path} {name}")


def _command(command: Any, path: str) -> str:
    context = typer.Context(command, info_name=path)
    text, _, examples = inspect.cleandoc(command.help or "").partition("\b\n")
    lines = examples.splitlines()[1:]  # after the word that announces them
    parts = [f"## {path}", text.strip(), _options(command.params, context)]
    if lines:
        parts += ["```sh\n" + "\n".join(line.strip() for line in lines) + "\n```"]
    return "\n\n".join(parts)


def _options(params: list[Any], context: Any) -> str:
    records = [param.get_help_record(context) for param in params]
    rows = [[_code(TYPE.sub("", flag)), *_told(text)] for flag, text in filter(None, records)]
    return _table(["argument or option", "meaning", "default"], rows)


def _told(text: str) -> list[str]:
    """Meaning and default, which help puts into brackets behind it."""
    meaning, _, bracket = text.partition("  [")
    default = bracket.removesuffix("]").removeprefix("default: ")
    return [_cell(meaning), default if default in ("", "required") else f"`{default}`"]


def specs() -> str:
    """Every key of every machine, and the keys of a study."""
    parts = ["## Machines"]
    for name, machine in MACHINES.items():
        parts += [f"### {name}", *_blocks(list(keys_of(machine.spec)))]
    parts += ["## Studies", *_blocks(list(keys_of(StudySpec)))]
    return "\n\n".join(parts)


def analyses() -> str:
    """Every analysis: what it needs, its settings, its pictures, and what its results hold."""
    parts = []
    for name, analysis in ANALYSES.items():
        keys = list(keys_of(analysis.settings))
        parts += [f"## {name}", f"{analysis.summary[:1].upper()}{analysis.summary[1:]}."]
        parts += [f"Needs of a machine: {', '.join(analysis.needs)}."]
        parts += _blocks(keys) if keys else ["It has no settings."]
        drawn = ", ".join(f"`{picture}`" for picture in analysis.pictures)
        parts += [f"Pictures that it may have: {drawn}."] if drawn else []
        parts += ["Quantities of its results:", _quantities(analysis.quantities)]
    return "\n\n".join(parts)


def _blocks(keys: list[Key]) -> Iterator[str]:
    """A table for each block, in the order of the spec."""
    for block in dict.fromkeys(key.block for key in keys):
        if block.path:
            optional = "" if block.required else " May be left out."
            yield f"**`{block.path}`**: {_cell(block.meaning)}.{optional}"
        rows = [_key_row(key) for key in keys if key.block == block]
        yield _table(["key", "meaning", "unit", "allowed", "default", "example"], rows)


def _quantities(declared: Quantities) -> str:
    rows = [
        [f"`{name}`", _cell(one.meaning), one.units, one.over.replace(" ", ", ").strip(", ")]
        for name, one in declared.items()
    ]
    return _table(["quantity", "meaning", "unit", "over"], rows)


def _key_row(key: Key) -> list[str]:
    default = "required" if key.required else _code(key.default)
    example = _code(key.example)
    return [f"`{key.path}`", _cell(key.meaning), key.unit, _cell(key.allowed), default, example]


def _code(text: str) -> str:
    if "|" in text:  # which no table leaves alone between backticks
        return f"<code>{_cell(text)}</code>"
    return f"`{_cell(text).replace('&lt;', '<')}`" if text else ""


def _table(headings: list[str], rows: list[list[str]]) -> str:
    """As Markdown, without columns in which nothing stands."""
    used = [k for k in range(len(headings)) if any(row[k] for row in rows)]
    lines = [[headings[k] for k in used], ["---"] * len(used)]
    lines += [[row[k] for k in used] for row in rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _cell(text: str) -> str:
    """Of a table: one line, and nothing that Markdown or HTML would take for its own."""
    return " ".join(text.split()).replace("|", "&#124;").replace("<", "&lt;")


def python() -> str:
    """What `import flank` offers, results, and the engine."""
    functions = [getattr(api, name) for name in flank.__all__ if name != "__version__"]
    parts = ["## flank", *(_entry(one.__name__, one, "flank.") for one in functions)]
    parts += ["## Results and refusals"]
    parts += [_entry(one.__name__, one, "") for one in (Result, Figure, SpecError)]
    parts += ["## Studies"]
    parts += [_entry(one.__name__, one, "") for one in (Evaluation, Estimate, Pace)]
    for title, names in CHAPTERS.items():
        parts += [f"## flank.engine: {title[0].lower()}{title[1:]}"]
        parts += [_entry(name, getattr(engine, name), "") for name in names]
    return "\n\n".join(parts)


def _entry(name: str, offered: Any, prefix: str) -> str:
    """Heading, signature and docstring; of a class its fields and methods too."""
    parts = [f"### {prefix}{name}"]
    if inspect.isclass(offered):
        parts += [_text(offered), _fields(offered), *_members(offered)]
    elif callable(offered):
        parts += [f"```python\n{prefix}{name}{_signature(offered)}\n```", _text(offered)]
    elif type(offered).__repr__ is object.__repr__:  # which would tell where it lies in memory
        parts += [f"One object, a `{type(offered).__name__}`.", _text(type(offered))]
        parts += _members(type(offered))
    else:
        parts += [f"`{offered!r}`"]
    return "\n\n".join(filter(None, parts))


def _fields(offered: type) -> str:
    """What a dataclass or a tuple holds, with the comments that stand beside it."""
    lines = textwrap.dedent(inspect.getsource(offered)).splitlines()
    (tree,) = ast.parse("\n".join(lines)).body
    assert isinstance(tree, ast.ClassDef)
    rows = []
    for node in tree.body:
        if isinstance(node, ast.AnnAssign) and not ast.unparse(node.annotation).startswith("Class"):
            default = "" if node.value is None else ast.unparse(node.value)
            comment = lines[(node.end_lineno or 0) - 1].partition("  # ")[2]
            names = [ast.unparse(node.target), ast.unparse(node.annotation), default]
            rows.append([*map(_code, names), _cell(comment)])
    return _table(["field", "type", "default", "meaning"], rows) if rows else ""


def _members(offered: type) -> Iterator[str]:
    for name, member in vars(offered).items():
        if name.startswith("_") and name not in ("__init__", "__getitem__"):
            continue
        if isinstance(member, property | cached_property):
            getter = member.fget if isinstance(member, property) else member.func
            yield f"**`{name}`** {_text(getter)}".rstrip()
        elif isinstance(member, types.FunctionType) and Path(member.__code__.co_filename).exists():
            shown = offered.__name__ if name == "__init__" else name
            yield f"**`{shown}{_signature(member)}`** {_text(member)}".rstrip()


def _signature(function: Any) -> str:
    """As it is written, without `self`; a long one has a line for each argument."""
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(tree, ast.FunctionDef)
    returned = "" if tree.returns is None else f" -> {ast.unparse(tree.returns)}"
    arguments = list(_arguments(tree.args))
    line = f"({', '.join(arguments)}){returned}".removesuffix(" -> None")
    if len(line) < LONGEST or function.__qualname__ != function.__name__:
        return line
    return line.replace(line[1 : line.rindex(")")], "\n    " + ",\n    ".join(arguments) + ",\n")


def _arguments(given: ast.arguments) -> Iterator[str]:
    """Each argument as it is written, with its default."""
    placed = [*given.posonlyargs, *given.args]
    defaults = [None] * (len(placed) - len(given.defaults)) + list(given.defaults)
    for one, default in zip(placed, defaults, strict=True):
        if one.arg != "self":
            yield _argument(one, default)
    if given.vararg is not None or given.kwonlyargs:
        yield "*" + ("" if given.vararg is None else ast.unparse(given.vararg))
    for one, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        yield _argument(one, default)
    if given.kwarg is not None:
        yield "**" + ast.unparse(given.kwarg)


def _argument(one: ast.arg, default: ast.expr | None) -> str:
    return ast.unparse(one) + ("" if default is None else f" = {ast.unparse(default)}")


def _text(offered: Any) -> str:
    return inspect.cleandoc(offered.__doc__ or "").replace("<", "&lt;")


PLACES = {"commands": commands, "spec": specs, "analyses": analyses, "python": python}
"""The page docs/reference/NAME.md and what writes its place NAME."""


if __name__ == "__main__":
    for name, make in PLACES.items():
        write_marked(FOLDER / f"{name}.md", name, make())
