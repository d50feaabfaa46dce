"""The study from beginning to end."""

from __future__ import annotations

from typing import Any

from flank.dynamics.run import Progress
from flank.machines.cv_joint.figures import cage_force, track_force
from flank.reproduce.cv_joint.axial import axial_stiffness
from flank.reproduce.cv_joint.computing import COARSE, FINE, Workshop
from flank.reproduce.cv_joint.findings import Evidence, findings
from flank.reproduce.cv_joint.friction import Regression, regression
from flank.reproduce.cv_joint.friction_pictures import secondary_picture, track_force_picture
from flank.reproduce.cv_joint.friction_tables import (
    regression_table,
    secondary_table,
    track_table,
)
from flank.reproduce.cv_joint.joints import (
    BY_HERTZ,
    FREE,
    PAPERS,
    SOFTER,
    STIFFNESSES,
    Stiffness,
    joint,
)
from flank.reproduce.cv_joint.mistakes import mistakes
from flank.reproduce.cv_joint.motion_pictures import axial_picture, ball_picture
from flank.reproduce.cv_joint.motion_tables import axial_table, ball_table
from flank.reproduce.cv_joint.notes import MARKS, NOTES
from flank.reproduce.cv_joint.published import DEFLECTION, FRICTION, LOW_FRICTIONS, TORQUE
from flank.reproduce.cv_joint.static_pictures import (
    CagePaths,
    ForcePaths,
    cage_picture,
    force_picture,
)
from flank.reproduce.cv_joint.tables import cage_table, force_table, open_table
from flank.reproduce.cv_joint.turning import DRIVEN, Turned
from flank.reproduce.study import Study

COMPUTATIONS = 43
"""Computations of the study besides two for each friction, for the progress bar."""

TITLE = "A plunging constant-velocity joint, Marter et al. computed anew"
LEAD = (
    "Marter, Daniel, Duvigneau, Woschke, 'Numerical Analysis Based on a Multi-Body Simulation for "
    "a Plunging Type Constant Velocity Joint', 2020: Figs. 7, 8, 11, 12, 13 and 14 on the presets "
    "cv-joint-marter (the paper's contact stiffness of 6e12 N/m^1.5) and cv-joint (Hertz's). The "
    "paper gives no dimension; note 1 has what is assumed. Nothing was adjusted to meet a figure."
)

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


def run(coarse: bool = False, progress: Progress | None = None) -> Study:
    """Everything the command prints and writes."""
    fineness = COARSE if coarse else FINE
    workshop = Workshop(fineness, COMPUTATIONS + 2 * len(fineness.frictions), progress)
    cages: CagePaths = {
        (stiffness, torque): workshop.cage_path(stiffness, torque)
        for stiffness in STIFFNESSES
        for torque in (TORQUE, 0.5 * TORQUE, 0.25 * TORQUE)
    }
    forces: ForcePaths = {
        (stiffness, clearance, sense): workshop.force_path(stiffness, clearance, sense)
        for stiffness in STIFFNESSES
        for clearance in (0.0, 5e-6)
        for sense in (1, -1)
    }
    turns = {
        stiffness: {mu: workshop.turn(stiffness, mu) for mu in fineness.frictions}
        for stiffness in (PAPERS, BY_HERTZ)
    }
    at_friction = {stiffness: workshop.turn(stiffness, FRICTION) for stiffness in STIFFNESSES}
    free = _free(workshop)
    fits = _fits(turns[PAPERS])
    spec = joint(PAPERS).spec
    ideal = track_force(spec, TORQUE)
    evidence = Evidence(
        cages=cages,
        forces=forces,
        turns=turns,
        softer=at_friction[SOFTER],
        fits=fits,
        free=free,
        force=ideal,
        cage_at_500=cage_force(spec, 500.0),
        axial=_axial_stiffnesses(),
    )
    ramps = {stiffness: workshop.ramp(stiffness, FRICTION) for stiffness in STIFFNESSES}
    shown = {mu: turns[PAPERS][mu] for mu in _three(tuple(turns[PAPERS]))}
    pairs = {stiffness: at_friction[stiffness] for stiffness in (PAPERS, BY_HERTZ)}
    return Study(
        title=TITLE,
        lead=LEAD,
        tables={
            "cage-angle": cage_table(cages, at_friction, (MARKS["hertz"], MARKS["assumed"])),
            "contact-forces": force_table(forces, MARKS["forces"]),
            "secondary-torque": secondary_table(turns, (MARKS["friction"], MARKS["smooth"])),
            "parabolas": regression_table(fits, MARKS["parabola"]),
            "track-forces": track_table(turns[PAPERS], ideal, MARKS["tracks"]),
            "ball-motion": ball_table(pairs, MARKS["ball"]),
            "axial-motion": axial_table(free, MARKS["axial"]),
            "left-open": open_table(_open(workshop), MARKS["open"]),
        },
        notes={MARKS[name]: note for name, note in NOTES.items()},
        findings=findings(evidence) + mistakes(),
        pictures={
            "cage-angle": cage_picture(cages, ramps),
            "contact-forces": force_picture(forces),
            "secondary-torque": secondary_picture(turns, fits),
            "track-forces": track_force_picture(shown, ideal),
            "ball-motion": ball_picture(at_friction[PAPERS]),
            "axial-motion": axial_picture(
                {name: free[name] for name in ("6e12", "Hertz")}, free["6e12"]
            ),
        },
        spec=spec.to_mapping(),
        complete=workshop.complete,
    )


def _free(workshop: Workshop) -> dict[str, Turned]:
    """The inner race free to slide."""
    return {
        "6e12": workshop.turn(PAPERS, FRICTION, FREE),
        "6e12, shaft of 2.4 kg": workshop.turn(PAPERS, FRICTION, SHAFT),
        "6e12, μ 0.1": workshop.turn(PAPERS, 0.1, FREE),
        "6e12, no friction": workshop.turn(PAPERS, 0.0, FREE),
        "3e11": workshop.turn(SOFTER, FRICTION, FREE),
        "Hertz": workshop.turn(BY_HERTZ, FRICTION, FREE),
    }


def _fits(turns: dict[float, Turned]) -> dict[str, Regression]:
    """Parabolas of the driven race: of low friction, and of all."""
    torques = {mu: turn.secondary(DRIVEN) for mu, turn in turns.items() if turn.complete}
    low = {mu: torque for mu, torque in torques.items() if mu <= LOW_FRICTIONS}
    return {
        f"0 to {LOW_FRICTIONS:g}": regression(low),
        f"0 to {max(turns):g}": regression(torques),
    }


def _axial_stiffnesses() -> dict[str, float]:
    cases: tuple[tuple[Stiffness, float], ...] = (
        (PAPERS, DEFLECTION),
        (PAPERS, 0.0),
        (BY_HERTZ, DEFLECTION),
    )
    return {f"{s.name}, {angle:g}°": axial_stiffness(s, angle) for s, angle in cases}


def _open(workshop: Workshop) -> dict[str, Turned]:
    found = {name: workshop.turn(PAPERS, FRICTION, changes) for name, changes in OPEN.items()}
    found["static friction 0.05"] = workshop.turn_as_preset(PAPERS)
    found["static friction 0.05, Hertz's stiffness"] = workshop.turn_as_preset(BY_HERTZ)
    return found


def _three(frictions: tuple[float, ...]) -> tuple[float, ...]:
    """None, the paper's, and twice it if it is there, else the next above."""
    return (0.0, FRICTION, min(mu for mu in frictions if mu > 1.5 * FRICTION))
