"""The plunging constant-velocity ball joint with straight crossed tracks."""
