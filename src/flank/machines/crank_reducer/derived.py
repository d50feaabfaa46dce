"""What the sizing rule gave a crank reducer, told by the spec's keys that were left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flank.machines.base import Derived

if TYPE_CHECKING:
    from flank.machines.crank_reducer.rules import Dimensions
    from flank.machines.crank_reducer.spec import CrankReducerSpec


def derived_dimensions(spec: CrankReducerSpec, size: Dimensions) -> list[Derived]:
    """Every dimension of the rule that the spec does not give."""
    return [
        Derived(key, _value(size, name), *units)
        for key, (name, *units) in RULED.items()
        if _left_out(spec, key)
    ]


def _left_out(spec: CrankReducerSpec, key: str) -> bool:
    """Whether the key's block is there and has no value for it."""
    block, _, name = key.rpartition(".")
    owner = getattr(spec, block) if block else spec
    return owner is not None and getattr(owner, name) is None


RULED = {
    "eccentricity": ("eccentricity", "m", "mm"),
    "discs.width": ("disc_width", "m", "mm"),
    "discs.bore_radius": ("disc_bore_radius", "m", "mm"),
    "cranks.pin_radius": ("pin_radius", "m", "mm"),
    "cranks.journal_radius": ("journal_radius", "m", "mm"),
    "cranks.journal_length": ("journal_length", "m", "mm"),
    "cranks.eccentric_length": ("eccentric_length", "m", "mm"),
    "cranks.web_length": ("web_length", "m", "mm"),
    "turning_arm.count": ("turning_arm.count", "", ""),
    "turning_arm.radius": ("turning_arm.roller_radius", "m", "mm"),
    "turning_arm.length": ("turning_arm.length", "m", "mm"),
    "turning_arm.clearance": ("turning_arm.clearance", "m", "um"),
    "supports.race_radius": ("support.race_radius", "m", "mm"),
    "supports.count": ("support.count", "", ""),
    "supports.radius": ("support.roller_radius", "m", "mm"),
    "supports.length": ("support.length", "m", "mm"),
    "supports.clearance": ("support.clearance", "m", "um"),
    "supports.contact_angle": ("support.contact_angle", "rad", "deg"),
    "first_stage.face_width": ("face_width", "m", "mm"),
    "carrier.pillar_count": ("pillar_count", "", ""),
    "carrier.pillar_circle_radius": ("pillar_circle_radius", "m", "mm"),
    "carrier.pillar_radius": ("pillar_radius", "m", "mm"),
    "carrier.flange_width": ("flange_width", "m", "mm"),
    "main_bearings.ball_count": ("ball_count", "", ""),
    "main_bearings.ball_radius": ("ball_radius", "m", "mm"),
    "main_bearings.contact_angle": ("ball_contact_angle", "rad", "deg"),
    "main_bearings.preload": ("main_preload", "N", "N"),
}
"""Keys of the spec with a rule: where Dimensions has the value, its unit and one to show it in."""


def _value(of: Any, path: str) -> Any:
    for name in path.split("."):
        of = getattr(of, name)
    return of
