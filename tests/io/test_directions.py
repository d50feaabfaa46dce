"""Leaves import one another in one direction: io, then plots, then report, then studies and cli."""

import ast
from pathlib import Path

import flank

ROOMS = ("io", "cad", "exchange", "plots", "report", "notebook", "reproduce", "studio", "cli")
PACKAGE = Path(flank.__file__).parent


def imported_modules(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield node.module or ""
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def test_no_leaf_imports_one_that_comes_after_it():
    wrong = [
        f"{path.relative_to(PACKAGE)}: {module}"
        for number, room in enumerate(ROOMS)
        for path in (PACKAGE / room).rglob("*.py")
        for module in imported_modules(path)
        if module.startswith(tuple(f"flank.{later}" for later in ROOMS[number + 1 :]))
    ]
    assert wrong == []


PHYSICS = ("geometry", "elasticity", "contact", "dynamics", "machines", "analyses", "design")
"""Rooms, each of which knows those before it."""


def test_no_room_of_the_physics_imports_one_above_it():
    above = {room: (*PHYSICS[k + 1 :], *ROOMS) for k, room in enumerate(PHYSICS)}
    wrong = [
        f"{path.relative_to(PACKAGE)}: {module}"
        for room, later in above.items()
        for path in (PACKAGE / room).rglob("*.py")
        for module in imported_modules(path)
        if module.startswith(tuple(f"flank.{name}." for name in later))
    ]
    assert wrong == []
