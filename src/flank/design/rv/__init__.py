"""The RV reducer: its figures and rules."""
