"""The cycloidal drive: its spec and how it becomes a model."""
