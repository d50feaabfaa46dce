"""Kinds of planar contact, a file each: declaration, gap kernel and constructor."""
