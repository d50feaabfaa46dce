"""The planetary gearbox: its figures and rules."""
