"""How parts are made, as far as a design depends on it: guides of clearance, position, roughness.

Guides tell what a process holds without special care; tolerances of a spec are of its drawing and
come first where both are there.
"""

import csv
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import NamedTuple


class Process(NamedTuple):
    """Lengths in m: the radial clearance that flanks and holes need for parts to turn, half of what
    places deviate, the roughness Rq of a surface, the thinnest wall. A process may have a usual
    material, and a pressure in Pa that parts bear where it is not the strength of that material."""

    title: str
    clearance: float
    hole_clearance: float
    position: float
    roughness: float
    least_wall: float
    source: str
    material: str | None
    pressure: float | None
    usual_source: str


def _known_processes() -> Iterator[tuple[str, Process]]:
    with files(__package__).joinpath("processes.csv").open(encoding="utf-8") as table:
        for row in csv.DictReader(table):
            yield (
                row["name"],
                Process(
                    row["title"],
                    float(row["clearance in um"]) / 1e6,
                    float(row["hole clearance in um"]) / 1e6,
                    float(row["position in um"]) / 1e6,
                    float(row["roughness Rq in um"]) / 1e6,
                    float(row["least wall in mm"]) / 1e3,
                    row["source"],
                    row["usual material"] or None,
                    _pascals(row["usual pressure in MPa"]),
                    row["usual source"],
                ),
            )


def _pascals(cell: str) -> float | None:
    return float(cell) * 1e6 if cell else None


PROCESSES: Mapping[str, Process] = dict(_known_processes())
"""By the name that a spec gives."""
