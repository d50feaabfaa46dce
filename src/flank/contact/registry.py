"""The contact kinds and force laws of the package: a line each, numbered in this order."""

from flank.contact.kinds.circles import CIRCLE_INSIDE, CIRCLE_OUTSIDE
from flank.contact.kinds.needle import NEEDLE
from flank.contact.kinds.polyline import POLYLINE
from flank.contact.kinds.smooth_curve import SMOOTH_CURVE
from flank.contact.kinds.teeth import TEETH
from flank.contact.laws.foundation import FOUNDATION
from flank.contact.laws.lamina import LAMINA
from flank.contact.laws.line import LINE
from flank.contact.laws.power import POWER
from flank.contact.table import KINDS, LAWS

for kind in (CIRCLE_INSIDE, CIRCLE_OUTSIDE, SMOOTH_CURVE, POLYLINE, NEEDLE, TEETH):
    KINDS.add(kind)

for law in (LINE, POWER, FOUNDATION, LAMINA):
    LAWS.add(law)

TEETH_NUMBER = KINDS.number(TEETH)
