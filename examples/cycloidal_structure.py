"""What the structure of a cycloidal drive takes off its stiffness, part by part.

python examples/cycloidal_structure.py
"""

import math

import flank

ARCMIN = math.pi / 180 / 60

STRUCTURE = {
    "output_pins": {"held": "one end", "gap": "1 mm"},
    "flanges": {"width": "15 mm", "output_radius": "25 mm"},
    "shaft": {"length": "60 mm", "radius": "10 mm"},
    "housing": {"wall": "8 mm", "length": "30 mm"},
}


def drive(held: str | None):
    """The preset with contacts only, or with output pins held at one end or both."""
    if held is None:
        return flank.preset("cycloidal-drive")
    pins = STRUCTURE["output_pins"] | {"held": held}
    return flank.preset("cycloidal-drive", {"structure": STRUCTURE | {"output_pins": pins}})


def split(machine) -> tuple[float, list[tuple[str, float]]]:
    """Torsional stiffness in N·m/arcmin, and (part, share of the compliance in percent)."""
    result = flank.run(machine, "stiffness-split")
    titles, shares = result["part_title"].values, 100 * result["part_share"].values
    stiffness = float(result["torsional_stiffness"]) * ARCMIN
    return stiffness, list(zip(titles.tolist(), shares.tolist(), strict=True))


if __name__ == "__main__":
    for held in (None, "one end", "both ends"):
        stiffness, parts = split(drive(held))
        print(f"\n{held or 'contacts only'}: {stiffness:.0f} N·m/arcmin")
        for title, share in parts:
            print(f"  {title:<20} {share:5.1f} %")
