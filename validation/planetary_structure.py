"""Families of modes of Lin and Parker's gear with any number of planets."""

from collections.abc import Iterator

import numpy as np
from cases import Case
from numpy.typing import NDArray

import flank

FAMILIES = ("rotational", "translational", "planet")


def modes(count: int) -> tuple[dict[str, NDArray], dict[str, int]]:
    """Natural frequencies of Lin and Parker's gear by family, in Hz, and how many there are."""
    machine = flank.preset("planetary-lin-parker", {"planets.count": count})
    result = flank.run(machine, "natural-frequencies", torque=0, input="free", count=100)
    frequency, family = result["frequency"].values, result["family"].values
    found = {name: frequency[family == name] for name in FAMILIES}
    table = zip(result["family_name"].values, result["family_count"].values, strict=True)
    return found, {str(name): int(number) for name, number in table}


def structure_cases() -> Iterator[Case]:
    """6 rotational modes, 6 pairs, 3 planet modes N - 3 times, which no other number changes."""
    families = {count: modes(count) for count in (3, 4, 5, 6)}
    for count, (found, numbers) in families.items():
        asked = {"rotational": 6, "translational": 12, "planet": 3 * (count - 3)}
        for family, known in asked.items():
            name = f"{count} planets: number of {family} modes"
            yield Case(name, "Lin and Parker 1999", known, numbers.get(family, 0), "", 0.0)
        pairs = found["translational"].reshape(6, 2)
        split = float(np.abs(pairs[:, 1] / pairs[:, 0] - 1).max())
        yield Case(f"{count} planets: pairs are equal", "symmetry", 0.0, split, "", 1e-7)
    for count in (5, 6):
        own, four = (families[n][0]["planet"].reshape(3, n - 3) for n in (count, 4))
        off = float(np.abs(own / four - 1).max())
        name = f"{count} planets: frequencies of planet modes against those of 4"
        yield Case(name, "Lin and Parker 1999", 0.0, off, "", 1e-6)
