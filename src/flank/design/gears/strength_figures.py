"""What is known of the strength of a machine's gears."""

from __future__ import annotations

from typing import Any

from flank.design.figure import figure
from flank.design.gears.mesh import (
    duty_of,
    known_factors,
    making_of,
    strength_in,
    taken_as_hardened,
)
from flank.design.rated import RatedFigures
from flank.geometry.gear_pair import GearPair
from flank.machines.meshed_pair import MeshedPair
from flank.strength.materials import GearStrength
from flank.strength.rating import Rating


class GearFigures(RatedFigures):
    """Of a machine with gears; `blocks` are the names of those in its spec."""

    blocks: tuple[str, ...] = ("pinion", "wheel")

    @property
    def materials(self) -> tuple[str, ...]:
        """Of its gears, by name."""
        return tuple(getattr(self.spec, block).material for block in self.blocks)

    def strengths(self, *blocks: str) -> tuple[GearStrength | None, ...]:
        """Of some gears; None where none is known."""
        return tuple(strength_in(self.spec, getattr(self.spec, each).material) for each in blocks)

    def hardened(self, gear: str) -> bool:
        """Whether a gear is known to be hardened."""
        block = gear if gear in self.blocks else f"{gear}s"
        strength = self.spec.material(getattr(self.spec, block).material).strength
        return strength is not None and bool(strength.hardened)

    def rating_of(
        self,
        pair: GearPair,
        meshed: MeshedPair,
        blocks: tuple[str, str],
        misalignment: float,
        load: tuple[Any, ...],
        reduced_mass: float,
        rims: tuple[float | None, float | None],
        reverses: tuple[bool, bool] = (False, False),
    ) -> Rating | None:
        """By ISO 6336 with the spec's block `rating`, None where a strength is not known; `load`
        is what `duty_of` takes, the rest as a rating has it."""
        first, second = self.strengths(*blocks)
        if first is None or second is None:
            return None
        given = self.spec.rating
        return Rating(
            pair,
            meshed.materials,
            (first, second),
            duty_of(pair, given, *load),
            making_of(given, misalignment),
            reduced_mass,
            rims,
            reverses,
            known_factors(given),
        )

    @figure("steel rated as if case-hardened, quality MQ", group="")
    def assumed_strength(self) -> float:
        return float(taken_as_hardened(self.spec, self.materials))

    @figure("gears of a material without a class of ISO 6336-5", group="")
    def unrated(self) -> float:
        return float(self.strengths(*self.blocks).count(None))
