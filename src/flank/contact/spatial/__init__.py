"""Contact of spatial bodies: a sphere of one against a surface of the other."""
