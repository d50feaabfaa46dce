"""The ball joint: its figures and rules."""
