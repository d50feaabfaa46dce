"""What guides the inner race, and runs in which torque, speed, deflection and plunge change."""

import math
from collections.abc import Iterator

import numpy as np
from cases import Case
from joint_statics import STIFF

import flank
from flank.analyses.result import Result

ONE_FRICTION = {
    "contact.friction.static": None,
    "contact.friction.static_velocity": None,
    "contact.friction.sliding": 0.03,
}
SLIDING = {**ONE_FRICTION, "operation.plunge.kind": "free"}

TRANSIENTS = {
    "run-up from rest to 300 rpm and 2000 N·m": {
        "speed": {"function": "rise", "to": "300 rpm", "duration": "0.15 s"},
        "torque": {"function": "rise", "to": "2000 N*m", "duration": "0.15 s"},
        "duration": "0.2 s",
    },
    "torque from 2000 to -1000 N·m in 50 ms": {
        "torque": [["0 s", "2000 N*m"], ["0.05 s", "2000 N*m"], ["0.1 s", "-1000 N*m"]],
        "duration": "0.15 s",
    },
    "torque that jumps from 2000 to 500 N·m": {
        "torque": [["0 s", 2000], ["0.05 s", 2000], ["0.05 s", 500]],
        "duration": "0.08 s",
    },
    "deflection from 2 to 5° in 0.1 s": {
        "deflection": [["0 s", "2 deg"], ["0.05 s", "2 deg"], ["0.15 s", "5 deg"]],
        "duration": "0.2 s",
    },
    "plunge of 0.3 mm with 10 Hz": {
        "plunge": {"function": "sine", "amplitude": "0.3 mm", "frequency": 10, "duration": 0.1},
        "duration": "0.1 s",
    },
}

RAMP = [[0, "1.9 deg"], [0.1, "1.9 deg"], [0.5, "2.1 deg"], [0.6, "2.1 deg"]]
"""Three turns at 300 rpm; 2° amid the second, from whose beginning to end 72 of 216 records go."""


def guided(kind: str) -> Result:
    machine = flank.preset(STIFF, {**SLIDING, "operation.guidance.kind": kind})
    return flank.run(machine, points_per_turn=90)


def guidance_cases() -> Iterator[Case]:
    """The inner race free along its axis at 2°, 2000 N·m, μ = 0.03."""
    rigid, free = guided("rigid"), guided("free")
    source = "computed independently, two digits"
    for name, found, known in (("guided rigidly", rigid, 5.8), ("not guided sideways", free, 31)):
        motion = 1e6 * float(found["axial_place_range"])
        case = f"inner race {name}: motion along its axis, peak to peak"
        yield Case(case, source, known, motion, "µm", 0.03)
    orders, amplitudes = free["order"].values, free["axial_place_amplitude"].values
    main = amplitudes[np.argmin(np.abs(orders - 4))]
    for order in (1, 2, 8, 16):
        share = float(amplitudes[np.argmin(np.abs(orders - order))] / main)
        case = f"not guided sideways: order {order} of the motion over order 4"
        yield Case(case, "symmetry", 0.0, share, "", 0.01)
    for race in ("outer", "inner"):
        name = f"secondary_torque_{race}"
        case = f"not guided sideways: secondary torque on the {race} race"
        yield Case(case, "guided rigidly", float(rigid[name]), float(free[name]), "N·m", 0.005)
    for kind, known, allowed in (("rigid", 6.5, 0.01), ("free", 0.0, 0.01)):
        machine = flank.preset(STIFF, {**SLIDING, "operation.guidance.kind": kind})
        found = flank.run(machine, "joint-resonance", driveline={"shaft": "100 Hz"})
        stiffness = 1e-6 * float(found["axial_stiffness"])
        case = f"guidance {kind}: stiffness that holds the inner race along its axis"
        yield Case(case, "computed independently", known, stiffness, "N/µm", allowed)


def transient_cases() -> Iterator[Case]:
    """The balance of energy of every kind of change."""
    machine = flank.preset(STIFF, ONE_FRICTION)
    for name, courses in TRANSIENTS.items():
        found = flank.run(machine, "joint-run", points=100, **courses)
        lost = abs(float(found["energy_remainder"]))
        yield Case(f"{name}: energy lost", "balance of energy", 0.0, lost, "", 0.005)


def ramp_cases() -> Iterator[Case]:
    """A turn amid a slow ramp of the deflection, beside the turn that repeats at its angle."""
    machine = flank.preset(STIFF, ONE_FRICTION)
    steady = flank.run(machine, points_per_turn=72)
    found = flank.run(machine, "joint-run", duration=0.6, deflection=RAMP, points=216)
    turn = slice(72, 144)
    tracks = found["track_force"].values[turn]
    secondary = np.linalg.norm(found["secondary_torque"].values[turn].mean(axis=0), axis=-1)
    work, period = found["friction_work"].values, 2 * math.pi / machine.speed
    values = {
        "mean_track_force": (tracks.mean(axis=0).max(axis=-1).mean(), "N"),
        "secondary_torque_outer": (secondary[0], "N·m"),
        "secondary_torque_inner": (secondary[1], "N·m"),
        "loss": ((work[144] - work[72]) / period, "W"),
    }
    for name, (value, unit) in values.items():
        case = f"slow ramp of the deflection through 2°: {name.replace('_', ' ')}"
        yield Case(case, "the turn that repeats", float(steady[name]), float(value), unit, 0.01)
