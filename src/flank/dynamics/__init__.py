"""Bodies, joints, springs and their assembly; statics and time integration. Knows no gears."""
