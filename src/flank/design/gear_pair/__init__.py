"""The gear pair: its figures and rules."""
