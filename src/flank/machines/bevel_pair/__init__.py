"""Bevel and hypoid pairs: their specs and how they become models."""
