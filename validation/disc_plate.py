"""The disc of rv-320 as an elastic plate on its pins, beside other finite elements.

What those had: a free plate, forces of the bearings at the holes, the pins unilateral on Hertz
springs, the least complementary energy. Forces at the holes are shared alike by the cranks and
press with a cosine on half of a wall; in the machine cranks share unevenly, as they bend, and
rollers press one by one, so that its figures stand beside.
"""
