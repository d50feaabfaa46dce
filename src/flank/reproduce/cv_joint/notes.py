"""What is assumed, and why figures of the paper and ours may differ."""

NOTES = {
    "assumed": (
        "The paper gives the kind of joint, eight balls, the load case (2000 N·m, 2°, 300 rpm), "
        "μ_r = 0.03 and the contact stiffnesses 3e11 and 6e12 N/m^1.5, and no dimension. Assumed: "
        "pitch circle 60 mm, balls of 17.462 mm (11/16 in), gothic arches with a conformity of "
        "1.02 and a contact angle of 45°, skew 8° and inclination 4°, no clearance, windows as "
        "stiff as tracks, masses of 0.85, 0.24 and 0.11 kg, no lubricant. The paper's figures have "
        "no tables, so what stands beside ours is what its text says."
    ),
    "hertz": (
        "By Hertz's theory for these dimensions: 5.1e10 N/m^1.5 in tracks and 1.4e10 in windows. "
        "The paper names Hamrock and Brewe as its start and does not print what they gave."
    ),
    "forces": (
        "The paper does not say how far its windows are; 5 µm on either side of a ball is an "
        "assumption that shows the shape of its Fig. 8b. Negative torques load the other flanks."
    ),
    "friction": (
        "One coefficient, static as sliding: the paper gives no static friction. Drilling with the "
        "arm of Hertz's ellipse; stick below 1 mm/s is viscous. The driven race is the inner one. "
        "The bounds hold if every ball slides along both of its tracks; drilling and a cage that "
        "tilts can go beyond them."
    ),
    "smooth": "Without friction T₂ is T tan(β/2) = 34.91 N·m on both races (Eq. 25).",
    "parabola": (
        "Least squares with a free constant, as the paper's legend suggests; its coefficients are "
        "in a picture only. It reports a negative linear coefficient for all points."
    ),
    "tracks": (
        "Angles from where the ball is in the plane of the shafts on the side to which the inner "
        "axis leans, growing in the sense of the turn; the paper's zero is not known. 'Other side' "
        "is that of the window which a ball leaves alone without friction."
    ),
    "ball": (
        "The paper's axes: α about x is called the rolling one. With a contact angle of 45° a ball "
        "that rolls along one flank turns as fast about y as about x, so that neither dominates; "
        "the paper's contact angle is not known."
    ),
    "axial": (
        "The inner race free along its axis, alone (0.24 kg) or with 2.4 kg of shaft; what the "
        "paper's inner race was fixed to is not said."
    ),
    "open": (
        "Static friction of 0.05 fades over 0.1 m/s and makes one of a ball's two sliding contacts "
        "stick: balls jump within microseconds, which contact damping of 100 s/m calms."
    ),
}

MARKS = {name: str(number) for number, name in enumerate(NOTES, start=1)}
"""Numbers by which tables cite notes."""
