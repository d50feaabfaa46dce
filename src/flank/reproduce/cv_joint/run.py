"""The study from beginning to end."""

from __future__ import annotations

from typing import Any

from flank.dynamics.run import Progress
from flank.reproduce.cv_joint.computing import (
    BY_HERTZ,
    COARSE,
    DEFLECTION,
    FINE,
    FREE,
    FRICTION,
    PAPER,
    PAPERS,
    SOFTER,
    STIFFNESSES,
    TORQUE,
    Fineness,
    JointWorkshop,
    Turned,
    axial_stiffness,
    joint,
)
from flank.reproduce.cv_joint.findings import CLEARANCES, Evidence, findings
from flank.reproduce.cv_joint.pictures import pictures
from flank.reproduce.cv_joint.tables import tables
from flank.reproduce.study import Study

COMPUTATIONS = 43
"""Computations of the study besides two for each friction, for the progress bar."""

SHAFT = {**FREE, "operation.plunge.shaft_mass": "2.4 kg"}
OPEN: dict[str, dict[str, Any]] = {
    "nothing": {},
    "no drilling": {"contact.friction.drilling": False},
    "stick below 0.1 mm/s": {"contact.friction.stick_velocity": "0.1 mm/s"},
    "damping 1000 s/m": {"contact.damping": "1000 s/m"},
    "elliptical tracks": {"tracks.section": "elliptical"},
    "conformity 1.05": {"tracks.conformity": 1.05},
    "contact angle 40°": {"tracks.contact_angle": "40 deg"},
    "inclination 0°": {"outer.inclination": 0},
    "skew 12°": {"outer.skew": "12 deg"},
    "10 µm in tracks, 5 µm a side in windows": {
        "tracks.clearance": "10 um",
        "cage.window_clearance": "10 um",
    },
    "speed 1500 rpm": {"operation.speed": "1500 rpm"},
}
"""One thing at a time of what the paper leaves open."""


def workshop_of(fineness: Fineness, progress: Progress | None = None) -> JointWorkshop:
    return JointWorkshop(fineness, COMPUTATIONS + 2 * len(fineness.frictions), progress)


def run(coarse: bool = False, progress: Progress | None = None) -> Study:
    """Everything the command prints and writes."""
    workshop = workshop_of(COARSE if coarse else FINE, progress)
    return study_of(compute(workshop), workshop.complete)


def study_of(evidence: Evidence, complete: bool) -> Study:
    spec = joint(PAPERS).spec.to_mapping()
    return PAPER.study(tables(evidence), findings(evidence), pictures(evidence), spec, complete)


def compute(workshop: JointWorkshop) -> Evidence:
    frictions = workshop.fineness.frictions
    return Evidence(
        cages={
            (stiffness, torque): workshop.cage_path(stiffness, torque)
            for stiffness in STIFFNESSES
            for torque in (TORQUE, 0.5 * TORQUE, 0.25 * TORQUE)
        },
        forces={
            (stiffness, clearance, sense): workshop.force_path(stiffness, clearance, sense)
            for stiffness in STIFFNESSES
            for clearance in CLEARANCES
            for sense in (1, -1)
        },
        turns={
            stiffness: {mu: workshop.turn(stiffness, mu) for mu in frictions}
            for stiffness in (PAPERS, BY_HERTZ)
        },
        at_friction={stiffness: workshop.turn(stiffness, FRICTION) for stiffness in STIFFNESSES},
        free=_free(workshop),
        changed=_changed(workshop),
        ramps={stiffness: workshop.ramp(stiffness, FRICTION) for stiffness in STIFFNESSES},
        axial={
            f"{stiffness.name}, {angle:g}°": axial_stiffness(stiffness, angle)
            for stiffness, angle in ((PAPERS, DEFLECTION), (PAPERS, 0.0), (BY_HERTZ, DEFLECTION))
        },
    )


def _free(workshop: JointWorkshop) -> dict[str, Turned]:
    """The inner race free to slide."""
    return {
        "6e12": workshop.turn(PAPERS, FRICTION, FREE),
        "6e12, shaft of 2.4 kg": workshop.turn(PAPERS, FRICTION, SHAFT),
        "6e12, μ 0.1": workshop.turn(PAPERS, 0.1, FREE),
        "6e12, no friction": workshop.turn(PAPERS, 0.0, FREE),
        "3e11": workshop.turn(SOFTER, FRICTION, FREE),
        "Hertz": workshop.turn(BY_HERTZ, FRICTION, FREE),
    }


def _changed(workshop: JointWorkshop) -> dict[str, Turned]:
    """One thing changed at a time; static friction is that of the presets."""
    return {
        **{name: workshop.turn(PAPERS, FRICTION, changes) for name, changes in OPEN.items()},
        "static friction 0.05": workshop.turn(PAPERS, None),
        "static friction 0.05, Hertz's stiffness": workshop.turn(BY_HERTZ, None),
    }
