"""The RV reducer: its spec, its sizing rule and how it becomes a model."""
