"""What bends: line contact and, later, teeth, rings, shafts and reduced bodies."""
