"""Kinds of machines that can be designed, by the name that the command has for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from flank.errors import SpecError, suggestion
from flank.texts import echo

if TYPE_CHECKING:
    from flank.design.candidate import Designer
    from flank.design.designing import Shortlist, Tell


@dataclass(frozen=True)
class Designable:
    """Where its requirements and its designer are."""

    requirements: str
    designer: str

    def designer_of(self, given: Mapping[str, Any], name: str) -> Designer:
        """SpecError with every sentence about the requirements."""
        wanted: Any = getattr(import_module("flank.design.requirements"), self.requirements)
        module, _, designer = self.designer.rpartition(".")
        made: Any = getattr(import_module(f"flank.design.kinds.{module}"), designer)
        result: Designer = made(wanted.from_requirements(given, name))
        return result


DESIGNABLE = {
    "cv-joint": Designable("JointRequirements", "cv_joint.CvJointDesigner"),
    "cycloidal": Designable("CycloidalRequirements", "cycloidal.CycloidalDesigner"),
    "few-teeth": Designable("FewTeethRequirements", "few_teeth.FewTeethDesigner"),
    "gear-pair": Designable("GearPairRequirements", "gear_pair.GearPairDesigner"),
    "planetary": Designable("PlanetaryRequirements", "planetary.PlanetaryDesigner"),
    "rv": Designable("RvRequirements", "rv.RvDesigner"),
}


def design(name: str, given: Mapping[str, Any], tell: Tell | None = None) -> Shortlist:
    """The shortlist of a kind; see designing.py."""
    from flank.design.designing import find_designs

    if name not in DESIGNABLE:
        raise SpecError(
            f"'{echo(name)}' cannot be designed{suggestion(name, DESIGNABLE)} "
            f"Kinds: {', '.join(DESIGNABLE)}"
        )
    return find_designs(DESIGNABLE[name].designer_of(given, name), tell)
