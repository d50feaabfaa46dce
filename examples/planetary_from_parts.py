"""A planetary stage from parts, by the engine alone: the preset 'planetary-paper' once more.

python examples/planetary_from_parts.py
"""

import math

import numpy as np

from flank import engine

SUN, PLANET, RING, MODULE, PLANETS = 20, 40, 100, 10e-3, 3
STIFFNESS, FLANK = 500.0, 1  # soft springs as teeth, loaded on this flank of the sun
MASSES = {"sun": (24.66, 0.123), "ring": (616.5, 77.1), "carrier": (12.0, 0.15)}
PLANET_MASS = 98.75, 1.97


def stage(torques: dict[str, engine.Function]) -> engine.ModelBuilder:
    """Sun, ring and carrier about one axis, the ring held; planets on pins of the carrier."""
    distance = 0.5 * MODULE * (SUN + PLANET)
    sun_base, planet_base, ring_base = (
        0.5 * MODULE * teeth * math.cos(math.radians(20)) for teeth in (SUN, PLANET, RING)
    )
    builder = engine.ModelBuilder(distance)
    bodies = {name: builder.body(name, *mass) for name, mass in MASSES.items()}
    builder.revolute(engine.GROUND, bodies["sun"])
    builder.fixed(engine.GROUND, bodies["ring"])
    builder.revolute(engine.GROUND, bodies["carrier"])
    for n in range(PLANETS):
        at = 2 * math.pi * n / PLANETS
        pin = distance * math.cos(at), distance * math.sin(at)
        planet = builder.body(f"planet {n + 1}", *PLANET_MASS, (*pin, 0.0))
        builder.revolute(bodies["carrier"], planet, pin)
        teeth = (bodies["sun"], planet, sun_base, planet_base, FLANK)
        inside = (planet, bodies["ring"], planet_base, -ring_base, -FLANK)
        for a, b, base_a, base_b, flank in (teeth, inside):
            builder.mesh(
                a, b, STIFFNESS, (base_a, base_b), distance,
                angle=-(base_a + base_b) * at / base_b,  # centred where they begin
                flank=flank, name=f"{builder.names[a]}/{builder.names[b]}",
            )  # fmt: skip
    for name, torque in torques.items():
        builder.torque(bodies[name], torque)
    return builder


if __name__ == "__main__":
    made = stage({"carrier": engine.constant(-4.0), "sun": engine.constant(0.6667)})
    run = engine.solve_dynamics(made.build(), made.pose(), 2.0, engine.DynamicSettings(2e-3))
    forces = engine.Forces(made, run)
    print(f"carrier at {math.degrees(run.position[-1, 3, 2]):.2f} deg after {run.time[-1]:.0f} s")
    for n in range(PLANETS):
        print(f"sun/planet {n + 1}: {np.ptp(forces.mesh(f'sun/planet {n + 1}').sum(axis=1)):.2f} N")
