"""Drawn errors brace a reducer: its loops with friction and without.

    python validation/bracing.py

prints the table of docs/theory/rv_reducer.md and, for the modification that the preset has, how far
backlash goes and where the stiffness stands.
"""

from collections.abc import Iterator

import numpy as np

import flank

PRESET = "rv-320"
SEEDS = (None, 1, 2, 3, 4, 5, 6)
UNMODIFIED = {"discs.equidistant": 0.0, "discs.radial": 0.0}


def figures(seed: int | None, changes: dict[str, object]) -> tuple[float, float, float]:
    """Stiffness in N·m/arcmin, lost motion and backlash in arcmin of a drawn machine's loop."""
    drawn = {} if seed is None else {"errors.seed": seed}
    loop = flank.run(flank.preset(PRESET, {**changes, **drawn}), "hysteresis")
    angles = (loop.value(name, "arcmin") for name in ("lost_motion", "backlash"))
    return loop.value("torsional_stiffness", "N*m/arcmin"), *angles


def row(seed: int | None) -> str:
    """With friction and without, the discs unmodified."""
    both = (figures(seed, UNMODIFIED), figures(seed, {**UNMODIFIED, "friction": None}))
    cells = (f"{k:.0f}, {lost:.3f}, {play:.3f}" for k, lost, play in both)
    return f"| {'none' if seed is None else seed} | {' | '.join(cells)} |"


def modified() -> Iterator[str]:
    """The same draws of the preset as it is."""
    drawn = np.array([figures(seed, {}) for seed in SEEDS[1:]])
    yield f"with the preset's modification: K_T {figures(None, {})[0]:.0f}, of the draws"
    yield f"{drawn[:, 0].mean():.0f} in the mean; backlash {drawn[:, 2].min():.3f} to"
    yield f"{drawn[:, 2].max():.3f}, below lost motion in {(drawn[:, 1] > drawn[:, 2]).sum()}"


if __name__ == "__main__":
    print("| `errors.seed` | $K_T$, $LM$, $BL$ | without friction |\n|---|---|---|")
    for each in SEEDS:
        print(row(each))
    print(" ".join(modified()))
