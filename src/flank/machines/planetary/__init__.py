"""The planetary gearbox: its spec and how it becomes a model."""
