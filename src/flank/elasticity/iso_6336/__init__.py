"""ISO 6336, method B: stiffness and load factors of a mesh, flank pressure, tooth root stress.

Editions of 2006 with the corrigendum of 2008 (Z_β), those to which ISO/TR 6336-30:2017 gives worked
examples.
"""

from flank.elasticity.iso_6336.stiffness import (
    mean_stiffness,
    rack_factor,
    single_stiffness,
    transverse_contact_ratio,
)

__all__ = ["mean_stiffness", "rack_factor", "single_stiffness", "transverse_contact_ratio"]
