"""The cycloidal drive: its figures and rules."""
