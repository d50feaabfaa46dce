"""Every function that is not compiled says what it takes and what it gives.

Kernels have the types that they are called with, so mypy lets the rooms that hold them go without
annotations; the others there are found here.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import flank

PACKAGE = Path(flank.__file__).parent
COMPILED = {"kernel", "dispatched", "for_teams"}
"""Decorators of functions that Numba compiles."""


def test_functions_outside_kernels_are_annotated() -> None:
    missing = [
        f"{path.relative_to(PACKAGE)}:{function.lineno} {function.name}: {name}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for function, in_class in _plain_functions(ast.parse(path.read_text(encoding="utf-8")))
        for name in _unannotated(function, in_class)
    ]
    assert not missing, "\n".join(missing)


def test_a_function_without_types_is_found() -> None:
    text = (
        "class Shape:\n"
        "    def area(self, scale): return scale\n"
        "    @staticmethod\n"
        "    def unit(size, *others: int, **named) -> int:\n"
        "        def inner(): pass\n"
        "@kernel(internal=True)\n"
        "def compiled(x): return x\n"
        "@flank.kernel.kernel\n"
        "def compiled_too(x): return x\n"
    )
    found = {
        function.name: _unannotated(function, in_class)
        for function, in_class in _plain_functions(ast.parse(text))
    }
    assert found == {"area": ["scale", "return"], "unit": ["size", "named"], "inner": ["return"]}


def _plain_functions(
    node: ast.AST, in_class: bool = False
) -> Iterator[tuple[ast.FunctionDef, bool]]:
    """Functions at any depth that are not compiled, nor inside one that is; methods are marked."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef):
            if COMPILED & set(map(_name, child.decorator_list)):
                continue
            yield child, in_class and "staticmethod" not in map(_name, child.decorator_list)
        yield from _plain_functions(child, isinstance(child, ast.ClassDef))


def _name(decorator: ast.expr) -> str:
    """Of `kernel`, `kernel(...)` and `flank.kernel.kernel` the last word."""
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return ast.unparse(called).rpartition(".")[2]


def _unannotated(function: ast.FunctionDef, in_class: bool) -> list[str]:
    arguments = function.args
    given = [*arguments.posonlyargs, *arguments.args][1 if in_class else 0 :]
    given += [arguments.vararg] if arguments.vararg else []
    given += arguments.kwonlyargs
    given += [arguments.kwarg] if arguments.kwarg else []
    missing = [argument.arg for argument in given if argument.annotation is None]
    return missing + ([] if function.returns else ["return"])
