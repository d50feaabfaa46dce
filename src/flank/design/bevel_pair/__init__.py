"""Gears that touch in space, bevel, hypoid or involute: their figures and rules."""
