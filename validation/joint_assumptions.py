"""What the assumed parts of friction and damping do to the joint's figures."""

import flank

RUNS = (
    ("cv-joint", "as it is", {}, {}),
    ("cv-joint", "half the step", {}, {"step": "0.05 ms"}),
    ("cv-joint", "static friction as sliding, 0.03", {"contact.friction.static": 0.03}, {}),
    ("cv-joint", "damping 10 s/m", {"contact.damping": "10 s/m"}, {}),
    ("cv-joint", "damping 100 s/m", {"contact.damping": "100 s/m"}, {}),
    ("cv-joint-marter", "as it is", {}, {}),
    ("cv-joint-marter", "half the step", {}, {"step": "0.05 ms"}),
    ("cv-joint-marter", "static friction as sliding, 0.03", {"contact.friction.static": 0.03}, {}),
    ("cv-joint-marter", "damping 300 s/m", {"contact.damping": "300 s/m"}, {}),
)

COLUMNS = {
    "secondary_torque_outer": ("secondary torque, outer, N·m", 1),
    "secondary_torque_inner": ("inner, N·m", 1),
    "loss": ("loss, W", 1),
    "cage_angle_ratio": ("cage angle over β/2", 1),
    "axial_force_order": ("axial order 4, N", 1),
    "repeat_change": ("change to the next turn, %", 100),
}


def assumption_table() -> str:
    """One turn of the presets with their assumptions changed, as a table."""
    titles = ["joint", "changed", *(title for title, _ in COLUMNS.values())]
    rows = [titles, ["---"] * len(titles)]
    for name, words, changes, options in RUNS:
        found = flank.run(flank.preset(name, changes), points_per_turn=90, **options)
        figures = [f"{float(found[key]) * scale:.3g}" for key, (_, scale) in COLUMNS.items()]
        rows.append([f"`{name}`", words, *figures])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)
