"""Force laws, a file each, and what is shared by all: damping."""

from flank.contact.laws.damping import damped
from flank.contact.laws.foundation import FoundationLaw, foundation
from flank.contact.laws.line import line_contact
from flank.contact.laws.power import PowerLaw, power

__all__ = ["FoundationLaw", "PowerLaw", "damped", "foundation", "line_contact", "power"]
