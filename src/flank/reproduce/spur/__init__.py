"""Bruzzone, Rosso, Theodossiades: gears of finite elements rolling on each other, computed anew."""
