"""What the scripts for other programs share: a head, and numbers as Python writes them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from flank._version import __version__

if TYPE_CHECKING:
    from flank.exchange.train import Train

DIGITS = 15
"""Of numbers in scripts."""

WIDTH = 96


def number(value: float) -> str:
    return repr(float(f"{value:.{DIGITS}g}"))


def numbers(values: Iterable[float]) -> str:
    """A list over as many lines as it takes."""
    lines, line = [], "   "
    for value in values:
        word = f" {number(value)},"
        if len(line) + len(word) > WIDTH:
            lines.append(line)
            line = "   "
        line += word
    return "[\n" + "\n".join([*lines, line]) + "\n]"


def head(train: Train, program: str, what: str) -> str:
    """The text in front, which says what is in the model and what is not."""
    title = train.title.replace("\\", " ").replace('"', "'")
    degrees = math.degrees(train.angle)
    return f'''"""{title}: a model for {program}.

Written by Flank {__version__}. {what}
Meshes have their stiffness under {train.torque:g} N*m on the output, at {degrees:g} deg of the
input.

    python THIS_FILE.py      prints the natural frequencies, and those that Flank has for it
"""
'''


def cycle_tables(train: Train) -> str:
    """Of every mesh, over one mesh cycle."""
    rows = [
        f"MESH_ORDER = {number(train.mesh_order)}",
        '"""Mesh cycles in one turn of the input."""',
    ]
    for name, unit, field in (
        ("STIFFNESS", "N/m, along the line of action", "cycle"),
        ("TRANSMISSION_ERROR", "m, along the line of action, under the load", "error"),
    ):
        cells = ",\n".join(
            f"    {mesh.name!r}: {numbers(getattr(mesh, field))}" for mesh in train.meshes
        )
        rows.append(f"{name} = {{\n{cells},\n}}")
        rows.append(f'"""{unit}, at even steps of one mesh cycle."""')
    return "\n".join(rows)
