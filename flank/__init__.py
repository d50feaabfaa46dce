"""How gears, reducers and joints transmit motion, computed from explicit contact geometry."""
