"""Why the paper's figures and ours differ.

What is said of the script was read in its public text; that the paper's tables were made with this
version of it is inferred, as names, sweeps and torque agree.
"""

NOTES = {
    "nominal": (
        "K_T: the script's parts are rigid and its needles have a constant of 1e9 N/m; here "
        "contacts follow from the material, and cranks, discs and carrier give way. LM and BL: the "
        "script ramps the torque in 0.01 s a stage (the text says 0.5 s), so its output is still "
        "crossing the play where LM is read. The table of origins shows both."
    ),
    "radius": (
        "A smaller eccentric in the same bore is clearance: BL grows by about 2·10 µm/R_crank = "
        "0.98 arcmin. The paper's text has K_T fall by 2.6 %, its table has it rise by 2.7 %."
    ),
    "radius drawn": (
        "The script draws from ±|Δ| with a fixed seed, also for Δ = -10 µm. The mean of its three "
        "draws is +3.7 µm: larger eccentrics in the same bores, so play is lost and K_T rises."
    ),
    "radius script": (
        "In the script the bore follows the eccentric, so that the clearance stays: 'large "
        "clearance' in the paper's table is not what was computed. What is left is a trifle in the "
        "contacts' curvature; it does not explain the paper's 2.7 %."
    ),
    "eccentricity": (
        "In the script the error does not reach the eccentrics of a rigid crank; its three rows "
        "are one case, their spread is the solver's. The pins hold a disc at the nominal "
        "eccentricity, so that an eccentric of another one sits off the middle of its clearance c, "
        "and √(c² - δe²), here 8 of 10 µm, are left across: BL falls by about a fifth with "
        "either sign. The error is not benign."
    ),
    "phase": (
        "Turning all eccentrics alike turns the cranks: the loop moves and keeps its shape, as it "
        "must."
    ),
    "phase drawn": (
        "As an error of the eccentrics' phase it is small: 108″ of 1.5 mm are 0.8 µm across, "
        "against a clearance of 10 µm."
    ),
    "phase script": (
        "The script moves the crank along the carrier's circle by angle times 70 mm, with the same "
        "draws for both signs: the paper's 'symmetric effect' is one run printed twice. Such "
        "positions exceed the clearance, the cranks are braced against each other and hardly any "
        "play is left. That the paper's BL falls by 15 % only is not explained."
    ),
    "clearance": (
        "The script counts δc on both sides of a needle, so 2 δc is added between the races. "
        "Without friction BL follows the closed form; the paper's BL grows faster, and its LM "
        "hardly at all, which is what a fast ramp does (table of origins)."
    ),
}

MARKS = {name: str(number) for number, name in enumerate(NOTES, start=1)}
"""The number by which a table cites a note."""
