"""Figures and rules by kind of machine, loaded when they are asked for."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from flank.design.figure import Figures

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from flank.design.rule import Move, Put, Rule
    from flank.machines.base import Machine


@dataclass(frozen=True)
class Kind:
    """The folder of a kind of machine in this room, and the name of its figures."""

    folder: str
    figures_name: str

    @property
    def figures(self) -> type[Figures]:
        loaded: type[Figures] = getattr(
            import_module(f"flank.design.{self.folder}.figures"), self.figures_name
        )
        return loaded

    @property
    def rules(self) -> tuple[Rule, ...]:
        loaded: tuple[Rule, ...] = import_module(f"flank.design.{self.folder}.rules").RULES
        return loaded

    @property
    def moves(self) -> Mapping[str, tuple[Move | Put, ...]]:
        """Ways out of what the machine finds itself, by the finding's code."""
        loaded: Mapping[str, tuple[Move | Put, ...]]
        loaded = import_module(f"flank.design.{self.folder}.rules").MOVES
        return loaded


KINDS = {
    "cycloidal-drive": Kind("cycloidal", "CycloidalFigures"),
    "few-teeth-reducer": Kind("few_teeth", "FewTeethFigures"),
    "rv-reducer": Kind("rv", "RvFigures"),
    "gear-pair": Kind("gear_pair", "GearPairFigures"),
    "planetary-gearbox": Kind("planetary", "PlanetaryFigures"),
    "bevel-pair": Kind("bevel_pair", "BevelFigures"),
    "hypoid-pair": Kind("bevel_pair", "BevelFigures"),
    "spatial-gear-pair": Kind("bevel_pair", "BevelFigures"),
    "cv-joint": Kind("cv_joint", "JointFigures"),
}
"""By the name that a spec gives its machine. A folder has `figures.py` and `rules.py`; in these
`RULES` is a tuple of `Rule`, and `MOVES` has ways out of findings of the machine's own."""


def figures_of(machine: Machine) -> Figures:
    """The figures of a machine; none of one whose kind has no folder here."""
    kind = _kind(machine)
    return Figures(machine) if kind is None else kind.figures(machine)


def rules_of(machine: Machine) -> tuple[Rule, ...]:
    kind = _kind(machine)
    return () if kind is None else kind.rules


def moves_of(machine: Machine) -> Mapping[str, tuple[Move | Put, ...]]:
    kind = _kind(machine)
    return {} if kind is None else kind.moves


def all_rules() -> Iterator[tuple[str, Rule]]:
    """Every rule with the kind of machine that it is about."""
    for name, kind in KINDS.items():
        for rule in kind.rules:
            yield name, rule


def _kind(machine: Any) -> Kind | None:
    return KINDS.get(getattr(machine.spec, "machine", ""))
