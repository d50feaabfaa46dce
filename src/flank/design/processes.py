"""Processes that requirements may name: those of `machines/processes.csv` with a usual material."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from flank.machines.materials import BUILT_IN_MATERIALS
from flank.machines.processes import PROCESSES as KNOWN
from flank.machines.processes import Process as Guides


class Process(NamedTuple):
    """What it holds, the material of toothed parts, and the contact pressure in Pa they bear."""

    guides: Guides
    material: str
    pressure: float


def _usual() -> Iterator[tuple[str, Process]]:
    for name, guides in KNOWN.items():
        if guides.material is None:
            continue
        pressure = guides.pressure or BUILT_IN_MATERIALS[guides.material].pressure
        if pressure is not None:
            yield name, Process(guides, guides.material, pressure)


PROCESSES: Mapping[str, Process] = dict(_usual())
