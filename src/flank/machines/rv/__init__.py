"""The RV reducer: its spec, its pins, and how they become a model."""
