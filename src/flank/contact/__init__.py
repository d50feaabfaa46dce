"""Where bodies touch: gap finders, force laws and friction, and the table they are read from."""
