"""Small runs that call every kernel of every kind of model that machines make."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

TEETH = {f"{name}_mesh.model": "contact" for name in ("sun", "ring")}

PRESETS: dict[str, tuple[str, dict[str, str]]] = {
    "contacts": ("cycloidal-drive", {}),
    "mesh springs": ("planetary-lin-parker", {}),
    "mesh tables": ("planetary-500kw", {}),
    "teeth": ("planetary-500kw", TEETH),
}
QUICK: dict[str, dict[str, Any]] = {
    "transmission-error": {"points_per_turn": 8},
    "natural-frequencies": {"count": 3},
    "time-response": {"duration": 5e-4, "step": 5e-5, "points": 10},
}


def _machine(preset: str, changes: dict[str, str]) -> None:
    import flank

    machine = flank.preset(preset, changes)
    for analysis, settings in QUICK.items():
        flank.run(machine, analysis, **settings)


def _space() -> None:
    import flank

    joint = flank.preset("cv-joint")
    flank.run(joint, "joint-turns", mode="static", points_per_turn=16)
    flank.run(joint, "joint-turns", most_turns=2, points_per_turn=16)
    flank.run(joint, "natural-frequencies", count=3)


RUNS: dict[str, Callable[[], None]] = {
    **{name: partial(_machine, *given) for name, given in PRESETS.items()},
    "space": _space,
}
