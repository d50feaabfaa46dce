"""Spatial bodies: their joints, springs and loads, statics, and motion in time."""
