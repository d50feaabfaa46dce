"""A ball joint while things change: a run-up, a torque that reverses, steering from a file; what
guides its inner race, and the speeds at which its orders meet natural frequencies.

python examples/joint_run.py
"""

from pathlib import Path

import flank
from flank.analyses.result import Result
from flank.machines.cv_joint.joint import CvJoint

ONE_FRICTION = {
    "contact.friction.static": None,
    "contact.friction.static_velocity": None,
    "contact.friction.sliding": 0.03,
}
STEERING = Path(__file__).parent / "steering.csv"
RUNS = {
    "run-up": {
        "speed": {"function": "rise", "to": "300 rpm", "duration": "0.3 s"},
        "torque": {"function": "rise", "from": "200 N*m", "to": "2000 N*m", "duration": "0.3 s"},
        "duration": "0.4 s",
    },
    "torque reversal": {
        "torque": [["0 s", "2000 N*m"], ["0.1 s", "2000 N*m"], ["0.2 s", "-1000 N*m"]],
        "duration": "0.3 s",
    },
    "steering": {
        "deflection": {"file": str(STEERING), "column": "deflection"},
        "duration": "1 s",
    },
}
DRIVELINE = {"propeller shaft, bending": "130 Hz", "tunnel": "24 Hz"}


def joint(changes: dict | None = None) -> CvJoint:
    """The joint with the contact stiffness of Marter et al. and one coefficient of friction."""
    return flank.preset("cv-joint-marter", ONE_FRICTION | (changes or {}))


def transient(name: str) -> Result:
    return flank.run(joint(), "joint-run", points=400, **RUNS[name])


def told(result: Result) -> tuple[float, float, float, float]:
    """Largest track force in N and secondary torque in N·m, W lost in the mean, and how far the
    cage's axis leaves the middle, in arcmin."""
    names = ("peak_track_force", "largest_secondary_torque", "loss")
    force, torque, loss = (float(result[name]) for name in names)
    return force, torque, loss, float(result["largest_cage_deviation"]) * 3437.7467707849396


def guided(kind: str) -> tuple[float, float]:
    """Motion of the inner race along its axis, peak to peak, and across it, in um."""
    free = {"operation.plunge.kind": "free", "operation.guidance.kind": kind}
    result = flank.run(joint(free), "joint-turns", points_per_turn=90, most_turns=4)
    across = float(result["sideways_range"]) if kind != "rigid" else 0.0
    return 1e6 * float(result["axial_place_range"]), 1e6 * across


def resonance() -> Result:
    """With 2.5 kg of shaft that slide along."""
    sliding = {"operation.plunge": {"kind": "free", "shaft_mass": "2.5 kg"}}
    return flank.run(joint(sliding), "joint-resonance", driveline=DRIVELINE)


def margins(result: Result) -> list[tuple[int, float, str, float]]:
    """Order, its frequency in Hz, the nearest natural frequency's name, and the margin in %."""
    columns = (result[name].values for name in ("order", "excitation", "nearest_name", "margin"))
    return [
        (int(order), float(hertz), str(name), 100 * float(margin))
        for order, hertz, name, margin in zip(*columns, strict=True)
    ]


if __name__ == "__main__":
    for name in RUNS:
        result = transient(name)
        force, torque, loss, cage = told(result)
        lost = abs(float(result["energy_remainder"]))
        print(
            f"{name}: track force {force:.0f} N, secondary torque {torque:.1f} N·m, loss "
            f"{loss:.1f} W, cage {cage:.2f} arcmin off, energy lost {lost:.0e}"
        )
    for kind in ("rigid", "free"):
        print("{}: {:.1f} µm along its axis, {:.2f} µm across".format(kind, *guided(kind)))
    for order, hertz, name, margin in margins(resonance()):
        print(f"order {order}: {hertz:.0f} Hz, nearest {name}, margin {margin:+.1f} %")
