"""Where bodies touch: contact kinds, force laws and friction, and the table they are read from."""

from flank.contact import registry as registry
from flank.contact.declare import ContactKind, Field, ForceLaw, Gap
from flank.contact.kinds.circles import circle_in_hole, circle_pair
from flank.contact.kinds.needle import needle_between
from flank.contact.kinds.smooth_curve import circle_on_curve
from flank.contact.kinds.teeth import teeth
from flank.contact.laws import FoundationLaw, PowerLaw
from flank.contact.surface import (
    FRICTIONLESS,
    STEEL_RATIO,
    Disc,
    Friction,
    StickFriction,
    Surface,
    contact_row,
)
from flank.contact.table import KINDS, LAWS

__all__ = [
    "FRICTIONLESS",
    "KINDS",
    "LAWS",
    "STEEL_RATIO",
    "ContactKind",
    "Disc",
    "Field",
    "ForceLaw",
    "FoundationLaw",
    "Friction",
    "Gap",
    "PowerLaw",
    "StickFriction",
    "Surface",
    "circle_in_hole",
    "circle_on_curve",
    "circle_pair",
    "contact_row",
    "needle_between",
    "teeth",
]
