"""Walls of crank holes: what their ovality takes off the stiffness, and which form is right.

    python validation/hole_walls.py

prints the table of docs/theory/rv_reducer.md. A hole of radius R in a wide plate under p cos nφ
gives way by u = c_n p, plane stress and κ = (3 - ν)/(1 + ν),

    c_0 = (1 + ν) R/E,    c_n = (1 + ν) R/(2E) [(κ + n - 1)/(n - 1) - n/(n + 1)]    (Michell),

so rollers that press with f_i at φ_i store Σ_n c_n |Σ_i f_i e^{inφ_i}|²/(2π R B) in a wall of the
width B. Those of n >= 2 are its ovality; loads taken from the rigid wall, that is the compliance
which a wall adds to the output, to the first order.
"""

import math
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import numpy as np
from cases import Case

import flank
from flank.analyses import hysteresis, load_distribution
from flank.elasticity.gear_body import _harmonics, _uniform
from flank.elasticity.material import STEEL, Material

ARCMIN = 180 / math.pi * 60
PRESETS = ("rv-320", "rv-80", "rv-paper")
NO_FRICTION = {"friction.pins": 0, "friction.turning_arm": 0, "friction.supports": 0}
DRASTIC = 0.05
"""Of the stiffness: more than a manufacturer's tolerance of it would notice."""


def wall_compliance(n: int, radius: float, material: Material) -> float:
    """c_n in m/Pa."""
    nu, modulus = material.poisson_ratio, material.youngs_modulus
    if n == 0:
        return (1 + nu) * radius / modulus
    kappa = (3 - nu) / (1 + nu)
    return 0.5 * (1 + nu) * radius / modulus * ((kappa + n - 1) / (n - 1) - n / (n + 1))


def oval_share(name: str) -> float:
    """Compliance of oval walls at the output over that of the whole reducer, at rated torque."""
    machine = flank.preset(name, NO_FRICTION)
    torque = machine.rated_torque
    settings = load_distribution.LoadDistributionSettings(torque=torque)
    result = load_distribution.run(machine, settings)
    size, material = machine.size, machine.spec.elastic(machine.spec.discs.material)
    force, count = result.data["turning_arm_force"], size.turning_arm.count
    forces = force.values[..., -1, :] if "race" in force.dims else force.values  # of the outer race
    radius = size.turning_arm.bore_radius
    angles, twice = 2 * math.pi * np.arange(count) / count, 0.0
    for n in range(2, count // 2 + 1):
        waves = np.abs((forces * np.exp(1j * n * angles)).sum(axis=-1)) ** 2
        twice += wall_compliance(n, radius, material) * float(waves.sum())
    compliance = twice / (math.pi * radius * size.disc_width * torque**2)
    return compliance * result["torsional_stiffness"]


def wall_cases() -> Iterator[Case]:
    """That the closed forms hold, and that no preset loses much by the ovality of its walls."""
    nu = STEEL.poisson_ratio
    sheet = Material((1 + 2 * nu) / (1 + nu) ** 2, nu / (1 + nu), STEEL.density)  # as plane strain
    unit = Material(1.0, nu, STEEL.density)
    far = 1e3
    for n in (2, 3, 6):
        found = abs(float(_harmonics(np.array([float(n)]), 1.0, far, sheet)[0][0]))
        known = wall_compliance(n, 1.0, unit)
        yield Case(
            f"hole in a wide plate: E u/(p R) under cos {n}φ", "Michell", known, found, "", 1e-4
        )
    found = abs(_uniform(1.0, far, sheet)[0])
    yield Case(
        "the same under even pressure, as the ring's foundation has it", "1 + ν",
        wall_compliance(0, 1.0, unit), found, "", 1e-4,
    )  # fmt: skip
    for name in PRESETS:
        title = f"{name}: share of the ovality of crank holes in the compliance"
        yield Case(title, "would be drastic above 0.05", 0.0, oval_share(name), "", DRASTIC)


def wall_table() -> list[str]:
    """K_T of all forms of the disc, and what the plate says of the ovality."""
    lines = [
        "| preset | K_T, rigid discs | elastic disc, round holes | ANCF walls "
        "| ovality of the holes, share by Michell's plate | so K_T would be |",
        "|---|---|---|---|---|---|",
    ]
    for name in PRESETS[:2]:  # rollers of the third are bodies
        rigid, plate, ring = (
            _stiffness(name, changes)
            for changes in ({"discs.body": "rigid"}, {}, {"discs.hole_wall": "ancf"})
        )
        share = oval_share(name)
        lines.append(
            f"| `{name}` | {rigid:.0f} | {plate:.0f} ({plate / rigid - 1:+.1%}) "
            f"| {ring:.0f} ({ring / rigid - 1:+.1%}) | {share:.1%} | {plate / (1 + share):.0f} |"
        )
    return lines


def _stiffness(name: str, changes: dict) -> float:
    """N·m/arcmin."""
    settings = hysteresis.HysteresisSettings(points_per_stage=12)
    machine = flank.preset(name, NO_FRICTION | changes)
    return hysteresis.run(machine, settings)["torsional_stiffness"] / ARCMIN


if __name__ == "__main__":
    from cases import as_table

    print(as_table(list(wall_cases())))
    print("\n".join(wall_table()))
