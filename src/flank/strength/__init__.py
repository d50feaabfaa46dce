"""What gears bear: flank pressure and tooth root stress by ISO 6336, method B, and safety factors.

Editions of 2006 with the corrigendum of 2008 (Z_β), to which ISO/TR 6336-30:2017 gives worked
examples. The mesh stiffness of ISO 6336-1 stands in `elasticity/iso_6336.py`.
"""
