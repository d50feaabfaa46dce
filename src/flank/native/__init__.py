"""Kernels as a library of machine code, which runs without Numba.

`arguments` flattens what a kernel is called with, `library` finds the compiled function for it and
calls it, `sources` tells whether a library is of these sources. `compiling` is Numba's side, for
what no library holds. `entries` and `build` make a library, and with `unit_binary` the one that
units for other programs carry.
"""
