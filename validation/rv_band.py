"""RV presets between published sets: the band of K_T, lost motion and mass that the sizing rule
leaves, and which dimension would have to be known to narrow it."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from rv_catalogue import CATALOGUE

import flank
from flank.io.tables import Table
from flank.machines.crank_reducer.proportions import BY_THE_RULE, PROPORTIONS
from flank.machines.crank_reducer.rules import ruled_dimensions, ruled_values
from flank.machines.rv.reducer import RvReducer

ARCMIN = 180 / math.pi * 60

PRESETS = (*CATALOGUE, "rv-generic", "rv-paper")

LESS = 0.9
"""Of a dimension that one set alone gives, or none: an assumption that ranks it, no spread."""

RANKED = (
    *("cranks.pin_radius", "cranks.journal_radius", "cranks.journal_length"),
    *("cranks.eccentric_length", "cranks.web_length", "discs.width", "discs.bore_radius"),
    *(
        "turning_arm.radius",
        "turning_arm.length",
        "first_stage.face_width",
        "carrier.pillar_radius",
    ),
    *("carrier.pillar_circle_radius", "carrier.flange_width", "main_bearings.ball_radius"),
)


@dataclass(frozen=True)
class Figures:
    """Of a loop up to the rated torque, and what all bodies weigh."""

    stiffness: float  # N·m/arcmin
    lost_motion: float  # arcmin
    mass: float  # kg


@dataclass(frozen=True)
class Band:
    """One preset with its ruled dimensions between the published sets."""

    preset: str

    @cached_property
    def machine(self) -> RvReducer:
        return flank.preset(self.preset)

    @cached_property
    def keys(self) -> list[str]:
        """Proportions that the preset has by the rule."""
        return list(ruled_values(self.machine.spec))

    @cached_property
    def single(self) -> Figures:
        """By the rule."""
        return self._figures({})

    @cached_property
    def ends(self) -> dict[str, tuple[Figures, Figures]]:
        """With one proportion at either end of the published sets."""
        return {
            key: (self._at({key: PROPORTIONS[key].least}), self._at({key: PROPORTIONS[key].most}))
            for key in self.keys
        }

    def band(self, name: str) -> tuple[float, float]:
        """Between the least and the most of a figure: with one proportion at either end, and with
        all of them at the ends that make it least and most by themselves."""
        low, high = {}, {}
        for key, (least, most) in self.ends.items():
            rises = getattr(most, name) >= getattr(least, name)
            ends = (PROPORTIONS[key].least, PROPORTIONS[key].most)
            low[key], high[key] = ends if rises else ends[::-1]
        each = [end for ends in self.ends.values() for end in ends]
        found = [self.single, self._at(low), self._at(high), *each]
        values = [getattr(figures, name) for figures in found]
        return min(values), max(values)

    def share(self, key: str) -> float:
        """Of one proportion in the sum of what each makes of K_T by itself."""
        return self._span(key) / sum(map(self._span, self.ends))

    def _span(self, key: str) -> float:
        values = [figures.stiffness for figures in (*self.ends[key], self.single)]
        return max(values) - min(values)

    def with_less(self, key: str) -> float:
        """K_T over that by the rule, one ruled dimension a tenth smaller."""
        changed = self._figures({key: LESS * self._ruled[key]})
        return changed.stiffness / self.single.stiffness - 1

    @cached_property
    def ranks(self) -> dict[str, float]:
        return {key: self.with_less(key) for key in RANKED if key in self._ruled}

    @property
    def _ruled(self) -> dict[str, float]:
        rule = ruled_dimensions(self.machine.spec, self.machine.size)
        return {path: value for path, value, *_ in rule}

    def _at(self, shares: Mapping[str, float]) -> Figures:
        return self._figures(ruled_values(self.machine.spec, {**BY_THE_RULE, **shares}))

    def _figures(self, changes: Mapping[str, float]) -> Figures:
        machine = flank.preset(self.preset, dict(changes))
        result = flank.run(machine, "hysteresis")
        mass = sum(place.mass[0] for place in machine.layout.places)
        stiffness, lost_motion = result["torsional_stiffness"], result["lost_motion"]
        return Figures(float(stiffness) / ARCMIN, float(lost_motion) * ARCMIN, mass)


def bands() -> list[Band]:
    return [Band(preset) for preset in PRESETS]


def band_table(found: Iterable[Band]) -> Table:
    """The single figure of each preset, its band and the catalogue's."""
    rows = []
    for one in found:
        single, row = one.single, [one.preset]
        row.append(f"{CATALOGUE[one.preset]:.0f}" if one.preset in CATALOGUE else "–")
        for name, form in (("stiffness", ".0f"), ("lost_motion", ".2f"), ("mass", ".1f")):
            low, high = one.band(name)
            row += [format(getattr(single, name), form), f"{low:{form}} to {high:{form}}"]
        rows.append(row)
    headings = ["preset", "K_T catalogue, N·m/arcmin", "K_T by the rule", "band"]
    headings += ["lost motion, arcmin", "band", "mass of what moves, kg", "band"]
    return Table("Band", headings, [True, *[False] * 7], rows)


def share_of_band_table(found: Iterable[Band]) -> Table:
    """What each proportion makes of K_T between its published ends, the largest first."""
    rows = [
        [
            one.preset,
            PROPORTIONS[key].title,
            f"{PROPORTIONS[key].least:g} to {PROPORTIONS[key].most:g}",
            *(f"{end.stiffness:.0f}" for end in one.ends[key]),
            f"{one.share(key):.0%}",
        ]
        for one in found
        for key in sorted(one.keys, key=one.share, reverse=True)
    ]
    headings = ["preset", "proportion", "published sets", "K_T at the least", "at the most"]
    headings += ["share of the band"]
    return Table("Shares of the band", headings, [True, True, *[False] * 4], rows)


def rank_table(found: Iterable[Band]) -> Table:
    """By how much K_T changes with each ruled dimension, in per cent, the largest first."""
    ranks = [one.ranks for one in found if one.preset in CATALOGUE]
    keys = sorted(
        {key for of_one in ranks for key in of_one},
        key=lambda key: max(abs(of_one.get(key, 0.0)) for of_one in ranks),
        reverse=True,
    )
    rows = [
        [key, *(_percent(of_one[key]) if key in of_one else "given" for of_one in ranks)]
        for key in keys
    ]
    return Table("Ranks", ["dimension", *CATALOGUE], [True, *[False] * len(CATALOGUE)], rows)


def _percent(change: float) -> str:
    """Signed, but for what rounds to nothing."""
    text = f"{100 * change:+.1f}"
    return "0.0" if float(text) == 0.0 else text


def dimensions_to_know(found: Iterable[Band]) -> str:
    """In words: what makes the largest share of each band, and what K_T follows most."""
    sentences = []
    for one in found:
        if one.preset not in CATALOGUE:
            continue
        widest = max(one.keys, key=one.share)
        steepest = max(one.ranks, key=lambda key: abs(one.ranks[key]))
        sentences.append(
            f"of `{one.preset}` the {PROPORTIONS[widest].title} ({one.share(widest):.0%} of the "
            f"band) and `{steepest}` ({100 * one.ranks[steepest]:+.1f} % for a tenth less)"
        )
    return "; ".join(sentences)
