"""The gear pair: its spec and how it becomes a model."""
