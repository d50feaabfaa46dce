"""A pre-screen as somebody outside the package would write and register it."""

import math

from flank.engine import SCREENS, Field, Screen, kernel


@kernel(internal=True)
def _outside_the_box(contact, px, py, turn_a, turn_b):
    """How far B's circle is from the box |x|, |y| <= `half_box` around A's shape."""
    dx = max(abs(px) - contact.half_box, 0.0)
    dy = max(abs(py) - contact.half_box, 0.0)
    return math.sqrt(dx * dx + dy * dy) - contact.b_radius


BOX = SCREENS.add(Screen(name="box", fields=(Field("half_box", "m"),), least_gap=_outside_the_box))


@kernel(internal=True)
def _behind(contact, px, py, turn_a, turn_b):
    """Open by a millimetre wherever the circle is left of the shape: a screen that lies."""
    return 1e-3 if px < 0.0 else 0.0


LYING = SCREENS.add(Screen(name="lying", least_gap=_behind))
