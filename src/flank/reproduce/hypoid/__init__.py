"""Load distribution of bevel gears by Wagner, Schumann and Schlecht, computed anew."""
