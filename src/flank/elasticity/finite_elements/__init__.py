"""Gears of finite elements: one sector meshed, the gear by cyclic symmetry."""
