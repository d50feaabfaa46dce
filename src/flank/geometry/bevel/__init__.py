"""Bevel and hypoid gears: blanks, the machines that cut their flanks, and grids of flank points."""
