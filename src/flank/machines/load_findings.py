"""Whether teeth can carry the rated torque at all: the flat of their contact has to fit on them."""

from collections.abc import Iterator

from flank.elasticity.line_contact import half_width
from flank.elasticity.material import contact_modulus
from flank.elasticity.tooth_beam import load_line
from flank.geometry.findings import Finding
from flank.geometry.pair_checks import Names, shown
from flank.machines.meshed_pair import MeshedPair


def check_load(meshed: MeshedPair, names: Names) -> Iterator[Finding]:
    """A flat as wide as the teeth are thick, which no law of contact knows: a slip of a unit.

    At the middle of the path, the whole load on one pair.
    """
    pair = meshed.pair
    middle = 0.5 * sum(pair.path)
    rolls = middle, pair.second_roll(middle)
    radius = 1 / (1 / rolls[0] + pair.sign / rolls[1])
    flat = half_width(meshed.load, pair.face_width, radius, contact_modulus(*meshed.materials))
    gears = (pair.first, pair.second)
    depth = min(load_line(gear, roll)[1] for gear, roll in zip(gears, rolls, strict=True))
    if flat >= depth:
        yield Finding(
            "contact-wider-than-teeth",
            "error",
            f"at the rated torque the contact of the {names[0]} and the {names[1]} would be "
            f"{shown(2 * flat)} wide, on teeth {shown(2 * depth)} thick",
            2 * flat,
            2 * depth,
            "m",
            f"use a wider face than {shown(pair.face_width)} or less torque, and check their units",
        )
