"""Presets of the RV reducer beside catalogue figures, and where their compliance sits."""

import math

import flank
from flank.io.tables import Table

ARCMIN = 180 / math.pi * 60

CATALOGUE = {"rv-320": 980.0, "rv-40": 108.0, "rv-80": 196.0}
"""Torsional rigidity in N·m/arcmin of RV-320E, RV-40E, RV-80E; from memory of the catalogue."""


def stiffness_table() -> Table:
    """K_T of each preset and of its catalogue unit, also over the rated torque."""
    rows = []
    for name, catalogue in CATALOGUE.items():
        rated, computed = flank.preset(name).rated_torque, _stiffness(name)
        plates = _stiffness(name, {"discs.body": "elastic"})
        row = [name, f"{rated:.0f}", f"{catalogue:.0f}", f"{computed:.0f}"]
        row += [
            f"{computed / catalogue:.2f}",
            f"{catalogue / rated:.3f}",
            f"{computed / rated:.3f}",
            f"{plates:.0f}",
            f"{plates / catalogue:.2f}",
        ]
        rows.append(row)
    headings = ["preset", "rated torque, N·m", "K_T catalogue, N·m/arcmin"]
    headings += ["K_T computed, N·m/arcmin", "ratio", "K_T/T catalogue", "K_T/T computed"]
    headings += ["K_T, discs as plates", "ratio of that"]
    return Table("Stiffness", headings, [True, *[False] * (len(headings) - 1)], rows)


def _stiffness(name: str, changes: dict[str, str] | None = None) -> float:
    """N·m/arcmin."""
    loop = flank.run(flank.preset(name, changes or {}), "hysteresis")
    return float(loop["torsional_stiffness"]) / ARCMIN


def excess(stiffness: Table) -> str:
    """By what factor the model is too stiff, in words."""
    ratios = [row[stiffness.headings.index("ratio")] for row in stiffness.rows]
    return f"by a factor of {min(ratios)} to {max(ratios)}"


def share_table() -> Table:
    """Each part's share of the compliance between 50 and 100 % of the rated torque, in per cent."""
    splits = [flank.run(flank.preset(name), "stiffness-split") for name in CATALOGUE]
    titles = splits[0]["part_title"].values
    shares = [100 * split["part_share"].values for split in splits]
    rows = [
        [str(title), *(f"{share[k]:.1f}".replace("-0.0", "0.0") for share in shares)]
        for k, title in enumerate(titles)
    ]
    return Table("Shares", ["part", *CATALOGUE], [True, *[False] * len(CATALOGUE)], rows)
