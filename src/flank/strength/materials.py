"""What flanks and roots of gear materials bear: ISO 6336-5, and how it falls with time and
roughness.

A row of materials.csv is one class of material in one quality. Where strength follows hardness,
σ_lim = A x + B in N/mm², x the hardness; else A is zero. σ_Flim is that of test gears (Y_ST = 2).
Lives are those of ISO 6336-2 and -3: a stress that is `static` times as high is borne up to the
first number of cycles, the reference one at the second, 0.85 times it at 1e10.
"""

import csv
import math
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

MEGA = 1e6

LONG_LIFE, LONG_LIFE_SHARE = 1e10, 0.85
"""Cycles, and what is left of the reference strength there: the norm's value without special
proof."""


@dataclass(frozen=True)
class Life:
    """Strength over cycles: `static` times the reference one up to `short`, once at `reference`."""

    static: float
    short: float
    reference: float

    def factor(self, cycles: float, reference: float = 1.0, static: float | None = None) -> float:
        """Strength after so many cycles over that of test gears: lines in double logarithms.

        `reference` and `static` multiply the strengths at both ends (Z_L Z_V Z_R, Y_δrelT ...), of
        which static strength does not know all.
        """
        top = self.static * (reference if static is None else static)
        if cycles <= self.short:
            return top
        if cycles <= self.reference:
            share = math.log(self.reference / cycles) / math.log(self.reference / self.short)
            return reference * math.exp(math.log(top / reference) * share)
        share = math.log(min(cycles, LONG_LIFE) / self.reference)
        share /= math.log(LONG_LIFE / self.reference)
        return float(reference * LONG_LIFE_SHARE**share)


@dataclass(frozen=True)
class GearStrength:
    """σ_Hlim and σ_Flim in Pa of a class of material at a hardness, and how they are used.

    `kind` sorts materials for the factors: steel, through-hardened, case-hardened, nitrided,
    grey-iron. `slip_layer` ρ' in m is that of Y_δrelT. `hardness` in HBW, of soft ones, else in HV.
    """

    name: str
    title: str
    kind: str
    hardness: float
    flank: float
    root: float
    slip_layer: float
    flank_life: Life
    root_life: Life
    source: str

    @property
    def hardened(self) -> bool:
        """Whether its surface is hard, so that it works a soft mate harder (Z_W)."""
        return self.kind in ("case-hardened", "nitrided")


def _rows() -> dict[str, dict[str, str]]:
    with files(__package__).joinpath("materials.csv").open(encoding="utf-8") as table:
        return {row["name"]: row for row in csv.DictReader(table)}


ROWS: Mapping[str, Mapping[str, str]] = _rows()


def strength_of(name: str, hardness: float | None = None) -> GearStrength:
    """A class by its name, at a hardness of its range; in the middle of it if none is given.

    ValueError where there is no such class, or where it has no such hardness.
    """
    if name not in ROWS:
        raise ValueError(f"'{name}' is no class of gear material; known are {', '.join(ROWS)}")
    row = ROWS[name]
    least, most = float(row["hardness from"]), float(row["hardness to"])
    value = 0.5 * (least + most) if hardness is None else hardness
    if not least <= value <= most:
        raise ValueError(
            f"{row['title']} is known from {least:g} to {most:g} {row['scale']}, not at {value:g}"
        )

    def limit(part: str) -> float:
        return (float(row[f"{part} A"]) * value + float(row[f"{part} B"])) * MEGA

    def life(part: str) -> Life:
        return Life(*(float(cell) for cell in row[f"{part} life"].split()))

    return GearStrength(
        name,
        row["title"],
        row["kind"],
        value,
        limit("flank"),
        limit("root"),
        float(row["slip layer mm"]) * 1e-3,
        life("flank"),
        life("root"),
        row["source"],
    )
