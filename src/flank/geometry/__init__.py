"""Shapes: curves with their tangent and curvature, modifications, and checks as data."""
