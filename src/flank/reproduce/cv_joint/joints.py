"""The joint of the study, changed as its figures ask."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flank import api
from flank.machines.cv_joint.joint import CvJoint

STIFF, HERTZ = "cv-joint-marter", "cv-joint"
"""Presets of the same joint: the paper's contact stiffness, and Hertz's."""

ONE_COEFFICIENT = {"contact.friction.static": None, "contact.friction.static_velocity": None}
"""Static friction equal to sliding friction."""

FREE = {"operation.plunge.kind": "free"}


@dataclass(frozen=True)
class Stiffness:
    """A contact stiffness: its name in tables, and the preset and changes that have it."""

    name: str
    preset: str
    changes: Mapping[str, Any]

    def __hash__(self) -> int:
        return hash(self.name)


PAPERS = Stiffness("6e12", STIFF, {})
SOFTER = Stiffness("3e11", STIFF, {"contact.stiffness": "3e11 N/m^1.5"})
BY_HERTZ = Stiffness("Hertz", HERTZ, {})
STIFFNESSES = (PAPERS, SOFTER, BY_HERTZ)


def joint(stiffness: Stiffness, changes: Mapping[str, Any] | None = None) -> CvJoint:
    """The joint with a contact stiffness, changed."""
    machine = api.preset(stiffness.preset, {**stiffness.changes, **(changes or {})})
    assert isinstance(machine, CvJoint)
    return machine


def friction_changes(coefficient: float) -> dict[str, Any]:
    """One coefficient of friction for all contacts, at rest as in sliding."""
    if coefficient == 0:
        return {"contact.friction": None}
    return {**ONE_COEFFICIENT, "contact.friction.sliding": coefficient}
