"""Studies: one machine built many times over, each with its own errors, asked the same questions.

A sample is a number. What it draws follows from the study's seed, the number and the names of its
variables alone, so it is the same in every chunk, order and backend, and can be run again alone.
"""
