"""The reducer with few teeth of difference: its figures and rules."""
