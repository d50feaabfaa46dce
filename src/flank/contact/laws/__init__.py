"""Force laws, a file each, and what is shared by all: damping."""

from flank.contact.laws.damping import damped
from flank.contact.laws.foundation import FoundationLaw
from flank.contact.laws.lamina import LaminaLaw
from flank.contact.laws.line import line_contact
from flank.contact.laws.power import PowerLaw

__all__ = ["FoundationLaw", "LaminaLaw", "PowerLaw", "damped", "line_contact"]
