"""Others' programs, each in an environment of its own: asked there, answered as JSON."""
