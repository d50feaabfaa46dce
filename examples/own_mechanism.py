"""The engine without a machine: a needle bearing loaded by a force, from parts.

python examples/own_mechanism.py
"""

import math

import numpy as np

from flank.engine import (
    GROUND,
    STEEL,
    Cylinder,
    Disc,
    ModelBuilder,
    line_law,
    needle_between,
    solve_statics,
    table,
)


def deflection(loads: np.ndarray, clearance: float = 5e-6) -> np.ndarray:
    """Displacement in m under each load in N: a 13 mm shaft in 16 needles of 2.5 mm radius."""
    shaft_radius, needle_radius, length = 13e-3, 2.5e-3, 12e-3
    bore_radius = shaft_radius + 2 * needle_radius + clearance
    shaft, needle, bore = (Cylinder(r, STEEL) for r in (shaft_radius, needle_radius, bore_radius))
    law = line_law(shaft, needle, length).in_series(
        1 / (1 / shaft_radius + 1 / needle_radius),
        line_law(needle, bore, length),
        1 / (1 / needle_radius - 1 / bore_radius),
    )
    builder = ModelBuilder(length_scale=shaft_radius)
    body = builder.body("shaft", mass=0.1, inertia=1e-5)
    builder.torsion_spring(GROUND, body, stiffness=1.0)  # nothing else keeps it from turning
    for k in range(16):
        angle = 2 * math.pi * k / 16
        inner = Disc(body, 0.0, 0.0, shaft_radius)
        outer = Disc(GROUND, 0.0, 0.0, bore_radius)
        builder.contact(needle_between(inner, outer, angle, clearance, law, damping=0.0))
    builder.force(body, (1.0, 0.0), table([(0.0, 0.0), (1.0, float(loads.max()))]))
    run = solve_statics(builder.build(), builder.pose(), loads / loads.max())
    if not run.complete:
        raise SystemExit(run.status.sentence)
    return run.position[:, body, 0]


if __name__ == "__main__":
    loads = np.array([10.0, 100.0, 1000.0, 5000.0, 10000.0])
    for load, moved in zip(loads, deflection(loads), strict=True):
        print(f"{load:8.0f} N  {moved * 1e6:7.3f} um")
