"""cycloidgen's figures of a drive; run in its own environment, asked and answering in JSON.

Lengths in mm, torques in N·m, angles in rad. Its own functions are called as they are; with
`points` the gaps are measured against so many points of the profile in place of its own 2,000.
"""

import json
import sys

import numpy as np
from cycloidgen.analysis import stiffness
from cycloidgen.core import kinematics, profile
from cycloidgen.core.spec import MATERIALS, GearSpec

ARCMIN = np.pi / 10800


def spec_of(given: dict) -> GearSpec:
    steel = MATERIALS["Steel 1045"]
    MATERIALS["Steel 1045"] = steel.model_copy(update={"E_GPa": 206.0, "nu": 0.3})
    return GearSpec(**given)


def gaps_of(spec: GearSpec, angle: float, points: int) -> np.ndarray:
    return kinematics.mesh_gaps(spec, angle, points)


def carry(spec: GearSpec, angle: float, torque: float, points: int, errors=None) -> dict:
    """Ring and output stage of one disc at a crank angle, by its own contacts and solver."""
    usual = kinematics.mesh_gaps
    stiffness.mesh_gaps = lambda of, at: usual(of, at, points)
    state = kinematics.contacts(spec, angle)
    ring = stiffness._ring_contacts(spec, state, torque * 1e3, errors)
    out = stiffness._output_contacts(spec, angle, torque * 1e3)
    turned, forces = stiffness._solve_rotation(*ring[:3], torque * 1e3)
    moved, pushes = stiffness._solve_rotation(*out[:3], torque * 1e3)
    loaded = np.flatnonzero(state.loaded_mask)
    of_ring = stiffness._stage_stiffness(ring.c, ring.arms, forces, turned, ring.gaps)
    of_output = stiffness._stage_stiffness(out.c, out.arms, pushes, moved, out.gaps)
    return {
        "ring_angle": turned,
        "output_angle": moved,
        "forces": forces.tolist(),
        "pins": loaded.tolist(),
        "largest": float(forces.max()),
        "hardest": int(loaded[np.argmax(forces)]),
        "carrying": int((forces > 0).sum()),
        "stiffness": 1e-3 * ARCMIN / (1 / of_ring + 1 / of_output) * spec.disc_count,
    }


def _play(spec: GearSpec, angle: float, points: int) -> float:
    """rad that the disc turns until the first pin touches."""
    state = kinematics.contacts(spec, angle)
    loaded = state.loaded_mask
    gaps = np.maximum(gaps_of(spec, angle, points)[loaded], 0.0)
    return float((gaps / np.abs(state.moment_arms[loaded])).min())


def answer(question: dict) -> dict:
    spec = spec_of(question["spec"])
    per_disc = question["torque"] / spec.disc_count
    shape = profile.sampled_profile(
        spec.effective_R, spec.effective_Rr, spec.eccentricity, spec.lobes, question["profile"]
    )
    angles = question["angles"]
    found = {
        "profile": np.asarray(shape.points).tolist(),
        "shared": max(kinematics.contacts(spec, a).forces(per_disc * 1e3).max() for a in angles),
        "backlash": {
            str(n): 2 * max(_play(spec, angle, n) for angle in angles) / ARCMIN
            for n in question["points"]
        },
        "gaps": {
            str(n): float(min(gaps_of(spec, a, n).min() for a in (0.0, 0.7, 1.9)))
            for n in question["points"]
        },
    }
    for points in question["points"]:
        rows = [carry(spec, angle, per_disc, points) for angle in question["angles"]]
        found[f"carry {points}"] = {
            name: float(np.mean([row[name] for row in rows]))
            for name in ("ring_angle", "output_angle", "carrying", "stiffness")
        } | {"largest": max(row["largest"] for row in rows)}
    found["rings"] = [
        carry(spec, case["angle"], case["torque"], question["points"][-1], np.array(case["errors"]))
        for case in question.get("rings", [])
    ]
    return found


print(json.dumps(answer(json.load(sys.stdin))))
