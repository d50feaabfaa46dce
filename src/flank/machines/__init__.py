"""Machines: what is there. One spec and one model a machine."""
