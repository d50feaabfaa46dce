"""A cycloidal drive from parts, by the engine alone: the preset 'cycloidal-drive' once more."""

import math

import numpy as np

from flank import engine

PINS, CIRCLE, PIN, THROW, WIDTH, BORE = 40, 64e-3, 3e-3, 1.3e-3, 9e-3, 25e-3
ROLLERS, ROLLER_CIRCLE, ROLLER, DAMPING = 8, 42e-3, 5e-3, 10.0
LOBES, HOLE = PINS - 1, ROLLER + THROW


def polar(radius: float, angle: float) -> tuple[float, float]:
    return radius * math.cos(angle), radius * math.sin(angle)


def round_part(radius: float) -> np.ndarray:  # mass and inertia, as wide as a disc
    mass = engine.STEEL.density * math.pi * radius**2 * WIDTH
    return np.array([mass, 0.5 * mass * radius**2])


def drive(angle: engine.Function, torque: engine.Function) -> engine.ModelBuilder:
    """Input shaft, two discs on its eccentrics, and the carrier of the output rollers."""
    builder, steel = engine.ModelBuilder(CIRCLE), engine.STEEL
    disc_mass = round_part(CIRCLE - PIN) - round_part(BORE) - ROLLERS * round_part(HOLE)
    disc_mass[1] -= ROLLERS * round_part(HOLE)[0] * ROLLER_CIRCLE**2
    shaft, discs = builder.body("input", *2 * round_part(BORE)), []
    builder.revolute(engine.GROUND, shaft)
    for phase in (0.0, math.pi):
        pose = (*polar(THROW, phase), -phase / LOBES)
        discs.append(builder.body(f"disc at {phase:.0f}", *disc_mass, pose))
        builder.revolute(shaft, discs[-1], polar(THROW, phase))
    carrier = builder.body("carrier", *round_part(ROLLER_CIRCLE + ROLLER))
    builder.revolute(engine.GROUND, carrier)
    flank = engine.Cycloid(PINS, CIRCLE, PIN, THROW, 5e-6, 5e-6)  # two modifications of 5 um
    curve, wall = builder.curve(flank), CIRCLE - PIN - THROW - ROLLER_CIRCLE - HOLE
    hertz = engine.line_law(engine.DeepBody(wall, steel), engine.Cylinder(PIN, steel), WIDTH)
    on_pin = engine.Surface(hertz, DAMPING)
    hertz = engine.line_law(engine.Cylinder(HOLE, steel), engine.Cylinder(ROLLER, steel), WIDTH)
    in_hole = engine.Surface(hertz, DAMPING)
    for disc, phase in zip(discs, (0.0, math.pi), strict=True):
        for at in 2 * math.pi * np.arange(PINS) / PINS:
            pin = engine.Disc(engine.GROUND, *polar(CIRCLE, at), PIN)
            builder.contact(engine.circle_on_curve(disc, curve, flank, pin, on_pin, None))
        for at in 2 * math.pi * np.arange(ROLLERS) / ROLLERS:
            hole = engine.Disc(disc, *polar(ROLLER_CIRCLE, at + phase / LOBES), HOLE)
            roller = engine.Disc(carrier, *polar(ROLLER_CIRCLE, at), ROLLER)
            builder.contact(engine.circle_in_hole(hole, roller, in_hole))
    builder.rotation(engine.GROUND, shaft, angle)
    builder.torque(carrier, torque)
    return builder


if __name__ == "__main__":
    made = drive(engine.linear(1.0), engine.constant(200.0))
    run = engine.solve_statics(made.build(), made.pose(), np.linspace(0.0, 0.2, 5))
    for turned, back in run.position[:, [1, 4], 2]:
        print(f"input {turned:6.3f} rad, output behind by {back + turned / LOBES:.3e} rad")
