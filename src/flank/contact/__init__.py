"""Where bodies touch: contact kinds, force laws and friction, and the table they are read from."""

from flank.contact import registry as registry
from flank.contact.declare import ContactKind, Field, ForceLaw, Gap, Screen
from flank.contact.kinds.circles import circle_in_hole, circle_pair
from flank.contact.kinds.needle import needle_between
from flank.contact.kinds.smooth_curve import circle_on_curve
from flank.contact.kinds.teeth import teeth
from flank.contact.laws import FoundationLaw, LaminaLaw, PowerLaw
from flank.contact.surface import (
    FRICTIONLESS,
    STEEL_RATIO,
    Damping,
    Disc,
    Friction,
    StickFriction,
    Surface,
    contact_row,
    screened_by,
)
from flank.contact.table import KINDS, LAWS, SCREENS

__all__ = [
    "FRICTIONLESS",
    "KINDS",
    "LAWS",
    "SCREENS",
    "STEEL_RATIO",
    "ContactKind",
    "Damping",
    "Disc",
    "Field",
    "ForceLaw",
    "FoundationLaw",
    "Friction",
    "Gap",
    "LaminaLaw",
    "PowerLaw",
    "Screen",
    "StickFriction",
    "Surface",
    "circle_in_hole",
    "circle_on_curve",
    "circle_pair",
    "contact_row",
    "needle_between",
    "screened_by",
    "teeth",
]
