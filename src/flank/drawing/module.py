"""The module in the browser: its files as one script, as one module, and its style.

The files of `browser/` are plain modules, which a server may serve as they are. Put together they
need no server: imports between them go away, and what they export is one object.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

FILES = ("numbers", "mechanism", "space", "stage", "player", "plot", "tables", "mount")
"""In an order in which each needs none after it."""

PUBLIC = ("mount",)
"""What the last file offers to pages."""

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./\w+\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=function|class|const)", re.MULTILINE)


def _text(name: str) -> str:
    return files("flank.drawing").joinpath("browser", name).read_text("utf-8")


@cache
def _together() -> str:
    parts = (_EXPORT.sub("", _IMPORT.sub("", _text(f"{name}.js"))) for name in FILES)
    return "\n".join(parts)


@cache
def script() -> str:
    """A script that sets `flank.drawing`, for a page of its own."""
    offered = ", ".join(PUBLIC)
    return (
        f'(() => {{\n"use strict";\n{_together()}\n'
        "globalThis.flank = globalThis.flank || {};\n"
        f"globalThis.flank.drawing = {{ {offered} }};\n}})();\n"
    )


@cache
def module() -> str:
    """The same as one module that exports, for notebooks."""
    return f"{_together()}\nexport {{ {', '.join(PUBLIC)} }};\n"


def module_with(text: str) -> str:
    """One module of the drawing and of a further one, which imports from it and exports."""
    return f"{_together()}\n{_IMPORT.sub('', text)}"


@cache
def style() -> str:
    """What the drawing looks like; all its classes begin with flank-."""
    return _text("drawing.css")
