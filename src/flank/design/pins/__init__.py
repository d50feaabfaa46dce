"""What machines share whose cycloid discs roll in a ring of pins: figures and rules."""
