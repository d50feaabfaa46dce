"""The reducer with few teeth of difference: its spec, its mesh, and how they become a model."""
