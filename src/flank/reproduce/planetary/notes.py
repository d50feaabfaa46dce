"""Where ours and the paper's figures come from, and why they differ."""

NOTES = {
    "angles": (
        "Inferred, as the paper does not give them: module 10 mm, from the moments of inertia of "
        "steel discs; 20° pressure angle; a planet's mass of 98.75 kg from the rigid angles; with "
        "one planet a carrier of 12 kg with its mass centre at half the radius. The rigid angle is "
        "the closed form T t₁ (t₂ - t₁/2)/I_eff. The flexible angles of one and two planets are "
        "off by a hundredth of a degree; the paper's integrator is not known."
    ),
    "damping": (
        "The paper's ε is taken against its rounded rigid angle of -41.170°; against -41.166°, the "
        "closed form, its own angles give the next column."
    ),
    "text stiffness": "500 N/m on every mesh, as the text of section 3.1 says.",
    "caption stiffness": "1000 N/m, as the caption of Table 1a says: too stiff for Table 1c.",
    "working radius": (
        "Deflection and torque both by the working radius instead of the base radius: the same as "
        "500 N/m over cos² 20° by the base radius."
    ),
    "periods": (
        "Of the linear model, by natural-frequencies. What the paper reads off Figs. 9 and 10 as "
        "half a period is a whole one."
    ),
    "areas": (
        "Areas are signed: the sun's is its moment of momentum over the base radius. The matrix "
        "exponential of the linear model has +5.59 and -1.16 %. Tangential and normal forces "
        "differ by cos 20° alone, so that the deviations are the same for both."
    ),
    "first": (
        "Only the first planet meshes with both sun and ring, as the paper's rigid model has it: "
        "it carries all, the others only the inertia of their own turning. Constant torque of "
        "155.9 kN·m on the carrier, at which this model gives 272 and 277 kN; the paper's runs "
        "have a wind field's torque that is not printed."
    ),
    "shared": (
        "The paper's flexible model is nearest to 'table'. With 'rigid' all sun meshes share one "
        "multiplier: equal forces. Final angles differ from the paper's 409.636° and 409.637°, as "
        "its torque does."
    ),
    "switching": (
        "Geometry: where the flank, built from the rack's tooth thickness, meets the line of "
        "action, by bisection. s_1 = r_b1 (θ_1 + π/(2 z_1) + 2 x_1 tan α_0/z_1 + inv α_0 + α_w) is "
        "the same to 1e-12 mm. The paths begin 0.2 mm later than to the tip circle: the edges of "
        "the teeth are rounded."
    ),
    "phases": (
        "z_s ψ_n/2π, counted in the sense in which the sun turns; the profile shift does not enter."
    ),
}

MARKS = {name: str(number) for number, name in enumerate(NOTES, start=1)}
"""The number by which a table cites a note."""
