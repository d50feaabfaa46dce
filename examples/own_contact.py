"""A contact kind and a pre-screen of one's own, without touching the package: a roller in a slot.

The slot is two straight edges; its mouth tells cheaply when the roller is not in it at all.
Kernels stand in a file, because what is typed in has no source to be found again by.

python examples/own_contact.py
"""

import numpy as np

from flank import engine


@engine.kernel(internal=True)
def _between_edges(contact, curves, data, memory, px, py, turn_a, turn_b):
    """A circle between the edges |y| = `half_slot` of A, which reach along x without end."""
    side = 1.0 if py > 0.0 else -1.0
    gap = contact.half_slot - abs(py) - contact.b_radius
    return engine.Gap(gap, 0.0, -side, 0.0, 1.0 / contact.b_radius, px)


@engine.kernel(internal=True)
def _outside_the_mouth(contact, px, py, turn_a, turn_b):
    """How far the circle is before the slot, which begins at x = 0: never more than its gap."""
    return -px - contact.b_radius


SLOT = engine.KINDS.add(
    engine.ContactKind("slot", (engine.Field("half_slot", "m"),), gap=_between_edges)
)
MOUTH = engine.SCREENS.add(engine.Screen("mouth of a slot", least_gap=_outside_the_mouth))


def slot(body: int, half_slot: float, circle: engine.Disc, surface: engine.Surface) -> np.void:
    """A circle in a slot along x of a body, from its origin on."""
    origin = engine.Disc(body, 0.0, 0.0, 0.0)
    row = engine.contact_row(SLOT, origin, circle, surface, half_slot=half_slot)
    return engine.screened_by(MOUTH, row)


def resting(place: float, load: float = 500.0) -> tuple[float, float]:
    """Depth in m and normal force in N of a roller pressed down at `place` along x."""
    builder = engine.ModelBuilder(0.01)
    roller = builder.body("roller", 0.1, 1e-5, (place, 0.0, 0.0))
    surface = engine.Surface(engine.PowerLaw(1e9, 1.0))
    builder.contact(slot(engine.GROUND, 5.01e-3, engine.Disc(roller, 0.0, 0.0, 5e-3), surface))
    builder.bushing(engine.GROUND, roller, 1e6, at_a=(place, 0.0))
    builder.torsion_spring(engine.GROUND, roller, 1.0)
    builder.force(roller, (0.0, -1.0), engine.constant(load))
    run = engine.solve_statics(builder.build(), builder.pose(), np.zeros(1))
    touched = run.contact_results[0, 0]
    return max(0.0, -float(touched["gap"])), float(touched["normal_force"])


if __name__ == "__main__":
    for place in (-0.02, 0.02):
        depth, force = resting(place)
        print(f"at {place * 1e3:+.0f} mm: {force:.1f} N, {depth * 1e6:.3f} um deep")
