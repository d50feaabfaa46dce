"""What reducers with cranks share: cranks, bearings, discs as plates, carrier, first stage, errors.

A machine adds the mesh between its discs and the housing: pins (rv) or an involute ring
(few_teeth).
"""
