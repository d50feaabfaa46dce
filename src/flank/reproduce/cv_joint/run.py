"""The study from beginning to end: what is computed, tables and pictures."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from flank.dynamics.run import Progress
from flank.io.tables import MISSING
from flank.machines.cv_joint.figures import cage_force, track_force
from flank.reproduce.cv_joint import pictures
from flank.reproduce.cv_joint.computing import (
    BY_HERTZ,
    BY_NAME,
    CASES,
    COARSE,
    DEFLECTION,
    FINE,
    FREE,
    FRICTION,
    PAPER,
    PAPERS,
    STIFFNESSES,
    TORQUE,
    TORQUES,
    UNGUIDED,
    Fineness,
    Stiffness,
    Turned,
    axial_stiffness,
    cage_path,
    force_path,
    joint,
    ramped,
    turned,
)
from flank.reproduce.cv_joint.findings import (
    CLEARANCES,
    ORDERS,
    Evidence,
    ForcePaths,
    axial_values,
    bounds,
    findings,
    flank_forces,
    largest_spins,
    other_side,
    regressions,
    sliding_loss,
)
from flank.reproduce.study import Numbers, Study, StudyRuns

COMPUTATIONS = 70
"""Computations of the study besides two for each friction, for the progress bar."""


def runs_of(fineness: Fineness, progress: Progress | None = None) -> StudyRuns:
    return StudyRuns(fineness, COMPUTATIONS + 2 * len(fineness.frictions), progress)


def run(coarse: bool = False, progress: Progress | None = None) -> Study:
    """Everything the command prints and writes."""
    runs = runs_of(COARSE if coarse else FINE, progress)
    return study_of(compute(runs), runs.complete)


def study_of(evidence: Evidence, complete: bool) -> Study:
    spec = joint(PAPERS).spec
    stiff, free = evidence.turns[PAPERS], evidence.free
    more = min(mu for mu in stiff if mu > 1.5 * FRICTION)
    shown = {mu: stiff[mu] for mu in (0.0, FRICTION, more)}
    drawn = {
        "friction-law": pictures.friction_picture(joint(PAPERS).contacts),
        "cage-angle": pictures.cage_picture(evidence.cages, evidence.ramps),
        "contact-forces": pictures.force_picture(evidence.forces),
        "secondary-torque": pictures.secondary_picture(evidence.turns, regressions(stiff)),
        "track-forces": pictures.track_force_picture(shown, track_force(spec, TORQUE)),
        "ball-motion": pictures.ball_picture(evidence.at_friction[PAPERS]),
        "axial-motion": pictures.axial_picture(
            {"guided rigidly": free["6e12"], "not guided": evidence.unguided["nothing"]},
            free["6e12"],
        ),
        "axial-influences": pictures.influence_picture(free["6e12"], evidence.unguided),
    }
    return PAPER.study(tables(evidence), findings(evidence), drawn, spec.to_mapping(), complete)


def compute(runs: StudyRuns) -> Evidence:
    fine: Fineness = runs.fineness
    once = runs.once

    def turns(cases: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Turned]:
        return {
            name: once(turned, BY_NAME[stiffness], friction, {**changes, **more}, fine)
            for name, (stiffness, friction, more) in cases.items()
        }

    return Evidence(
        cages={
            (stiffness, torque): once(cage_path, stiffness, torque, fine.path_points)
            for stiffness in STIFFNESSES
            for torque in TORQUES
        },
        forces={
            key: once(force_path, *key, fine.path_points)
            for key in product(STIFFNESSES, CLEARANCES, (1, -1))
        },
        turns={
            stiffness: {mu: once(turned, stiffness, mu, {}, fine) for mu in fine.frictions}
            for stiffness in (PAPERS, BY_HERTZ)
        },
        at_friction={each: once(turned, each, FRICTION, {}, fine) for each in STIFFNESSES},
        free=turns(CASES["free"], FREE),
        unguided=turns(CASES["unguided"], UNGUIDED),
        angles={
            angle: once(turned, PAPERS, FRICTION, {"tracks.contact_angle": f"{angle:g} deg"}, fine)
            for angle in CASES["contact_angles"]
        },
        changed=turns(CASES["changed"], {}),
        ramps={
            (stiffness, torque): once(ramped, stiffness, torque, FRICTION, fine)
            for stiffness in STIFFNESSES
            for torque in TORQUES
        },
        axial={
            f"{stiffness.name}, {angle:g}°": axial_stiffness(stiffness, angle)
            for stiffness, angle in ((PAPERS, DEFLECTION), (PAPERS, 0.0), (BY_HERTZ, DEFLECTION))
        },
    )


def tables(evidence: Evidence) -> dict[str, Sequence[Numbers]]:
    """The rows of all of them by name."""
    stiff, hertz = evidence.turns[PAPERS], evidence.turns[BY_HERTZ]
    force = track_force(joint(PAPERS).spec, TORQUE)
    return {
        "cage-angle": [_cage_angle(evidence, *key) for key in evidence.cages],
        "contact-forces": [
            _contact_forces(evidence.forces, sense, torque)
            for sense in (1, -1)
            for torque in CASES["torques"]
        ],
        "secondary-torque": [
            {
                "friction": friction,
                "torque": TORQUE,
                "bounds": bounds(friction),
                "stiff": stiff[friction],
                "hertz": hertz[friction],
                "sliding": sliding_loss(friction),
                "note": "friction" if friction else "smooth",
            }
            for friction in stiff
        ],
        "parabolas": [
            {"points": points, "fit": fit, "at_most": fit(0.1)}
            for points, fit in regressions(stiff).items()
        ],
        "track-forces": [
            {
                "friction": friction,
                "turn": turn,
                "flank": flank_forces(turn, force),
                "other_side": other_side(turn, stiff[0.0]),
            }
            for friction, turn in stiff.items()
            if turn.complete and stiff[0.0].complete
        ],
        "ball-motion": _ball_motion([evidence.at_friction[each] for each in (PAPERS, BY_HERTZ)]),
        "ball-spin": [_ball_spin(angle, turn) for angle, turn in evidence.angles.items()],
        "axial-motion": _axial_motion(evidence.free),
        "axial-unguided": _axial_motion(evidence.unguided),
        "left-open": [
            {"changed": name, "turn": turn, "torque": TORQUE, "equation_23": force}
            for name, turn in evidence.changed.items()
        ],
    }


def _cage_angle(evidence: Evidence, stiffness: Stiffness, torque: float) -> Numbers:
    """Fig. 7 at the load case's deflection."""
    turn = evidence.at_friction[stiffness]
    return {
        "stiffness": stiffness.name,
        "torque": torque,
        "resting": evidence.cages[stiffness, torque].at_load_case(),
        "turning": turn.cage_ratio if torque == TORQUE else math.nan,
        "ramped": evidence.ramps[stiffness, torque].at_rest(),
        "note": "hertz" if stiffness == BY_HERTZ else "assumed",
    }


def _contact_forces(paths: ForcePaths, sense: int, torque: float) -> Numbers:
    """Fig. 8: track forces to be set over Eq. 23, cage forces beside Eq. 24."""
    spec = joint(PAPERS).spec
    tight, open_window = CLEARANCES
    return {
        "torque": sense * torque,
        "tracks": [paths[each, tight, sense].at("loaded", torque) for each in STIFFNESSES],
        "open_track": paths[PAPERS, open_window, sense].at("loaded", torque),
        "cage": paths[PAPERS, tight, sense].at("cage", torque),
        "open_cage": paths[PAPERS, open_window, sense].at("cage", torque),
        "equation_23": track_force(spec, torque),
        "equation_24": cage_force(spec, sense * torque),
    }


def _ball_motion(turns: Sequence[Turned]) -> list[Numbers]:
    values = [ball_values(turn) for turn in turns]
    return [
        {"name": name, "paper": words, "values": [each[k] for each in values]}
        for k, (name, words) in enumerate(CASES["ball"].items())
    ]


def ball_values(turn: Turned) -> Sequence[float]:
    """The rows of the first ball in its inner track; nothing if the run failed."""
    if not turn.complete:
        return [math.nan] * len(CASES["ball"])
    place, velocity, spin, cardan = (
        turn.of_ball(f"ball_{name}") for name in ("place", "velocity", "spin", "cardan")
    )
    x, y, z = np.ptp(place, axis=0)
    across = np.hypot(velocity[:, 0], velocity[:, 1])
    return [
        *(500 * z, 1e3 * z, 1e6 * x, 1e6 * y),
        *(1e3 * np.abs(velocity[:, 2]).max(), 1e3 * across.max()),
        *np.abs(spin).max(axis=0),
        *np.degrees(cardan[-1] - cardan[0]),
        *(1e3 * turn["largest_sliding"], turn["largest_drilling"]),
    ]


def _ball_spin(angle: float, turn: Turned) -> Numbers:
    """Fig. 13c with another contact angle."""
    if not turn.complete:
        return {"angle": angle, "spins": [math.nan] * 3, "ratio": math.nan, "drift": math.nan}
    spins, cardan = largest_spins(turn), turn.of_ball("ball_cardan")
    drift = math.degrees(cardan[-1, 0] - cardan[0, 0])
    return {"angle": angle, "spins": spins.tolist(), "ratio": spins[0] / spins[1], "drift": drift}


def _axial_motion(turns: Mapping[str, Turned]) -> list[Numbers]:
    """The inner race free to slide, the paper's beside it."""
    named = ["named" if n in PAPER.published["axial_orders"] else MISSING for n in ORDERS]
    nothing = [math.nan] * (len(ORDERS) + 1)
    return [
        {"name": "paper", "values": [f"{PAPER.published['axial_motion']:.0f}", *named]},
        *(
            {"name": name, "values": axial_values(turn) if turn.complete else nothing}
            for name, turn in turns.items()
        ),
    ]
